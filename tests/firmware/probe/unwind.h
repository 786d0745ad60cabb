/* SPDX-License-Identifier: ISC */
/*
 * The calls that a halted core is in, by call frame information that readelf has
 * made a table of, so that no code of ours decides what is compared. A row of it:
 *
 *	START END CFA OFFSET RA [REGISTER OFFSET]...
 *
 * numbers in hexadecimal and decimal: between START and END the frame begins
 * OFFSET bytes above register CFA, and RA is how far from there the return address
 * is, or "-" when it is in its register.
 */
#ifndef UNWIND_H
#define UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "remote.h"

enum { UNWIND_REGISTERS = 34, UNWIND_SAVED = 16, UNWIND_DEPTH = 64 };

/* What differs between machines. BACK and THUMB say how probe-rs goes from a return
 * address to the call before it. */
struct unwind_machine {
	const char *name;
	unsigned word;	       /* bytes */
	unsigned sp, link, pc; /* numbers of registers */
	unsigned count;	       /* registers, in the order of the protocol */
	bool state;	       /* the last register says whether it runs Thumb */
	unsigned back;	       /* bytes */
	bool thumb;	       /* always */
	bool exceptions;       /* a Cortex-M's */
};

struct unwind_rule {
	uint64_t start, end;
	unsigned cfa;
	long offset, ra;
	bool saved_ra;
	size_t saved_n;
	struct {
		unsigned number;
		long offset;
	} saved[UNWIND_SAVED];
};

struct unwind_rules {
	struct unwind_rule *rows;
	size_t n, cap;
};

struct unwind_frame {
	uint64_t told;	/* what a probe writes into its profile */
	uint64_t place; /* an address in the instruction that runs or calls */
};

/* The machine called NAME; ends the program when there is none. */
const struct unwind_machine *unwind_machine(const char *name);

/* Reads the table FILE; the caller frees rows. */
void unwind_read(struct unwind_rules *rules, const char *file);

/* The frames of the chosen core of R, innermost first; returns how many. */
size_t unwind_stack(struct remote *r, const struct unwind_machine *m,
	const struct unwind_rules *rules, struct unwind_frame frames[UNWIND_DEPTH]);

#endif
