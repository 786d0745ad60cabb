/* SPDX-License-Identifier: ISC */
/* The fields of the sink: for collapse*.c, which fill it, and header.c, diagnosis.c and
 * losses.c, which summarise it. */
#ifndef SINK_H
#define SINK_H

#include "collapse.h"
#include "dimensions.h"
#include "folded.h"
#include "graft.h"
#include "intern.h"
#include "tree.h"

/* Marks on names, by id. BARE marks are the reason why a frame has no name. */
enum {
	COLLAPSE_STOP = 1,	  /* named by --skip-after */
	COLLAPSE_BARE_KERNEL = 2, /* in the kernel */
	COLLAPSE_BARE_FILE = 4,	  /* in a program or library */
	COLLAPSE_BARE_CODE = 8,	  /* in generated or unknown code */
	COLLAPSE_BARE = 14,
	COLLAPSE_IN_KERNEL = 16,
	COLLAPSE_AT_ENTRY = 32, /* a function in which programs or threads begin */
	/* In a runtime that can name its generated code. */
	COLLAPSE_IN_JAVA = 64,
	COLLAPSE_IN_NODE = 128,
	COLLAPSE_IN_PYTHON = 256,	/* 3.12 or later */
	COLLAPSE_PYTHON_FUNCTION = 512, /* named by Python itself */
	COLLAPSE_IN_OLD_PYTHON = 1024,	/* before that */
	COLLAPSE_RUNTIMES = 1984,
	COLLAPSE_PLAIN = 2048 /* examined, and not AT_ENTRY */
};

struct collapse_event {
	uint64_t samples; /* folded or not */
	bool wanted;
	int column; /* of its weights in the tree */
};

/* A metric, with ids in metric_texts, and the sum of its values. */
struct collapse_metric {
	uint32_t name, unit;
	unsigned decimals;
	int64_t sum;
	bool too_large; /* the sum lacks values that would overflow it */
};

/* The node of a stack at a time, within a bucket of --by time. */
struct collapse_when {
	uint64_t start; /* of the bucket, ns, + 1; 0: unknown */
	uint32_t node;
};

/* The reason why frames of a module have no name. */
struct collapse_reason {
	uint32_t name; /* the frame's, an id in tree.names */
	uint32_t why;  /* an id in reason_texts */
};

/* The weight of stacks that end in a module, by end. */
struct collapse_stuck {
	uint64_t weight[COLLAPSE_ENDS];
};

/* A frame that got its name late. */
struct collapse_late {
	uint32_t id;
	size_t first, n; /* in late_ids */
};

struct collapse_line {
	uint32_t node;
	uint64_t weight;
};

/* First options and the state of the inputs, then the result. */
struct collapse {
	const struct collapse_options *options; /* not owned */
	struct input *in;			/* not owned; NULL before the first */
	uint64_t inputs;
	struct buf scratch;

	/* Selection of events and times (collapse-events.c). */
	struct intern event_names;
	struct collapse_event *events; /* by id in event_names */
	size_t event_cap;
	uint32_t last_event,
		chosen; /* chosen: the event folded by default, + 1; 0: none yet */
	unsigned restarts;
	uint64_t first_time; /* of this input, ns */
	bool has_first_time;
	uint64_t off_time; /* samples left out by --from and --to */
	uint64_t timeless; /* samples of this input without a time that is needed */

	/* Metrics, of which --cost chooses one (collapse-costs.c). */
	struct intern metric_texts;
	struct collapse_metric *metrics; /* of all inputs, this one's last */
	size_t metric_n, metric_cap, metric_first, metric_chosen;
	size_t *metric_named; /* by id in metric_texts: the last metric of that name, +
	                       * 1 */
	size_t metric_named_cap;

	/* Properties of the inputs (collapse-input.c). */
	bool perf;	   /* any input is perf's */
	bool threadless;   /* of this input */
	bool exact;	   /* measured, not sampled */
	bool differs;	   /* two columns are two profiles, not a ratio */
	struct str unit;   /* of periods, static; empty: the event's */
	bool mixed;	   /* inputs differ in unit */
	unsigned decimals; /* periods are in units of 10^-decimals */
	uint64_t snapshot; /* the largest recorded snapshot of a stack, bytes */
	uint64_t lost;	   /* samples lost by the recorder */
	uint64_t losses[COLLAPSE_LOSSES];

	/* The dimensions of --by: root frames (collapse-roots.c, collapse-times.c). */
	struct dimensions dimensions; /* of collapse_root's frames */
	struct buf leading;	      /* the argument of the first collapse_leads */
	uint64_t leads;
	bool vague;	 /* later calls differed */
	uint32_t nobody; /* the name of the placeholder for an unknown value */
	bool has_nobody, has_somebody; /* some value was unknown; some was known */
	struct collapse_when *when;    /* by node */
	size_t when_cap;
	uint32_t *climb;
	size_t climb_cap;

	/* Names and modules (collapse-names.c). */
	uint16_t *marks; /* by id in tree.names */
	size_t mark_cap;
	struct intern modules;
	struct collapse_module *module_table; /* by id in modules */
	size_t module_cap;
	struct collapse_reason *reasons;
	size_t reason_n, reason_cap;
	struct intern reason_texts;
	struct collapse_late *late;
	size_t late_n, late_cap;
	uint32_t *late_ids;
	size_t late_id_n, late_id_cap;

	/* The result (collapse.c). */
	struct tree tree;
	struct folded_info info;
	uint64_t samples;
	uint64_t column_samples[TREE_COLUMNS];
	bool has_period;	     /* a folded sample has one */
	struct collapse_line *lines; /* with in_order */
	size_t line_n, line_cap;
	uint64_t ends[COLLAPSE_ENDS]; /* weight by end, in units of the tree */
	struct intern end_modules;    /* of stacks that end before their entry */
	struct collapse_stuck *stuck; /* by id in end_modules */
	size_t stuck_cap;
};

/* The entry of the event NAME, created if needed; borrowed until the next call. */
struct collapse_event *collapse_find_event(struct collapse *c, struct str name);

/* Drops all samples of the event folded so far. */
void collapse_forget(struct collapse *c);

/* The node of the stack NODE for a sample at TIME, ns from the first sample, with --by
 * time. */
uint32_t collapse_at_time(struct collapse *c, uint32_t node, uint64_t time);

/* The node below PARENT of the placeholder for the time. */
uint32_t collapse_time_place(struct collapse *c, uint32_t parent);

/* Sets the dimensions that C's options ask for. */
void collapse_name_dimensions(struct collapse *c);

/* Whether NODE is the root, or has only placeholders for unknown values. */
bool collapse_is_nobodys(const struct collapse *c, uint32_t node);

/* The collapse_root node at the start of the stack NODE. */
uint32_t collapse_lead(const struct collapse *c, uint32_t node);

/* Ends G, begun by graft_move of the tree of C, whose nodes are placed: moves weights and lines to
 * the new nodes. */
void collapse_end_over(struct collapse *c, struct graft *g);

/* The number of samples that S represents. */
static inline uint64_t
collapse_count_of(const struct collapse_sample *s)
{
	return s->count ? s->count : 1;
}

/* Whether event ID has samples, and is WANTED or not. */
static inline bool
collapse_event_has_samples(const struct collapse *c, uint32_t id, bool wanted)
{
	return c->events[id].samples && c->events[id].wanted == wanted;
}

/* Whether event ID is a metric, which the sink chooses like an event. */
static inline bool
collapse_event_is_metric(const struct collapse *c, uint32_t id)
{
	uint32_t text;

	return intern_find(&c->metric_texts, intern_str(&c->event_names, id), &text);
}

static inline unsigned
collapse_marks_of(const struct collapse *c, uint32_t id)
{
	return id < c->mark_cap ? c->marks[id] : 0;
}

#endif
