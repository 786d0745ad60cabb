/* SPDX-License-Identifier: ISC */
/*
 * Parses the argument of -e, and lists the events that it accepts; see events.h.
 *
 *	cycles:u,{instructions,cache-misses}:S,cpu/event=0x3c,name=x/k
 *	sched:sched_switch,uprobe:/usr/bin/x:main
 *
 * A comma separates events, and within slashes the terms of one. Braces are not nested.
 * Events that perf_event.h defines for all machines (hardware, software and caches)
 * have perf's names. A cache event is CACHE-OPERATIONs or CACHE-OPERATION-misses:
 *
 *	L1-dcache-loads  L1-dcache-load-misses  LLC-stores  dTLB-prefetch-misses
 *
 * Modifiers follow an event, "cycles:upp":
 *
 *	u k h	user, kernel, hypervisor; with any of them the others are left out
 *	G H	guests of this machine, the machine itself
 *	I	not while idle
 *	p pp ppp P	skid of the address: constant, 0 if possible, 0; the
 *		least possible
 *	S	the leader of a group reads its members
 *	D e	always on the counter; alone on the PMU
 */
#include "events.h"
#include "event-source.h"
#include "msg.h"
#include "suggest.h"
#include "sysfile.h"

#include <errno.h>
#include <unistd.h>

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

/* Since 5.13; older headers lack it. */
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

/* Sets type and config of ATTR to the event NAME, and *COUNT_EACH to whether each
 * occurrence is a sample. Returns false for an unknown name. */
static bool
find_event(struct str name, struct perf_event_attr *attr, bool *count_each)
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

/* "rNNN": the event's number in hexadecimal, for the processor's PMU. */
static bool
find_raw(struct str name, struct perf_event_attr *attr)
{
	uint64_t config;

	if (!str_starts(name, STR("r")) || !str_hex_to_u64(str_from(name, 1), &config))
		return false;
	attr->type = PERF_TYPE_RAW;
	attr->config = config;
	return true;
}

static void
each_of_table(const struct name *table, size_t n, unsigned type, event_call *call,
	void *context)
{
	size_t i;

	for (i = 0; i < n; i++)
		call(context, type, str_of(table[i].name), str_of(table[i].alias));
}

static void
each_cache(event_call *call, void *context)
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

static void
print_event(void *context, unsigned type, struct str name, struct str other)
{
	if (other.n && type != PERF_TYPE_RAW)
		output_fmt(context, "  %-32.*s%.*s\n", STR_ARG(name), STR_ARG(other));
	else
		output_fmt(context, "  %.*s\n", STR_ARG(name));
}

static void
print_probes(const char *root, struct output *out)
{
	static const struct {
		const char *pmu, *form;
	} probes[] = {
		{ "uprobe", "uprobe:PATH:FUNCTION            uretprobe:PATH:FUNCTION" },
		{ "kprobe", "kprobe:FUNCTION                 kretprobe:FUNCTION" },
	};
	struct event_pmu p = { .root = root };
	uint32_t type;
	size_t i;

	output_str(out, STR("Probes:\n"));
	for (i = 0; i < sizeof probes / sizeof *probes; i++) {
		p.name = str_of(probes[i].pmu);
		output_fmt(out, "  %s%s\n", probes[i].form,
			event_pmu_type(&p, &type) ? "" : " (not in this kernel)");
	}
}

void
events_list(const char *root, struct output *out)
{
	bool core = event_has_core(root);

	output_fmt(out, "Hardware%s:\n", core ? "" : " (unavailable: no PMU)");
	each_of_table(hardware, HARDWARE_N, PERF_TYPE_HARDWARE, print_event, out);
	output_fmt(out, "Caches%s:\n", core ? "" : " (unavailable)");
	each_cache(print_event, out);
	output_str(out, STR("Software:\n"));
	each_of_table(software, SOFTWARE_N, PERF_TYPE_SOFTWARE, print_event, out);
	output_str(out, STR("Raw:\n  rNNN\n  PMU/term=value,.../\nEvents of PMUs:\n"));
	event_each_of_pmus(root, print_event, out);
	print_probes(root, out);
	output_str(out, STR("Tracepoints:\n"));
	if (!event_each_tracepoint(root, print_event, out))
		output_str(out,
			errno == ENOENT ? STR("  (unknown: tracefs is not mounted)\n")
					: STR("  (only root can read them here)\n"));
}

static void
offer_event(void *context, unsigned type, struct str name, struct str other)
{
	struct suggest *near = context;
	bool slash = str_find(near->want, '/') < near->want.n;

	/* Compare a PMU's event with its PMU only if the typed name has one. */
	if (type != PERF_TYPE_RAW || slash)
		suggest_offer(near, name);
	if (type != PERF_TYPE_RAW || !slash)
		suggest_offer(near, other);
}

/* Appends "; did you mean ...?" with names similar to WANT. */
static void
put_nearest(const char *root, struct str want, struct buf *b)
{
	struct suggest near = { .want = want };

	each_of_table(hardware, HARDWARE_N, PERF_TYPE_HARDWARE, offer_event, &near);
	each_of_table(software, SOFTWARE_N, PERF_TYPE_SOFTWARE, offer_event, &near);
	each_cache(offer_event, &near);
	event_each_of_pmus(root, offer_event, &near);
	(void)event_each_tracepoint(root, offer_event, &near);
	suggest_put(&near, b);
	suggest_release(&near);
}

/* Whether TEXT consists of modifiers, and is not empty. */
static bool
are_modifiers(struct str text)
{
	static const char letters[] = "ukhGHIpPSDe";
	size_t i;

	for (i = 0; i < text.n; i++)
		if (!memchr(letters, text.s[i], sizeof letters - 1))
			return false;
	return text.n > 0;
}

/* The first letter for a level, or for a machine, excludes all the others. */
static void
only_levels(struct event *e)
{
	if (e->levels)
		return;
	e->levels = true;
	e->attr.exclude_user = e->attr.exclude_kernel = e->attr.exclude_hv = 1;
}

static void
only_machines(struct event *e, bool *machines)
{
	if (*machines)
		return;
	*machines = true;
	e->attr.exclude_guest = e->attr.exclude_host = 1;
}

static void
apply(struct event *e, char letter, bool *machines, unsigned *precise)
{
	switch (letter) {
	case 'u':
		only_levels(e);
		e->attr.exclude_user = 0;
		break;
	case 'k':
		only_levels(e);
		e->attr.exclude_kernel = 0;
		break;
	case 'h':
		only_levels(e);
		e->attr.exclude_hv = 0;
		break;
	case 'G':
		only_machines(e, machines);
		e->attr.exclude_guest = 0;
		break;
	case 'H':
		only_machines(e, machines);
		e->attr.exclude_host = 0;
		break;
	case 'I': e->attr.exclude_idle = 1; break;
	case 'p': ++*precise; break;
	case 'P': e->best_skid = true; break;
	case 'S': e->read_group = true; break;
	case 'D': e->attr.pinned = 1; break;
	case 'e': e->attr.exclusive = 1; break;
	default: break;
	}
}

/* Applies the modifiers OWN, then GROUP. Returns false, after a message, if there are
 * too many p. */
static bool
apply_all(struct event *e, struct str own, struct str group)
{
	bool machines = false;
	unsigned precise = 0;
	size_t i;

	for (i = 0; i < own.n; i++)
		apply(e, own.s[i], &machines, &precise);
	for (i = 0; i < group.n; i++)
		apply(e, group.s[i], &machines, &precise);
	if (precise > 3) {
		msg_error("%.*s: too many p modifiers; ppp is the most precise",
			STR_ARG(e->name));
		return false;
	}
	if (e->best_skid)
		precise = 3;
	e->attr.precise_ip = precise & 3;
	/* A PMU that finds the exact address cannot tell guests apart. */
	if (precise && !machines)
		e->attr.exclude_guest = 1;
	return true;
}

/* Cuts modifiers, ":u", off the end of SPEC and returns them without the colon. */
static struct str
cut_modifiers(struct str *spec)
{
	struct str place = event_is_probe(*spec) ? event_probe_function(*spec) : *spec,
		   tail;
	size_t colon = str_rfind(place, ':');

	tail = str_from(place, colon + 1);
	/* Foo::u is a name. */
	if (colon == place.n || colon == 0 || place.s[colon - 1] == ':' ||
		!are_modifiers(tail))
		return STR("");
	spec->n -= tail.n + 1;
	return tail;
}

/* An event being parsed: SPEC without modifiers, its OWN modifiers, and its GROUP's. */
struct reading {
	struct events *list;
	const char *root;
	struct str spec, own, group;
};

static bool
unknown(const struct reading *r)
{
	struct buf b = { 0 };

	buf_fmt(&b, "no event '%.*s' here", STR_ARG(r->spec));
	put_nearest(r->root, r->spec, &b);
	msg_error("%s", buf_cstr(&b));
	msg_error("see %s --list-events", msg_prog());
	buf_release(&b);
	return false;
}

static bool
read_probe(struct reading *r, struct event *e)
{
	struct buf why = { 0 };
	bool fine;

	r->own = cut_modifiers(&r->spec);
	e->count_each = true;
	fine = event_probe(r->root, r->spec, &r->list->text, &e->attr, &why);
	if (!fine)
		msg_error("%.*s: %s", STR_ARG(r->spec), buf_cstr(&why));
	buf_release(&why);
	return fine;
}

/* "cpu/event=0x3c/u" */
static bool
read_pmu(struct reading *r, struct event *e)
{
	struct str terms = r->spec;
	struct event_pmu pmu = { .root = r->root };
	size_t end;
	uint32_t type;

	pmu.name = str_cut(&terms, '/');
	end = str_rfind(terms, '/');
	r->own = str_from(terms, end + 1);
	if (str_starts(r->own, STR(":")))
		r->own = str_from(r->own, 1);
	if (end == terms.n || (r->own.n && !are_modifiers(r->own))) {
		msg_error("%.*s: write a PMU event as PMU/TERMS/MODIFIERS",
			STR_ARG(r->spec));
		return false;
	}
	r->spec = str_head(r->spec, pmu.name.n + end + 2);
	if (!event_pmu_type(&pmu, &type))
		return unknown(r);
	/* Leave out guests in the counts of a processor, as perf does. */
	e->attr.exclude_guest = event_pmu_is_core(&pmu);
	return event_pmu_parse(&pmu, str_head(terms, end), &e->attr, &e->name);
}

/* Parses an event of some PMU, named without its PMU: "energy-psys". */
static bool
read_bare(const struct reading *r, struct event *e)
{
	struct event_pmu pmu = { .root = r->root };
	struct arena text = { 0 };
	struct str name;
	bool found = event_pmu_find(&pmu, r->spec, &text) &&
		event_pmu_parse(&pmu, r->spec, &e->attr, &name);

	e->attr.exclude_guest = found && event_pmu_is_core(&pmu);
	arena_release(&text);
	return found;
}

static bool
read_tracepoint(const struct reading *r, struct event *e)
{
	struct str name = r->spec, group = str_cut(&name, ':');
	struct buf why = { 0 };
	bool fine;

	if (find_event(group, &e->attr, &e->count_each)) {
		msg_error("%.*s: unknown modifiers '%.*s'; use letters of ukhGHIpPSDe",
			STR_ARG(r->spec), STR_ARG(name));
		return false;
	}
	e->count_each = true;
	fine = event_tracepoint(r->root, r->spec, &e->attr, &why);
	if (!fine) {
		put_nearest(r->root, r->spec, &why);
		msg_error("%.*s: %s", STR_ARG(r->spec), buf_cstr(&why));
	}
	buf_release(&why);
	return fine;
}

static bool
read_name(struct reading *r, struct event *e)
{
	r->own = cut_modifiers(&r->spec);
	if (find_event(r->spec, &e->attr, &e->count_each) ||
		find_raw(r->spec, &e->attr)) {
		if (e->attr.type != PERF_TYPE_SOFTWARE)
			e->attr.exclude_guest = 1;
		return true;
	}
	if (str_find(r->spec, ':') < r->spec.n)
		return read_tracepoint(r, e);
	return read_bare(r, e) || unknown(r);
}

/* The name as given, with the modifiers of its group too. */
static struct str
name_of(const struct reading *r)
{
	struct buf b = { 0 };
	struct str name;

	buf_str(&b, r->spec);
	if ((r->own.n || r->group.n) && !str_ends(r->spec, STR("/")))
		buf_char(&b, ':');
	buf_str(&b, r->own);
	buf_str(&b, r->group);
	name = arena_str(&r->list->text, buf_view(&b));
	buf_release(&b);
	return name;
}

/* Adds the event of R to the group of LEADER. An event that leads has its own index
 * there. */
static bool
read_event(struct reading *r, size_t leader)
{
	struct events *list = r->list;
	struct event e = { .leader = leader };
	bool fine;

	if (!r->spec.n) {
		msg_error("an event has no name");
		return false;
	}
	if (event_is_probe(r->spec))
		fine = read_probe(r, &e);
	else if (str_find(r->spec, '/') < r->spec.n)
		fine = read_pmu(r, &e);
	else
		fine = read_name(r, &e);
	if (!fine)
		return false;
	/* The term `name` takes precedence. */
	e.name = e.name.n ? arena_str(&list->text, e.name) : name_of(r);
	if (!apply_all(&e, r->own, r->group))
		return false;
	*MEM_ADD(list->items, list->n, list->cap) = e;
	return true;
}

/* Cuts the first event off *REST, up to a comma outside slashes. Slashes in a probe's
 * path do not count. */
static struct str
cut_event(struct str *rest)
{
	bool probe = event_is_probe(*rest), inside = false;
	struct str event;
	size_t i;

	for (i = 0; i < rest->n && (inside || rest->s[i] != ','); i++)
		if (rest->s[i] == '/' && !probe)
			inside = !inside;
	event = str_head(*rest, i);
	*rest = str_from(*rest, i + 1);
	return event;
}

/* Parses the first event of *REST, in the group of LEADER with the modifiers LETTERS.
 * If LEADER is the event's own index, it is alone or leads. */
static bool
read_next(struct events *list, struct str *rest, size_t leader, struct str letters)
{
	struct reading r = { .list = list,
		.root = list->root ? list->root : "",
		.spec = cut_event(rest),
		.group = letters };

	return read_event(&r, leader);
}

/* Parses "{a,b}:u" and cuts it off *REST. */
static bool
read_group(struct events *list, struct str *rest)
{
	struct str all = *rest, inside, letters;
	size_t close = str_find(all, '}'), leader = list->n;

	if (close == all.n) {
		msg_error("missing '}' after the group %.*s", STR_ARG(all));
		return false;
	}
	inside = str_from(str_head(all, close), 1);
	*rest = str_from(all, close + 1);
	letters = str_cut(rest, ',');
	if (letters.n && (letters.s[0] != ':' || !are_modifiers(str_from(letters, 1)))) {
		msg_error("unknown modifiers after '}': %.*s", STR_ARG(letters));
		return false;
	}
	do
		if (!read_next(list, &inside, leader, str_from(letters, 1)))
			return false;
	while (inside.n);
	return true;
}

bool
events_parse(struct events *list, const char *spec)
{
	struct str rest = str_of(spec);
	bool fine;

	do
		fine = str_starts(rest, STR("{"))
			? read_group(list, &rest)
			: read_next(list, &rest, list->n, STR(""));
	while (fine && rest.n);
	return fine;
}

void
events_release(struct events *list)
{
	free(list->items);
	arena_release(&list->text);
	list->items = NULL;
	list->n = list->cap = 0;
}
