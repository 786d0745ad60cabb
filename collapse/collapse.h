/* SPDX-License-Identifier: ISC */
/*
 * From any profile to folded stacks: the contract of a format, and the sink
 * that takes the samples of all formats.
 *
 * A format is one file that exports one const struct collapse_format and has
 * one row in formats.def. It reads records from an input and says for each
 * sample who ran, how much it weighs and which frames were on the stack. What
 * the user asked for (--by, --weight, --event-filter, --from, --to,
 * --skip-after, --no-merge, the suffixes) is the sink's business alone.
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
 * A format that knows a stack, or the outer part of one, from before keeps its
 * node: collapse_root and collapse_path find it, collapse_add takes it.
 */
#ifndef COLLAPSE_H
#define COLLAPSE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "opt.h"
#include "output.h"
#include "str.h"
#include "tree.h"

struct collapse;
struct debuginfod;

struct collapse_format {
	/* How sure it is, from 0 (no) to 100, that HEAD begins a profile of
	 * this format; HEAD is all of it or the first 4 KiB at least. */
	int (*probe)(struct str head);
	/* Pours the samples of IN into C. What cannot be used is counted with
	 * collapse_lose. False, after a message, when IN as a whole is not this
	 * format. */
	bool (*run)(struct input *in, struct collapse *c);
	unsigned uses; /* COLLAPSE_USES_ that it has, of the options that not all have */
	const char
		*for_times; /* how to get an input with times, for one without; or NULL */
};

/* The options that not every format has a use for; the names are in fg-collapse.c,
 * in this order. Without COLLAPSE_USES_COST --cost is an error, without another one
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
	COLLAPSE_USES_ASM = 4096,
	COLLAPSE_USES_VMLINUX = 8192,
	COLLAPSE_USES_KALLSYMS = 16384,
	COLLAPSE_USES_DEBUGINFOD = 32768,
	COLLAPSE_USES_COST = 65536,
	/* What a symbol of a module can have (frame_names_add). */
	COLLAPSE_USES_FRAME_NAMES = COLLAPSE_USES_KERNEL | COLLAPSE_USES_JIT |
		COLLAPSE_USES_ADDRS | COLLAPSE_USES_FULL_NAMES,
	/* What addresses that are looked up in files can have besides. */
	COLLAPSE_USES_FILES = COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_INLINE | COLLAPSE_USES_NO_INLINE | COLLAPSE_USES_ELF |
		COLLAPSE_USES_ASM | COLLAPSE_USES_DEBUGINFOD
};

/* What a root frame may be made of. */
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

/* A moment, in ns: since the first sample of the input, or as the input's own
 * clock counts. */
struct collapse_moment {
	uint64_t ns;
	bool given, absolute;
};

struct collapse_options {
	enum collapse_by by[COLLAPSE_BY_MAX]; /* outermost first, 0 ends */
	struct str labels[COLLAPSE_BY_MAX];   /* the key of each COLLAPSE_LABEL of BY */
	uint64_t bucket;	   /* ns, of COLLAPSE_TIME; 0: each moment is its own;
				    * COLLAPSE_AUTO: what suits the profile */
	bool kernel, jit, inlined; /* suffixes _[k] _[j] _[i] */
	bool addrs, srcline, code, full_names;
	bool inlines, no_inlines;	/* look for inlined functions always, or never */
	struct opt_list elfs;		/* files that --elf names */
	const char *vmlinux, *kallsyms; /* of the kernel; NULL: look */
	struct debuginfod *servers;	/* of files that are not here; NULL: none */
	bool any_maps;			/* perf maps of any user and machine */
	const char *syms;  /* names that lie beside the profile; NULL: look */
	bool count;	   /* every sample weighs 1 */
	bool in_order;	   /* a line for each sample, in the order of the input */
	bool no_marks;	   /* no "[truncated]" and "[broken]" */
	const char *event; /* NULL: the first; "*": all, as root frames */
	const char *cost;  /* what to weigh by, of what a profile has; NULL: its first */
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

/* What a sample says besides: "endpoint", "/login". */
struct collapse_label {
	struct str key, value;
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
	const struct collapse_label *labels;
	size_t label_n;
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

/* What the name of a module says of all code in it. */
struct collapse_module {
	unsigned kind;	  /* COLLAPSE_KERNEL, COLLAPSE_JIT */
	unsigned runtime; /* of COLLAPSE_RUNTIMES */
};

/* An empty sink, which lives as long as OPTIONS. */
struct collapse *collapse_new(const struct collapse_options *options);
void collapse_free(struct collapse *c);

/* What the user asked for. */
const struct collapse_options *collapse_options(const struct collapse *c);

/* Whether they ask for root frames of BY. */
bool collapse_has_root(const struct collapse *c, enum collapse_by by);

/* Whether they ask for the times of samples: by --from, --to or --by time. */
bool collapse_needs_times(const struct collapse *c);

/* Begins an input, IN: times are counted from its first sample, and losses are reported
 * at its current line. */
void collapse_begin(struct collapse *c, struct input *in);

/* What a format says of its input, before the first sample. */

/* The event NAME was asked for when the input was recorded, after those of the calls
 * before. By default the first one that has samples is folded, wherever these are;
 * without calls that is the event of the first sample. */
void collapse_expect(struct collapse *c, struct str name);

/* The input has nothing before TIME: without a call that is the time of its first sample;
 * of several calls the earliest counts. */
void collapse_origin(struct collapse *c, uint64_t time);

/* Samples may be nobody's: --by then adds no frame for what is not known of any of them. */
void collapse_threadless(struct collapse *c);

/* All was measured, nothing sampled: the header gives no number of samples. */
void collapse_exact(struct collapse *c);

/* The input compares two profiles, which are events: columns of both are no ratio. */
void collapse_differs(struct collapse *c);

/* The input was recorded by perf or the like: messages say what helps there. */
void collapse_perf(struct collapse *c);

/* The periods are in UNIT, "ns", "bytes", which must be static. */
void collapse_unit(struct collapse *c, struct str unit);

/* The periods of the samples that follow are units of 10^-DECIMALS, up to
 * TREE_SCALE_MAX; collapse_begin goes back to 0. False, and nothing changes, when the
 * weights that are there leave no room for so many. */
bool collapse_decimals(struct collapse *c, unsigned decimals);

/* The stacks of the input begin with frames for the dimensions BY, as the key of the header says
 * them; empty: nobody knows. Without a call all of their frames are functions. */
void collapse_leads(struct collapse *c, struct str by);

/* The header says VALUE of KEY, "host", "command", unless it was said before. */
void collapse_info(struct collapse *c, const char *key, struct str value);

/* The number that the header says of KEY, "samples", is larger by N. */
void collapse_info_add(struct collapse *c, const char *key, uint64_t n);

/* A line after the header says that PROGRAM, as codes in names have it, was at PATH and has
 * BUILD_ID, its bytes or nothing. */
void collapse_program(
	struct collapse *c, struct str program, struct str build_id, struct str path);

/* The header says that the recording began START ns after 1970; 0: not known. */
void collapse_start(struct collapse *c, uint64_t start);

/* Several metrics, of which --cost chooses one. */

/* The input has the metric NAME, "alloc_space", in UNIT, "bytes", or nothing for samples. Both are
 * copied. Returns its number, from 0 in each input; the same NAME has the same number. */
unsigned collapse_metric(struct collapse *c, struct str name, struct str unit);

/* The values of METRIC are units of 10^-DECIMALS, TREE_SCALE_MAX at most. */
void collapse_metric_decimals(struct collapse *c, unsigned metric, unsigned decimals);

/* In place of a metric's number. */
#define COLLAPSE_NO_METRIC UINT_MAX

/* The number of the metric to fold: the one that --cost names, or MAIN. The unit is its, and the
 * header says its name where there are several. COLLAPSE_NO_METRIC, after an error that lists what
 * there is, when there is none of the name. */
unsigned collapse_choose_metric(struct collapse *c, unsigned main);

/* The same for a format that numbers its metrics otherwise: sets *PLACE to the one of the N
 * NUMBERS, of which those that the input does not have are COLLAPSE_NO_METRIC. False, after
 * an error, when there is none of the name; *PLACE is then what it was. */
bool collapse_choose_among(struct collapse *c, const unsigned *numbers, unsigned n,
	unsigned main, unsigned *place);

/* Adds VALUE to what --list-costs shows of METRIC. To be called for each metric of each sample. */
void collapse_count_cost(struct collapse *c, unsigned metric, int64_t value);

/* The same for a weight. */
void collapse_count_weight(struct collapse *c, unsigned metric, uint64_t weight);

/* At the end of an input. */

/* Says by what was weighed, where --cost could have chosen something else that has values. */
void collapse_tell_costs(struct collapse *c);

/* Writes a line for each metric of the input, or each event when it has no metrics: its name, its
 * unit, the sum of it. */
void collapse_list_costs(struct collapse *c, struct output *out);

/* A sample, the plain way: collapse_wants, frames, collapse_stack. */

/* Whether the options want S, by its event and time. Counts it either way, so
 * it must be called once for each sample. When S is of an event that was asked for
 * before the one that was folded so far, all that was added is taken away again. */
bool collapse_wants(struct collapse *c, const struct collapse_sample *s);

/* The name id of a frame called NAME of KIND (COLLAPSE_KERNEL | ...), with the
 * suffix that the options ask for and without bytes that folded text cannot
 * hold. Without a name it is that of collapse_bare_frame. */
uint32_t collapse_frame(struct collapse *c, struct str name, unsigned kind);

/* The name id of a frame in MODULE (a path, "[vdso]", or nothing) at ADDRESS
 * (hexadecimal text) that has no name. */
uint32_t collapse_bare_frame(
	struct collapse *c, struct str module, struct str address, unsigned kind);

/* Whether the name ID is one of collapse_bare_frame. */
bool collapse_is_bare(const struct collapse *c, uint32_t id);

/* Whether the names A and B are of one function, at whatever lines or instructions of it. */
bool collapse_same_function(const struct collapse *c, uint32_t a, uint32_t b);

/* Adds S, which collapse_wants has said yes to, with its stack: N IDS, innermost frame
 * first. Without frames it is a loss. */
void collapse_stack(struct collapse *c, const struct collapse_sample *s,
	const uint32_t *ids, size_t n);

/* A sample whose stack, or the outer part of it, was seen before: a node, which is a
 * stack of the tree, in the place of ids. Nodes stay while the sink does. */

/* The node of the frames above the stack of S: event, comm, pid ... */
uint32_t collapse_root(struct collapse *c, const struct collapse_sample *s);

/* The node of the N IDS, innermost frame first, below the node ROOT; a frame of
 * --skip-after takes its callers away, down to those of collapse_root. */
uint32_t collapse_path(struct collapse *c, uint32_t root, const uint32_t *ids, size_t n);

/* A hint that collapse_path is about to be asked for ID below NODE. */
void collapse_expect_path(const struct collapse *c, uint32_t node, uint32_t id);

/* The same with NODE for the node of each of IDS. */
void collapse_steps(
	struct collapse *c, uint32_t root, const uint32_t *ids, uint32_t *node, size_t n);

/* In place of a node: the stack of a sample whose input says it in a way that leads
 * nowhere. */
#define COLLAPSE_NOWHERE (UINT32_MAX - 1)

/* Adds S, which collapse_wants has said yes to, at NODE: a loss when that is TREE_ROOT,
 * which is no stack, or COLLAPSE_NOWHERE, or when its weight does not fit in 64 bits. */
void collapse_add(struct collapse *c, uint32_t node, const struct collapse_sample *s);

/* How many samples were added. */
uint64_t collapse_samples(const struct collapse *c);

/* How often collapse_wants has taken everything away again. */
unsigned collapse_restarts(const struct collapse *c);

/* What could not be used. */

/* Counts one of KIND, and reports the first at the input's line. */
void collapse_lose(struct collapse *c, enum collapse_loss kind);

/* Counts N of KIND without a message. Whether they are the first, for a format that has
 * more to say of these. */
bool collapse_lose_quietly(struct collapse *c, enum collapse_loss kind, uint64_t n);

/* Counts that the current input is damaged, after a message, or CUT off, which is reported here.
 * What came before is kept: false when C has had no sample since it had BEFORE. */
bool collapse_damage(struct collapse *c, uint64_t before, bool cut);

/* Counts N samples that the recorder lost, as the input says. */
void collapse_lose_recorded(struct collapse *c, uint64_t n);

/* Native stacks: how they end, and why frames have no name. */

/* How the stack of the N IDS, innermost frame first, ends, going by the names of its two
 * outermost frames: COLLAPSE_ENTRY, or OTHERWISE. Stacks that end in the kernel are
 * whole. */
enum collapse_end collapse_judge_end(const struct collapse *c, const uint32_t *ids,
	size_t n, enum collapse_end otherwise);

/* The node of the stacks below ROOT that end so: ROOT, or a frame "[truncated]" or
 * "[broken]" below it, unless the options leave marks out. */
uint32_t collapse_mark_end(struct collapse *c, uint32_t root, enum collapse_end end);

/* Stacks were unwound from snapshots of BYTES, or fewer. */
void collapse_snapshot(struct collapse *c, uint64_t bytes);

/* What the name MODULE says; looked at once a name. */
struct collapse_module collapse_module_of(struct collapse *c, struct str module);

/* Marks the name ID as one of code in MODULE, if that is of a runtime. */
void collapse_mark_runtime(
	struct collapse *c, uint32_t id, struct collapse_module module);

/* Says why the frames of MODULE that have no name have none; WHY is copied. */
void collapse_explain(struct collapse *c, struct str module, struct str why);

/* The name id of frame number N whose name comes late: until collapse_rename it is a
 * name of its own. */
uint32_t collapse_late_frame(struct collapse *c, size_t n);

/* The late frame ID is the N frames IDS, innermost first; they are copied. */
void collapse_name_late(struct collapse *c, uint32_t id, const uint32_t *ids, size_t n);

/* Puts the frames of collapse_name_late into all stacks; nodes of before are void. */
void collapse_rename(struct collapse *c);

/* At the end of all inputs: every stack has one frame for each dimension that samples have a value
 * of. Nodes of before are void. */
void collapse_settle_roots(struct collapse *c);

/* Makes the buckets of --by time:auto as long as suits what was folded. Before
 * collapse_settle_roots, after the last input. */
void collapse_settle_times(struct collapse *c);

/* Writes the stacks, and before them the header when HEADER; nothing when no sample was
 * added, or none of one of two columns. */
void collapse_write(struct collapse *c, struct output *out, bool header);

#endif
