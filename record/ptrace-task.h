/* SPDX-License-Identifier: ISC */
/* The threads that are traced, in the order of their ids. */
#ifndef PTRACE_TASK_H
#define PTRACE_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct ptrace_task {
	pid_t tid, pid;
	bool asked;    /* to stop, for a sample or to be let go */
	bool stopped;  /* by a signal such as SIGSTOP, until another lets it go on */
	bool mapped;   /* maps_hash is what the stream has */
	char comm[16]; /* as the stream has it */
	uint64_t maps_hash;
	uint32_t ticks; /* that its next sample stands for */
	uint32_t cpu;	/* where it was at the last look */
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

/* The parent of process PID, 0 when it has gone. */
pid_t ptrace_task_parent(pid_t pid);

#endif
