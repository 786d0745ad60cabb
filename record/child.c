/* SPDX-License-Identifier: ISC */
/* The command to record; see child.h. */
#include "child.h"
#include "buf.h"
#include "msg.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126 };

/* In the child: waits for the word, then becomes the command. */
static _Noreturn void
become(const struct child_start *how, int go, int trouble)
{
	char byte;
	int why;

	if (how->stdout_taken)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, how->on_pipe);
	sigprocmask(SIG_SETMASK, how->signals, NULL);
	if (read(go, &byte, 1) != 1)
		_exit(0);
	execvp(how->command[0], how->command);
	why = errno;
	if (write(trouble, &why, sizeof why) != (ssize_t)sizeof why)
		_exit(125);
	_exit(127);
}

static void
close_two(int fd[2])
{
	close(fd[0]);
	close(fd[1]);
}

/* A pipe whose ends do not outlive an exec. */
static bool
open_pipe(int fd[2])
{
	if (pipe(fd) != 0)
		return false;
	fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	fcntl(fd[1], F_SETFD, FD_CLOEXEC);
	return true;
}

bool
child_start(struct child *c, const struct child_start *how)
{
	int go[2], trouble[2];

	*c = (struct child){ .go = -1, .trouble = -1 };
	if (!open_pipe(go)) {
		msg_error("cannot start %s:", how->command[0]);
		return false;
	}
	if (!open_pipe(trouble)) {
		msg_error("cannot start %s:", how->command[0]);
		close_two(go);
		return false;
	}
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		close(trouble[0]);
		become(how, go[0], trouble[1]);
	}
	close(go[0]);
	close(trouble[1]);
	c->go = go[1];
	c->trouble = trouble[0];
	if (c->pid > 0)
		return true;
	msg_error("cannot start %s:", how->command[0]);
	c->pid = 0;
	child_abandon(c);
	return false;
}

static void
close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Gives the word. False when it cannot become the command, with errno. */
static bool
let_begin(struct child *c)
{
	int why = 0;
	ssize_t got = write(c->go, "g", 1);

	/* The other end closes when the exec succeeds. */
	if (got == 1) {
		do
			got = read(c->trouble, &why, sizeof why);
		while (got < 0 && errno == EINTR);
	}
	close_one(&c->go);
	close_one(&c->trouble);
	errno = why;
	return got == 0;
}

int
child_release(struct child *c, char **command)
{
	if (let_begin(c))
		return 0;
	msg_error("%s:", command[0]);
	return errno == ENOENT || errno == ENOTDIR ? NOT_FOUND : NOT_EXECUTABLE;
}

void
child_warn_unrecorded(char **command, struct str why)
{
	struct buf text = { 0 };

	for (; why.n; buf_str(&text, why.n ? STR("; ") : STR("")))
		buf_str(&text, str_cut(&why, '\n'));
	msg_warn("%s runs without being recorded: %s", command[0], buf_cstr(&text));
	buf_release(&text);
}

void
child_abandon(struct child *c)
{
	bool waits = c->pid > 0 && c->go >= 0;

	close_one(&c->go);
	close_one(&c->trouble);
	if (waits)
		child_ended(c, true);
}

bool
child_ended(struct child *c, bool wait)
{
	pid_t got;

	if (c->ended || c->pid <= 0)
		return c->ended;
	do
		got = waitpid(c->pid, &c->wait_status, wait ? 0 : WNOHANG);
	while (got < 0 && errno == EINTR);
	c->ended = got != 0;
	return c->ended;
}

int
child_status(const struct child *c, bool cut, int signal)
{
	int killed = WIFSIGNALED(c->wait_status) ? WTERMSIG(c->wait_status) : 0;

	if (!c->pid)
		return MSG_DONE;
	if (!c->ended)
		return 128 + signal;
	/* The signal that ended it was ours. */
	if (cut && killed == SIGTERM)
		return MSG_DONE;
	return killed ? 128 + killed : WEXITSTATUS(c->wait_status);
}
