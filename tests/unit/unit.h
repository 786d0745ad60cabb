/* SPDX-License-Identifier: ISC */
/*
 * Unit tests. A file tests/unit/test_NOUN.c is:
 *
 *	#include "unit.h"
 *	#include "noun.h"
 *
 *	UNIT(states_the_rule)
 *	{
 *		CHECK(noun_is_so());
 *		CHECK_U64(noun_count(), 3);
 *		CHECK_STR(noun_name(), STR("x"));
 *	}
 *
 *	UNIT_MAIN
 *
 * A failed check is printed and the test goes on. Each test runs in a child of
 * its own, so a crash, a sanitizer's report or a hang is one failure; its
 * output is shown only on failure. The program takes substrings of test
 * names and ends with the line "N passed, N failed".
 */
#ifndef UNIT_H
#define UNIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "str.h"

enum { UNIT_MAX = 200, UNIT_SECONDS = 120 };

static struct {
	const char *name;
	void (*run)(void);
} unit_tests[UNIT_MAX];
static int unit_count;
static int unit_wrong;

static inline void
unit_add(const char *name, void (*run)(void))
{
	if (unit_count == UNIT_MAX)
		abort();
	unit_tests[unit_count].name = name;
	unit_tests[unit_count++].run = run;
}

#define UNIT(name)                                                     \
	static void unit_##name(void);                                 \
	__attribute__((constructor)) static void unit_add_##name(void) \
	{                                                              \
		unit_add(#name, unit_##name);                          \
	}                                                              \
	static void unit_##name(void)

#define CHECK(condition) unit_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_U64(got, expected) \
	unit_check_u64((got), (expected), __FILE__, __LINE__, #got)
#define CHECK_STR(got, expected) \
	unit_check_str((got), (expected), __FILE__, __LINE__, #got)

static inline void
unit_check(bool right, const char *file, int line, const char *text)
{
	if (right)
		return;
	unit_wrong++;
	printf("%s:%d: check failed: %s\n", file, line, text);
}

static inline void
unit_check_u64(
	uint64_t got, uint64_t expected, const char *file, int line, const char *text)
{
	if (got == expected)
		return;
	unit_wrong++;
	printf("%s:%d: %s is %" PRIu64 ", not %" PRIu64 "\n", file, line, text, got,
		expected);
}

/* Prints the bytes of S around AT, with unusual ones escaped. */
static inline void
unit_put(struct str s, size_t at)
{
	size_t i = at > 40 ? at - 40 : 0;

	printf("%s\"", i ? "..." : "");
	for (; i < s.n && i < at + 200; i++)
		if (s.s[i] >= ' ' && s.s[i] < 127 && s.s[i] != '\\')
			putchar(s.s[i]);
		else
			printf("\\x%02x", (unsigned)(unsigned char)s.s[i]);
	printf("\"%s (%zu bytes)", i < s.n ? "..." : "", s.n);
}

static inline void
unit_check_str(
	struct str got, struct str expected, const char *file, int line, const char *text)
{
	size_t at = 0;

	if (str_eq(got, expected))
		return;
	unit_wrong++;
	while (at < got.n && at < expected.n && got.s[at] == expected.s[at])
		at++;
	printf("%s:%d: %s is ", file, line, text);
	unit_put(got, at);
	printf(",\n\tnot ");
	unit_put(expected, at);
	putchar('\n');
}

/* In the child: runs test I with its output in LOG. */
static inline void
unit_child(int i, FILE *log)
{
	if (dup2(fileno(log), 1) < 0 || dup2(fileno(log), 2) < 0)
		_exit(3);
	alarm(UNIT_SECONDS);
	unit_tests[i].run();
	fflush(stdout);
	exit(unit_wrong ? 1 : 0);
}

/* Whether test I passes; prints its output if it fails. */
static inline bool
unit_passes(int i)
{
	int status = -1;
	FILE *log = tmpfile();
	pid_t pid;

	if (!log || (fflush(stdout), pid = fork()) < 0) {
		perror("unit");
		exit(2);
	}
	if (pid == 0)
		unit_child(i, log);
	if (waitpid(pid, &status, 0) == pid && status == 0) {
		fclose(log);
		return true;
	}
	printf("FAIL %s", unit_tests[i].name);
	if (WIFSIGNALED(status))
		printf(" (signal %d)", WTERMSIG(status));
	putchar('\n');
	rewind(log);
	for (int c; (c = getc(log)) != EOF;)
		putchar(c);
	fclose(log);
	return false;
}

static inline bool
unit_wanted(const char *name, char **argv)
{
	if (!argv[1])
		return true;
	for (char **want = argv + 1; *want; want++)
		if (strstr(name, *want))
			return true;
	return false;
}

static inline int
unit_main(char **argv)
{
	int passed = 0, failed = 0;

	for (int i = 0; i < unit_count; i++) {
		if (!unit_wanted(unit_tests[i].name, argv))
			continue;
		if (unit_passes(i))
			passed++;
		else
			failed++;
	}
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}

#define UNIT_MAIN                       \
	int main(int argc, char **argv) \
	{                               \
		(void)argc;             \
		return unit_main(argv); \
	}

#endif
