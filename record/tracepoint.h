/* SPDX-License-Identifier: ISC */
/*
 * Tracepoints of the kernel, "sched:sched_switch", by the numbers in tracefs:
 * events/sched/sched_switch/id below /sys/kernel/tracing, or below
 * /sys/kernel/debug/tracing where only debugfs is mounted. Nothing is mounted
 * here. (Documentation/trace/events.rst of the kernel.)
 */
#ifndef TRACEPOINT_H
#define TRACEPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "str.h"
#include "sysfile.h"

/* The number of the tracepoint NAME of GROUP. False when it cannot be had: WHY then
 * says what is in the way and what to do about it. */
bool tracepoint_id(const char *root, struct str group, struct str name, uint32_t *id,
	struct buf *why);

/* The tracepoints of GROUP, or for an empty one the groups, in TEXT. False when they
 * cannot be read: errno says whether a mount is there and closed, or none is (ENOENT). */
bool tracepoint_list(const char *root, struct str group, struct sysfile_names *names,
	struct arena *text);

#endif
