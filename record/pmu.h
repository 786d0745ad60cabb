/* SPDX-License-Identifier: ISC */
/*
 * The performance monitoring units of a machine, as
 * /sys/bus/event_source/devices describes them: a folder each with the file
 * `type`, a folder `format` that says where a term's bits go
 *
 *	format/umask:	config:8-15
 *	format/event:	config:0-7,32-35
 *
 * and one of events with names, made of terms:
 *
 *	events/cpu-cycles:	event=0x3c
 *
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-* of the kernel.)
 */
#ifndef PMU_H
#define PMU_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "str.h"

/* A PMU: NAME of the machine below ROOT, "" for this one. */
struct pmu {
	const char *root;
	struct str name;
};

/* Its type for perf_event_attr, false when there is no such PMU. */
bool pmu_type(const struct pmu *p, uint32_t *type);

/* Whether it counts what a processor executes, rather than memory controllers,
 * energy, ...: "cpu", or one that says which processors it belongs to. */
bool pmu_is_core(const struct pmu *p);

/* Whether it has an event of that name. */
bool pmu_has(const struct pmu *p, struct str event);

/* Sets type, config* and a period of its own in ATTR by TERMS, "event=0x3c,umask=1"
 * or the name of an event; *NAME gets the value of the term `name`, a slice of
 * TERMS, if there is one. False, after a message, when a term is not known or its
 * value does not fit. */
bool pmu_parse(const struct pmu *p, struct str terms, struct perf_event_attr *attr,
	struct str *name);

/* Puts the bits of VALUE at the ranges of FORMAT, "config1:0-7,32-35", into ATTR.
 * NULL, or a text that says what is wrong. */
const char *pmu_place(struct perf_event_attr *attr, struct str format, uint64_t value);

#endif
