/* SPDX-License-Identifier: ISC */
/* What is in the sink: for collapse*.c, which fill it, and header.c, diagnosis.c and losses.c,
 * which sum it up. */
#ifndef SINK_H
#define SINK_H

#include "collapse.h"
#include "dimensions.h"
#include "folded.h"
#include "intern.h"
#include "tree.h"

/* Marks on names, by their id. The last three say why a frame has no name. */
enum {
	COLLAPSE_STOP = 1,	  /* --skip-after names it */
	COLLAPSE_BARE_KERNEL = 2, /* in the kernel */
	COLLAPSE_BARE_FILE = 4,	  /* in a program or library */
	COLLAPSE_BARE_CODE = 8,	  /* in generated code, or nowhere known */
	COLLAPSE_BARE = 14,
	COLLAPSE_IN_KERNEL = 16,
	COLLAPSE_AT_ENTRY = 32, /* a function that programs or threads begin with */
	/* Code of a runtime that could name the code it makes. */
	COLLAPSE_IN_JAVA = 64,
	COLLAPSE_IN_NODE = 128,
	COLLAPSE_IN_PYTHON = 256,	/* 3.12 or later */
	COLLAPSE_PYTHON_FUNCTION = 512, /* as it names them itself */
	COLLAPSE_IN_OLD_PYTHON = 1024,	/* before that */
	COLLAPSE_RUNTIMES = 1984,
	COLLAPSE_PLAIN = 2048 /* looked at: no such function as COLLAPSE_AT_ENTRY means */
};

struct collapse_event {
	uint64_t samples; /* all of them, folded or not */
	bool wanted;
	int column; /* where its weights go */
};

/* A metric, with ids of metric_texts, and the sum of its values. */
struct collapse_metric {
	uint32_t name, unit;
	unsigned decimals;
	int64_t sum;
	bool too_large; /* values that would have left 64 bits are not in it */
};

/* Where the stack of a node is for samples of a bucket of --by time. */
struct collapse_when {
	uint64_t start; /* of the bucket, ns, and 1; 0: not known */
	uint32_t node;
};

/* Why the frames of one module have no name. */
struct collapse_reason {
	uint32_t name; /* the frame's, an id of tree.names */
	uint32_t why;  /* an id of reasons_told */
};

/* The weight of stacks that end in one module, by end. */
struct collapse_stuck {
	uint64_t weight[COLLAPSE_ENDS];
};

/* A frame whose name came late. */
struct collapse_late {
	uint32_t id;
	size_t first, n; /* of late_ids */
};

struct collapse_line {
	uint32_t node;
	uint64_t weight;
};

/* Two halves: what is asked of the inputs and known of the current one, and what was folded. */
struct collapse {
	const struct collapse_options *options; /* not owned */
	struct input *in;			/* not owned; NULL before the first */
	uint64_t inputs;
	struct buf scratch;

	/* Events and times, of which the options want some (collapse-events.c). */
	struct intern event_names;
	struct collapse_event *events; /* by id of event_names */
	size_t event_cap;
	uint32_t last_event,
		chosen; /* the event that is folded by default, and 1; 0: none yet */
	unsigned restarts;
	uint64_t first_time; /* the first time of this input, ns */
	bool has_first_time;
	uint64_t off_time; /* samples that --from and --to left out */
	uint64_t timeless; /* samples of this input without a time that is needed */

	/* Metrics, of which --cost chooses one (collapse-costs.c). */
	struct intern metric_texts;
	struct collapse_metric *metrics; /* of all inputs, those of this one last */
	size_t metric_n, metric_cap, metric_first, metric_chosen;
	size_t *metric_named; /* by id of metric_texts: the last one of that name, and 1 */
	size_t metric_named_cap;

	/* What inputs say of themselves (collapse-input.c). */
	bool perf;	   /* of an input at least */
	bool threadless;   /* of this input */
	bool exact;	   /* nothing was sampled */
	bool differs;	   /* two columns are of two profiles, not a ratio */
	struct str unit;   /* of the periods, static; empty: that of the event */
	bool mixed;	   /* inputs have several units */
	unsigned decimals; /* periods are units of 10^-decimals */
	uint64_t snapshot; /* bytes of the stack that were recorded at most */
	uint64_t lost;	   /* samples that the recorder lost */
	uint64_t losses[COLLAPSE_LOSSES];

	/* The dimensions of --by, frames above the stack (collapse-roots.c, collapse-times.c). */
	struct dimensions dimensions; /* of the frames of collapse_root */
	struct buf leading;	      /* what collapse_leads was called with first */
	uint64_t leads;
	bool vague;	 /* it was called with others too */
	uint32_t nobody; /* the name of a frame that stands for an unknown value */
	bool has_nobody, has_somebody; /* a dimension had no value; one had some */
	struct collapse_when *when;    /* by node */
	size_t when_cap;
	uint32_t *climb;
	size_t climb_cap;

	/* Names and modules (collapse-names.c). */
	uint16_t *marks; /* by id of tree.names */
	size_t mark_cap;
	struct intern modules;
	struct collapse_module *module_table; /* by id of modules */
	size_t module_cap;
	struct collapse_reason *reasons;
	size_t reason_n, reason_cap;
	struct intern reasons_told;
	struct collapse_late *late;
	size_t late_n, late_cap;
	uint32_t *late_ids;
	size_t late_id_n, late_id_cap;

	/* What was folded (collapse.c). */
	struct tree tree;
	struct folded_info info;
	uint64_t samples;
	uint64_t column_samples[TREE_COLUMNS];
	bool has_period;	     /* a folded sample had one */
	struct collapse_line *lines; /* with in_order */
	size_t line_n, line_cap;
	uint64_t ends[COLLAPSE_ENDS]; /* weight by end, as the tree counts */
	struct intern end_modules;    /* of stacks that end before their entry */
	struct collapse_stuck *stuck; /* by id of these */
	size_t stuck_cap;
};

/* The entry of the event called NAME, made at first sight. Borrowed until the next call. */
struct collapse_event *collapse_find_event(struct collapse *c, struct str name);

/* Takes away what was added of the event that was folded so far. */
void collapse_forget(struct collapse *c);

/* The node of the stack NODE at the TIME of a sample of --by time, ns from the first one. */
uint32_t collapse_at_time(struct collapse *c, uint32_t node, uint64_t time);

/* The node below PARENT where the time will stand. */
uint32_t collapse_time_place(struct collapse *c, uint32_t parent);

/* Names the dimensions that the options of C ask for. */
void collapse_name_dimensions(struct collapse *c);

/* Whether NODE is the root, or has only frames that hold the place of what is not known. */
bool collapse_is_nobodys(const struct collapse *c, uint32_t node);

/* The node of the frames of collapse_root that NODE, which is below it, begins with. */
uint32_t collapse_lead(const struct collapse *c, uint32_t node);

/* The depth of each node of T, 1 for the children of the root; the caller frees the array. */
uint32_t *collapse_depths(const struct tree *t);

/* Leaves the tree of C without nodes and weights; what it had is the result. */
struct tree collapse_start_over(struct collapse *c);

/* Gives the weights of WAS, and the lines, to the nodes NOW of C, and frees both. */
void collapse_end_over(struct collapse *c, struct tree *was, uint32_t *now);

/* The number of samples that S stands for. */
static inline uint64_t
collapse_count_of(const struct collapse_sample *s)
{
	return s->count ? s->count : 1;
}

/* Whether event ID has samples that are WANTED, or are not. */
static inline bool
collapse_event_has_samples(const struct collapse *c, uint32_t id, bool wanted)
{
	return c->events[id].samples && c->events[id].wanted == wanted;
}

/* Whether event ID is a metric, of which the sink has chosen one as it does with events. */
static inline bool
collapse_event_is_metric(const struct collapse *c, uint32_t id)
{
	uint32_t text;

	return intern_find(&c->metric_texts, intern_str(&c->event_names, id), &text);
}

/* The marks on the name ID. */
static inline unsigned
collapse_marks_of(const struct collapse *c, uint32_t id)
{
	return id < c->mark_cap ? c->marks[id] : 0;
}

#endif
