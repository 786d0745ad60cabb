/* SPDX-License-Identifier: ISC */
/*
 * Runtimes that generate code publish the names of its functions only on request, in
 * /tmp/perf-PID.map or beside it. The request goes into the environment before the
 * command starts; the files belong to processes that descend from the command.
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

/* Adds the settings that runtimes need to the environment of this process. Values set
 * by the user stay, lists are extended. Appends the new settings to SAID,
 * "NODE_OPTIONS='--perf-basic-prof'", separated by blanks. */
void runtimes_ask(struct buf *said);

/* Notes that PARENT created process PID. R may be NULL. */
void runtimes_note(struct runtimes *r, pid_t pid, pid_t parent);

/* Appends to LIST, a line each, the files in FOLDER that runtimes in the descendants of
 * process ROOT wrote: regular files of this user, written since R began. Returns their
 * number, 0 for an unreadable folder. */
size_t runtimes_files(
	const struct runtimes *r, pid_t root, const char *folder, struct buf *list);

#endif
