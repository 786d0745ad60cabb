/* SPDX-License-Identifier: ISC */
/*
 * Runs a command several times and prints the best wall time in milliseconds, the
 * largest resident memory in MiB, and the least processor time in milliseconds,
 * including its own children:
 *
 *	measure TIMES file|pipe FILE COMMAND [ARGUMENT...]
 *
 * FILE is its stdin, opened or through a pipe; its output is discarded. Exits
 * with 1 if a run does not exit with status 0.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 256 * 1024 };

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* In a child: copies the file FD to a pipe. Returns the read end. */
static int
start_feeder(int fd)
{
	static char piece[PIECE];
	int ends[2];
	ssize_t n;
	pid_t pid;

	if (pipe(ends) != 0)
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid) {
		close(ends[1]);
		close(fd);
		return ends[0];
	}
	close(ends[0]);
	while ((n = read(fd, piece, sizeof piece)) > 0)
		if (write(ends[1], piece, (size_t)n) != n)
			break;
	_exit(0);
}

static void
become(char **command, int in)
{
	int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(in, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		_exit(126);
	close(in);
	execvp(command[0], command);
	_exit(127);
}

/*
 * Runs once; returns milliseconds. Sets *FAILED unless the command exits with status 0.
 */
static double
run(char **command, const char *path, bool piped, bool *failed)
{
	int fd = open(path, O_RDONLY), status = 0;
	double start;
	pid_t pid;

	if (fd < 0)
		die(path);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	start = now();
	if (piped)
		fd = start_feeder(fd);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0)
		become(command, fd);
	close(fd);
	if (waitpid(pid, &status, 0) != pid || status != 0)
		*failed = true;
	start = now() - start;
	if (piped)
		wait(&status);
	return start;
}

/* The largest resident memory of any child so far, in MiB. */
static double
largest(void)
{
	struct rusage r;

	if (getrusage(RUSAGE_CHILDREN, &r) != 0)
		die("getrusage");
#ifdef __APPLE__
	return (double)r.ru_maxrss / 1048576;
#else
	return (double)r.ru_maxrss / 1024;
#endif
}

/* The processor time of all finished children, in milliseconds. */
static double
processor(void)
{
	struct rusage r;

	if (getrusage(RUSAGE_CHILDREN, &r) != 0)
		die("getrusage");
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1e3 +
		(double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e3;
}

int
main(int argc, char **argv)
{
	double best = -1, least = -1, ms, used;
	bool failed = false;
	long times = argc > 4 ? strtol(argv[1], NULL, 10) : 0;

	if (times < 1) {
		fprintf(stderr,
			"usage: measure TIMES file|pipe FILE COMMAND [ARGUMENT...]\n");
		return 2;
	}
	while (times-- > 0) {
		used = processor();
		ms = run(argv + 4, argv[3], strcmp(argv[2], "pipe") == 0, &failed);
		if (best < 0 || ms < best)
			best = ms;
		used = processor() - used;
		if (least < 0 || used < least)
			least = used;
	}
	printf("%.1f %.1f %.1f\n", best, largest(), least);
	return failed;
}
