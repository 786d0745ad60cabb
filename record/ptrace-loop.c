/* SPDX-License-Identifier: ISC */
/*
 * What happens to traced threads; see ptrace-loop.h. A stop (ptrace(2)) is the one that
 * was asked for, the beginning of a new thread, a signal on its way, a stop of the whole
 * process, or an exec.
 */
#define _GNU_SOURCE
#include "ptrace-loop.h"
#include "perf-attr.h"
#include "record-put.h"
#include "record-summary.h"
#include "msg.h"
#include "runtimes.h"
#include "target.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

enum { SECOND = 1000000000, LETTING_GO = SECOND / 2, PASS = SECOND / 4 };
enum { CHUNK = 256 * 1024 };

/* From here on, all are let go as they stop. */
static void
end(struct ptrace_sampler *s)
{
	size_t i;

	if (s->ended)
		return;
	s->ended = record_now();
	for (i = 0; i < s->tasks.n; i++)
		(void)ptrace(PTRACE_INTERRUPT, s->tasks.items[i].tid, NULL, NULL);
}

/* Adds up what T, which has stopped, had of processors since it was let go. Its first
 * wait was of our making, and is taken to be like the others. */
static void
account(struct ptrace_sampler *s, struct ptrace_task *t)
{
	struct ptrace_use use;
	uint64_t turns, wait;

	if (!s->by_use || !ptrace_task_use(t->pid, t->tid, &use))
		return;
	turns = use.turns - t->use.turns;
	wait = use.wait - t->use.wait;
	t->ran += use.run - t->use.run;
	if (turns)
		t->waited += wait - wait / turns;
	t->use = use;
}

/* Lets thread TID go on with SIGNAL, 0 for none. */
static void
resume(struct ptrace_sampler *s, pid_t tid, int signal)
{
	void *data = (void *)(uintptr_t)(unsigned)signal;
	struct ptrace_task *t = ptrace_task_find(&s->tasks, tid);

	if (s->ended) {
		(void)ptrace(PTRACE_DETACH, tid, NULL, data);
		ptrace_task_remove(&s->tasks, tid);
	} else {
		if (t)
			t->resumed = true;
		(void)ptrace(PTRACE_CONT, tid, NULL, data);
	}
}

/* The thread that maps are noted at: the first of the process, if it is traced. */
static struct ptrace_task *
holder(struct ptrace_sampler *s, struct ptrace_task *t)
{
	struct ptrace_task *first = ptrace_task_find(&s->tasks, t->pid);

	return first ? first : t;
}

/* A random number from 0 to 1. (xorshift64) */
static double
draw(struct ptrace_sampler *s)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return (double)(s->random >> 11) / (double)((uint64_t)1 << 53);
}

/* Leaves T as many of its ticks as are for time that it ran: since the last look it ran
 * for a part of the time in which it could have. Ticks are whole, so that the rest is
 * a chance. */
static void
keep_run_ticks(struct ptrace_sampler *s, struct ptrace_task *t)
{
	double ran = (double)t->ran, waited = (double)t->waited;

	if (t->ran)
		t->ticks = (uint32_t)((double)t->ticks * ran / (ran + waited) + draw(s));
	else
		t->ticks = 0;
	t->ran = t->waited = 0;
}

static void
sample(struct ptrace_sampler *s, struct ptrace_task *t)
{
	if (s->by_use && !s->set->off_cpu)
		keep_run_ticks(s, t);
	if (!t->ticks)
		return;
	ptrace_write_comm(&s->w, t, false);
	ptrace_write_maps(&s->w, holder(s, t));
	/* After the maps for those who sort by time. */
	s->w.synth.time++;
	if (ptrace_write_sample(&s->w, t))
		s->samples++;
	else
		s->failed++;
	t->ticks = 0;
}

/* A thread that the kernel began to trace because one that made it is. NULL when it
 * has gone already. */
static struct ptrace_task *
adopt(struct ptrace_sampler *s, pid_t tid)
{
	pid_t pid = target_process(tid), parent;
	struct ptrace_task *t;

	if (!pid)
		return NULL;
	parent = pid == tid ? ptrace_task_parent(pid) : pid;
	t = ptrace_task_add(&s->tasks, tid, pid);
	ptrace_write_fork(&s->w, t, parent);
	if (pid == tid)
		runtimes_note(s->set->runtimes, pid, parent);
	return t;
}

/* Process T is another program now, with one thread. */
static void
became(struct ptrace_sampler *s, struct ptrace_task *t)
{
	pid_t pid = t->pid;
	size_t i;

	for (i = s->tasks.n; i-- > 0;)
		if (s->tasks.items[i].pid == pid && s->tasks.items[i].tid != pid)
			ptrace_task_remove(&s->tasks, s->tasks.items[i].tid);
	t = ptrace_task_find(&s->tasks, pid);
	if (!t)
		return;
	t->asked = t->mapped = false;
	ptrace_write_comm(&s->w, t, true);
	ptrace_write_maps(&s->w, t);
	if (!s->began && pid == s->child.pid)
		s->began = s->next = s->w.synth.time;
}

static void
stopped(struct ptrace_sampler *s, struct ptrace_task *t, int signal)
{
	pid_t tid = t->tid;
	bool asked = t->asked;

	t->asked = false;
	t->stopped = signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN ||
		signal == SIGTTOU;
	if (t->stopped && !s->ended) {
		(void)ptrace(PTRACE_LISTEN, tid, NULL, NULL);
		return;
	}
	if (asked && !s->ended)
		sample(s, t);
	resume(s, tid, 0);
}

static void
ended(struct ptrace_sampler *s, pid_t tid, int status)
{
	struct ptrace_task *t = ptrace_task_find(&s->tasks, tid);

	if (t)
		ptrace_write_exit(&s->w, t);
	ptrace_task_remove(&s->tasks, tid);
	if (tid == s->child.pid) {
		s->child.ended = true;
		s->child.wait_status = status;
	}
}

static void
heed_stop(struct ptrace_sampler *s, pid_t tid, int status)
{
	struct ptrace_task *t = ptrace_task_find(&s->tasks, tid);
	int event = status >> 16, signal = WSTOPSIG(status);

	if (!t)
		t = adopt(s, tid);
	if (t)
		account(s, t);
	if (t && event == PTRACE_EVENT_STOP) {
		stopped(s, t, signal);
		return;
	}
	/* Any other stop takes the one away that was asked for. */
	if (t) {
		t->asked = false;
		t->ticks = 0;
	}
	if (t && event == PTRACE_EVENT_EXEC)
		became(s, t);
	resume(s, tid, event ? 0 : signal);
}

/* Looks at all that has happened to threads. */
static void
reap(struct ptrace_sampler *s)
{
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
		s->w.synth.time = record_now();
		if (WIFSTOPPED(status))
			heed_stop(s, tid, status);
		else
			ended(s, tid, status);
		if (s->w.out.n > CHUNK)
			(void)stream_flush(&s->stream, &s->w.out);
	}
}

static void
flush(struct ptrace_sampler *s)
{
	if (s->w.out.n) {
		ptrace_write_round(&s->w);
		(void)stream_flush(&s->stream, &s->w.out);
	}
}

/* How many ticks are due, the next one being set. A machine that is busy lets us come
 * late: the samples then stand for the ticks that were missed, too. */
static uint32_t
take_ticks(struct ptrace_sampler *s)
{
	uint64_t n = (record_now() - s->next) / s->w.period + 1;

	s->next += n * s->w.period;
	return (uint32_t)n;
}

/* Whether T runs. One that has had no processor since it was let go waits only because
 * it was stopped. */
static bool
is_running(const struct ptrace_sampler *s, struct ptrace_task *t)
{
	struct ptrace_use use;

	if (!ptrace_task_runs(t))
		return false;
	if (!s->by_use || !t->resumed || !ptrace_task_use(t->pid, t->tid, &use))
		return true;
	return use.turns != t->use.turns;
}

/* Asks those that run to stop. */
static void
tick(struct ptrace_sampler *s)
{
	bool early = s->next < s->began + s->set->delay_ns;
	uint32_t ticks = take_ticks(s);
	struct ptrace_task *t;
	size_t i;

	flush(s);
	for (i = 0; i < s->tasks.n && !early; i++) {
		t = &s->tasks.items[i];
		if (t->stopped || (!s->set->off_cpu && !is_running(s, t)))
			continue;
		t->ticks += ticks;
		if (!t->asked)
			t->asked = ptrace(PTRACE_INTERRUPT, t->tid, NULL, NULL) == 0;
	}
}

/* The first signal is for the command, which a terminal has told already. */
static void
heed_signal(struct ptrace_sampler *s, const siginfo_t *info)
{
	s->last_signal = info->si_signo;
	if (!s->child.pid || s->child.ended || s->told) {
		s->stop = true;
		end(s);
		return;
	}
	s->told = true;
	if (info->si_code <= 0)
		(void)kill(s->child.pid, info->si_signo);
}

/* Waits for a signal, until DUE at the latest. */
static void
pause_until(struct ptrace_sampler *s, uint64_t due)
{
	struct timespec left = { 0, 0 };
	uint64_t at = record_now();
	siginfo_t info;

	if (due > at) {
		left.tv_sec = (time_t)((due - at) / SECOND);
		left.tv_nsec = (long)((due - at) % SECOND);
	}
	if (sigtimedwait(&s->signals, &info, &left) > 0 && info.si_signo != SIGCHLD)
		heed_signal(s, &info);
}

/* When something is to be done, whatever happens until then. */
static uint64_t
next_due(const struct ptrace_sampler *s)
{
	if (s->ended)
		return s->ended + LETTING_GO;
	return s->began ? s->next : record_now() + PASS;
}

static void
check_end(struct ptrace_sampler *s)
{
	uint64_t limit = s->set->limit_ns;

	if (s->ended || !s->began)
		return;
	s->cut = limit && record_now() >= s->began + s->set->delay_ns + limit;
	if (s->cut || s->child.ended || s->stream.failed)
		end(s);
}

void
ptrace_loop(struct ptrace_sampler *s)
{
	while ((s->tasks.n || (s->refused && !s->ended)) &&
		(!s->ended || record_now() < s->ended + LETTING_GO)) {
		pause_until(s, next_due(s));
		reap(s);
		check_end(s);
		if (s->began && !s->ended && record_now() >= s->next)
			tick(s);
		if (s->began)
			record_summary_progress(
				record_now() - s->began, s->samples, s->failed);
	}
	msg_progress_end();
	end(s);
	flush(s);
}

void
ptrace_loop_wait(struct ptrace_sampler *s)
{
	if (s->child.pid && s->cut && !s->child.ended)
		(void)kill(s->child.pid, SIGTERM);
	while (s->child.pid && !s->child.ended && !s->stop) {
		pause_until(s, record_now() + PASS);
		reap(s);
	}
}

bool
ptrace_loop_seize(struct ptrace_sampler *s, pid_t tid, pid_t pid)
{
	unsigned options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
		PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
	struct ptrace_task *t;

	if (ptrace_task_find(&s->tasks, tid))
		return true;
	if (ptrace(PTRACE_SEIZE, tid, NULL, (void *)(uintptr_t)options) != 0)
		return false;
	t = ptrace_task_add(&s->tasks, tid, pid);
	(void)ptrace_task_use(pid, tid, &t->use);
	return true;
}
