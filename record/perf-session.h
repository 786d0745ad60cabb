/* SPDX-License-Identifier: ISC */
/*
 * Open events: a counter for each event, thread and processor, and a ring for each processor.
 * If the kernel refuses a request, a smaller one is tried, and a warning names the loss.
 */
#ifndef PERF_SESSION_H
#define PERF_SESSION_H

#include "perf-attr.h"
#include "ring.h"

/* A processor to record on. Where they are of two kinds (cpu_core and cpu_atom), what the
 * kernel calls "cycles" is an event of the first kind, and each of the others must be asked
 * for by the type of its PMU. (perf_event.h: PERF_PMU_TYPE_SHIFT) */
struct perf_cpu {
	uint32_t cpu;
	uint32_t pmu; /* its type, 0: all are of one kind */
};

/* A zeroed struct perf_cpus is empty. */
struct perf_cpus {
	struct perf_cpu *items;
	size_t n, cap;
};

/* All that are online below ROOT ("": this machine), or those of WANTED, "0-3,8" (NULL:
 * all), if they are. False, after a message, when WANTED is wrong. */
bool perf_cpus_find(struct perf_cpus *list, const char *root, const char *wanted);

/* The config of an event as it is to be opened on ITEM. */
uint64_t perf_cpus_config(
	const struct perf_cpu *item, const struct perf_event_attr *attr);

struct perf_counter {
	int fd;
	size_t cpu; /* its place in cpus */
	uint64_t id;
};

/* An event that is open, or to be opened. */
struct perf_event {
	const struct event *event;
	struct perf_event_attr attr;
	struct buf name; /* with the modifiers that it was opened with */
	size_t leader;	 /* as in struct event */
	enum perf_attr_role role;
	unsigned precise; /* precise_ip as far as it went */
	struct perf_counter *counters;
	size_t n, cap;
};

struct perf_session {
	struct record_options set; /* ring_bytes is what it came to be */
	struct perf_attr_level level;
	struct perf_cpus cpus;
	struct record_ids processes; /* that run already: of -p and -t */
	struct record_ids threads;   /* -1 alone: all */
	bool on_exec;		     /* recording begins when the command does */
	bool by_default;	     /* cycles, because no event was named */
	bool no_groups;		     /* members are sampled for themselves */
	bool has_tracker; /* --delay: the last event brings the records of maps and names */
	struct perf_event *events;
	size_t n;
	struct ring *rings;   /* one for each of cpus */
	uint64_t ring_wanted; /* bytes, had they been allowed */
	struct buf remarks;   /* what asking for less means, a line each */
	struct buf *refusal;  /* of the recorder */
	struct ring_stats stats;
	uint64_t since; /* what was there before the recording has this time */
};

/* Opens all that S->set asks for, on COMMAND (a process that waits to become the command)
 * if that is not 0. False after a message, or with S->refusal. */
bool perf_session_open(struct perf_session *s, pid_t command);

/* Closes all that is open, and releases what S owns. */
void perf_session_release(struct perf_session *s);

#endif
