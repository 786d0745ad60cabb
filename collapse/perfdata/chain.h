/* SPDX-License-Identifier: ISC */
/*
 * The stack of a sample: from the call chain that the kernel walked by frame
 * pointers, from a snapshot of registers and stack, or from the processor's
 * own call stack (LBR), to places in code.
 *
 * A chain is addresses, innermost first, and marks between them that say which
 * address space the next ones are of (include/uapi/linux/perf_event.h, enum
 * perf_callchain_context).
 */
#ifndef CHAIN_H
#define CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process.h"
#include "reader.h"
#include "symbols/unwind.h"

/* A place that a stack went through. Two with the same bytes have the same
 * names. */
struct chain_place {
	struct dso *dso;     /* NULL: nothing is mapped there */
	struct dso *jitdump; /* that may know it better, or NULL */
	const char *name;    /* of a piece of the kernel that has no dso, or NULL */
	uint64_t address;    /* as the symbols of the dso count */
	uint64_t shown;	     /* as perf prints it */
	bool known;	     /* there is an address */
	bool is_return;	     /* the call is before the address */
	unsigned char pad[6];
};

/* What went wrong, by the number of samples or of values in chains. */
struct chain_counts {
	uint64_t snapshots;	    /* unwound */
	uint64_t ends[UNWIND_ENDS]; /* why they ended */
	uint64_t foreign;	    /* snapshots of a machine that is not known here */
	uint64_t strays;	    /* values that are neither address nor mark */
};

struct chain {
	struct process_set *processes; /* not owned */
	struct unwind *unwind;
	enum unwind_machine machine;
	bool can_unwind;
	bool show;		    /* places are to have the address that perf prints */
	struct chain_place *places; /* of the last stack, innermost first */
	size_t n, cap;
	struct unwind_frame *frames;
	struct chain_counts counts;
};

/* For recordings of ARCH, as uname calls it. */
void chain_init(struct chain *ch, struct process_set *processes, struct str arch);
void chain_release(struct chain *ch);

/* Whether the whole stack of S follows from its chain, mode and ip alone. */
bool chain_is_plain(const struct reader_sample *s);

/* Whether the user part of the stack of S is a snapshot. */
bool chain_is_snapshot(const struct reader_sample *s);

/* Makes ch->places those of the stack of S in IMAGE; none when S has no address
 * at all. */
void chain_take(
	struct chain *ch, const struct reader_sample *s, struct process_image *image);

#endif
