/* SPDX-License-Identifier: ISC */
/* Waits by the scheduler's tracepoints; see off-cpu.h. */
#include "off-cpu.h"
#include "mem.h"

void
off_cpu_release(struct off_cpu *o)
{
	intern_release(&o->threads);
	free(o->waits);
	*o = (struct off_cpu){ 0 };
}

struct off_cpu_wait *
off_cpu_of(struct off_cpu *o, struct str thread)
{
	uint32_t id = intern_id(&o->threads, thread);

	return MEM_AT(o->waits, o->cap, id);
}

uint64_t
off_cpu_count(const struct off_cpu *o)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < o->cap; i++)
		n += o->waits[i].node != 0;
	return n;
}

/* The word behind the last KEY, "prev_pid=", in TEXT: thread names before it may
 * contain KEY. */
static struct str
find_field(struct str text, struct str key)
{
	struct str rest = text, found = { 0 };
	size_t at;

	while (at = str_search(rest, key), at < rest.n) {
		rest = str_from(rest, at + key.n);
		found = rest;
	}
	return str_word(&found);
}

/* Returns the thread in TEXT, "work:2346 [120] S", as older versions of perf print it.
 * Sets *STATE. */
static struct str
cut_old(struct str text, struct str *state)
{
	size_t open = str_rfind(text, '['), colon;

	*state = str_from(text, open);
	(void)str_cut(state, ']');
	*state = str_trim(*state);
	text = str_trim(str_head(text, open));
	colon = str_rfind(text, ':');
	return colon < text.n ? str_from(text, colon + 1) : (struct str){ 0 };
}

static bool
is_thread(struct str text)
{
	uint64_t n;

	return str_to_u64(text, &n);
}

/* "prev_comm=work prev_pid=2346 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0
 * next_prio=120" */
static bool
read_switch(struct str text, struct off_cpu_news *news)
{
	struct str arrow = STR(" ==> "), left, right, state, none;
	size_t at = str_search(text, arrow);

	left = str_head(text, at);
	right = str_from(text, at + arrow.n);
	news->left = find_field(left, STR("prev_pid="));
	news->back = find_field(right, STR("next_pid="));
	state = find_field(left, STR("prev_state="));
	if (!news->left.n) {
		news->left = cut_old(left, &state);
		news->back = cut_old(right, &none);
	}
	/* "R", or "R+" for a preempted thread. */
	news->waits = state.n && state.s[0] != 'R';
	return is_thread(news->left) && is_thread(news->back);
}

/* "comm=work pid=2346 delay=100078421 [ns]" */
static bool
read_delay(struct str text, struct off_cpu_news *news)
{
	news->back = find_field(text, STR(" pid="));
	news->has_delay = true;
	return is_thread(news->back) &&
		str_to_u64(find_field(text, STR(" delay=")), &news->delay);
}

bool
off_cpu_read(struct str event, struct str text, struct off_cpu_news *news)
{
	*news = (struct off_cpu_news){ .waits = false };
	if (str_eq(event, STR("sched:sched_switch")))
		return read_switch(text, news);
	if (str_eq(event, STR("sched:sched_stat_sleep")) ||
		str_eq(event, STR("sched:sched_stat_blocked")) ||
		str_eq(event, STR("sched:sched_stat_iowait")))
		return read_delay(text, news);
	return false;
}
