/* SPDX-License-Identifier: ISC */
/* Tests of table: its output, decoded by the rules of svg-data.h, is the tree. */
#include "packed.h"
#include "unit.h"
#include "table.h"

#include "mem.h"

/* The alphabet as described by svg-data.h: by its exceptions. */
static int
digit(char c)
{
	int value = 0;

	for (char d = '!'; d < c; d++)
		value += !strchr("\"&<>\\]", d);
	return strchr("\"&<>\\]", c) ? -1 : value;
}

static uint64_t
read_number(struct str *text)
{
	uint64_t value = 0, unit = 1;
	int d;

	for (;;) {
		CHECK(text->n > 0);
		d = text->n ? digit(text->s[0]) : 0;
		CHECK(d >= 0 && d < SVG_DATA_DIGITS);
		*text = str_from(*text, 1);
		if (d < SVG_DATA_LAST)
			return value + unit * (uint64_t)d;
		value += unit * (uint64_t)d;
		unit *= SVG_DATA_MORE;
	}
}

/* Undoes the escapes of a line. */
static struct str
read_name(struct buf *b, struct str line)
{
	uint64_t byte;

	buf_clear(b);
	for (; line.n; line = str_from(line, 1)) {
		if (line.s[0] == '\\' && line.n > 1 && line.s[1] == 'x') {
			CHECK(str_hex_to_u64((struct str){ line.s + 2, 2 }, &byte));
			buf_char(b, (char)byte);
			line = str_from(line, 3);
			continue;
		}
		if (line.s[0] == '\\')
			line = str_from(line, 1);
		buf_char(b, line.s[0]);
	}
	return buf_view(b);
}

/* Reads FRAMES back and compares with the walk W of T. */
static void
compare(struct str frames, const struct tree *t, const struct tree_walk *w,
	const struct table_order *o)
{
	uint64_t short_form, first, name, self[TREE_COLUMNS], child = 1, depth;
	uint32_t i, node;
	int c;

	for (i = 0; i < w->n; i++) {
		node = w->node[i];
		short_form = read_number(&frames);
		first = short_form ? 0 : read_number(&frames);
		name = short_form ? short_form - 1 : read_number(&frames);
		for (c = 0; c < t->columns; c++)
			self[c] = first & 1 ? read_number(&frames) : 0;
		depth = child - first / 2;
		child = depth + 1;
		CHECK_U64(depth, w->depth[i]);
		CHECK_U64(name < o->n ? o->ids[name] : TREE_GAP, t->nodes[node].name);
		for (c = 0; c < t->columns; c++)
			CHECK_U64(self[c], t->self[c][node]);
	}
	CHECK_U64(frames.n, 0);
}

static void
round_trip(const struct tree *t, enum tree_order order)
{
	uint16_t *colour = mem_zero(t->names.n, sizeof *colour);
	struct table_order o;
	struct tree_walk w;
	struct buf names = { 0 }, frames = { 0 }, name = { 0 };
	struct str rest, line;
	uint32_t i;

	for (i = 0; i < t->names.n; i++)
		colour[i] = (uint16_t)(i % 4096);
	tree_walk_init(&w, t, order);
	table_order_init(&o, t);
	table_put_names(&names, t, &o, colour);
	table_put_frames(&frames, t, &w, &o);
	compare(buf_view(&frames), t, &w, &o);
	rest = buf_view(&names);
	for (i = 0; i < o.n; i++) {
		line = str_cut(&rest, '\n');
		CHECK_U64(read_number(&line), colour[o.ids[i]]);
		CHECK_STR(read_name(&name, line), intern_str(&t->names, o.ids[i]));
		CHECK_U64(o.line[o.ids[i]], i);
	}
	CHECK_U64(rest.n, 0);
	table_order_release(&o);
	tree_walk_release(&w);
	buf_release(&names);
	buf_release(&frames);
	buf_release(&name);
	free(colour);
}

/* A random number, often small and sometimes of full width: 64 bits of a xorshift. */
static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> (*state % 60);
}

UNIT(random_trees_come_back)
{
	struct buf name = { 0 };
	uint64_t state = 42;
	uint32_t node;
	struct tree t;
	int i, columns;

	for (columns = 1; columns <= 2; columns++) {
		tree_init(&t, columns);
		node = TREE_ROOT;
		for (i = 0; i < 20000; i++) {
			buf_clear(&name);
			buf_u64(&name, next_random(&state) % 3000);
			if (next_random(&state) % 3 == 0)
				node = t.nodes[node].parent;
			node = tree_child(&t, node, buf_view(&name));
			if (i % 2)
				tree_add(&t, node, i % columns,
					next_random(&state) % 100000000000000);
		}
		round_trip(&t, TREE_BY_NAME);
		tree_release(&t);
	}
	buf_release(&name);
}

UNIT(the_largest_weight_comes_back)
{
	struct tree t;

	tree_init(&t, 1);
	tree_add(&t, tree_child(&t, TREE_ROOT, STR("a")), 0, UINT64_MAX);
	round_trip(&t, TREE_BY_NAME);
	tree_release(&t);
}

UNIT(gaps_come_back)
{
	struct tree t;
	uint32_t a;

	tree_init(&t, 1);
	a = tree_append(&t, TREE_ROOT, STR("a"));
	tree_add(&t, tree_append(&t, a, STR("b")), 0, 1);
	tree_add(&t, tree_append_id(&t, a, TREE_GAP), 0, 2);
	tree_add(&t, tree_append(&t, a, STR("b")), 0, 3);
	round_trip(&t, TREE_AS_ADDED);
	tree_release(&t);
}

UNIT(hostile_names_come_back)
{
	static const struct str names[] = { { "", 0 }, { "]]>", 3 }, { "]]]]", 4 },
		{ "a\\x41", 5 }, { "\0\x01\x1f\r\n\t\x7f", 7 }, { "\xff\xfe\xc3", 3 },
		{ "\xed\xa0\x80", 3 }, { "\xef\xbf\xbf\xef\xbf\xbe", 6 },
		{ "\xc3\xa9", 2 }, { "\\", 1 }, { "&<>\"", 4 } };
	struct tree t;
	size_t i;

	tree_init(&t, 1);
	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		tree_add(&t, tree_child(&t, TREE_ROOT, names[i]), 0, i);
	round_trip(&t, TREE_BY_NAME);
	tree_release(&t);
}

UNIT(the_most_used_name_is_first)
{
	struct table_order o;
	struct tree t;
	uint32_t a;

	tree_init(&t, 1);
	a = tree_child(&t, TREE_ROOT, STR("z"));
	tree_child(&t, TREE_ROOT, STR("c"));
	tree_child(&t, TREE_ROOT, STR("b"));
	tree_child(&t, a, STR("z"));
	table_order_init(&o, &t);
	CHECK_U64(o.n, 3);
	CHECK_STR(intern_str(&t.names, o.ids[0]), STR("z"));
	CHECK_STR(intern_str(&t.names, o.ids[1]), STR("b"));
	CHECK_STR(intern_str(&t.names, o.ids[2]), STR("c"));
	table_order_release(&o);
	tree_release(&t);
}

UNIT(chunks_are_short_and_end_between_lines)
{
	struct buf text = { 0 }, joined = { 0 };
	struct str rest, chunk;
	int i;

	for (i = 0; i < 300000; i++) {
		buf_u64(&text, (uint64_t)i);
		buf_char(&text, '\n');
	}
	rest = buf_view(&text);
	while (rest.n) {
		chunk = table_chunk(&rest);
		CHECK(chunk.n > 0 && chunk.n <= SVG_DATA_CHUNK);
		CHECK(chunk.s[chunk.n - 1] == '\n');
		buf_str(&joined, chunk);
	}
	CHECK_STR(buf_view(&joined), buf_view(&text));
	buf_release(&text);
	buf_release(&joined);
}

UNIT(a_chunk_of_one_long_line_ends_between_characters)
{
	struct buf text = { 0 };
	struct str rest, chunk;
	int i;

	buf_char(&text, '!');
	for (i = 0; i < 800000; i++)
		buf_str(&text, STR("\xc3\xa9"));
	rest = buf_view(&text);
	chunk = table_chunk(&rest);
	CHECK(chunk.n <= SVG_DATA_CHUNK && chunk.n > SVG_DATA_CHUNK - 4);
	CHECK(rest.s[0] == '\xc3');
	CHECK_U64(chunk.n + rest.n, text.n);
	buf_release(&text);
}

/* Packs the stack NAME, and reads it back. */
static void
pack_and_read(struct str name)
{
	struct buf text = { 0 }, packed = { 0 }, again = { 0 }, document = { 0 };
	struct buf lines = { 0 };

	buf_char(&text, '!');
	buf_str(&text, name);
	buf_str(&text, STR("\n\n!#!%"));
	buf_str(&again, STR("head"));
	CHECK(table_pack(&packed, buf_view(&text)));
	CHECK(table_pack(&again, buf_view(&text)));
	CHECK_U64(packed.n % 4, 0);
	CHECK(str_starts(buf_view(&again), STR("head")));
	CHECK(str_eq(str_from(buf_view(&again), 4), buf_view(&packed)));
	CHECK(!svg_data_read(packed_document(&document, buf_view(&packed)), 1, 0,
		append_line, &lines));
	CHECK(str_ends(buf_view(&lines), STR(" 3\n")));
	CHECK(str_eq(str_head(buf_view(&lines), lines.n - 3), name));
	buf_release(&text);
	buf_release(&packed);
	buf_release(&again);
	buf_release(&document);
	buf_release(&lines);
}

/* Adds a random byte that is not escaped in a name. */
static void
add_random(struct buf *b, uint64_t *state)
{
	buf_char(b, (char)('a' + (next_random(state) & 0xff) % 26));
}

UNIT(packed_text_comes_back)
{
	struct buf name = { 0 };
	uint64_t state = 42;
	int n;

	pack_and_read((struct str){ 0 });
	/* the three possible ends of base64 */
	for (n = 0; n < 40; n++) {
		add_random(&name, &state);
		pack_and_read(buf_view(&name));
	}
	/* compressible data, then incompressible data, more than one step takes */
	for (n = 0; n < 1000000; n++)
		buf_char(&name, 'a');
	pack_and_read(buf_view(&name));
	for (n = 0; n < 2000000; n++)
		add_random(&name, &state);
	pack_and_read(buf_view(&name));
	buf_release(&name);
}

UNIT_MAIN
