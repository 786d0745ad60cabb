/* SPDX-License-Identifier: ISC */
/*
 * Runtimes that make code while a program runs publish the names of its functions only
 * when asked to: in /tmp/perf-PID.map, or beside it. What asks them is set in the
 * environment before the command starts, and the files are found by the processes that
 * come from it.
 */
#ifndef RUNTIMES_H
#define RUNTIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "buf.h"

struct runtimes_process {
	pid_t pid, parent;
};

/* The processes seen since runtimes_begin. */
struct runtimes {
	struct timespec began;
	struct runtimes_process *processes;
	size_t n, cap;
};

void runtimes_begin(struct runtimes *r);
void runtimes_release(struct runtimes *r);

/* Adds to the environment of this process what each runtime needs; what a user has set
 * stays, and is added to where it is a list. SAID gets what was set,
 * "NODE_OPTIONS='--perf-basic-prof'", with blanks between. */
void runtimes_ask(struct buf *said);

/* Notes that process PID was made by PARENT. R may be NULL. */
void runtimes_note(struct runtimes *r, pid_t pid, pid_t parent);

/* Adds to LIST, a line each, the files in FOLDER that runtimes in the descendants of
 * process ROOT wrote: regular files of this user, written since R began. Returns their
 * number; a folder that cannot be read has none. */
size_t runtimes_files(
	const struct runtimes *r, pid_t root, const char *folder, struct buf *list);

#endif
