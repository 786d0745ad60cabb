/* SPDX-License-Identifier: ISC */
/*
 * The processors to record on, by their lists: "0-3,8". Where they are of two
 * kinds (cpu_core and cpu_atom), what the kernel calls "cycles" is an event of the
 * first kind, and each of the others must be asked for by the type of its PMU.
 * (perf_event.h: PERF_PMU_TYPE_SHIFT)
 */
#ifndef CPUS_H
#define CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "str.h"

struct cpus_item {
	uint32_t cpu;
	uint32_t pmu; /* its type, 0: all are of one kind */
};

/* A zeroed struct cpus is empty. */
struct cpus {
	struct cpus_item *items;
	size_t n, cap;
};

void cpus_release(struct cpus *list);

/* Adds those of LIST, "0-3,8", in their order, each once. False when that is no list
 * or names a processor above 65,535. */
bool cpus_parse(struct cpus *list, struct str text);

/* All that are online below ROOT ("": this machine), or those of WANTED (NULL: all)
 * if they are. False, after a message, when WANTED is wrong. */
bool cpus_find(struct cpus *list, const char *root, const char *wanted);

/* The config of an event as it is to be opened on ITEM. */
uint64_t cpus_config(const struct cpus_item *item, const struct perf_event_attr *attr);

#endif
