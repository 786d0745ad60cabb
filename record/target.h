/* SPDX-License-Identifier: ISC */
/* Running processes and threads: their IDs, relations and states. */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record-options.h"

/* Adds ID unless LIST has it. */
void target_add(struct record_ids *list, pid_t id);
void target_release(struct record_ids *list);

/* Adds the threads of process PID, none if it has ended. */
void target_threads(struct record_ids *list, pid_t pid);

/* Adds the children of the processes in LIST, their children, and so on. May miss
 * processes that start or end meanwhile (/proc/PID/task/TID/children of proc(5)). */
void target_descendants(struct record_ids *list);

/* Adds all processes, ordered by ID. */
void target_all(struct record_ids *list);

/* The process that thread TID belongs to, 0 if it has ended. */
pid_t target_process(pid_t tid);

/* Fields of /proc/PID/task/TID/stat below ROOT. */
struct target_stat {
	char state;   /* 'R': it runs or wants to */
	pid_t parent; /* of its process */
	uint32_t cpu; /* where it is or was */
};

/* Returns false if the thread has ended. */
bool target_stat(struct target_stat *s, const char *root, pid_t pid, pid_t tid);

/* A thread's use of processors: the time it ran, and the time it waited for one while
 * it could have run, in ns; and how often it got one. */
struct target_use {
	uint64_t run, wait, turns;
};

/* The use by thread TID of process PID, exact while it does not run. Returns false if
 * the kernel does not report it. */
bool target_use_of(struct target_use *use, pid_t pid, pid_t tid);

/* Whether thread TID, or any thread of process PID, runs or waits. Threads that have
 * ended but were not waited for do not count. */
bool target_thread_lives(pid_t tid);
bool target_process_lives(pid_t pid);

#endif
