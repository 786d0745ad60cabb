/* SPDX-License-Identifier: ISC */
/*
 * The instructions of a function with what each costs: the stretches of its program that have some
 * of them, disassembled.
 */
#ifndef ANNOTATE_CODE_H
#define ANNOTATE_CODE_H

#include "annotate.h"
#include "objdump.h"

/* A stretch of code, most often a function as the program has it; one that was inlined is in
 * several. */
struct annotate_stretch {
	uint64_t start, end;
	uint32_t line, line_n;	     /* in the lines of A: those in it */
	struct objdump code;	     /* empty: the program was not found */
	struct annotate_line *costs; /* by row of CODE */
	bool *costly;		     /* by row: it has some */
};

/* Bytes of an instruction at most. */
enum { ANNOTATE_INSTRUCTION = 16 };

/* Works out the stretch of PROGRAM that has FIRST, the number of a line of A. False, after a
 * message, when that cannot be disassembled. The caller releases S. */
bool annotate_stretch_init(struct annotate_stretch *s, const struct annotate *a,
	uint32_t first, const struct annotate_how *how, struct program *program);
void annotate_stretch_release(struct annotate_stretch *s);

#endif
