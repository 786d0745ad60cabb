/* SPDX-License-Identifier: ISC */
/*
 * Events by the names that users give them, as attributes for
 * perf_event_open(2): `cycles`, `cache-misses:u`, `L1-dcache-load-misses`,
 * `r1a8`, `cpu/event=0x3c,umask=0/`, `cpu-clock`, `sched:sched_switch`,
 * `uprobe:/usr/bin/x:main`, `kprobe:do_sys_open`, `{cycles,instructions}`.
 *
 * What a machine has is read from its /sys, or from that of a made-up machine
 * below a folder, which is how tests see others.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/perf_event.h>

#include "arena.h"
#include "output.h"
#include "str.h"

struct event {
	/* type, config*, exclude_*, precise_ip, pinned and exclusive are set, size
	 * is not. A sample_period (or, with freq, a sample_freq) that is not 0 is of
	 * the event's own, from `cpu/cycles,period=1000/`, and wins over -c and -F. */
	struct perf_event_attr attr;
	struct str name; /* as it was given, with modifiers */
	size_t leader;	 /* index of the first of its group: its own alone */
	/* Each one is a sample, unless -c, -F or a period of its own says otherwise:
	 * faults, switches, migrations, tracepoints and probes. */
	bool count_each;
	bool read_group; /* :S, the leader is sampled and reads its members */
	bool best_skid;	 /* :P, precise_ip is 3 and may be lowered until it opens */
	bool levels;	 /* modifiers say which of user, kernel, hypervisor */
};

/* A zeroed struct events is empty. */
struct events {
	struct event *items;
	size_t n, cap;
	struct arena text; /* names, and paths that attrs point to */
	const char *root;  /* the folder whose sys/ is read, NULL: this machine's */
};

void events_release(struct events *list);

/* Adds the events of SPEC, which is what follows -e: names or groups in braces
 * joined by commas. False, after a message that says what is wrong and what
 * there is, when one is not known here. */
bool events_parse(struct events *list, const char *spec);

/* Writes the events of the machine below ROOT, "" for this one, to OUT in groups, a
 * line each: the name, and what else it is called. */
void events_list(const char *root, struct output *out);

#endif
