/* SPDX-License-Identifier: ISC */
/* Header and messages of a collapsed profile; see losses.h. */
#include "losses.h"
#include "buf.h"
#include "event.h"
#include "frame.h"
#include "mem.h"
#include "msg.h"
#include "quality.h"
#include "sink.h"

#include <inttypes.h>

/* How good stacks are, and what helps: it follows from where the weight is that has no name or
 * no entry. */

/* FEW: of fewer samples than this one or two decide, and no share says anything.
 * MOST_PERCENT: from this share on of stacks of one runtime the profile is one of it. */
enum { FEW = 10, MOST_PERCENT = 50 };

/* The largest snapshot that the kernel takes. */
enum { LARGEST_SNAPSHOT = 65528 };

/* Programs that make code at run time, in the order of their marks. */
enum runtime { NO_RUNTIME, JAVA, NODE, PYTHON, RUNTIMES };

static const struct {
	unsigned mark;
	const char *names, *pointers; /* what to do for names and for whole stacks */
} runtimes[RUNTIMES] = {
	[NO_RUNTIME] = { 0,
		"code made at run time: let its runtime write a perf map, "
		"/tmp/perf-PID.map",
		"record with -g auto of fg-record, or with perf record --call-graph dwarf" },
	[JAVA] = { COLLAPSE_IN_JAVA,
		"code made by the JVM: start java with -XX:+PreserveFramePointer "
		"-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit",
		"start java with -XX:+PreserveFramePointer" },
	[NODE] = { COLLAPSE_IN_NODE, "code made by V8: start node with --perf-basic-prof",
		"record with -g auto of fg-record, or with perf record --call-graph dwarf" },
	[PYTHON] = { COLLAPSE_IN_PYTHON, "code made by Python: start it with -X perf",
		"record with -g auto of fg-record, or with perf record --call-graph dwarf" },
};

/* What the self weights add up to. */
struct sums {
	uint64_t total, bare;
	uint64_t of[RUNTIMES];	/* of stacks with a frame of a runtime */
	uint64_t jit[RUNTIMES]; /* of leaves without a name in code made at run time */
	uint64_t functions;	/* of stacks with Python functions */
	uint64_t *names;	/* bare leaves, by id of names */
};

/* The first runtime that MARKS have. */
static enum runtime
runtime_of(unsigned marks)
{
	int i;

	for (i = 1; i < RUNTIMES; i++)
		if (marks & runtimes[i].mark)
			return (enum runtime)i;
	return NO_RUNTIME;
}

/* Adds up what C's stacks weigh. S->names is to be freed. */
static void
sum_up(struct sums *s, const struct collapse *c)
{
	const struct tree *t = &c->tree;
	unsigned short *above = mem_zero(t->n, sizeof *above);
	uint32_t i, name;
	uint64_t self;
	unsigned own;

	*s = (struct sums){ .names = mem_zero((size_t)t->names.n + 1, sizeof *s->names) };
	for (i = 1; i < t->n; i++) {
		name = t->nodes[i].name;
		own = collapse_marks_of(c, name);
		above[i] = (unsigned short)(above[t->nodes[i].parent] |
			(own & COLLAPSE_RUNTIMES));
		self = t->self[0][i];
		s->total += self;
		s->of[runtime_of(above[i])] += self;
		s->functions += above[i] & COLLAPSE_PYTHON_FUNCTION ? self : 0;
		if (!(own & COLLAPSE_BARE))
			continue;
		s->bare += self;
		s->names[name] += self;
		s->jit[runtime_of(above[i])] += own & COLLAPSE_BARE_CODE ? self : 0;
	}
	free(above);
}

/* How good the stacks of C are. False when its formats do not say how stacks end. */
static bool
judge_quality(const struct collapse *c, struct quality *q)
{
	static const enum quality_kind kinds[COLLAPSE_ENDS] = {
		[COLLAPSE_ENTRY] = QUALITY_ENTRY,
		[COLLAPSE_CUT] = QUALITY_CUT,
		[COLLAPSE_DEEP] = QUALITY_CUT,
		[COLLAPSE_SWITCHED] = QUALITY_CUT,
		[COLLAPSE_BROKEN] = QUALITY_BROKEN,
		[COLLAPSE_GONE] = QUALITY_BROKEN,
		[COLLAPSE_NO_POINTERS] = QUALITY_BROKEN,
		[COLLAPSE_NO_RULES] = QUALITY_BROKEN,
		[COLLAPSE_NO_FILE] = QUALITY_BROKEN,
		[COLLAPSE_FOREIGN] = QUALITY_BROKEN,
		[COLLAPSE_ALONE] = QUALITY_ABSENT,
	};
	uint64_t weight[QUALITY_KINDS] = { 0 };
	struct sums s;
	int i;

	if (c->ends[COLLAPSE_UNJUDGED] || c->tree.columns > 1 || !c->tree.sum[0])
		return false;
	for (i = 1; i < COLLAPSE_ENDS; i++)
		weight[kinds[i]] += c->ends[i];
	sum_up(&s, c);
	weight[QUALITY_UNNAMED] = s.bare;
	*q = quality_of(weight, c->tree.sum[0]);
	free(s.names);
	return true;
}

/* Begins another part of a message. */
static void
part(struct buf *b)
{
	if (b->n)
		buf_str(b, STR("; "));
}

/* Whether NAME is BARE, "[libfoo.so]", perhaps with an address or a suffix. */
static bool
is_bare_form(struct str name, struct str bare)
{
	bare.n--;
	return str_starts(name, bare) && name.n > bare.n &&
		memchr("] ", name.s[bare.n], 2);
}

/* What the format says of why frames called NAME have no name; empty: nothing. */
static struct str
find_reason(const struct collapse *c, struct str name)
{
	const struct collapse_reason *r = c->reasons, *end = r + c->reason_n;

	for (; r < end; r++)
		if (is_bare_form(name, intern_str(&c->tree.names, r->name)))
			return intern_str(&c->reasons_told, r->why);
	return (struct str){ 0 };
}

/* The runtime that most code without a name was made by, of the stacks or at least of the
 * profile. */
static enum runtime
find_maker(const struct sums *s)
{
	int i, most = NO_RUNTIME;

	for (i = 1; i < RUNTIMES; i++)
		if (s->jit[i] > s->jit[most])
			most = i;
	for (i = 1; i < RUNTIMES && most == NO_RUNTIME; i++)
		if (s->of[i] > s->total / 10)
			most = i;
	return (enum runtime)most;
}

/* The path of the file that the frame NAME, "[libfoo.so]", stands for; empty when that is
 * not known, or several files are called so. */
static struct str
find_path(const struct collapse *c, struct str name)
{
	struct str path, found = { 0 };
	uint32_t id;

	for (id = 0; id < c->modules.n; id++) {
		path = intern_str(&c->modules, id);
		if (!frame_module_is_file(path) ||
			!str_starts(str_from(name, 1), frame_module_base(path)) ||
			name.n < frame_module_base(path).n + 2 ||
			!memchr("] ", name.s[frame_module_base(path).n + 1], 2))
			continue;
		if (found.n)
			return (struct str){ 0 };
		found = path;
	}
	return found;
}

/* Adds where the symbols of the frame NAME are to be had. Their package does not follow from
 * the name of a file; a program of the distribution finds it by the build id. */
static void
put_symbols(struct buf *b, const struct collapse *c, struct str name)
{
	enum { LONGEST = 200 };
	struct str path = find_path(c, name);
	bool packaged = str_starts(path, STR("/usr/")) || str_starts(path, STR("/lib"));

	if (!path.n || path.n > LONGEST)
		buf_str(b,
			STR("stripped: install its debug symbols, on Debian the -dbgsym "
			    "package"));
	else if (packaged && !str_starts(path, STR("/usr/local/")))
		buf_fmt(b,
			"stripped: install its debug symbols, on Debian the package that "
			"find-dbgsym-packages %.*s names",
			(int)path.n, path.s);
	else
		buf_str(b, STR("stripped: build it without -s and strip"));
}

/* Adds why leaves called NAME have no name, and what helps. */
static void
put_reason(struct buf *b, const struct collapse *c, const struct sums *s, uint32_t id)
{
	struct str name = intern_str(&c->tree.names, id), said = find_reason(c, name);
	unsigned marks = collapse_marks_of(c, id);

	if (said.n)
		buf_str(b, said);
	else if (marks & COLLAPSE_BARE_CODE)
		buf_str(b,
			c->perf ? str_of(runtimes[find_maker(s)].names)
				: STR("nothing is known of that code"));
	else if (marks & COLLAPSE_BARE_KERNEL)
		buf_str(b, STR("the kernel hides its symbols: see kernel.kptr_restrict"));
	else
		put_symbols(b, c, name);
}

/* The name of the module that most leaves without a name are in, an id of c->tree.names; each
 * counts once for all its addresses. */
static uint32_t
find_heaviest(const struct collapse *c, const struct sums *s)
{
	const struct intern *names = &c->tree.names;
	struct intern modules = { 0 };
	uint64_t *weight = mem_zero((size_t)names->n + 1, sizeof *weight), top = 0;
	uint32_t id, module, most = 0;
	struct str name;

	for (id = 0; id < names->n; id++) {
		if (!s->names[id])
			continue;
		name = intern_str(names, id);
		module = intern_id(&modules, str_head(name, str_search(name, STR(" <"))));
		weight[module] += s->names[id];
		if (weight[module] > top) {
			top = weight[module];
			most = id;
		}
	}
	intern_release(&modules);
	free(weight);
	return most;
}

/* Adds what helps those leaves that have no name. */
static void
put_names(struct buf *b, const struct collapse *c, const struct sums *s)
{
	uint32_t most = find_heaviest(c, s);
	struct str name = intern_str(&c->tree.names, most);
	bool shows_address = str_search(name, STR(" <")) < name.n;

	name = str_head(str_head(name, str_search(name, STR(" <"))), 200);
	part(b);
	buf_fmt(b, "%.0f %% of the self weight has no name, most of it in ",
		(double)s->bare * 100 / (double)s->total);
	buf_str(b, name);
	buf_str(b, shows_address ? STR("]") : STR(""));
	buf_str(b, STR(" ("));
	put_reason(b, c, s, most);
	buf_char(b, ')');
}

/* Whether the command that recorded C has WORDS. */
static bool
has_command(const struct collapse *c, struct str words)
{
	struct str command = folded_info_get(&c->info, "command");

	return str_search(command, words) < command.n;
}

/* Whether perf unwound C's stacks from snapshots, as far as its text says. */
static bool
is_by_snapshots(const struct collapse *c)
{
	return !c->snapshot && has_command(c, STR("dwarf"));
}

/* The module in which most weight ended by END. */
static struct str
find_module(const struct collapse *c, enum collapse_end end)
{
	uint32_t id, most = 0;

	for (id = 1; id < c->end_modules.n; id++)
		if (c->stuck[id].weight[end] > c->stuck[most].weight[end])
			most = id;
	return c->end_modules.n ? intern_str(&c->end_modules, most) : STR("a file");
}

/* Why stacks are not whole, for which there is nothing to add. */
static const char *const plain_ends[COLLAPSE_ENDS] = {
	[COLLAPSE_ALONE] =
		"recorded without call chains: use fg-record, or perf record -g",
	[COLLAPSE_SWITCHED] =
		"on a stack of their own, of a signal handler or a coroutine: only frame "
		"pointers (-fno-omit-frame-pointer) cross it",
	[COLLAPSE_GONE] = "of memory that was not there, as within exec",
	[COLLAPSE_FOREIGN] = "of a processor that is not unwound here: record frame "
			     "pointers, with -g fp",
	[COLLAPSE_BROKEN] = "lost where the stack makes no sense",
};

static const char larger_snapshots[] =
	"record more of the stack, with -g dwarf,65528 of fg-record, or perf record "
	"--call-graph dwarf,65528";
static const char no_larger_snapshots[] =
	"there are no larger ones, only frame pointers (-fno-omit-frame-pointer) reach "
	"further";

/* What helps stacks that have more frames than were recorded or printed. */
static const char *
find_depth(const struct collapse *c)
{
	if (is_by_snapshots(c))
		return "deeper than perf script prints: let fg-collapse read the "
		       "recording itself";
	return "deeper than the kernel walks: record with -g auto of fg-record, or raise "
	       "kernel.perf_event_max_stack";
}

/* Adds what helps stacks that end before their entry, in code without frame pointers or where
 * perf could not unwind further. */
static void
put_pointers(struct buf *b, const struct collapse *c, enum runtime maker)
{
	if (!is_by_snapshots(c))
		buf_fmt(b, "lost in code without frame pointers: %s",
			runtimes[maker].pointers);
	else if (has_command(c, STR("dwarf,65528")))
		buf_str(b,
			STR("lost as perf unwound them: let fg-collapse read the "
			    "recording itself"));
	else
		buf_fmt(b, "lost as perf unwound them: %s", larger_snapshots);
}

/* Adds what helps stacks that end in code of MODULE without unwind information. */
static void
put_rules(struct buf *b, struct str module, enum runtime maker)
{
	if (maker == JAVA) {
		buf_fmt(b, "lost in code made by the JVM: %s", runtimes[JAVA].pointers);
		return;
	}
	buf_fmt(b, "lost in code without unwind information, as in %.*s", (int)module.n,
		module.s);
	if (frame_module_is_file(module))
		buf_str(b, STR(": build it with -fasynchronous-unwind-tables"));
}

/* Adds why stacks end by END, and what helps. */
static void
put_end(struct buf *b, const struct collapse *c, const struct sums *s,
	enum collapse_end end)
{
	struct str module = str_head(find_module(c, end), 200);
	enum runtime maker = s->of[JAVA] > s->total / 10 ? JAVA : NO_RUNTIME;

	switch (end) {
	case COLLAPSE_CUT:
		buf_fmt(b, "cut with their snapshot: %s",
			c->snapshot < LARGEST_SNAPSHOT ? larger_snapshots
						       : no_larger_snapshots);
		break;
	case COLLAPSE_DEEP: buf_str(b, str_of(find_depth(c))); break;
	case COLLAPSE_NO_POINTERS: put_pointers(b, c, maker); break;
	case COLLAPSE_NO_RULES: put_rules(b, module, maker); break;
	case COLLAPSE_NO_FILE:
		buf_fmt(b,
			"lost in %.*s, whose file cannot be read: give it with --elf FILE",
			(int)module.n, module.s);
		break;
	default: buf_str(b, str_of(plain_ends[end])); break;
	}
}

/* The end, other than the entry, that most weight comes to; *BAD is what all of them have. */
static enum collapse_end
find_end(const struct collapse *c, uint64_t *bad)
{
	int i, most = COLLAPSE_GONE;

	*bad = 0;
	for (i = COLLAPSE_ENTRY + 1; i < COLLAPSE_ENDS; i++) {
		*bad += c->ends[i];
		if (c->ends[i] > c->ends[most])
			most = i;
	}
	return (enum collapse_end)most;
}

/* Adds how many stacks are not whole, and what helps most of them. */
static void
put_stacks(struct buf *b, const struct collapse *c, const struct sums *s)
{
	uint64_t bad;
	enum collapse_end most = find_end(c, &bad);

	/* Its functions have no names either, which says why and what to do. */
	if (most == COLLAPSE_NO_FILE && s->bare > s->total / 2)
		return;
	part(b);
	buf_fmt(b, "%.0f %% of the weight is in stacks that are not whole, most of them ",
		(double)bad * 100 / (double)s->total);
	put_end(b, c, s, most);
}

/* Whether C's stacks, as good as Q says, are poor, and enough of them to say so. */
static bool
are_poor(const struct collapse *c, const struct quality *q)
{
	return quality_is_poor_in_stacks(q) &&
		(c->samples >= FEW || c->ends[COLLAPSE_ALONE] == c->tree.sum[0]);
}

/* Whether that is to record call chains. */
static bool
asks_for_chains(const struct collapse *c)
{
	struct quality q;
	uint64_t bad;

	return judge_quality(c, &q) && are_poor(c, &q) &&
		find_end(c, &bad) == COLLAPSE_ALONE;
}

/* Whether the profile is of a Python that could name its functions, and they are missing. */
static bool
lacks_python(const struct sums *s)
{
	return !s->functions &&
		(double)s->of[PYTHON] * 100 > (double)s->total * MOST_PERCENT;
}

/* Adds to B what is wrong and what helps, parts joined by "; "; nothing when all is well. */
static void
put_diagnosis(struct buf *b, const struct collapse *c)
{
	struct quality q = { { 0 } };
	bool judged = judge_quality(c, &q);
	struct sums s;

	sum_up(&s, c);
	q.share[QUALITY_UNNAMED] =
		s.total ? (long double)s.bare / (long double)s.total : 0;
	if (judged && are_poor(c, &q))
		put_stacks(b, c, &s);
	if (quality_is_poor_in_names(&q))
		put_names(b, c, &s);
	if (lacks_python(&s)) {
		part(b);
		buf_str(b,
			STR("no Python function is in the stacks: start python with -X perf"));
	}
	free(s.names);
}

/* The header, and messages. */

/* So many events are named in a message. */
enum { LISTED = 12 };

static struct str
event_name(const struct collapse *c, uint32_t id)
{
	struct str name = intern_str(&c->event_names, id);

	return name.n ? name : STR("[no event]");
}

/* Whether event ID has samples that are WANTED, or are not. */
static bool
is_among(const struct collapse *c, uint32_t id, bool wanted)
{
	return c->events[id].samples && c->events[id].wanted == wanted;
}

/* The names of the events that are wanted, or are not, joined by commas; an event
 * may have none. */
static void
put_events(struct buf *b, const struct collapse *c, bool wanted)
{
	uint32_t id, n = 0;
	struct str name;

	for (id = 0; id < c->event_names.n; id++) {
		name = intern_str(&c->event_names, id);
		if (!is_among(c, id, wanted) || !name.n)
			continue;
		if (n++)
			buf_char(b, ',');
		buf_str(b, name);
	}
}

/* The same for a message: each with the number of its samples, the first ones
 * only when they are many. Returns how many there are. */
static uint32_t
list_events(struct buf *b, const struct collapse *c, bool wanted)
{
	uint32_t id, n = 0;

	for (id = 0; id < c->event_names.n; id++) {
		if (!is_among(c, id, wanted) || n++ >= LISTED)
			continue;
		buf_str(b, b->n ? STR(", ") : STR(""));
		buf_str(b, event_name(c, id));
		buf_fmt(b, " (%" PRIu64 ")", c->events[id].samples);
	}
	if (n > LISTED)
		buf_fmt(b, " and %" PRIu32 " more", n - LISTED);
	return n;
}

/* What the header says of two columns. */
static void
tell_columns(struct collapse *c)
{
	struct buf names = { 0 };

	buf_str(&names, c->options->columns[0]);
	buf_char(&names, ',');
	buf_str(&names, c->options->columns[1]);
	folded_info_set(&c->info, "ratio", buf_view(&names));
	folded_info_set_u64(&c->info, "samples-before", c->column_samples[0]);
	folded_info_set_u64(&c->info, "samples", c->column_samples[1]);
	buf_release(&names);
}

/* What a weight counts: nanoseconds, the event, or samples. Nothing when there
 * are several events. */
static struct str
find_unit(const struct collapse *c)
{
	struct str unit = { 0 }, this, name;
	uint32_t id;

	if (!c->has_period)
		return STR("samples");
	if (c->unit.n)
		return c->mixed ? unit : c->unit;
	for (id = 0; id < c->event_names.n; id++) {
		name = intern_str(&c->event_names, id);
		if (!is_among(c, id, true))
			continue;
		this = event_is_clock(name) ? STR("ns") : event_plain(name);
		if (unit.n && !str_eq(unit, this))
			return (struct str){ 0 };
		unit = this;
	}
	return unit;
}

/* How good the stacks are, when the formats say it. */
static void
tell_quality(struct collapse *c)
{
	struct buf b = { 0 };
	struct quality q;

	if (judge_quality(c, &q))
		quality_put(&b, &q, c->tree.sum[0]);
	folded_info_set(&c->info, "stacks", buf_view(&b));
	buf_release(&b);
}

void
losses_header(struct collapse *c)
{
	struct buf events = { 0 };

	folded_info_set(&c->info, "unit", find_unit(c));
	if (!c->exact)
		folded_info_set_u64(&c->info, "samples", c->samples);
	if (c->event_names.n > 1 ||
		(c->event_names.n && intern_str(&c->event_names, 0).n))
		put_events(&events, c, true);
	folded_info_set(&c->info, "event", buf_view(&events));
	if (c->tree.columns > 1)
		tell_columns(c);
	if (c->lost)
		folded_info_set_u64(&c->info, "lost", c->lost);
	tell_quality(c);
	buf_release(&events);
}

static void
tell_events(const struct collapse *c)
{
	struct buf folded = { 0 }, others = { 0 };
	uint32_t left = list_events(&others, c, false);
	struct str first;

	list_events(&folded, c, true);
	if (c->chosen > 1) {
		first = event_name(c, 0);
		msg_warn("the first event, %.*s, has no samples; folded %s%s%s",
			(int)first.n, first.s, buf_cstr(&folded),
			left ? "; left out " : "", buf_cstr(&others));
	} else if (c->chosen && left) {
		msg_warn("folded the first event, %s; left out %s: choose with "
			 "--event-filter NAME, or '*' for all",
			buf_cstr(&folded), buf_cstr(&others));
	}
	buf_release(&folded);
	buf_release(&others);
}

/* Whether many samples of C have no stack, and nothing else says that they need call chains. */
static bool
lacks_chains(const struct collapse *c)
{
	enum { TENTH = 10 };

	return c->perf && c->losses[COLLAPSE_NO_STACK] > c->samples / (TENTH - 1) &&
		!asks_for_chains(c);
}

/* What was skipped, in one line: how many of each kind, and what helps. */
static void
put_losses(struct buf *b, const struct collapse *c)
{
	static const struct {
		const char *one, *many;
	} kinds[COLLAPSE_LOSSES] = {
		[COLLAPSE_NO_STACK] = { "sample without a stack",
			"samples without a stack" },
		[COLLAPSE_MALFORMED] = { "malformed part", "malformed parts" },
		[COLLAPSE_DAMAGED] = { "damaged record", "damaged records" },
		[COLLAPSE_NEGATIVE] = { "sample with a weight below 0",
			"samples with a weight below 0" },
		[COLLAPSE_OVERFLOW] = { "sample whose weight overflows 64 bits",
			"samples whose weight overflows 64 bits" },
		[COLLAPSE_TIMELESS] = { "sample without a time for --from and --to",
			"samples without a time for --from and --to" },
	};
	const char *one, *many;
	int i;

	for (i = 0; i < COLLAPSE_LOSSES; i++) {
		if (!c->losses[i])
			continue;
		one = kinds[i].one;
		many = kinds[i].many;
		if (c->perf && i == COLLAPSE_MALFORMED) {
			one = "malformed line";
			many = "malformed lines";
		}
		buf_fmt(b, "%s%" PRIu64 " %s", b->n ? ", " : "", c->losses[i],
			c->losses[i] == 1 ? one : many);
		if (i == COLLAPSE_NO_STACK && lacks_chains(c))
			buf_str(b, STR(" (record with perf record -g)"));
	}
}

/* Sums up a profile that gave stacks: what could not be used, in one line. */
static void
tell_losses(const struct collapse *c)
{
	struct buf b = { 0 }, losses = { 0 };

	put_losses(&losses, c);
	if (losses.n)
		buf_fmt(&b, "folded %" PRIu64 " sample%s; skipped %s", c->samples,
			msg_s(c->samples), buf_cstr(&losses));
	if (c->lost) {
		buf_str(&b, b.n ? STR("; ") : STR(""));
		buf_fmt(&b, "the recorder lost %" PRIu64 " sample%s%s", c->lost,
			msg_s(c->lost), losses.n ? " more" : "");
	}
	put_diagnosis(&b, c);
	if (b.n)
		msg_warn("%s", buf_cstr(&b));
	buf_release(&losses);
	buf_release(&b);
}

/* An event that was asked for and is not in the input, or nothing. */
static struct str
missing_event(const struct collapse *c)
{
	bool found[TREE_COLUMNS] = { false }, any = false;
	uint32_t id;
	int i;

	for (id = 0; id < c->event_names.n; id++) {
		found[c->events[id].column] |= is_among(c, id, true);
		any |= c->events[id].samples > 0;
	}
	for (i = 0; i < c->tree.columns; i++)
		if (!found[i] && any)
			return c->tree.columns > 1 ? c->options->columns[i]
						   : str_of(c->options->event);
	return (struct str){ 0 };
}

/* Whether an event that NAME means was recorded, though no sample of it came. */
static bool
was_recorded(const struct collapse *c, struct str name)
{
	uint32_t id;

	for (id = 0; id < c->event_names.n; id++)
		if (event_matches(intern_str(&c->event_names, id), name))
			return true;
	return false;
}

/* Says why nothing was folded. */
static void
tell_nothing(const struct collapse *c)
{
	struct str missing = missing_event(c);
	struct buf b = { 0 };

	put_losses(&b, c);
	if (missing.n) {
		buf_clear(&b);
		list_events(&b, c, true);
		list_events(&b, c, false);
		msg_error(was_recorded(c, missing)
				? "the event %.*s has no samples; the input has %s"
				: "no event is called %.*s; the input has %s",
			(int)missing.n, missing.s, buf_cstr(&b));
	} else if (c->off_time) {
		msg_error("no sample of %" PRIu64 " is between --from and --to",
			c->off_time);
	} else if (b.n) {
		msg_error("nothing folded; skipped %s", buf_cstr(&b));
	} else {
		msg_error("no sample in the input");
	}
	buf_release(&b);
}

int
losses_report(const struct collapse *c, bool strict)
{
	int i, lost = 0;

	if (!c->samples || missing_event(c).n) {
		tell_nothing(c);
		return MSG_NO;
	}
	tell_events(c);
	tell_losses(c);
	for (i = 0; i < COLLAPSE_LOSSES; i++)
		lost |= c->losses[i] > 0;
	return strict && lost ? MSG_NO : MSG_DONE;
}

bool
losses_check_times(const struct collapse *c, const struct collapse_format *f)
{
	if (!c->timeless)
		return true;
	if (c->has_origin) {
		msg_warn(
			"%s: skipping samples without a time, which --from and --to need",
			input_name(c->in));
		return true;
	}
	msg_error("%s: is %s, and its samples have no times for --from and --to%s%s",
		input_name(c->in), f->name, f->for_times ? ": " : "",
		f->for_times ? f->for_times : "");
	return false;
}
