/* SPDX-License-Identifier: ISC */
/* Turns the output of jfr print into samples; see jfr-printed.h. Amounts and times are in
 * the formats of its ValueFormatter (JDK 17, jdk.jfr.internal.tool) and of java.time. */
#include "jfr-printed.h"
#include "date.h"
#include "mem.h"

#include <stdlib.h>

/* Kinds of structs, for jfr_printed.path. */
enum { OTHER, STACK, FRAMES, FRAME, METHOD, METHOD_CLASS, THREAD, LEAF };

void
jfr_printed_init(struct jfr_printed *p, struct collapse *c)
{
	*p = (struct jfr_printed){ .c = c, .stack.c = c };
	collapse_threadless(c);
	jfr_costs_begin(&p->costs, c);
}

void
jfr_printed_release(struct jfr_printed *p)
{
	frame_names_release(&p->stack);
	intern_release(&p->events);
	free(p->types);
	buf_release(&p->comm);
	buf_release(&p->other_comm);
	buf_release(&p->tid);
	buf_release(&p->other_tid);
	buf_release(&p->leaf);
	buf_release(&p->of_class);
	buf_release(&p->method);
	buf_release(&p->descriptor);
}

/* Amounts. */

/* Units of bytes, and of time in ns. java.time writes durations in capitals: "M", "H". */
static const struct unit {
	const char *name;
	uint64_t of;
} units[] = { { "bytes", 1 }, { "byte", 1 }, { "kB", UINT64_C(1) << 10 },
	{ "MB", UINT64_C(1) << 20 }, { "GB", UINT64_C(1) << 30 },
	{ "TB", UINT64_C(1) << 40 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
	{ "s", 1000000000 }, { "S", 1000000000 }, { "m", UINT64_C(60000000000) },
	{ "M", UINT64_C(60000000000) }, { "h", UINT64_C(3600000000000) },
	{ "H", UINT64_C(3600000000000) }, { "d", UINT64_C(86400000000000) },
	{ "D", UINT64_C(86400000000000) } };

/* The unit's value: 1 without a unit, 0 if unknown. */
static uint64_t
find_unit(struct str name)
{
	size_t i;

	if (!name.n)
		return 1;
	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (str_eq(name, str_of(units[i].name)))
			return units[i].of;
	return 0;
}

/* The first place from I on that is not blank. */
static size_t
skip_blanks(struct str text, size_t i)
{
	while (i < text.n && text.s[i] == ' ')
		i++;
	return i;
}

/* The end of the unit that begins at I; in java.time a unit is one letter. */
static size_t
skip_unit(struct str text, size_t i, bool iso)
{
	if (iso)
		return i + (i < text.n);
	while (i < text.n && text.s[i] != ' ' && !str_is_digit(text.s[i]))
		i++;
	return i;
}

/* Adds WHOLE units and PARTS to *SUM, clamped to INT64_MAX. */
static void
add_up(uint64_t *sum, uint64_t whole, uint64_t unit, uint64_t parts)
{
	if (whole > INT64_MAX / unit || whole * unit > INT64_MAX - parts ||
		whole * unit + parts > INT64_MAX - *sum)
		*sum = INT64_MAX;
	else
		*sum += whole * unit + parts;
}

/* Cuts "30.1" and its unit off *TEXT and adds them to *SUM. */
static bool
cut_part(struct str *text, bool iso, uint64_t *sum)
{
	uint64_t whole, scale = 1, fraction = 0, unit;
	size_t i = 0, from;

	while (i < text->n && str_is_digit(text->s[i]))
		i++;
	if (!str_to_u64(str_head(*text, i), &whole))
		return false;
	if (i < text->n && (text->s[i] == '.' || text->s[i] == ','))
		for (i++; i < text->n && str_is_digit(text->s[i]); i++)
			if (scale < 1000000000) {
				fraction = fraction * 10 + (uint64_t)(text->s[i] - '0');
				scale *= 10;
			}
	from = skip_blanks(*text, i);
	i = skip_unit(*text, from, iso);
	unit = find_unit((struct str){ text->s + from, i - from });
	if (!unit)
		return false;
	*text = str_from(*text, skip_blanks(*text, i));
	add_up(sum, whole, unit,
		(uint64_t)((double)fraction / (double)scale * (double)unit + 0.5));
	return true;
}

/* Reads "123", "18.6 MB", "1 m 2 s" or "PT1M2.5S". The last three are rounded to bytes or
 * ns. */
static bool
read_amount(struct str text, int64_t *value)
{
	bool negative = str_starts(text, STR("-")), iso;
	uint64_t sum = 0;

	text = str_from(text, negative);
	iso = str_starts(text, STR("P"));
	text = str_from(text, iso);
	while (text.n) {
		if (iso && str_starts(text, STR("T")))
			text = str_from(text, 1);
		if (str_starts(text, STR("-"))) {
			negative = true;
			text = str_from(text, 1);
		}
		if (!cut_part(&text, iso, &sum))
			return false;
	}
	*value = negative ? -(int64_t)sum : (int64_t)sum;
	return true;
}

/* Times. */

/* Reads "2026-11-22T06:43:07.959679339Z", as ns since 1970, or "07:46:08.829", as ns of the day. */
static bool
read_time(struct str text, uint64_t *ns)
{
	bool zoned;

	return date_cut(&text, ns, &zoned) || date_cut_clock(&text, ns);
}

/* Events. */

static struct jfr_printed_type *
type_of(struct jfr_printed *p)
{
	return &p->types[p->event];
}

/* Makes the events called NAME current. */
static void
find_type(struct jfr_printed *p, struct str name)
{
	/* Whether both allocation events occur is known only at the end. */
	static const struct jfr_about about = { .both_allocs = true };
	uint32_t known = p->events.n, id = intern_id(&p->events, name);
	struct jfr_printed_type *t;
	const struct jfr_rule *rule;

	p->event = id;
	if (id < known)
		return;
	p->types = mem_grow(p->types, &p->type_cap, (size_t)id + 1, sizeof *p->types);
	t = &p->types[id];
	*t = (struct jfr_printed_type){ .n = 0 };
	while (t->n < JFR_PRINTED_COSTS && (rule = jfr_costs_rule(name, t->n, &about))) {
		t->rules[t->n] = rule;
		t->costs[t->n++] = jfr_costs_of(rule, intern_str(&p->events, id));
	}
	t->sure = t->n > 0;
}

void
jfr_printed_begin(struct jfr_printed *p, struct str type)
{
	find_type(p, type);
	memset(p->weights, 0, sizeof p->weights);
	p->duration = (struct jfr_printed_weight){ 0 };
	buf_clear(&p->comm);
	buf_clear(&p->other_comm);
	buf_clear(&p->tid);
	buf_clear(&p->other_tid);
	buf_clear(&p->leaf);
	p->has_time = p->truncated = false;
	p->depth = 0;
	p->stack.n = 0;
	frame_names_push(&p->stack, 0);
}

/* The kind of the innermost struct. */
static int
place_of(const struct jfr_printed *p)
{
	if (!p->depth || p->depth > JFR_PRINTED_DEPTH)
		return OTHER;
	return p->path[p->depth - 1];
}

/* Sets the event's time. */
static void
set_time(struct jfr_printed *p, struct str text)
{
	enum { HOUR = 3600 };
	uint64_t second = 1000000000, time;

	p->has_time = read_time(text, &time);
	if (!p->has_time)
		return;
	/* A clock that jumps back by half a day has passed midnight. */
	if (time < 24 * HOUR * second && p->last > time + 12 * HOUR * second)
		p->midnights++;
	p->last = time;
	p->time = time + p->midnights * 24 * HOUR * second;
	collapse_origin(p->c, p->time);
}

/* Puts the Java arguments, which are in quotes, into the header. */
static void
put_command(struct jfr_printed *p, struct str text)
{
	if (text.n > 1 && str_starts(text, STR("\"")) && str_ends(text, STR("\"")))
		text = (struct str){ text.s + 1, text.n - 2 };
	buf_clear(&p->leaf);
	buf_str(&p->leaf, STR("java "));
	buf_str(&p->leaf, text);
	collapse_info(p->c, "command", buf_view(&p->leaf));
	buf_clear(&p->leaf);
}

/* Handles a field of the event itself. */
static void
handle_field(struct jfr_printed *p, struct str name, struct str text)
{
	const struct jfr_printed_type *t = type_of(p);
	struct jfr_printed_weight amount = { 0 };
	unsigned i, w;

	if (str_eq(name, STR("startTime"))) {
		set_time(p, text);
		return;
	}
	if (str_eq(name, STR("javaArguments")) && text.n)
		put_command(p, text);
	amount.given = read_amount(text, &amount.value);
	if (str_eq(name, STR("duration")))
		p->duration = amount;
	for (i = 0; i < t->n && t->sure; i++)
		for (w = 0; w < JFR_PRINTED_WEIGHTS; w++)
			if (t->rules[i]->weights[w] &&
				str_eq(name, str_of(t->rules[i]->weights[w])))
				p->weights[i][w] = amount;
}

static void
set(struct buf *to, struct str text)
{
	buf_clear(to);
	buf_str(to, text);
}

/* Copies TEXT to the buffer in TO whose key in KEYS is NAME. */
static void
keep(struct str name, struct str text, const char *const *keys, struct buf *const *to,
	size_t n)
{
	while (n-- > 0)
		if (str_eq(name, str_of(keys[n])))
			set(to[n], text);
}

void
jfr_printed_value(struct jfr_printed *p, struct str name, struct str text)
{
	static const char *const thread[] = { "javaName", "osName", "osThreadId",
		"javaThreadId" };
	static const char *const method[] = { "name", "descriptor" };
	struct buf *const of_thread[] = { &p->comm, &p->other_comm, &p->tid,
		&p->other_tid };
	struct buf *const of_method[] = { &p->method, &p->descriptor };

	switch (p->depth ? place_of(p) : -1) {
	case -1: handle_field(p, name, text); break;
	case STACK:
		if (str_eq(name, STR("truncated")))
			p->truncated = str_eq(text, STR("true"));
		break;
	case FRAME:
		if (str_eq(name, STR("type")))
			p->frame.code = jfr_names_code(text);
		else if (str_eq(name, STR("lineNumber")) &&
			!str_to_u64(text, &p->frame.line))
			p->frame.line = 0;
		break;
	case METHOD: keep(name, text, method, of_method, 2); break;
	case METHOD_CLASS:
		if (str_eq(name, STR("name")))
			set(&p->of_class, text);
		break;
	case THREAD: keep(name, text, thread, of_thread, 4); break;
	case LEAF:
		if (str_eq(name, STR("name")))
			set(&p->leaf, text);
		break;
	default: break;
	}
}

/* Whether the class in the field NAME becomes a frame. */
static bool
is_leaf(struct jfr_printed *p, struct str name)
{
	const struct jfr_printed_type *t = type_of(p);

	return t->sure && t->rules[0]->of_class &&
		str_eq(name, str_of(t->rules[0]->of_class));
}

/* The kind of the struct in the field NAME of the innermost struct; OTHER if not
 * needed. */
static int
find_place(struct jfr_printed *p, struct str name)
{
	if (!p->depth) {
		if (str_eq(name, STR("stackTrace")))
			return STACK;
		if (str_eq(name, STR("eventThread")) ||
			str_eq(name, STR("sampledThread")))
			return THREAD;
		return is_leaf(p, name) ? LEAF : OTHER;
	}
	switch (place_of(p)) {
	case STACK: return str_eq(name, STR("frames")) ? FRAMES : OTHER;
	case FRAMES: return FRAME;
	case FRAME: return str_eq(name, STR("method")) ? METHOD : OTHER;
	case METHOD: return str_eq(name, STR("type")) ? METHOD_CLASS : OTHER;
	default: return OTHER;
	}
}

bool
jfr_printed_open(struct jfr_printed *p, struct str name)
{
	int place = find_place(p, name);

	if (p->depth < JFR_PRINTED_DEPTH)
		p->path[p->depth] = place;
	p->depth++;
	if (place == FRAME) {
		buf_clear(&p->of_class);
		buf_clear(&p->method);
		buf_clear(&p->descriptor);
		p->frame = (struct jfr_method){ 0 };
	}
	return place != OTHER;
}

/* Adds the frame that has just been read. */
static void
push_frame(struct jfr_printed *p)
{
	struct frame_names_symbol s = { .name = buf_view(&p->method) };

	if (p->frame.code == JFR_CPP || p->frame.code == JFR_KERNEL) {
		s.module = buf_view(&p->of_class);
		if (p->frame.code == JFR_KERNEL)
			s.module = STR("[kernel.kallsyms]");
		frame_names_add(&p->stack, &s);
		return;
	}
	p->frame.of_class = buf_view(&p->of_class);
	p->frame.name = buf_view(&p->method);
	p->frame.descriptor = buf_view(&p->descriptor);
	if (!collapse_options(p->c)->srcline)
		p->frame.line = 0;
	/* The id stays valid after these texts are overwritten. */
	frame_names_push(&p->stack, jfr_names_frame(p->c, &p->stack.name, &p->frame));
}

void
jfr_printed_close(struct jfr_printed *p)
{
	if (place_of(p) == FRAME)
		push_frame(p);
	p->depth -= p->depth > 0;
}

/* The weight of the event for cost number I; negative if the recorded one is. */
static int64_t
find_weight(struct jfr_printed *p, unsigned i)
{
	const struct jfr_printed_type *t = type_of(p);
	const struct jfr_printed_weight *of = p->weights[i];
	unsigned w;

	if (!t->sure)
		return t->costs[i].lasts ? p->duration.value : 1;
	for (w = 0; w < JFR_PRINTED_WEIGHTS; w++)
		if (of[w].given && of[w].value)
			return of[w].value;
	return t->costs[i].counts && !of[0].given;
}

/* The thread's number. A virtual thread has no OS thread ID. */
static struct str
find_tid(const struct jfr_printed *p)
{
	bool known = p->tid.n && !str_eq(buf_view(&p->tid), STR("0"));

	return buf_view(known ? &p->tid : &p->other_tid);
}

/* Folds the event as cost number I. */
static void
fold(struct jfr_printed *p, unsigned i)
{
	struct collapse_sample s = {
		.tid = find_tid(p), .time = p->time, .has_time = p->has_time
	};
	size_t first = p->leaf.n ? 0 : 1;
	int64_t weight = find_weight(p, i);
	uint32_t node = TREE_ROOT;

	if (!p->comm.n)
		set(&p->comm, buf_view(&p->other_comm));
	if (!p->comm.n && s.tid.n)
		buf_fmt(&p->comm, "[tid=%.*s]", STR_ARG(s.tid));
	s.comm = buf_view(&p->comm);
	if (!jfr_costs_wants(&p->costs, &type_of(p)->costs[i],
		    weight < 0 ? 0 : (uint64_t)weight, &s))
		return;
	if (weight < 0) {
		collapse_lose(p->c, COLLAPSE_NEGATIVE);
		return;
	}
	s.end = p->truncated ? COLLAPSE_DEEP : COLLAPSE_UNJUDGED;
	if (p->stack.n > first) {
		node = collapse_root(p->c, &s);
		if (p->truncated)
			node = collapse_mark_end(p->c, node, COLLAPSE_DEEP);
		node = collapse_path(
			p->c, node, p->stack.ids + first, p->stack.n - first);
	}
	collapse_add(p->c, node, &s);
}

void
jfr_printed_end(struct jfr_printed *p)
{
	struct jfr_printed_type *t = type_of(p);
	unsigned i;

	if (p->stack.n < 2 && !t->sure)
		return;
	if (!t->n)
		t->costs[t->n++] = jfr_costs_of(jfr_costs_other(p->duration.given),
			intern_str(&p->events, p->event));
	if (p->leaf.n)
		p->stack.ids[0] =
			jfr_names_class(p->c, &p->stack.name, buf_view(&p->leaf));
	for (i = 0; i < t->n; i++)
		fold(p, i);
}

bool
jfr_printed_done(struct jfr_printed *p)
{
	return jfr_costs_end(&p->costs);
}
