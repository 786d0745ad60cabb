/* SPDX-License-Identifier: ISC */
/* Reports losses, as messages and as an exit status; see losses.h. */
#include "losses.h"
#include "budget.h"
#include "diagnosis.h"
#include "event.h"
#include "msg.h"
#include "sink.h"

#include <inttypes.h>

/* The most events named in a message. */
enum { LISTED = 12 };

static struct str
name_of(const struct collapse *c, uint32_t id)
{
	struct str name = intern_str(&c->event_names, id);

	return name.n ? name : STR("[no event]");
}

/* Lists the events with samples that are WANTED, or those that are not: names and numbers
 * of samples, at most LISTED. Returns how many there are. */
static uint32_t
list_events(struct buf *b, const struct collapse *c, bool wanted)
{
	uint32_t id, n = 0;

	for (id = 0; id < c->event_names.n; id++) {
		if (!collapse_event_has_samples(c, id, wanted) || n++ >= LISTED)
			continue;
		buf_str(b, b->n ? STR(", ") : STR(""));
		buf_str(b, name_of(c, id));
		buf_fmt(b, " (%" PRIu64 ")", c->events[id].samples);
	}
	if (n > LISTED)
		buf_fmt(b, " and %" PRIu32 " more", n - LISTED);
	return n;
}

static void
report_events(const struct collapse *c)
{
	struct buf folded = { 0 }, others = { 0 };
	uint32_t left = list_events(&others, c, false);
	struct str first;

	list_events(&folded, c, true);
	/* Metrics are reported with the input. */
	if (c->chosen && collapse_event_is_metric(c, c->chosen - 1)) {
		buf_clear(&folded);
	} else if (c->chosen > 1) {
		first = name_of(c, 0);
		msg_warn("the first event, %.*s, has no samples; folded %s%s%s",
			(int)first.n, first.s, buf_cstr(&folded),
			left ? "; left out " : "", buf_cstr(&others));
	} else if (c->chosen && left) {
		msg_warn("folded the first event, %s; left out %s; choose with "
			 "--event-filter NAME, or '*' for all",
			buf_cstr(&folded), buf_cstr(&others));
	}
	buf_release(&folded);
	buf_release(&others);
}

/* Whether many samples of C have no stack, and the diagnosis does not ask for call
 * chains. */
static bool
lacks_chains(const struct collapse *c)
{
	enum { TENTH = 10 };

	return c->perf && c->losses[COLLAPSE_NO_STACK] > c->samples / (TENTH - 1) &&
		!diagnosis_asks_for_chains(c);
}

/* Adds the losses, in one line: the number of each kind, and advice. */
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
			buf_str(b, STR(" (record with perf record --call-graph dwarf)"));
	}
}

/* Summarises a profile that has stacks, and its losses, in one line. */
static void
report_losses(const struct collapse *c)
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

/* A requested event that is not in the input; empty if all are. */
static struct str
missing_event(const struct collapse *c)
{
	bool found[TREE_COLUMNS] = { false }, any = false;
	uint32_t id;
	int i;

	for (id = 0; id < c->event_names.n; id++) {
		found[c->events[id].column] |= collapse_event_has_samples(c, id, true);
		any |= c->events[id].samples > 0;
	}
	for (i = 0; i < c->tree.columns; i++)
		if (!found[i] && any)
			return c->tree.columns > 1 ? c->options->columns[i]
						   : str_of(c->options->event);
	return (struct str){ 0 };
}

/* Whether an event that matches NAME was recorded, even without samples. */
static bool
was_recorded(const struct collapse *c, struct str name)
{
	uint32_t id;

	for (id = 0; id < c->event_names.n; id++)
		if (event_matches(intern_str(&c->event_names, id), name))
			return true;
	return false;
}

/* Reports why nothing was folded. */
static void
report_nothing(const struct collapse *c)
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
				: "there is no event %.*s; the input has %s",
			(int)missing.n, missing.s, buf_cstr(&b));
	} else if (c->off_time) {
		msg_error("none of %" PRIu64 " samples is between --from and --to",
			c->off_time);
	} else if (b.n) {
		msg_error("nothing folded; skipped %s", buf_cstr(&b));
	} else {
		msg_error("no sample in the input");
	}
	buf_release(&b);
}

/* Reports the work that was given up for programs named in the input. Returns whether
 * there was any. */
static bool
report_budget(void)
{
	bool sections = budget_was_refused(BUDGET_SECTIONS);
	bool steps = budget_was_refused(BUDGET_STEPS);

	if (sections)
		msg_warn("names may be missing: a program %s",
			budget_why(BUDGET_SECTIONS));
	if (steps)
		msg_warn("stacks may be incomplete: unwinding %s",
			budget_why(BUDGET_STEPS));
	return sections || steps;
}

int
losses_report(const struct collapse *c, bool strict)
{
	bool lost = report_budget();
	int i;

	if (!c->samples || missing_event(c).n) {
		report_nothing(c);
		return MSG_NO;
	}
	report_events(c);
	report_losses(c);
	for (i = 0; i < COLLAPSE_LOSSES; i++)
		lost |= c->losses[i] > 0;
	return strict && lost ? MSG_NO : MSG_DONE;
}

bool
losses_check_times(const struct collapse *c, const char *format, const char *for_times)
{
	if (!c->timeless)
		return true;
	if (c->has_first_time) {
		msg_warn(
			"%s: skipping samples without a time, which --from, --to and --by "
			"time need",
			input_name(c->in));
		return true;
	}
	msg_error("%s: is %s, and its samples have no times for --from, --to and --by "
		  "time%s%s",
		input_name(c->in), format, for_times ? ": " : "",
		for_times ? for_times : "");
	return false;
}
