/* SPDX-License-Identifier: ISC */
/*
 * What a machine has to sample; see events-list.h.
 *
 *	Hardware (PMU cpu):
 *	  cycles                     cpu-cycles
 *	PMU msr:
 *	  msr/tsc/
 *	Tracepoints:
 *	  sched:sched_switch
 */
#include "events-list.h"
#include "events.h"
#include "events-names.h"
#include "suggest.h"
#include "pmu.h"
#include "sysfile.h"
#include "tracepoint.h"

#include <errno.h>
#include <unistd.h>

/* Takes an event of the PMU; GROUP begins with NAME empty. */
typedef void each_event(void *context, struct str pmu, struct str name);

/* Files beside an event that say how to read its count: "energy-psys.unit". */
static bool
is_event(struct str name)
{
	return str_find(name, '.') == name.n;
}

static void
each_of_pmu(const char *root, struct str pmu, each_event *call, void *context)
{
	struct sysfile_names events = { 0 };
	struct arena text = { 0 };
	struct buf path = { 0 };
	size_t i;

	buf_fmt(&path, "%s/sys/bus/event_source/devices/%.*s/events", root, (int)pmu.n,
		pmu.s);
	if (sysfile_folder(&events, &text, buf_cstr(&path)))
		for (i = 0; i < events.n; i++)
			if (is_event(events.items[i]))
				call(context, pmu, events.items[i]);
	buf_release(&path);
	arena_release(&text);
}

/* Each event of each PMU; first one without a name for the PMU. */
static void
each_pmu(const char *root, each_event *call, void *context)
{
	struct sysfile_names pmus = { 0 };
	struct arena text = { 0 };
	struct buf path = { 0 };
	size_t i;

	buf_fmt(&path, "%s/sys/bus/event_source/devices", root);
	if (sysfile_folder(&pmus, &text, buf_cstr(&path)))
		for (i = 0; i < pmus.n; i++) {
			call(context, pmus.items[i], STR(""));
			each_of_pmu(root, pmus.items[i], call, context);
		}
	buf_release(&path);
	arena_release(&text);
}

/* False with errno when tracepoints cannot be read. */
static bool
each_tracepoint(const char *root, each_event *call, void *context)
{
	struct sysfile_names groups, names;
	struct arena text = { 0 }, inner;
	bool fine = tracepoint_groups(root, &groups, &text);
	size_t i, j;

	for (i = 0; fine && i < groups.n; i++) {
		inner = (struct arena){ 0 };
		if (tracepoint_names(root, groups.items[i], &names, &inner))
			for (j = 0; j < names.n; j++)
				if (str_find(names.items[j], '.') == names.items[j].n &&
					!str_eq(names.items[j], STR("enable")) &&
					!str_eq(names.items[j], STR("filter")))
					call(context, groups.items[i], names.items[j]);
		arena_release(&inner);
	}
	arena_release(&text);
	return fine;
}

/* Printing. */
struct listing {
	struct output *out;
	const char *root;
	unsigned type; /* that is printed now */
	bool present;  /* there is a PMU of the processor */
};

static void
find_core(void *context, struct str pmu, struct str name)
{
	struct listing *l = context;
	struct pmu p = { l->root, pmu };

	if (!name.n && pmu_is_core(&p))
		l->present = true;
}

static void
print_name(void *context, unsigned type, struct str name, struct str alias)
{
	struct listing *l = context;

	if (type != l->type)
		return;
	if (alias.n)
		output_fmt(l->out, "  %-32.*s%.*s\n", (int)name.n, name.s, (int)alias.n,
			alias.s);
	else
		output_fmt(l->out, "  %.*s\n", (int)name.n, name.s);
}

static void
print_pmu_event(void *context, struct str pmu, struct str name)
{
	struct listing *l = context;

	if (name.n)
		output_fmt(
			l->out, "  %.*s/%.*s/\n", (int)pmu.n, pmu.s, (int)name.n, name.s);
}

static void
print_tracepoint(void *context, struct str group, struct str name)
{
	struct listing *l = context;

	output_fmt(l->out, "  %.*s:%.*s\n", (int)group.n, group.s, (int)name.n, name.s);
}

static void
print_named(struct listing *l, unsigned type, const char *heading)
{
	l->type = type;
	output_fmt(l->out, "%s:\n", heading);
	events_names_each(print_name, l);
}

static void
print_probes(struct listing *l)
{
	static const struct {
		const char *pmu, *form;
	} probes[] = {
		{ "uprobe", "uprobe:PATH:FUNCTION            uretprobe:PATH:FUNCTION" },
		{ "kprobe", "kprobe:FUNCTION                 kretprobe:FUNCTION" },
	};
	struct pmu p = { .root = l->root };
	uint32_t type;
	size_t i;

	output_str(l->out, STR("Probes:\n"));
	for (i = 0; i < sizeof probes / sizeof *probes; i++) {
		p.name = str_of(probes[i].pmu);
		output_fmt(l->out, "  %s%s\n", probes[i].form,
			pmu_type(&p, &type) ? "" : " (not in this kernel)");
	}
}

void
events_list(const char *root, struct output *out)
{
	struct listing l = { .out = out, .root = root };

	each_pmu(root, find_core, &l);
	print_named(&l, PERF_TYPE_HARDWARE,
		l.present ? "Hardware"
			  : "Hardware (not here: the processor shows no PMU)");
	print_named(&l, PERF_TYPE_HW_CACHE, l.present ? "Caches" : "Caches (not here)");
	print_named(&l, PERF_TYPE_SOFTWARE, "Software");
	output_str(out, STR("Raw:\n  rNNN\n  PMU/term=value,.../\nEvents of PMUs:\n"));
	each_pmu(root, print_pmu_event, &l);
	print_probes(&l);
	output_str(out, STR("Tracepoints:\n"));
	if (!each_tracepoint(root, print_tracepoint, &l))
		output_str(out,
			errno == ENOENT
				? STR("  (none to be seen: tracefs is not mounted)\n")
				: STR("  (only root may read them here)\n"));
}

bool
events_print(const char *path)
{
	struct output out;

	output_open(&out, path);
	events_list("", &out);
	return output_close(&out);
}

/* Names near to another. */
static void
offer_name(void *context, unsigned type, struct str name, struct str alias)
{
	(void)type;
	suggest_offer(context, name);
	suggest_offer(context, alias);
}

static void
offer_pmu_event(void *context, struct str pmu, struct str name)
{
	struct suggest *near = context;
	struct buf b = { 0 };

	if (!name.n)
		return;
	/* Compared with what was typed: with or without the PMU. */
	buf_fmt(&b, "%.*s/%.*s/", (int)pmu.n, pmu.s, (int)name.n, name.s);
	suggest_offer(
		near, memchr(near->want.s, '/', near->want.n) ? buf_view(&b) : name);
	buf_release(&b);
}

static void
offer_tracepoint(void *context, struct str group, struct str name)
{
	struct buf b = { 0 };

	buf_fmt(&b, "%.*s:%.*s", (int)group.n, group.s, (int)name.n, name.s);
	suggest_offer(context, buf_view(&b));
	buf_release(&b);
}

void
events_list_nearest(const char *root, struct str want, struct buf *b)
{
	struct suggest near = { .want = want };

	events_names_each(offer_name, &near);
	each_pmu(root, offer_pmu_event, &near);
	(void)each_tracepoint(root, offer_tracepoint, &near);
	suggest_put(&near, b);
	suggest_release(&near);
}
