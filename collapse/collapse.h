/* SPDX-License-Identifier: ISC */
/*
 * From any profile to folded stacks: the contract of a format, and the sink
 * that all formats pour their samples into.
 *
 * A format is one file that exports one const struct collapse_format and has
 * one row in formats.def. It reads records from an input and says for each
 * sample who ran, how much it weighs and which frames were on the stack. What
 * the user asked for (--by, --weight, --event-filter, --from, --to,
 * --skip-after, --no-merge, the suffixes) is the sink's business alone.
 *
 * A plain format fills a struct collapse_sample and calls collapse_stack. One
 * that can tell that it has seen a stack before calls the steps of it:
 * collapse_wants, collapse_root, collapse_frame, collapse_path, collapse_add.
 */
#ifndef COLLAPSE_H
#define COLLAPSE_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "folded.h"
#include "input.h"
#include "intern.h"
#include "opt.h"
#include "str.h"
#include "tree.h"

struct collapse;

struct collapse_format {
	const char *name;  /* for -f and --list-formats */
	const char *about; /* what makes it, in a few words */
	/* How sure it is, from 0 (no) to 100, that HEAD begins a profile of
	 * this format; HEAD is all of it or the first 64 KiB at least. */
	int (*probe)(struct str head);
	/* Pours the samples of IN into C. What cannot be used is counted with
	 * collapse_lose. False, after a message, when IN as a whole is not this
	 * format. */
	bool (*run)(struct input *in, struct collapse *c);
	unsigned uses; /* COLLAPSE_USES_ that it has, of the options that not all have */
	const char
		*for_times; /* how to get an input with times, for one without; or NULL */
};

/* The options that not every format has a use for; the names are in effects.c, in
 * this order. Without COLLAPSE_USES_COST --cost is an error, without another one
 * the option has no effect, and a warning says so. */
enum {
	COLLAPSE_USES_BY = 1,
	COLLAPSE_USES_KERNEL = 2,
	COLLAPSE_USES_JIT = 4,
	COLLAPSE_USES_INLINED = 8,
	COLLAPSE_USES_INLINE = 16,
	COLLAPSE_USES_NO_INLINE = 32,
	COLLAPSE_USES_ADDRS = 64,
	COLLAPSE_USES_SRCLINE = 128,
	COLLAPSE_USES_FULL_NAMES = 256,
	COLLAPSE_USES_ELF = 512,
	COLLAPSE_USES_SYMS = 1024,
	COLLAPSE_USES_PERF_MAPS = 2048,
	COLLAPSE_USES_COST = 4096,
	/* What a symbol of a module can have (frame_names_add). */
	COLLAPSE_USES_FRAME_NAMES = COLLAPSE_USES_KERNEL | COLLAPSE_USES_JIT |
		COLLAPSE_USES_ADDRS | COLLAPSE_USES_FULL_NAMES
};

/* What a root frame may be made of. */
enum collapse_by { COLLAPSE_COMM = 1, COLLAPSE_PID, COLLAPSE_TID, COLLAPSE_CPU };
enum { COLLAPSE_BY_MAX = 8 };

/* A moment, in ns: since the first sample of the input, or as the input's own
 * clock counts. */
struct collapse_moment {
	uint64_t ns;
	bool given, absolute;
};

struct collapse_options {
	enum collapse_by by[COLLAPSE_BY_MAX]; /* outermost first, 0 ends */
	bool kernel, jit, inlined;	      /* suffixes _[k] _[j] _[i] */
	bool addrs, srcline, full_names;
	bool inlines, no_inlines; /* look for inlined functions always, or never */
	struct opt_list elfs;	  /* files that --elf names */
	bool any_maps;		  /* perf maps of any user and machine */
	const char *syms;	  /* names that lie beside the profile; NULL: look */
	bool count;		  /* every sample weighs 1 */
	bool in_order;		  /* a line for each sample, in the order of the input */
	bool no_marks;		  /* no "[truncated]" and "[broken]" (ending.h) */
	const char *event;	  /* NULL: the first; "*": all, as root frames */
	const char *cost; /* what to weigh by, of what a profile has; NULL: its first */
	struct str
		columns[TREE_COLUMNS]; /* the events of two columns; empty: one column */
	struct collapse_moment from, to;
	struct opt_list skip_after;
};

/* How a stack ends: at its entry, or why before it. */
enum collapse_end {
	COLLAPSE_UNJUDGED, /* the format does not say */
	COLLAPSE_ENTRY,	   /* where the program or the thread begins */
	COLLAPSE_CUT,	   /* with its snapshot, which is full */
	COLLAPSE_DEEP,	   /* with the number of frames that are recorded */
	COLLAPSE_SWITCHED, /* it goes on on another stack, of which nothing was copied */
	COLLAPSE_BROKEN,   /* where the stack makes no sense */
	COLLAPSE_GONE,	   /* its memory was not there, as within exec */
	COLLAPSE_NO_POINTERS, /* in code without frame pointers */
	COLLAPSE_NO_RULES,    /* in code without unwind information */
	COLLAPSE_NO_FILE,     /* in code whose file is not here */
	COLLAPSE_FOREIGN,     /* of a processor that is not unwound here */
	COLLAPSE_ALONE,	      /* one frame, no stack was recorded */
	COLLAPSE_ENDS
};

/* One sample, without its frames. An empty str is a thing not known. */
struct collapse_sample {
	struct str comm, pid, tid, cpu, event;
	struct str end_module; /* where the stack ended before its entry */
	enum collapse_end end;
	uint64_t time; /* ns of the input's clock */
	uint64_t period;
	uint64_t count;		   /* that it stands for so many samples; 0 is 1 */
	bool has_time, has_period; /* without a period it weighs that count */
};

/* Kinds of frame, for suffixes. */
enum { COLLAPSE_KERNEL = 1, COLLAPSE_JIT = 2, COLLAPSE_INLINED = 4 };

enum collapse_loss {
	COLLAPSE_NO_STACK,  /* samples without a frame */
	COLLAPSE_MALFORMED, /* lines or records that could not be read */
	COLLAPSE_DAMAGED,   /* records of a binary input that could not be read */
	COLLAPSE_OVERFLOW,  /* samples whose weight would have left 64 bits */
	COLLAPSE_NEGATIVE,  /* samples with a weight below 0 */
	COLLAPSE_TIMELESS,  /* samples without a time, where --from or --to asks for it */
	COLLAPSE_LOSSES
};

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
	COLLAPSE_RUNTIMES = 960,
	COLLAPSE_PLAIN = 1024 /* looked at: no such function as COLLAPSE_AT_ENTRY means */
};

/* What the name of a module says of all code in it. */
struct collapse_module {
	unsigned kind;	  /* COLLAPSE_KERNEL, COLLAPSE_JIT */
	unsigned runtime; /* of COLLAPSE_RUNTIMES */
};

struct collapse_event {
	uint64_t samples; /* all of them, folded or not */
	bool wanted;
	int column; /* where its weights go */
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

struct collapse_turn {
	uint32_t node;
	uint64_t weight;
};

struct collapse {
	const struct collapse_options *options; /* not owned */
	struct tree tree;
	struct folded_info info;
	struct intern event_names;
	struct collapse_event *events; /* by id of event_names */
	size_t event_cap;
	uint32_t last_event;
	uint32_t chosen; /* the event that is folded by default, and 1; 0: none yet */
	uint64_t origin; /* the first time of this input, ns */
	bool has_origin;
	bool perf;	  /* an input was recorded by perf or the like: for messages */
	bool threadless;  /* samples of this input may be nobody's: --by then adds no
			  * frame for what is not known; a format sets it in run */
	bool exact;	  /* all was measured, nothing sampled: the header tells no number
			   * of samples; a format sets it in run */
	bool has_period;  /* a folded sample had one */
	uint64_t samples; /* that were folded */
	uint64_t column_samples[TREE_COLUMNS];
	unsigned decimals; /* periods are units of 10^-decimals */
	struct str unit;   /* of the periods, static; empty: that of the event */
	bool mixed;	   /* inputs have several */
	uint64_t off_time; /* that --from and --to left out */
	uint64_t timeless; /* the same of this input for want of a time */
	uint64_t lost;	   /* that the recorder lost, as the input says */
	struct collapse_turn *turns; /* with in_order */
	size_t turn_n, turn_cap;
	uint16_t *marks; /* by id of tree.names */
	size_t mark_cap;
	struct intern modules;
	struct collapse_module *module_table; /* by id of modules */
	size_t module_cap;
	struct collapse_reason *reasons;
	size_t reason_n, reason_cap;
	struct intern reasons_told;
	uint64_t snapshot;	      /* bytes of the stack that were recorded at most */
	uint64_t ends[COLLAPSE_ENDS]; /* weight by end, as the tree counts */
	struct intern end_modules;    /* of stacks that end before their entry */
	struct collapse_stuck *stuck; /* by id of these */
	size_t stuck_cap;
	uint64_t losses[COLLAPSE_LOSSES];
	struct buf scratch;
	uint32_t *ids; /* of collapse_stack */
	size_t id_cap;
};

/* The marks on the name ID. */
static inline unsigned
collapse_marks_of(const struct collapse *c, uint32_t id)
{
	return id < c->mark_cap ? c->marks[id] : 0;
}

void collapse_init(struct collapse *c, const struct collapse_options *options);
void collapse_release(struct collapse *c);

/* To be called before each input: times are counted from its first sample. */
void collapse_begin(struct collapse *c);

/* Adds a sample with its N FRAMES, outermost first, when the options want it;
 * a sample without frames is counted as a loss at the line of IN. */
void collapse_stack(struct collapse *c, struct input *in, const struct collapse_sample *s,
	const struct str *frames, size_t n);

/* The event NAME was asked for when the input was recorded, after those of the calls
 * before. By default the first one that has samples is folded, wherever these are;
 * without calls that is the event of the first sample. To be called before samples. */
void collapse_expect(struct collapse *c, struct str name);

/* Whether the options want S, by its event and time. Counts it either way, so
 * it must be called once for each sample. When S is of an event that was asked for
 * before the one that was folded so far, all that was added is taken away again. */
bool collapse_wants(struct collapse *c, const struct collapse_sample *s);

/* The node of the frames above the stack of S: event, comm, pid ... */
uint32_t collapse_root(struct collapse *c, const struct collapse_sample *s);

/* The name id of a frame called NAME of KIND (COLLAPSE_KERNEL | ...), with the
 * suffix that the options ask for and without bytes that folded text cannot
 * hold. */
uint32_t collapse_frame(struct collapse *c, struct str name, unsigned kind);

/* The name id of a frame in MODULE (a path, "[vdso]", or nothing) at ADDRESS
 * (hexadecimal text) that has no name. */
uint32_t collapse_bare_frame(
	struct collapse *c, struct str module, struct str address, unsigned kind);

/* What the name MODULE says; looked at once a name. */
struct collapse_module collapse_module_of(struct collapse *c, struct str module);

/* Marks the name ID as one of code in MODULE, if that is of a runtime. */
void collapse_mark_runtime(
	struct collapse *c, uint32_t id, struct collapse_module module);

/* The node of the stack of the N IDS, innermost frame first, below ROOT; a
 * frame of --skip-after takes ROOT and its callers away. */
uint32_t collapse_path(struct collapse *c, uint32_t root, const uint32_t *ids, size_t n);

/* Adds the weight of S, which collapse_wants has said yes to, at NODE. False, and
 * it is not added, when it does not fit in 64 bits: a loss that the caller
 * reports, since it knows the line. */
bool collapse_add(struct collapse *c, uint32_t node, const struct collapse_sample *s);

/* Says why the frames of MODULE that have no name have none; WHY is copied. */
void collapse_explain(struct collapse *c, struct str module, struct str why);

/* Says of what the periods are: UNIT, "ns", "bytes", which must be static. */
void collapse_unit(struct collapse *c, struct str unit);

/* Says that the periods of the samples that follow are units of 10^-DECIMALS, up
 * to TREE_SCALE_MAX; collapse_begin goes back to 0. False, and nothing changes,
 * when the weights that are there leave no room for so many. */
bool collapse_decimals(struct collapse *c, unsigned decimals);

/* Counts what could not be used, and reports the first of each KIND at the
 * line of IN. */
void collapse_lose(struct collapse *c, struct input *in, enum collapse_loss kind);

/* Writes the stacks, and before them the header when HEADER. */
void collapse_write(struct collapse *c, struct output *out, bool header);

#endif
