/* SPDX-License-Identifier: ISC */
/*
 * The cost of each instruction of a function. Only the stretches of the program that cost
 * something are disassembled.
 */
#ifndef ANNOTATE_CODE_H
#define ANNOTATE_CODE_H

#include "annotate.h"
#include "objdump.h"

/* A stretch of code, usually a function of the program. Code of an inlined function is in
 * several. */
struct annotate_stretch {
	uint64_t start, end;
	uint32_t line, line_n;	     /* its lines in A */
	struct objdump code;	     /* empty: the program was not found */
	struct annotate_line *costs; /* by row of CODE */
	bool *costly;		     /* by row: it costs something */
};

/* The longest instruction, in bytes. */
enum { ANNOTATE_INSTRUCTION = 16 };

/* Finds the stretch of PROGRAM around FIRST, the number of a line of A. Returns false, after a
 * message, when it cannot be disassembled. The caller releases S. */
bool annotate_stretch_init(struct annotate_stretch *s, const struct annotate *a,
	uint32_t first, const struct annotate_how *how, struct program *program);
void annotate_stretch_release(struct annotate_stretch *s);

#endif
