/* SPDX-License-Identifier: ISC */
/*
 * Parses events as users name them into attributes for perf_event_open(2): `cycles`,
 * `cache-misses:u`, `L1-dcache-load-misses`, `r1a8`, `cpu/event=0x3c,umask=0/`,
 * `cpu-clock`, `sched:sched_switch`, `uprobe:/usr/bin/x:main`, `kprobe:do_sys_open`,
 * `{cycles,instructions}`.
 *
 * The events of a machine are read from its /sys. Tests put a made-up machine below a
 * folder.
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
	/* Everything but the size: type, config*, exclude_*, precise_ip, pinned and
	 * exclusive. A sample_period (or, with freq, a sample_freq) other than 0 is the
	 * event's own, from `cpu/cycles,period=1000/`, and takes precedence over -c and
	 * -F. */
	struct perf_event_attr attr;
	struct str name; /* as given, with modifiers */
	size_t leader;	 /* index of the group's first event; its own if alone */
	/* Each occurrence is a sample, unless -c, -F or the event's own period says
	 * otherwise: faults, switches, migrations, tracepoints and probes. */
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

/* Adds the events of SPEC, the argument of -e: names or groups in braces, joined by
 * commas. Returns false, after a message with suggestions, if one is unknown or
 * invalid. */
bool events_parse(struct events *list, const char *spec);

/* Writes the events of the machine below ROOT, "" for this one, to OUT in groups, a
 * line each: the name and its alias. */
void events_list(const char *root, struct output *out);

#endif
