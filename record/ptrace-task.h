/* SPDX-License-Identifier: ISC */
/*
 * The threads that are traced, in the order of their ids; and what is seen of one that is
 * stopped, its registers and stack.
 */
#ifndef PTRACE_TASK_H
#define PTRACE_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a thread has had of processors, in ns: how long it ran, how long it waited for one
 * while it could have run, and how often it got one. */
struct ptrace_use {
	uint64_t run, wait, turns;
};

struct ptrace_task {
	pid_t tid, pid;
	bool asked;    /* to stop, for a sample or to be let go */
	bool stopped;  /* by a signal such as SIGSTOP, until another lets it go on */
	bool mapped;   /* maps_hash is what the stream has */
	char comm[16]; /* as the stream has it */
	uint64_t maps_hash;
	uint32_t ticks;	       /* that its next sample stands for */
	uint32_t cpu;	       /* where it was at the last look */
	struct ptrace_use use; /* at its last stop */
	uint64_t ran, waited; /* since the last look at it, but for waits of our making */
	bool resumed;	      /* it was let go since it was seized */
};

/* A zeroed struct ptrace_tasks is empty. Pointers into it hold until the next
 * ptrace_task_add or ptrace_task_remove. */
struct ptrace_tasks {
	struct ptrace_task *items;
	size_t n, cap;
};

struct ptrace_task *ptrace_task_find(const struct ptrace_tasks *list, pid_t tid);
struct ptrace_task *ptrace_task_add(struct ptrace_tasks *list, pid_t tid, pid_t pid);
void ptrace_task_remove(struct ptrace_tasks *list, pid_t tid);

/* What thread TID of process PID has had, exact while it does not run. False when the
 * kernel does not tell. */
bool ptrace_task_use(pid_t pid, pid_t tid, struct ptrace_use *use);

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
