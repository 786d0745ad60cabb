/* SPDX-License-Identifier: ISC */
/*
 * callgrind.out files: valgrind --tool=callgrind and --tool=cachegrind, Xdebug's profiles of PHP,
 * and the output of other profilers for KCachegrind.
 *
 *	# callgrind format
 *	version: 1
 *	creator: callgrind-3.19.0
 *	pid: 7264
 *	cmd:  ./small 0.02
 *	part: 1
 *	positions: instr line
 *	events: Ir Dr
 *	summary: 3422659 1000
 *
 *	ob=(5) /opt/demo/small
 *	fl=(139) small.c
 *	fn=(502) main
 *	0x401180 12 10 4
 *	+2 * 1
 *	cob=(3) /usr/lib/libc.so.6
 *	cfi=(140) puts.c
 *	cfn=(504) puts
 *	calls=1 0x27280 242
 *	* 14 3302939 900
 *
 *	totals: 3422659 1000
 *
 * A line of numbers has one position for each word after "positions:" (one if that is missing),
 * which may be relative, and the costs of the events; costs left out at its end are 0. The line
 * after calls= has the inclusive cost of the calls. "(12) name" gives the name number 12, "(12)"
 * refers to it; functions, files and objects are numbered separately. A callee is in the current
 * file and object unless cfi=, cfl= or cob= name another one. With --separate-callers and
 * --separate-recs names are "f'caller" and "f'2". jump= and jcnd= lines are not costs.
 *
 * Calls are not stacks: see call-graph.h.
 *
 * valgrind, docs/callgrind-format.xml; callgrind/dump.c.
 */
#include "call-graph.h"
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"

#include <inttypes.h>
#include <stdlib.h>

enum { EVENTS = 64, NUMBERS_MOST = 1 << 24 };

/* In place of a name or a function. */
#define NONE UINT32_MAX

/* In place of the callee of a call: unknown. */
#define LOST (UINT32_MAX - 1)

/* Numbered names: by number, 1 + the id in reader.names; 0: not seen. */
struct numbers {
	uint32_t *ids;
	size_t n;
};

enum table { OBJECTS, FILES, FUNCTIONS, TABLES };

/* A function, as ids in names. */
struct function {
	uint32_t object, file, name;
};

struct known {
	struct function function;
	bool defined;	   /* it has self costs, not just calls */
	uint64_t negative; /* sum of the negative self costs */
	uint32_t first, n; /* its frames, in reader.ids */
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct frame_names stack;
	struct intern names, functions;
	struct intern heads; /* functions' names up to their first quote */
	struct numbers numbers[TABLES];
	struct known *known; /* by function */
	size_t known_cap;
	struct call_graph graph;
	/* NONE in callee stands for the value in here; callee.name is a function's number. */
	struct function here, callee;
	uint32_t function, called; /* called: callee of the next line of costs, or NONE */
	unsigned positions, events, chosen;
	unsigned metrics[EVENTS]; /* by event */
	uint64_t times[EVENTS];	  /* factor to the metric's unit */
	int64_t sums[EVENTS];	  /* self costs of this part */
	bool overflows;		  /* sums overflowed */
	bool native;		  /* names are symbols, not names in a script */
	bool callgrind;		  /* written by valgrind: parts end in totals */
	bool open;		  /* a part has costs and no totals yet */
	bool costs, calls;	  /* whether there are any */
	uint64_t below;		  /* the weight below the threshold */
	double all;		  /* all weight */
	uint64_t lines;		  /* lines not yet added to the input's line number */
	struct buf comm, pid, thread;
	struct collapse_sample sample;
	uint32_t *ids;
	size_t id_n, id_cap;
};

static void
lose(struct reader *r, enum collapse_loss kind)
{
	input_count_lines(r->in, r->lines);
	r->lines = 0;
	collapse_lose(r->c, kind);
}

/* Names. */

/* VALUE: "(12) name", "(12)" or "name"; TABLE has the numbers. Returns the name's id, or NONE for a
 * number not seen. */
static uint32_t
parse_name(struct reader *r, struct numbers *table, struct str value)
{
	uint64_t number;
	struct str rest;

	rest = str_from(value, 1);
	if (!str_starts(value, STR("(")) || !str_to_u64(str_cut(&rest, ')'), &number))
		return intern_id(&r->names, value);
	if (number >= NUMBERS_MOST)
		return NONE;
	if (!rest.n && number < table->n && table->ids[number])
		return table->ids[number] - 1;
	/* Old versions refer to objects and files without a name by numbers that they never
	 * define. */
	if (!rest.n && table == &r->numbers[FUNCTIONS])
		return NONE;
	rest = str_from(rest, 1);
	/* Some writers define a number wherever they use it. */
	if (number < table->n && table->ids[number] &&
		str_eq(intern_str(&r->names, table->ids[number] - 1), rest))
		return table->ids[number] - 1;
	*MEM_AT(table->ids, table->n, number) = intern_id(&r->names, rest) + 1;
	return table->ids[number] - 1;
}

/* Returns the number of the function F, adding it to the graph if it is new. */
static uint32_t
find_function(struct reader *r, const struct function *f)
{
	struct str bytes = { (const char *)f, sizeof *f };
	uint32_t known = r->functions.n, id = intern_id(&r->functions, bytes);

	if (id == known) {
		*MEM_AT(r->known, r->known_cap, id) = (struct known){ .function = *f };
		(void)call_graph_add(&r->graph);
	}
	return id;
}

/* Whether PART of a name is a function's name, or the number of a recursion. */
static bool
is_context(const struct reader *r, struct str part)
{
	uint64_t number;
	uint32_t id;

	return str_to_u64(part, &number) || intern_find(&r->heads, part, &id);
}

/* Collects the functions' names up to their first quote. */
static void
find_heads(struct reader *r)
{
	struct str name;
	uint32_t i;

	for (i = 0; i < r->functions.n; i++)
		if (r->known[i].function.name != NONE) {
			name = intern_str(&r->names, r->known[i].function.name);
			(void)intern_id(&r->heads, str_head(name, str_find(name, '\'')));
		}
}

/* Returns NAME without the suffixes of --separate-callers and --separate-recs. */
static struct str
cut_context(const struct reader *r, struct str name)
{
	size_t mark = str_find(name, '\'');
	struct str rest = str_from(name, mark + 1);

	if (mark == 0 || mark == name.n || !rest.n)
		return name;
	while (rest.n)
		if (!is_context(r, str_cut(&rest, '\'')))
			return name;
	return str_head(name, mark);
}

/* Adds the frames of the function ID to ids. */
static void
name_function(struct reader *r, uint32_t id)
{
	const struct function *f = &r->known[id].function;
	struct str name =
		f->name == NONE ? (struct str){ 0 } : intern_str(&r->names, f->name);
	struct frame_names_symbol s = { .name = cut_context(r, name) };
	uint64_t address;

	if (f->object != NONE)
		s.module = intern_str(&r->names, f->object);
	if (str_starts(s.name, STR("0x")) &&
		str_hex_to_u64(str_from(s.name, 2), &address)) {
		s.address = str_from(s.name, 2);
		s.name.n = 0;
	} else if (str_eq(s.name, STR("???"))) {
		s.name.n = 0;
	}
	r->stack.n = 0;
	if (r->native || !s.name.n)
		frame_names_add(&r->stack, &s);
	else
		frame_names_push(&r->stack, collapse_frame(r->c, s.name, 0));
	r->ids = mem_grow(r->ids, &r->id_cap, r->id_n + r->stack.n, sizeof *r->ids);
	memcpy(r->ids + r->id_n, r->stack.ids, r->stack.n * sizeof *r->ids);
	r->known[id].first = (uint32_t)r->id_n;
	r->known[id].n = (uint32_t)r->stack.n;
	r->id_n += r->stack.n;
}

/* From the graph to the sink. */

static uint32_t
enter(void *context, uint32_t caller, uint32_t function)
{
	const struct reader *r = context;

	return collapse_path(
		r->c, caller, r->ids + r->known[function].first, r->known[function].n);
}

static void
add(void *context, uint32_t stack, uint64_t weight)
{
	struct reader *r = context;
	struct collapse_sample s = r->sample;

	s.period = weight;
	if (weight && collapse_wants(r->c, &s))
		collapse_add(r->c, stack, &s);
}

/* Returns, by name, the only function with self costs and that name; NONE if there are several or
 * none. The caller frees it. */
static uint32_t *
find_only(const struct reader *r)
{
	uint32_t *only = mem_alloc(((size_t)r->names.n + 1) * sizeof *only), i, name;
	bool *seen = mem_zero((size_t)r->names.n + 1, sizeof *seen);

	memset(only, 0xff, (size_t)r->names.n * sizeof *only);
	for (i = 0; i < r->functions.n; i++) {
		name = r->known[i].function.name;
		if (!r->known[i].defined || name == NONE)
			continue;
		only[name] = seen[name] ? NONE : i;
		seen[name] = true;
	}
	free(seen);
	return only;
}

/* Some programs write calls without the callee's file: they go to the only function with that
 * name. */
static void
find_callees(struct reader *r)
{
	uint32_t *only = find_only(r), i, name, to;

	for (i = 0; i < r->graph.pairs.n; i++) {
		to = r->graph.calls[i].to;
		name = r->known[to].function.name;
		if (!r->known[to].defined && name != NONE && only[name] != NONE)
			r->graph.calls[i].to = only[name];
	}
	free(only);
}

/* Subtracts the negative costs from the self weights. A function whose weight becomes negative is
 * counted as lost. */
static void
settle_negative(struct reader *r)
{
	uint32_t i;

	for (i = 0; i < r->graph.n; i++)
		if (r->known[i].negative > r->graph.self[i]) {
			lose(r, COLLAPSE_NEGATIVE);
			r->graph.self[i] = 0;
		} else {
			r->graph.self[i] -= r->known[i].negative;
			r->all += (double)r->graph.self[i];
		}
}

/* Folds the functions read so far, and forgets them. */
static void
fold(struct reader *r)
{
	struct call_graph_sink sink = { .context = r, .enter = enter, .add = add };
	uint32_t id, below = collapse_frame(r->c, STR("[below threshold]"), 0);

	r->sample = (struct collapse_sample){ .has_period = true };
	if (collapse_has_root(r->c, COLLAPSE_PID) ||
		collapse_has_root(r->c, COLLAPSE_TID)) {
		r->sample.comm = buf_view(&r->comm);
		r->sample.pid = buf_view(&r->pid);
		r->sample.tid = buf_view(&r->thread);
	}
	sink.root = collapse_root(r->c, &r->sample);
	sink.rest = collapse_path(r->c, sink.root, &below, 1);
	find_callees(r);
	settle_negative(r);
	find_heads(r);
	r->id_n = 0;
	for (id = 0; id < r->functions.n; id++)
		name_function(r, id);
	r->below += call_graph_fold(&r->graph, &sink);
	call_graph_release(&r->graph);
	intern_release(&r->functions);
	r->functions = (struct intern){ 0 };
	r->function = r->called = NONE;
	r->callee = (struct function){ NONE, NONE, NONE };
}

/* Costs. */

/* Skips the word at *AT and the blanks after it. */
static void
skip_word(const char **at, const char *end)
{
	while (*at < end && !str_is_blank(**at))
		++*at;
	while (*at < end && str_is_blank(**at))
		++*at;
}

/* Parses the integer at *AT, which may be negative, and skips the blanks after it. Returns false if
 * it is invalid or too large. */
static bool
parse_cost(const char **at, const char *end, bool *negative, uint64_t *value)
{
	const char *first;
	uint64_t v = 0;

	*negative = *at < end && **at == '-';
	*at += *negative;
	first = *at;
	for (; *at < end && str_is_digit(**at); ++*at) {
		if (v > (UINT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (uint64_t)(**at - '0');
	}
	*value = v;
	if (*at == first || (*at < end && !str_is_blank(**at)))
		return false;
	while (*at < end && str_is_blank(**at))
		++*at;
	return true;
}

/* Adds the sum of EVENT to the metric's total, and clears it. */
static void
end_sum(struct reader *r, unsigned event)
{
	int64_t *sum = &r->sums[event], times = (int64_t)r->times[event];

	/* Overflows are reported with the weights, or with the metric's total. */
	if (*sum > INT64_MAX / times)
		*sum = INT64_MAX / times;
	if (*sum < INT64_MIN / times)
		*sum = INT64_MIN / times;
	collapse_count_cost(r->c, r->metrics[event], *sum * times);
	*sum = 0;
}

/* Adds VALUE of EVENT to the sums of this part. */
static void
sum_up(struct reader *r, unsigned event, bool negative, uint64_t value)
{
	int64_t *sum = &r->sums[event];
	int64_t v = value > INT64_MAX ? INT64_MAX : (int64_t)value;

	if (value > INT64_MAX ||
		(negative ? *sum < INT64_MIN + v : *sum > INT64_MAX - v)) {
		r->overflows = true;
		end_sum(r, event);
	}
	*sum += negative ? -v : v;
}

/* Adds VALUE of the chosen event to the current function, or to its call. */
static void
add_cost(struct reader *r, bool negative, uint64_t value)
{
	uint64_t *to =
		negative ? &r->known[r->function].negative : &r->graph.self[r->function];

	if (value > UINT64_MAX / r->times[r->chosen]) {
		lose(r, COLLAPSE_OVERFLOW);
		return;
	}
	value *= r->times[r->chosen];
	if (r->called == LOST)
		return;
	if (r->called != NONE) {
		r->calls = true;
		if (!negative)
			call_graph_call(&r->graph, r->function, r->called, value);
	} else if (value > UINT64_MAX - *to) {
		lose(r, COLLAPSE_OVERFLOW);
	} else {
		*to += value;
	}
}

/* Parses positions and costs at AT. Returns false if they are malformed. */
static bool
parse_costs(struct reader *r, const char *at, const char *end)
{
	bool negative, good = r->function != NONE;
	unsigned i;
	uint64_t value;

	for (i = 0; i < r->positions; i++)
		skip_word(&at, end);
	for (i = 0; i < r->events && at < end && good; i++) {
		good = parse_cost(&at, end, &negative, &value);
		if (!good)
			break;
		if (r->called == NONE)
			sum_up(r, i, negative, value);
		if (i == r->chosen)
			add_cost(r, negative, value);
	}
	if (r->called == NONE && good)
		r->known[r->function].defined = r->open = r->costs = true;
	r->called = NONE;
	return good && at == end;
}

/* Lines with a key. */

/* Units in the names of events. */
static const struct unit {
	const char *name, *of;
	uint64_t times;
} units[] = {
	{ "ns", "ns", 1 },
	{ "10ns", "ns", 10 },
	{ "100ns", "ns", 100 },
	{ "us", "ns", 1000 },
	{ "\xc2\xb5s", "ns", 1000 },
	{ "ms", "ns", 1000000 },
	{ "s", "ns", 1000000000 },
	{ "bytes", "bytes", 1 },
};

/* Units of events whose names do not state one. */
static const struct event {
	const char *name, *of;
	uint64_t times;
} known_events[] = {
	{ "Ir", "instructions", 1 },
	{ "Dr", "reads", 1 },
	{ "Dw", "writes", 1 },
	{ "Bc", "branches", 1 },
	{ "Bi", "branches", 1 },
	{ "Nanoseconds", "ns", 1 },
	{ "Microseconds", "ns", 1000 },
	{ "Milliseconds", "ns", 1000000 },
	/* Xdebug 2 */
	{ "Time", "ns", 1000 },
	{ "Memory", "bytes", 1 },
};

/* Adds the metric of the event NAME, "Ir" or "Time_(10ns)", and sets *TIMES to the factor to its
 * unit. */
static unsigned
add_event(struct reader *r, struct str name, uint64_t *times)
{
	struct str unit = name, inside = str_from(name, str_search(name, STR("_(")) + 2);
	size_t i;

	*times = 1;
	for (i = 0; i < sizeof known_events / sizeof *known_events; i++)
		if (str_eq(name, str_of(known_events[i].name))) {
			unit = str_of(known_events[i].of);
			*times = known_events[i].times;
		}
	inside = str_cut(&inside, ')');
	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (str_eq(inside, str_of(units[i].name))) {
			unit = str_of(units[i].of);
			*times = units[i].times;
			name = str_head(name, str_search(name, STR("_(")));
		}
	return collapse_metric(r->c, name, unit);
}

/* NAMES: of events. Returns false, after a message, if --cost names another one. */
static bool
parse_events(struct reader *r, struct str names)
{
	struct str name;

	r->events = 0;
	while (r->events < EVENTS && (name = str_word(&names)).n) {
		r->metrics[r->events] = add_event(r, name, &r->times[r->events]);
		r->events++;
	}
	if (!r->events) {
		lose(r, COLLAPSE_MALFORMED);
		return true;
	}
	return collapse_choose_among(
		r->c, r->metrics, r->events, r->metrics[0], &r->chosen);
}

/* Adds the sums to the metrics' totals, and clears them. */
static void
end_part(struct reader *r)
{
	unsigned i;

	for (i = 0; i < r->events; i++)
		end_sum(r, i);
	r->open = r->overflows = false;
}

/* Compares the sums with the file's TOTALS, and ends the part. */
static void
check_totals(struct reader *r, struct str totals)
{
	struct str word, said = totals;
	uint64_t value;
	unsigned i;

	for (i = 0; i < r->events && !r->overflows; i++) {
		word = str_word(&totals);
		if (word.n &&
			(!str_to_u64(word, &value) || value > INT64_MAX ||
				(int64_t)value != r->sums[i])) {
			input_count_lines(r->in, r->lines);
			r->lines = 0;
			collapse_lose_quietly(r->c, COLLAPSE_DAMAGED, 1);
			msg_warn_at(input_name(r->in), input_line_number(r->in),
				"the totals are %.*s, but the lines before add up to %" PRId64
				" for event %u",
				STR_ARG(str_trim(said)), r->sums[i], i + 1);
			break;
		}
	}
	end_part(r);
}

/* Sets TEXT, a PID or a thread, to VALUE. If that changes, folds the functions read so far. */
static void
set_owner(struct reader *r, struct buf *text, struct str value)
{
	value = str_trim(value);
	if (r->costs && !str_eq(buf_view(text), value))
		fold(r);
	buf_clear(text);
	buf_str(text, value);
}

/* Returns false, after a message, if --cost names an event that is not there. */
static bool
parse_header(struct reader *r, struct str key, struct str value)
{
	struct str rest = value;

	if (str_eq(key, STR("events")))
		return parse_events(r, value);
	if (str_eq(key, STR("positions"))) {
		for (r->positions = 0; str_word(&rest).n; r->positions++)
			;
	} else if (str_eq(key, STR("totals"))) {
		check_totals(r, value);
	} else if (str_eq(key, STR("pid"))) {
		set_owner(r, &r->pid, value);
	} else if (str_eq(key, STR("thread"))) {
		set_owner(r, &r->thread, value);
	} else if (str_eq(key, STR("cmd"))) {
		collapse_info(r->c, "command", str_trim(value));
		buf_clear(&r->comm);
		buf_str(&r->comm, str_base(str_word(&rest)));
	} else if (str_eq(key, STR("creator"))) {
		r->callgrind = r->native = str_starts(str_trim(value), STR("callgrind"));
	}
	return true;
}

/* Meaning of the name in a line "key=value". */
enum action {
	SKIP,
	HERE_OBJECT,
	HERE_FILE,
	HERE,
	CALLEE_OBJECT,
	CALLEE_FILE,
	CALLEE,
	CALLS,
	JUMP
};

static const struct key {
	const char *name;
	enum action action;
	enum table table;
} keys[] = {
	{ "fn", HERE, FUNCTIONS },
	{ "fl", HERE_FILE, FILES },
	{ "fi", HERE_FILE, FILES },
	{ "fe", HERE_FILE, FILES },
	{ "ob", HERE_OBJECT, OBJECTS },
	{ "cfn", CALLEE, FUNCTIONS },
	{ "cfi", CALLEE_FILE, FILES },
	{ "cfl", CALLEE_FILE, FILES },
	{ "cob", CALLEE_OBJECT, OBJECTS },
	{ "calls", CALLS, FUNCTIONS },
	{ "jump", SKIP, FUNCTIONS },
	{ "jcnd", SKIP, FUNCTIONS },
	/* Targets of jumps may define numbers. */
	{ "jfn", JUMP, FUNCTIONS },
	{ "jfi", JUMP, FILES },
	{ "job", JUMP, OBJECTS },
};

/* Returns the function called NAME with the callee's file and object, or the current ones if not
 * stated. */
static uint32_t
find_callee(struct reader *r, uint32_t name)
{
	struct function f = r->callee;

	f.name = name;
	if (f.object == NONE)
		f.object = r->here.object;
	if (f.file == NONE)
		f.file = r->here.file;
	return name == NONE ? LOST : find_function(r, &f);
}

/* The next line has the cost of a call. Returns false if its callee is unknown. */
static bool
begin_call(struct reader *r)
{
	r->called = r->callee.name == NONE ? LOST : r->callee.name;
	r->callee = (struct function){ NONE, NONE, NONE };
	return r->called != LOST;
}

/* Returns false if the value is malformed. */
static bool
parse_value(struct reader *r, const struct key *key, struct str value)
{
	uint32_t name = NONE;

	if (key->action == CALLS)
		return begin_call(r);
	if (key->action != SKIP)
		name = parse_name(r, &r->numbers[key->table], value);
	switch (key->action) {
	case HERE:
		r->here.name = name;
		r->function = name == NONE ? NONE : find_function(r, &r->here);
		break;
	case HERE_FILE: r->here.file = name; break;
	case HERE_OBJECT: r->here.object = name; break;
	case CALLEE: r->callee.name = find_callee(r, name); break;
	case CALLEE_FILE: r->callee.file = name; break;
	case CALLEE_OBJECT: r->callee.object = name; break;
	default: return true;
	}
	return name != NONE;
}

static const struct key *
find_key(struct str name)
{
	size_t i;

	for (i = 0; i < sizeof keys / sizeof *keys; i++)
		if (str_eq(name, str_of(keys[i].name)))
			return &keys[i];
	return NULL;
}

/* Returns false, after a message, if --cost names an event that is not there. */
static bool
parse_line(struct reader *r, struct str line)
{
	const struct key *key;
	size_t mark = 0;

	line = str_head(line, line.n - str_ends(line, STR("\r")));
	while (line.n && str_is_blank(*line.s))
		line = str_from(line, 1);
	if (!line.n || *line.s == '#')
		return true;
	if (str_is_digit(*line.s) || *line.s == '+' || *line.s == '*' || *line.s == '-') {
		if (!parse_costs(r, line.s, line.s + line.n))
			lose(r, COLLAPSE_MALFORMED);
		return true;
	}
	while (mark < line.n && line.s[mark] != '=' && line.s[mark] != ':')
		mark++;
	if (mark < line.n && line.s[mark] == ':')
		return parse_header(r, str_head(line, mark), str_from(line, mark + 1));
	key = find_key(str_head(line, mark));
	if (!key || mark == line.n || !parse_value(r, key, str_from(line, mark + 1)))
		lose(r, COLLAPSE_MALFORMED);
	return true;
}

/* BLOCK: complete lines. */
static bool
parse_block(struct reader *r, struct str block)
{
	bool good = true;

	while (block.n && good) {
		r->lines++;
		good = parse_line(r, str_cut(&block, '\n'));
	}
	input_count_lines(r->in, r->lines);
	r->lines = 0;
	return good;
}

/* Lines are short, so a window holds many. */
static bool
read_all(struct reader *r)
{
	struct str window, line;
	bool good = true;
	size_t end;

	while (good && (window = input_window(r->in, 1)).n) {
		end = str_rfind(window, '\n');
		if (end < window.n) {
			good = parse_block(r, str_head(window, end + 1));
			input_skip(r->in, end + 1);
		} else if (input_line(r->in, &line)) {
			good = parse_line(r, line);
		} else {
			break;
		}
	}
	return good;
}

/* Warns that stacks are estimated, and how much weight lacks its callers. */
static void
warn_estimated(const struct reader *r)
{
	double percent = r->all > 0 ? 100 * (double)r->below / r->all : 0;

	if (!r->calls) {
		msg_warn("%s: has no calls: each stack is one function",
			input_name(r->in));
		return;
	}
	collapse_info(r->c, "estimated", STR("stacks"));
	msg_warn("%s: has calls, not stacks; stacks are estimated from the "
		 "costs of calls",
		input_name(r->in));
	if (percent >= 0.1)
		msg_warn("%s: %.1f %% of the weight has too many callers to tell "
			 "apart; it is under \"[below threshold]\"",
			input_name(r->in), percent);
}

static void
release(struct reader *r)
{
	size_t i;

	frame_names_release(&r->stack);
	intern_release(&r->names);
	intern_release(&r->heads);
	intern_release(&r->functions);
	for (i = 0; i < TABLES; i++)
		free(r->numbers[i].ids);
	free(r->known);
	call_graph_release(&r->graph);
	buf_release(&r->comm);
	buf_release(&r->pid);
	buf_release(&r->thread);
	free(r->ids);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct function nothing = { NONE, NONE, NONE };
	struct reader r = { .in = in,
		.c = c,
		.stack.c = c,
		.here = nothing,
		.callee = nothing,
		.function = NONE,
		.called = NONE,
		.native = true,
		.positions = 1 };
	uint64_t before = collapse_samples(c);
	bool good, cut;

	collapse_threadless(c);
	collapse_exact(c);
	good = read_all(&r);
	cut = r.callgrind && r.open;
	if (good && r.costs) {
		end_part(&r);
		fold(&r);
		warn_estimated(&r);
	}
	if (good && cut)
		good = collapse_damage(c, before, true);
	release(&r);
	return good;
}

static int
probe(struct str head)
{
	bool events = false, functions = false, positions = false;
	struct str line;

	if (str_starts(head, STR("# callgrind format")))
		return 100;
	while (head.n && !(events && (functions || positions))) {
		line = str_cut(&head, '\n');
		events |= str_starts(line, STR("events:"));
		positions |= str_starts(line, STR("positions:"));
		functions |= str_starts(line, STR("fn=")) || str_starts(line, STR("fl="));
	}
	return events && (functions || positions) ? 90 : 0;
}

const struct collapse_format collapse_callgrind = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "# callgrind format"), SIGN(ANYWHERE, "events:")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_ADDRS | COLLAPSE_USES_FULL_NAMES |
		COLLAPSE_USES_COST,
};
