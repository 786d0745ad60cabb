/* SPDX-License-Identifier: ISC */
/*
 * Records that are put together here as the kernel would write them. Most are for what was
 * there before the recording began: the kernel and its modules, and of running
 * processes their threads, names and mapped code, from /proc:
 *
 *	/proc/PID/maps: 7f1c2a600000-7f1c2a755000 r-xp 00026000 08:01 1835061 /usr/lib/libc.so.6
 *
 * These are of one time, before any that the kernel writes.
 */
#ifndef SYNTH_H
#define SYNTH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "buf.h"
#include "buildid.h"
#include "str.h"

struct synth {
	const char *root;  /* whose /proc and /sys: "" for this machine's */
	uint64_t time, id; /* of all records; the id is any of an event's */
	bool id_in_maps;   /* the kernel puts build ids into records of maps, so do we */
	bool data;	   /* also what is mapped of files and is no code */
	struct buildids *buildids;
	struct buf *out;
};

/* Adds the map of the kernel and those of its modules, with their build ids. Nothing,
 * when the kernel does not tell where it is. */
void synth_kernel(struct synth *s);

/* Adds the records of process PID; nothing when it has gone. */
void synth_process(struct synth *s, pid_t pid);

/* Adds the record of what /proc/PID/maps says in LINE, if it is code. */
void synth_map(struct synth *s, pid_t pid, struct str line);

/* Adds a record of TYPE FORK or EXIT: WHO is a process, the one that made it, a thread,
 * and the one that made that. */
void synth_task(struct synth *s, uint32_t type, uint16_t misc, const pid_t who[4]);

/* Adds the name of a thread: WHO is process and thread. EXEC: it is a new program's. */
void synth_comm(struct synth *s, const pid_t who[2], struct str name, bool exec);

/* Adds that so many samples were lost. */
void synth_lost(struct synth *s, uint64_t samples);

#endif
