/* SPDX-License-Identifier: ISC */
/*
 * The stack of a sample: from the call chain that the kernel walked by frame
 * pointers, from a snapshot of registers and stack, or from the processor's
 * own call stack (LBR), to places in code.
 *
 * With a snapshot and frame pointers both, the snapshot is unwound; what it does
 * not reach is appended from the chain by frame pointers, after the outermost
 * address that the two have in common. Where the snapshot gives the innermost
 * frame alone, the chain is taken.
 *
 * A chain is addresses, innermost first, and marks between them that say which
 * address space the next ones are of (include/uapi/linux/perf_event.h, enum
 * perf_callchain_context).
 */
#ifndef CALLCHAIN_H
#define CALLCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process.h"
#include "recording.h"
#include "symbols/unwind.h"

/* How the address of a step is meant. */
enum {
	CALLCHAIN_KERNEL = 1,
	CALLCHAIN_USER = 2,    /* neither of these two: nobody's, as those of guests */
	CALLCHAIN_EXACT = 4,   /* no return address */
	CALLCHAIN_UNWOUND = 8, /* dso and address are found already */
	CALLCHAIN_KNOWN = 16,  /* by unwinding: there is an address */
	CALLCHAIN_BARE = 32    /* of a sample without a chain: perf prints it as it is */
};

/* An address that a stack went through. In one state of its process and of the
 * kernel two with the same bytes are one place. */
struct callchain_step {
	uint64_t pc;
	uint64_t how;
	struct dso *dso;  /* where it was unwound */
	uint64_t address; /* as the symbols of dso count */
};

static inline bool
callchain_is_same(const struct callchain_step *a, const struct callchain_step *b)
{
	return a->pc == b->pc && a->how == b->how && a->dso == b->dso &&
		a->address == b->address;
}

/* What an address is. Two with the same bytes have the same names. */
struct callchain_place {
	struct dso *dso;     /* NULL: nothing is mapped there */
	struct dso *jitdump; /* that may know it better, or NULL */
	struct str name;  /* of a piece of the kernel that has no dso; s NULL: is none */
	uint64_t address; /* as the symbols of the dso count */
	uint64_t shown;	  /* as perf prints it */
	bool known;	  /* there is an address */
	bool is_return;	  /* the call is before the address */
	unsigned char pad[6];
};

struct callchain {
	struct process_set *processes; /* not owned */
	struct unwind *unwind;
	enum unwind_machine machine;
	bool arch_known; /* the recording says what its machine is */
	bool can_unwind;
	bool show;		     /* places are to have the address that perf prints */
	struct process_image *image; /* of the last stack */
	struct callchain_step *steps; /* innermost first */
	size_t n, cap;
	/* Of the last stack: that its user part was unwound from a snapshot, why
	 * that ended, in which dso (NULL: none), and that frame pointers gave what
	 * is further out. */
	bool unwound, spliced;
	enum unwind_end end;
	struct dso *end_dso;
	uint64_t *user; /* the kernel's chain of the user space, where both are */
	size_t user_n, user_cap;
	struct unwind_frame *frames;
	uint64_t strays; /* values in chains that are neither address nor mark */
};

/* For recordings of ARCH, as uname calls it. */
void callchain_init(struct callchain *ch, struct process_set *processes, struct str arch);
void callchain_release(struct callchain *ch);

/* Whether the user part of the stack of S is a snapshot. */
bool callchain_is_snapshot(const struct recording_sample *s);

/* Makes ch->steps those of the stack of S in IMAGE; none when S has no address
 * at all. */
void callchain_take(struct callchain *ch, const struct recording_sample *s,
	struct process_image *image);

/* What the step AT of the last stack is. */
struct callchain_place callchain_place(struct callchain *ch, size_t at);

#endif
