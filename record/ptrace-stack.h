/* SPDX-License-Identifier: ISC */
/* Registers and stack of a stopped thread. */
#ifndef PTRACE_STACK_H
#define PTRACE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* As many as the kernel's own chains have, kernel.perf_event_max_stack. */
enum { PTRACE_CHAIN_MOST = 127, PTRACE_REGS_MOST = 40 };

struct ptrace_regs {
	uint64_t ip, sp, fp, link; /* link: of aarch64, 0 elsewhere */
	/* By the numbers of asm/perf_regs.h. */
	uint64_t all[PTRACE_REGS_MOST];
};

/* Reads the registers of thread TID, which is stopped. False when it has gone, or is of
 * 32 bits. */
bool ptrace_read_regs(pid_t tid, struct ptrace_regs *r);

/* Copies up to N bytes of TID's memory at ADDRESS; returns how many there were. */
size_t ptrace_read_memory(pid_t tid, uint64_t address, void *to, size_t n);

/* Follows frame pointers: fills CHAIN, leaf first, and returns how many there are. */
size_t ptrace_read_chain(
	pid_t tid, const struct ptrace_regs *r, uint64_t chain[PTRACE_CHAIN_MOST]);

#endif
