/* SPDX-License-Identifier: ISC */
/*
 * Call chains from a snapshot of registers and stack, by call frame
 * information (cfi.h), one row for each program counter kept in a cache.
 *
 * Why no library: elfutils' libdwfl takes 5 to 6 times as long for the same chains
 * (docs/dependencies.md).
 */
#ifndef UNWIND_H
#define UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "address-space.h"
#include "str.h"
#include "unwind-rule.h"

/* Where a chain begins. */
struct unwind_start {
	enum unwind_machine machine;
	/* By the kernel's numbers (arch/x86/include/uapi/asm/perf_regs.h and those of
	 * other processors): register I, when bit I of mask is set. */
	uint64_t regs[64];
	uint64_t mask;
	struct str stack; /* memory from the stack pointer up */
	bool full;	  /* as much as was to be copied: the stack may go on */
	uint64_t time;	  /* ns of the recording's clock, 0: not known */
	struct dso *made; /* a jitdump, for code that no map has, or NULL */
	bool swap;	  /* its words are of the other byte order */
};

/* Why a chain ends where it does. */
enum unwind_end {
	UNWIND_WHOLE, /* it reached the outermost frame */
	UNWIND_CUT,   /* the snapshot is full, and the stack goes on */
	/* It goes on on another stack, of which nothing was copied: below a signal
	 * handler that has its own, or a coroutine. */
	UNWIND_SWITCHED,
	/* The memory was not there to be copied: gone, as within exec, or a page
	 * that was never touched. */
	UNWIND_ABSENT,
	UNWIND_NO_RULE, /* code without unwind information */
	UNWIND_NO_FILE, /* the same, since its file is not here */
	UNWIND_NO_MAP,	/* nothing is mapped at the address */
	UNWIND_BROKEN,	/* the stack pointer went the wrong way, or in a circle */
	UNWIND_DEEP,	/* more than the caller has room for */
	UNWIND_FOREIGN, /* of a processor that is not unwound here */
	UNWIND_ENDS
};

struct unwind_frame {
	struct dso *dso; /* NULL: nothing is mapped there */
	uint64_t pc;	 /* as it was found */
	/* Where to look for its names: within the call for return addresses, as
	 * the symbols of the dso count. Not set without a dso or its file. */
	uint64_t address;
	bool has_address;
};

struct unwind;

struct unwind *unwind_new(void);
void unwind_free(struct unwind *u);

/* Where a chain goes. */
struct unwind_chain {
	struct unwind_frame *frames;
	size_t cap;
	size_t n;
	enum unwind_end end; /* why it ended there */
};

/* Puts the chain from START in SPACE at CHAIN's frames, innermost first, cap
 * frames at most (at least 1 when START has a program counter), and sets its n
 * and its end. */
void unwind_stack(struct unwind *u, struct address_space *space,
	const struct unwind_start *start, struct unwind_chain *chain);

#endif
