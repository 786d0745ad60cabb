/* SPDX-License-Identifier: ISC */
/*
 * Time that threads did not run. The event "off-cpu" of fg-record has a sample
 * with a stack whenever a thread leaves a processor; the SWITCH record of its
 * return says how long that stack waited. A thread that could have run, and was
 * only taken off for another one, gets a leaf "[preempted]".
 */
#ifndef OFFCPU_H
#define OFFCPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "process.h"
#include "reader.h"

/* A stack that waits, or waited. */
struct offcpu_wait {
	uint32_t node; /* TREE_ROOT: the thread runs */
	uint64_t since;
	enum collapse_end end;
	bool preempted;
};

/* A zeroed struct offcpu with its collapse set is of no thread. */
struct offcpu {
	struct collapse *c; /* not owned */
	struct offcpu_wait *waits;
	size_t n, cap;
	struct buf event; /* its name */
	uint64_t endless; /* waits that no record ended */
};

void offcpu_release(struct offcpu *o);

/* Whether samples of EVENT begin a wait. */
bool offcpu_is_event(const struct reader_event *event);

/* T leaves its processor with the stack NODE, as the sample S says. */
void offcpu_begin(struct offcpu *o, struct process_thread *t, uint32_t node,
	const struct collapse_sample *s);

/* T leaves or returns: adds the wait that ends. False when its weight does not
 * fit in 64 bits. */
bool offcpu_switch(
	struct offcpu *o, const struct process_thread *t, const struct reader_switch *s);

/* Forgets all waits, as if there had been none. */
void offcpu_forget(struct offcpu *o);

/* Says how many waits had not ended with the recording, if any. */
void offcpu_tell(const struct offcpu *o, const char *input);

#endif
