/* SPDX-License-Identifier: ISC */
/*
 * The page "Flame Graph" of go tool pprof -http, saved. Until Go 1.19 it contains a tree
 * for d3-flame-graph, in a string:
 *
 *	var data = JSON.parse("{\u0022n\u0022:\u0022root\u0022,\u0022f\u0022:\u0022root\u0022,
 *	\u0022v\u0022:1500000000,\u0022l\u0022:\u00221.50s\u0022,\u0022c\u0022:[...]}");
 *
 * Later pages have stacks, outermost function first, beginning with a root:
 *
 *	stackViewer({"Total":1500000000,"Scale":1e-09,"Type":"cpu","Unit":"s",
 *	 "Stacks":[{"Value":10000000,"Sources":[0,1,2]},...],
 *	 "Sources":[{"FullName":"root",...},{"FullName":"main.main","Inlined":false,...},...]},
 *
 * google/pprof, internal/driver/flamegraph.go (until 2022), internal/report/stacks.go.
 */
#include "stacks/boxes.h"
#include "buf.h"
#include "formats.h"
#include "d3-tree.h"
#include "readers/json-profile.h"
#include "mem.h"
#include "msg.h"

struct reader {
	struct collapse *c;
	struct boxes boxes;	   /* rows have the same numbers as in stacks */
	struct stack_table stacks; /* of sources, by index */
	uint32_t *frames;	   /* of sources */
	size_t frame_n, frame_cap;
	struct json_ints sources; /* of one stack */
	struct buf unit;
	double scale;
};

static void
read_stack(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct weight weight = { 0 };
	uint32_t row = STACK_EMPTY;
	bool negative = false;
	struct str key;
	size_t i;

	r->sources.n = 0;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("Value")))
			(void)json_read_weight(p, &weight, &negative);
		else if (str_eq(key, STR("Sources")))
			(void)json_read_ints(p, &r->sources, -1);
	if (json_failed(p))
		return;
	/* The first is the root. */
	for (i = 1; i < r->sources.n && row != STACK_NOWHERE; i++)
		row = r->sources.items[i] < 0 ? STACK_NOWHERE
					      : boxes_child(&r->boxes, &r->stacks, row,
							(uint32_t)r->sources.items[i]);
	if (row >= r->boxes.n)
		collapse_lose(r->c,
			row == STACK_EMPTY ? COLLAPSE_NO_STACK : COLLAPSE_MALFORMED);
	else if (negative)
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
	else if (!boxes_weigh(&r->boxes, row, BOXES_AFTER, weight))
		collapse_lose(r->c, COLLAPSE_OVERFLOW);
}

static void
read_source(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct buf name = { 0 };
	bool is_inlined = false;
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("FullName")))
			json_read_text(p, &name);
		else if (str_eq(key, STR("Inlined")))
			(void)json_read_bool(p, &is_inlined);
	is_inlined &= collapse_options(r->c)->inlined;
	*MEM_ADD(r->frames, r->frame_n, r->frame_cap) =
		collapse_frame(r->c, buf_view(&name), is_inlined ? COLLAPSE_INLINED : 0);
	buf_release(&name);
}

static void
read_unit(struct json_reader *p, void *context)
{
	struct reader *r = context;

	json_read_text(p, &r->unit);
}

static void
read_scale(struct json_reader *p, void *context)
{
	struct reader *r = context;

	(void)json_read_double(p, &r->scale);
}

/* Reads the stacks of newer pages. A value times the scale is in the page's unit. */
static void
read_stacks(struct json_reader *p, struct reader *r)
{
	static const struct json_key keys[] = { JSON_KEY("Scale", read_scale),
		JSON_KEY("Unit", read_unit), JSON_EACH("Stacks", read_stack),
		JSON_EACH("Sources", read_source) };
	struct str unit;
	double times;

	json_walk(p, keys, sizeof keys / sizeof *keys, r);
	boxes_rename(&r->boxes, r->frames, r->frame_n);
	unit = buf_view(&r->unit);
	times = r->scale * (str_eq(unit, STR("s")) ? 1e9 : 1);
	if (str_eq(unit, STR("s")))
		unit = STR("ns");
	else if (str_eq(unit, STR("B")))
		unit = STR("bytes");
	boxes_set_unit(&r->boxes, unit);
	if (times >= 1.5 && times <= 1e9)
		r->boxes.times = (uint64_t)(times + 0.5);
}

/* The unit of an older page's values, one of which has the LABEL "1.50s", "512kB" or
 * "12". */
static struct str
find_unit(struct str label)
{
	static const struct {
		const char *end;
		const char *unit;
	} units[] = { { "B", "bytes" }, { "s", "ns" }, { "hrs", "ns" },
		{ "mins", "ns" } };
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (str_ends(label, str_of(units[i].end)))
			return str_of(units[i].unit);
	return (struct str){ 0 };
}

/* Extracts the JSON of an older page from a string in DOCUMENT. */
static bool
cut_tree(struct str document, struct buf *json)
{
	struct str open = STR("JSON.parse(\""), quoted = STR("\"\"");
	struct str string = str_from(document, str_search(document, open));
	struct json_reader p;
	struct input *in;
	bool good;

	if (!string.n)
		return false;
	/* JavaScript strings are JSON strings, except for a few escapes that these pages
	 * do not use. */
	string = str_from(string, open.n - 1);
	in = input_of_memory("page", string.n ? string : quoted);
	json_reader_init(&p, in);
	p.quiet = true;
	json_read_text(&p, json);
	good = !json_failed(&p) && json->n > 0;
	json_reader_release(&p);
	input_close(in);
	return good;
}

/* Folds JSON, of a newer page or an older one. */
static bool
fold(struct reader *r, struct input *json, bool is_newer)
{
	struct json_profile f;
	struct buf label = { 0 };

	json_profile_begin(&f, json, r->c);
	if (is_newer) {
		read_stacks(&f.p, r);
	} else {
		d3_tree_read(&r->boxes, &f.p, &label);
		boxes_set_unit(&r->boxes, find_unit(buf_view(&label)));
	}
	boxes_fold(&r->boxes);
	buf_release(&label);
	return json_profile_end(&f, true);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .boxes = { .c = c, .columns = 1 }, .scale = 1 };
	struct str document = input_rest(in), open = STR("stackViewer({");
	struct str newer = str_from(document, str_search(document, open));
	struct input *part = NULL;
	struct buf json = { 0 };
	bool good = false;

	if (newer.n)
		part = input_of_memory(input_name(in), str_from(newer, open.n - 1));
	else if (cut_tree(document, &json))
		part = input_of_memory(input_name(in), buf_view(&json));
	if (part)
		good = fold(&r, part, newer.n > 0);
	else
		msg_error(
			"%s: is a page of go tool pprof without a flame graph, or is truncated; "
			"save the page Flame Graph, or give the profile itself",
			input_name(in));
	input_close(part);
	input_skip(in, document.n);
	boxes_release(&r.boxes);
	stack_table_release(&r.stacks);
	json_ints_release(&r.sources);
	buf_release(&r.unit);
	buf_release(&json);
	free(r.frames);
	return good;
}

static int
probe(struct str head)
{
	(void)head;
	return 90;
}

const struct collapse_format collapse_pprof_html = {
	.probe = probe,
	.signs = SIGNS(
		SIGN(MARKUP, ">pprof</a></h1>"), SIGN(MARKUP, "stackViewer({\"Total\"")),
	.run = run,
	.uses = COLLAPSE_USES_INLINED,
};
