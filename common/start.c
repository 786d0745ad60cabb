/* SPDX-License-Identifier: ISC */
/* Start-up of every program; see start.h. */
#include "start.h"
#include "msg.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* Opens something as FD, the lowest free descriptor, for the opposite direction. */
static void
fill(int fd)
{
	int mode = (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC;
	int got = open("/dev/null", mode);

	/* Without /dev: a folder can be neither read nor written. */
	if (got < 0)
		got = open("/", O_RDONLY | O_CLOEXEC);
	if (got != fd)
		_exit(MSG_TROUBLE);
}

static void
let_it_fail(int signal)
{
	(void)signal;
}

/* A handler, unlike SIG_IGN, is not inherited by a command that is started. */
static void
outlive_size_limit(void)
{
	struct sigaction fails = { .sa_handler = let_it_fail }, had;

	sigemptyset(&fails.sa_mask);
	if (sigaction(SIGXFSZ, NULL, &had) == 0 && had.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &fails, NULL);
}

void
start_program(const char *name)
{
	int fd;

	msg_init(name);
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			fill(fd);
	outlive_size_limit();
}
