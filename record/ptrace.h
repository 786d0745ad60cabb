/* SPDX-License-Identifier: ISC */
/*
 * Sampling without perf events, for where they are refused: threads are stopped by
 * ptrace(2) at each tick, their registers and stacks read, and let go on. The stream
 * is the same.
 *
 * A tick takes those threads that run then; with --off-cpu also those that wait. What
 * is seen is always the user's part of the stack, at times of a clock that runs
 * whether a thread does or not.
 */
#ifndef PTRACE_H
#define PTRACE_H

#include "record-options.h"

enum { PTRACE_HZ = 99, PTRACE_HZ_MOST = 999 };

/* Records what SET asks for, as recorder_run does: returns the status to end with, that
 * of the command or an own one. SIGPIPE must be ignored; ON_PIPE is the command's way
 * with it. */
int ptrace_run(const struct record_options *set, void (*on_pipe)(int));

#endif
