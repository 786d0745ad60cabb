/* SPDX-License-Identifier: ISC */
/* Selects samples by event and time; see collapse.h. */
#include "event.h"
#include "mem.h"
#include "sink.h"

/* Whether and where the options fold the event NAME. */
static struct collapse_event
judge_event(const struct collapse_options *o, struct str name)
{
	struct collapse_event e = { .wanted = false };

	if (o->columns[1].n) {
		e.column = event_matches(name, o->columns[0]) ? 0 : 1;
		e.wanted = event_matches(name, o->columns[e.column]);
	} else if (o->event) {
		e.wanted = event_matches(name, str_of(o->event));
	}
	return e;
}

struct collapse_event *
collapse_find_event(struct collapse *c, struct str name)
{
	uint32_t known = c->event_names.n, id = c->last_event;

	if (known && str_eq(name, intern_str(&c->event_names, id)))
		return &c->events[id];
	id = c->last_event = intern_id(&c->event_names, name);
	if (id == known)
		*MEM_AT(c->events, c->event_cap, id) = judge_event(c->options, name);
	return &c->events[id];
}

void
collapse_expect(struct collapse *c, struct str name)
{
	(void)collapse_find_event(c, name);
}

/* Makes E the event that is folded, if the user has not named one and no event expected
 * before E has samples. */
static bool
choose(struct collapse *c, struct collapse_event *e)
{
	uint32_t id = (uint32_t)(e - c->events);

	if (c->options->event || c->options->columns[1].n ||
		(c->chosen && c->chosen <= id))
		return false;
	if (c->chosen)
		collapse_forget(c);
	c->chosen = id + 1;
	e->wanted = true;
	return true;
}

/* Whether TIME is before M, which may be relative to FIRST_TIME. */
static bool
is_before(uint64_t time, uint64_t first_time, const struct collapse_moment *m)
{
	if (m->absolute)
		return time < m->ns;
	return time < first_time || time - first_time < m->ns;
}

bool
collapse_needs_times(const struct collapse *c)
{
	return c->options->from.given || c->options->to.given ||
		collapse_has_root(c, COLLAPSE_TIME);
}

/* Whether S is between --from and --to, and has a time if --by time needs it; counts it
 * if not. */
static bool
is_in_time(struct collapse *c, const struct collapse_sample *s)
{
	const struct collapse_options *o = c->options;

	if (!collapse_needs_times(c))
		return true;
	if (!s->has_time) {
		c->timeless += collapse_count_of(s);
		c->losses[COLLAPSE_TIMELESS] += collapse_count_of(s);
		return false;
	}
	if (!(o->from.given && is_before(s->time, c->first_time, &o->from)) &&
		!(o->to.given && !is_before(s->time, c->first_time, &o->to)))
		return true;
	c->off_time += collapse_count_of(s);
	return false;
}

bool
collapse_wants(struct collapse *c, const struct collapse_sample *s)
{
	struct collapse_event *e = collapse_find_event(c, s->event);

	e->samples += collapse_count_of(s);
	if (s->has_time && !c->has_first_time) {
		c->first_time = s->time;
		c->has_first_time = true;
	}
	if (!e->wanted && !choose(c, e))
		return false;
	return is_in_time(c, s);
}
