/* SPDX-License-Identifier: ISC */
/*
 * Java Flight Recorder files, read directly: of a JDK from 9 on (jcmd JFR.start,
 * -XX:StartFlightRecording), of async-profiler (-o jfr) and of what embeds it.
 *
 *	46 4c 52 00 00 02 00 01		"FLR\0", version 2.1
 *
 * A file is a row of chunks (jfr-chunk.h), each of which has its own constants. An event
 * has a time, a thread, a stack and what it is weighed by (jfr-costs.h). A stack has
 * its innermost frame first:
 *
 *	StackTrace	truncated, frames: method, lineNumber, type
 *	Method		type (a class), name, descriptor
 *
 * A recording is read chunk by chunk, and what is kept of one are the stacks of the sink.
 */
#include "collapse.h"
#include "formats.h"
#include "frame-names.h"
#include "jfr-chunk.h"
#include "jfr-costs.h"
#include "mem.h"
#include "msg.h"

#include <inttypes.h>
#include <stdlib.h>

/* What the constants of FrameType say; UNKNOWN ones are as Java's are. */
enum code { UNKNOWN, INTERPRETED, COMPILED, INLINED, NATIVE, CPP, KERNEL };

/* Fields of an event beyond these are not looked at. */
enum { MOST_FIELDS = 64, MOST_COSTS = 2, MOST_WEIGHTS = 2, HOT = 4096 };

/* What is wanted of the events of one type: places of fields, or JFR_NONE. */
struct plan {
	bool looked;
	bool sure;    /* they are recorded for their stacks; of others some have one */
	bool samples; /* of the processor, or of the clock by their state */
	unsigned cost_n;
	struct jfr_cost costs[MOST_COSTS];
	uint32_t weights[MOST_COSTS][MOST_WEIGHTS];
	bool weighed[MOST_COSTS]; /* a field says the weight */
	uint32_t time, thread, stack, of_class, state, duration;
	uint32_t end; /* after the last of them */
};

/* A stack of the sink that was found for an event of this chunk. */
struct hot {
	uint64_t stack, thread, of_class;
	uint32_t node;
	bool known, truncated;
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct jfr_costs costs;
	struct jfr_cost wall;	  /* without a name: there is none yet */
	struct frame_names stack; /* under way */
	struct buf pid, tid, name;
	struct hot *hot;
	unsigned restarts;
	uint64_t damaged; /* events */

	/* Of one chunk. */
	struct jfr_chunk k;
	struct plan *plans;  /* by type */
	struct idmap frames; /* of a method, how it ran and a line: to a name and 1 */
	struct idmap roots;  /* of a thread: to a node and 1 */
	struct idmap nodes;  /* of a stack and a root: see find_node */
	bool native_is_c;    /* native frames are no methods of Java */
	bool by_state;	     /* samples of the processor have a state of their own */
	bool wall_only;	     /* all samples are of the clock */
	bool both_allocs;    /* TLABs and samples of allocations were recorded */
	uint32_t frame_type; /* of the frames of a stack; and places of fields */
	uint32_t truncated_at, frames_at, method_at, code_at, line_at;
};

/* A frame. */

static enum code
code_of(struct reader *r, uint64_t key)
{
	static const struct {
		const char *name;
		enum code code;
	} codes[] = { { "Interpreted", INTERPRETED }, { "JIT compiled", COMPILED },
		{ "C1 compiled", COMPILED }, { "Inlined", INLINED }, { "Native", NATIVE },
		{ "C++", CPP }, { "Kernel", KERNEL } };
	struct jfr_constant *c = jfr_chunk_constant(&r->k, JFR_FRAME_TYPES, key);
	struct str name;
	size_t i;

	if (!c)
		return UNKNOWN;
	if (!c->memo) {
		name = jfr_chunk_text(&r->k, JFR_FRAME_TYPES, key, "description");
		c->memo = UNKNOWN + 1;
		for (i = 0; i < sizeof codes / sizeof *codes; i++)
			if (str_eq(name, str_of(codes[i].name)))
				c->memo = codes[i].code + 1;
	}
	return (enum code)(c->memo - 1);
}

/* Adds the name of the type that a descriptor begins with, "[Ljava/lang/String;", as
 * Java writes it, and cuts it off *REST. False when it is none. */
static bool
put_type(struct buf *b, struct str *rest)
{
	static const char letters[] = "BCDFIJSZV";
	static const char *const names[] = { "byte", "char", "double", "float", "int",
		"long", "short", "boolean", "void" };
	struct str name;
	const char *letter;
	size_t deep = 0, i;

	for (; rest->n && *rest->s == '['; *rest = str_from(*rest, 1))
		deep++;
	if (!rest->n)
		return false;
	letter = memchr(letters, *rest->s, sizeof letters - 1);
	if (letter) {
		buf_str(b, str_of(names[letter - letters]));
		*rest = str_from(*rest, 1);
	} else {
		name = str_cut(rest, ';');
		if (name.s[0] != 'L')
			return false;
		for (i = 1; i < name.n; i++)
			buf_char(b, name.s[i] == '/' ? '.' : name.s[i]);
	}
	while (deep--)
		buf_str(b, STR("[]"));
	return true;
}

/* Adds "(long, String[])" of the descriptor "(J[Ljava/lang/String;)V". */
static void
put_arguments(struct buf *b, struct str descriptor)
{
	size_t was = b->n;
	bool more = false;

	if (!str_starts(descriptor, STR("(")))
		return;
	buf_char(b, '(');
	descriptor = str_from(descriptor, 1);
	for (; descriptor.n && *descriptor.s != ')'; more = true) {
		if (more)
			buf_str(b, STR(", "));
		if (!put_type(b, &descriptor)) {
			b->n = was;
			return;
		}
	}
	buf_char(b, ')');
}

/* What is called "byte[]" or "java.lang.String", by its symbol: "[B", "java/lang/String". */
static void
put_class(struct buf *b, struct str symbol)
{
	size_t was = b->n, i;

	if (str_starts(symbol, STR("["))) {
		if (put_type(b, &symbol) && !symbol.n)
			return;
		b->n = was;
	}
	for (i = 0; i < symbol.n; i++)
		buf_char(b, symbol.s[i] == '/' ? '.' : symbol.s[i]);
}

static unsigned
kind_of(const struct reader *r, enum code code)
{
	switch (code) {
	case KERNEL: return COLLAPSE_KERNEL;
	case COMPILED: return COLLAPSE_JIT;
	/* Whether a method was inlined differs from sample to sample. */
	case INLINED:
		return collapse_options(r->c)->inlined ? COLLAPSE_INLINED : COLLAPSE_JIT;
	default: return 0;
	}
}

/* The keys that a method consists of. */
struct method {
	uint64_t of_class, name, descriptor;
};

static struct method
take_method(struct reader *r, uint64_t key)
{
	struct jfr_constant *c = jfr_chunk_constant(&r->k, JFR_METHODS, key);
	const struct jfr_field *f, *end;
	struct method m = { 0 };
	struct bytes b;
	uint64_t v;

	if (!c)
		return m;
	b = jfr_chunk_value(&r->k, c);
	f = r->k.fields + r->k.types[r->k.of[JFR_METHODS]].first;
	for (end = f + r->k.types[r->k.of[JFR_METHODS]].n; f < end; f++) {
		v = jfr_chunk_number(&r->k, &b, f);
		if (str_eq(f->name, STR("type")))
			m.of_class = v;
		else if (str_eq(f->name, STR("name")))
			m.name = v;
		else if (str_eq(f->name, STR("descriptor")))
			m.descriptor = v;
	}
	return m;
}

/* Adds the frame of a function of C, C++ or the kernel. */
static void
push_native(struct reader *r, struct str name, struct str library, enum code code)
{
	struct frame_names_symbol s = { .name = name, .module = library };

	if (code == KERNEL)
		s.module = STR("[kernel.kallsyms]");
	frame_names_add(&r->stack, &s);
}

/* Adds the frame of the method KEY, which ran as CODE at LINE, 0: not known. */
static void
push_new(struct reader *r, uint64_t key, enum code code, uint64_t line)
{
	struct method m = take_method(r, key);
	struct str of_class = jfr_chunk_text(&r->k, JFR_CLASSES, m.of_class, "name");
	struct str name = jfr_chunk_text(&r->k, JFR_SYMBOLS, m.name, "string");

	if (code == CPP || code == KERNEL || (code == NATIVE && r->native_is_c)) {
		push_native(r, name, of_class, code);
		return;
	}
	buf_clear(&r->name);
	buf_str(&r->name, of_class);
	if (of_class.n && name.n)
		buf_char(&r->name, '.');
	buf_str(&r->name, name);
	if (!r->name.n)
		buf_str(&r->name, STR("[unknown]"));
	if (collapse_options(r->c)->full_names)
		put_arguments(&r->name,
			jfr_chunk_text(&r->k, JFR_SYMBOLS, m.descriptor, "string"));
	if (line)
		buf_fmt(&r->name, ":%" PRIu64, line);
	frame_names_push(
		&r->stack, collapse_frame(r->c, buf_view(&r->name), kind_of(r, code)));
}

/* Adds the frame of the method METHOD. */
static void
push_frame(struct reader *r, uint64_t method, enum code code, uint64_t line)
{
	enum { CODE_BITS = 3, LINE_MOST = 1 << 28 };
	uint64_t *known;
	size_t was = r->stack.n;

	if (!collapse_options(r->c)->srcline || line > LINE_MOST)
		line = 0;
	known = idmap_put(&r->frames, method, (uint32_t)line << CODE_BITS | code);
	if (*known) {
		frame_names_push(&r->stack, (uint32_t)*known - 1);
		return;
	}
	push_new(r, method, code, line);
	/* Arrows in the name of a native function make several of one. */
	if (r->stack.n == was + 1)
		*known = (uint64_t)r->stack.ids[was] + 1;
}

/* A stack. */

/* Takes a frame. */
static void
take_frame(struct reader *r, struct bytes *b)
{
	const struct jfr_type *t = &r->k.types[r->frame_type];
	uint64_t method = 0, code = 0, line = 0, v;
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		v = jfr_chunk_number(&r->k, b, &r->k.fields[t->first + i]);
		if (i == r->method_at)
			method = v;
		else if (i == r->line_at)
			line = v;
		else if (i == r->code_at)
			code = v;
	}
	if (!b->bad)
		push_frame(r, method, code_of(r, code), line);
}

/* Puts the frames of the stack KEY into r->stack, behind what is there. False when there is
 * none. */
static bool
take_stack(struct reader *r, uint64_t key, bool *truncated)
{
	struct jfr_constant *c = jfr_chunk_constant(&r->k, JFR_STACKS, key);
	uint32_t type = r->k.of[JFR_STACKS];
	const struct jfr_field *fields = r->k.fields;
	struct bytes b;
	uint64_t n;

	if (!c || r->frames_at == JFR_NONE)
		return false;
	fields += r->k.types[type].first;
	if (r->truncated_at != JFR_NONE) {
		b = jfr_chunk_value(&r->k, c);
		jfr_chunk_seek(&r->k, &b, type, r->truncated_at);
		*truncated = jfr_chunk_number(&r->k, &b, fields + r->truncated_at) != 0;
	}
	b = jfr_chunk_value(&r->k, c);
	jfr_chunk_seek(&r->k, &b, type, r->frames_at);
	for (n = jfr_chunk_int(&b); n && !b.bad; n--)
		take_frame(r, &b);
	return !b.bad;
}

/* The name of the thread KEY, and its number in r->tid. */
static struct str
take_thread(struct reader *r, uint64_t key)
{
	struct jfr_constant *c = jfr_chunk_constant(&r->k, JFR_THREADS, key);
	struct str name = jfr_chunk_text(&r->k, JFR_THREADS, key, "javaName");
	const struct jfr_field *f, *end;
	uint64_t number = 0, other = 0, v;
	struct bytes b;

	buf_clear(&r->tid);
	if (!c)
		return name;
	if (!name.n)
		name = jfr_chunk_text(&r->k, JFR_THREADS, key, "osName");
	b = jfr_chunk_value(&r->k, c);
	f = r->k.fields + r->k.types[r->k.of[JFR_THREADS]].first;
	for (end = f + r->k.types[r->k.of[JFR_THREADS]].n; f < end; f++) {
		v = jfr_chunk_number(&r->k, &b, f);
		if (str_eq(f->name, STR("osThreadId")))
			number = v;
		else if (str_eq(f->name, STR("javaThreadId")))
			other = v;
	}
	/* A virtual thread is none of the system. */
	if (number || other)
		buf_u64(&r->tid, number ? number : other);
	return name;
}

/* The node of the frames above the stacks of the thread KEY. */
static uint32_t
find_root(struct reader *r, uint64_t key, struct collapse_sample *s)
{
	uint64_t *known = idmap_put(&r->roots, key, 0);

	if (!*known) {
		s->comm = take_thread(r, key);
		s->pid = buf_view(&r->pid);
		s->tid = buf_view(&r->tid);
		*known = (uint64_t)collapse_root(r->c, s) + 1;
	}
	return (uint32_t)*known - 1;
}

/* The node of the stack KEY below ROOT. */
static uint32_t
find_node(struct reader *r, uint64_t key, uint32_t root, bool *truncated)
{
	uint64_t *known = idmap_put(&r->nodes, key, root);
	uint32_t node = COLLAPSE_NOWHERE;

	if (!*known) {
		*truncated = false;
		r->stack.n = 0;
		if (take_stack(r, key, truncated)) {
			if (*truncated && r->stack.n)
				root = collapse_mark_end(r->c, root, COLLAPSE_DEEP);
			node = collapse_path(r->c, root, r->stack.ids, r->stack.n);
		}
		*known = ((uint64_t)node + 1) << 1 | *truncated;
	}
	*truncated = *known & 1;
	return (uint32_t)((*known >> 1) - 1);
}

/* The node of the class KEY, which something was done with, below NODE. */
static uint32_t
find_leaf(struct reader *r, uint64_t key, uint32_t node)
{
	uint32_t id;

	buf_clear(&r->name);
	put_class(&r->name, jfr_chunk_text(&r->k, JFR_CLASSES, key, "name"));
	if (!r->name.n)
		return node;
	id = collapse_frame(r->c, buf_view(&r->name), 0);
	return collapse_path(r->c, node, &id, 1);
}

/* The node for the keys of H. What the virtual machine allocates itself has a class and no
 * stack. */
static uint32_t
find_place(struct reader *r, struct hot *h, struct collapse_sample *s)
{
	uint32_t root = find_root(r, h->thread, s), node = root;

	if (h->stack)
		node = find_node(r, h->stack, root, &h->truncated);
	if (h->of_class && node != COLLAPSE_NOWHERE)
		node = find_leaf(r, h->of_class, node);
	return node == root ? TREE_ROOT : node;
}

/* What is known of the keys of WANT. */
static const struct hot *
find_hot(struct reader *r, const struct hot *want, struct collapse_sample *s)
{
	uint64_t key = want->stack * 0x9e3779b97f4a7c15 ^
		(want->thread + want->of_class * 31) * 0xbf58476d1ce4e5b9;
	struct hot *h = &r->hot[(key ^ key >> 32) % HOT];

	if (h->known && h->stack == want->stack && h->thread == want->thread &&
		h->of_class == want->of_class)
		return h;
	*h = *want;
	h->node = find_place(r, h, s);
	h->known = true;
	return h;
}

/* Forgets all nodes. */
static void
forget_nodes(struct reader *r)
{
	memset(r->hot, 0, HOT * sizeof *r->hot);
	idmap_release(&r->roots);
	idmap_release(&r->nodes);
	r->restarts = collapse_restarts(r->c);
}

/* An event. */

/* TICKS, of which PER are a second, as ns; what does not fit is the most. */
static uint64_t
scale(uint64_t ticks, uint64_t per)
{
	enum { NS = 1000000000 };
	uint64_t seconds = ticks / per, rest = ticks % per;

	/* A clock of 18 GHz is none. */
	for (; per > UINT64_MAX / NS; per >>= 1)
		rest >>= 1;
	if (seconds > INT64_MAX / NS - 1)
		return INT64_MAX;
	return seconds * NS + rest * NS / per;
}

/* The moment TICKS of the chunk's clock. */
static uint64_t
find_time(const struct reader *r, uint64_t ticks)
{
	const struct jfr_header *h = &r->k.header;
	uint64_t since = ticks - h->start_ticks, per = h->ticks_per_second, ns;

	/* What began before the recording is there from its beginning. */
	if ((int64_t)since < 0)
		return h->start;
	ns = scale(since, per);
	return ns > UINT64_MAX - h->start ? UINT64_MAX : h->start + ns;
}

/* V units of the field F as ns; what does not fit is the most. */
static uint64_t
to_ns(const struct reader *r, const struct jfr_field *f, uint64_t v)
{
	static const uint32_t ns[] = { [JFR_NS] = 1,
		[JFR_US] = 1000,
		[JFR_MS] = 1000000,
		[JFR_SECONDS] = 1000000000 };

	if (f->span == JFR_TICKS)
		return scale(v, r->k.header.ticks_per_second);
	return v > INT64_MAX / ns[f->span] ? INT64_MAX : v * ns[f->span];
}

/* The weight of an event with the fields V of TYPE, as the cost number I; above INT64_MAX
 * when it is below 0. */
static uint64_t
find_weight(const struct reader *r, uint32_t type, unsigned i, const uint64_t *v)
{
	const struct plan *p = &r->plans[type];
	uint64_t weight = 0;
	uint32_t place = JFR_NONE;
	int w;

	if (!p->weighed[i])
		return 1;
	for (w = 0; w < MOST_WEIGHTS && !weight; w++)
		if (p->weights[i][w] != JFR_NONE) {
			place = p->weights[i][w];
			weight = v[place];
		}
	if (!p->costs[i].lasts || weight > INT64_MAX)
		return weight;
	return to_ns(r, &r->k.fields[r->k.types[type].first + place], weight);
}

/* The cost number I of an event with the fields V of the plan P. Samples of async-profiler
 * before 4.0 have a state where they are of the clock. */
static struct jfr_cost *
find_cost(struct reader *r, struct plan *p, unsigned i, const uint64_t *v)
{
	struct str state;

	bool wall = r->wall_only;

	if (!p->samples || !r->native_is_c)
		return &p->costs[i];
	if (r->by_state && p->state != JFR_NONE) {
		state = jfr_chunk_text(&r->k, JFR_STATES, v[p->state], "name");
		wall = !str_eq(state, STR("STATE_DEFAULT"));
	}
	if (wall && !r->wall.name.n)
		r->wall = jfr_costs_of(jfr_costs_rule(STR("profiler.WallClockSample"), 0),
			(struct str){ 0 });
	return wall ? &r->wall : &p->costs[i];
}

static uint64_t
field_of(const uint64_t *v, uint32_t place)
{
	return place == JFR_NONE ? 0 : v[place];
}

/* Folds an event with the fields V of TYPE as what it costs. */
static void
take_cost(struct reader *r, uint32_t type, unsigned i, const uint64_t *v)
{
	struct plan *p = &r->plans[type];
	struct collapse_sample s = { .has_time = p->time != JFR_NONE };
	struct hot want = { .stack = field_of(v, p->stack),
		.thread = field_of(v, p->thread),
		.of_class = field_of(v, p->of_class) };
	struct jfr_cost *cost = find_cost(r, p, i, v);
	uint64_t weight = find_weight(r, type, i, v);
	const struct hot *h;

	bool negative = weight > INT64_MAX;

	s.time = s.has_time ? find_time(r, v[p->time]) : 0;
	if (!jfr_costs_wants(&r->costs, cost, negative ? 0 : weight, &s))
		return;
	if (negative) {
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
		return;
	}
	if (collapse_restarts(r->c) != r->restarts)
		forget_nodes(r);
	h = find_hot(r, &want, &s);
	s.end = h->truncated ? COLLAPSE_DEEP : COLLAPSE_UNJUDGED;
	collapse_add(r->c, h->node, &s);
}

/* The place of the field NAME in TYPE, when events of it are read so far. */
static uint32_t
place_of(struct reader *r, uint32_t type, struct plan *p, const char *name)
{
	uint32_t place = name ? jfr_chunk_field(&r->k, type, name) : JFR_NONE;

	if (place == JFR_NONE || place >= MOST_FIELDS)
		return JFR_NONE;
	if (place >= p->end)
		p->end = place + 1;
	return place;
}

/* Adds what RULE says to the plan P of TYPE. */
static void
add_cost(struct reader *r, uint32_t type, struct plan *p, const struct jfr_rule *rule)
{
	unsigned i = p->cost_n++;
	int w;

	p->costs[i] = jfr_costs_of(rule, r->k.types[type].name);
	for (w = 0; w < MOST_WEIGHTS; w++) {
		p->weights[i][w] = place_of(r, type, p, rule->weights[w]);
		p->weighed[i] |= p->weights[i][w] != JFR_NONE;
	}
	if (rule->of_class)
		p->of_class = place_of(r, type, p, rule->of_class);
}

/* The rule for events that are a second record of what others say, or are of async-profiler. */
static const struct jfr_rule *
choose_rule(const struct reader *r, struct str event, const struct jfr_rule *rule)
{
	if (rule->cost && str_eq(str_of(rule->cost), STR("alloc")) && r->both_allocs &&
		!str_eq(event, STR("jdk.ObjectAllocationSample")))
		return jfr_costs_tlab();
	/* Of all parking it records what waits for a lock. */
	if (r->native_is_c && str_eq(event, STR("jdk.ThreadPark")))
		return jfr_costs_lock();
	return rule;
}

/* Finds out what is wanted of events of TYPE. */
static void
look(struct reader *r, uint32_t type)
{
	struct plan *p = &r->plans[type];
	struct str event = r->k.types[type].name;
	const struct jfr_rule *rule;

	p->looked = true;
	p->of_class = JFR_NONE;
	p->stack = place_of(r, type, p, "stackTrace");
	if (p->stack == JFR_NONE)
		return;
	p->time = place_of(r, type, p, "startTime");
	p->duration = place_of(r, type, p, "duration");
	p->thread = place_of(r, type, p, "sampledThread");
	if (p->thread == JFR_NONE)
		p->thread = place_of(r, type, p, "eventThread");
	p->state = place_of(r, type, p, "state");
	p->samples = str_eq(event, STR("jdk.ExecutionSample"));
	while (p->cost_n < MOST_COSTS && (rule = jfr_costs_rule(event, p->cost_n)))
		add_cost(r, type, p, choose_rule(r, event, rule));
	p->sure = p->cost_n > 0;
}

/* Takes the event at B of TYPE. */
static void
take_event(struct reader *r, struct bytes *b, uint32_t type)
{
	struct plan *p = &r->plans[type];
	const struct jfr_field *fields = r->k.fields + r->k.types[type].first;
	uint64_t v[MOST_FIELDS];
	uint32_t i;

	if (!p->looked)
		look(r, type);
	if (p->stack == JFR_NONE)
		return;
	for (i = 0; i < p->end; i++)
		v[i] = jfr_chunk_number(&r->k, b, fields + i);
	if (b->bad) {
		r->damaged++;
		return;
	}
	if (!v[p->stack] && !p->sure)
		return;
	if (!p->cost_n)
		add_cost(r, type, p, jfr_costs_other(p->duration != JFR_NONE));
	for (i = 0; i < p->cost_n; i++)
		take_cost(r, type, i, v);
}

/* Takes one event of TYPE. */
typedef void take_one(struct reader *r, struct bytes *b, uint32_t type);

/* Gives all events of the chunk to TAKE. */
static void
each_event(struct reader *r, take_one *take)
{
	enum { METADATA, CHECKPOINT };
	uint64_t size, id, last = 0;
	uint32_t type = JFR_NONE;
	struct str rest = str_from(r->k.bytes, JFR_HEADER_SIZE);
	struct bytes b;

	for (; rest.n; rest = str_from(rest, size)) {
		b = bytes_of(rest, false);
		size = jfr_chunk_int(&b);
		if (!size || size > rest.n) {
			r->damaged++;
			return;
		}
		b.end = rest.s + size;
		id = b.at < b.end ? jfr_chunk_int(&b) : METADATA;
		if (id == METADATA || id == CHECKPOINT)
			continue;
		if (id != last)
			type = jfr_chunk_type(&r->k, last = id);
		if (type == JFR_NONE)
			r->damaged++;
		else
			take(r, &b, type);
	}
}

/* What a recording says of itself. */

/* The string in the field NAME of an event at B of TYPE; empty when there is none. */
static struct str
text_of(struct reader *r, struct bytes b, uint32_t type, const char *name)
{
	uint32_t place = jfr_chunk_field(&r->k, type, name);
	const struct jfr_field *f;

	jfr_chunk_seek(&r->k, &b, type, place);
	if (b.bad)
		return (struct str){ 0 };
	f = &r->k.fields[r->k.types[type].first + place];
	if (f->array || f->constant || r->k.types[f->type].kind != JFR_STRING)
		return (struct str){ 0 };
	return jfr_chunk_string(&r->k, &b);
}

static void
take_jvm(struct reader *r, const struct bytes *b, uint32_t type)
{
	struct str program = text_of(r, *b, type, "javaArguments");
	uint32_t place = jfr_chunk_field(&r->k, type, "pid");
	struct bytes at = *b;

	if (program.n) {
		buf_clear(&r->name);
		buf_str(&r->name, STR("java "));
		buf_str(&r->name, program);
		collapse_info(r->c, "command", buf_view(&r->name));
	}
	jfr_chunk_seek(&r->k, &at, type, place);
	if (at.bad)
		return;
	buf_clear(&r->pid);
	buf_u64(&r->pid,
		jfr_chunk_number(
			&r->k, &at, &r->k.fields[r->k.types[type].first + place]));
}

/* Takes what must be known before samples are read. */
static void
take_about(struct reader *r, struct bytes *b, uint32_t type)
{
	struct str event = r->k.types[type].name, name;

	if (str_eq(event, STR("jdk.JVMInformation"))) {
		take_jvm(r, b, type);
	} else if (str_eq(event, STR("jdk.ActiveSetting"))) {
		name = text_of(r, *b, type, "name");
		r->wall_only |=
			(str_eq(name, STR("event")) || str_eq(name, STR("engine"))) &&
			str_eq(text_of(r, *b, type, "value"), STR("wall"));
	} else if (str_eq(event, STR("jdk.InitialEnvironmentVariable"))) {
		if (str_eq(text_of(r, *b, type, "key"), STR("HOSTNAME")))
			collapse_info(r->c, "host", text_of(r, *b, type, "value"));
	} else if (str_eq(event, STR("jdk.ObjectAllocationSample"))) {
		r->both_allocs = true;
	}
}

/* Whether frames of the chunk are of the kinds that async-profiler has. */
static bool
has_kernel_frames(struct reader *r)
{
	enum { KINDS = 32 };
	uint64_t key;

	for (key = 0; key < KINDS; key++)
		if (code_of(r, key) == KERNEL)
			return true;
	return false;
}

/* Finds the fields of stacks. */
static void
find_places(struct reader *r)
{
	struct jfr_chunk *k = &r->k;
	uint32_t stack = k->of[JFR_STACKS];
	const struct jfr_field *f;

	r->frames_at = JFR_NONE;
	if (!k->has[JFR_STACKS])
		return;
	r->truncated_at = jfr_chunk_field(k, stack, "truncated");
	r->frames_at = jfr_chunk_field(k, stack, "frames");
	if (r->frames_at == JFR_NONE)
		return;
	f = &k->fields[k->types[stack].first + r->frames_at];
	if (!f->array || f->constant || k->types[f->type].kind != JFR_STRUCT ||
		k->types[f->type].empty)
		r->frames_at = JFR_NONE;
	r->frame_type = f->type;
	r->method_at = jfr_chunk_field(k, f->type, "method");
	r->code_at = jfr_chunk_field(k, f->type, "type");
	r->line_at = jfr_chunk_field(k, f->type, "lineNumber");
}

/* Folds the events of the chunk. */
static void
fold_chunk(struct reader *r)
{
	uint64_t damaged = r->damaged;

	idmap_release(&r->frames);
	forget_nodes(r);
	free(r->plans);
	r->plans = mem_zero(r->k.type_n, sizeof *r->plans);
	find_places(r);
	r->native_is_c = has_kernel_frames(r);
	r->by_state = str_eq(
		jfr_chunk_text(&r->k, JFR_STATES, 0, "name"), STR("STATE_DEFAULT"));
	r->wall_only = r->both_allocs = false;
	each_event(r, take_about);
	r->damaged = damaged;
	each_event(r, take_event);
}

/* Chunks. */

/* Why a chunk with the header H, whose bytes are W, cannot be read; NULL when it can. */
static const char *
refuse(const struct jfr_header *h, struct str w)
{
	if (h->major != 2)
		return "is of a JDK before 9, whose format is another; open it in JDK "
		       "Mission Control";
	if (!h->compressed)
		return "has integers that are not compressed, which no known writer makes";
	if (h->size < JFR_HEADER_SIZE || !h->metadata || !h->checkpoint)
		return "was not finished: its constants are missing; stop the recording "
		       "before the program ends, or run jfr assemble on the repository of "
		       "the JDK";
	if (h->size > UINT32_MAX)
		return "has a chunk of more than 4 GiB";
	if (!h->ticks_per_second)
		return "has a clock that stands";
	if (h->size > w.n && (h->checkpoint >= w.n || h->metadata >= w.n))
		return "is truncated: its constants are missing";
	return NULL;
}

/* Says WHY the rest of the input is not read. False when nothing was. */
static bool
give_up(struct reader *r, const char *why, bool folded)
{
	if (!folded) {
		msg_error("%s: %s", input_name(r->in), why);
		return false;
	}
	msg_warn("%s: a chunk %s; kept what came before", input_name(r->in), why);
	collapse_lose_quietly(r->c, COLLAPSE_DAMAGED, 1);
	return true;
}

/* Folds the chunk that W begins with; it ends the input when it is not whole. Why it
 * cannot be read, or NULL. */
static const char *
take_chunk(struct reader *r, const struct jfr_header *h, struct str w)
{
	if (!jfr_chunk_read(&r->k, h, str_head(w, h->size)))
		return r->k.why;
	collapse_start(r->c, h->start);
	collapse_origin(r->c, h->start);
	fold_chunk(r);
	if (h->generation && h->size <= w.n)
		msg_warn("%s: was still being written; events since the last flush are "
			 "missing",
			input_name(r->in));
	return h->size > w.n ? "is truncated" : NULL;
}

static bool
take_chunks(struct reader *r)
{
	uint64_t before = collapse_samples(r->c);
	struct jfr_header h;
	const char *why = NULL;
	struct str w;

	while ((w = input_window(r->in, JFR_HEADER_SIZE)).n) {
		if (!jfr_chunk_header(w, &h)) {
			why = "is no chunk of a recording";
			break;
		}
		if (h.size <= UINT32_MAX)
			w = input_window(r->in, h.size);
		why = refuse(&h, w);
		if (!why)
			why = take_chunk(r, &h, w);
		if (why || h.generation)
			break;
		input_skip(r->in, h.size);
	}
	return !why || give_up(r, why, collapse_samples(r->c) > before);
}

static void
release(struct reader *r)
{
	jfr_chunk_release(&r->k);
	frame_names_release(&r->stack);
	idmap_release(&r->frames);
	idmap_release(&r->roots);
	idmap_release(&r->nodes);
	buf_release(&r->pid);
	buf_release(&r->tid);
	buf_release(&r->name);
	free(r->plans);
	free(r->hot);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c, .stack.c = c };
	bool good;

	r.hot = mem_zero(HOT, sizeof *r.hot);
	jfr_costs_begin(&r.costs, c);
	good = take_chunks(&r);
	if (collapse_lose_quietly(c, COLLAPSE_DAMAGED, r.damaged))
		msg_warn("%s: skipping damaged events", input_name(in));
	good = good && jfr_costs_end(&r.costs);
	release(&r);
	return good;
}

static int
probe(struct str head)
{
	struct jfr_header h;

	return jfr_chunk_header(head, &h) || str_eq(head, STR("FLR\0")) ? 100 : 0;
}

const struct collapse_format collapse_jfr = {
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
