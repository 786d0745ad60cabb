/* SPDX-License-Identifier: ISC */
/*
 * Gives damaged copies of files, whose paths are lines of stdin, to the fuzz target linked in:
 *
 *	find ... | build/san/damage/fuzz_NAME chop|noise HEAD TIMES [twice]
 *
 * chop makes prefixes, noise copies with one byte changed: every one if the file is small, else
 * TIMES of them, always the same. HEAD, hexadecimal, is prepended to each, for the options of
 * the target. With twice, the whole file follows after 0x1e, where targets split. The target
 * runs in a child, which goes from file to file. If a law, a sanitizer or CPU_SECONDS ends it,
 * the place of the damage is printed, and another child continues with the next file. Ends with
 * the line "N passed, N failed", counting files.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buf.h"

enum { WORKERS = 2, CPU_SECONDS = 20, SHOWN = 4000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Targets that have a mutator of their own refer to it. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
	(void)data;
	(void)most;
	return size;
}

static struct {
	bool noise, twice;
	struct buf head;
	size_t times;
	char **path;
	size_t n, cap;
} job;

/* The position of a worker; shared with its parent. */
struct place {
	size_t file, damage, byte, passed, failed;
};

static _Noreturn void
die(const char *what)
{
	perror(what);
	_exit(2);
}

static void
read_file(struct buf *b, const char *path)
{
	FILE *f = fopen(path, "rb");
	size_t got;

	if (!f)
		die(path);
	buf_clear(b);
	while ((got = fread(buf_room(b, 1 << 16), 1, 1 << 16, f)) > 0)
		b->n += got;
	fclose(f);
}

/* A hash of I, spread over 32 bits. */
static uint32_t
spread(size_t i)
{
	uint64_t x = (i + 1) * 0x9e3779b97f4a7c15;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return (uint32_t)(x >> 32);
}

/* The byte of damage I of COUNT in N bytes: each byte, or one in each of equal parts. */
static size_t
byte_of(size_t i, size_t count, size_t n)
{
	size_t part = n / count;

	return part <= 1 ? i : i * part + spread(i) % part;
}

/* Gives the target FILE with damage I at byte AT. */
static void
give(const struct buf *file, size_t i, size_t at)
{
	static const char bytes[] = "\0\xff\n\r\t ;:()<>[]/+-.#09afx\x80\x1f&\"";
	char byte = bytes[spread(i * 3) % (sizeof bytes - 1)];
	struct buf copy = { 0 };
	uint8_t *exact;

	buf_str(&copy, buf_view(&job.head));
	buf_str(&copy, str_head(buf_view(file), job.noise ? file->n : at));
	if (job.noise)
		copy.s[job.head.n + at] = byte == file->s[at] ? (char)(byte ^ 1) : byte;
	if (job.twice) {
		buf_char(&copy, 0x1e);
		buf_str(&copy, buf_view(file));
	}
	/* An exact allocation, so that reads beyond the end are found. */
	exact = malloc(copy.n ? copy.n : 1);
	if (!exact)
		die("memory");
	memcpy(exact, copy.s, copy.n);
	LLVMFuzzerTestOneInput(exact, copy.n);
	free(exact);
	buf_release(&copy);
}

/* In the child: tries every WORKERSth file from AT on, and keeps AT up to date. */
static _Noreturn void
try_files(struct place *at, FILE *log)
{
	const struct itimerval limit = { .it_value.tv_sec = CPU_SECONDS };
	struct buf file = { 0 };
	size_t count;

	if (dup2(fileno(log), 2) < 0)
		_exit(2);
	for (; at->file < job.n; at->file += WORKERS) {
		read_file(&file, job.path[at->file]);
		count = file.n < job.times ? file.n : job.times;
		/* The last prefix is the whole file. */
		for (at->damage = 0; at->damage < count + !job.noise; at->damage++) {
			at->byte = at->damage < count ? byte_of(at->damage, count, file.n)
						      : file.n;
			setitimer(ITIMER_PROF, &limit, NULL);
			give(&file, at->damage, at->byte);
			/* Discard messages about an input that did no harm. */
			if (ftruncate(2, 0) != 0 || lseek(2, 0, SEEK_SET) != 0)
				_exit(2);
		}
		at->passed++;
	}
	buf_release(&file);
	buf_release(&job.head);
	exit(0);
}

static void
show(const struct place *at, int status, FILE *log)
{
	char text[SHOWN];
	ssize_t n = pread(fileno(log), text, sizeof text, 0);

	if (at->file < job.n)
		printf("FAIL %s: %s %zu at byte %zu", job.path[at->file],
			job.noise ? "noise" : "chop", at->damage, at->byte);
	else
		printf("FAIL behind the last file");
	if (WIFSIGNALED(status))
		printf(": signal %d\n", WTERMSIG(status));
	else
		printf(": status %d\n", WEXITSTATUS(status));
	fwrite(text, 1, n > 0 ? (size_t)n : 0, stdout);
	fflush(stdout);
}

/* In a worker: starts children until all files from AT on were tried. */
static _Noreturn void
work(struct place *at)
{
	FILE *log = tmpfile();
	int status;
	pid_t pid;

	if (!log)
		die("temporary file");
	while (at->file < job.n) {
		if ((pid = fork()) < 0)
			die("fork");
		if (pid == 0)
			try_files(at, log);
		if (waitpid(pid, &status, 0) != pid)
			die("wait");
		if (status != 0) {
			show(at, status, log);
			at->failed++;
			at->file += WORKERS;
		}
	}
	_exit(0);
}

static void
read_arguments(char **argv)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	job.noise = strcmp(argv[0], "noise") == 0;
	for (const char *s = argv[1]; s[0] && s[1]; s += 2) {
		const char digits[] = { s[0], s[1], '\0' };

		buf_char(&job.head, (char)strtoul(digits, NULL, 16));
	}
	job.times = strtoul(argv[2], NULL, 10);
	job.twice = argv[3];
	for (; (n = getline(&line, &cap, stdin)) > 0; line = NULL, cap = 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (job.n == job.cap)
			job.path =
				mem_grow(job.path, &job.cap, job.n + 1, sizeof *job.path);
		job.path[job.n++] = line;
	}
	free(line);
}

int
main(int argc, char **argv)
{
	struct place *at = mmap(NULL, WORKERS * sizeof *at, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	size_t passed = 0, failed = 0;

	if (argc < 4 || argc > 5 || at == MAP_FAILED) {
		fprintf(stderr,
			"usage: fuzz_NAME chop|noise HEAD TIMES [twice] <paths\n");
		return 2;
	}
	read_arguments(argv + 1);
	for (size_t w = 0; w < WORKERS; w++) {
		at[w].file = w;
		if (fork() == 0)
			work(at + w);
	}
	while (wait(NULL) > 0)
		;
	for (size_t w = 0; w < WORKERS; w++) {
		passed += at[w].passed;
		failed += at[w].failed + (at[w].file < job.n);
	}
	printf("%zu passed, %zu failed\n", passed, failed);
	return failed != 0;
}
