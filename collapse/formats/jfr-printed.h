/* SPDX-License-Identifier: ISC */
/*
 * What jfr print prints, as text, JSON or XML, to samples: the reader of each tells of an
 * event what it finds, by names and in any order, and at its end it is folded.
 *
 *	jdk.ObjectAllocationSample	its type
 *	weight = 24 bytes		a value
 *	eventThread, stackTrace		a struct: a name, what is in it, and an end
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

/* What is known of the events of one type. */
struct jfr_printed_type {
	const struct jfr_rule *rules[JFR_PRINTED_COSTS];
	struct jfr_cost costs[JFR_PRINTED_COSTS];
	unsigned n; /* 0: its stacks are by the way, and its cost is not known yet */
	bool sure;  /* it is recorded for its stacks */
};

struct jfr_printed_weight {
	int64_t value;
	bool given;
};

/* A zeroed one with its collapse set is empty. */
struct jfr_printed {
	struct collapse *c; /* not owned */
	struct jfr_costs costs;
	struct intern events;
	struct jfr_printed_type *types; /* by id of events */
	size_t type_cap;

	/* Of the event under way. */
	struct frame_names stack; /* a place for a class, and the frames */
	uint32_t event;
	struct jfr_printed_weight weights[JFR_PRINTED_COSTS][JFR_PRINTED_WEIGHTS];
	struct jfr_printed_weight duration;
	struct buf comm, other_comm, tid, other_tid, leaf;
	uint64_t time;
	uint64_t last, midnights; /* where times have no date */
	bool has_time, truncated;

	/* Of its structs. */
	int path[JFR_PRINTED_DEPTH];
	size_t depth;
	struct buf of_class, method, descriptor;
	struct jfr_method frame;
};

void jfr_printed_init(struct jfr_printed *p, struct collapse *c);
void jfr_printed_release(struct jfr_printed *p);

/* Begins an event called TYPE. */
void jfr_printed_begin(struct jfr_printed *p, struct str type);

/* The field NAME of the innermost struct, or of the event, is TEXT. */
void jfr_printed_value(struct jfr_printed *p, struct str name, struct str text);

/* A struct or an array begins, in the field NAME. Whether anything in it is wanted. */
bool jfr_printed_open(struct jfr_printed *p, struct str name);
void jfr_printed_close(struct jfr_printed *p);

/* Folds the event. */
void jfr_printed_end(struct jfr_printed *p);

/* At the end of the input; see jfr_costs_end. */
bool jfr_printed_done(struct jfr_printed *p);

#endif
