/* SPDX-License-Identifier: ISC */
/* The command to record; see child.h. */
#define _GNU_SOURCE
#include "child.h"
#include "buf.h"
#include "msg.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126 };

/* In the child: waits for the word, then becomes the command. */
static _Noreturn void
become(const struct child_start *how, int line)
{
	char byte;
	int why;

	if (how->stdout_taken)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, how->on_pipe);
	sigprocmask(SIG_SETMASK, how->signals, NULL);
	if (read(line, &byte, 1) != 1)
		_exit(0);
	execvp(how->command[0], how->command);
	why = errno;
	if (write(line, &why, sizeof why) != (ssize_t)sizeof why)
		_exit(125);
	_exit(127);
}

bool
child_start(struct child *c, const struct child_start *how)
{
	int line[2];

	*c = (struct child){ .line = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) != 0) {
		msg_error("cannot start %s:", how->command[0]);
		return false;
	}
	c->pid = fork();
	if (c->pid == 0) {
		close(line[0]);
		become(how, line[1]);
	}
	close(line[1]);
	c->line = line[0];
	if (c->pid > 0)
		return true;
	msg_error("cannot start %s:", how->command[0]);
	c->pid = 0;
	child_abandon(c);
	return false;
}

/* Gives the word. False when it cannot become the command, with errno. */
static bool
let_begin(struct child *c)
{
	int why = 0;
	ssize_t got = -1;

	/* The other end closes when the exec succeeds. */
	if (write(c->line, "g", 1) == 1)
		do
			got = read(c->line, &why, sizeof why);
		while (got < 0 && errno == EINTR);
	close(c->line);
	c->line = -1;
	errno = why;
	return got != (ssize_t)sizeof why;
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
	if (c->line < 0)
		return;
	close(c->line);
	c->line = -1;
	while (c->pid > 0 && waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

bool
child_ended(struct child *c)
{
	if (!c->ended && c->pid > 0)
		c->ended = waitpid(c->pid, &c->wait_status, WNOHANG) != 0;
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
