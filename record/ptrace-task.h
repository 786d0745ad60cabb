/* SPDX-License-Identifier: ISC */
/* The threads that are traced, in the order of their ids. */
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

/* Whether the thread runs or wants to, rather than waits; looks where, too. */
bool ptrace_task_runs(struct ptrace_task *t);

/* What thread TID of process PID has had, exact while it does not run. False when the
 * kernel does not tell. */
bool ptrace_task_use(pid_t pid, pid_t tid, struct ptrace_use *use);

/* The parent of process PID, 0 when it has gone. */
pid_t ptrace_task_parent(pid_t pid);

#endif
