/* SPDX-License-Identifier: ISC */
/*
 * Synthesized records, as the kernel would write them. Most describe the state before
 * the recording: the kernel and its modules, and the threads, names and mapped code of
 * running processes, from /proc:
 *
 *	/proc/PID/maps: 7f1c2a600000-7f1c2a755000 r-xp 00026000 08:01 1835061 /usr/lib/libc.so.6
 *
 * They are older than any record of the kernel.
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

/* The hash with which a linker identifies its output. */
struct synth_build_id {
	unsigned char bytes[SYNTH_BUILD_ID_MOST];
	size_t n; /* 0: none */
};

/* A file that process PID has mapped. In another root, PATH may lead to another file. */
struct synth_file {
	struct str path;
	long pid;
	uint64_t major, minor, inode;
	uint64_t start, end; /* of the map, for deleted files */
};

/* Files and their build IDs. Files that records name without one are wanted: their IDs
 * follow at the end. A zeroed struct is empty. */
struct synth_files {
	struct intern names; /* path, NUL, device and inode */
	struct synth_known_file {
		struct synth_build_id id;
		bool wanted;
	} * items; /* by the file's number */
	size_t cap, n;
};

void synth_files_release(struct synth_files *t);

/* Notes that a record names FILE without a build ID. */
void synth_want_build_id(struct synth_files *t, const struct synth_file *file);

/* Adds BUILD_ID records for all wanted files that have one. */
void synth_put_build_ids(struct buf *b, const struct synth_files *t);

struct synth {
	const char *root;  /* the folder with /proc and /sys, "" for this machine's */
	uint64_t time, id; /* of all records; the id may be any event's */
	bool id_in_maps;   /* put build IDs into records of maps, as the kernel does */
	bool data;	   /* also add maps of files that are not code */
	struct synth_files *files;
	struct copies *copies; /* gets the maps; or NULL */
	struct buf *out;
};

/* Adds maps of the kernel and its modules, with their build IDs. Adds nothing if the
 * kernel hides its addresses. */
void synth_kernel(struct synth *s);

/* Adds the records of process PID, none if it has ended. */
void synth_process(struct synth *s, pid_t pid);

/* Adds the record for LINE of /proc/PID/maps, if it maps code. */
void synth_map(struct synth *s, pid_t pid, struct str line);

/* Adds a record of TYPE FORK or EXIT. WHO is a process, its parent, a thread, and the
 * thread's creator. */
void synth_task(struct synth *s, uint32_t type, uint16_t misc, const pid_t who[4]);

/* Adds the name of a thread. WHO is process and thread; EXEC marks a new program's
 * name. */
void synth_comm(struct synth *s, const pid_t who[2], struct str name, bool exec);

/* Adds a record of the number of lost SAMPLES. */
void synth_lost(struct synth *s, uint64_t samples);

#endif
