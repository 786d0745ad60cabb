/* SPDX-License-Identifier: ISC */
/*
 * Events opened on processors and threads, with the rings that they fill: a counter
 * for each event, thread and processor, a ring for each processor. What the kernel
 * refuses is asked for again with less, and what that costs is told.
 */
#ifndef PERF_EVENTS_H
#define PERF_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf-attr.h"
#include "buf.h"
#include "cpus.h"
#include "record-options.h"
#include "ring.h"

struct session_counter {
	int fd;
	size_t cpu; /* its place in cpus */
	uint64_t id;
};

struct session_event {
	const struct event *event;
	struct perf_event_attr attr;
	struct buf name; /* with the modifiers that it was opened with */
	size_t leader;	 /* as in struct event */
	enum perf_attr_role role;
	unsigned precise; /* precise_ip as far as it went */
	struct session_counter *counters;
	size_t n, cap;
};

struct session {
	struct record_options set; /* ring_bytes is what it came to be */
	struct perf_attr_level level;
	struct events own; /* the default event, and those for --off-cpu and --delay */
	struct cpus cpus;
	struct record_ids threads; /* -1 alone: all */
	bool on_exec;		   /* recording begins when the command does */
	bool by_default;	   /* cycles, because no event was named */
	bool no_groups;		   /* members are sampled for themselves */
	struct session_event *events;
	size_t n;
	struct ring *rings;   /* one for each of cpus */
	uint64_t ring_wanted; /* bytes, had they been allowed */
	struct buf remarks;   /* what asking for less means, a line each */
	struct buf refusal;   /* why the kernel lets nobody like us record, lines */
};

/* What an event came to. */
struct event_totals {
	uint64_t value; /* scaled up if it did not run all the time */
	uint64_t lost;	/* samples, where the kernel tells */
	bool scaled;
};

/* Opens what SET asks for, on COMMAND (a process that waits to become the command) if
 * that is not 0. False after a message, or with S->refusal to be printed. */
bool perf_open(struct session *s, const struct record_options *set, pid_t command);
void perf_close(struct session *s);

/* Begins: all events, or with --delay the records of maps and names alone. What begins
 * with the command needs it not. */
void perf_begin(struct session *s);

/* Begins sampling after a delay. */
void perf_sample(struct session *s);

/* Ends it all. */
void perf_end(struct session *s);

/* Another descriptor than FD to poll for the ring of processor CPU (a place in cpus),
 * when that tells no more because its thread has ended; -1 when there is none. */
int perf_next_fd(const struct session *s, size_t cpu, int fd);

/* Of event I. */
struct event_totals event_totals(const struct session *s, size_t i);

#endif
