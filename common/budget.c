/* SPDX-License-Identifier: ISC */
/* Limits on the cost of an input; see budget.h. */
#include "budget.h"
#include "msg.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MB (UINT64_C(1) << 20)

enum { MEMORY = BUDGET_KINDS, PROCESSOR, ALLOWANCES };

/* The memory allowance that --limit is a multiple of. */
enum { DEFAULT_MB = 400 };

static const struct allowance {
	uint64_t base, each; /* EACH for each byte beyond the first MB */
	bool unpacked;	     /* unpacked bytes count as read bytes */
	const char *why;
} allowances[ALLOWANCES] = {
	[BUDGET_UNPACKED] = { DEFAULT_MB * MB, 512, false,
		"unpacks to more than its size allows; --limit lifts the limit" },
	[BUDGET_SECTIONS] = { 160 * MB, 64, false,
		"has sections that unpack to more than its size allows; --limit lifts the limit" },
	[BUDGET_FRAMES] = { 20000000, 64, true,
		"stands for more frames than its size allows; --limit lifts the limit" },
	[BUDGET_STEPS] = { 100000000, 64, true,
		"takes more steps than its size allows; --limit lifts the limit" },
	[MEMORY] = { DEFAULT_MB * MB, 256, false, NULL },
	[PROCESSOR] = { UINT64_C(4000000000), 10000, false, NULL },
};

static struct {
	bool on;
	double scale;
	volatile uint64_t
		read; /* also by the signal handler: a torn value does no harm */
	uint64_t drawn[BUDGET_KINDS];
	uint64_t sure[BUDGET_KINDS]; /* still available; by now it may be more */
	bool refused[BUDGET_KINDS];
	uint64_t grown; /* bytes allocated since memory use was last checked */
	/* Files read so far, by a hash of device and inode; an overwritten one counts again. */
	uint64_t files[1024];
} budget = { .scale = 1 };

/* The whole allowance I; unlimited without a budget. */
static uint64_t
allowed(int i)
{
	const struct allowance *a = &allowances[i];
	uint64_t seen = budget.read + (a->unpacked ? budget.drawn[BUDGET_UNPACKED] : 0);
	double all =
		(double)a->base + (seen > MB ? (double)(seen - MB) * (double)a->each : 0);

	/* A lower limit does not shorten the time: the machine may be slow. */
	all *= i == PROCESSOR && budget.scale < 1 ? 1 : budget.scale;
	return budget.on && all < 1e18 ? (uint64_t)all : UINT64_MAX;
}

static uint64_t
processor_time(void)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void
put(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

/* Runs in a signal handler, with anything half done: the program ends as by a signal. */
static void
stop_when_late(int number)
{
	(void)number;
	if (processor_time() <= allowed(PROCESSOR))
		return;
	put(msg_prog());
	put(": stopped: the input takes more processor time than its size allows; "
	    "--limit=none lifts the limit\n");
	msg_remove_temporaries();
	_exit(MSG_TROUBLE);
}

/* Checks the clock when the base is used up, and then every half second. */
static void
start_clock(void)
{
	struct sigaction action = { .sa_handler = stop_when_late,
		.sa_flags = SA_RESTART };
	/* The timer counts in ticks and may fire one early. */
	enum { TICK = 20000000 };
	uint64_t first = allowed(PROCESSOR) + TICK;
	struct itimerval timer = { { 0, 250000 }, { 0, 0 } };

	if (first > UINT32_MAX * UINT64_C(1000000000))
		return;
	timer.it_value.tv_sec = (time_t)(first / 1000000000);
	timer.it_value.tv_usec = (suseconds_t)(first % 1000000000 / 1000 + 1);
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGPROF, &action, NULL) == 0)
		(void)setitimer(ITIMER_PROF, &timer, NULL);
}

void
budget_start(void)
{
	budget.on = budget.scale > 0;
	memset(budget.sure, 0, sizeof budget.sure);
	if (budget.on)
		start_clock();
}

const char *
budget_limit(const char *arg)
{
	uint64_t n;

	if (strcmp(arg, "none") == 0) {
		budget.scale = 0;
		return NULL;
	}
	if (!str_to_bytes(str_of(arg), &n) || n < 16 * MB)
		return "is not a limit: use a size of 16M or more, such as 2G, or none";
	budget.scale = (double)n / (double)(DEFAULT_MB * MB);
	return NULL;
}

void
budget_read(uint64_t n)
{
	budget.read += n;
}

void
budget_read_file(const struct stat *st)
{
	uint64_t hash = ((uint64_t)st->st_dev * 31 + (uint64_t)st->st_ino + 1) *
		UINT64_C(0x9e3779b97f4a7c15);
	uint64_t *slot = &budget.files[hash >> 54];

	if (*slot == hash || !S_ISREG(st->st_mode) || st->st_size <= 0)
		return;
	*slot = hash;
	budget.read += (uint64_t)st->st_size;
}

uint64_t
budget_left(enum budget_kind kind)
{
	uint64_t all = allowed(kind);

	return all > budget.drawn[kind] ? all - budget.drawn[kind] : 0;
}

bool
budget_draw(enum budget_kind kind, uint64_t n)
{
	/* An allowance never shrinks, and this is called for each stack. */
	if (n > budget.sure[kind]) {
		budget.sure[kind] = budget_left(kind);
		if (n > budget.sure[kind]) {
			budget.refused[kind] = true;
			return false;
		}
	}
	budget.sure[kind] -= n;
	budget.drawn[kind] += n;
	return true;
}

void
budget_spend(enum budget_kind kind, uint64_t n)
{
	if (!budget_draw(kind, n))
		msg_die("the input %s", allowances[kind].why);
}

const char *
budget_why(enum budget_kind kind)
{
	return allowances[kind].why;
}

bool
budget_was_refused(enum budget_kind kind)
{
	return budget.refused[kind];
}

/* The bytes of memory that only this process uses, without mapped files; 0 if the system does not
 * report it. */
static uint64_t
resident(void)
{
	char text[128], *end;
	unsigned long long pages, shared;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = 0;
	(void)strtoull(text, &end, 10);
	pages = strtoull(end, &end, 10);
	shared = strtoull(end, &end, 10);
	return pages > shared ? (pages - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

void
budget_memory(size_t n)
{
	enum { STEP = 4 << 20 };
	uint64_t all;

	budget.grown += n;
	if (budget.grown < STEP || !budget.on)
		return;
	budget.grown = 0;
	all = allowed(MEMORY);
	if (n > all || resident() > all - n)
		msg_die("the input takes more than %" PRIu64
			" MB of memory, for %.1f MB of input; --limit lifts the limit",
			all / MB, (double)budget.read / (double)MB);
}
