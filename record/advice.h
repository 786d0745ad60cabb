/* SPDX-License-Identifier: ISC */
/*
 * What to say, and to do, when the kernel refuses an event: the file that forbids
 * it, the value that it has, and the command or option that helps. Who may sample
 * what is in Documentation/admin-guide/perf-security.rst of the kernel.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

/* What was asked for, and what perf_event_open said. */
struct advice_wish {
	const char *event; /* its name, for the message */
	int error;	   /* errno */
	bool kernel;	   /* also what happens in the kernel */
	bool all;	   /* the whole machine */
	bool other;	   /* a process that runs already */
	bool probe;	   /* a uprobe or kprobe */
	bool tracepoint;
	bool hardware;	 /* the processor counts it */
	bool precise;	 /* with p or P */
	bool call_stack; /* -g lbr */
};

/* What the machine says of itself. */
struct advice_facts {
	bool has_paranoid; /* else the kernel has no perf events */
	int64_t paranoid;  /* /proc/sys/kernel/perf_event_paranoid */
	int64_t mlock_kb;  /* /proc/sys/kernel/perf_event_mlock_kb */
	bool perfmon, sys_admin, sys_ptrace, ipc_lock; /* capabilities */
	bool seccomp;				       /* system calls are filtered */
	const char *container; /* "docker", "podman", "container", or NULL; static */
	int64_t ptrace_scope;  /* /proc/sys/kernel/yama/ptrace_scope, 0 without it */
	bool lockdown;	       /* by integrity or confidentiality */
};

/* Reads the facts below ROOT, "" for this machine. What is not there is 0. */
void advice_read(struct advice_facts *f, const char *root);

/* Adds to B what to say when WISH is refused: lines without a newline at the end. */
void advice_refused(
	struct buf *b, const struct advice_wish *wish, const struct advice_facts *f);

/* The same when not even the smallest ring can be had: KB is what was asked for. */
void advice_rings(struct buf *b, uint64_t kb, const struct advice_facts *f);

/* What to say when ptrace is refused with ERROR, for a command or a running process. */
void advice_ptrace(struct buf *b, int error, bool other, const struct advice_facts *f);

#endif
