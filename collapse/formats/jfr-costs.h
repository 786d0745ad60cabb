/* SPDX-License-Identifier: ISC */
/*
 * Events of Java Flight Recorder and what their stacks are weighed by, for a recording
 * and for what jfr prints of it. The costs have the names that async-profiler and its
 * jfrconv give them: cpu, wall, alloc, live, lock, nativemem. What an event of another
 * name costs is called by the event's name: how long it took, or how often it was.
 *
 * Which of them an input has is known at its end. Until then what comes first in the
 * order of jfr-costs.c is folded, of what came by then.
 */
#ifndef JFR_COSTS_H
#define JFR_COSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse.h"
#include "str.h"

struct jfr_rule {
	const char *event;
	const char *cost; /* NULL: the event's name */
	const char *unit; /* "" for samples */
	const char *
		weights[2]; /* the fields that may say it, the first that is not 0 counts;
				   without one it is 1 */
	const char *of_class; /* the field with a class that becomes a frame, or NULL */
};

/* What is known of a recording. */
struct jfr_about {
	bool both_allocs; /* it may have samples of allocations and TLABs: the same twice */
	bool locks_only; /* of all parking it has what waits for a lock */
};

/* Rule number I of those for EVENT; NULL when there are fewer. */
const struct jfr_rule *jfr_costs_rule(
	struct str event, unsigned i, const struct jfr_about *about);

/* The rule for events that have none: those that last have a field "duration". */
const struct jfr_rule *jfr_costs_other(bool lasts);

struct jfr_costs {
	struct collapse *c; /* not owned */
	unsigned main;	    /* what is folded by default, so far */
	unsigned rank;	    /* its place in the order; UINT_MAX: there is none */
};

/* One cost of an event. */
struct jfr_cost {
	struct str name; /* borrowed */
	const char *unit;
	unsigned metric; /* its number, when it is known */
	unsigned rank;	 /* its place in the order */
	bool known;
	bool counts; /* the weight is a number of samples */
	bool lasts;  /* it is a time */
};

void jfr_costs_begin(struct jfr_costs *k, struct collapse *c);

/* The cost of RULE for EVENT, which lives as long as it. */
struct jfr_cost jfr_costs_of(const struct jfr_rule *rule, struct str event);

/* Whether S, an event with the COST of WEIGHT, is folded. Sets what S weighs. */
bool jfr_costs_wants(struct jfr_costs *k, struct jfr_cost *cost, uint64_t weight,
	struct collapse_sample *s);

/* At the end of the input: false, after an error, when it has not what --cost names. */
bool jfr_costs_end(struct jfr_costs *k);

#endif
