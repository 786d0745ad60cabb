/* SPDX-License-Identifier: ISC */
/* What is said of a recording; see record-summary.h. */
#include "record-summary.h"
#include "units.h"
#include "msg.h"

static const char *
way_of(const struct record_options *set)
{
	switch (set->stacks) {
	case RECORD_FP: return "by frame pointers";
	case RECORD_LBR: return "by the processor's record of branches";
	case RECORD_NONE: return "not recorded";
	case RECORD_DWARF: return "";
	case RECORD_AUTO: break;
	}
	return ", and by frame pointers";
}

void
record_summary_print_stacks(const struct record_options *set)
{
	struct buf text = { 0 };

	buf_str(&text, STR("stacks "));
	if (set->stack_bytes) {
		buf_str(&text, STR("by copies of up to "));
		units_put_count(&text, set->stack_bytes);
		buf_str(&text, STR(" bytes"));
	}
	buf_str(&text, str_of(way_of(set)));
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}

static void
put_rate(struct buf *b, const struct stream_event *e)
{
	uint64_t n = e->attr->freq ? e->attr->sample_freq : e->attr->sample_period;

	buf_str(b, e->name);
	if (e->attr->freq) {
		buf_char(b, ' ');
		units_put_count(b, n);
		buf_str(b, STR(" times a second"));
	} else if (n > 1) {
		buf_str(b, STR(" every "));
		units_put_count(b, n);
	} else {
		buf_str(b, n ? STR(" each time") : STR(" (counted)"));
	}
}

void
record_summary_print_events(const struct stream_event *events, size_t n)
{
	struct buf text = { 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		buf_str(&text, i ? STR(", ") : STR("sampling "));
		put_rate(&text, &events[i]);
	}
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}

void
record_summary_print_rings(uint64_t bytes, uint64_t wanted, size_t cpus)
{
	struct buf text = { 0 };

	buf_str(&text, STR("a ring buffer of "));
	units_put(&text, bytes, 0, 1, STR("bytes"));
	if (cpus == 1)
		buf_str(&text, STR(" for one processor"));
	else
		buf_fmt(&text, " for each of %zu processors", cpus);
	if (bytes < wanted)
		buf_str(&text,
			STR(": no more may be locked "
			    "(/proc/sys/kernel/perf_event_mlock_kb, ulimit -l)"));
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}

/* A name without its modifiers. */
static struct str
plain(struct str name)
{
	return str_cut(&name, ':');
}

/* The first event called NAME or ALIAS, or NULL. */
static const struct record_summary_event *
find(const struct record_summary *s, struct str name, struct str alias)
{
	struct str own;
	size_t i;

	for (i = 0; i < s->n; i++) {
		own = plain(s->events[i].name);
		if (str_eq(own, name) || str_eq(own, alias))
			return &s->events[i];
	}
	return NULL;
}

static void
put_event(struct buf *b, const struct record_summary_event *e)
{
	buf_str(b, e->name);
	buf_char(b, ' ');
	if (e->is_time)
		units_put(b, e->total, 0, 1, STR("ns"));
	else
		units_put_count(b, e->total);
}

static void
put_counts(struct buf *b, const struct record_summary *s)
{
	units_put_count(b, s->samples);
	buf_str(b, s->samples == 1 ? STR(" sample, ") : STR(" samples, "));
	units_put_count(b, s->lost);
	buf_str(b, STR(" lost"));
}

void
record_summary_progress(const struct record_summary *s, uint64_t ns)
{
	struct buf text = { 0 };

	if (!msg_progress_due())
		return;
	buf_fmt(&text, "%llu s, ", (unsigned long long)((ns + 500000000) / 1000000000));
	put_counts(&text, s);
	msg_progress("%s", buf_cstr(&text));
	buf_release(&text);
}

void
record_summary_put(struct buf *b, const struct record_summary *s)
{
	const struct record_summary_event *cycles =
		find(s, STR("cycles"), STR("cpu-cycles"));
	const struct record_summary_event *instructions =
		find(s, STR("instructions"), STR("instructions"));
	size_t i;

	units_put(b, s->ns, 0, 1, STR("ns"));
	buf_str(b, STR(", "));
	put_counts(b, s);
	for (i = 0; i < s->n; i++) {
		buf_str(b, i ? STR(", ") : STR("; "));
		put_event(b, &s->events[i]);
	}
	if (cycles && instructions && cycles->total)
		buf_fmt(b, ", IPC %.2f",
			(double)instructions->total / (double)cycles->total);
}

void
record_summary_print_full(const struct record_summary *s)
{
	struct buf text = { 0 };

	if (!s->full)
		return;
	units_put_count(&text, s->full);
	buf_str(&text, STR(" of "));
	units_put_count(&text, s->copies);
	buf_str(&text,
		s->copies == 1 ? STR(" stack copy was full")
			       : STR(" stack copies were full"));
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}
