/* SPDX-License-Identifier: ISC */
/* Records a running program as a perf.data stream: options, and the method. */
#include "perf-attr.h"
#include "msg.h"
#include "options.h"
#include "output.h"
#include "recorder.h"
#include "runtimes.h"
#include "start.h"
#include "sysfile.h"
#include "target.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_HZ = 997, STACK_MOST = 65528 };
/* Default bytes of stack copies above FAST_HZ, and at unknown rates. Smaller copies
 * leave room for more samples in a ring. */
enum { STACK_FAST = 32 * 1024, STACK_UNKNOWN = 16 * 1024, FAST_HZ = 2000 };

/* -F max, until the limit is known. */
#define FREQUENCY_MAX UINT64_MAX

static struct record_options set;
static bool list_events;
static int method = -1; /* perf, ptrace; or not given */
static double duration, delay;

/* Parses a positive number; K, M or G behind it stand for 2^10, 2^20 and 2^30. */
static bool
read_size(const char *arg, uint64_t *value)
{
	struct str text = str_of(arg);
	unsigned shift = str_ends(text, STR("K")) ? 10
		: str_ends(text, STR("M"))	  ? 20
		: str_ends(text, STR("G"))	  ? 30
						  : 0;

	if (shift)
		text.n--;
	if (!str_to_u64(text, value) || !*value || *value > UINT64_MAX >> shift)
		return false;
	*value <<= shift;
	return true;
}

static const char *
set_frequency(const char *arg)
{
	set.frequency_given = true;
	if (strcmp(arg, "max") == 0) {
		set.frequency = FREQUENCY_MAX;
		return NULL;
	}
	return str_to_u64(str_of(arg), &set.frequency) && set.frequency &&
			set.frequency < FREQUENCY_MAX
		? NULL
		: "is not a rate in Hz; use a number of samples per second, or max";
}

static const char *
set_period(const char *arg)
{
	return str_to_u64(str_of(arg), &set.period) && set.period &&
			set.period <= INT64_MAX
		? NULL
		: "is not a positive number of events";
}

static const char *
add_event(const char *arg)
{
	/* events_parse has printed the message. */
	if (!events_parse(&set.events, arg))
		exit(MSG_TROUBLE);
	return NULL;
}

/* The words of -g are in the order of enum record_stacks. Another word behind it is not its
 * argument: perf's -g has none. */
static const char *
set_stacks(const struct opt *o, const char *arg)
{
	struct str rest = str_of(arg ? arg : "auto"), name = str_cut(&rest, ',');
	uint64_t bytes = 0;
	int i = 0;

	while (o->words[i] && !str_eq(name, str_of(o->words[i])))
		i++;
	if (!o->words[i])
		opt_refuse(o, arg, "is not a way to record stacks");
	if (rest.n && (i != RECORD_DWARF || !read_size(rest.s, &bytes)))
		return "has an invalid size; use one such as dwarf,32768";
	if (bytes > STACK_MOST)
		return "is more than a sample can hold; use 65528 bytes or fewer";
	set.stacks = i < RECORD_NONE ? (enum record_stacks)i : RECORD_NONE;
	set.stack_bytes = (uint32_t)((bytes + 7) / 8 * 8);
	return NULL;
}

static const char *
add_ids(const struct opt *o, const char *arg)
{
	struct str rest = str_of(arg);
	uint64_t id;

	do {
		if (!str_to_u64(str_cut(&rest, ','), &id) || !id || id > INT32_MAX)
			return "is not a list of IDs; use numbers separated by commas";
		target_add(o->value, (pid_t)id);
	} while (rest.n);
	return NULL;
}

static const char *
set_ring(const char *arg)
{
	return read_size(arg, &set.ring_bytes) && set.ring_bytes <= (uint64_t)1 << 30
		? NULL
		: "is not a size up to 1G; use one such as 512K or 4M";
}

static struct runtimes runtimes;
static bool with_runtimes, no_runtimes;
static const char *runtime_files, *command_line;

static struct opt_shared shared;

static const struct opt options[] = {
#include "options/fg-record.def"
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "[options] [--] [COMMAND [ARG...]]",
	.about = "Samples a running program and writes a perf.data stream.",
	.options = options,
	.shared = &shared,
};

/* Limits the frequency to the kernel's maximum. */
static void
limit_frequency(void)
{
	uint64_t most = FREQUENCY_MAX - 1;
	int64_t allowed;

	if (!set.frequency_given)
		set.frequency = set.period ? 0 : DEFAULT_HZ;
	if (sysfile_number(&allowed, "/proc/sys/kernel/perf_event_max_sample_rate") &&
		allowed > 0)
		most = (uint64_t)allowed;
	else if (set.frequency == FREQUENCY_MAX)
		set.frequency = DEFAULT_HZ;
	if (set.frequency <= most)
		return;
	if (set.frequency != FREQUENCY_MAX)
		msg_warn("-F %llu is above the kernel's limit; using %llu "
			 "(/proc/sys/kernel/perf_event_max_sample_rate)",
			(unsigned long long)set.frequency, (unsigned long long)most);
	set.frequency = most;
}

/* The default size of stack copies: the largest that leave enough room in a ring at the
 * rate of the samples. */
static uint32_t
stack_size(void)
{
	bool unknown = set.period || set.off_cpu;
	size_t i;

	for (i = 0; i < set.events.n && !set.frequency_given; i++)
		unknown = unknown || set.events.items[i].count_each;
	if (unknown)
		return STACK_UNKNOWN;
	return set.frequency > FAST_HZ ? STACK_FAST : STACK_MOST;
}

/* Chooses the size of stack copies unless it was given. */
static void
choose_stacks(void)
{
	if (set.stacks == RECORD_AUTO && !perf_attr_can_snapshot())
		set.stacks = RECORD_FP;
	set.stack_given = set.stack_bytes > 0;
	if (!set.stack_bytes && (set.stacks == RECORD_AUTO || set.stacks == RECORD_DWARF))
		set.stack_bytes = stack_size();
}

/* Checks which options are combined, and completes them. */
static void
check(void)
{
	if (!set.command && !set.pids.n && !set.tids.n && !set.all)
		opt_usage("nothing to record; give a command, -p, -t or -a");
	if (set.all && (set.pids.n || set.tids.n))
		opt_usage(
			"-a records the whole machine and cannot be combined with -p or -t");
	if (set.user_only && set.kernel_only)
		opt_usage("--user and --kernel cannot be combined");
	if (set.period && set.frequency_given)
		opt_usage("-c and -F cannot be combined");
	if (set.stacks == RECORD_DWARF && !perf_attr_can_snapshot())
		msg_die("stack snapshots (-g dwarf) are not supported on this processor; "
			"use -g fp");
	set.method_given = method >= 0;
	set.method = method > 0 ? RECORD_PTRACE : RECORD_PERF;
	set.verbose = shared.verbose;
	if (shared.output && strcmp(shared.output, "-") != 0)
		set.output = shared.output;
	limit_frequency();
	choose_stacks();
	set.limit_ns = (uint64_t)ceil(duration * 1e9);
	set.delay_ns = (uint64_t)ceil(delay * 1e9);
}

/* Lets runtimes that start from now on publish names. */
static void
begin_runtimes(void)
{
	struct buf said = { 0 };

	runtimes_begin(&runtimes);
	runtimes_ask(&said);
	if (set.verbose && said.n)
		msg_warn("added to the environment: %s", buf_cstr(&said));
	buf_release(&said);
	set.runtimes = &runtimes;
}

static bool
is_in_tmp(void)
{
	struct stat here, tmp;

	return stat(".", &here) == 0 && stat("/tmp", &tmp) == 0 &&
		here.st_dev == tmp.st_dev && here.st_ino == tmp.st_ino;
}

/* Lists the files that runtimes left, where requested. Returns false after a message. */
static bool
end_runtimes(void)
{
	struct buf list = { 0 };
	size_t n = runtimes_files(&runtimes, getpid(), "/tmp", &list);
	struct output out;
	bool fine = true;

	if (!is_in_tmp())
		n += runtimes_files(&runtimes, getpid(), ".", &list);
	if (runtime_files) {
		output_open(&out, runtime_files);
		output_str(&out, buf_view(&list));
		fine = output_close(&out);
	} else if (n) {
		msg_warn("runtimes left %zu file%s, such as %.*s, which fg-collapse "
			 "needs; remove %s afterwards",
			n, msg_s(n), (int)str_find(buf_view(&list), '\n'),
			buf_cstr(&list), n == 1 ? "it" : "them");
	}
	buf_release(&list);
	runtimes_release(&runtimes);
	return fine;
}

static const struct recorder_method *const methods[] = {
	[RECORD_PERF] = &perf_method,
	[RECORD_PTRACE] = &ptrace_method,
};

int
main(int argc, char **argv)
{
	void (*on_pipe)(int);
	struct output list;
	int first, status, i;

	start_program(argv[0]);
	set.argc = argc;
	set.argv = mem_alloc((size_t)(argc + 1) * sizeof *set.argv);
	for (i = 0; i < argc; i++)
		set.argv[i] = argv[i];
	first = opt_parse(&program, argc, argv);
	set.command = first < argc ? argv + first : NULL;
	if (command_line) {
		set.argv[0] = command_line;
		set.argc = 1;
	}
	if (list_events) {
		output_open(&list, shared.output);
		events_list("", &list);
		return output_close(&list) ? MSG_DONE : MSG_TROUBLE;
	}
	check();
	if (set.command && with_runtimes && !no_runtimes)
		begin_runtimes();
	on_pipe = signal(SIGPIPE, SIG_IGN);
	if (on_pipe == SIG_ERR)
		on_pipe = SIG_DFL;
	status = recorder_run(&set, methods, on_pipe);
	if (set.runtimes && !end_runtimes() && status == MSG_DONE)
		status = MSG_TROUBLE;
	events_release(&set.events);
	target_release(&set.pids);
	target_release(&set.tids);
	free(set.argv);
	return status;
}
