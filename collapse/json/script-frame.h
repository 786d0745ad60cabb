/* SPDX-License-Identifier: ISC */
/*
 * Frames of scripts, JavaScript or Ruby: their names are kept as they are.
 */
#ifndef SCRIPT_FRAME_H
#define SCRIPT_FRAME_H

#include <stdint.h>

#include "collapse.h"
#include "str.h"

/* A function, and where it begins. */
struct script_function {
	struct str name;   /* empty: it has none */
	struct str file;   /* a path, a URL, or empty */
	uint64_t line;	   /* from 1; 0: not known */
	unsigned kind;	   /* COLLAPSE_JIT, or 0 */
	struct str marked; /* the name with --full-names; empty: that is no other */
};

/* The name id of the frame of F: "work", "(anonymous b.js:2)" when it has no name,
 * and with --srcline "work:b.js:2". */
uint32_t script_frame(struct collapse *c, const struct script_function *f);

#endif
