/* SPDX-License-Identifier: ISC */
/*
 * Events by the names that users give them, as attributes for
 * perf_event_open(2): `cycles`, `cache-misses:u`, `L1-dcache-load-misses`,
 * `r1a8`, `cpu/event=0x3c,umask=0/`, `cpu-clock`, `sched:sched_switch`,
 * `uprobe:/usr/bin/x:main`, `kprobe:do_sys_open`, `{cycles,instructions}`.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/perf_event.h>

#include "arena.h"
#include "str.h"

struct event {
	struct perf_event_attr attr; /* type, config*, exclude_* and precise_ip are set */
	struct str name;	     /* as it was given, with modifiers */
	size_t leader;		     /* index of the first of its group: its own alone */
};

/* A zeroed struct events is empty. */
struct events {
	struct event *items;
	size_t n, cap;
	struct arena text; /* names, and paths that attrs point to */
};

void events_release(struct events *list);

/* Adds the events of SPEC, which is what follows -e: names or groups in braces
 * joined by commas. False, after a message that says what is wrong and what
 * there is, when one is not known here. */
bool events_parse(struct events *list, const char *spec);

/* Adds the event NAME of type and config that always exist: "cycles" or
 * "cpu-clock". */
void events_add_default(struct events *list, bool hardware);

/* Prints the events that this machine has, a line each. */
void events_print(void);

#endif
