/* SPDX-License-Identifier: ISC */
#define _XOPEN_SOURCE 700 /* S_IFREG, mkdtemp */
#include "budget.h"
#include "mem.h"
#include "output.h"
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define MB (UINT64_C(1) << 20)

/* A file of N bytes. */
static struct stat
file_of(uint64_t n, unsigned inode)
{
	struct stat st = { .st_mode = S_IFREG, .st_size = (off_t)n, .st_ino = inode };

	return st;
}

UNIT(everything_is_allowed_before_the_start)
{
	CHECK(budget_draw(BUDGET_UNPACKED, UINT64_MAX / 2));
	CHECK_U64(budget_left(BUDGET_FRAMES), UINT64_MAX);
	CHECK(!budget_was_refused(BUDGET_UNPACKED));
}

UNIT(a_small_input_has_the_base)
{
	budget_start();
	budget_read(MB / 2);
	CHECK_U64(budget_left(BUDGET_UNPACKED), 400 * MB);
	CHECK(budget_draw(BUDGET_UNPACKED, 400 * MB - 1));
	CHECK(!budget_draw(BUDGET_UNPACKED, 2));
	CHECK(budget_was_refused(BUDGET_UNPACKED));
	/* Refused bytes were not drawn. */
	CHECK(budget_draw(BUDGET_UNPACKED, 1));
	CHECK(!budget_was_refused(BUDGET_SECTIONS));
}

UNIT(a_large_input_has_more)
{
	struct stat st = file_of(3 * MB, 1);

	budget_start();
	budget_read_file(&st);
	CHECK_U64(budget_left(BUDGET_UNPACKED), 400 * MB + 512 * 2 * MB);
	budget_read(MB);
	CHECK_U64(budget_left(BUDGET_UNPACKED), 400 * MB + 512 * 3 * MB);
}

UNIT(a_file_counts_once)
{
	struct stat a = file_of(3 * MB, 1), b = file_of(MB, 2);

	budget_start();
	budget_read_file(&a);
	budget_read_file(&b);
	budget_read_file(&a);
	CHECK_U64(budget_left(BUDGET_UNPACKED), 400 * MB + 512 * 3 * MB);
}

UNIT(unpacked_bytes_allow_frames)
{
	budget_start();
	CHECK_U64(budget_left(BUDGET_FRAMES), 20000000);
	CHECK(budget_draw(BUDGET_UNPACKED, 2 * MB));
	CHECK_U64(budget_left(BUDGET_FRAMES), 20000000 + 64 * MB);
}

UNIT(the_option_scales_everything)
{
	CHECK(!budget_limit("800M"));
	budget_start();
	CHECK_U64(budget_left(BUDGET_UNPACKED), 800 * MB);
	CHECK_U64(budget_left(BUDGET_STEPS), 200000000);
}

UNIT(none_lifts_it)
{
	CHECK(!budget_limit("none"));
	budget_start();
	CHECK_U64(budget_left(BUDGET_UNPACKED), UINT64_MAX);
	budget_memory((size_t)1 << 40);
}

UNIT(other_arguments_are_refused)
{
	static const char *const wrong[] = { "", "no", "1M", "-2G", "2GB", "G" };

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(budget_limit(wrong[i]) != NULL);
	CHECK(!budget_limit("16M"));
	CHECK(!budget_limit("1T"));
}

/* How a child that runs F ends: its status, or -1 by a signal. */
static int
status_of(void (*f)(void))
{
	int status;
	pid_t child = fork();

	if (!child) {
		f();
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		abort();
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
fill_memory(void)
{
	static char *blocks[64];
	size_t i, n = (size_t)4 << 20;

	(void)budget_limit("64M");
	budget_start();
	for (i = 0; i < 64; i++) {
		blocks[i] = mem_alloc(n);
		memset(blocks[i], 1, n);
	}
}

static void
ask_for_too_much(void)
{
	budget_start();
	free(mem_alloc((size_t)500 << 20));
}

static void
spend(void)
{
	budget_start();
	budget_spend(BUDGET_FRAMES, 20000000);
	budget_spend(BUDGET_FRAMES, 1);
}

static char folder[] = "/tmp/budget-XXXXXX";

static void
go_on_for_ever(void)
{
	volatile uint64_t n = 0;
	struct output_file f;

	(void)budget_limit("16M");
	budget_start();
	if (chdir(folder) != 0 || !output_file_open(&f, "new", OUTPUT_REPLACE))
		_exit(1);
	for (;;)
		n++;
}

UNIT(beyond_it_the_program_ends)
{
	CHECK_U64(status_of(fill_memory), 2);
	CHECK_U64(status_of(ask_for_too_much), 2);
	CHECK_U64(status_of(spend), 2);
}

UNIT(beyond_its_time_no_file_is_left)
{
	CHECK(mkdtemp(folder) != NULL);
	CHECK_U64(status_of(go_on_for_ever), 2);
	CHECK(rmdir(folder) == 0);
}

UNIT_MAIN
