/* SPDX-License-Identifier: ISC */
/*
 * Costs of Java Flight Recorder's events, for recordings and for the output of jfr print. Costs are
 * named as in async-profiler and its jfrconv: cpu, wall, alloc, live, lock, nativemem. The cost of
 * any other event, its duration or count, has the event's name.
 *
 * Only the end of the input shows which costs it has. Until then the first in the order of
 * jfr-costs.c is folded, of those seen so far.
 */
#ifndef JFR_COSTS_H
#define JFR_COSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse.h"
#include "str.h"

struct jfr_rule {
	const char *event;
	const char *cost;	/* NULL: the event's name */
	const char *unit;	/* "" for samples */
	const char *weights[2]; /* weight: the first one that is not 0, else 1 */
	const char *of_class;	/* field with a class that becomes a frame, or NULL */
};

/* Properties of a recording. */
struct jfr_about {
	bool both_allocs; /* it may have allocations both as samples and as TLABs */
	bool locks_only;  /* its parking events are all waits for locks */
};

/* Returns rule number I for EVENT; NULL if there are fewer. Static. */
const struct jfr_rule *jfr_costs_rule(
	struct str event, unsigned i, const struct jfr_about *about);

/* Returns the rule for events without one; LASTS: the event has a field "duration". Static. */
const struct jfr_rule *jfr_costs_other(bool lasts);

struct jfr_costs {
	struct collapse *c; /* not owned */
	unsigned main;	    /* cost folded by default, so far */
	unsigned rank;	    /* rank of main; UINT_MAX: none yet */
};

/* One cost of an event. */
struct jfr_cost {
	struct str name; /* borrowed */
	const char *unit;
	unsigned metric; /* the sink's number, if known */
	unsigned rank;	 /* place in the order */
	bool known;
	bool counts; /* weights are numbers of samples */
	bool lasts;  /* weights are times */
};

void jfr_costs_begin(struct jfr_costs *k, struct collapse *c);

/* Returns the cost of RULE for EVENT; it borrows EVENT. */
struct jfr_cost jfr_costs_of(const struct jfr_rule *rule, struct str event);

/* Whether S, an event with COST and WEIGHT, is folded. Sets the weight and the event of S. */
bool jfr_costs_wants(struct jfr_costs *k, struct jfr_cost *cost, uint64_t weight,
	struct collapse_sample *s);

/* To be called at the end of the input. Returns false, after an error, if the input lacks the cost
 * that --cost names. */
bool jfr_costs_end(struct jfr_costs *k);

#endif
