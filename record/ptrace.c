/* SPDX-License-Identifier: ISC */
/* A recording by ptrace from beginning to end; see ptrace.h. */
#define _GNU_SOURCE
#include "ptrace.h"
#include "advice.h"
#include "perf-attr.h"
#include "record-put.h"
#include "chosen.h"
#include "stream-header.h"
#include "msg.h"
#include "runtimes.h"
#include "signals.h"
#include "ptrace-loop.h"
#include "record-summary.h"
#include "synth-id.h"
#include "target.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

/* Of a snapshot, so that a record holds it with the longest chain. */
enum { STACK_MOST = 64000 };

/* Says why not; what is to be run is run nevertheless. */
static bool
refuse(const struct ptrace_sampler *s)
{
	struct buf b = { 0 };
	struct advice_facts facts;
	int error = errno;

	advice_read(&facts, "");
	advice_ptrace(&b, error, !s->child.pid, &facts);
	if (s->child.pid)
		child_warn_unrecorded(s->set->command, buf_view(&b));
	else
		msg_error_lines(buf_view(&b));
	buf_release(&b);
	return false;
}

/* All threads of process PID, again until it makes no more behind our back. */
static bool
seize_process(struct ptrace_sampler *s, pid_t pid)
{
	struct record_ids threads = { 0 };
	bool fine = true;
	size_t before, i;

	do {
		before = s->tasks.n;
		threads.n = 0;
		target_threads(&threads, pid);
		for (i = 0; i < threads.n && fine; i++)
			fine = ptrace_loop_seize(s, threads.items[i], pid) ||
				errno == ESRCH;
	} while (fine && s->tasks.n > before);
	if (!fine)
		fine = refuse(s);
	target_release(&threads);
	return fine;
}

static bool
seize_all(struct ptrace_sampler *s)
{
	const struct record_options *set = s->set;
	size_t i;

	for (i = 0; i < set->pids.n; i++)
		if (!seize_process(s, set->pids.items[i]))
			return false;
	for (i = 0; i < set->tids.n; i++)
		if (!ptrace_loop_seize(
			    s, set->tids.items[i], target_process(set->tids.items[i])) &&
			errno != ESRCH)
			return refuse(s);
	if (!s->tasks.n)
		msg_error("there is no such process");
	s->began = s->next = record_now();
	return s->tasks.n > 0;
}

/* Starts the command, traced. Returns 0, or what to end with when it cannot. */
static int
start(struct ptrace_sampler *s, const sigset_t *mask, void (*on_pipe)(int))
{
	char **command = s->set->command;
	struct child_start how = { .command = command,
		.stdout_taken = !s->set->output,
		.signals = mask,
		.on_pipe = on_pipe };

	if (!child_start(&s->child, &how))
		return MSG_TROUBLE;
	runtimes_note(s->set->runtimes, s->child.pid, getpid());
	s->refused = !ptrace_loop_seize(s, s->child.pid, s->child.pid) && !refuse(s);
	return child_release(&s->child, command);
}

/* The header is that of a session with one event. */
static void
write_header(struct ptrace_sampler *s)
{
	struct session_counter counter = { .fd = -1, .id = s->w.synth.id };
	struct event event = { .attr = s->w.attr };
	struct session_event e = {
		.event = &event, .attr = s->w.attr, .counters = &counter, .n = 1
	};
	struct session session = { .set = *s->set, .events = &e, .n = 1 };

	buf_str(&e.name, s->set->off_cpu ? STR("wall-clock:u") : STR("cpu-clock:u"));
	stream_header_put(&s->w.out, &session);
	buf_release(&e.name);
}

/* Whether it can be done this way; what cannot is said. */
static bool
is_possible(const struct record_options *set)
{
	const char *what = set->all	    ? "the whole machine (-a)"
		: set->kernel_only	    ? "the kernel (--kernel)"
		: set->cpus		    ? "single processors (-C)"
		: set->period		    ? "by count (-c)"
		: set->events.n		    ? "events (-e)"
		: set->stacks == RECORD_LBR ? "branches (-g lbr)"
					    : NULL;

	if (what)
		msg_error("--method ptrace cannot record %s", what);
	return !what;
}

static void
prepare(struct ptrace_sampler *s)
{
	const struct record_options *set = s->set;
	struct ptrace_kind kind = { .hz = PTRACE_HZ,
		.chain = set->stacks == RECORD_FP || set->stacks == RECORD_AUTO };
	struct perf_event_attr attr;
	struct ptrace_use use;

	if (set->frequency_given)
		kind.hz = set->frequency;
	if (kind.hz > PTRACE_HZ_MOST) {
		msg_warn("ptrace samples at %d Hz at most, and so it does",
			PTRACE_HZ_MOST);
		kind.hz = PTRACE_HZ_MOST;
	}
	kind.stack = set->stack_bytes < STACK_MOST ? set->stack_bytes : STACK_MOST;
	if (set->verbose) {
		msg_warn("stopping threads %llu times a second",
			(unsigned long long)kind.hz);
		chosen_print_stacks(&(struct record_options){
			.stacks = set->stacks, .stack_bytes = kind.stack });
	}
	attr = ptrace_write_attr(&kind);
	ptrace_write_init(&s->w, &attr, 1);
	/* What this program has had says whether the kernel counts it. */
	s->by_use = ptrace_task_use(getpid(), getpid(), &use) && use.turns;
	s->random = record_now() | 1;
	signals_list(&s->signals);
}

/* Takes the end of the recording to its reader. False when that failed. */
static bool
finish(struct ptrace_sampler *s)
{
	size_t at;

	if (s->failed && !s->stream.failed) {
		at = record_put_begin(&s->w.out, PERF_RECORD_LOST_SAMPLES, 0);
		record_put_u64(&s->w.out, s->failed);
		synth_put_id(&s->w.synth, 0, 0);
		record_put_end(&s->w.out, at);
		(void)stream_flush(&s->stream, &s->w.out);
	}
	if (s->failed)
		msg_warn("%llu sample%s of threads that are not of 64 bits, or had just "
			 "ended, could not be read",
			(unsigned long long)s->failed, msg_s(s->failed));
	stream_warn_left(
		&s->stream, s->child.pid && !s->child.ended ? s->set->command[0] : NULL);
	return stream_close(&s->stream);
}

static void
tell_summary(const struct ptrace_sampler *s)
{
	struct record_summary sum = { .samples = s->samples, .lost = s->failed };
	uint64_t from = s->began + s->set->delay_ns;
	struct buf text = { 0 };

	sum.ns = s->began && s->ended > from ? s->ended - from : 0;
	if (s->set->verbose)
		record_summary_print_full(s->w.full, s->w.copies);
	record_summary_put(&text, &sum);
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}

/* Runs the command alone. */
static int
run_unrecorded(struct ptrace_sampler *s)
{
	stream_abandon(&s->stream);
	s->began = s->next = record_now();
	ptrace_loop(s);
	ptrace_loop_wait(s);
	return child_status(&s->child, s->cut, s->last_signal);
}

/* Records what is traced by now. */
static int
record(struct ptrace_sampler *s)
{
	bool whole;

	write_header(s);
	ptrace_loop(s);
	whole = finish(s);
	ptrace_loop_wait(s);
	tell_summary(s);
	if (!whole && !s->stream.left)
		return MSG_TROUBLE;
	return child_status(&s->child, s->cut, s->last_signal);
}

int
ptrace_run(const struct record_options *set, void (*on_pipe)(int))
{
	struct ptrace_sampler s = { .set = set };
	sigset_t mask;
	int status;

	if (!is_possible(set) || !stream_open(&s.stream, set->output))
		return MSG_TROUBLE;
	prepare(&s);
	(void)signal(SIGCHLD, SIG_DFL);
	(void)sigprocmask(SIG_BLOCK, &s.signals, &mask);
	if (set->command)
		status = start(&s, &mask, on_pipe);
	else
		status = seize_all(&s) ? 0 : MSG_TROUBLE;
	if (status)
		stream_abandon(&s.stream);
	else
		status = s.refused ? run_unrecorded(&s) : record(&s);
	(void)sigprocmask(SIG_SETMASK, &mask, NULL);
	ptrace_write_release(&s.w);
	free(s.tasks.items);
	return status;
}
