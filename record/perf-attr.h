/* SPDX-License-Identifier: ISC */
/*
 * Builds the struct perf_event_attr of an event from the options, without abilities
 * that this kernel lacks or this user may not have. (include/uapi/linux/perf_event.h,
 * perf_event_open(2))
 */
#ifndef PERF_ATTR_H
#define PERF_ATTR_H

#include <stdbool.h>

#include <linux/perf_event.h>

#include "record-options.h"

/* The size of an attr in the stream and for the kernel, independent of the headers at
 * build time: older readers expect the size of their own time (here Linux 5.13). */
enum { PERF_ATTR_SIZE = PERF_ATTR_SIZE_VER7 };

/* PERF_FORMAT_LOST, from Linux 6.0; the headers at build time may be older. */
#define PERF_ATTR_LOST ((uint64_t)1 << 4)

enum perf_attr_role {
	PERF_ATTR_SAMPLED,
	PERF_ATTR_LEADER, /* sampled, and reads the members of its group */
	PERF_ATTR_MEMBER, /* only counted */
	PERF_ATTR_WAITS,  /* a sample at each switch of --off-cpu */
	PERF_ATTR_TRACKS, /* no samples, only records of maps and names */
};

/* Abilities that had to be left out. */
struct perf_attr_level {
	unsigned dropped; /* number of kernel abilities, newest first */
	bool no_kernel;	  /* the kernel's part */
	bool no_inherit;  /* threads and processes that start later */
};

struct perf_attr_request {
	const struct event *event;
	enum perf_attr_role role;
	bool follows; /* begins and ends with the leader of its group */
	bool tracks;  /* produces the records of maps, names and tasks */
	bool on_exec; /* starts with the command, otherwise by ioctl */
	bool whole;   /* records the whole machine, where nothing is inherited */
	const struct record_options *set;
	const struct perf_attr_level *level;
};

struct perf_event_attr perf_attr_of(const struct perf_attr_request *r);

/* Leaves one more ability out. Returns false if none is left. */
bool perf_attr_drop(struct perf_attr_level *level);

/* Whether the registers of a stack snapshot are known for this machine. */
bool perf_attr_can_snapshot(void);

#endif
