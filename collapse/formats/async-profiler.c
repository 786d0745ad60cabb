/* SPDX-License-Identifier: ISC */
/*
 * Flame graphs of async-profiler as web pages, by its agent since 2.0 or by jfrconv:
 *
 *	let inverted = false;
 *	const units = 'samples';
 *	const maxdiff = -1;
 *	const cpool = [
 *	'all',
 *	' java/lang/Thread.run',
 *	'1start'
 *	];
 *	unpack(cpool);
 *
 *	n(3,6821)
 *	u(9,290)
 *	n(17)
 *
 *	search();
 *
 * Each name except the first begins with a character whose code minus 32 is the number of bytes
 * shared with the previous name. A call is a frame: f(key,level,left,width), u(key,width) one level
 * higher, n(key,width) on the level of the last one; a missing or zero width repeats the previous
 * call's. A key is eight times the name's index plus the type of code. Calls are in depth-first
 * order; their width includes their callees. Up to 2.9 the only call was
 * f(level,left,width,type,'name').
 *
 * A page that compares two profiles has lines d=-189 or d=U between the calls: by how much the self
 * weight of the following frames changed, or that they are new. Removed frames are not in the page.
 *
 * async-profiler, src/flameGraph.cpp, src/converter/one/convert/FlameGraph.java.
 */
#include "stacks/boxes.h"
#include "buf.h"
#include "formats.h"
#include "readers/json-columns.h"
#include "mem.h"
#include "msg.h"

/* How a frame's code ran; the numbers are the file format's. */
enum type { INTERPRETED, COMPILED, INLINED, NATIVE, CPP, KERNEL, C1, TYPES = 8 };

/* Parts of the page, in order. */
enum part { SCRIPT, NAMES, CALLS, END };

struct reader {
	struct collapse *c;
	struct input *in;
	struct boxes boxes;
	enum part part;
	struct buf unit, name;
	struct json_texts names;
	uint32_t *frames; /* by key; UINT32_MAX: not resolved yet */
	uint32_t *path;	  /* current boxes, by level */
	size_t depth, path_cap;
	uint64_t width;
	int64_t change; /* of self weight */
	bool is_new, inverted;
};

/* Returns "samples" of "const units = 'samples';". */
static struct str
cut_quoted(struct str line)
{
	(void)str_cut(&line, '\'');
	return str_cut(&line, '\'');
}

/* Adds TEXT, a JavaScript string, without its backslashes. */
static void
put_string(struct buf *b, struct str text)
{
	size_t i;

	for (i = 0; i < text.n; i++) {
		i += text.s[i] == '\\' && i + 1 < text.n;
		buf_char(b, text.s[i]);
	}
}

/* Adds the name of LINE, "'1start',". */
static void
add_name(struct reader *r, struct str line)
{
	size_t shared = 0;
	struct buf text = { 0 };

	line = str_head(line, str_rfind(line, '\''));
	put_string(&text, str_from(line, 1));
	if (r->names.n && text.n)
		shared = (unsigned char)text.s[0] - (size_t)' ';
	if (shared > r->name.n || (r->names.n && !text.n)) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		shared = 0;
	}
	r->name.n = shared;
	buf_str(&r->name, str_from(buf_view(&text), r->names.n > 0));
	json_texts_add(&r->names, buf_view(&r->name));
	buf_release(&text);
}

static void
end_names(struct reader *r)
{
	size_t n = r->names.n * TYPES;

	r->frames = mem_resize(r->frames, n, sizeof *r->frames);
	memset(r->frames, 0xff, n * sizeof *r->frames);
	r->part = CALLS;
}

static uint32_t
make_frame(struct reader *r, struct str name, enum type type)
{
	bool marks = collapse_options(r->c)->inlined;
	unsigned kind = type == KERNEL		 ? COLLAPSE_KERNEL
		: type == COMPILED || type == C1 ? COLLAPSE_JIT
		: type == INLINED && marks	 ? COLLAPSE_INLINED
						 : 0;

	return collapse_frame(r->c, name, kind);
}

/* Returns false if KEY is out of range. */
static bool
find_frame(struct reader *r, uint64_t key, uint32_t *frame)
{
	struct str name;

	if (key / TYPES >= r->names.n)
		return false;
	if (r->frames[key] == UINT32_MAX) {
		(void)json_texts_get(&r->names, (int64_t)(key / TYPES), &name);
		r->frames[key] = make_frame(r, name, (enum type)(key % TYPES));
	}
	*frame = r->frames[key];
	return true;
}

/* Adds FRAME at LEVEL; a WIDTH of 0 repeats the last one. Returns false if LEVEL skips one. */
static bool
add_frame(struct reader *r, uint32_t frame, uint64_t level, uint64_t width)
{
	struct box *box;
	uint32_t i;

	if (level > r->depth)
		return false;
	i = boxes_add(&r->boxes, frame, level ? r->path[level - 1] : BOXES_NONE);
	if (i == BOXES_NONE)
		return false;
	*MEM_AT(r->path, r->path_cap, level) = i;
	r->depth = level + 1;
	r->width = width ? width : r->width;
	box = &r->boxes.items[i];
	box->is_root = level == 0;
	box->weight[BOXES_AFTER] = r->width;
	/* The change for now: find_before needs the self weight, known only at the end. */
	box->weight[BOXES_BEFORE] = (uint64_t)(r->is_new ? INT64_MIN : r->change);
	return true;
}

/* Cuts a number and the comma after it off *REST; a missing number is 0. */
static bool
cut_number(struct str *rest, uint64_t *value)
{
	struct str text = str_cut(rest, ',');

	*value = 0;
	return !text.n || str_to_u64(text, value);
}

/* CALL: "level,left,width,type,'name'", written up to 2.9. Returns false if malformed. */
static bool
parse_named(struct reader *r, struct str call)
{
	uint64_t level, left, width, type;
	struct str name;

	if (!cut_number(&call, &level) || !cut_number(&call, &left) ||
		!cut_number(&call, &width) || !cut_number(&call, &type) ||
		!str_starts(call, STR("'")))
		return false;
	name = str_head(call, str_rfind(call, '\''));
	buf_clear(&r->name);
	put_string(&r->name, str_from(name, 1));
	return add_frame(r, make_frame(r, buf_view(&r->name), (enum type)(type % TYPES)),
		level, width);
}

/* Handles FUNCTION(CALL). Returns false if malformed. */
static bool
parse_call(struct reader *r, char function, struct str call)
{
	uint64_t key, level = r->depth, left, width;
	uint32_t frame;

	if (!r->names.n)
		return function == 'f' && parse_named(r, call);
	if (!cut_number(&call, &key) || !find_frame(r, key, &frame))
		return false;
	if (function == 'f' && (!cut_number(&call, &level) || !cut_number(&call, &left)))
		return false;
	if (function == 'n')
		level -= level > 0;
	return cut_number(&call, &width) && add_frame(r, frame, level, width);
}

/* TEXT: "-189" or "U". Returns false if malformed. */
static bool
parse_change(struct reader *r, struct str text)
{
	uint64_t size = 0;
	bool less = str_starts(text, STR("-"));

	r->is_new = str_eq(text, STR("U"));
	if (!r->is_new && (!str_to_u64(str_from(text, less), &size) || size > INT64_MAX))
		return false;
	r->change = less ? -(int64_t)size : (int64_t)size;
	r->boxes.columns = BOXES_COLUMNS;
	return true;
}

/* Calls of the page's own script are indented. */
static bool
is_call(struct str line)
{
	return line.n > 2 && memchr("fun", line.s[0], 3) && line.s[1] == '(' &&
		line.s[line.n - 1] == ')';
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str text = str_trim(line);

	if (r->part == NAMES && str_starts(line, STR("'"))) {
		add_name(r, line);
	} else if (r->part == NAMES) {
		end_names(r);
	} else if (str_starts(line, STR("search("))) {
		r->part = END;
	} else if (str_starts(text, STR("const cpool"))) {
		r->part = NAMES;
	} else if (str_starts(text, STR("const units"))) {
		buf_clear(&r->unit);
		buf_str(&r->unit, cut_quoted(text));
	} else if (str_starts(text, STR("let inverted = true")) ||
		str_starts(text, STR("var inverted = true"))) {
		r->inverted = true;
	} else if (is_call(line)) {
		r->part = CALLS;
		if (!parse_call(r, line.s[0], (struct str){ line.s + 2, line.n - 3 }))
			collapse_lose(r->c, COLLAPSE_MALFORMED);
	} else if (r->part == CALLS && str_starts(line, STR("d="))) {
		if (!parse_change(r, str_from(line, 2)))
			collapse_lose(r->c, COLLAPSE_MALFORMED);
	} else if (r->part == CALLS && text.n && !str_starts(line, STR("unpack("))) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	}
}

/* Computes the self weights before from those after and the changes. */
static void
find_before(struct boxes *b)
{
	struct box *box;
	uint64_t after;
	int64_t change;

	for (box = b->items; box && box < b->items + b->n; box++) {
		after = box->weight[BOXES_AFTER];
		change = (int64_t)box->weight[BOXES_BEFORE];
		box->weight[BOXES_BEFORE] = 0;
		if (change == INT64_MIN)
			continue;
		if (change < 0 && after > UINT64_MAX - (0 - (uint64_t)change))
			collapse_lose(b->c, COLLAPSE_OVERFLOW);
		else if (change < 0 || after >= (uint64_t)change)
			box->weight[BOXES_BEFORE] = after - (uint64_t)change;
	}
}

/* In a truncated page the self weight of the last frame and of its callers is unknown. */
static void
empty_path(struct reader *r)
{
	size_t i;

	for (i = 0; i < r->depth; i++)
		r->boxes.items[r->path[i]].weight[BOXES_AFTER] = 0;
}

static bool
fold(struct reader *r)
{
	uint64_t before = collapse_samples(r->c);
	const char *name = input_name(r->in);

	boxes_set_unit(&r->boxes, buf_view(&r->unit));
	/* Bytes and times hardly ever have a frame of weight 1. */
	if (r->boxes.counts)
		boxes_warn_narrowest(&r->boxes, name, buf_view(&r->unit));
	if (boxes_subtract(&r->boxes, BOXES_AFTER))
		msg_warn("%s: some frames weigh less than their callees", name);
	if (r->part != END)
		empty_path(r);
	if (r->boxes.columns > 1)
		find_before(&r->boxes);
	if (r->inverted)
		msg_warn("%s: has its root on top; stacks may be reversed", name);
	boxes_fold(&r->boxes);
	return r->part == END || collapse_damage(r->c, before, true);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .in = in, .boxes = { .c = c, .columns = 1 } };
	struct str line;
	bool good;

	collapse_threadless(c);
	while (r.part != END && input_line(in, &line))
		parse_line(&r, line);
	good = fold(&r);
	boxes_release(&r.boxes);
	buf_release(&r.unit);
	buf_release(&r.name);
	json_texts_release(&r.names);
	free(r.frames);
	free(r.path);
	return good;
}

static int
probe(struct str head)
{
	(void)head;
	return 95;
}

const struct collapse_format collapse_async_profiler = {
	.probe = probe,
	.signs = SIGNS(SIGN(MARKUP, "const cpool = [\n'all'"),
		SIGN(MARKUP, "const cpool = [\r\n'all'"), SIGN(MARKUP, "\nf(0,0,")),
	.run = run,
	.uses = COLLAPSE_USES_KERNEL | COLLAPSE_USES_JIT | COLLAPSE_USES_INLINED,
};
