/* SPDX-License-Identifier: ISC */
/*
 * What each line of a source costs, from stacks whose frames have places (frame.h):
 *
 *	main:a.c:9;work:a.c:4;grow:b.h:2 12
 *
 *	work	a.c:4	self 0, total 12, of which grow 12
 *
 * The self weight of a line is that of the stacks that end in it, its total that of the stacks that
 * it is in, recursion counted once. A function is a name and a file: static functions of one name
 * are apart.
 */
#ifndef ANNOTATE_H
#define ANNOTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "intern.h"
#include "output.h"
#include "report.h"
#include "sources.h"
#include "str.h"
#include "terminal.h"

/* A function that a line calls, or that was inlined there. */
struct annotate_call {
	struct str name;
	uint32_t line;
	bool inlined;
	uint64_t total[TREE_COLUMNS];
};

struct annotate_line {
	uint64_t number;
	uint32_t function;
	uint32_t name;	       /* of its frames; UINT32_MAX: they have several */
	uint32_t call, call_n; /* in calls */
	uint64_t self[TREE_COLUMNS], total[TREE_COLUMNS];
};

struct annotate_function {
	struct str name, file;
	uint32_t line, line_n; /* in lines */
	uint64_t self[TREE_COLUMNS], total[TREE_COLUMNS];
};

/* All of it; texts are borrowed from the tree. */
struct annotate {
	const struct report *report;	     /* not owned */
	struct annotate_function *functions; /* the hottest first */
	struct annotate_line *lines;	     /* of a function together, by number */
	struct annotate_call *calls;	     /* of a line together, the hottest first */
	uint32_t function_n, line_n, call_n;
};

/* Works out A of S, which must outlive it. The caller releases A. */
void annotate_init(struct annotate *a, const struct report *s);
void annotate_release(struct annotate *a);

/* The numbers of the lines, the hottest first. The caller frees it. */
uint32_t *annotate_hottest(const struct annotate *a);

/* How it is written. */
struct annotate_how {
	struct sources *sources;
	const struct terminal *terminal; /* for people */
	uint64_t context;		 /* lines around each that costs something */
	const bool *chosen;		 /* functions; NULL: the hottest lines of all */
	uint32_t top;			 /* of these lines, at most */
};

/* Write, for a person, the functions that are chosen, or the hottest lines; or for scripts, as
 * JSON, the functions that are chosen, or all. */
void annotate_write(
	struct output *out, const struct annotate *a, const struct annotate_how *how);
void annotate_write_json(
	struct output *out, const struct annotate *a, const struct annotate_how *how);

#endif
