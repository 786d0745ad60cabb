/* SPDX-License-Identifier: ISC */
/*
 * Recording by perf events: writes records of processes that run already, then copies
 * the rings of a session (perf-session.h), and at the end reads the counters for the
 * totals of all events.
 */
#define _GNU_SOURCE
#include "msg.h"
#include "perf-session.h"
#include "recorder.h"
#include "runtimes.h"
#include "stats.h"
#include "target.h"
#include "units.h"

#include <sys/ioctl.h>
#include <unistd.h>

/* More than the values of the largest group: the kernel limits a record and these values to
 * 16 KiB together (perf_event_validate_size). */
enum { READ_MOST = 16384 / sizeof(uint64_t) };

/* How often rings are read with --copy-files, in ns: the files of short-lived processes
 * disappear with them. */
enum { COPYING = 10000000 };

/* A smaller ratio comes from how times are measured, not from sharing. */
static const double MULTIPLEXED = 1.02;

static void
control(const struct perf_event *e, unsigned long request)
{
	size_t k;

	for (k = 0; k < e->n; k++)
		ioctl(e->counters[k].fd, request, 0);
}

/* Controls all events; members follow their leader. */
static void
control_all(struct perf_session *s, unsigned long request)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->events[i].leader == i)
			control(&s->events[i], request);
}

/* The values of one counter, in the order of perf_event_open(2), "Reading results". A
 * group has the values of all members, each with its id. */
struct reading {
	uint64_t value, enabled, running, lost;
};

static bool
pick(struct reading *r, const uint64_t *v, size_t n, const struct perf_counter *c)
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
read_counter(struct reading *r, const struct perf_event *e, const struct perf_counter *c)
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

/* The time that an event was enabled, relative to the time that it ran while sharing a
 * counter. A thread's event is enabled on all processors at once, but runs only on the
 * thread's: for a subset of processors, the ratio is unknown. */
static double
scale(const struct perf_session *s, const struct reading *sum)
{
	double times = s->set.all ? 1 : (double)s->cpus.n, ratio;

	if (!sum->running || (!s->set.all && s->set.cpus))
		return 1;
	ratio = (double)sum->enabled / times / (double)sum->running;
	return ratio > MULTIPLEXED ? ratio : 1;
}

/* The sum of all counters of E. VALUE is scaled up if E did not run all the time. */
static struct reading
total_of(const struct perf_session *s, const struct perf_event *e)
{
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
		sum.value = stats_floor((double)sum.value * factor);
	return sum;
}

static int
next_fd(const struct perf_session *s, size_t cpu, int fd)
{
	const struct perf_event *e;
	bool passed = false;
	size_t i, k;

	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		for (k = 0; k < e->n; k++) {
			if (e->counters[k].cpu != cpu)
				continue;
			if (passed)
				return e->counters[k].fd;
			passed = e->counters[k].fd == fd;
		}
	}
	return -1;
}

/* Returns the events for the header. The caller frees the result and *IDS. */
static struct stream_event *
describe(const struct perf_session *s, uint64_t **ids)
{
	struct stream_event *list = mem_zero(s->n, sizeof *list);
	const struct perf_event *e;
	size_t i, k, n = 0;

	for (i = 0; i < s->n; i++)
		n += s->events[i].n;
	*ids = mem_alloc(n * sizeof **ids);
	for (n = i = 0; i < s->n; i++) {
		e = &s->events[i];
		list[i] = (struct stream_event){ .attr = &e->attr,
			.name = buf_view(&e->name),
			.ids = *ids + n,
			.n = e->n };
		for (k = 0; k < e->n; k++)
			(*ids)[n++] = e->counters[k].id;
		if (s->events[e->leader].role == PERF_ATTR_LEADER)
			list[e->leader].members++;
	}
	return list;
}

/* How often E is sampled. */
static void
put_rate(struct buf *b, struct perf_event *e)
{
	uint64_t n = e->attr.freq ? e->attr.sample_freq : e->attr.sample_period;

	buf_str(b, buf_view(&e->name));
	if (e->attr.freq) {
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

/* The size of the rings, and why it is smaller than wanted. */
static void
put_rings(struct buf *b, const struct perf_session *s)
{
	buf_str(b, STR("a ring buffer of "));
	units_put(b, s->set.ring_bytes, 0, 1, STR("bytes"));
	if (s->cpus.n == 1)
		buf_str(b, STR(" for one processor"));
	else
		buf_fmt(b, " for each of %zu processors", s->cpus.n);
	if (s->set.ring_bytes < s->ring_wanted)
		buf_str(b,
			STR(": locked memory is limited "
			    "(/proc/sys/kernel/perf_event_mlock_kb, ulimit -l)"));
}

static void
print_choices(const struct perf_session *s)
{
	struct buf text = { 0 };
	size_t i;

	for (i = 0; i < s->n - s->has_tracker; i++) {
		buf_str(&text, i ? STR(", ") : STR("sampling "));
		put_rate(&text, &s->events[i]);
	}
	msg_warn("%s", buf_cstr(&text));
	recorder_print_stacks(&s->set);
	buf_clear(&text);
	put_rings(&text, s);
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}

/* Lets pass poll the rings, and registers the samples with stack copies. */
static void
watch_rings(struct recorder *r, struct perf_session *s)
{
	const struct perf_event *e;
	size_t i, k;

	r->poll_n = s->cpus.n + 1;
	r->polls = mem_resize(r->polls, r->poll_n, sizeof *r->polls);
	for (i = 0; i < s->cpus.n; i++)
		r->polls[i + 1] =
			(struct pollfd){ .fd = s->rings[i].fd, .events = POLLIN };
	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		for (k = 0; k < e->n; k++)
			ring_stats_expect(&s->stats, &e->attr, e->counters[k].id);
	}
}

static bool
open_perf(struct recorder *r)
{
	struct perf_session *s = mem_zero(1, sizeof *s);

	r->own = s;
	s->set = *r->set;
	s->refusal = &r->refusal;
	s->stats.files = &r->files;
	s->stats.runtimes = s->set.runtimes;
	s->stats.binaries = r->copies;
	if (!perf_session_open(s, r->child.pid))
		return false;
	if (s->set.verbose)
		print_choices(s);
	watch_rings(r, s);
	s->since = stream_now();
	/* With --delay, only the records of maps and names start now. */
	if (!s->on_exec && s->has_tracker)
		control(&s->events[s->n - 1], PERF_EVENT_IOC_ENABLE);
	else if (!s->on_exec)
		control_all(s, PERF_EVENT_IOC_ENABLE);
	return true;
}

/* Adds records of processes that run already. */
static void
put_running(struct recorder *r, struct synth *synth)
{
	struct perf_session *s = r->own;
	size_t i;

	if (r->set->all)
		target_all(&s->processes);
	for (i = 0; i < s->processes.n; i++) {
		synth_process(synth, s->processes.items[i]);
		if (r->out.n > RECORDER_CHUNK)
			recorder_flush(r);
	}
}

static struct synth
synth_at(struct recorder *r, uint64_t time)
{
	const struct perf_session *s = r->own;

	return (struct synth){ .root = "",
		.time = time,
		.id = s->events[0].counters[0].id,
		.data = s->set.stack_bytes > 0,
		.files = &r->files,
		.copies = r->copies,
		.out = &r->out };
}

static void
put_head(struct recorder *r)
{
	const struct perf_session *s = r->own;
	struct synth synth = synth_at(r, s->since);
	uint64_t *ids;
	struct stream_event *events = describe(s, &ids);
	size_t i;

	stream_put_header(&r->out,
		&(struct stream_header){ events, s->n, s->set.argv, s->set.argc });
	for (i = 0; i < s->n; i++)
		synth.id_in_maps = synth.id_in_maps || s->events[i].attr.build_id;
	if (!s->level.no_kernel && !s->set.user_only)
		synth_kernel(&synth);
	put_running(r, &synth);
	recorder_flush(r);
	if (r->copies)
		r->due = stream_now();
	free(events);
	free(ids);
}

static void
begin_samples(struct recorder *r)
{
	control_all(r->own, PERF_EVENT_IOC_ENABLE);
}

/* Writes the contents of RING piece by piece, so that the kernel soon has room again.
 * Returns whether there was anything. */
static bool
drain(struct recorder *r, struct ring *ring)
{
	struct perf_session *s = r->own;
	struct ring_content c = ring_content(ring);
	struct ring_record record;
	size_t given = 0;

	record.at = record.h.size = 0;
	while (ring_next(&c, &record)) {
		ring_stats_add(&s->stats, &record, &r->out);
		if (r->out.n < RECORDER_CHUNK)
			continue;
		recorder_flush(r);
		ring_release(ring, record.at + record.h.size - given);
		given = record.at + record.h.size;
	}
	recorder_flush(r);
	/* A malformed record hides those behind it. */
	s->stats.lost += record.at < c.part[0].n + c.part[1].n;
	ring_release(ring, c.part[0].n + c.part[1].n - given);
	return record.at > 0;
}

/* Makes one pass over all rings. Its records are older than any record behind the next
 * pass. */
static void
drain_all(struct recorder *r)
{
	struct perf_session *s = r->own;
	struct pollfd *p;
	bool any = false;
	size_t i;

	for (i = 0; i < s->cpus.n; i++) {
		any |= drain(r, &s->rings[i]);
		/* poll reports a ring forever once its thread has ended: use another
		 * descriptor of the ring. */
		p = &r->polls[i + 1];
		if (p->revents & (POLLHUP | POLLERR))
			p->fd = next_fd(s, i, p->fd);
		p->revents = 0;
	}
	r->sum.samples = s->stats.samples;
	r->sum.lost = s->stats.lost;
	if (r->copies && !r->ended)
		r->due = stream_now() + COPYING;
	if (!any)
		return;
	stream_put_round(&r->out);
	recorder_flush(r);
}

static bool
any_lives(struct recorder *r)
{
	const struct record_options *set = r->set;
	size_t i;

	if (r->child.pid)
		return !recorder_child_ended(r);
	for (i = 0; i < set->pids.n; i++)
		if (target_process_lives(set->pids.items[i]))
			return true;
	for (i = 0; i < set->tids.n; i++)
		if (target_thread_lives(set->tids.items[i]))
			return true;
	return set->all;
}

static void
end_samples(struct recorder *r)
{
	control_all(r->own, PERF_EVENT_IOC_DISABLE);
}

/* Computes the totals of all events, and the number of LOST samples. */
static void
sum_up(struct recorder *r, uint64_t *lost)
{
	struct perf_session *s = r->own;
	const struct perf_event *e;
	struct reading total;
	size_t i;

	*lost = 0;
	r->sum.events = mem_zero(s->n, sizeof *r->sum.events);
	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		total = total_of(s, e);
		*lost += total.lost;
		if (e->role == PERF_ATTR_TRACKS)
			continue;
		r->sum.events[r->sum.n++] =
			(struct recorder_total){ .name = buf_view(&e->name),
				.total = total.value,
				.is_time = e->attr.type == PERF_TYPE_SOFTWARE &&
					e->attr.config <= PERF_COUNT_SW_TASK_CLOCK };
	}
}

static void
put_tail(struct recorder *r)
{
	struct perf_session *s = r->own;
	struct synth synth = synth_at(r, r->ended);
	uint64_t lost;

	sum_up(r, &lost);
	if (!r->stream.failed) {
		drain_all(r);
		/* Only the counters include samples lost after the last record that got
		 * through. */
		if (lost > r->sum.lost) {
			synth_lost(&synth, lost - r->sum.lost);
			r->sum.lost = lost;
		}
		synth_put_build_ids(&r->out, &r->files);
		stream_put_round(&r->out);
	}
	r->sum.copies = s->stats.copies;
	r->sum.full = s->stats.full;
}

static void
close_perf(struct recorder *r)
{
	perf_session_release(r->own);
	free(r->sum.events);
	free(r->own);
}

const struct recorder_method perf_method = {
	.open = open_perf,
	.head = put_head,
	.sample = begin_samples,
	.pass = drain_all,
	.lives = any_lives,
	.stop = end_samples,
	.tail = put_tail,
	.close = close_perf,
};
