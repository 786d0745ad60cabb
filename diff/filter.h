/* SPDX-License-Identifier: ISC */
/*
 * Steps that change the stacks of a tree, one after the other, as if each were a separate program
 * in a pipe. The weight of a stack goes to the changed stack or, if it is filtered out, is counted.
 */
#ifndef FILTER_H
#define FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "folded.h"
#include "edit.h"
#include "match.h"
#include "tree.h"
#include "where.h"

enum filter_kind {
	FILTER_FOCUS,  /* keep stacks with a frame that matches */
	FILTER_IGNORE, /* keep stacks without one */
	FILTER_ROOT,   /* as FOCUS, and cut the callers of that frame */
	FILTER_IDLE,   /* drop idle stacks, which wait for work */
	FILTER_BELOW,  /* cut the callees of a frame that matches */
	FILTER_ABOVE,  /* cut its callers */
	FILTER_DEPTH,  /* cut deeper frames */
	FILTER_HIDE,   /* drop frames that match */
	FILTER_SHOW,   /* drop frames that do not match */
	FILTER_RENAME,
	FILTER_STABLE,	  /* cut parts that differ between builds */
	FILTER_LINES,	  /* cut source file and line */
	FILTER_MODULE,	  /* replace frames by their modules */
	FILTER_RECURSION, /* A;A becomes A */
	FILTER_CYCLES,	  /* A;B;A;B becomes A;B */
	FILTER_REVERSE,
	FILTER_SHARE, /* merge small frames into their callers */
	FILTER_KINDS,
};

struct filter_step {
	enum filter_kind kind;
	const char *text;    /* its argument; not owned */
	struct match *match; /* for kinds with an expression */
	struct edit *edit;   /* of FILTER_RENAME */
	uint64_t depth;
	double percent; /* of FILTER_SHARE */
};

struct filter {
	struct filter_step *steps;
	size_t n, cap;
	bool last;	 /* if several frames match, ROOT, BELOW and ABOVE use the last */
	bool keep_total; /* keep the weight of filtered stacks as "[filtered]" */
	struct where where;	     /* the stacks to change */
	const struct dimensions *by; /* of the leading frames of stacks, which stay */

	uint64_t whole[TREE_COLUMNS];	/* the weight of all stacks */
	uint64_t dropped[TREE_COLUMNS]; /* of the stacks filtered out */
	bool modules;			/* some frame had a module */
};

/* Frees the steps; a zeroed struct filter is empty. */
void filter_release(struct filter *f);

/* Adds a step; TEXT, which must outlive F, is its expression, substitution, number of frames or
 * percentage. False when it is invalid: WHY gets the reason, such as "is no expression: missing
 * closing parenthesis at offset 4". */
bool filter_add(
	struct filter *f, enum filter_kind kind, const char *text, struct buf *why);

/* Applies the steps to T, whose dimensions are D. False, after a message, when an expression was
 * given up, or a dimension is missing. */
bool filter_run(struct filter *f, struct tree *t, const struct dimensions *d);

/* Adjusts the number of samples in INFO to the remaining stacks: exact if each weighs 1, else in
 * proportion to the weight. */
void filter_adjust(
	const struct filter *f, const struct tree *t, struct folded_info *info);

/* How the frame NAME marks its stack as idle; fg-filter(1) has the list. */
enum filter_idle {
	FILTER_BUSY = 1,
	FILTER_IDLE_LOOP, /* anywhere in the stack */
	FILTER_WAITS,	  /* as the leaf */
	FILTER_SLEEPS,	  /* if only frames of the next kind follow */
	FILTER_SCHEDULES  /* the kernel switches to another thread */
};
enum filter_idle filter_idle(struct str name);

/* The module of NAME, "kernel" and "jit" from the annotation; empty if unknown. *INLINED: it is in
 * its caller's module. Borrowed. */
struct str filter_module(struct str name, bool *inlined);

#endif
