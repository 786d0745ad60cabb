/* SPDX-License-Identifier: ISC */
/*
 * The processes of a recording, as /proc has them now. If one still runs, its files can
 * be read below its root, and its PID in its own container is known. A process that
 * started after the recording is a different one that reuses a PID.
 */
#ifndef PROCFS_H
#define PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "intern.h"
#include "str.h"

/* If zeroed, for a recording of this machine that has not ended. */
struct procfs {
	bool remote;	     /* of another machine: none of its processes is here */
	uint64_t ended;	     /* seconds since 1970; 0: unknown */
	struct intern roots; /* 4 bytes of pid each */
	bool *foreign;	     /* by id of roots: has another root */
	size_t foreign_cap;
};

void procfs_release(struct procfs *p);

/* When this machine was booted, seconds since 1970; 0: unknown. */
uint64_t procfs_machine_start(void);

/* When process PID started, seconds since 1970; 0: it does not run, or unknown. */
uint64_t procfs_start(uint32_t pid);

/* Whether a process that started at START (0: never) does not belong to the recording. */
bool procfs_is_another(const struct procfs *p, uint64_t start);

/* The PID of process PID in its own container; PID if it has none, or has ended. */
unsigned long procfs_inner_pid(const struct procfs *p, uint32_t pid);

/* Whether process PID has another root than ours, or sees other mounts. */
bool procfs_is_foreign(struct procfs *p, uint32_t pid);

/* Whether PATH exists for such a process, and is another file than here. */
bool procfs_is_file_foreign(struct procfs *p, uint32_t pid, struct str path);

#endif
