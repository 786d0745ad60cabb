/* SPDX-License-Identifier: ISC */
/*
 * Records from beginning to end; see recorder.h. The command's process starts first and
 * waits, so that events can be opened on it. Then the choices are printed, samples are
 * taken until the end, and the summary is printed.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include "job.h"
#include "msg.h"
#include "runtimes.h"
#include "units.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The longest wait in ns, so that readers see something and the end of an attached
 * process is noticed. */
enum { SECOND = 1000000000, PASS = SECOND / 4 };

/* si_code of signals that the kernel itself sends, as for Ctrl-C;
 * asm-generic/siginfo.h. */
enum { FROM_KERNEL = 0x80 };

/* Exit statuses of shells for a command that cannot run. */
enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126 };

/* In the child: waits for a byte on LINE, then becomes the command. */
static _Noreturn void
become_command(const struct recorder *r, int line, void (*on_pipe)(int))
{
	char byte;
	int why;

	/* Its stdout goes to stderr if the recording needs stdout. */
	if (!r->set->output)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, on_pipe);
	sigprocmask(SIG_SETMASK, &r->signals_before, NULL);
	if (read(line, &byte, 1) != 1)
		_exit(0);
	execvp(r->set->command[0], r->set->command);
	why = errno;
	if (write(line, &why, sizeof why) != (ssize_t)sizeof why)
		_exit(125);
	_exit(127);
}

/* Starts the command's process, which waits. Returns false after a message. */
static bool
start_command(struct recorder *r, void (*on_pipe)(int))
{
	struct recorder_child *c = &r->child;
	int line[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) == 0) {
		c->pid = fork();
		if (c->pid == 0) {
			close(line[0]);
			become_command(r, line[1], on_pipe);
		}
		close(line[1]);
		c->line = line[0];
		if (c->pid > 0)
			return true;
		close(line[0]);
		c->pid = 0;
		c->line = -1;
	}
	msg_error("cannot start %s:", r->set->command[0]);
	return false;
}

/* Lets the child become the command. Returns false, with errno, if that fails. */
static bool
release_child(struct recorder_child *c)
{
	int why = 0;
	ssize_t got = -1;

	/* The other end closes when the exec succeeds. */
	if (write(c->line, "g", 1) == 1)
		do
			got = read(c->line, &why, sizeof why);
		while (got < 0 && errno == EINTR);
	close(c->line);
	c->line = -1;
	errno = why;
	return got != (ssize_t)sizeof why;
}

/* Lets the command begin. Returns 0 or, after a message, the exit status if it cannot. */
static int
begin(struct recorder *r)
{
	r->began = stream_now();
	if (!r->child.pid || release_child(&r->child))
		return 0;
	msg_error("%s:", r->set->command[0]);
	return errno == ENOENT || errno == ENOTDIR ? NOT_FOUND : NOT_EXECUTABLE;
}

/* Ends the command if it still waits. */
static void
abandon_command(struct recorder_child *c)
{
	if (c->line < 0)
		return;
	close(c->line);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

bool
recorder_child_ended(struct recorder *r)
{
	struct recorder_child *c = &r->child;

	if (!c->ended && c->pid > 0)
		c->ended = waitpid(c->pid, &c->wait_status, WNOHANG) != 0;
	return c->ended;
}

/* The exit status: 0 without a command, or if --duration was over first. Otherwise the
 * command's status as in shells: 128 plus the signal that killed it, or plus the last
 * signal sent to a command that continues. */
static int
status_of(const struct recorder *r)
{
	const struct recorder_child *c = &r->child;
	int killed = WIFSIGNALED(c->wait_status) ? WTERMSIG(c->wait_status) : 0;

	if (!c->pid)
		return MSG_DONE;
	if (!c->ended)
		return 128 + r->last_signal;
	/* Our signal ended it. */
	if (r->cut)
		return MSG_DONE;
	return killed ? 128 + killed : WEXITSTATUS(c->wait_status);
}

static const char *
way_of(const struct record_options *set)
{
	switch (set->stacks) {
	case RECORD_FP: return "by frame pointers";
	case RECORD_LBR: return "by the processor's branch records";
	case RECORD_NONE: return "not recorded";
	case RECORD_DWARF: return "";
	case RECORD_AUTO: break;
	}
	return ", and by frame pointers";
}

void
recorder_print_stacks(const struct record_options *set)
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

/* The first event called NAME or ALIAS, without its modifiers; or NULL. */
static const struct recorder_total *
find(const struct recorder_summary *s, struct str name, struct str alias)
{
	struct str own;
	size_t i;

	for (i = 0; i < s->n; i++) {
		own = s->events[i].name;
		own = str_cut(&own, ':');
		if (str_eq(own, name) || str_eq(own, alias))
			return &s->events[i];
	}
	return NULL;
}

static void
put_event(struct buf *b, const struct recorder_total *e)
{
	buf_str(b, e->name);
	buf_char(b, ' ');
	if (e->is_time)
		units_put(b, e->total, 0, 1, STR("ns"));
	else
		units_put_count(b, e->total);
}

static void
put_counts(struct buf *b, const struct recorder_summary *s)
{
	units_put_count(b, s->samples);
	buf_str(b, s->samples == 1 ? STR(" sample, ") : STR(" samples, "));
	units_put_count(b, s->lost);
	buf_str(b, STR(" lost"));
}

/* Shows the progress after NS of recording, when an update is due. */
static void
show_progress(const struct recorder_summary *s, uint64_t ns)
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
recorder_put_summary(struct buf *b, const struct recorder_summary *s)
{
	const struct recorder_total *cycles = find(s, STR("cycles"), STR("cpu-cycles"));
	const struct recorder_total *instructions =
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

/* Prints how many stack copies were full, if any. */
static void
print_full(const struct recorder_summary *s)
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

static void
print_summary(struct recorder *r)
{
	uint64_t from = r->began + r->set->delay_ns;
	struct buf text = { 0 };

	r->sum.ns = r->ended > from ? r->ended - from : 0;
	if (r->set->verbose)
		print_full(&r->sum);
	recorder_put_summary(&text, &r->sum);
	msg_warn("%s", buf_cstr(&text));
	buf_release(&text);
}

/* Blocks the signals that end a recording, and polls for them. */
static void
block_signals(struct recorder *r)
{
	sigset_t set;

	job_block(&set, &r->ignored, &r->signals_before);
	r->polls = mem_zero(1, sizeof *r->polls);
	r->poll_n = 1;
	*r->polls = (struct pollfd){ .fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC),
		.events = POLLIN };
	if (r->polls->fd < 0)
		msg_die("cannot wait for signals:");
}

/* Whether INFO repeats a signal. fg-run passes on its signals with their number so far,
 * and a signal to the whole group comes twice, in any order. */
static bool
is_repeated(struct recorder *r, const struct signalfd_siginfo *info)
{
	int most = r->sent > r->passed_on ? r->sent : r->passed_on;

	if (info->ssi_code == SI_QUEUE && info->ssi_int > 0 &&
		info->ssi_pid == (uint32_t)getppid())
		r->passed_on = info->ssi_int;
	else
		r->sent++;
	return r->sent <= most && r->passed_on <= most;
}

/* The first signal goes to the command, which may continue; a second one, or one
 * without a command, ends the recording. A command that was started with the signal
 * ignored gets SIGTERM. */
static void
handle_signals(struct recorder *r)
{
	struct signalfd_siginfo info;
	bool ignores;

	while (read(r->polls->fd, &info, sizeof info) == (ssize_t)sizeof info) {
		if (info.ssi_signo == SIGCHLD || is_repeated(r, &info))
			continue;
		r->last_signal = (int)info.ssi_signo;
		ignores = sigismember(&r->ignored, r->last_signal);
		if (!r->child.pid || r->child.ended || r->signalled)
			r->stop = true;
		/* The terminal has sent it to the command too. */
		else if (ignores || info.ssi_code != FROM_KERNEL)
			kill(r->child.pid, ignores ? SIGTERM : r->last_signal);
		r->signalled = true;
	}
}

void
recorder_wait(struct recorder *r, uint64_t due)
{
	uint64_t at = stream_now(), left = due > at ? due - at : 0;
	struct timespec most = { 0, (long)(left < PASS ? left : PASS) };

	(void)ppoll(r->polls, r->poll_n, &most, NULL);
	handle_signals(r);
}

void
recorder_flush(struct recorder *r)
{
	stream_flush(&r->stream, &r->out);
}

/* The time at which --duration ends the sampling. */
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

static bool
is_over(struct recorder *r)
{
	bool lives = r->method->lives(r);

	r->cut = !r->stop && stream_now() >= end_of(r);
	return r->stop || r->cut || !lives || (r->stream.failed && !r->child.pid);
}

/* Starts sampling when --delay is over. */
static void
end_delay(struct recorder *r)
{
	if (r->sampling || stream_now() < r->began + r->set->delay_ns)
		return;
	if (r->set->delay_ns)
		r->method->sample(r);
	r->sampling = true;
}

static void
end_sampling(struct recorder *r)
{
	r->method->stop(r);
	r->ended = stream_now();
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
		if (!r->is_silent)
			show_progress(&r->sum, stream_now() - r->began);
		if (!r->stream.failed || r->ended)
			continue;
		end_sampling(r);
		/* This is not an error. */
		if (r->stream.left && r->child.pid)
			msg_warn("the reader of the recording has closed it: "
				 "%s continues unrecorded",
				r->set->command[0]);
		else if (r->stream.left)
			msg_warn("the reader of the recording has closed it");
	}
	msg_progress_end();
}

/* Copies files that were deleted meanwhile, and prints the copies. */
static void
end_copies(struct copies *c)
{
	struct buf text = { 0 };
	struct str lines;

	copies_end(c, &text);
	for (lines = buf_view(&text); lines.n;) {
		struct str line = str_cut(&lines, '\n');

		msg_warn("%.*s", STR_ARG(line));
	}
	buf_release(&text);
}

/* Whether the command writes to the terminal that progress would be shown on. */
static bool
shares_terminal(const struct recorder *r)
{
	int own = r->set->output ? STDOUT_FILENO : STDERR_FILENO;
	struct stat out, err;

	return r->child.pid && isatty(own) && fstat(own, &out) == 0 &&
		fstat(STDERR_FILENO, &err) == 0 && out.st_rdev == err.st_rdev;
}

/* Writes the end of the stream. Returns false if the recording is incomplete. */
static bool
end_stream(struct recorder *r)
{
	if (!r->ended)
		end_sampling(r);
	r->method->tail(r);
	recorder_flush(r);
	if (r->copies)
		end_copies(r->copies);
	return stream_close(&r->stream);
}

/* Terminates a command that outlives --duration, and waits for the command until a
 * signal stops the wait. */
static void
end_command(struct recorder *r)
{
	if (r->child.pid && r->cut && r->method->lives(r))
		kill(r->child.pid, SIGTERM);
	while (r->child.pid && !r->stop && r->method->lives(r))
		recorder_wait(r, UINT64_MAX);
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
	r->is_silent = shares_terminal(r);
	loop(r);
	whole = end_stream(r);
	end_command(r);
	print_summary(r);
	if (!whole && !r->stream.left)
		return MSG_TROUBLE;
	return status_of(r);
}

/* Runs the command alone, after a warning with the reason in one line. */
static int
run_unrecorded(struct recorder *r)
{
	struct str why = buf_view(&r->refusal);
	struct buf text = { 0 };
	int trouble;

	for (; why.n; buf_str(&text, why.n ? STR("; ") : STR("")))
		buf_str(&text, str_cut(&why, '\n'));
	msg_warn("%s runs unrecorded: %s", r->set->command[0], buf_cstr(&text));
	buf_release(&text);
	trouble = begin(r);
	if (trouble)
		return trouble;
	r->sampling = true;
	while (!is_over(r))
		recorder_wait(r, next_due(r));
	end_command(r);
	return status_of(r);
}

/* Opens the method ptrace, as perf events are refused. Returns false if --method was
 * given or ptrace is refused, too: r->refusal is then the first refusal. */
static bool
open_instead(struct recorder *r)
{
	struct buf refusal = r->refusal;
	bool opened;

	if (r->set->method_given || !r->methods[RECORD_PTRACE]->can(r->set))
		return false;
	r->method->close(r);
	r->own = NULL;
	r->sum = (struct recorder_summary){ 0 };
	r->refusal = (struct buf){ 0 };
	r->method = r->methods[RECORD_PTRACE];
	opened = r->method->open(r);
	buf_release(opened ? &refusal : &r->refusal);
	if (!opened)
		r->refusal = refusal;
	else
		msg_warn("perf events are refused here: sampling user space by ptrace "
			 "(--method perf says why)");
	return opened;
}

/* Records, or explains why not and runs the command. */
static int
open_and_record(struct recorder *r)
{
	if (!stream_open(&r->stream, r->set->output))
		return MSG_TROUBLE;
	if (r->method->open(r) || (r->refusal.n && open_instead(r)))
		return record(r);
	stream_abandon(&r->stream);
	if (r->refusal.n && r->child.pid)
		return run_unrecorded(r);
	msg_error_lines(buf_view(&r->refusal));
	return MSG_TROUBLE;
}

int
recorder_run(const struct record_options *set,
	const struct recorder_method *const *methods, void (*on_pipe)(int))
{
	struct recorder r = { .set = set,
		.methods = methods,
		.method = methods[set->method],
		.child.line = -1,
		.due = UINT64_MAX };
	struct copies copies = { 0 };
	int status = MSG_TROUBLE;

	if (set->copy_files && copies_begin(&copies))
		r.copies = &copies;
	else if (set->copy_files)
		msg_warn("no files are copied, as HOME is not set");
	block_signals(&r);
	if (!set->command || start_command(&r, on_pipe)) {
		runtimes_note(set->runtimes, r.child.pid, getpid());
		status = open_and_record(&r);
		abandon_command(&r.child);
	}
	if (r.own)
		r.method->close(&r);
	close(r.polls->fd);
	sigprocmask(SIG_SETMASK, &r.signals_before, NULL);
	free(r.polls);
	synth_files_release(&r.files);
	copies_release(&copies);
	buf_release(&r.refusal);
	buf_release(&r.out);
	return status;
}
