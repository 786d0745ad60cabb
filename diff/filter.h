/* SPDX-License-Identifier: ISC */
/*
 * Steps that change the stacks of a tree, one after the other, as if each were a
 * separate program in a pipe. Weights are kept: the weight of a stack goes to the
 * changed stack or, if it is filtered out, is counted.
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
	FILTER_IGNORE, /* keep the others */
	FILTER_ROOT,   /* the same as FOCUS, without what calls that frame */
	FILTER_IDLE,   /* drop stacks that wait for work */
	FILTER_BELOW,  /* cut what a frame that matches calls */
	FILTER_ABOVE,  /* cut what calls it */
	FILTER_DEPTH,  /* cut what is deeper */
	FILTER_HIDE,   /* drop frames that match */
	FILTER_SHOW,   /* drop the others */
	FILTER_RENAME,
	FILTER_STABLE,	  /* cut what differs between builds */
	FILTER_LINES,	  /* cut the place in the source */
	FILTER_MODULE,	  /* frames become their modules */
	FILTER_RECURSION, /* A;A becomes A */
	FILTER_CYCLES,	  /* A;B;A;B becomes A;B */
	FILTER_REVERSE,
	FILTER_SHARE, /* weights of small frames go to their callers */
	FILTER_KINDS,
};

struct filter_step {
	enum filter_kind kind;
	const char *text;    /* its argument; not owned */
	struct match *match; /* of the kinds that have an expression */
	struct edit *edit;   /* of FILTER_RENAME */
	uint64_t depth;
	double percent; /* of FILTER_SHARE */
};

struct filter {
	struct filter_step *steps;
	size_t n, cap;
	bool last; /* of several frames that match, ROOT, BELOW and ABOVE take the last */
	bool keep_total;	     /* what is filtered out stays, as "[filtered]" */
	struct where where;	     /* the stacks that the steps are taken on */
	const struct dimensions *by; /* the first frames of stacks, which stay */

	uint64_t whole[TREE_COLUMNS];	/* the weight of all stacks */
	uint64_t dropped[TREE_COLUMNS]; /* of those that were filtered out */
	bool modules;			/* some frame had one */
};

/* Frees the steps; a zeroed struct filter has none. */
void filter_release(struct filter *f);

/* Adds a step; TEXT, which must outlive F, is its expression, substitution, number of
 * frames or percentage. False when it makes no sense: WHY gets the reason, such as
 * "is no expression: missing closing parenthesis at offset 4". */
bool filter_add(
	struct filter *f, enum filter_kind kind, const char *text, struct buf *why);

/* Takes the steps on T, whose dimensions are D. False, after a message, when an expression was
 * given up, or a dimension is not there. */
bool filter_run(struct filter *f, struct tree *t, const struct dimensions *d);

/* Makes the number of samples in INFO that of the stacks that are left: exact when
 * each weighs 1, else in proportion to the weight. */
void filter_adjust(
	const struct filter *f, const struct tree *t, struct folded_info *info);

/* How the frame NAME tells that its stack does no work; the list is that of fg-filter(1). */
enum filter_idle {
	FILTER_BUSY = 1,
	FILTER_IDLE_LOOP, /* wherever it stands */
	FILTER_WAITS,	  /* as the leaf */
	FILTER_SLEEPS,	  /* when nothing but the next kind follows */
	FILTER_SCHEDULES  /* the kernel switching to another thread */
};
enum filter_idle filter_idle(struct str name);

/* The module that NAME tells, "kernel" and "jit" by annotation; empty when it tells
 * none. *INLINED: it is of its caller's. Borrowed. */
struct str filter_module(struct str name, bool *inlined);

#endif
