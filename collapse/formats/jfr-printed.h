/* SPDX-License-Identifier: ISC */
/*
 * Turns what jfr print writes as text, JSON or XML into samples. Each reader passes on an
 * event's fields by name, in any order; the event is folded at its end.
 *
 *	jdk.ObjectAllocationSample	its type
 *	weight = 24 bytes		a value
 *	eventThread, stackTrace		a struct: a name, its fields, and an end
 */
#ifndef JFR_PRINTED_H
#define JFR_PRINTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "collapse.h"
#include "stacks/frame-names.h"
#include "intern.h"
#include "jfr-costs.h"
#include "jfr-names.h"

enum { JFR_PRINTED_COSTS = 2, JFR_PRINTED_WEIGHTS = 2, JFR_PRINTED_DEPTH = 8 };

/* The events of one type. */
struct jfr_printed_type {
	const struct jfr_rule *rules[JFR_PRINTED_COSTS];
	struct jfr_cost costs[JFR_PRINTED_COSTS];
	unsigned n; /* 0: recorded for another purpose, cost not known yet */
	bool sure;  /* recorded for its stacks */
};

struct jfr_printed_weight {
	int64_t value;
	bool given;
};

/* Empty when zeroed, except for its collapse. */
struct jfr_printed {
	struct collapse *c; /* not owned */
	struct jfr_costs costs;
	struct intern events;
	struct jfr_printed_type *types; /* indexed by id in events */
	size_t type_cap;

	/* The current event. */
	struct frame_names stack; /* a slot for a class, then the frames */
	uint32_t event;
	struct jfr_printed_weight weights[JFR_PRINTED_COSTS][JFR_PRINTED_WEIGHTS];
	struct jfr_printed_weight duration;
	struct buf comm, other_comm, tid, other_tid, leaf;
	uint64_t time;
	uint64_t last, midnights; /* for times without a date */
	bool has_time, truncated;

	/* Its current struct. */
	int path[JFR_PRINTED_DEPTH];
	size_t depth;
	struct buf of_class, method, descriptor;
	struct jfr_method frame;
};

void jfr_printed_init(struct jfr_printed *p, struct collapse *c);
void jfr_printed_release(struct jfr_printed *p);

void jfr_printed_begin(struct jfr_printed *p, struct str type);

/* Sets the field NAME of the innermost struct, or else of the event, to TEXT. */
void jfr_printed_value(struct jfr_printed *p, struct str name, struct str text);

/* Opens a struct or an array in the field NAME. Returns whether anything in it is
 * needed. */
bool jfr_printed_open(struct jfr_printed *p, struct str name);
void jfr_printed_close(struct jfr_printed *p);

/* Folds the event. */
void jfr_printed_end(struct jfr_printed *p);

/* Call at the end of the input; see jfr_costs_end. */
bool jfr_printed_done(struct jfr_printed *p);

#endif
