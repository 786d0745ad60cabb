/* SPDX-License-Identifier: ISC */
/*
 * Reads what follows -e; see events.h.
 *
 *	cycles:u,{instructions,cache-misses}:S,cpu/event=0x3c,name=x/k
 *	sched:sched_switch,uprobe:/usr/bin/x:main
 *
 * A comma separates events, and within slashes the terms of one. Braces are not
 * nested.
 */
#include "events.h"
#include "events-list.h"
#include "events-modifiers.h"
#include "events-names.h"
#include "msg.h"
#include "pmu.h"
#include "probe.h"
#include "tracepoint.h"

/* One event being read: SPEC without modifiers, which are OWN and, of its group,
 * GROUP. */
struct reading {
	struct events *list;
	const char *root;
	struct str spec, own, group;
};

void
events_release(struct events *list)
{
	free(list->items);
	arena_release(&list->text);
	list->items = NULL;
	list->n = list->cap = 0;
}

static bool
unknown(const struct reading *r)
{
	struct buf b = { 0 };

	buf_fmt(&b, "no event '%.*s' here", (int)r->spec.n, r->spec.s);
	events_list_nearest(r->root, r->spec, &b);
	msg_error("%s", buf_cstr(&b));
	msg_error("see %s --list-events", msg_prog());
	buf_release(&b);
	return false;
}

/* Takes ":MODIFIERS" off the end of the spec, if that is what stands there. */
static void
cut_modifiers(struct reading *r)
{
	size_t colon = str_rfind(r->spec, ':');
	struct str tail = str_from(r->spec, colon + 1);

	if (colon == r->spec.n || !events_modifiers_are(tail))
		return;
	r->own = tail;
	r->spec = str_head(r->spec, colon);
}

/* What a processor executes is counted without that of its guests, as perf does. */
static void
leave_guests_out(struct perf_event_attr *attr)
{
	attr->exclude_guest = 1;
}

static bool
read_probe(struct reading *r, struct event *e)
{
	struct buf why = { 0 };
	bool fine;

	r->own = probe_modifiers(&r->spec);
	e->count_each = true;
	fine = probe_parse(r->root, r->spec, &r->list->text, &e->attr, &why);
	if (!fine)
		msg_error("%.*s: %s", (int)r->spec.n, r->spec.s, buf_cstr(&why));
	buf_release(&why);
	return fine;
}

/* "cpu/event=0x3c/u" */
static bool
read_pmu(struct reading *r, struct event *e)
{
	struct str terms = r->spec, name = { 0 };
	struct pmu pmu = { .root = r->root };
	size_t end;
	uint32_t type;

	pmu.name = str_cut(&terms, '/');
	end = str_rfind(terms, '/');
	r->own = str_from(terms, end + 1);
	if (str_starts(r->own, STR(":")))
		r->own = str_from(r->own, 1);
	if (end == terms.n || (r->own.n && !events_modifiers_are(r->own))) {
		msg_error("%.*s: an event of a PMU is PMU/TERMS/MODIFIERS",
			(int)r->spec.n, r->spec.s);
		return false;
	}
	r->spec = str_head(r->spec, pmu.name.n + end + 2);
	if (!pmu_type(&pmu, &type))
		return unknown(r);
	if (!pmu_parse(&pmu, str_head(terms, end), &e->attr, &name))
		return false;
	if (pmu_is_core(&pmu))
		leave_guests_out(&e->attr);
	e->name = name;
	return true;
}

/* An event of some PMU without its PMU: "energy-psys". */
static bool
read_bare(const struct reading *r, struct event *e)
{
	struct sysfile_names pmus = { 0 };
	struct arena text = { 0 };
	struct buf path = { 0 };
	struct pmu pmu = { .root = r->root };
	struct str name = { 0 };
	bool found = false;
	size_t i;

	buf_fmt(&path, "%s/sys/bus/event_source/devices", r->root);
	if (sysfile_folder(&pmus, &text, buf_cstr(&path)))
		for (i = 0; i < pmus.n && !found; i++) {
			pmu.name = pmus.items[i];
			found = pmu_has(&pmu, r->spec) &&
				pmu_parse(&pmu, r->spec, &e->attr, &name);
			if (found && pmu_is_core(&pmu))
				leave_guests_out(&e->attr);
		}
	buf_release(&path);
	arena_release(&text);
	return found;
}

static bool
read_tracepoint(const struct reading *r, struct event *e)
{
	struct str name = r->spec, group = str_cut(&name, ':');
	struct buf why = { 0 };
	uint32_t id = 0;
	bool fine;

	if (events_names_find(group, &e->attr, &e->count_each)) {
		msg_error("%.*s: '%.*s' are no modifiers: they are of ukhGHIpPSDe",
			(int)r->spec.n, r->spec.s, (int)name.n, name.s);
		return false;
	}
	fine = tracepoint_id(r->root, group, name, &id, &why);
	e->attr.type = PERF_TYPE_TRACEPOINT;
	e->attr.config = id;
	e->count_each = true;
	if (!fine) {
		events_list_nearest(r->root, r->spec, &why);
		msg_error("%.*s: %s", (int)r->spec.n, r->spec.s, buf_cstr(&why));
	}
	buf_release(&why);
	return fine;
}

static bool
read_name(struct reading *r, struct event *e)
{
	cut_modifiers(r);
	if (events_names_find(r->spec, &e->attr, &e->count_each) ||
		events_names_raw(r->spec, &e->attr)) {
		if (e->attr.type != PERF_TYPE_SOFTWARE)
			leave_guests_out(&e->attr);
		return true;
	}
	if (str_find(r->spec, ':') < r->spec.n)
		return read_tracepoint(r, e);
	return read_bare(r, e) || unknown(r);
}

/* The name as it was given, with the modifiers of its group too. */
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

/* Adds the event of R, which belongs to LEADER, or to itself when that is the
 * place it gets. */
static bool
read_event(struct reading *r, size_t leader)
{
	struct events *list = r->list;
	struct event e = { .leader = leader };
	bool fine;

	if (!r->spec.n) {
		msg_error("an event without a name");
		return false;
	}
	if (probe_knows(r->spec))
		fine = read_probe(r, &e);
	else if (str_find(r->spec, '/') < r->spec.n)
		fine = read_pmu(r, &e);
	else
		fine = read_name(r, &e);
	if (!fine)
		return false;
	/* A term `name` has given one. */
	e.name = e.name.n ? arena_str(&list->text, e.name) : name_of(r);
	if (!events_modifiers_apply(&e, r->own, r->group))
		return false;
	list->items = mem_grow(list->items, &list->cap, list->n + 1, sizeof *list->items);
	list->items[list->n++] = e;
	return true;
}

/* Cuts the first event off *REST: up to a comma that is not between slashes. The
 * slashes of a probe's path mean nothing. */
static struct str
cut_event(struct str *rest)
{
	bool probe = probe_knows(*rest), inside = false;
	struct str event;
	size_t i;

	for (i = 0; i < rest->n && (inside || rest->s[i] != ','); i++)
		if (rest->s[i] == '/' && !probe)
			inside = !inside;
	event = str_head(*rest, i);
	*rest = str_from(*rest, i + 1);
	return event;
}

/* Reads the events between two braces; LETTERS are the modifiers behind them. */
static bool
read_group(struct events *list, struct str inside, struct str letters)
{
	size_t leader = list->n;
	bool more = true;
	struct reading r;

	while (more) {
		r = (struct reading){ .list = list,
			.root = list->root ? list->root : "" };
		r.group = letters;
		r.spec = cut_event(&inside);
		more = inside.n > 0;
		if (!read_event(&r, leader))
			return false;
	}
	return true;
}

/* Cuts "{a,b}:u" off *REST. */
static bool
cut_group(struct events *list, struct str *rest)
{
	struct str all = *rest, inside, letters;
	size_t close = str_find(all, '}');

	if (close == all.n) {
		msg_error("a group without its '}': %.*s", (int)all.n, all.s);
		return false;
	}
	inside = str_from(str_head(all, close), 1);
	*rest = str_from(all, close + 1);
	letters = str_cut(rest, ',');
	if (!letters.n)
		return read_group(list, inside, letters);
	if (letters.s[0] != ':' || !events_modifiers_are(str_from(letters, 1))) {
		msg_error("what follows '}' are no modifiers: %.*s", (int)letters.n,
			letters.s);
		return false;
	}
	return read_group(list, inside, str_from(letters, 1));
}

bool
events_parse(struct events *list, const char *spec)
{
	struct str rest = str_of(spec);
	struct reading r;
	bool more = true;

	while (more) {
		if (str_starts(rest, STR("{"))) {
			if (!cut_group(list, &rest))
				return false;
		} else {
			r = (struct reading){ .list = list,
				.root = list->root ? list->root : "" };
			r.spec = cut_event(&rest);
			if (!read_event(&r, list->n))
				return false;
		}
		more = rest.n > 0;
	}
	return true;
}

void
events_add_default(struct events *list, bool hardware)
{
	(void)events_parse(list, hardware ? "cycles" : "cpu-clock");
}
