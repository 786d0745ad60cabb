/* SPDX-License-Identifier: ISC */
/* The closing line; see record-summary.h. */
#include "record-summary.h"
#include "amount.h"
#include "msg.h"

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
		amount_put(b, e->total, 0, 1, STR("ns"));
	else
		amount_put_count(b, e->total);
}

static void
put_counts(struct buf *b, uint64_t samples, uint64_t lost)
{
	amount_put_count(b, samples);
	buf_str(b, samples == 1 ? STR(" sample, ") : STR(" samples, "));
	amount_put_count(b, lost);
	buf_str(b, STR(" lost"));
}

void
record_summary_progress(uint64_t ns, uint64_t samples, uint64_t lost)
{
	struct buf text = { 0 };

	if (!msg_progress_due())
		return;
	buf_fmt(&text, "%llu s, ", (unsigned long long)((ns + 500000000) / 1000000000));
	put_counts(&text, samples, lost);
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

	amount_put(b, s->ns, 0, 1, STR("ns"));
	buf_str(b, STR(", "));
	put_counts(b, s->samples, s->lost);
	for (i = 0; i < s->n; i++) {
		buf_str(b, i ? STR(", ") : STR("; "));
		put_event(b, &s->events[i]);
	}
	if (cycles && instructions && cycles->total)
		buf_fmt(b, ", IPC %.2f",
			(double)instructions->total / (double)cycles->total);
}

void
record_summary_print_full(uint64_t full, uint64_t copies)
{
	struct buf text = { 0 };

	if (!full)
		return;
	amount_put_count(&text, full);
	buf_str(&text, STR(" of "));
	amount_put_count(&text, copies);
	buf_str(&text,
		copies == 1 ? STR(" stack copy was full")
			    : STR(" stack copies were full"));
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}
