/* SPDX-License-Identifier: ISC */
/*
 * What node --prof recorded, after node --prof-process --preprocess v8.log:
 *
 *	{"code":[{"name":"/usr/bin/node","type":"SHARED_LIB"},
 *	  {"name":"_init","type":"CPP"},
 *	  {"name":"CEntry","timestamp":8557,"type":"CODE","kind":"Builtin"},
 *	  {"name":"work /opt/js.js:2:14","type":"JS","kind":"Opt","func":161,"tm":34646}],
 *	 "functions":[{"name":"work /opt/js.js:2:14","codes":[3]}],
 *	 "ticks":[{"tm":34923,"vm":0,"s":[3,120,-1,19295144]}],
 *	 "scripts":[...]}
 *
 * A tick has a time in microseconds, what the machine was doing, and its stack:
 * pairs of a place in code and how far from its beginning, or -1 and an address
 * that is in no code, innermost frame first. A function has as many codes as it
 * was compiled, which make one frame here. A tick weighs the time since the one
 * before it. As in node's own summary an address in no code counts only where
 * it is the innermost frame; others are V8's stubs between two functions.
 *
 * v8/tools/tickprocessor.mjs and profile.mjs (class JsonProfile).
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "readers/json-profile.h"

#include <inttypes.h>
#include <stdio.h>

/* What the machine was doing: garbage collection. */
enum { VM_COLLECTOR = 1 };

struct code {
	struct buf name, type, kind;
};

struct entry {
	uint32_t name; /* a frame of the sink */
	bool native;   /* neither JavaScript nor V8's own code */
};

struct reader {
	struct collapse *c;
	struct code code;    /* the one under way */
	struct entry *codes; /* by place in code */
	size_t code_n, code_cap;
	struct frame_names stack; /* of the tick under way */
	int64_t *pairs;		  /* its pairs */
	size_t pair_n, pair_cap;
	uint64_t last; /* the time of the tick before, us */
};

/* How node marks the JavaScript it compiled; what is interpreted or compiled
 * without optimising costs more. */
static const struct {
	const char *kind, *mark;
	unsigned jit;
} marks[] = {
	{ "Opt", "*", COLLAPSE_JIT },
	{ "Maglev", "+", COLLAPSE_JIT },
	{ "Sparkplug", "^", COLLAPSE_JIT },
	{ "Unopt", "~", 0 },
};

/* Takes what is behind the last colon of TEXT, a number, off; 0: there is none. */
static uint64_t
cut_number(struct str *text)
{
	size_t colon = str_rfind(*text, ':');
	uint64_t value;

	if (colon == text->n || !str_to_u64(str_from(*text, colon + 1), &value))
		return 0;
	text->n = colon;
	return value;
}

/* Where the blank before the file is in "get size /opt/my files/js.js": before the
 * first thing that looks like the beginning of one, else the last. */
static size_t
find_file(struct str text)
{
	static const char *const begins[] = { " /",
		" node:", " file:", " http:", " https:" };
	size_t first = text.n, at, i;

	for (i = 0; i < sizeof begins / sizeof *begins; i++) {
		at = str_search(text, str_of(begins[i]));
		first = at < first ? at : first;
	}
	return first < text.n ? first : str_rfind(text, ' ');
}

/* The frame of a JavaScript function, "work /opt/js.js:2:14"; a name may be missing
 * or have blanks, a file too. */
static uint32_t
name_script(struct reader *r, struct str kind)
{
	struct str text = buf_view(&r->code.name), place = text;
	struct frame_names_script f = { .line = 0 };
	struct buf marked = { 0 };
	uint32_t id;
	size_t i;

	for (i = 0; i < sizeof marks / sizeof *marks; i++)
		if (str_eq(kind, str_of(marks[i].kind))) {
			buf_str(&marked, str_of(marks[i].mark));
			f.kind = marks[i].jit;
		}
	if (!text.n || text.s[0] == ' ')
		buf_str(&marked, STR("<anonymous>"));
	buf_str(&marked, text);
	f.marked = buf_view(&marked);
	/* The column, then the line. */
	if (cut_number(&place)) {
		f.line = cut_number(&place);
		f.name = str_head(place, find_file(place));
		f.file = str_from(place, f.name.n + 1);
	} else {
		f.name = str_trim(text);
	}
	id = frame_names_script(r->c, &f);
	buf_release(&marked);
	return id;
}

/* The frame of code that V8 made for itself: "(builtin) ArrayMap". */
static uint32_t
name_stub(struct reader *r, struct str kind)
{
	static const struct {
		const char *kind, *shown;
	} kinds[] = { { "Builtin", "builtin" }, { "BytecodeHandler", "bytecode" },
		{ "RegExp", "regexp" }, { "Stub", "stub" } };
	struct buf name = { 0 };
	struct str shown = kind.n ? kind : STR("code");
	uint32_t id;
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (str_eq(kind, str_of(kinds[i].kind)))
			shown = str_of(kinds[i].shown);
	buf_char(&name, '(');
	buf_str(&name, shown);
	buf_char(&name, ')');
	if (r->code.name.n)
		buf_char(&name, ' ');
	buf_str(&name, buf_view(&r->code.name));
	id = collapse_frame(r->c, buf_view(&name), COLLAPSE_JIT);
	buf_release(&name);
	return id;
}

/* The frame of a native function, or of a library when NATIVE says none. */
static uint32_t
name_native(struct reader *r, bool library)
{
	struct str text = buf_view(&r->code.name);
	struct frame_names_symbol s = { .name = text };

	/* On macOS names come from nm with its letter. */
	if (str_starts(text, STR("t ")) || str_starts(text, STR("T ")))
		s.name = str_from(text, 2);
	if (library)
		s = (struct frame_names_symbol){ .module = text };
	r->stack.n = 0;
	frame_names_add(&r->stack, &s);
	return r->stack.ids[0];
}

static uint32_t
name_code(struct reader *r)
{
	struct str type = buf_view(&r->code.type), kind = buf_view(&r->code.kind);

	if (str_eq(type, STR("JS")))
		return name_script(r, kind);
	if (str_eq(type, STR("SHARED_LIB")))
		return name_native(r, true);
	if (str_eq(type, STR("CPP")))
		return name_native(r, false);
	return name_stub(r, kind);
}

static void
take_code(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str key;

	buf_clear(&r->code.name);
	buf_clear(&r->code.type);
	buf_clear(&r->code.kind);
	/* What is no code keeps its place, as a frame without a name. */
	if (!json_read_object(p))
		buf_str(&r->code.type, STR("CPP"));
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")))
			json_read_text(p, &r->code.name);
		else if (str_eq(key, STR("type")))
			json_read_text(p, &r->code.type);
		else if (str_eq(key, STR("kind")))
			json_read_text(p, &r->code.kind);
	r->codes = mem_grow(r->codes, &r->code_cap, r->code_n + 1, sizeof *r->codes);
	r->codes[r->code_n++] = (struct entry){ name_code(r),
		!str_eq(buf_view(&r->code.type), STR("JS")) &&
			!str_eq(buf_view(&r->code.type), STR("CODE")) };
}

/* Adds the frame at ADDRESS, which is in no code. */
static void
add_unknown(struct reader *r, uint64_t address)
{
	char text[17];
	struct frame_names_symbol s = { .address = { text, 0 } };

	s.address.n = (size_t)snprintf(text, sizeof text, "%" PRIx64, address);
	frame_names_add(&r->stack, &s);
}

/* Takes the pairs of a stack. */
static void
take_pairs(struct json_reader *p, struct reader *r)
{
	enum { PIECE = 128 };
	int64_t value;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		r->pairs = mem_grow(
			r->pairs, &r->pair_cap, r->pair_n + PIECE + 1, sizeof *r->pairs);
		r->pair_n += json_take_wholes(p, r->pairs + r->pair_n, PIECE);
		/* A code that is none, so that the tick is lost. */
		if (!json_read_i64(p, &value))
			value = INT64_MIN;
		r->pairs[r->pair_n++] = value;
	}
}

/* Makes the pairs the stack of a tick of VM. False when they are none. */
static bool
find_stack(struct reader *r, uint64_t vm)
{
	bool collects = vm == VM_COLLECTOR, leaf = true;
	const struct entry *e;
	int64_t code;
	size_t i;

	if (r->pair_n % 2)
		return false;
	for (i = 0; i < r->pair_n; i += 2, leaf = false) {
		code = r->pairs[i];
		if (code < -1 || code >= (int64_t)r->code_n)
			return false;
		e = code < 0 ? NULL : &r->codes[code];
		/* What the collector runs is native, or not known. */
		if (leaf && e && e->native)
			frame_names_push(&r->stack, e->name);
		if (leaf && collects)
			frame_names_push(&r->stack,
				collapse_frame(r->c, STR("(garbage collector)"), 0));
		else if (leaf && !e)
			add_unknown(r, (uint64_t)r->pairs[i + 1]);
		if (e && !(leaf && e->native))
			frame_names_push(&r->stack, e->name);
	}
	return true;
}

static void
fold_tick(struct reader *r, uint64_t time, uint64_t vm)
{
	struct collapse_sample s = { .has_time = true, .has_period = true };
	bool backwards = time < r->last, good;

	if (time > UINT64_MAX / 1000) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	s.time = time * 1000;
	s.period = backwards ? 0 : (time - r->last) * 1000;
	r->last = backwards ? r->last : time;
	if (!collapse_wants(r->c, &s))
		return;
	r->stack.n = 0;
	good = find_stack(r, vm);
	if (backwards || !good || !r->stack.n) {
		collapse_lose(r->c,
			!good		    ? COLLAPSE_MALFORMED
				: backwards ? COLLAPSE_NEGATIVE
					    : COLLAPSE_NO_STACK);
		return;
	}
	collapse_stack(r->c, &s, r->stack.ids, r->stack.n);
}

static void
take_tick(struct json_reader *p, void *context)
{
	struct reader *r = context;
	uint64_t time = 0, vm = 0;
	bool good = false;
	struct str key;

	r->pair_n = 0;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("tm")))
			good = json_read_u64(p, &time);
		else if (str_eq(key, STR("vm")))
			(void)json_read_u64(p, &vm);
		else if (str_eq(key, STR("s")))
			take_pairs(p, r);
	if (good && !json_failed(p))
		fold_tick(r, time, vm);
	else if (!json_failed(p))
		collapse_lose(r->c, COLLAPSE_MALFORMED);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_EACH("code", take_code),
		JSON_EACH("ticks", take_tick) };
	struct reader r = { .c = c, .stack.c = c };
	struct json_profile f;

	json_profile_begin(&f, in, c);
	collapse_unit(c, STR("ns"));
	json_walk(&f.p, keys, sizeof keys / sizeof *keys, &r);
	collapse_explain(c, (struct str){ 0 },
		STR("not in any function that V8 or its log knows"));
	buf_release(&r.code.name);
	buf_release(&r.code.type);
	buf_release(&r.code.kind);
	free(r.codes);
	free(r.pairs);
	frame_names_release(&r.stack);
	return json_profile_end(&f, true);
}

/* The list of code is most often longer than HEAD, and what comes after it is not
 * seen. */
static int
probe(struct str head)
{
	if (!json_has(head, "code[].name") || !json_has(head, "code[].type"))
		return 0;
	return json_has(head, "ticks") ? 90 : 70;
}

const struct collapse_format collapse_v8_prof = {
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_JIT | COLLAPSE_USES_ADDRS | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_FULL_NAMES,
};
