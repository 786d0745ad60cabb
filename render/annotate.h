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
 *
 * The same of instructions, for stacks whose frames have code (frame.h): a "line" is then an
 * address and a "file" a program. Functions that were inlined into one share its instructions, so
 * a stack that ends in one of them ends at an instruction of all that it was inlined into.
 */
#ifndef ANNOTATE_H
#define ANNOTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "intern.h"
#include "output.h"
#include "program.h"
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

/* Works out A of S, which must outlive it: of lines, or of instructions. The caller releases A. */
enum annotate_kind { ANNOTATE_LINES, ANNOTATE_CODE };
void annotate_init(struct annotate *a, const struct report *s, enum annotate_kind kind);
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
	const struct programs *programs; /* for instructions, as the next */
	const char *objdump; /* the program; NULL: one that knows the machine */
};

/* Write, for a person, the functions that are chosen, or the hottest lines; or for scripts, as
 * JSON, the functions that are chosen, or all. */
void annotate_write(
	struct output *out, const struct annotate *a, const struct annotate_how *how);
void annotate_write_json(
	struct output *out, const struct annotate *a, const struct annotate_how *how);

/* The same of instructions of the functions that are chosen. False, after a message, when some
 * cannot be disassembled. */
bool annotate_write_code(
	struct output *out, const struct annotate *a, const struct annotate_how *how);
bool annotate_write_code_json(
	struct output *out, const struct annotate *a, const struct annotate_how *how);

#endif
