/* SPDX-License-Identifier: ISC */
/* The signals that end a recording, as something to poll for. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct signals {
	int fd;	      /* to poll */
	sigset_t old; /* the mask before */
	bool told;    /* the command has had one */
	int last;
	bool by_terminal; /* which sends it to the command too */
};

/* Makes SET SIGCHLD and those that end a recording, but for those that are ignored. */
void signals_list(sigset_t *set);

/* Blocks them, but for those that were ignored, and opens FD. */
void signals_init(struct signals *s);
void signals_release(struct signals *s);

/* The next one that came, 0 when there is none. */
int signals_next(struct signals *s);

/* Passes the last one on to process PID, if the terminal has not done so. */
void signals_tell(struct signals *s, pid_t pid);

#endif
