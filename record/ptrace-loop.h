/* SPDX-License-Identifier: ISC */
/* What happens to traced threads, and what is done about it. */
#ifndef PTRACE_LOOP_H
#define PTRACE_LOOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "child.h"
#include "ptrace-task.h"
#include "ptrace-write.h"
#include "record-options.h"
#include "stream.h"

struct ptrace_sampler {
	const struct record_options *set;
	struct stream stream;
	struct ptrace_writer w;
	struct ptrace_tasks tasks;
	struct child child;
	sigset_t signals;     /* those that are blocked and waited for */
	uint64_t began, next; /* began: 0 until the command is there; next: the tick */
	uint64_t random;      /* not 0 */
	bool by_use;	      /* the kernel tells what threads have had of processors */
	uint64_t ended;	      /* 0 until nothing is sampled any more */
	uint64_t samples;
	uint64_t failed; /* samples that could not be read */
	int last_signal;
	bool told;    /* the command had its signal */
	bool cut;     /* the time was over before the command */
	bool refused; /* nothing is traced: the command runs alone */
	bool stop;    /* a signal says not to wait either */
};

/* Begins to trace thread TID of process PID. False with errno. */
bool ptrace_loop_seize(struct ptrace_sampler *s, pid_t tid, pid_t pid);

/* Samples until that is over, and lets all threads go. */
void ptrace_loop(struct ptrace_sampler *s);

/* Waits for a command that goes on, which has been told to end when its time was
 * over. */
void ptrace_loop_wait(struct ptrace_sampler *s);

#endif
