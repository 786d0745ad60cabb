/* SPDX-License-Identifier: ISC */
/*
 * Sampling by ptrace: ptrace.c, on children of this test. Skipped where ptrace is
 * refused.
 */
#include "recorder.h"
#include "bytes.h"
#include "buf.h"
#include "events.h"
#include "ptrace.h"
#include "target.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>

#include <linux/perf_event.h>

/* The content of a stream. */
struct found {
	unsigned samples, comms, execs, forks, exits, maps, rounds, others;
	pid_t tid; /* counts its samples separately */
	unsigned of_tid;
	uint64_t weight, deepest;
	size_t stack_most;
};

static char path[] = "/tmp/test_ptrace.XXXXXX";

static void
remove_file(void)
{
	unlink(path);
}

static void
read_sample(struct bytes *b, bool snapshot, struct found *f)
{
	uint64_t n;

	bytes_skip(b, 20);
	f->of_tid += (pid_t)bytes_u32(b) == f->tid;
	bytes_skip(b, 16);
	f->weight += bytes_u64(b);
	n = bytes_u64(b);
	if (n > f->deepest)
		f->deepest = n;
	bytes_skip(b, n * 8);
	if (!snapshot)
		return;
	CHECK_U64(bytes_u64(b), 2);
	while (bytes_left(b) > 8) {
		n = bytes_u64(b);
		/* The registers end where a size field equals the remaining bytes. */
		if (n == bytes_left(b) - 8) {
			bytes_skip(b, n);
			n = bytes_u64(b);
			if (n > f->stack_most)
				f->stack_most = (size_t)n;
		}
	}
}

/* Reads the stream in the file; checks that it is valid. */
static struct found
read_stream_of(pid_t tid, bool snapshot)
{
	struct found f = { .tid = tid };
	struct buf all = { 0 };
	struct bytes b, body;
	int fd = open(path, O_RDONLY);
	ssize_t got;
	uint32_t type;
	uint16_t misc, size;

	while ((got = read(fd, buf_room(&all, 65536), 65536)) > 0)
		all.n += (size_t)got;
	close(fd);
	b = bytes_of(buf_view(&all), false);
	CHECK_STR(bytes_take(&b, 8), STR("PERFILE2"));
	CHECK_U64(bytes_u64(&b), 16);
	while (bytes_left(&b)) {
		type = bytes_u32(&b);
		misc = bytes_u16(&b);
		size = bytes_u16(&b);
		CHECK(size >= 8 && size % 8 == 0);
		body = bytes_of(bytes_take(&b, size - 8u), false);
		CHECK(!b.bad);
		if (type == PERF_RECORD_SAMPLE)
			f.samples++, read_sample(&body, snapshot, &f);
		else if (type == PERF_RECORD_COMM)
			f.comms++, f.execs += misc >> 13 & 1;
		else
			*(type == PERF_RECORD_FORK		    ? &f.forks
					: type == PERF_RECORD_EXIT  ? &f.exits
					: type == PERF_RECORD_MMAP2 ? &f.maps
					: type == 68		    ? &f.rounds
								    : &f.others) += 1;
	}
	buf_release(&all);
	return f;
}

static struct found
read_stream(bool snapshot)
{
	return read_stream_of(0, snapshot);
}

static const struct recorder_method *const methods[] = {
	[RECORD_PERF] = &perf_method,
	[RECORD_PTRACE] = &ptrace_method,
};

static struct record_options
options(char **command)
{
	int fd = mkstemp(path);

	close(fd);
	atexit(remove_file);
	signal(SIGPIPE, SIG_IGN);
	return (struct record_options){ .command = command,
		.method = RECORD_PTRACE,
		.frequency = 500,
		.frequency_given = true,
		.output = path,
		.stack_bytes = 8192 };
}

/* The words of a command that runs SCRIPT; valid until the next call. */
static char **
shell(const char *script)
{
	static char sh[] = "sh", c[] = "-c", text[300];
	static char *words[] = { sh, c, text, NULL };

	snprintf(text, sizeof text, "%s", script);
	return words;
}

/* Whether children may be traced here: a seccomp filter may forbid it. */
static bool
is_allowed(void)
{
	struct record_options set = options(shell("exit 0"));
	bool fine = recorder_run(&set, methods, SIG_DFL) == 0;

	unlink(path);
	snprintf(path, sizeof path, "/tmp/test_ptrace.XXXXXX");
	if (!fine)
		puts("ptrace is refused here");
	return fine;
}

static const char busy[] = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

UNIT(a_command_that_computes_is_sampled)
{
	struct record_options set;
	struct found f;

	if (!is_allowed())
		return;
	set = options(shell(busy));
	CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL), 0);
	f = read_stream(false);
	CHECK(f.samples > 0);
	CHECK(f.execs == 1 && f.exits == 1 && f.maps >= 2 && f.rounds > 0);
	CHECK(f.deepest >= 2);
	/* Each sample stands for one or several ticks of 2 ms. */
	CHECK(f.weight >= f.samples * UINT64_C(2000000));
	CHECK_U64(f.weight % 2000000, 0);
}

UNIT(snapshots_have_registers_and_stack)
{
	struct record_options set;
	struct found f;

	if (!is_allowed())
		return;
	set = options(shell(busy));
	set.stacks = RECORD_DWARF;
	CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL), 0);
	f = read_stream(true);
	CHECK(f.samples > 0);
	CHECK(f.stack_most > 100 && f.stack_most <= 8192);
	CHECK_U64(f.deepest, 0);
}

UNIT(the_commands_status_is_passed_on)
{
	static const struct {
		const char *script;
		int status;
	} rows[] = { { "exit 7", 7 }, { "kill -9 $$", 137 },
		{ "trap 'exit 3' USR1; kill -USR1 $$; exit 4", 3 },
		{ "sh -c 'exit 5'; exit $?", 5 } };
	struct record_options set;
	size_t i;

	if (!is_allowed())
		return;
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		set = options(shell(rows[i].script));
		CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL),
			(uint64_t)rows[i].status);
		unlink(path);
		snprintf(path, sizeof path, "/tmp/test_ptrace.XXXXXX");
	}
}

UNIT(a_missing_command_leaves_no_file)
{
	static char nowhere[] = "/nowhere/at/all";
	char *command[] = { nowhere, NULL };
	struct record_options set;

	if (!is_allowed())
		return;
	set = options(command);
	unlink(path);
	CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL), 127);
	CHECK(access(path, F_OK) != 0);
}

UNIT(child_processes_are_followed)
{
	struct record_options set;
	struct found f;

	if (!is_allowed())
		return;
	set = options(shell("sh -c 'exit 0'; sh -c 'exit 0'; exit 0"));
	CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL), 0);
	f = read_stream(false);
	CHECK(f.forks == 2 && f.exits == 3 && f.execs == 3);
}

UNIT(waiting_counts_only_when_asked)
{
	struct record_options set;
	struct found f;

	if (!is_allowed())
		return;
	set = options(shell("exec sleep 0.3"));
	set.off_cpu = true;
	CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL), 0);
	f = read_stream(false);
	CHECK(f.weight >= 200000000);
}

/* A process that waits to be killed, after the time limit. */
UNIT(a_time_limit_lets_a_running_process_go)
{
	struct record_options set;
	pid_t child;
	int status;

	if (!is_allowed())
		return;
	child = fork();
	if (child == 0)
		for (;;)
			pause();
	set = options(NULL);
	set.pids = (struct record_ids){ &child, 1, 1 };
	set.limit_ns = 50000000;
	CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL), 0);
	CHECK(waitpid(child, &status, WNOHANG) == 0);
	kill(child, SIGTERM);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

/* Running processes are recorded, and the command sets the duration. */
UNIT(a_command_beside_a_process_is_not_recorded)
{
	struct record_options set;
	struct found f;
	pid_t child;

	if (!is_allowed())
		return;
	child = fork();
	if (child == 0)
		for (;;)
			pause();
	set = options(shell("sleep 0.1; exit 6"));
	set.pids = (struct record_ids){ &child, 1, 1 };
	set.off_cpu = true;
	CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL), 6);
	f = read_stream(false);
	CHECK(f.samples > 0 && f.execs == 0);
	kill(child, SIGTERM);
	CHECK(waitpid(child, NULL, 0) == child);
}

/* SIGSTOP stops a traced process, too, and SIGCONT resumes it. */
UNIT(a_stopped_command_continues_on_sigcont)
{
	struct record_options set;

	if (!is_allowed())
		return;
	set = options(
		shell("p=$$; (sleep 0.2; kill -CONT $p) & kill -STOP $p; wait; exit 6"));
	CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL), 6);
}

UNIT(unsupported_options_are_refused)
{
	struct record_options set = options(shell("exit 0")), wrong;

	unlink(path);
	wrong = set;
	wrong.all = true;
	CHECK_U64((uint64_t)recorder_run(&wrong, methods, SIG_DFL), 2);
	wrong = set;
	wrong.period = 1000;
	CHECK_U64((uint64_t)recorder_run(&wrong, methods, SIG_DFL), 2);
	wrong = set;
	wrong.stacks = RECORD_LBR;
	CHECK_U64((uint64_t)recorder_run(&wrong, methods, SIG_DFL), 2);
	CHECK(access(path, F_OK) != 0);
}

UNIT(chains_end_where_frames_make_no_sense)
{
	/* Frame records in their layout: the next one, the return address. */
	uint64_t stack[16] = { 0 }, chain[PTRACE_CHAIN_MOST];
	struct ptrace_regs r = { .ip = 0x1000 };

	memcpy(&r.sp, &(void *){ stack }, sizeof r.sp);
	r.fp = r.sp + 16;
	stack[2] = r.sp + 48;
	stack[3] = 0x2000;
	stack[6] = r.sp + 80;
	stack[7] = 0x3000;
	stack[10] = 0;
	stack[11] = 0x4000;
	CHECK_U64(ptrace_read_chain(getpid(), &r, chain), 4);
	CHECK(chain[0] == 0x1000 && chain[1] == 0x2000 && chain[3] == 0x4000);
	/* Downwards, in a circle, unaligned, unmapped. */
	stack[6] = r.sp + 16;
	CHECK_U64(ptrace_read_chain(getpid(), &r, chain), 3);
	stack[6] = r.sp + 81;
	CHECK_U64(ptrace_read_chain(getpid(), &r, chain), 3);
	stack[6] = UINT64_MAX - 7;
	CHECK_U64(ptrace_read_chain(getpid(), &r, chain), 3);
	r.fp = 8;
	CHECK_U64(ptrace_read_chain(getpid(), &r, chain), 1);
}

UNIT(a_thread_knows_how_long_it_ran)
{
	struct target_use before, after;
	struct timespec t;

	CHECK(!target_use_of(&before, getpid(), 0));
	/* Without counters, turns are 0. */
	if (!target_use_of(&before, getpid(), getpid()) || !before.turns)
		return;
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_nsec < 50000000 && t.tv_sec == 0);
	nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	CHECK(target_use_of(&after, getpid(), getpid()));
	CHECK(after.run > before.run + 20000000);
	CHECK(after.turns > before.turns);
}

/* Threads named in any order: each is found again at each stop. */
UNIT(threads_are_found_in_any_order)
{
	enum { MANY = 9 };
	struct record_options set;
	pid_t children[MANY], shuffled[MANY];
	size_t i;

	if (!is_allowed())
		return;
	for (i = 0; i < MANY; i++) {
		children[i] = fork();
		if (children[i] == 0)
			for (;;)
				pause();
		shuffled[i * 4 % MANY] = children[i];
	}
	set = options(NULL);
	set.tids = (struct record_ids){ shuffled, MANY, MANY };
	set.off_cpu = true;
	set.limit_ns = 100000000;
	CHECK_U64((uint64_t)recorder_run(&set, methods, SIG_DFL), 0);
	for (i = 0; i < MANY; i++) {
		/* It was released, and has its samples. */
		CHECK(read_stream_of(children[i], true).of_tid > 0);
		kill(children[i], SIGKILL);
		CHECK(waitpid(children[i], NULL, 0) == children[i]);
	}
}

UNIT_MAIN
