/* SPDX-License-Identifier: ISC */
/*
 * Synthesized records, as the kernel would write them. Most describe the state before the
 * recording: the kernel and its modules, and the threads, names and mapped code of
 * running processes, from /proc:
 *
 *	/proc/PID/maps: 7f1c2a600000-7f1c2a755000 r-xp 00026000 08:01 1835061 /usr/lib/libc.so.6
 *
 * Their time is before that of any record of the kernel.
 */
#ifndef SYNTH_H
#define SYNTH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "buf.h"
#include "copies.h"
#include "intern.h"
#include "str.h"

enum { SYNTH_BUILD_ID_MOST = 20 };

/* A build id: the hash by which a linker names what it made. */
struct synth_build_id {
	unsigned char bytes[SYNTH_BUILD_ID_MOST];
	size_t n; /* 0: there is none */
};

/* A file that process PID has mapped: PATH may lead elsewhere in another root. */
struct synth_file {
	struct str path;
	long pid;
	uint64_t major, minor, inode;
	uint64_t start, end; /* where, for files that were deleted */
};

/* Files and their build ids. Those that records name without one are wanted: they follow
 * at the end. A zeroed one is empty. */
struct synth_files {
	struct intern names; /* path, NUL, the rest */
	struct synth_known_file {
		struct synth_build_id id;
		bool wanted;
	} * items; /* by the file's number */
	size_t cap, n;
};

void synth_files_release(struct synth_files *t);

/* Notes that FILE was named without a build id. */
void synth_want_build_id(struct synth_files *t, const struct synth_file *file);

/* Adds BUILD_ID records for all that were wanted and have one. */
void synth_put_build_ids(struct buf *b, const struct synth_files *t);

struct synth {
	const char *root;  /* whose /proc and /sys: "" for this machine's */
	uint64_t time, id; /* of all records; the id is any of an event's */
	bool id_in_maps;   /* the kernel puts build ids into records of maps, so do we */
	bool data;	   /* also what is mapped of files and is no code */
	struct synth_files *files;
	struct copies *copies; /* gets the maps; or NULL */
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
