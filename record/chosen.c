/* SPDX-License-Identifier: ISC */
/* What was chosen; see chosen.h. */
#include "chosen.h"
#include "amount.h"
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
chosen_print_stacks(const struct record_options *set)
{
	struct buf text = { 0 };

	buf_str(&text, STR("stacks "));
	if (set->stack_bytes) {
		buf_str(&text, STR("by copies of up to "));
		amount_put_count(&text, set->stack_bytes);
		buf_str(&text, STR(" bytes"));
	}
	buf_str(&text, str_of(way_of(set)));
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}

static void
put_rate(struct buf *b, const struct session_event *e)
{
	uint64_t n = e->attr.freq ? e->attr.sample_freq : e->attr.sample_period;

	buf_str(b, buf_view(&e->name));
	if (e->attr.freq) {
		buf_char(b, ' ');
		amount_put_count(b, n);
		buf_str(b, STR(" times a second"));
	} else if (n > 1) {
		buf_str(b, STR(" every "));
		amount_put_count(b, n);
	} else {
		buf_str(b, n ? STR(" each time") : STR(" (counted)"));
	}
}

static void
print_events(const struct session *s)
{
	struct buf text = { 0 };
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->events[i].role == PERF_ATTR_TRACKS)
			continue;
		buf_str(&text, i ? STR(", ") : STR("sampling "));
		put_rate(&text, &s->events[i]);
	}
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}

void
chosen_print(const struct session *s)
{
	struct buf text = { 0 };

	print_events(s);
	chosen_print_stacks(&s->set);
	buf_str(&text, STR("a ring buffer of "));
	amount_put(&text, s->set.ring_bytes, 0, 1, STR("bytes"));
	if (s->cpus.n == 1)
		buf_str(&text, STR(" for one processor"));
	else
		buf_fmt(&text, " for each of %zu processors", s->cpus.n);
	if (s->set.ring_bytes < s->ring_wanted)
		buf_str(&text,
			STR(": no more may be locked "
			    "(/proc/sys/kernel/perf_event_mlock_kb, ulimit -l)"));
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}
