/* SPDX-License-Identifier: ISC */
/* Costs of Java Flight Recorder's events. */
#include "jfr-costs.h"
#include "event.h"

#include <limits.h>

/* Costs folded by default: the first that the input has. */
static const char *const ORDER[] = { "cpu", "cpu-time", "wall", "alloc", "nativemem",
	"live", "lock", "nativelock", "native", "park", "wait", "sleep", "trace",
	"alloc-tlab", "alloc-size" };

enum { ORDERED = sizeof ORDER / sizeof *ORDER };

/* Fields: OpenJDK, src/hotspot/share/jfr/metadata/metadata.xml; async-profiler,
 * src/jfrMetadata.cpp. */
static const struct jfr_rule rules[] = {
	{ "jdk.ExecutionSample", "cpu", "", { 0 }, NULL },
	{ "datadog.ExecutionSample", "cpu", "", { "weight" }, NULL },
	{ "jdk.CPUTimeSample", "cpu-time", "ns", { "samplingPeriod" }, NULL },
	{ "profiler.WallClockSample", "wall", "", { "samples" }, NULL },
	{ "datadog.MethodSample", "wall", "", { "weight" }, NULL },
	/* Threads in native code; most of them wait. */
	{ "jdk.NativeMethodSample", "native", "", { 0 }, NULL },
	{ "jdk.ObjectAllocationSample", "alloc", "bytes", { "weight" }, "objectClass" },
	/* One event stands for its whole TLAB. */
	{ "jdk.ObjectAllocationInNewTLAB", "alloc", "bytes",
		{ "tlabSize", "allocationSize" }, "objectClass" },
	{ "jdk.ObjectAllocationInNewTLAB", "alloc-size", "bytes", { "allocationSize" },
		"objectClass" },
	{ "jdk.ObjectAllocationOutsideTLAB", "alloc", "bytes", { "allocationSize" },
		"objectClass" },
	{ "jdk.ObjectAllocationOutsideTLAB", "alloc-size", "bytes", { "allocationSize" },
		"objectClass" },
	{ "profiler.LiveObject", "live", "bytes", { "allocationSize" }, "objectClass" },
	{ "profiler.Malloc", "nativemem", "bytes", { "size" }, NULL },
	{ "profiler.NativeLock", "nativelock", "ns", { "duration" }, NULL },
	{ "jdk.JavaMonitorEnter", "lock", "ns", { "duration" }, "monitorClass" },
	{ "jdk.ThreadPark", "park", "ns", { "duration" }, "parkedClass" },
	{ "jdk.JavaMonitorWait", "wait", "ns", { "duration" }, "monitorClass" },
	{ "jdk.ThreadSleep", "sleep", "ns", { "duration" }, NULL },
	{ "jdk.MethodTrace", "trace", "ns", { "duration" }, NULL },
};

/* Returns RULE, or another one if the meaning of the event depends on the recording. */
static const struct jfr_rule *
judge(const struct jfr_rule *rule, const struct jfr_about *about)
{
	static const struct jfr_rule tlab = { NULL, "alloc-tlab", "bytes",
		{ "tlabSize", "allocationSize" }, "objectClass" };
	static const struct jfr_rule lock = { NULL, "lock", "ns", { "duration" },
		"parkedClass" };

	if (about->both_allocs && str_eq(str_of(rule->cost), STR("alloc")) &&
		!str_eq(str_of(rule->weights[0]), STR("weight")))
		return &tlab;
	if (about->locks_only && str_eq(str_of(rule->cost), STR("park")))
		return &lock;
	return rule;
}

const struct jfr_rule *
jfr_costs_rule(struct str event, unsigned i, const struct jfr_about *about)
{
	const struct jfr_rule *r = rules, *end = r + sizeof rules / sizeof *rules;

	for (; r < end; r++)
		if (str_eq(event, str_of(r->event)) && !i--)
			return judge(r, about);
	return NULL;
}

const struct jfr_rule *
jfr_costs_other(bool lasts)
{
	static const struct jfr_rule other[] = { { NULL, NULL, "", { 0 }, NULL },
		{ NULL, NULL, "ns", { "duration" }, NULL } };

	return &other[lasts];
}

void
jfr_costs_begin(struct jfr_costs *k, struct collapse *c)
{
	int i;

	*k = (struct jfr_costs){ .c = c, .rank = UINT_MAX };
	/* The sink folds the first event announced. */
	for (i = 0; i < ORDERED && !collapse_options(c)->cost; i++)
		collapse_expect(c, str_of(ORDER[i]));
}

struct jfr_cost
jfr_costs_of(const struct jfr_rule *rule, struct str event)
{
	struct jfr_cost cost = {
		.name = rule->cost ? str_of(rule->cost) : event,
		.unit = rule->unit,
		.counts = !*rule->unit,
		.lasts = str_eq(str_of(rule->unit), STR("ns")),
	};

	while (cost.rank < ORDERED && !str_eq(cost.name, str_of(ORDER[cost.rank])))
		cost.rank++;
	return cost;
}

/* Announces COST to the sink, at its first sample. */
static void
meet(struct jfr_costs *k, struct jfr_cost *cost)
{
	const char *filter = collapse_options(k->c)->event;

	cost->metric = collapse_metric(k->c, cost->name, str_of(cost->unit));
	cost->known = true;
	if (cost->rank == ORDERED)
		cost->rank += cost->metric;
	if (cost->rank < k->rank &&
		(!filter || event_matches(cost->name, str_of(filter)))) {
		k->rank = cost->rank;
		k->main = cost->metric;
	}
}

bool
jfr_costs_wants(struct jfr_costs *k, struct jfr_cost *cost, uint64_t weight,
	struct collapse_sample *s)
{
	const char *asked = collapse_options(k->c)->cost;

	if (!cost->known)
		meet(k, cost);
	collapse_count_weight(k->c, cost->metric, weight);
	s->has_period = !cost->counts;
	s->period = cost->counts ? 0 : weight;
	s->count = cost->counts ? weight : 1;
	if (asked && !str_eq(cost->name, str_of(asked)))
		return false;
	s->event = asked ? (struct str){ 0 } : cost->name;
	return collapse_wants(k->c, s);
}

bool
jfr_costs_end(struct jfr_costs *k)
{
	const struct collapse_options *o = collapse_options(k->c);

	/* If several costs are folded, the weights have no common unit. */
	if (!o->cost &&
		(k->rank == UINT_MAX || o->columns[1].n ||
			(o->event && event_is_any(str_of(o->event)))))
		return true;
	return collapse_choose_metric(k->c, k->main) != COLLAPSE_NO_METRIC;
}
