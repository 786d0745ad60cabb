/* SPDX-License-Identifier: ISC */
/*
 * Names of hardware, software and cache events; see events-names.h. A cache event is
 * CACHE-OPERATIONs or CACHE-OPERATION-misses:
 *
 *	L1-dcache-loads  L1-dcache-load-misses  LLC-stores  dTLB-prefetch-misses
 */
#include "events-names.h"
#include "buf.h"

struct name {
	const char *name, *alias;
	unsigned config;
	bool count_each;
};

static const struct name hardware[] = {
	{ "cycles", "cpu-cycles", PERF_COUNT_HW_CPU_CYCLES, false },
	{ "instructions", NULL, PERF_COUNT_HW_INSTRUCTIONS, false },
	{ "cache-references", NULL, PERF_COUNT_HW_CACHE_REFERENCES, false },
	{ "cache-misses", NULL, PERF_COUNT_HW_CACHE_MISSES, false },
	{ "branches", "branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, false },
	{ "branch-misses", NULL, PERF_COUNT_HW_BRANCH_MISSES, false },
	{ "bus-cycles", NULL, PERF_COUNT_HW_BUS_CYCLES, false },
	{ "stalled-cycles-frontend", "idle-cycles-frontend",
		PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, false },
	{ "stalled-cycles-backend", "idle-cycles-backend",
		PERF_COUNT_HW_STALLED_CYCLES_BACKEND, false },
	{ "ref-cycles", NULL, PERF_COUNT_HW_REF_CPU_CYCLES, false },
};

/* Since 5.13; older headers do not have it. */
enum { CGROUP_SWITCHES = 11 };

static const struct name software[] = {
	{ "cpu-clock", NULL, PERF_COUNT_SW_CPU_CLOCK, false },
	{ "task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK, false },
	{ "page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS, true },
	{ "context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES, true },
	{ "cpu-migrations", "migrations", PERF_COUNT_SW_CPU_MIGRATIONS, true },
	{ "minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN, true },
	{ "major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ, true },
	{ "alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS, true },
	{ "emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS, true },
	{ "dummy", NULL, PERF_COUNT_SW_DUMMY, false },
	{ "cgroup-switches", NULL, CGROUP_SWITCHES, true },
};

enum { LOAD = 1, STORE = 2, PREFETCH = 4 };

static const struct {
	const char *name;
	unsigned config, operations;
} caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D, LOAD | STORE | PREFETCH },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I, LOAD | PREFETCH },
	{ "LLC", PERF_COUNT_HW_CACHE_LL, LOAD | STORE | PREFETCH },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB, LOAD | STORE | PREFETCH },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB, LOAD },
	{ "branch", PERF_COUNT_HW_CACHE_BPU, LOAD },
	{ "node", PERF_COUNT_HW_CACHE_NODE, LOAD | STORE | PREFETCH },
};

static const struct {
	const char *all, *misses;
	unsigned bit, config;
} operations[] = {
	{ "-loads", "-load-misses", LOAD, PERF_COUNT_HW_CACHE_OP_READ },
	{ "-stores", "-store-misses", STORE, PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "-prefetches", "-prefetch-misses", PREFETCH, PERF_COUNT_HW_CACHE_OP_PREFETCH },
};

enum {
	HARDWARE_N = sizeof hardware / sizeof *hardware,
	SOFTWARE_N = sizeof software / sizeof *software,
	CACHE_N = sizeof caches / sizeof *caches,
	OPERATION_N = sizeof operations / sizeof *operations
};

static const struct name *
find(const struct name *table, size_t n, struct str name)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (str_eq(name, str_of(table[i].name)) ||
			(table[i].alias && str_eq(name, str_of(table[i].alias))))
			return &table[i];
	return NULL;
}

static unsigned
cache_config(size_t cache, size_t operation, bool misses)
{
	return caches[cache].config | operations[operation].config << 8 |
		(misses ? PERF_COUNT_HW_CACHE_RESULT_MISS
			: PERF_COUNT_HW_CACHE_RESULT_ACCESS)
		<< 16;
}

static bool
find_cache(struct str name, struct perf_event_attr *attr)
{
	struct str operation;
	size_t c, o;
	bool misses;

	for (c = 0; c < CACHE_N; c++) {
		if (!str_starts(name, str_of(caches[c].name)))
			continue;
		operation = str_from(name, strlen(caches[c].name));
		for (o = 0; o < OPERATION_N; o++) {
			misses = str_eq(operation, str_of(operations[o].misses));
			if (!(caches[c].operations & operations[o].bit) ||
				(!misses &&
					!str_eq(operation, str_of(operations[o].all))))
				continue;
			attr->type = PERF_TYPE_HW_CACHE;
			attr->config = cache_config(c, o, misses);
			return true;
		}
	}
	return false;
}

bool
events_names_find(struct str name, struct perf_event_attr *attr, bool *count_each)
{
	const struct name *hard = find(hardware, HARDWARE_N, name);
	const struct name *soft = hard ? NULL : find(software, SOFTWARE_N, name);
	const struct name *found = hard ? hard : soft;

	if (!found)
		return find_cache(name, attr);
	attr->type = hard ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
	attr->config = found->config;
	*count_each = found->count_each;
	return true;
}

bool
events_names_raw(struct str name, struct perf_event_attr *attr)
{
	uint64_t config;

	if (!str_starts(name, STR("r")) || !str_hex_to_u64(str_from(name, 1), &config))
		return false;
	attr->type = PERF_TYPE_RAW;
	attr->config = config;
	return true;
}

static void
each_cache(events_names_call *call, void *context)
{
	struct buf b = { 0 };
	size_t c, o, miss;

	for (c = 0; c < CACHE_N; c++)
		for (o = 0; o < OPERATION_N; o++)
			for (miss = 0; miss < 2; miss++) {
				if (!(caches[c].operations & operations[o].bit))
					continue;
				buf_clear(&b);
				buf_fmt(&b, "%s%s", caches[c].name,
					miss ? operations[o].misses : operations[o].all);
				call(context, PERF_TYPE_HW_CACHE, buf_view(&b), STR(""));
			}
	buf_release(&b);
}

void
events_names_each(events_names_call *call, void *context)
{
	size_t i;

	for (i = 0; i < HARDWARE_N; i++)
		call(context, PERF_TYPE_HARDWARE, str_of(hardware[i].name),
			str_of(hardware[i].alias));
	for (i = 0; i < SOFTWARE_N; i++)
		call(context, PERF_TYPE_SOFTWARE, str_of(software[i].name),
			str_of(software[i].alias));
	each_cache(call, context);
}
