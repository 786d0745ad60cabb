/* SPDX-License-Identifier: ISC */
/* Runs programs in child processes; see laws.h. */
#define _GNU_SOURCE /* memfd_create */
#include "laws.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 60, SECONDS = 60 };

#define SLOT_STRING(name) #name,
static const char *const names[] = { SLOTS(SLOT_STRING) };

#define PROGRAMS(X) \
	X(annotate) X(collapse) X(diff) X(export) X(filter) X(merge) X(report) X(svg)
#define DECLARE(name) int fg_##name##_main(int argc, char **argv);
PROGRAMS(DECLARE)
#define ROW(name) { "fg-" #name, fg_##name##_main },
static const struct {
	const char *name;
	int (*main)(int argc, char **argv);
} programs[] = { PROGRAMS(ROW) };

static struct {
	int fd;
	char path[32];
	struct buf text;
	bool known; /* TEXT has the contents */
} files[SLOT_COUNT];
static bool crashed;

static _Noreturn void
die(const char *what)
{
	perror(what);
	_exit(2);
}

void
program_init(void)
{
	for (int i = 0; i < SLOT_COUNT; i++) {
		files[i].fd = memfd_create("law", 0);
		if (files[i].fd < 0)
			die("memfd_create");
		snprintf(files[i].path, sizeof files[i].path, "/proc/self/fd/%d",
			files[i].fd);
	}
}

/* The file named after $ in WORD, or SLOT_COUNT. */
static int
slot_of(const char *word)
{
	int i = 0;

	while (i < SLOT_COUNT && strcmp(word + 1, names[i]) != 0)
		i++;
	return *word == '$' ? i : SLOT_COUNT;
}

struct str
text_of(enum slot slot)
{
	struct buf *b = &files[slot].text;
	off_t n;

	if (files[slot].known)
		return buf_view(b);
	n = lseek(files[slot].fd, 0, SEEK_END);
	buf_clear(b);
	if (n < 0 || pread(files[slot].fd, buf_room(b, (size_t)n), (size_t)n, 0) != n)
		die("read");
	b->n = (size_t)n;
	files[slot].known = true;
	return buf_view(b);
}

static void
empty(enum slot slot)
{
	files[slot].known = false;
	if (ftruncate(files[slot].fd, 0) != 0 || lseek(files[slot].fd, 0, SEEK_SET) != 0)
		die("memory");
}

void
put_text(enum slot slot, struct str text)
{
	empty(slot);
	if (write(files[slot].fd, text.s, text.n) != (ssize_t)text.n)
		die("write");
}

/* In the child: becomes the program of WORDS. */
static _Noreturn void
become(char **words, int n)
{
	for (int i = 0, slot; i < n; i++)
		if ((slot = slot_of(words[i])) < SLOT_COUNT)
			words[i] = files[slot].path;
	words[n] = NULL;
	alarm(SECONDS);
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (n && strcmp(programs[i].name, words[0]) == 0)
			exit(programs[i].main(n, words));
	_exit(99);
}

/* Runs one program from descriptor IN to OUT. Returns its status. */
static int
run_one(char **words, int n, int in, enum slot out)
{
	int status;
	pid_t pid;

	empty(out);
	empty(ERR);
	fflush(stdout);
	if ((pid = fork()) < 0)
		die("fork");
	if (pid == 0) {
		if (dup2(in, 0) < 0 || dup2(files[ERR].fd, 2) < 0 ||
			dup2(files[out].fd, 1) < 0)
			_exit(99);
		become(words, n);
	}
	if (waitpid(pid, &status, 0) != pid)
		die("wait");
	if (WIFEXITED(status) && WEXITSTATUS(status) <= 2)
		return WEXITSTATUS(status);
	crashed = true;
	differs("%s: status %x: %.*s", words[0], (unsigned)status, STR_ARG(text_of(ERR)));
	return 99;
}

/* A descriptor of a file, at its start. */
static int
reopen(int slot)
{
	if (slot == SLOT_COUNT || lseek(files[slot].fd, 0, SEEK_SET) != 0)
		die("no such file");
	return files[slot].fd;
}

/* Runs the programs of LINE from IN. Cuts LINE into words. */
static int
run_all(enum slot out, char *line, int in)
{
	char *words[WORDS + 1], *rest = NULL, *word = strtok_r(line, " ", &rest);
	bool piped = true, back = false;
	int n = 0, status = 0;

	while (piped) {
		for (n = 0, piped = false; word && !piped;
			word = strtok_r(NULL, " ", &rest))
			if (*word == '<')
				in = reopen(slot_of(word + 1));
			else if (*word == '|')
				piped = true;
			else if (n < WORDS)
				words[n++] = word;
		status = run_one(words, n, in, !piped ? out : back ? BACK : PIPE);
		in = piped ? reopen(back ? BACK : PIPE) : in;
		back = !back;
	}
	return status;
}

int
run(enum slot out, const char *fmt, ...)
{
	static int null = -1;
	char *line = NULL;
	va_list args;
	int status;

	if (null < 0 && (null = open("/dev/null", O_RDONLY)) < 0)
		die("/dev/null");
	va_start(args, fmt);
	if (vasprintf(&line, fmt, args) < 0)
		die("memory");
	va_end(args);
	status = run_all(out, line, null);
	free(line);
	return status;
}

bool
alike(const char *one, const char *other)
{
	int left = run(LEFT, "%s", one), right;

	if (*other == '$')
		put_text(RIGHT, text_of(slot_of(other)));
	right = *other == '$' ? left : run(RIGHT, "%s", other);
	return (left == right && same(LEFT, RIGHT)) ||
		differs("%s: status %d, not %d", one, left, right);
}

/* Starts a child that writes TEXT into a pipe. Returns the reading end. */
static int
start_writer(struct str text, pid_t *pid)
{
	int ends[2];
	ssize_t n;

	if (pipe(ends) != 0 || (*pid = fork()) < 0)
		die("pipe");
	if (*pid == 0) {
		close(ends[0]);
		while (text.n && (n = write(ends[1], text.s, text.n)) > 0)
			text = str_from(text, (size_t)n);
		_exit(0);
	}
	close(ends[1]);
	return ends[0];
}

int
run_piped(enum slot out, struct str text, const char *words)
{
	pid_t writer;
	int in = start_writer(text, &writer), status;
	char *line = strdup(words);

	status = run_all(out, line, in);
	free(line);
	close(in);
	waitpid(writer, NULL, 0);
	return status;
}

bool
program_crashed(void)
{
	bool was = crashed;

	crashed = false;
	return was;
}
