/* SPDX-License-Identifier: ISC */
/* The start of every program: start.h. */
#include "start.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

/* Whether DO_IT is true in a child with descriptor CLOSED closed. */
static bool
child_finds(int closed, bool (*do_it)(void))
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		if (closed >= 0)
			close(closed);
		start_program("test");
		_exit(do_it() ? 0 : 1);
	}
	return waitpid(pid, &status, 0) == pid && status == 0;
}

static bool
opens_beyond(void)
{
	return open("/dev/null", O_RDWR) > STDERR_FILENO;
}

static bool
cannot_read(void)
{
	char c;

	return opens_beyond() && read(STDIN_FILENO, &c, 1) < 0 && errno == EBADF;
}

static bool
cannot_write(void)
{
	return opens_beyond() && write(STDOUT_FILENO, "", 1) < 0 && errno == EBADF;
}

static bool
cannot_tell(void)
{
	return opens_beyond() && write(STDERR_FILENO, "", 1) < 0 && errno == EBADF;
}

UNIT(closed_descriptors_are_filled_and_fail)
{
	CHECK(child_finds(STDIN_FILENO, cannot_read));
	CHECK(child_finds(STDOUT_FILENO, cannot_write));
	CHECK(child_finds(STDERR_FILENO, cannot_tell));
}

static bool
is_too_big(void)
{
	struct rlimit limit = { 4, 4 };
	FILE *f = tmpfile();

	return f && setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
		write(fileno(f), "12345678", 8) == 4 && write(fileno(f), "5678", 4) < 0 &&
		errno == EFBIG;
}

UNIT(a_size_limit_is_an_error_of_the_write)
{
	CHECK(child_finds(-1, is_too_big));
}

/* A started command has the original signals and descriptors. */
static bool
is_as_before(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c",
			"(exec 3>&1) 2>/dev/null && exit 1; kill -s XFSZ $$; exit 0",
			(char *)NULL);
		_exit(3);
	}
	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
		WTERMSIG(status) == SIGXFSZ;
}

UNIT(commands_start_as_before)
{
	signal(SIGXFSZ, SIG_DFL);
	CHECK(child_finds(STDOUT_FILENO, is_as_before));
}

static bool
is_ignored(void)
{
	struct sigaction had;

	return sigaction(SIGXFSZ, NULL, &had) == 0 && had.sa_handler == SIG_IGN;
}

UNIT(programs_that_ignore_the_signal_go_on)
{
	signal(SIGXFSZ, SIG_IGN);
	CHECK(child_finds(-1, is_ignored));
}

UNIT_MAIN
