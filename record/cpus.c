/* SPDX-License-Identifier: ISC */
/* Lists of processors; see cpus.h. */
#include "cpus.h"
#include "buf.h"
#include "sysfile.h"

#include <unistd.h>

enum { LARGEST = 65535, PMU_SHIFT = 32 };

void
cpus_release(struct cpus *list)
{
	free(list->items);
	*list = (struct cpus){ 0 };
}

static struct cpus_item *
find(const struct cpus *list, uint64_t cpu)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (list->items[i].cpu == cpu)
			return &list->items[i];
	return NULL;
}

static void
add(struct cpus *list, uint64_t cpu)
{
	/* Lists grow, so most often it is past the last. */
	if (list->n && list->items[list->n - 1].cpu >= cpu && find(list, cpu))
		return;
	list->items = mem_grow(list->items, &list->cap, list->n + 1, sizeof *list->items);
	list->items[list->n++] = (struct cpus_item){ .cpu = (uint32_t)cpu };
}

bool
cpus_parse(struct cpus *list, struct str text)
{
	struct str part, low;
	uint64_t from, to;

	if (!text.n)
		return false;
	while (text.n) {
		part = str_cut(&text, ',');
		low = str_cut(&part, '-');
		if (!str_to_u64(low, &from))
			return false;
		to = from;
		if (part.s && part.s > low.s + low.n && !str_to_u64(part, &to))
			return false;
		if (to > LARGEST || from > to)
			return false;
		for (; from <= to; from++)
			add(list, from);
	}
	return true;
}

/* Those that are online; by their number where /sys is not there. */
static void
find_online(struct cpus *list, const char *root)
{
	struct buf text = { 0 };
	long n = sysconf(_SC_NPROCESSORS_ONLN), i;

	if (!sysfile_read(&text, "%s/sys/devices/system/cpu/online", root) ||
		!cpus_parse(list, buf_view(&text)))
		for (list->n = 0, i = 0; i < (n > 0 ? n : 1); i++)
			add(list, (uint64_t)i);
	buf_release(&text);
}

/* Notes the PMU of each processor where there are two kinds. */
static void
find_kinds(struct cpus *list, const char *root)
{
	static const char *const kinds[] = { "cpu_core", "cpu_atom", "cpu_lowpower" };
	struct buf text = { 0 };
	struct cpus members;
	int64_t type;
	size_t k, i;

	for (k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		members = (struct cpus){ 0 };
		if (sysfile_number(&type, "%s/sys/bus/event_source/devices/%s/type", root,
			    kinds[k]) &&
			sysfile_read(&text, "%s/sys/bus/event_source/devices/%s/cpus",
				root, kinds[k]) &&
			cpus_parse(&members, buf_view(&text)))
			for (i = 0; i < list->n; i++)
				if (find(&members, list->items[i].cpu))
					list->items[i].pmu = (uint32_t)type;
		cpus_release(&members);
	}
	buf_release(&text);
}

/* Leaves those of WANTED in LIST. */
static bool
choose(struct cpus *list, const char *wanted)
{
	struct cpus chosen = { 0 };
	size_t i;

	if (!cpus_parse(&chosen, str_of(wanted))) {
		msg_error("--cpu takes processors like 0-3,8, not '%s'", wanted);
		cpus_release(&chosen);
		return false;
	}
	for (i = 0; i < chosen.n; i++) {
		if (!find(list, chosen.items[i].cpu)) {
			msg_error("processor %u is not online", chosen.items[i].cpu);
			cpus_release(&chosen);
			return false;
		}
	}
	cpus_release(list);
	*list = chosen;
	return true;
}

bool
cpus_find(struct cpus *list, const char *root, const char *wanted)
{
	find_online(list, root);
	if (wanted && !choose(list, wanted))
		return false;
	find_kinds(list, root);
	return true;
}

uint64_t
cpus_config(const struct cpus_item *item, const struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_HARDWARE && attr->type != PERF_TYPE_HW_CACHE)
		return attr->config;
	if (attr->config >> PMU_SHIFT)
		return attr->config;
	return attr->config | (uint64_t)item->pmu << PMU_SHIFT;
}
