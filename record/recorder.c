/* SPDX-License-Identifier: ISC */
/* A recording from beginning to end; see recorder.h. */
#define _GNU_SOURCE
#include "recorder.h"
#include "child.h"
#include "stream-header.h"
#include "msg.h"
#include "record-put.h"
#include "runtimes.h"
#include "perf-events.h"
#include "signals.h"
#include "snapshot.h"
#include "stream.h"
#include "record-summary.h"
#include "synth.h"
#include "ring-stats.h"
#include "target.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Written at once, and only then given back to the kernel. */
enum { CHUNK = 256 * 1024 };
/* Rings wake us when they are a quarter full; nothing waits longer than this, so that
 * a reader sees something, and the end of a process that was attached is seen. */
enum { PASS_MS = 250 };

struct run {
	const struct record_options *set;
	struct session session;
	struct stream stream;
	struct child child;
	struct ring_stats stats;
	struct buildids buildids;
	struct snapshots snapshots;
	struct buf buf;
	struct pollfd *polls; /* the signals, then the rings */
	struct signals signals;
	uint64_t began, ended;
	bool sampling;	/* --delay is over */
	bool stop, cut; /* cut: --duration was over before the command */
};

/* Writes what ring R has, piece by piece, so that the kernel soon has room again. */
static void
drain(struct run *run, struct ring *ring, bool *any)
{
	struct ring_content c = ring_content(ring);
	struct ring_record r;
	size_t given = 0;

	r.at = r.h.size = 0;
	while (ring_next(&c, &r)) {
		*any = true;
		ring_stats_add(&run->stats, &r);
		snapshot_put(&run->snapshots, &c, &r, &run->buf);
		if (run->buf.n < CHUNK)
			continue;
		stream_flush(&run->stream, &run->buf);
		ring_release(ring, r.at + r.h.size - given);
		given = r.at + r.h.size;
	}
	stream_flush(&run->stream, &run->buf);
	/* What makes no sense, and hides what follows. */
	run->stats.lost += r.at < c.part[0].n + c.part[1].n;
	ring_release(ring, c.part[0].n + c.part[1].n - given);
}

/* One pass over all rings. What a pass has is older than all that comes after the next
 * one: this is what the mark at its end tells readers, who sort by it. */
static void
pass(struct run *run)
{
	bool any = false;
	size_t i;

	for (i = 0; i < run->session.cpus.n; i++)
		drain(run, &run->session.rings[i], &any);
	if (!any)
		return;
	record_put_end(
		&run->buf, record_put_begin(&run->buf, RECORD_PUT_FINISHED_ROUND, 0));
	stream_flush(&run->stream, &run->buf);
}

/* Adds records of what runs already. */
static void
put_running(struct run *run, struct synth *s)
{
	const struct record_options *set = run->set;
	struct record_ids pids = { 0 };
	size_t i;

	for (i = 0; i < set->pids.n; i++)
		target_add(&pids, set->pids.items[i]);
	for (i = 0; i < set->tids.n; i++)
		target_add(&pids, target_process(set->tids.items[i]));
	if (set->all)
		target_all(&pids);
	for (i = 0; i < pids.n; i++) {
		synth_process(s, pids.items[i]);
		if (s->out->n > CHUNK)
			stream_flush(&run->stream, s->out);
	}
	target_release(&pids);
}

/* Writes what comes before the kernel's records; all of it is of the time SINCE. */
static void
write_head(struct run *run, uint64_t since)
{
	const struct session *s = &run->session;
	struct synth synth = { .root = "",
		.time = since,
		.id = s->events[0].counters[0].id,
		.data = s->set.stack_bytes > 0,
		.buildids = &run->buildids,
		.out = &run->buf };
	size_t i;

	for (i = 0; i < s->n; i++)
		synth.id_in_maps = synth.id_in_maps || s->events[i].attr.build_id;
	stream_header_put(&run->buf, s);
	if (!s->level.no_kernel && !s->set.user_only)
		synth_kernel(&synth);
	put_running(run, &synth);
	stream_flush(&run->stream, &run->buf);
}

/* When sampling ends, by --duration. */
static uint64_t
end_of(const struct run *run)
{
	if (!run->set->limit_ns)
		return UINT64_MAX;
	return run->began + run->set->delay_ns + run->set->limit_ns;
}

/* Milliseconds until something is due, at most PASS_MS. */
static int
wait_ms(const struct run *run)
{
	uint64_t at = record_now(), left;
	uint64_t due = run->sampling ? end_of(run) : run->began + run->set->delay_ns;

	if (due == UINT64_MAX || due > at + (uint64_t)PASS_MS * 1000000)
		return PASS_MS;
	left = due > at ? (due - at + 999999) / 1000000 : 0;
	return (int)left;
}

static bool
any_lives(const struct record_options *set)
{
	size_t i;

	for (i = 0; i < set->pids.n; i++)
		if (target_process_lives(set->pids.items[i]))
			return true;
	for (i = 0; i < set->tids.n; i++)
		if (target_thread_lives(set->tids.items[i]))
			return true;
	return set->all;
}

/* The first signal is for the command, which ends by it or not; a second one, or one
 * without a command, ends the recording. */
static void
heed(struct run *run)
{
	int signal;

	while ((signal = signals_next(&run->signals))) {
		if (signal == SIGCHLD)
			continue;
		if (!run->child.pid || run->child.ended || run->signals.told)
			run->stop = true;
		else
			signals_tell(&run->signals, run->child.pid);
	}
}

/* Whether the recording is over. */
static bool
is_over(struct run *run)
{
	const struct record_options *set = run->set;

	if (run->stop)
		return true;
	if (record_now() >= end_of(run)) {
		run->cut = true;
		return true;
	}
	if (run->child.pid)
		return child_ended(&run->child, false);
	return run->stream.failed || !any_lives(set);
}

/* Lets sampling begin when --delay is over. */
static void
end_delay(struct run *run)
{
	if (run->sampling || record_now() < run->began + run->set->delay_ns)
		return;
	if (run->set->delay_ns)
		perf_sample(&run->session);
	run->sampling = true;
}

/* Waits for something to happen. A ring whose thread has ended would be told of over
 * and over: another descriptor stands for it then. */
static void
wait_for_more(struct run *run)
{
	size_t n = run->stream.failed ? 1 : run->session.cpus.n + 1, i;
	struct pollfd *p;

	if (poll(run->polls, n, wait_ms(run)) <= 0)
		return;
	for (i = 1; i < n; i++) {
		p = &run->polls[i];
		if (p->revents & (POLLHUP | POLLERR))
			p->fd = perf_next_fd(&run->session, i - 1, p->fd);
	}
}

/* What is over without an error: nobody reads any more. */
static void
give_up(struct run *run)
{
	perf_end(&run->session);
	stream_warn_left(&run->stream, run->child.pid ? run->set->command[0] : NULL);
}

static void
loop(struct run *run)
{
	bool gave_up = false;
	size_t i;

	run->polls = mem_zero(run->session.cpus.n + 1, sizeof *run->polls);
	run->polls[0] = (struct pollfd){ .fd = run->signals.fd, .events = POLLIN };
	for (i = 0; i < run->session.cpus.n; i++)
		run->polls[i + 1] = (struct pollfd){ .fd = run->session.rings[i].fd,
			.events = POLLIN };
	while (!is_over(run)) {
		end_delay(run);
		wait_for_more(run);
		heed(run);
		if (!run->stream.failed)
			pass(run);
		record_summary_progress(
			record_now() - run->began, run->stats.samples, run->stats.lost);
		if (run->stream.failed && !gave_up) {
			gave_up = true;
			give_up(run);
		}
	}
	msg_progress_end();
	free(run->polls);
}

/* Samples that were lost behind the last record that got through are told of by the
 * counters alone. */
static void
put_lost(struct run *run)
{
	struct session *s = &run->session;
	uint64_t lost = 0;
	size_t at, i;

	for (i = 0; i < s->n; i++)
		lost += event_totals(s, i).lost;
	if (lost <= run->stats.lost)
		return;
	at = record_put_begin(&run->buf, PERF_RECORD_LOST_SAMPLES, 0);
	record_put_u64(&run->buf, lost - run->stats.lost);
	record_put_u64(&run->buf, 0); /* process and thread */
	record_put_u64(&run->buf, run->ended);
	record_put_u64(&run->buf, 0); /* processor */
	record_put_u64(&run->buf, s->events[0].counters[0].id);
	record_put_end(&run->buf, at);
	run->stats.lost = lost;
}

/* Writes what comes after the last samples. False when the recording is not whole. */
static bool
write_tail(struct run *run)
{
	perf_end(&run->session);
	run->ended = record_now();
	if (!run->stream.failed) {
		pass(run);
		put_lost(run);
		buildid_put_wanted(&run->buf, &run->buildids);
		record_put_end(&run->buf,
			record_put_begin(&run->buf, RECORD_PUT_FINISHED_ROUND, 0));
		stream_flush(&run->stream, &run->buf);
	}
	return stream_close(&run->stream);
}

/* Waits for a command that was cut off, unless a signal says that this is enough. */
static void
end_command(struct run *run)
{
	struct pollfd p = { .fd = run->signals.fd, .events = POLLIN };

	if (run->child.pid && run->cut && !child_ended(&run->child, false))
		kill(run->child.pid, SIGTERM);
	while (run->child.pid && !run->stop && !child_ended(&run->child, false)) {
		poll(&p, 1, PASS_MS);
		heed(run);
	}
}

static void
tell_summary(struct run *run)
{
	struct session *s = &run->session;
	struct record_summary_event *events = mem_zero(s->n, sizeof *events);
	struct record_summary sum = {
		.samples = run->stats.samples, .lost = run->stats.lost, .events = events
	};
	const struct session_event *e;
	uint64_t from = run->began + run->set->delay_ns;
	struct buf text = { 0 };
	size_t i;

	sum.ns = run->ended > from ? run->ended - from : 0;
	for (i = 0; i < s->n; i++) {
		e = &s->events[i];
		if (e->role == PERF_ATTR_TRACKS)
			continue;
		events[sum.n++] =
			(struct record_summary_event){ .name = buf_view(&e->name),
				.total = event_totals(s, i).value,
				.is_time = e->attr.type == PERF_TYPE_SOFTWARE &&
					e->attr.config <= PERF_COUNT_SW_TASK_CLOCK };
	}
	if (s->set.verbose)
		record_summary_print_full(run->snapshots.full, run->snapshots.copies);
	record_summary_put(&text, &sum);
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
	free(events);
}

/* Notes which samples have copies of stacks. */
static void
find_snapshots(struct run *run)
{
	const struct session_event *e;
	size_t i, k;

	for (i = 0; i < run->session.n; i++) {
		e = &run->session.events[i];
		for (k = 0; k < e->n; k++)
			snapshot_add(&run->snapshots, &e->attr, e->counters[k].id);
	}
}

/* Records with all open. */
static int
record(struct run *run)
{
	uint64_t since = record_now();
	int trouble = 0;
	bool whole;

	find_snapshots(run);
	perf_begin(&run->session);
	run->began = record_now();
	if (run->child.pid)
		trouble = child_release(&run->child, run->set->command);
	if (trouble) {
		stream_abandon(&run->stream);
		return trouble;
	}
	write_head(run, since);
	loop(run);
	whole = write_tail(run);
	end_command(run);
	tell_summary(run);
	if (!whole && !run->stream.left)
		return MSG_TROUBLE;
	return child_status(&run->child, run->cut, run->signals.last);
}

/* Runs the command alone. */
static int
run_unrecorded(struct run *run)
{
	struct pollfd p = { .fd = run->signals.fd, .events = POLLIN };
	int trouble;

	child_warn_unrecorded(run->set->command, buf_view(&run->session.refusal));
	run->began = record_now();
	run->sampling = true;
	trouble = child_release(&run->child, run->set->command);
	if (trouble)
		return trouble;
	while (!is_over(run)) {
		poll(&p, 1, wait_ms(run));
		heed(run);
	}
	end_command(run);
	return child_status(&run->child, run->cut, run->signals.last);
}

/* Records, or says why not and runs the command. */
static int
open_and_record(struct run *run)
{
	struct buf *refusal = &run->session.refusal;

	if (!stream_open(&run->stream, run->set->output))
		return MSG_TROUBLE;
	if (perf_open(&run->session, run->set, run->child.pid))
		return record(run);
	stream_abandon(&run->stream);
	if (refusal->n && run->child.pid)
		return run_unrecorded(run);
	msg_error_lines(buf_view(refusal));
	return MSG_TROUBLE;
}

int
recorder_run(const struct record_options *set, void (*on_pipe)(int))
{
	struct run run = { .set = set };
	struct child_start start = { .command = set->command,
		.stdout_taken = !set->output,
		.signals = &run.signals.old,
		.on_pipe = on_pipe };
	int status = MSG_TROUBLE;

	run.stats.buildids = &run.buildids;
	run.stats.runtimes = set->runtimes;
	signals_init(&run.signals);
	if (!set->command || child_start(&run.child, &start)) {
		runtimes_note(set->runtimes, run.child.pid, getpid());
		status = open_and_record(&run);
		child_abandon(&run.child);
	}
	perf_close(&run.session);
	buildid_release(&run.buildids);
	snapshot_release(&run.snapshots);
	buf_release(&run.buf);
	signals_release(&run.signals);
	return status;
}
