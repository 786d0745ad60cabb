/* SPDX-License-Identifier: ISC */
/*
 * From a symbol and its module, as profilers give them, to frames of a stack:
 * shared by the text of perf script and perf.data, so that both give the same. Functions of
 * scripts keep their names as they are.
 */
#ifndef FRAME_NAMES_H
#define FRAME_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "cache.h"
#include "collapse.h"
#include "str.h"

/* A function at an address. */
struct frame_names_symbol {
	struct str name;    /* without an offset; empty: not known */
	struct str module;  /* as perf prints it; empty: not known */
	struct str address; /* hexadecimal text */
	struct str srcline; /* "file:line", or empty */
	struct str code;    /* " <spin@5f0c7d1e+0x1149>", or empty */
	bool inlined;
	bool single; /* NAME is that of one function, whatever arrows it has */
};

/* A zeroed struct frame_names with its collapse set is an empty stack. */
struct frame_names {
	struct collapse *c; /* not owned */
	bool java;	    /* the stack under way is of a Java program */
	uint32_t *ids;	    /* the stack under way, innermost first */
	size_t n, cap;
	struct cache known; /* see frame_names_recall */
	uint32_t *spans;    /* a count and that many ids, and so on */
	size_t span_n, span_cap;
	struct buf name;
};

void frame_names_release(struct frame_names *n);

/* Whether a thread called COMM is one of a Java program. */
bool frame_names_is_java(struct str comm);

/* Adds the name ID to the stack. */
void frame_names_push(struct frame_names *n, uint32_t id);

/* Adds the frames of S, innermost first: one, or those that Java's compiler made
 * one of, joined by arrows. */
void frame_names_add(struct frame_names *n, const struct frame_names_symbol *s);

/* Adds the frames that were kept for KEY; false when there are none. */
bool frame_names_recall(struct frame_names *n, struct str_digest key);

/* Keeps the frames from the place FIRST of the stack on (one at least) for KEY,
 * which must not be known. What was kept may be forgotten at any time. */
void frame_names_keep(struct frame_names *n, struct str_digest key, size_t first);

/* A function of a script, JavaScript or Ruby, and where it begins. */
struct frame_names_script {
	struct str name;   /* empty: it has none */
	struct str file;   /* a path, a URL, or empty */
	uint64_t line;	   /* from 1; 0: not known */
	unsigned kind;	   /* COLLAPSE_JIT, or 0 */
	struct str marked; /* the name with --full-names; empty: that is no other */
};

/* The name id of the frame of F: "work", "(anonymous b.js:2)" when it has no name,
 * and with --srcline "work:b.js:2". */
uint32_t frame_names_script(struct collapse *c, const struct frame_names_script *f);

#endif
