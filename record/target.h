/* SPDX-License-Identifier: ISC */
/* Processes and threads that run already: who they are, and whether they still run. */
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

/* Adds the threads of process PID; none when it has gone. */
void target_threads(struct record_ids *list, pid_t pid);

/* Adds the children of the processes in LIST, theirs, and so on. Some that are made or end
 * meanwhile may be missing (/proc/PID/task/TID/children of proc(5)). */
void target_descendants(struct record_ids *list);

/* Adds all processes, in the order of their numbers. */
void target_all(struct record_ids *list);

/* The process that thread TID belongs to, 0 when it has gone. */
pid_t target_process(pid_t tid);

/* What /proc/PID/task/TID/stat below ROOT says of a thread. */
struct target_stat {
	char state;   /* 'R': it runs or wants to */
	pid_t parent; /* of its process */
	uint32_t cpu; /* where it is or was */
};

/* False when the thread has gone. */
bool target_stat(struct target_stat *s, const char *root, pid_t pid, pid_t tid);

/* What a thread has had of processors, in ns: how long it ran, how long it waited for one
 * while it could have run, and how often it got one. */
struct target_use {
	uint64_t run, wait, turns;
};

/* What thread TID of process PID has had, exact while it does not run. False when the
 * kernel does not tell. */
bool target_use_of(struct target_use *use, pid_t pid, pid_t tid);

/* Whether thread TID, or any thread of process PID, runs or waits: those that ended
 * and were not yet waited for do not. */
bool target_thread_lives(pid_t tid);
bool target_process_lives(pid_t pid);

#endif
