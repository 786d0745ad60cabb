/* SPDX-License-Identifier: ISC */
/* What events came to; see perf-events.h. */
#include "perf-events.h"

#include <unistd.h>

enum { READ_MOST = 512 };

/* Less than this is how times are taken, no sharing. */
static const double MULTIPLEXED = 1.02;

/* The values of one counter, in the order of perf_event_open(2), "Reading results":
 * with groups those of all members, told apart by their ids. */
struct reading {
	uint64_t value, enabled, running, lost;
};

static bool
pick(struct reading *r, const uint64_t *v, size_t n, const struct session_counter *c)
{
	size_t i;

	if (n < 3 || v[0] > (n - 3) / 2)
		return false;
	r->enabled = v[1];
	r->running = v[2];
	for (i = 0; i < v[0]; i++) {
		if (v[3 + 2 * i + 1] != c->id)
			continue;
		r->value = v[3 + 2 * i];
		return true;
	}
	return false;
}

static bool
read_counter(
	struct reading *r, const struct session_event *e, const struct session_counter *c)
{
	uint64_t v[READ_MOST] = { 0 };
	ssize_t got = read(c->fd, v, sizeof v);
	size_t n = got > 0 ? (size_t)got / sizeof *v : 0;

	*r = (struct reading){ 0 };
	if (e->attr.read_format & PERF_FORMAT_GROUP)
		return pick(r, v, n, c);
	if (n < 4)
		return false;
	*r = (struct reading){ v[0], v[1], v[2], n > 4 ? v[4] : 0 };
	return true;
}

/* How much longer than it ran an event would have run, had it not shared a counter
 * with others. That of a thread is enabled on all processors at once, and runs on the
 * one where the thread is: the part of only some processors cannot be told. */
static double
scale(const struct session *s, const struct reading *sum)
{
	double times = s->set.all ? 1 : (double)s->cpus.n, ratio;

	if (!sum->running || (!s->set.all && s->set.cpus))
		return 1;
	ratio = (double)sum->enabled / times / (double)sum->running;
	return ratio > MULTIPLEXED ? ratio : 1;
}

struct event_totals
event_totals(const struct session *s, size_t i)
{
	const struct session_event *e = &s->events[i];
	struct reading r, sum = { 0 };
	double factor;
	size_t k;

	for (k = 0; k < e->n; k++) {
		if (!read_counter(&r, e, &e->counters[k]))
			continue;
		sum.value += r.value;
		sum.enabled += r.enabled;
		sum.running += r.running;
		sum.lost += r.lost;
	}
	factor = scale(s, &sum);
	if (factor > 1)
		sum.value = (uint64_t)((double)sum.value * factor);
	return (struct event_totals){
		.value = sum.value, .lost = sum.lost, .scaled = factor > 1
	};
}
