/* SPDX-License-Identifier: ISC */
/*
 * What a machine has of events, by its /sys or that of a made-up machine below ROOT ("":
 * this one's).
 *
 * A performance monitoring unit (PMU) is a folder of /sys/bus/event_source/devices with the
 * file `type`, a folder `format` that says where a term's bits go
 *
 *	format/umask:	config:8-15
 *	format/event:	config:0-7,32-35
 *
 * and one of events with names, made of terms:
 *
 *	events/cpu-cycles:	event=0x3c
 *
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-* of the kernel.)
 *
 * Tracepoints of the kernel, "sched:sched_switch", have their numbers in tracefs:
 * events/sched/sched_switch/id below /sys/kernel/tracing, or below
 * /sys/kernel/debug/tracing where only debugfs is mounted. Nothing is mounted here.
 * (Documentation/trace/events.rst)
 *
 * A probe is an event each time that a function of a program, a library or the kernel is
 * entered or left, by the PMUs `uprobe` and `kprobe` (since Linux 4.17; tracefs is not
 * needed).
 *
 *	uprobe:/usr/bin/x:main		uprobe:x:main+0x1c	x is searched in PATH
 *	uretprobe:./x:Tree::insert	uprobe:./x:0x1139	an address as nm prints it
 *	kprobe:do_sys_openat2		kretprobe:vfs_read
 *
 * A C++ or Rust function is taken by its mangled name, or by a name without arguments.
 */
#ifndef EVENT_SOURCE_H
#define EVENT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "arena.h"
#include "buf.h"
#include "str.h"

/* A PMU: NAME of the machine below ROOT. */
struct event_pmu {
	const char *root;
	struct str name;
};

/* Its type for perf_event_attr, false when there is no such PMU. */
bool event_pmu_type(const struct event_pmu *p, uint32_t *type);

/* Whether it counts what a processor executes, rather than memory controllers,
 * energy, ...: "cpu", or one that says which processors it belongs to. */
bool event_pmu_is_core(const struct event_pmu *p);

/* Sets type, config* and a period of its own in ATTR by TERMS, "event=0x3c,umask=1"
 * or the name of an event; *NAME gets the value of the term `name`, a slice of
 * TERMS, if there is one. False, after a message, when a term is not known or its
 * value does not fit. */
bool event_pmu_parse(const struct event_pmu *p, struct str terms,
	struct perf_event_attr *attr, struct str *name);

/* Finds the PMU that has an event of that name; P->name is then in TEXT. */
bool event_pmu_find(struct event_pmu *p, struct str event, struct arena *text);

/* Whether any PMU is a processor's. */
bool event_has_core(const char *root);

/* Is called with a type, PERF_TYPE_*, a name of an event, and the other name that it has:
 * an alias, or that of a PMU's event (PERF_TYPE_RAW) within its PMU. */
typedef void event_call(void *context, unsigned type, struct str name, struct str other);

/* Calls CALL for all events of PMUs. */
void event_each_of_pmus(const char *root, event_call *call, void *context);

/* The same for tracepoints. False when they cannot be read: errno says whether a mount is
 * there and closed, or none is (ENOENT). */
bool event_each_tracepoint(const char *root, event_call *call, void *context);

/* Sets ATTR to the tracepoint NAME of GROUP. False when it cannot be had: WHY then says
 * what is in the way and what to do about it. */
bool event_tracepoint(
	const char *root, struct str spec, struct perf_event_attr *attr, struct buf *why);

/* Whether SPEC is that of a probe, by its first word. */
bool event_is_probe(struct str spec);

/* What follows the path in SPEC, which is that of a probe: FUNCTION and modifiers. */
struct str event_probe_function(struct str spec);

/* Sets ATTR to the probe SPEC, which has no modifiers; paths and names that it points
 * to are in TEXT. False when it cannot be: WHY says what is wrong. */
bool event_probe(const char *root, struct str spec, struct arena *text,
	struct perf_event_attr *attr, struct buf *why);

#endif
