/* SPDX-License-Identifier: ISC */
/*
 * The events that have a name in perf_event.h whatever the machine: hardware,
 * software, and what caches do, by the names that perf gives them.
 */
#ifndef EVENTS_NAMES_H
#define EVENTS_NAMES_H

#include <stdbool.h>

#include <linux/perf_event.h>

#include "str.h"

/* Sets type and config of ATTR to the event NAME; *COUNT_EACH says whether each
 * one is a sample. False when there is none of that name. */
bool events_names_find(struct str name, struct perf_event_attr *attr, bool *count_each);

/* "rNNN": the event's number in hexadecimal, for the processor's PMU. */
bool events_names_raw(struct str name, struct perf_event_attr *attr);

/* Calls CALL for each name with its type, PERF_TYPE_*, in the order of the
 * kernel's header; *ALIAS is the other name of the same event, or empty. */
typedef void events_names_call(
	void *context, unsigned type, struct str name, struct str alias);
void events_names_each(events_names_call *call, void *context);

#endif
