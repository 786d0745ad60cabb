/* SPDX-License-Identifier: ISC */
/*
 * Java Flight Recorder files: from JDK 9 or later (jcmd JFR.start,
 * -XX:StartFlightRecording), from async-profiler (-o jfr) and from agents that embed it.
 *
 *	46 4c 52 00 00 02 00 01		"FLR\0", version 2.1
 *
 * A file is a sequence of chunks (jfr-chunk.h), each with its own constants. An event has
 * a time, a thread, a stack and a weight (jfr-costs.h). A stack has its innermost frame
 * first:
 *
 *	StackTrace	truncated, frames: method, lineNumber, type
 *	Method		type (a class), name, descriptor
 *
 * A recording is read chunk by chunk; only the sink's stacks outlive a chunk.
 */
#include "stacks/clock.h"
#include "collapse.h"
#include "formats.h"
#include "jfr-chunk.h"
#include "jfr-costs.h"
#include "jfr-stacks.h"
#include "mem.h"
#include "msg.h"

#include <inttypes.h>
#include <stdlib.h>

/* Event fields beyond MOST_FIELDS are ignored; TALLIES tallies are kept at a time. */
enum { MOST_FIELDS = 64, MOST_COSTS = 2, MOST_WEIGHTS = 2, TALLIES = 1 << 12 };

/* How to read the events of one type: places of fields, or JFR_NONE. */
struct plan {
	bool looked;
	bool passed;  /* these events do not describe the recording */
	bool sure;    /* recorded for their stacks; other events may have one */
	bool samples; /* CPU samples, or wall-clock samples, depending on their state */
	unsigned cost_n;
	struct jfr_cost costs[MOST_COSTS];
	uint32_t weights[MOST_COSTS][MOST_WEIGHTS];
	bool weighed[MOST_COSTS]; /* a field holds the weight */
	uint32_t time, thread, stack, of_class, state, duration;
	uint32_t address, size; /* of memory that was allocated or freed */
	uint32_t end;		/* one past the last of them */
	bool alike;		/* events at one place do not differ in anything that
	           		 * matters */
};

/* The number of equal events (of TYPE, at PLACE, in STATE) that are still to be folded.
 * Most events are at a few places: counting takes less time than folding each. */
struct tally {
	struct jfr_place place;
	uint64_t state, n;
	struct jfr_cost *cost; /* NULL: unused */
	uint32_t type, node;
	bool truncated;
};

/* Memory that was allocated, or freed (size 0). */
struct block {
	uint64_t time, address, size;
	uint32_t node;
	bool truncated;
};

struct reader {
	struct input *in;
	struct collapse *c;
	struct jfr_costs costs;
	struct jfr_cost wall; /* without a name: unset */
	struct jfr_stacks stacks;
	struct buf command;
	bool leaks; /* --cost=leak */
	struct block *blocks;
	size_t block_n, block_cap;
	uint64_t damaged; /* events */
	bool timed;	  /* --from, --to or --by time need times */
	bool single;	  /* fold each event by itself */

	/* The current chunk. */
	struct jfr_chunk k;
	struct plan *plans; /* by type */
	bool by_state;	    /* CPU samples have a state of their own */
	bool wall_only;	    /* all samples are wall-clock samples */
	struct jfr_about about;
	struct tally *tallies;	       /* by place and type */
	struct collapse_sample sample; /* the current event; kept, as clearing one is
	                                * slow */
};

/* Events. */

/* The time of TICKS in the chunk's clock. */
static uint64_t
find_time(const struct reader *r, uint64_t ticks)
{
	const struct jfr_header *h = &r->k.header;
	uint64_t since = ticks - h->start_ticks, per = h->ticks_per_second, ns;

	/* Events that began before the recording count from its start. */
	if ((int64_t)since < 0)
		return h->start;
	ns = clock_scale(since, per);
	return ns > UINT64_MAX - h->start ? UINT64_MAX : h->start + ns;
}

/* V units of the field F in ns, clamped to INT64_MAX. */
static uint64_t
to_ns(const struct reader *r, const struct jfr_field *f, uint64_t v)
{
	static const uint32_t ns[] = { [JFR_NS] = 1,
		[JFR_US] = 1000,
		[JFR_MS] = 1000000,
		[JFR_SECONDS] = 1000000000 };

	if (f->span == JFR_TICKS)
		return clock_scale(v, r->k.header.ticks_per_second);
	return v > INT64_MAX / ns[f->span] ? INT64_MAX : v * ns[f->span];
}

/* The weight of an event of TYPE with the fields V, for its cost number I; above
 * INT64_MAX if negative. */
static uint64_t
find_weight(const struct reader *r, uint32_t type, unsigned i, const uint64_t *v)
{
	const struct plan *p = &r->plans[type];
	uint64_t weight = 0;
	uint32_t place = JFR_NONE;
	int w;

	if (!p->weighed[i])
		return p->costs[i].counts;
	for (w = 0; w < MOST_WEIGHTS && !weight; w++)
		if (p->weights[i][w] != JFR_NONE) {
			place = p->weights[i][w];
			weight = v[place];
		}
	if (!p->costs[i].lasts || weight > INT64_MAX)
		return weight;
	return to_ns(r, &r->k.fields[r->k.types[type].first + place], weight);
}

/* Cost number I of an event with the fields V. Before 4.0, async-profiler marks
 * wall-clock samples by their state. */
static struct jfr_cost *
find_cost(struct reader *r, struct plan *p, unsigned i, const uint64_t *v)
{
	struct str state;

	bool wall = r->wall_only;

	if (!p->samples || !r->stacks.native_is_c)
		return &p->costs[i];
	if (r->by_state && p->state != JFR_NONE) {
		state = jfr_chunk_text(&r->k, JFR_STATES, v[p->state], "name");
		wall = !str_eq(state, STR("STATE_DEFAULT"));
	}
	if (wall && !r->wall.name.n)
		r->wall = jfr_costs_of(
			jfr_costs_rule(STR("profiler.WallClockSample"), 0, &r->about),
			(struct str){ 0 });
	return wall ? &r->wall : &p->costs[i];
}

static uint64_t
field_of(const uint64_t *v, uint32_t place)
{
	return place == JFR_NONE ? 0 : v[place];
}

static struct jfr_place
place_at(const struct plan *p, const uint64_t *v)
{
	return (struct jfr_place){ .stack = field_of(v, p->stack),
		.thread = field_of(v, p->thread),
		.of_class = field_of(v, p->of_class) };
}

static void
fold_tally(struct reader *r, struct tally *t)
{
	struct collapse_sample *s = &r->sample;

	if (t->n && jfr_costs_wants(&r->costs, t->cost, t->n, s)) {
		s->end = t->truncated ? COLLAPSE_DEEP : COLLAPSE_UNJUDGED;
		collapse_add(r->c, t->node, s);
	}
	t->n = 0;
}

static void
fold_tallies(struct reader *r)
{
	size_t i;

	for (i = 0; i < TALLIES; i++)
		fold_tally(r, &r->tallies[i]);
	memset(r->tallies, 0, TALLIES * sizeof *r->tallies);
}

/* The slot for events like T. */
static struct tally *
tally_of(const struct reader *r, const struct tally *t)
{
	uint64_t key = jfr_stacks_hash(&t->place) + t->type;

	return &r->tallies[(key ^ key >> 32) % TALLIES];
}

/* The key of an event of TYPE with the fields V. */
static struct tally
describe(const struct reader *r, uint32_t type, const uint64_t *v)
{
	const struct plan *p = &r->plans[type];

	return (struct tally){
		.type = type, .place = place_at(p, v), .state = field_of(v, p->state)
	};
}

/* Counts an event of TYPE with the fields V if one like it was folded. */
static bool
count_alike(const struct reader *r, uint32_t type, const uint64_t *v)
{
	struct tally like = describe(r, type, v), *t = tally_of(r, &like);

	if (!t->cost || t->type != type || t->state != like.state ||
		t->place.stack != like.place.stack ||
		t->place.thread != like.place.thread ||
		t->place.of_class != like.place.of_class)
		return false;
	t->n++;
	return true;
}

/* Begins a tally of events like this one, which was folded at F as COST. Events without a
 * node are counted as lost one by one. */
static void
begin_tally(struct reader *r, uint32_t type, const uint64_t *v, struct jfr_cost *cost,
	const struct jfr_found *f)
{
	struct tally like = describe(r, type, v), *t = tally_of(r, &like);

	if (f->node == COLLAPSE_NOWHERE || f->node == TREE_ROOT || !cost->counts)
		return;
	fold_tally(r, t);
	like.cost = cost;
	like.node = f->node;
	like.truncated = f->truncated;
	*t = like;
}

/* Folds an event of TYPE with the fields V as its cost number I. */
static void
fold_cost(struct reader *r, uint32_t type, unsigned i, const uint64_t *v)
{
	struct plan *p = &r->plans[type];
	struct collapse_sample *s = &r->sample;
	struct jfr_place place = place_at(p, v);
	struct jfr_cost *cost = find_cost(r, p, i, v);
	uint64_t weight = find_weight(r, type, i, v);
	const struct jfr_found *f;

	bool negative = weight > INT64_MAX;

	s->has_time = r->timed && p->time != JFR_NONE;
	s->time = s->has_time ? find_time(r, v[p->time]) : 0;
	if (!jfr_costs_wants(&r->costs, cost, negative ? 0 : weight, s))
		return;
	if (negative) {
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
		return;
	}
	/* These are still the previous event's. */
	s->comm = s->pid = s->tid = (struct str){ 0 };
	f = jfr_stacks_find(&r->stacks, &place, s);
	s->end = f->truncated ? COLLAPSE_DEEP : COLLAPSE_UNJUDGED;
	collapse_add(r->c, f->node, s);
	if (p->alike)
		begin_tally(r, type, v, cost, f);
}

/* The place of the field NAME in TYPE, which is read from now on; JFR_NONE if absent. */
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

/* Adds the cost of RULE to the plan P of TYPE. */
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

/* Makes the plan for events of TYPE. */
static void
make_plan(struct reader *r, uint32_t type)
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
	while (p->cost_n < MOST_COSTS &&
		(rule = jfr_costs_rule(event, p->cost_n, &r->about)))
		add_cost(r, type, p, rule);
	p->sure = p->cost_n > 0;
	p->alike = p->cost_n == 1 && p->costs[0].counts && !p->weighed[0] && !r->single;
	p->address = p->size = JFR_NONE;
	if (str_eq(event, STR("profiler.Malloc")) ||
		str_eq(event, STR("profiler.Free"))) {
		p->address = place_of(r, type, p, "address");
		p->size = place_of(r, type, p, "size");
	}
}

/* Keeps the event with the fields V, which allocates or frees. */
static void
keep_block(struct reader *r, const struct plan *p, const uint64_t *v)
{
	struct jfr_place place = { .stack = field_of(v, p->stack),
		.thread = field_of(v, p->thread) };
	struct block block = { .address = v[p->address], .size = field_of(v, p->size) };
	struct collapse_sample s = { .count = 0 };
	const struct jfr_found *f;

	block.time = p->time == JFR_NONE ? 0 : find_time(r, v[p->time]);
	if (block.size) {
		f = jfr_stacks_find(&r->stacks, &place, &s);
		block.node = f->node;
		block.truncated = f->truncated;
	}
	*MEM_ADD(r->blocks, r->block_n, r->block_cap) = block;
}

static void
handle_event(struct reader *r, struct bytes *b, uint32_t type)
{
	struct plan *p = &r->plans[type];
	const struct jfr_field *fields = r->k.fields + r->k.types[type].first;
	uint64_t v[MOST_FIELDS];
	uint32_t i;

	if (!p->looked)
		make_plan(r, type);
	if (p->stack == JFR_NONE)
		return;
	for (i = 0; i < p->end; i++)
		v[i] = jfr_chunk_number(&r->k, b, fields + i);
	if (b->bad) {
		r->damaged++;
		return;
	}
	if (p->alike && count_alike(r, type, v))
		return;
	if (r->leaks && p->address != JFR_NONE)
		keep_block(r, p, v);
	if (!v[p->stack] && !p->sure)
		return;
	if (!p->cost_n)
		add_cost(r, type, p, jfr_costs_other(p->duration != JFR_NONE));
	for (i = 0; i < p->cost_n; i++)
		fold_cost(r, type, i, v);
}

typedef void event_handler(struct reader *r, struct bytes *b, uint32_t type);

/* Calls HANDLE for each event of the chunk. */
static void
each_event(struct reader *r, event_handler *handle)
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
		bytes_cut(&b, size - bytes_offset(&b, rest));
		id = bytes_left(&b) ? jfr_chunk_int(&b) : METADATA;
		if (id == METADATA || id == CHECKPOINT)
			continue;
		if (id != last)
			type = jfr_chunk_type(&r->k, last = id);
		if (type == JFR_NONE)
			r->damaged++;
		else
			handle(r, &b, type);
	}
}

/* Information about the recording. */

/* The string in the field NAME of the event of TYPE at B; empty if absent. */
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
parse_jvm(struct reader *r, const struct bytes *b, uint32_t type)
{
	struct str program = text_of(r, *b, type, "javaArguments");
	uint32_t place = jfr_chunk_field(&r->k, type, "pid");
	struct bytes at = *b;

	if (program.n) {
		buf_clear(&r->command);
		buf_str(&r->command, STR("java "));
		buf_str(&r->command, program);
		collapse_info(r->c, "command", buf_view(&r->command));
	}
	jfr_chunk_seek(&r->k, &at, type, place);
	if (at.bad)
		return;
	buf_clear(&r->stacks.pid);
	buf_u64(&r->stacks.pid,
		jfr_chunk_number(
			&r->k, &at, &r->k.fields[r->k.types[type].first + place]));
}

/* Handles events that must be known before samples are read. */
static void
handle_about(struct reader *r, struct bytes *b, uint32_t type)
{
	struct str event = r->k.types[type].name, name;

	if (r->plans[type].passed)
		return;
	if (str_eq(event, STR("jdk.JVMInformation"))) {
		parse_jvm(r, b, type);
	} else if (str_eq(event, STR("jdk.ActiveSetting"))) {
		name = text_of(r, *b, type, "name");
		r->wall_only |=
			(str_eq(name, STR("event")) || str_eq(name, STR("engine"))) &&
			str_eq(text_of(r, *b, type, "value"), STR("wall"));
	} else if (str_eq(event, STR("jdk.InitialEnvironmentVariable"))) {
		if (str_eq(text_of(r, *b, type, "key"), STR("HOSTNAME")))
			collapse_info(r->c, "host", text_of(r, *b, type, "value"));
	} else if (str_eq(event, STR("jdk.ObjectAllocationSample"))) {
		r->about.both_allocs = true;
	} else {
		r->plans[type].passed = true;
	}
}

static void
fold_chunk(struct reader *r)
{
	uint64_t damaged = r->damaged;

	free(r->plans);
	r->plans = mem_zero(r->k.type_n, sizeof *r->plans);
	jfr_stacks_begin(&r->stacks);
	r->by_state = str_eq(
		jfr_chunk_text(&r->k, JFR_STATES, 0, "name"), STR("STATE_DEFAULT"));
	r->wall_only = false;
	r->about = (struct jfr_about){ .locks_only = r->stacks.native_is_c };
	each_event(r, handle_about);
	r->damaged = damaged;
	each_event(r, handle_event);
	fold_tallies(r);
}

/* Leaks. */

static int
compare_times(const void *a, const void *b)
{
	const struct block *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* Sets the size of all freed blocks to 0. Blocks arrive in the order of the threads'
 * buffers, so they are sorted by time first. */
static void
drop_freed(struct reader *r)
{
	struct idmap live = { 0 };
	uint64_t *known;
	size_t i;

	qsort(r->blocks, r->block_n, sizeof *r->blocks, compare_times);
	for (i = 0; i < r->block_n; i++) {
		known = idmap_put(&live, r->blocks[i].address, 0);
		if (*known)
			r->blocks[*known - 1].size = 0;
		*known = r->blocks[i].size ? i + 1 : 0;
	}
	idmap_release(&live);
}

/* Folds memory that was never freed. Like jfrconv, it leaves out allocations in the last
 * tenth of the time, which may yet be freed. */
static void
fold_leaks(struct reader *r)
{
	enum { TENTH = 10 };
	static const struct jfr_rule rule = { NULL, "leak", "bytes", { "size" }, NULL };
	struct jfr_cost cost = jfr_costs_of(&rule, (struct str){ 0 });
	struct collapse_sample s = { .has_time = true };
	uint64_t first, last;
	size_t i;

	if (!r->block_n)
		return;
	drop_freed(r);
	first = r->blocks[0].time;
	last = r->blocks[r->block_n - 1].time;
	for (i = 0; i < r->block_n; i++) {
		s.time = r->blocks[i].time;
		s.end = r->blocks[i].truncated ? COLLAPSE_DEEP : COLLAPSE_UNJUDGED;
		if (r->blocks[i].size && s.time <= last - (last - first) / TENTH &&
			jfr_costs_wants(&r->costs, &cost, r->blocks[i].size, &s))
			collapse_add(r->c, r->blocks[i].node, &s);
	}
}

/* Chunks. */

/* The reason why the chunk with the header H at the start of W cannot be read, or
 * NULL. */
static const char *
refuse(const struct jfr_header *h, struct str w)
{
	if (h->major != 2)
		return "was recorded by JDK 8 or earlier, whose format differs; open it in JDK "
		       "Mission Control";
	if (!h->compressed)
		return "has uncompressed integers, which no known writer produces";
	if (h->size < JFR_HEADER_SIZE || !h->metadata || !h->checkpoint)
		return "was not finished: its constants are missing; stop the recording "
		       "before the program ends, or run jfr assemble on the repository of "
		       "the JDK";
	if (h->size > UINT32_MAX)
		return "has a chunk of more than 4 GiB";
	if (!h->ticks_per_second)
		return "has a clock without a frequency";
	if (h->size > w.n && (h->checkpoint >= w.n || h->metadata >= w.n))
		return "is truncated: its constants are missing";
	return NULL;
}

/* Reports WHY the rest of the input is not read. Returns false if nothing was. */
static bool
give_up(struct reader *r, const char *why, bool folded)
{
	if (!folded) {
		msg_error("%s: %s", input_name(r->in), why);
		return false;
	}
	msg_warn("%s: a chunk %s; kept everything before it", input_name(r->in), why);
	collapse_lose_quietly(r->c, COLLAPSE_DAMAGED, 1);
	return true;
}

/* Folds the chunk at the start of W; a truncated one ends the input. Returns why the
 * input ends here, or NULL. */
static const char *
read_chunk(struct reader *r, const struct jfr_header *h, struct str w)
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
read_chunks(struct reader *r)
{
	uint64_t before = collapse_samples(r->c);
	struct jfr_header h;
	const char *why = NULL;
	struct str w;

	while ((w = input_window(r->in, JFR_HEADER_SIZE)).n) {
		if (!jfr_chunk_header(w, &h)) {
			why = "is not a chunk of a recording";
			break;
		}
		if (h.size <= UINT32_MAX)
			w = input_window(r->in, h.size);
		why = refuse(&h, w);
		if (!why)
			why = read_chunk(r, &h, w);
		if (why || h.generation)
			break;
		input_skip(r->in, h.size);
	}
	return !why || give_up(r, why, collapse_samples(r->c) > before || r->block_n > 0);
}

static void
release(struct reader *r)
{
	jfr_chunk_release(&r->k);
	jfr_stacks_release(&r->stacks);
	buf_release(&r->command);
	free(r->blocks);
	free(r->plans);
	free(r->tallies);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c };
	bool good;

	collapse_threadless(c);
	jfr_stacks_init(&r.stacks, c, &r.k);
	jfr_costs_begin(&r.costs, c);
	r.timed = collapse_needs_times(c);
	r.leaks = collapse_options(c)->cost &&
		str_eq(str_of(collapse_options(c)->cost), STR("leak"));
	r.single = r.timed || r.leaks || collapse_options(c)->in_order;
	r.tallies = mem_zero(TALLIES, sizeof *r.tallies);
	good = read_chunks(&r);
	fold_leaks(&r);
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
	.signs = SIGNS(SIGN(MAGIC, "FLR\0")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
