/* SPDX-License-Identifier: ISC */
/*
 * Runs a program on damaged copies of a file, given as its stdin:
 *
 *	torture chop|noise TIMES FILE PROGRAM [ARGUMENT...]
 *
 * chop gives it prefixes, noise copies with one byte changed: every one when
 * the file has few bytes, else TIMES of them, always the same. The program has
 * to end by itself with status 0, 1 or 2; a sanitizer's report is to be made
 * status 99 by its options. What fails is printed with what the program said,
 * and ends torture with status 1.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, CPU_SECONDS = 20, SHOWN = 4000 };

static struct {
	char **program;
	const char *path;
	char *bytes, *copy;
	size_t n;
	bool noise;
	size_t times;
} job;

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static void
read_file(void)
{
	FILE *f = fopen(job.path, "rb");
	size_t cap = 1 << 16, got;

	if (!f)
		die(job.path);
	job.bytes = malloc(cap);
	while ((got = fread(job.bytes + job.n, 1, cap - job.n, f)) > 0) {
		job.n += got;
		if (job.n == cap)
			job.bytes = realloc(job.bytes, cap *= 2);
		if (!job.bytes)
			die("memory");
	}
	fclose(f);
	job.copy = malloc(job.n + 1);
	if (!job.copy)
		die("memory");
}

/* A number that depends on I alone, spread over 32 bits. */
static uint32_t
spread(size_t i)
{
	uint64_t x = (i + 1) * 0x9e3779b97f4a7c15;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return (uint32_t)(x >> 32);
}

/* The place of damage I of COUNT: all places, or one in each equal part. */
static size_t
place(size_t i, size_t count)
{
	size_t part = job.n / count;

	return part <= 1 ? i : i * part + spread(i) % part;
}

/* Makes damage I of COUNT in the copy and returns how long that is. */
static size_t
damage(size_t i, size_t count)
{
	static const unsigned char bytes[] = "\0\xff\n\r\t ;:()<>[]/+-.#09afx\x80\x1f&\"";
	size_t at = place(i, count);
	unsigned char byte;

	memcpy(job.copy, job.bytes, job.n);
	if (!job.noise)
		return at;
	byte = bytes[spread(i * 3) % (sizeof bytes - 1)];
	job.copy[at] = (char)(byte == (unsigned char)job.bytes[at] ? byte ^ 1 : byte);
	return job.n;
}

/* A file without a name that holds the N bytes at S, read from its start. */
static int
hold(const char *s, size_t n)
{
	FILE *f = tmpfile();
	int fd;

	if (!f || fwrite(s, 1, n, f) != n || fflush(f) != 0)
		die("temporary file");
	fd = dup(fileno(f));
	fclose(f);
	if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
		die("temporary file");
	return fd;
}

static void
become_program(int in, int log)
{
	struct rlimit limit = { CPU_SECONDS, CPU_SECONDS };
	int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(in, 0) < 0 || dup2(null, 1) < 0 || dup2(log, 2) < 0)
		_exit(3);
	setrlimit(RLIMIT_CPU, &limit);
	execvp(job.program[0], job.program);
	_exit(3);
}

static void
show(int status, size_t i, size_t at, int log)
{
	char text[SHOWN];
	ssize_t n = pread(log, text, sizeof text, 0);

	printf("%s: %s %zu at byte %zu: %s", job.path, job.noise ? "noise" : "chop", i,
		at, job.program[0]);
	if (WIFSIGNALED(status))
		printf(" killed by signal %d\n", WTERMSIG(status));
	else
		printf(" ended with status %d\n", WEXITSTATUS(status));
	fwrite(text, 1, n > 0 ? (size_t)n : 0, stdout);
	fflush(stdout);
}

/* Whether the program bears damage I of COUNT. */
static bool
bears(size_t i, size_t count)
{
	int in = hold(job.copy, damage(i, count)), log = hold("", 0), status = 0;
	pid_t pid = fork();
	bool good;

	if (pid < 0)
		die("fork");
	if (pid == 0)
		become_program(in, log);
	if (waitpid(pid, &status, 0) != pid)
		die("wait");
	good = WIFEXITED(status) && WEXITSTATUS(status) <= 2;
	if (!good)
		show(status, i, place(i, count), log);
	close(in);
	close(log);
	return good;
}

/* Every WORKERSth damage from FIRST on, in a child; stops at the first failure. */
static pid_t
start_worker(size_t first, size_t count)
{
	pid_t pid = fork();
	size_t i;

	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	for (i = first; i < count; i += WORKERS)
		if (!bears(i, count))
			_exit(1);
	_exit(0);
}

int
main(int argc, char **argv)
{
	size_t count, i;
	int status, worst = 0;

	if (argc < 5 || (job.times = strtoul(argv[2], NULL, 10)) == 0) {
		fprintf(stderr,
			"usage: torture chop|noise TIMES FILE PROGRAM [ARGUMENT...]\n");
		return 2;
	}
	job.noise = strcmp(argv[1], "noise") == 0;
	job.path = argv[3];
	job.program = argv + 4;
	read_file();
	count = job.n < job.times ? job.n : job.times;
	fflush(stdout);
	for (i = 0; i < WORKERS; i++)
		start_worker(i, count);
	for (i = 0; i < WORKERS; i++)
		if (wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
			worst = 1;
	free(job.bytes);
	free(job.copy);
	return worst;
}
