/* SPDX-License-Identifier: ISC */
/* A recording from beginning to end; see recorder.h. */
#define _GNU_SOURCE
#include "recorder.h"
#include "msg.h"
#include "record-put.h"
#include "runtimes.h"

#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* Nothing waits longer than this, so that a reader sees something, and the end of a
 * process that was attached is seen. */
enum { SECOND = 1000000000, PASS = SECOND / 4 };

/* si_code of what the kernel sends by itself, as Ctrl-C does; asm-generic/siginfo.h. */
enum { FROM_KERNEL = 0x80 };

/* Blocks SIGCHLD and the signals that end a recording, but for those that are ignored, as
 * by nohup: one that is blocked is not lost though it is ignored. They are polled for. */
static void
take_signals(struct recorder *r)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction was;
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (i = 0; i < sizeof ends / sizeof *ends; i++)
		if (sigaction(ends[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			sigaddset(&set, ends[i]);
	/* A command cannot be waited for while this is ignored. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &set, &r->signals_before);
	r->polls = mem_zero(1, sizeof *r->polls);
	r->poll_n = 1;
	*r->polls = (struct pollfd){ .fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC),
		.events = POLLIN };
	if (r->polls->fd < 0)
		msg_die("cannot wait for signals:");
}

/* The first signal is for the command, which ends by it or not; a second one, or one
 * without a command, ends the recording. */
static void
heed_signals(struct recorder *r)
{
	struct signalfd_siginfo info;

	while (read(r->polls->fd, &info, sizeof info) == (ssize_t)sizeof info) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		r->last_signal = (int)info.ssi_signo;
		if (!r->child.pid || r->child.ended || r->told)
			r->stop = true;
		/* A terminal has sent it to the command too. */
		else if (info.ssi_code != FROM_KERNEL)
			kill(r->child.pid, r->last_signal);
		r->told = true;
	}
}

void
recorder_wait(struct recorder *r, uint64_t due)
{
	uint64_t at = record_now(), left = due > at ? due - at : 0;
	struct timespec most = { 0, (long)(left < PASS ? left : PASS) };

	(void)ppoll(r->polls, r->poll_n, &most, NULL);
	heed_signals(r);
}

void
recorder_flush(struct recorder *r)
{
	stream_flush(&r->stream, &r->out);
}

/* When sampling ends, by --duration. */
static uint64_t
end_of(const struct recorder *r)
{
	if (!r->set->limit_ns)
		return UINT64_MAX;
	return r->began + r->set->delay_ns + r->set->limit_ns;
}

static uint64_t
next_due(const struct recorder *r)
{
	uint64_t due = r->sampling ? end_of(r) : r->began + r->set->delay_ns;

	return r->due < due ? r->due : due;
}

/* Whether the recording is over. */
static bool
is_over(struct recorder *r)
{
	bool lives = r->method->lives(r);

	r->cut = !r->stop && record_now() >= end_of(r);
	return r->stop || r->cut || !lives || (r->stream.failed && !r->child.pid);
}

/* Lets sampling begin when --delay is over. */
static void
end_delay(struct recorder *r)
{
	if (r->sampling || record_now() < r->began + r->set->delay_ns)
		return;
	if (r->set->delay_ns)
		r->method->sample(r);
	r->sampling = true;
}

static void
end_sampling(struct recorder *r)
{
	r->method->stop(r);
	r->ended = record_now();
	r->poll_n = 1;
	r->due = UINT64_MAX;
}

static void
loop(struct recorder *r)
{
	while (!is_over(r)) {
		end_delay(r);
		recorder_wait(r, next_due(r));
		if (!r->ended)
			r->method->pass(r);
		record_summary_progress(&r->sum, record_now() - r->began);
		if (!r->stream.failed || r->ended)
			continue;
		end_sampling(r);
		/* This is no error. */
		if (r->stream.left && r->child.pid)
			msg_warn(
				"the reader of the recording has gone: %s goes on without",
				r->set->command[0]);
		else if (r->stream.left)
			msg_warn("the reader of the recording has gone");
	}
	msg_progress_end();
}

/* Writes what comes after the last samples. False when the recording is not whole. */
static bool
end_stream(struct recorder *r)
{
	if (!r->ended)
		end_sampling(r);
	r->method->tail(r);
	recorder_flush(r);
	return stream_close(&r->stream);
}

/* Waits for a command that was cut off, unless a signal says that this is enough. */
static void
end_command(struct recorder *r)
{
	if (r->child.pid && r->cut && r->method->lives(r))
		kill(r->child.pid, SIGTERM);
	while (r->child.pid && !r->stop && r->method->lives(r))
		recorder_wait(r, UINT64_MAX);
}

static void
print_summary(struct recorder *r)
{
	uint64_t from = r->began + r->set->delay_ns;
	struct buf text = { 0 };

	r->sum.ns = r->ended > from ? r->ended - from : 0;
	if (r->set->verbose)
		record_summary_print_full(&r->sum);
	record_summary_put(&text, &r->sum);
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}

/* Lets the command begin; returns 0, or what to end with when it cannot. */
static int
begin(struct recorder *r)
{
	int trouble = 0;

	r->began = record_now();
	if (r->child.pid)
		trouble = child_release(&r->child, r->set->command);
	return trouble;
}

static int
record(struct recorder *r)
{
	int trouble = begin(r);
	bool whole;

	if (trouble) {
		stream_abandon(&r->stream);
		return trouble;
	}
	r->method->head(r);
	loop(r);
	whole = end_stream(r);
	end_command(r);
	print_summary(r);
	if (!whole && !r->stream.left)
		return MSG_TROUBLE;
	return child_status(&r->child, r->cut, r->last_signal);
}

/* Runs the command alone. */
static int
run_unrecorded(struct recorder *r)
{
	int trouble;

	child_warn_unrecorded(r->set->command, buf_view(&r->refusal));
	trouble = begin(r);
	if (trouble)
		return trouble;
	r->sampling = true;
	while (!is_over(r))
		recorder_wait(r, next_due(r));
	end_command(r);
	return child_status(&r->child, r->cut, r->last_signal);
}

/* Records, or says why not and runs the command. */
static int
open_and_record(struct recorder *r)
{
	if (!stream_open(&r->stream, r->set->output))
		return MSG_TROUBLE;
	if (r->method->open(r))
		return record(r);
	stream_abandon(&r->stream);
	if (r->refusal.n && r->child.pid)
		return run_unrecorded(r);
	msg_error_lines(buf_view(&r->refusal));
	return MSG_TROUBLE;
}

int
recorder_run(const struct record_options *set, void (*on_pipe)(int))
{
	struct recorder r = { .set = set,
		.method = set->method == RECORD_PTRACE ? &ptrace_method : &perf_method,
		.due = UINT64_MAX };
	struct child_start start = { .command = set->command,
		.stdout_taken = !set->output,
		.signals = &r.signals_before,
		.on_pipe = on_pipe };
	int status = MSG_TROUBLE;

	take_signals(&r);
	if (!set->command || child_start(&r.child, &start)) {
		runtimes_note(set->runtimes, r.child.pid, getpid());
		status = open_and_record(&r);
		child_abandon(&r.child);
	}
	if (r.own)
		r.method->close(&r);
	close(r.polls->fd);
	sigprocmask(SIG_SETMASK, &r.signals_before, NULL);
	free(r.polls);
	buildid_release(&r.buildids);
	buf_release(&r.refusal);
	buf_release(&r.out);
	return status;
}
