/* SPDX-License-Identifier: ISC */
/*
 * Turns a symbol and its module, as recorded by profilers, into frames of a stack. perf
 * script text and perf.data share this, so that both give the same result. Names of
 * script functions are not changed.
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
	struct str name;    /* without an offset; empty: unknown */
	struct str module;  /* as perf prints it; empty: unknown */
	struct str address; /* hexadecimal text */
	struct str srcline; /* "file:line", for --srcline; or empty */
	struct str code;    /* " <spin@5f0c7d1e+0x1149>", or empty */
	bool inlined;
	bool single; /* NAME is a single function, even if it contains arrows */
};

/* An empty stack when zeroed, with its collapse set. */
struct frame_names {
	struct collapse *c; /* not owned */
	bool java;	    /* the current stack is of a Java program */
	uint32_t *ids;	    /* the current stack, innermost first */
	size_t n, cap;
	struct cache known; /* see frame_names_recall */
	uint32_t *spans;    /* counts, each followed by that many ids */
	size_t span_n, span_cap;
	struct buf name;
};

void frame_names_release(struct frame_names *n);

/* Whether a thread named COMM belongs to a Java program. */
bool frame_names_is_java(struct str comm);

/* Adds the name ID to the stack. */
void frame_names_push(struct frame_names *n, uint32_t id);

/* Adds the frames of S, innermost first: several if S is joined by arrows, as Java's
 * compiler does for inlined functions. */
void frame_names_add(struct frame_names *n, const struct frame_names_symbol *s);

/* Adds the frames kept for KEY. Returns false if there are none. */
bool frame_names_recall(struct frame_names *n, struct str_digest key);

/* Keeps the frames from index FIRST on, at least one, for KEY, which must be new. They
 * may be forgotten at any time. */
void frame_names_keep(struct frame_names *n, struct str_digest key, size_t first);

/* Parses LINE, a frame, into SYMBOL, which is zeroed and may borrow from LINE. */
typedef void frame_names_cut(struct str line, struct frame_names_symbol *symbol);

/* Adds the frames of LINE, calling CUT unless they were kept. */
void frame_names_line(struct frame_names *n, struct str line, frame_names_cut *cut);

/* A function of a script, in JavaScript or Ruby, and where it begins. */
struct frame_names_script {
	struct str name;   /* empty: anonymous */
	struct str file;   /* a path, a URL, or empty */
	uint64_t line;	   /* from 1; 0: unknown */
	unsigned kind;	   /* COLLAPSE_JIT, or 0 */
	struct str marked; /* the name for --full-names; empty: NAME */
};

/* The name id of the frame of F: "work", "(anonymous b.js:2)" without a name, and with
 * --srcline "work:b.js:2". */
uint32_t frame_names_script(struct collapse *c, const struct frame_names_script *f);

#endif
