/* SPDX-License-Identifier: ISC */
/*
 * Open events: a counter for each event, thread and processor, and a ring for each processor.
 * If the kernel refuses a request, a smaller one is tried, and a warning names the loss.
 */
#ifndef PERF_SESSION_H
#define PERF_SESSION_H

#include "perf-attr.h"
#include "ring.h"

/* A processor to record on. On machines with two kinds (cpu_core and cpu_atom), the
 * kernel's "cycles" is an event of the first kind; the others need the type of their
 * PMU. (perf_event.h: PERF_PMU_TYPE_SHIFT) */
struct perf_cpu {
	uint32_t cpu;
	uint32_t pmu; /* type of its PMU; 0: all are of one kind */
};

/* A zeroed struct perf_cpus is empty. */
struct perf_cpus {
	struct perf_cpu *items;
	size_t n, cap;
};

/* Lists the processors that are online below ROOT ("": this machine), or the WANTED
 * ones, "0-3,8" (NULL: all). Returns false, after a message, if WANTED is invalid or
 * not online. */
bool perf_cpus_find(struct perf_cpus *list, const char *root, const char *wanted);

/* The config with which to open an event on ITEM. */
uint64_t perf_cpus_config(
	const struct perf_cpu *item, const struct perf_event_attr *attr);

struct perf_counter {
	int fd;
	size_t cpu; /* index into cpus */
	uint64_t id;
};

/* An event that is open, or to be opened. */
struct perf_event {
	const struct event *event;
	struct perf_event_attr attr;
	struct buf name; /* with the modifiers that it was opened with */
	size_t leader;	 /* as in struct event */
	enum perf_attr_role role;
	unsigned precise; /* precise_ip, lowered until it opens */
	struct perf_counter *counters;
	size_t n, cap;
};

struct perf_session {
	struct record_options set; /* ring_bytes is the final size */
	struct perf_attr_level level;
	struct perf_cpus cpus;
	struct record_ids processes; /* of -p and -t, which run already */
	struct record_ids threads;   /* -1 alone: all */
	bool on_exec;		     /* recording starts with the command */
	bool by_default;	     /* cycles, because no event was named */
	bool no_groups;		     /* members are sampled by themselves */
	bool has_tracker;	     /* --delay: the last event records maps and names */
	struct perf_event *events;
	size_t n;
	struct ring *rings;   /* one for each of cpus */
	uint64_t ring_wanted; /* bytes, before any limit */
	struct buf remarks;   /* warnings about omissions, a line each */
	struct buf *refusal;  /* of the recorder */
	struct ring_stats stats;
	uint64_t since; /* time of the records of processes that ran already */
};

/* Opens all events that S->set requests, on COMMAND (a process that waits to become the
 * command) unless that is 0. Returns false after a message, or with S->refusal. */
bool perf_session_open(struct perf_session *s, pid_t command);

/* Closes all events, and releases what S owns. */
void perf_session_release(struct perf_session *s);

#endif
