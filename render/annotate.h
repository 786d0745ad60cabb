/* SPDX-License-Identifier: ISC */
/*
 * The cost of each source line, from stacks whose frames have places (frame.h):
 *
 *	main:a.c:9;work:a.c:4;grow:b.h:2 12
 *
 *	work	a.c:4	self 0, total 12, of which grow 12
 *
 * The self weight of a line counts the stacks that end in it, its total all stacks through it,
 * recursion counted once. A function is a name and a file: static functions of the same name
 * stay separate.
 *
 * Instructions are annotated the same way, from stacks whose frames have code (frame.h): a
 * "line" is then an address and a "file" a program. A function shares its instructions with
 * those inlined into it, so a stack that ends in an inlined function ends at an instruction of
 * each caller it was inlined into.
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

/* A function called from a line, or inlined there. */
struct annotate_call {
	struct str name;
	uint32_t line;
	bool inlined;
	uint64_t total[TREE_COLUMNS];
};

struct annotate_line {
	uint64_t number;
	uint32_t function;
	uint32_t name;	       /* of its frames; UINT32_MAX: several */
	uint32_t call, call_n; /* in calls */
	uint64_t self[TREE_COLUMNS], total[TREE_COLUMNS];
};

struct annotate_function {
	struct str name, file;
	uint32_t line, line_n; /* in lines */
	uint64_t self[TREE_COLUMNS], total[TREE_COLUMNS];
};

/* The annotated profile; texts are borrowed from the tree. */
struct annotate {
	const struct report *report;	     /* not owned */
	struct annotate_function *functions; /* the hottest first */
	struct annotate_line *lines;	     /* grouped by function, then by number */
	struct annotate_call *calls;	     /* grouped by line, the hottest first */
	uint32_t function_n, line_n, call_n;
};

/* Computes A, the weights of lines or of instructions, from S, which must outlive it. The
 * caller releases A. */
enum annotate_kind { ANNOTATE_LINES, ANNOTATE_CODE };
void annotate_init(struct annotate *a, const struct report *s, enum annotate_kind kind);
void annotate_release(struct annotate *a);

/* The numbers of the lines, the hottest first. The caller frees it. */
uint32_t *annotate_hottest(const struct annotate *a);

/* Output settings. */
struct annotate_how {
	struct sources *sources;
	const struct terminal *terminal; /* for people */
	uint64_t context;   /* lines shown around each that costs something */
	const bool *chosen; /* functions; NULL: the hottest lines of the profile */
	uint32_t top;	    /* at most this many of the hottest lines */
	const struct programs *programs; /* for instructions, like the next */
	const char *objdump; /* the program; NULL: one that supports the machine */
};

/* Write the chosen functions or the hottest lines for people; or, as JSON for scripts, the
 * chosen functions or all of them. */
void annotate_write(
	struct output *out, const struct annotate *a, const struct annotate_how *how);
void annotate_write_json(
	struct output *out, const struct annotate *a, const struct annotate_how *how);

/* Write the instructions of the chosen functions. Return false, after a message, when some
 * cannot be disassembled. */
bool annotate_write_code(
	struct output *out, const struct annotate *a, const struct annotate_how *how);
bool annotate_write_code_json(
	struct output *out, const struct annotate *a, const struct annotate_how *how);

#endif
