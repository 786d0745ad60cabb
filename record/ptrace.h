/* SPDX-License-Identifier: ISC */
/* Reads the stack of a thread that ptrace has stopped; see recorder.h for the method. */
#ifndef PTRACE_H
#define PTRACE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Most frames of a chain, as in the kernel's own (kernel.perf_event_max_stack). */
enum { PTRACE_CHAIN_MOST = 127, PTRACE_REGISTERS = 40 };

struct ptrace_regs {
	uint64_t ip, sp, fp;
	uint64_t all[PTRACE_REGISTERS]; /* by the numbers of asm/perf_regs.h */
};

/* Follows frame pointers from the registers R of thread TID. Fills CHAIN, leaf first,
 * and returns its length. */
size_t ptrace_read_chain(
	pid_t tid, const struct ptrace_regs *r, uint64_t chain[PTRACE_CHAIN_MOST]);

#endif
