/* SPDX-License-Identifier: ISC */
/*
 * Maps of stacks from bpftrace -f json: an object a line.
 *
 *	{"type": "attached_probes", "data": {"probes": 2}}
 *	{"type": "map", "data": {"@": {"\n    app::fib(int)+56\n    0x7fb0d14d44a3\n,work": 3}}}
 *	{"type": "lost_events", "data": {"events": 5}}
 *
 * A key is what stands between the brackets of @[kstack, ustack, comm]: parts
 * joined by commas. A stack begins with a line break and ends with one; it has
 * a frame a line, innermost first, with the offset behind '+' in decimal:
 *
 *	    getname_flags.part.0+36		kstack, ustack
 *		7fb0d14d44a3 main+0x16 (/opt/demo/work)	ustack(perf)
 *
 * Several stacks make one, the first innermost. Other parts are the name of the
 * thread and its numbers, as far as one can tell. Maps without stacks, and what
 * a program prints, are passed over. Values are taken for counts of samples, and
 * maps that are printed several times add up. Each map is an event.
 *
 * bpftrace, src/output.cpp (JsonOutput) and src/bpftrace.cpp (get_stack).
 */
#include "collapse.h"
#include "formats.h"
#include "frame.h"
#include "frame-names.h"
#include "perf/perf-sample.h"
#include "json-profile.h"

struct reader {
	struct collapse *c;
	struct frame_names stack;
	struct buf map, key;   /* name and key under way */
	struct buf others;     /* what of the key is no stack */
	uint64_t empty, whole; /* entries of the map without a stack, and with one */
};

/* Reads LINE, a frame, into S. */
static void
cut_frame(struct str line, struct frame_names_symbol *s)
{
	struct str text = str_trim(line);
	size_t plus = str_rfind(text, '+');
	struct perf_frame f;
	uint64_t value;

	*s = (struct frame_names_symbol){ .name = text };
	if (line.s[0] == '\t' && perf_frame_parse(line, &f)) {
		s->name = f.symbol;
		s->module = f.module;
		s->address = f.address;
	} else if (frame_is_address(text, &value)) {
		s->address = str_from(text, 2);
		s->name.n = 0;
	} else if (plus > 0 && plus < text.n &&
		str_to_u64(str_from(text, plus + 1), &value)) {
		s->name.n = plus;
	}
}

/* Adds LINE of a key, which is no frame, to the other parts. */
static void
add_other(struct reader *r, struct str line)
{
	/* Two commas have an empty stack between them. */
	while (str_starts(line, STR(",")))
		line = str_from(line, 1);
	while (str_ends(line, STR(",")))
		line.n--;
	if (!line.n)
		return;
	if (r->others.n)
		buf_char(&r->others, ',');
	buf_str(&r->others, line);
}

/* Cuts the key into the stack and the other parts. */
static void
cut_key(struct reader *r)
{
	struct str rest = buf_view(&r->key), line;
	struct frame_names_symbol s;
	struct str_digest digest;
	size_t first;

	r->stack.n = 0;
	buf_clear(&r->others);
	while (rest.n) {
		line = str_cut(&rest, '\n');
		if (!str_starts(line, STR("    ")) && !str_starts(line, STR("\t"))) {
			add_other(r, line);
			continue;
		}
		digest = str_digest(line);
		first = r->stack.n;
		if (frame_names_recall(&r->stack, digest))
			continue;
		cut_frame(line, &s);
		frame_names_add(&r->stack, &s);
		frame_names_keep(&r->stack, digest, first);
	}
}

/* Cuts a number at the end of *TEXT, after a comma, off; nothing when there is
 * none. */
static struct str
cut_number(struct str *text)
{
	size_t comma = str_rfind(*text, ',');
	struct str number = str_from(*text, comma + 1);
	uint64_t value;

	if (comma == text->n || !str_to_u64(number, &value))
		return (struct str){ 0 };
	text->n = comma;
	return number;
}

/* Who ran: "main work", "main work,2349", "main work,2349,2350". A number alone
 * is as good as a name. */
static void
name_thread(const struct reader *r, struct collapse_sample *s)
{
	struct str last, other;

	s->comm = buf_view(&r->others);
	last = cut_number(&s->comm);
	other = cut_number(&s->comm);
	s->pid = other.n ? other : last;
	s->tid = other.n ? last : other;
}

/* Folds the entry of the map for the key, which weighs VALUE. */
static void
fold_entry(struct reader *r, int64_t value)
{
	struct collapse_sample s = { .count = (uint64_t)value };

	if (str_find(buf_view(&r->key), '\n') == r->key.n) {
		r->empty++;
		return;
	}
	r->whole++;
	if (value == 0)
		return;
	cut_key(r);
	name_thread(r, &s);
	/* A plain @ needs no name. */
	if (r->map.n > 1)
		s.event = buf_view(&r->map);
	if (value < 0)
		s.count = 1;
	if (!collapse_wants(r->c, &s))
		return;
	if (value < 0 || !r->stack.n) {
		collapse_lose(r->c, value < 0 ? COLLAPSE_NEGATIVE : COLLAPSE_NO_STACK);
		return;
	}
	collapse_stack(r->c, &s, r->stack.ids, r->stack.n);
}

/* Takes the entries of a map. One without a stack is a sample when others have
 * one, else the map is of something else. */
static void
take_map(struct json_reader *p, struct reader *r)
{
	struct str key;
	int64_t value;

	r->empty = r->whole = 0;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		buf_clear(&r->key);
		buf_str(&r->key, key);
		if (json_peek(p) != JSON_NUMBER) {
			/* A histogram for each stack, or statistics. */
			if (str_find(key, '\n') < key.n)
				collapse_lose(r->c, COLLAPSE_MALFORMED);
			json_skip(p);
		} else if (json_read_i64(p, &value)) {
			fold_entry(r, value);
		}
	}
	while (r->whole && r->empty-- > 0)
		collapse_lose(r->c, COLLAPSE_NO_STACK);
}

/* Takes what an object of type "map", or one like it, has in data. */
static void
take_data(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str key;
	uint64_t lost;

	if (json_peek(p) != JSON_OBJECT || !json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		buf_clear(&r->map);
		buf_str(&r->map, key);
		if (str_eq(key, STR("events"))) {
			if (json_read_u64(p, &lost))
				collapse_lose_recorded(r->c, lost);
		} else if (str_starts(key, STR("@")) && json_peek(p) == JSON_OBJECT) {
			take_map(p, r);
		}
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_KEY("data", take_data) };
	struct reader r = { .c = c, .stack.c = c };
	struct json_profile f;

	json_profile_begin(&f, in, c);
	while (json_more(&f.p))
		json_walk(&f.p, keys, 1, &r);
	collapse_explain(c, (struct str){ 0 }, STR("bpftrace found no symbol"));
	frame_names_release(&r.stack);
	buf_release(&r.map);
	buf_release(&r.key);
	buf_release(&r.others);
	return json_profile_end(&f, true);
}

static int
probe(struct str head)
{
	static const char *const types[] = { "attached_probes", "map", "hist", "stats",
		"value", "printf", "time", "lost_events" };
	size_t i;

	if (!json_has(head, "data"))
		return 0;
	for (i = 0; i < sizeof types / sizeof *types; i++)
		if (json_has_text(head, "type", str_of(types[i])))
			return i < 2 ? 85 : 60;
	return 0;
}

const struct collapse_format collapse_bpftrace_json = {
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES,
};
