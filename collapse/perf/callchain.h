/* SPDX-License-Identifier: ISC */
/*
 * The stack of a sample: from the call chain that the kernel walked by frame pointers,
 * from a snapshot of registers and stack, or from the processor's own call stack (LBR),
 * to places in code.
 *
 * With both a snapshot and frame pointers, the snapshot is unwound. The chain by frame
 * pointers supplies the frames that it does not reach, after the outermost address that
 * both share. If the snapshot yields only the innermost frame, the chain is used.
 *
 * A chain is addresses, innermost first, and marks between them that name the address
 * space of the next ones (include/uapi/linux/perf_event.h, enum
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

/* The meaning of a step's address. */
enum {
	CALLCHAIN_KERNEL = 1,
	CALLCHAIN_USER = 2,    /* without either: ignored, such as a guest's */
	CALLCHAIN_EXACT = 4,   /* not a return address */
	CALLCHAIN_UNWOUND = 8, /* dso and address are set already */
	CALLCHAIN_KNOWN = 16,  /* unwinding found the address */
	CALLCHAIN_BARE = 32    /* of a sample without a chain: perf prints it unchanged */
};

/* An address on a stack. As long as its process and the kernel do not change, steps
 * with the same bytes are one place. */
struct callchain_step {
	uint64_t pc;
	uint64_t how;
	struct dso *dso;  /* if it was unwound */
	uint64_t address; /* as the symbols of dso count */
};

static inline bool
callchain_is_same(const struct callchain_step *a, const struct callchain_step *b)
{
	return a->pc == b->pc && a->how == b->how && a->dso == b->dso &&
		a->address == b->address;
}

/* The code at an address. Places with the same bytes have the same names. */
struct callchain_place {
	struct dso *dso;     /* NULL: nothing is mapped there */
	struct dso *jitdump; /* may know it better, or NULL */
	struct str name;     /* of a piece of the kernel without a dso, or s NULL */
	uint64_t address;    /* as the symbols of the dso count */
	uint64_t shown;	     /* as perf prints it */
	bool known;	     /* address is valid */
	bool is_return;	     /* the call is before the address */
	unsigned char pad[6];
};

struct callchain {
	struct process_set *processes; /* not owned */
	struct unwind *unwind;
	enum unwind_machine machine;
	bool arch_known; /* the recording names its machine */
	bool can_unwind;
	bool show;		      /* set the address that perf prints */
	struct process_image *image;  /* of the last stack */
	struct callchain_step *steps; /* innermost first */
	size_t n, cap;
	/* Of the last stack: whether its user part was unwound from a snapshot, why
	 * that ended and in which dso (NULL: none), and whether frame pointers supplied
	 * the outer frames. */
	bool unwound, spliced;
	enum unwind_end end;
	struct dso *end_dso;
	uint64_t *user; /* the kernel's chain of the user space, if kept apart */
	size_t user_n, user_cap;
	struct unwind_frame *frames;
	uint64_t strays; /* values in chains that are neither address nor mark */
};

/* Prepares for recordings of ARCH, as uname calls it. */
void callchain_init(struct callchain *ch, struct process_set *processes, struct str arch);
void callchain_release(struct callchain *ch);

/* Whether the user part of the stack of S is a snapshot. */
bool callchain_is_snapshot(const struct recording_sample *s);

/* Sets ch->steps to the stack of S in IMAGE: no steps if S has no address. */
void callchain_take(struct callchain *ch, const struct recording_sample *s,
	struct process_image *image);

/* The place of the step AT of the last stack. */
struct callchain_place callchain_place(struct callchain *ch, size_t at);

#endif
