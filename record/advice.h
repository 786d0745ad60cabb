/* SPDX-License-Identifier: ISC */
/*
 * Messages for refused events: the file that forbids the event, its value, and the
 * command or option that helps. The kernel's
 * Documentation/admin-guide/perf-security.rst lists the rights that sampling needs.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

/* A request that the kernel refused. */
struct advice_wish {
	const char *event; /* its name, for the message */
	int error;	   /* errno */
	bool kernel;	   /* samples the kernel too */
	bool all;	   /* the whole machine */
	bool other;	   /* a process that runs already */
	bool probe;	   /* a uprobe or kprobe */
	bool tracepoint;
	bool hardware;	 /* the processor counts it */
	bool precise;	 /* with p or P */
	bool call_stack; /* -g lbr */
};

/* Settings of the machine, and rights of this process. */
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

/* Reads the facts below ROOT, "" for this machine. Missing ones become 0. */
void advice_read(struct advice_facts *f, const char *root);

/* Appends the reason why WISH was refused, and a remedy, to B: lines, without a newline
 * at the end. */
void advice_refused(
	struct buf *b, const struct advice_wish *wish, const struct advice_facts *f);

/* The same if even the smallest ring is refused. KB is the size that was requested. */
void advice_rings(struct buf *b, uint64_t kb, const struct advice_facts *f);

/* The same for ptrace, refused with ERROR for a command or, if OTHER, a running
 * process. */
void advice_ptrace(struct buf *b, int error, bool other, const struct advice_facts *f);

#endif
