/* SPDX-License-Identifier: ISC */
/*
 * How long threads wait, from what the scheduler's tracepoints say: the event "off-cpu", which
 * nobody recorded. A wait has the stack with which its thread left the CPU, by sched:sched_switch,
 * and lasts as long as sched:sched_stat_sleep, _blocked or _iowait say, or where these were not
 * recorded, until the thread is back. Threads that could have gone on do not wait.
 */
#ifndef OFF_CPU_H
#define OFF_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse.h"
#include "intern.h"
#include "str.h"

#define OFF_CPU_EVENT STR("off-cpu")

/* What a tracepoint says. Threads are numbers as text; empty: none. */
struct off_cpu_news {
	struct str left; /* who left the CPU */
	bool waits;	 /* it waits for something */
	struct str back; /* whose wait is over */
	bool has_delay;	 /* how long it was is known */
	uint64_t delay;	 /* ns */
};

/* Reads TEXT, what the tracepoint EVENT says, into NEWS, borrowed from it. False when EVENT is
 * none of the above or TEXT is not of its form. */
bool off_cpu_read(struct str event, struct str text, struct off_cpu_news *news);

/* A thread that waits. */
struct off_cpu_wait {
	uint32_t node;	/* its stack; 0: it does not wait */
	uint64_t since; /* ns */
	enum collapse_end end;
};

/* Zeroed it is empty. */
struct off_cpu {
	struct intern threads;
	struct off_cpu_wait *waits; /* by id of threads */
	size_t cap;
};

void off_cpu_release(struct off_cpu *o);

/* The place for what THREAD waits for, until the next call. */
struct off_cpu_wait *off_cpu_of(struct off_cpu *o, struct str thread);

/* How many threads wait. */
uint64_t off_cpu_count(const struct off_cpu *o);

#endif
