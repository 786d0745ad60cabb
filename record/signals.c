/* SPDX-License-Identifier: ISC */
/* Signals to poll for; see signals.h. */
#include "signals.h"
#include "msg.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* si_code of what the kernel sends by itself, as Ctrl-C does; asm-generic/siginfo.h. */
enum { FROM_KERNEL = 0x80 };

void
signals_list(sigset_t *set)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction was;
	size_t i;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	/* One that is blocked is not lost though it is ignored, as by nohup. */
	for (i = 0; i < sizeof ends / sizeof *ends; i++)
		if (sigaction(ends[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			sigaddset(set, ends[i]);
}

void
signals_init(struct signals *s)
{
	sigset_t set;

	*s = (struct signals){ 0 };
	signals_list(&set);
	/* A command cannot be waited for while this is ignored. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &set, &s->old);
	s->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (s->fd < 0)
		msg_die("cannot wait for signals:");
}

void
signals_release(struct signals *s)
{
	close(s->fd);
	sigprocmask(SIG_SETMASK, &s->old, NULL);
}

int
signals_next(struct signals *s)
{
	struct signalfd_siginfo info;

	if (read(s->fd, &info, sizeof info) != (ssize_t)sizeof info)
		return 0;
	if (info.ssi_signo == SIGCHLD)
		return SIGCHLD;
	s->by_terminal = info.ssi_code == FROM_KERNEL;
	s->last = (int)info.ssi_signo;
	return s->last;
}

void
signals_tell(struct signals *s, pid_t pid)
{
	if (!s->by_terminal)
		kill(pid, s->last);
	s->told = true;
}
