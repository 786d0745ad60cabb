/* SPDX-License-Identifier: ISC */
/*
 * The processes of a recording, as /proc has them now. Of one that still runs the files can
 * be read below its root, and the number that it has in its own container is known. A process
 * that began after the recording is another one, which got the number of one that ended.
 */
#ifndef PROCFS_H
#define PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "intern.h"
#include "str.h"

/* Zeroed it is of a recording of this machine that has not ended. */
struct procfs {
	bool remote;	     /* it is of another machine: none of its processes is here */
	uint64_t ended;	     /* seconds since 1970; 0: not known */
	struct intern roots; /* 4 bytes of pid each */
	bool *foreign;	     /* by id of roots: below another root */
	size_t foreign_cap;
};

void procfs_release(struct procfs *p);

/* When this machine was started, seconds since 1970; 0: nobody says. */
uint64_t procfs_machine_start(void);

/* When process PID began, seconds since 1970; 0: it does not run, or nobody says. */
uint64_t procfs_start(uint32_t pid);

/* Whether a process that began at START, 0 being never, is none of the recording's. */
bool procfs_is_another(const struct procfs *p, uint64_t start);

/* The number of process PID within its own container; PID when it is not in one, or gone. */
unsigned long procfs_inner_pid(const struct procfs *p, uint32_t pid);

/* Whether process PID runs below another root than ours, or sees other mounts. */
bool procfs_is_foreign(struct procfs *p, uint32_t pid);

/* Whether PATH is there for such a process, and is not the same file as here. */
bool procfs_is_file_foreign(struct procfs *p, uint32_t pid, struct str path);

#endif
