/* SPDX-License-Identifier: ISC */
/*
 * The processes of a recording, by its records: the name of each thread, and the maps
 * of each process and the kernel.
 *
 * Records have to be replayed in order of time. An exec leaves the maps as they are,
 * until new ones overlay them (address-space.h says why). A process that ended keeps
 * its name and maps for samples after its EXIT record, until many others have ended
 * too.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "intern.h"
#include "recording.h"
#include "str.h"
#include "symbols/dso.h"
#include "symbols/address-space.h"
#include "idmap.h"

/* The maps of a process, or of several until one of them changes them. */
struct process_image {
	struct address_space space;
	uint32_t users;
	/* The file in which a runtime describes generated code, or NULL. Names then
	 * change with time. */
	struct dso *jitdump;
};

struct process {
	uint32_t pid;
	uint32_t live; /* threads that have not ended */
	struct process_image *image;
};

struct process_thread {
	uint32_t tid;
	uint32_t comm; /* an id of comms + 1; 0: unknown */
	uint32_t wait; /* perf-data.c's; 0: none */
	struct process *process;
	bool ended;
};

enum { PROCESS_ENDED = 1024 };

struct process_set {
	struct dso_set *dsos; /* not owned */
	struct process_image kernel;
	struct address_space_map
		kernel_tail; /* after its own map: see process_kernel_map */
	/* Pieces of kernel code that have their own names. Ids of names take the place
	 * of offsets, as pieces are never cut. */
	struct address_space pieces;
	struct intern piece_names;
	struct idmap threads, processes;      /* by number */
	struct process *ended[PROCESS_ENDED]; /* a ring */
	size_t ended_n;
	uint64_t version;
	struct arena arena;
	struct intern comms, paths;
	struct str *build_ids; /* by id of paths */
	size_t build_id_cap;
	struct str kernel_id; /* the kernel's build id, or nothing */
};

/* Makes SET empty; DSOS must outlive it. */
void process_init(struct process_set *set, struct dso_set *dsos);
void process_release(struct process_set *set);

/* The records that change SET. */
void process_take_mmap(struct process_set *set, const struct recording_mmap *m);
void process_take_comm(struct process_set *set, const struct recording_comm *c);
void process_take_fork(struct process_set *set, const struct recording_task *t);
void process_take_exit(struct process_set *set, const struct recording_task *t);
void process_take_ksymbol(struct process_set *set, const struct recording_ksymbol *k);

/* Notes the build id of PATH, a file of the KERNEL's or not, for maps without one. */
void process_take_build_id(
	struct process_set *set, struct str path, struct str id, bool kernel);

/* The thread TID of the process PID, created if unknown. Owned by SET. */
struct process_thread *process_find(struct process_set *set, uint32_t pid, uint32_t tid);

/* The name of a thread, as perf prints it: ":123" if unknown, "swapper" for the idle
 * task. It may be in TEXT, otherwise it lives as long as SET. */
enum { PROCESS_COMM = 16 };
struct str process_comm(const struct process_set *set, const struct process_thread *t,
	char text[PROCESS_COMM]);

/* The kernel's map at ADDRESS, or NULL. Borrowed until the next record. */
const struct address_space_map *process_kernel_map(
	struct process_set *set, uint64_t address);

/* The name of the piece of kernel code at ADDRESS, or s NULL. Lives as long as SET. */
struct str process_kernel_piece(struct process_set *set, uint64_t address);

#endif
