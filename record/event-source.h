/* SPDX-License-Identifier: ISC */
/*
 * The events of a machine. They are read from its /sys, which is below ROOT for a
 * made-up machine ("": this machine).
 *
 * A performance monitoring unit (PMU) is a folder of /sys/bus/event_source/devices with
 * the file `type`, a folder `format` that says where a term's bits go
 *
 *	format/umask:	config:8-15
 *	format/event:	config:0-7,32-35
 *
 * and a folder `events` of names, made of terms:
 *
 *	events/cpu-cycles:	event=0x3c
 *
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-* of the kernel.)
 *
 * Tracepoints of the kernel, "sched:sched_switch", have their numbers in tracefs:
 * events/sched/sched_switch/id below /sys/kernel/tracing, or below
 * /sys/kernel/debug/tracing where only debugfs is mounted. These functions do not mount
 * it. (Documentation/trace/events.rst)
 *
 * A probe counts each entry to, or return from, a function of a program, a library or
 * the kernel. The PMUs `uprobe` and `kprobe` implement it (since Linux 4.17; tracefs is
 * not needed).
 *
 *	uprobe:/usr/bin/x:main		uprobe:x:main+0x1c	x is searched in PATH
 *	uretprobe:./x:Tree::insert	uprobe:./x:0x1139	an address as nm prints it
 *	kprobe:do_sys_openat2		kretprobe:vfs_read
 *
 * C++ and Rust functions are given by their mangled names, or by plain names without
 * arguments.
 */
#ifndef EVENT_SOURCE_H
#define EVENT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "arena.h"
#include "buf.h"
#include "str.h"

/* The PMU NAME of the machine below ROOT. */
struct event_pmu {
	const char *root;
	struct str name;
};

/* Reads the PMU's type for perf_event_attr. Returns false if there is no such PMU. */
bool event_pmu_type(const struct event_pmu *p, uint32_t *type);

/* Whether the PMU belongs to a processor, not to memory controllers or energy: "cpu", or
 * a PMU that lists its processors. */
bool event_pmu_is_core(const struct event_pmu *p);

/* Parses TERMS, "event=0x3c,umask=1" or the name of an event: sets type, config* and
 * the event's own period in ATTR, and *NAME to the value of the term `name`, a slice of
 * TERMS, if given. Returns false, after a message, if a term is unknown or its value
 * does not fit. */
bool event_pmu_parse(const struct event_pmu *p, struct str terms,
	struct perf_event_attr *attr, struct str *name);

/* Finds a PMU with the event EVENT; P->name is then in TEXT. Returns false without
 * one. */
bool event_pmu_find(struct event_pmu *p, struct str event, struct arena *text);

/* Whether any PMU is a processor's. */
bool event_has_core(const char *root);

/* Called with a type, PERF_TYPE_*, an event's name, and its other name: an alias or,
 * for a PMU's event (PERF_TYPE_RAW), the name within its PMU. */
typedef void event_call(void *context, unsigned type, struct str name, struct str other);

/* Calls CALL for all events of PMUs. */
void event_each_of_pmus(const char *root, event_call *call, void *context);

/* The same for tracepoints. Returns false if they cannot be read; errno is ENOENT if
 * tracefs is not mounted. */
bool event_each_tracepoint(const char *root, event_call *call, void *context);

/* Sets ATTR to the tracepoint SPEC, GROUP:NAME. If that is impossible, returns false
 * with the reason and a remedy in WHY. */
bool event_tracepoint(
	const char *root, struct str spec, struct perf_event_attr *attr, struct buf *why);

/* Whether the first word of SPEC names a probe. */
bool event_is_probe(struct str spec);

/* Returns the part of the probe SPEC behind the path: FUNCTION and modifiers. */
struct str event_probe_function(struct str spec);

/* Sets ATTR to the probe SPEC, which is without modifiers. The paths and names that
 * ATTR points to are in TEXT. Returns false with the reason in WHY. */
bool event_probe(const char *root, struct str spec, struct arena *text,
	struct perf_event_attr *attr, struct buf *why);

#endif
