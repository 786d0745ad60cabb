/* SPDX-License-Identifier: ISC */
/*
 * How long threads wait, by the scheduler's tracepoints: the event "off-cpu", which is
 * derived, not recorded. A wait has the stack with which its thread left the CPU, by
 * sched:sched_switch. It lasts as long as sched:sched_stat_sleep, _blocked or _iowait
 * report or, without these, until the thread is back. Runnable threads do not wait.
 */
#ifndef OFF_CPU_H
#define OFF_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse.h"
#include "intern.h"
#include "str.h"

#define OFF_CPU_EVENT STR("off-cpu")

/* The contents of a tracepoint's record. Threads are numbers as text; empty: none. */
struct off_cpu_news {
	struct str left; /* the thread that left the CPU */
	bool waits;	 /* it waits for something */
	struct str back; /* the thread whose wait is over */
	bool has_delay;	 /* the length of that wait is known */
	uint64_t delay;	 /* ns */
};

/* Parses TEXT of the tracepoint EVENT into NEWS, borrowed from it. Returns false if
 * EVENT is not listed above or TEXT is malformed. */
bool off_cpu_read(struct str event, struct str text, struct off_cpu_news *news);

/* A thread that waits. */
struct off_cpu_wait {
	uint32_t node;	/* its stack; 0: it does not wait */
	uint64_t since; /* ns */
	enum collapse_end end;
};

/* A zeroed struct is empty. */
struct off_cpu {
	struct intern threads;
	struct off_cpu_wait *waits; /* by id of threads */
	size_t cap;
};

void off_cpu_release(struct off_cpu *o);

/* The wait of THREAD, valid until the next call. */
struct off_cpu_wait *off_cpu_of(struct off_cpu *o, struct str thread);

/* The number of waiting threads. */
uint64_t off_cpu_count(const struct off_cpu *o);

#endif
