/* SPDX-License-Identifier: ISC */
/*
 * Tries the laws of laws.h on every input whose path is a line of stdin:
 *
 *	build/plain/laws/laws [law] <paths
 *
 * Two workers take inputs alternately. A law that an input cannot break is vacuous: it is
 * skipped, and counted by reason. Ends with the line "N passed, N failed, N skipped".
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "laws.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, COUNTS = 400, COMPLAINT = 600 };

/* A law, or a reason why one is vacuous. */
struct count {
	const char *name, *reason;
	uint64_t n[3]; /* by verdict */
};

struct subject now;
static const char *wanted;   /* the only law to try, or NULL */
static struct count *counts; /* of this worker; shared with its parent */
static struct buf complaint;
static char **inputs;
static size_t n_inputs, cap_inputs;

bool
differs(const char *fmt, ...)
{
	va_list args;

	buf_str(&complaint, STR("\n\t"));
	va_start(args, fmt);
	vsnprintf(buf_room(&complaint, COMPLAINT), COMPLAINT, fmt, args);
	va_end(args);
	complaint.n += strlen(complaint.s + complaint.n);
	return false;
}

static struct count *
count_of(struct count *of, const char *name, const char *reason)
{
	for (int i = 0; i < COUNTS; i++, of++) {
		if (!of->name)
			*of = (struct count){ .name = name, .reason = reason };
		if (of->name == name && of->reason == reason)
			return of;
	}
	abort();
}

void
try_law(const struct law *law)
{
	struct verdict found = { HOLDS, NULL };

	if (wanted && strcmp(wanted, law->name) != 0)
		return;
	buf_clear(&complaint);
	(void)program_crashed();
	found = law->holds ? law->holds() : verdict(alike(law->one, law->other));
	if (program_crashed())
		found = verdict(false);
	count_of(counts, law->name, found.reason)->n[found.is]++;
	if (found.is != FAILS)
		return;
	printf("FAIL %s: %s%.*s\n", law->name, now.input, STR_ARG(buf_view(&complaint)));
	fflush(stdout);
}

void
try_laws(const struct law *laws)
{
	for (; laws->name; laws++)
		try_law(laws);
}

bool
read_input(void)
{
	FILE *f = fopen(now.input, "rb");
	struct buf text = { 0 };
	size_t got;

	if (!f)
		return false;
	while ((got = fread(buf_room(&text, 1 << 16), 1, 1 << 16, f)) > 0)
		text.n += got;
	fclose(f);
	put_text(TEXT, buf_view(&text));
	buf_release(&text);
	return true;
}

/* For the input as a profile: folds it by common dimensions. */
static void
try_folds(void)
{
	static const char *const folds[] = { "", "--by comm,tid,time:10ms",
		"--by label:a,pid,cpu,time:10ms --srcline" };
	struct buf line = { 0 };

	for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
		buf_clear(&line);
		buf_fmt(&line, "fg-collapse -q %s %s | fg-merge -q", folds[i], now.input);
		if (try_dimensions(buf_cstr(&line)) && i == 1)
			try_targets_for_dimensions();
	}
	buf_release(&line);
}

static void
try_input(const char *path)
{
	bool joined = strncmp(path, "tests/pipe/", 11) == 0;

	now.input = path;
	now.turn++;
	now.is_profile = joined || strncmp(path, "tests/collapse/", 15) == 0;
	if (now.is_profile) {
		try_profile();
		try_folds();
	}
	now.is_profile &= !joined;
	if (!now.is_profile && read_input()) {
		try_text();
		if (try_dimensions("fg-merge -q $TEXT"))
			try_targets_for_dimensions();
	}
	try_exports();
}

/* Tries every WORKERSth input from FIRST on. */
static _Noreturn void
work(size_t first)
{
	program_init();
	if (first == 0)
		try_made_up();
	put_text(OTHER, STR("a;b 1\n"));
	put_text(THIRD, STR("a;c 2.5\n"));
	for (size_t i = first; i < n_inputs; i += WORKERS)
		try_input(inputs[i]);
	exit(0);
}

static void
read_inputs(void)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	for (; (n = getline(&line, &cap, stdin)) > 0; line = NULL, cap = 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (n_inputs == cap_inputs)
			inputs = mem_grow(
				inputs, &cap_inputs, n_inputs + 1, sizeof *inputs);
		inputs[n_inputs++] = line;
	}
	free(line);
}

/* Prints the skipped laws, and the sum of ALL counts. Returns whether some held and none
 * failed. */
static bool
sum_up(struct count *all)
{
	uint64_t sum[3] = { 0 };

	for (int w = 1; w < WORKERS; w++)
		for (struct count *c = all + w * COUNTS; c->name; c++)
			for (int v = 0; v < 3; v++)
				count_of(all, c->name, c->reason)->n[v] += c->n[v];
	for (struct count *c = all; c->name; c++) {
		if (c->reason)
			printf("%s: %" PRIu64 " skipped: %s\n", c->name, c->n[VACUOUS],
				c->reason);
		for (int v = 0; v < 3; v++)
			sum[v] += c->n[v];
	}
	printf("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n",
		sum[HOLDS], sum[FAILS], sum[VACUOUS]);
	return sum[HOLDS] && !sum[FAILS];
}

int
main(int argc, char **argv)
{
	struct count *all = mmap(NULL, WORKERS * COUNTS * sizeof *all,
		PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, worst = 0;

	if (all == MAP_FAILED)
		return 2;
	setenv("LC_ALL", "C", 1);
	wanted = argc > 1 ? argv[1] : NULL;
	read_inputs();
	for (size_t w = 0; w < WORKERS; w++) {
		counts = all + w * COUNTS;
		if (fork() == 0)
			work(w);
	}
	while (wait(&status) > 0)
		worst |= status;
	if (worst)
		printf("FAIL: a worker died of %x\n", (unsigned)worst);
	return sum_up(all) && !worst ? 0 : 1;
}
