/* SPDX-License-Identifier: ISC */
/*
 * Turns any profile into folded stacks: the interface of a format, and the sink for the
 * samples of all formats.
 *
 * A format is one file that exports one const struct collapse_format, and has one row in
 * formats.def. It reads records from an input, and passes on the thread, the weight and
 * the frames of each sample. Options (--by, --weight, --event-filter, --from, --to,
 * --skip-after, --no-merge, suffixes) are handled by the sink alone.
 *
 *	static bool
 *	run(struct input *in, struct collapse *c)
 *	{
 *		struct frame_names stack = { .c = c };
 *		struct collapse_sample s = { .has_period = true };
 *		struct frame_names_symbol symbol = { 0 };
 *		struct str line;
 *
 *		collapse_unit(c, STR("bytes"));
 *		while (input_line(in, &line)) {
 *			if (!cut_record(&line, &s.comm, &s.period))
 *				collapse_lose(c, COLLAPSE_MALFORMED);
 *			else if (collapse_wants(c, &s)) {
 *				for (stack.n = 0; cut_frame(&line, &symbol.name);)
 *					frame_names_add(&stack, &symbol);
 *				collapse_stack(c, &s, stack.ids, stack.n);
 *			}
 *		}
 *		frame_names_release(&stack);
 *		return true;
 *	}
 *
 * A format that can recognise a repeated stack, or its outer part, keeps its node:
 * collapse_root and collapse_path return nodes, collapse_add accepts one.
 */
#ifndef COLLAPSE_H
#define COLLAPSE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "opt.h"
#include "output.h"
#include "sign.h"
#include "str.h"
#include "tree.h"

struct collapse;
struct debuginfod;

struct collapse_format {
	/* Returns how sure it is, from 0 (no) to 100, that HEAD begins a profile of this
	 * format. HEAD is the whole input, or at least its first 4 KiB, and has one of the
	 * signs: call formats_claim. */
	int (*probe)(struct str head);
	/* Every profile of this format begins with one of these, or NULL. */
	const struct sign *signs;
	/* Adds the samples of IN to C; counts unusable ones with collapse_lose. Returns
	 * false, after a message, if IN as a whole is not in this format. */
	bool (*run)(struct input *in, struct collapse *c);
	unsigned uses; /* the COLLAPSE_USES_ of the options that have an effect */
	const char
		*for_times; /* how to get an input with times, if it has none; or NULL */
};

/* Options that only some formats use, for .uses of their rows. Without COLLAPSE_USES_COST,
 * --cost is an error; other unused options have no effect, and a warning. */
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
	COLLAPSE_USES_ASM = 4096,
	COLLAPSE_USES_VMLINUX = 8192,
	COLLAPSE_USES_KALLSYMS = 16384,
	COLLAPSE_USES_DEBUGINFOD = 32768,
	COLLAPSE_USES_COST = 65536,
	/* For names with modules (frame_names_add). */
	COLLAPSE_USES_FRAME_NAMES = COLLAPSE_USES_KERNEL | COLLAPSE_USES_JIT |
		COLLAPSE_USES_ADDRS | COLLAPSE_USES_FULL_NAMES,
	/* For addresses that are looked up in files. */
	COLLAPSE_USES_FILES = COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_INLINE | COLLAPSE_USES_NO_INLINE | COLLAPSE_USES_ELF |
		COLLAPSE_USES_ASM | COLLAPSE_USES_DEBUGINFOD
};

/* Kinds of root frames. */
enum collapse_by {
	COLLAPSE_COMM = 1,
	COLLAPSE_PID,
	COLLAPSE_TID,
	COLLAPSE_CPU,
	COLLAPSE_LABEL,
	COLLAPSE_TIME
};
enum { COLLAPSE_BY_MAX = 8 };
#define COLLAPSE_AUTO UINT64_MAX

/* A time in ns: since the input's first sample, or ABSOLUTE in the input's own clock. */
struct collapse_moment {
	uint64_t ns;
	bool given, absolute;
};

struct collapse_options {
	enum collapse_by by[COLLAPSE_BY_MAX]; /* outermost first; 0 ends */
	struct str labels[COLLAPSE_BY_MAX];   /* the key of each COLLAPSE_LABEL in BY */
	uint64_t bucket;		      /* of COLLAPSE_TIME, in ns; 0: one per time;
	                	    * COLLAPSE_AUTO: suited to the profile */
	bool kernel, jit, inlined;	      /* suffixes _[k] _[j] _[i] */
	bool addrs, srcline, code, full_names;
	bool inlines, no_inlines;	/* always or never look for inlined functions */
	struct opt_list elfs;		/* files of --elf */
	const char *vmlinux, *kallsyms; /* of the kernel; NULL: search */
	struct debuginfod *servers;	/* for files that are not here; NULL: none */
	bool any_maps;			/* trust perf maps of any user and machine */
	const char *syms;  /* names stored next to the profile; NULL: search */
	bool count;	   /* every sample weighs 1 */
	bool in_order;	   /* a line per sample, in the input's order */
	bool no_marks;	   /* without "[truncated]" and "[broken]" */
	const char *event; /* NULL: the first; "*": all, as root frames */
	const char *cost;  /* the metric to fold; NULL: the profile's default */
	struct str
		columns[TREE_COLUMNS]; /* the events of two columns; empty: one column */
	struct collapse_moment from, to;
	struct opt_list skip_after;
};

/* How a stack ends: at its entry, or why it ended earlier. */
enum collapse_end {
	COLLAPSE_UNJUDGED,    /* the format does not know */
	COLLAPSE_ENTRY,	      /* where the program or thread begins */
	COLLAPSE_CUT,	      /* at the end of a full snapshot */
	COLLAPSE_DEEP,	      /* at the limit of recorded frames */
	COLLAPSE_SWITCHED,    /* continues on another stack, which was not copied */
	COLLAPSE_BROKEN,      /* at an inconsistent frame */
	COLLAPSE_GONE,	      /* in memory that was missing, as within exec */
	COLLAPSE_NO_POINTERS, /* in code without frame pointers */
	COLLAPSE_NO_RULES,    /* in code without unwind information */
	COLLAPSE_NO_FILE,     /* in code whose file is missing */
	COLLAPSE_FOREIGN,     /* of a processor that cannot be unwound here */
	COLLAPSE_ALONE,	      /* one frame, recorded without a stack */
	COLLAPSE_ENDS
};

/* An additional property of a sample: "endpoint", "/login". */
struct collapse_label {
	struct str key, value;
};

/* A sample, without its frames. Unknown strings are empty. */
struct collapse_sample {
	struct str comm, pid, tid, cpu, event;
	struct str end_module; /* where the stack ended, if before its entry */
	enum collapse_end end;
	uint64_t time; /* ns, by the input's clock */
	uint64_t period;
	uint64_t count;		   /* the number of samples that it represents; 0 means
	               		    * 1 */
	bool has_time, has_period; /* without a period the weight is the count */
	const struct collapse_label *labels;
	size_t label_n;
};

/* Kinds of frames, for suffixes. */
enum { COLLAPSE_KERNEL = 1, COLLAPSE_JIT = 2, COLLAPSE_INLINED = 4 };

enum collapse_loss {
	COLLAPSE_NO_STACK,  /* samples without a frame */
	COLLAPSE_MALFORMED, /* unreadable lines or records */
	COLLAPSE_DAMAGED,   /* unreadable records of a binary input */
	COLLAPSE_OVERFLOW,  /* samples whose weight overflows 64 bits */
	COLLAPSE_NEGATIVE,  /* samples with a negative weight */
	COLLAPSE_TIMELESS,  /* samples without a time that --from or --to needs */
	COLLAPSE_LOSSES
};

/* Properties of all code in a module, from its name. */
struct collapse_module {
	unsigned kind;	  /* COLLAPSE_KERNEL, COLLAPSE_JIT */
	unsigned runtime; /* one of COLLAPSE_RUNTIMES */
};

/* Creates an empty sink. OPTIONS has to outlive it. */
struct collapse *collapse_new(const struct collapse_options *options);
void collapse_free(struct collapse *c);

const struct collapse_options *collapse_options(const struct collapse *c);

/* Whether --by asks for root frames of BY. */
bool collapse_has_root(const struct collapse *c, enum collapse_by by);

/* Whether --from, --to or --by time need the times of samples. */
bool collapse_needs_times(const struct collapse *c);

/* Begins the input IN. Times are relative to its first sample, and losses are reported at
 * its current line. */
void collapse_begin(struct collapse *c, struct input *in);

/* Properties of the input, to be set before its first sample. */

/* Declares the event NAME, in the order in which events were recorded. By default the
 * first declared event with samples is folded; without calls, the event of the first
 * sample. */
void collapse_expect(struct collapse *c, struct str name);

/* Nothing in the input is earlier than TIME; the earliest of several calls counts. By
 * default this is the time of the first sample. */
void collapse_origin(struct collapse *c, uint64_t time);

/* Samples may lack a thread: --by then adds no frame for dimensions without any
 * values. */
void collapse_threadless(struct collapse *c);

/* The input was measured, not sampled: the header omits the number of samples. */
void collapse_exact(struct collapse *c);

/* The input compares two profiles, which are its events: their columns form a difference,
 * not a ratio. */
void collapse_differs(struct collapse *c);

/* perf or a similar tool recorded the input; messages advise accordingly. */
void collapse_perf(struct collapse *c);

/* Sets the unit of periods to UNIT, such as "ns" or "bytes", which must be static. */
void collapse_unit(struct collapse *c, struct str unit);

/* The periods of the following samples are in units of 10^-DECIMALS, up to
 * TREE_SCALE_MAX; collapse_begin resets this to 0. Returns false, without a change, if
 * earlier weights would overflow. */
bool collapse_decimals(struct collapse *c, unsigned decimals);

/* The input's stacks begin with frames for the dimensions BY, in the form of the header's
 * key; empty: unknown. By default all frames are functions. */
void collapse_leads(struct collapse *c, struct str by);

/* Sets KEY in the header, such as "host" or "command", to VALUE unless it is set. */
void collapse_info(struct collapse *c, const char *key, struct str value);

/* Adds N to the number KEY in the header, such as "samples". */
void collapse_info_add(struct collapse *c, const char *key, uint64_t n);

/* Adds a line after the header: PROGRAM, as referred to by codes in names, was at PATH
 * and has BUILD_ID, its bytes or empty. */
void collapse_program(
	struct collapse *c, struct str program, struct str build_id, struct str path);

/* Sets the start of the recording in the header, ns since 1970; 0: unknown. */
void collapse_start(struct collapse *c, uint64_t start);

/* The same for TEXT, which begins with a date in a layout of date_cut. */
void collapse_start_text(struct collapse *c, struct str text);

/* Metrics, of which --cost chooses one. */

/* Declares the metric NAME, such as "alloc_space", in UNIT, such as "bytes"; empty for
 * samples. Both are copied. Returns its number, which counts from 0 in each input; the
 * same NAME returns the same number. */
unsigned collapse_metric(struct collapse *c, struct str name, struct str unit);

/* The values of METRIC are in units of 10^-DECIMALS, up to TREE_SCALE_MAX. */
void collapse_metric_decimals(struct collapse *c, unsigned metric, unsigned decimals);

/* Replaces a metric's number. */
#define COLLAPSE_NO_METRIC UINT_MAX

/* Returns the number of the metric to fold, which --cost names, or MAIN. Sets the unit,
 * and if there are several metrics, their name in the header. Returns COLLAPSE_NO_METRIC,
 * after an error that lists the metrics, if --cost names another. */
unsigned collapse_choose_metric(struct collapse *c, unsigned main);

/* The same for a format with its own numbering: sets *PLACE to the index of the metric in
 * the N NUMBERS, where COLLAPSE_NO_METRIC marks absent metrics. Returns false, after an
 * error, and leaves *PLACE alone if --cost names another. */
bool collapse_choose_among(struct collapse *c, const unsigned *numbers, unsigned n,
	unsigned main, unsigned *place);

/* Adds VALUE to METRIC for --list-costs. Call for each metric of each sample. */
void collapse_count_cost(struct collapse *c, unsigned metric, int64_t value);

/* The same for a weight. */
void collapse_count_weight(struct collapse *c, unsigned metric, uint64_t weight);

/* To be called at the end of an input. */

/* Warns which metric was folded, if --cost could have chosen another one with values. */
void collapse_tell_costs(struct collapse *c);

/* Writes a line for each metric of the input, or each event if it has no metrics: name,
 * unit and sum. */
void collapse_list_costs(struct collapse *c, struct output *out);

/* Adding a sample, the simple way: collapse_wants, frames, collapse_stack. */

/* Whether the options select S, by event and time. Call exactly once per sample, as it
 * counts. If the event of S was declared before the one folded so far, drops everything
 * added. */
bool collapse_wants(struct collapse *c, const struct collapse_sample *s);

/* The name id of a frame NAME of KIND (COLLAPSE_KERNEL | ...), with the suffix that the
 * options ask for, and without bytes that folded text cannot contain. An empty NAME is
 * handled by collapse_bare_frame. */
uint32_t collapse_frame(struct collapse *c, struct str name, unsigned kind);

/* The name id of a frame without a name in MODULE (a path, "[vdso]", or empty) at ADDRESS
 * (hexadecimal text). */
uint32_t collapse_bare_frame(
	struct collapse *c, struct str module, struct str address, unsigned kind);

/* Whether collapse_bare_frame made ID. */
bool collapse_is_bare(const struct collapse *c, uint32_t id);

/* Whether the names A and B refer to the same function, at any line or instruction. */
bool collapse_same_function(const struct collapse *c, uint32_t a, uint32_t b);

/* Adds S, for which collapse_wants returned true, with the N IDS as its stack, innermost
 * frame first. Without frames it is a loss. */
void collapse_stack(struct collapse *c, const struct collapse_sample *s,
	const uint32_t *ids, size_t n);

/* Adding a sample whose stack, or its outer part, occurred before: by a node of the tree
 * instead of ids. Nodes are valid as long as the sink. */

/* The node of the root frames of S: event, comm, pid ... */
uint32_t collapse_root(struct collapse *c, const struct collapse_sample *s);

/* The node of the N IDS, innermost frame first, below ROOT. A frame of --skip-after
 * removes its callers, except those of collapse_root. */
uint32_t collapse_path(struct collapse *c, uint32_t root, const uint32_t *ids, size_t n);

/* A hint that collapse_path will soon be called for ID below NODE. */
void collapse_expect_path(const struct collapse *c, uint32_t node, uint32_t id);

/* Like collapse_path, for all frames: sets NODE to the node of each of the N IDS. */
void collapse_steps(
	struct collapse *c, uint32_t root, const uint32_t *ids, uint32_t *node, size_t n);

/* Replaces a node: the stack cannot be determined from the input. */
#define COLLAPSE_NOWHERE (UINT32_MAX - 1)

/* Adds S, for which collapse_wants returned true, at NODE. It is a loss if NODE is
 * TREE_ROOT (no stack) or COLLAPSE_NOWHERE, or if the weight overflows 64 bits. */
void collapse_add(struct collapse *c, uint32_t node, const struct collapse_sample *s);

/* The number of samples added. */
uint64_t collapse_samples(const struct collapse *c);

/* How often collapse_wants has dropped everything. */
unsigned collapse_restarts(const struct collapse *c);

/* Losses. */

/* Counts a loss of KIND, and reports the first one at the input's line. */
void collapse_lose(struct collapse *c, enum collapse_loss kind);

/* Counts N losses of KIND without a message. Returns whether they are the first of KIND,
 * for formats with their own message. */
bool collapse_lose_quietly(struct collapse *c, enum collapse_loss kind, uint64_t n);

/* Counts the current input as damaged; reports it if it is CUT, otherwise the caller
 * does. Samples before the damage are kept. Returns false if there are none, which is
 * when C still has BEFORE samples. */
bool collapse_damage(struct collapse *c, uint64_t before, bool cut);

/* Counts N samples that the recorder lost, according to the input. */
void collapse_lose_recorded(struct collapse *c, uint64_t n);

/* Native stacks: how they end, and why names are missing. */

/* How the stack of the N IDS, innermost frame first, ends, judged by its two outermost
 * frames: COLLAPSE_ENTRY, or OTHERWISE. Stacks that end in the kernel are complete. */
enum collapse_end collapse_judge_end(const struct collapse *c, const uint32_t *ids,
	size_t n, enum collapse_end otherwise);

/* The node below ROOT for stacks with this END: ROOT, or its child "[truncated]" or
 * "[broken]" unless the options omit marks. */
uint32_t collapse_mark_end(struct collapse *c, uint32_t root, enum collapse_end end);

/* Stacks were unwound from snapshots of at most BYTES. */
void collapse_snapshot(struct collapse *c, uint64_t bytes);

/* The properties of MODULE, computed once per name. */
struct collapse_module collapse_module_of(struct collapse *c, struct str module);

/* Marks the name ID as code in MODULE if that belongs to a runtime. */
void collapse_mark_runtime(
	struct collapse *c, uint32_t id, struct collapse_module module);

/* Sets the reason WHY frames of MODULE lack names; it is copied. */
void collapse_explain(struct collapse *c, struct str module, struct str why);

/* The name id of late frame N, whose name is unknown until collapse_rename. */
uint32_t collapse_late_frame(struct collapse *c, size_t n);

/* Names the late frame ID: the N frames IDS, innermost first, which are copied. */
void collapse_name_late(struct collapse *c, uint32_t id, const uint32_t *ids, size_t n);

/* Replaces late frames by their names in all stacks; invalidates nodes. */
void collapse_rename(struct collapse *c);

/* At the end of all inputs: leaves one frame for each dimension that has values in every
 * stack. Invalidates nodes. */
void collapse_settle_roots(struct collapse *c);

/* Adjusts the buckets of --by time:auto to the profile. Call after the last input, before
 * collapse_settle_roots. */
void collapse_settle_times(struct collapse *c);

/* Writes the stacks, after the header if HEADER is set; nothing if no sample was added,
 * or one of two columns is empty. */
void collapse_write(struct collapse *c, struct output *out, bool header);

#endif
