/* SPDX-License-Identifier: ISC */
/*
 * The command to record: a process that waits until it may become the command, so
 * that events can be opened on it before.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <signal.h>
#include <sys/types.h>

#include "str.h"

struct child {
	pid_t pid; /* 0: there is none */
	int line;  /* a byte here lets it begin; errno comes back when it cannot */
	bool ended;
	int wait_status;
};

struct child_start {
	char **command;
	bool stdout_taken;	 /* its stdout goes where stderr does */
	const sigset_t *signals; /* its signal mask */
	void (*on_pipe)(int);	 /* its way with SIGPIPE */
};

/* Starts the command, which waits. False after a message. */
bool child_start(struct child *c, const struct child_start *how);

/* Lets it become COMMAND. Returns 0, or after a message what to end with when it
 * cannot: 127 when it is not there, else 126. */
int child_release(struct child *c, char **command);

/* Warns that COMMAND runs without a recording, and WHY: lines, of which one is made. */
void child_warn_unrecorded(char **command, struct str why);

/* Ends it if it still waits. */
void child_abandon(struct child *c);

/* Looks whether it has ended. */
bool child_ended(struct child *c);

/* What a recording ends with: 0 without a command, or when that was ended by the time
 * limit (CUT); else what it ended with as shells have it, 128 and the signal when one
 * killed it, or 128 and SIGNAL when it goes on after that. */
int child_status(const struct child *c, bool cut, int signal);

#endif
