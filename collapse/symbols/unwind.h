/* SPDX-License-Identifier: ISC */
/*
 * Call chains from a snapshot of registers and stack, by call frame information
 * (cfi.h), one row for each program counter kept in a cache.
 *
 * Libraries are slower: elfutils' libdwfl takes 5 to 6 times as long for the same
 * chains (docs/dependencies.md).
 */
#ifndef UNWIND_H
#define UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "address-space.h"
#include "str.h"
#include "unwind-rule.h"

/* The start of a chain. */
struct unwind_start {
	enum unwind_machine machine;
	/* By the kernel's numbers (arch/x86/include/uapi/asm/perf_regs.h and its
	 * equivalents): register I is valid if bit I of mask is set. */
	uint64_t regs[64];
	uint64_t mask;
	struct str stack; /* memory from the stack pointer up */
	bool full;	  /* filled as requested: the stack may be larger */
	uint64_t time;	  /* ns of the recording's clock, 0: unknown */
	struct dso *made; /* a jitdump, for code without a map, or NULL */
	bool swap;	  /* its words are of the other byte order */
};

/* Why a chain ends. */
enum unwind_end {
	UNWIND_WHOLE, /* it reached the outermost frame */
	UNWIND_CUT,   /* the snapshot is full, and the stack continues */
	/* It continues on another stack, which was not copied: below a signal handler
	 * with its own stack, or a coroutine. */
	UNWIND_SWITCHED,
	/* The memory could not be copied: gone, as within exec, or a page that was
	 * never touched. */
	UNWIND_ABSENT,
	UNWIND_NO_RULE, /* code without unwind information */
	UNWIND_NO_FILE, /* the same, as its file is missing */
	UNWIND_NO_MAP,	/* nothing is mapped at the address */
	UNWIND_BROKEN,	/* the stack pointer moved the wrong way, or in a circle */
	UNWIND_DEEP,	/* more frames than the caller has room for */
	UNWIND_FOREIGN, /* an unsupported processor */
	UNWIND_ENDS
};

struct unwind_frame {
	struct dso *dso; /* NULL: nothing is mapped there */
	uint64_t pc;	 /* the address itself */
	/* Where to look up its names: within the call for return addresses, as the
	 * symbols of the dso count. Not set without a dso or its file. */
	uint64_t address;
	bool has_address;
};

struct unwind;

struct unwind *unwind_new(void);
void unwind_free(struct unwind *u);

/* The output. */
struct unwind_chain {
	struct unwind_frame *frames;
	size_t cap;
	size_t n;
	enum unwind_end end; /* why it ended */
};

/* Puts the chain from START in SPACE into CHAIN's frames, innermost first, at most cap
 * frames (at least 1 if START has a program counter), and sets its n and its end. */
void unwind_stack(struct unwind *u, struct address_space *space,
	const struct unwind_start *start, struct unwind_chain *chain);

#endif
