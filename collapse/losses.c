/* SPDX-License-Identifier: ISC */
/* Header and messages of a collapsed profile; see report.h. */
#include "losses.h"
#include "diagnosis.h"
#include "event.h"
#include "msg.h"

#include <inttypes.h>

/* So many events are named in a message. */
enum { LISTED = 12 };

static struct str
event_name(const struct collapse *c, uint32_t id)
{
	struct str name = intern_str(&c->event_names, id);

	return name.n ? name : STR("[no event]");
}

/* Whether event ID has samples that are WANTED, or are not. */
static bool
is_among(const struct collapse *c, uint32_t id, bool wanted)
{
	return c->events[id].samples && c->events[id].wanted == wanted;
}

/* The names of the events that are wanted, or are not, joined by commas; an event
 * may have none. */
static void
put_events(struct buf *b, const struct collapse *c, bool wanted)
{
	uint32_t id, n = 0;
	struct str name;

	for (id = 0; id < c->event_names.n; id++) {
		name = intern_str(&c->event_names, id);
		if (!is_among(c, id, wanted) || !name.n)
			continue;
		if (n++)
			buf_char(b, ',');
		buf_str(b, name);
	}
}

/* The same for a message: each with the number of its samples, the first ones
 * only when they are many. Returns how many there are. */
static uint32_t
list_events(struct buf *b, const struct collapse *c, bool wanted)
{
	uint32_t id, n = 0;

	for (id = 0; id < c->event_names.n; id++) {
		if (!is_among(c, id, wanted) || n++ >= LISTED)
			continue;
		buf_str(b, b->n ? STR(", ") : STR(""));
		buf_str(b, event_name(c, id));
		buf_fmt(b, " (%" PRIu64 ")", c->events[id].samples);
	}
	if (n > LISTED)
		buf_fmt(b, " and %" PRIu32 " more", n - LISTED);
	return n;
}

/* What the header says of two columns. */
static void
tell_columns(struct collapse *c)
{
	struct buf names = { 0 };

	buf_str(&names, c->options->columns[0]);
	buf_char(&names, ',');
	buf_str(&names, c->options->columns[1]);
	folded_info_set(&c->info, "ratio", buf_view(&names));
	folded_info_set_u64(&c->info, "samples-before", c->column_samples[0]);
	folded_info_set_u64(&c->info, "samples", c->column_samples[1]);
	buf_release(&names);
}

/* What a weight counts: nanoseconds, the event, or samples. Nothing when there
 * are several events. */
static struct str
find_unit(const struct collapse *c)
{
	struct str unit = { 0 }, this, name;
	uint32_t id;

	if (!c->has_period)
		return STR("samples");
	if (c->unit.n)
		return c->mixed ? unit : c->unit;
	for (id = 0; id < c->event_names.n; id++) {
		name = intern_str(&c->event_names, id);
		if (!is_among(c, id, true))
			continue;
		this = event_is_clock(name) ? STR("ns") : event_plain(name);
		if (unit.n && !str_eq(unit, this))
			return (struct str){ 0 };
		unit = this;
	}
	return unit;
}

/* How good the stacks are, when the formats say it. */
static void
tell_quality(struct collapse *c)
{
	struct buf b = { 0 };
	struct quality q;

	if (diagnosis_quality(c, &q))
		quality_put(&b, &q, c->tree.sum[0]);
	folded_info_set(&c->info, "stacks", buf_view(&b));
	buf_release(&b);
}

void
losses_header(struct collapse *c)
{
	struct buf events = { 0 };

	folded_info_set(&c->info, "unit", find_unit(c));
	if (!c->exact)
		folded_info_set_u64(&c->info, "samples", c->samples);
	if (c->event_names.n > 1 ||
		(c->event_names.n && intern_str(&c->event_names, 0).n))
		put_events(&events, c, true);
	folded_info_set(&c->info, "event", buf_view(&events));
	if (c->tree.columns > 1)
		tell_columns(c);
	if (c->lost)
		folded_info_set_u64(&c->info, "lost", c->lost);
	tell_quality(c);
	buf_release(&events);
}

static void
tell_events(const struct collapse *c)
{
	struct buf folded = { 0 }, others = { 0 };
	uint32_t left = list_events(&others, c, false);
	struct str first;

	list_events(&folded, c, true);
	if (c->chosen > 1) {
		first = event_name(c, 0);
		msg_warn("the first event, %.*s, has no samples; folded %s%s%s",
			(int)first.n, first.s, buf_cstr(&folded),
			left ? "; left out " : "", buf_cstr(&others));
	} else if (c->chosen && left) {
		msg_warn("folded the first event, %s; left out %s: choose with "
			 "--event-filter NAME, or '*' for all",
			buf_cstr(&folded), buf_cstr(&others));
	}
	buf_release(&folded);
	buf_release(&others);
}

/* Whether many samples of C have no stack, and nothing else says that they need call chains. */
static bool
lacks_chains(const struct collapse *c)
{
	enum { TENTH = 10 };

	return c->perf && c->losses[COLLAPSE_NO_STACK] > c->samples / (TENTH - 1) &&
		!diagnosis_asks_for_chains(c);
}

/* What was skipped, in one line: how many of each kind, and what helps. */
static void
put_losses(struct buf *b, const struct collapse *c)
{
	static const struct {
		const char *one, *many;
	} kinds[COLLAPSE_LOSSES] = {
		[COLLAPSE_NO_STACK] = { "sample without a stack",
			"samples without a stack" },
		[COLLAPSE_MALFORMED] = { "malformed part", "malformed parts" },
		[COLLAPSE_DAMAGED] = { "damaged record", "damaged records" },
		[COLLAPSE_NEGATIVE] = { "sample with a weight below 0",
			"samples with a weight below 0" },
		[COLLAPSE_OVERFLOW] = { "sample whose weight overflows 64 bits",
			"samples whose weight overflows 64 bits" },
		[COLLAPSE_TIMELESS] = { "sample without a time for --from and --to",
			"samples without a time for --from and --to" },
	};
	const char *one, *many;
	int i;

	for (i = 0; i < COLLAPSE_LOSSES; i++) {
		if (!c->losses[i])
			continue;
		one = kinds[i].one;
		many = kinds[i].many;
		if (c->perf && i == COLLAPSE_MALFORMED) {
			one = "malformed line";
			many = "malformed lines";
		}
		buf_fmt(b, "%s%" PRIu64 " %s", b->n ? ", " : "", c->losses[i],
			c->losses[i] == 1 ? one : many);
		if (i == COLLAPSE_NO_STACK && lacks_chains(c))
			buf_str(b, STR(" (record with perf record -g)"));
	}
}

/* Sums up a profile that gave stacks: what could not be used, in one line. */
static void
tell_losses(const struct collapse *c)
{
	struct buf b = { 0 }, losses = { 0 };

	put_losses(&losses, c);
	if (losses.n)
		buf_fmt(&b, "folded %" PRIu64 " sample%s; skipped %s", c->samples,
			msg_s(c->samples), buf_cstr(&losses));
	if (c->lost) {
		buf_str(&b, b.n ? STR("; ") : STR(""));
		buf_fmt(&b, "the recorder lost %" PRIu64 " sample%s%s", c->lost,
			msg_s(c->lost), losses.n ? " more" : "");
	}
	diagnosis_put(&b, c);
	if (b.n)
		msg_warn("%s", buf_cstr(&b));
	buf_release(&losses);
	buf_release(&b);
}

/* An event that was asked for and is not in the input, or nothing. */
static struct str
missing_event(const struct collapse *c)
{
	bool found[TREE_COLUMNS] = { false }, any = false;
	uint32_t id;
	int i;

	for (id = 0; id < c->event_names.n; id++) {
		found[c->events[id].column] |= is_among(c, id, true);
		any |= c->events[id].samples > 0;
	}
	for (i = 0; i < c->tree.columns; i++)
		if (!found[i] && any)
			return c->tree.columns > 1 ? c->options->columns[i]
						   : str_of(c->options->event);
	return (struct str){ 0 };
}

/* Whether an event that NAME means was recorded, though no sample of it came. */
static bool
was_recorded(const struct collapse *c, struct str name)
{
	uint32_t id;

	for (id = 0; id < c->event_names.n; id++)
		if (event_matches(intern_str(&c->event_names, id), name))
			return true;
	return false;
}

/* Says why nothing was folded. */
static void
tell_nothing(const struct collapse *c)
{
	struct str missing = missing_event(c);
	struct buf b = { 0 };

	put_losses(&b, c);
	if (missing.n) {
		buf_clear(&b);
		list_events(&b, c, true);
		list_events(&b, c, false);
		msg_error(was_recorded(c, missing)
				? "the event %.*s has no samples; the input has %s"
				: "no event is called %.*s; the input has %s",
			(int)missing.n, missing.s, buf_cstr(&b));
	} else if (c->off_time) {
		msg_error("no sample of %" PRIu64 " is between --from and --to",
			c->off_time);
	} else if (b.n) {
		msg_error("nothing folded; skipped %s", buf_cstr(&b));
	} else {
		msg_error("no sample in the input");
	}
	buf_release(&b);
}

int
losses_report(const struct collapse *c, bool strict)
{
	int i, lost = 0;

	if (!c->samples || missing_event(c).n) {
		tell_nothing(c);
		return MSG_NO;
	}
	tell_events(c);
	tell_losses(c);
	for (i = 0; i < COLLAPSE_LOSSES; i++)
		lost |= c->losses[i] > 0;
	return strict && lost ? MSG_NO : MSG_DONE;
}
