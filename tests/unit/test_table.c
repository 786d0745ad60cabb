/* SPDX-License-Identifier: ISC */
/* Tests of table: what is written, read again by the rules of table.h, is the
 * tree. */
#include "unit.h"
#include "table.h"

#include "buf.h"
#include "mem.h"

/* The alphabet as table.h describes it: by its exceptions. */
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
		CHECK(d >= 0 && d < TABLE_DIGITS);
		*text = str_from(*text, 1);
		if (d < TABLE_LAST)
			return value + unit * (uint64_t)d;
		value += unit * (uint64_t)d;
		unit *= TABLE_MORE;
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

/* A number that is often small and sometimes any: 64 bits of a xorshift. */
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
	tree_add(&t, tree_append_gap(&t, a), 0, 2);
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
		CHECK(chunk.n > 0 && chunk.n <= TABLE_CHUNK);
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
	CHECK(chunk.n <= TABLE_CHUNK && chunk.n > TABLE_CHUNK - 4);
	CHECK(rest.s[0] == '\xc3');
	CHECK_U64(chunk.n + rest.n, text.n);
	buf_release(&text);
}

/* A document with a table, as svg.c lays it out. */
static struct str
document_of(struct buf *b, const char *names, const char *frames)
{
	buf_clear(b);
	buf_fmt(b, "<svg><script class=\"fg-header\"><![CDATA[#fg columns=1]]></script>");
	buf_fmt(b, "<script class=\"fg-names\"><![CDATA[%s]]></script>", names);
	buf_fmt(b, "<script class=\"fg-frames\"><![CDATA[%s]]></script></svg>", frames);
	return buf_view(b);
}

static void
take_line(void *to, struct str line)
{
	buf_str(to, line);
	buf_char(to, '\n');
}

/* What is wrong with such a document; its stacks go to LINES. */
static const char *
read_document(const char *names, const char *frames, struct buf *lines)
{
	struct buf b = { 0 };
	const char *wrong;

	buf_clear(lines);
	wrong = table_read(document_of(&b, names, frames), 1, 0, take_line, lines);
	buf_release(&b);
	return wrong;
}

UNIT(stacks_are_read_back)
{
	struct buf lines = { 0 };

	/* a; a;b 3; a;c 1; the numbers by their digits: 0 '!', 1 '#', 2 '$', 3 '%' */
	CHECK(!read_document("!a\n!b\\x3b\n!c\\\\\n", "#!##%!%$#", &lines));
	CHECK_STR(buf_view(&lines), STR("a;b; 3\na;c\\ 1\n"));
	buf_release(&lines);
}

UNIT(a_gap_is_a_line_of_its_parent)
{
	struct buf lines = { 0 };

	CHECK(!read_document("!a\n!b\n", "!#!#!###!%$$", &lines));
	CHECK_STR(buf_view(&lines), STR("a 1\na;b 1\na 2\n"));
	buf_release(&lines);
}

UNIT(a_damaged_table_is_told)
{
	static const char *const rows[] = { "", "\"", "!", "!#", "!#!", "!$!", "'", "~",
		"!#~", "!#!~~~~~~~~~~~~~~~~~~~~~!", "!~~~~~~~~~~~~~~~~!" };
	struct buf lines = { 0 };
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(read_document("!a\n!b\n", rows[i], &lines));
	buf_release(&lines);
}

UNIT(a_colour_has_as_many_digits_as_it_needs)
{
	struct buf lines = { 0 };

	/* 56 is two digits, 4095 three; the name after them may begin with a digit */
	CHECK(!read_document("_!!a\nfe$~b\n", "#!###", &lines));
	CHECK_STR(buf_view(&lines), STR("!a;~b 1\n"));
	CHECK(read_document("!a\n\n", "#!###", &lines));
	CHECK(read_document("!a\n~\n", "#!###", &lines));
	CHECK_U64(lines.n, 0);
	buf_release(&lines);
}

UNIT(a_document_without_table_has_no_header)
{
	CHECK(!table_header(STR("<svg><text>#fg columns=1</text></svg>")).n);
	CHECK(!table_header(STR("<svg><script class=\"fg-header\"><![CDATA[#fg ")).n);
	CHECK(!table_header(STR("class=\"fg-header")).n);
}

UNIT(packed_text_comes_back)
{
	struct buf text = { 0 }, packed = { 0 }, back = { 0 };
	uint64_t state = 42;
	int n;

	/* base64 ends in three ways */
	for (n = 0; n < 40; n++) {
		buf_char(&text, (char)(next_random(&state) & 0xff));
		buf_clear(&packed);
		buf_clear(&back);
		CHECK(table_pack(&packed, buf_view(&text)));
		CHECK_U64(packed.n % 4, 0);
		CHECK(table_unpack(buf_view(&packed), &back));
		CHECK_STR(buf_view(&back), buf_view(&text));
	}
	buf_release(&text);
	buf_release(&packed);
	buf_release(&back);
}

static bool
unpacks(struct str packed)
{
	struct buf text = { 0 };
	bool good = table_unpack(packed, &text) && str_eq(buf_view(&text), STR("hello"));

	buf_release(&text);
	return good;
}

UNIT(base64_is_read_as_browsers_do)
{
	CHECK(unpacks(STR("eNrLSM3JyQcABiwCFQ==")));
	CHECK(unpacks(STR("eNrLSM3JyQcABiwCFQ")));
	CHECK(unpacks(STR(" eNrL\nSM3J\r\nyQcABiwCFQ==\n")));
	CHECK(!unpacks(STR("eNrLSM3JyQcABiwCF")));
	CHECK(!unpacks(STR("eNrLSM3JyQcABiwCF!==")));
	CHECK(!unpacks(STR("eNrLSM3J=yQcABiwCFQ")));
	CHECK(!unpacks(STR("eNrLSM3JyQcABiwCFg==")));
	CHECK(!unpacks(STR("eNrLSM3JyQ")));
	CHECK(!unpacks(STR("====")));
	CHECK(!unpacks((struct str){ 0 }));
}

UNIT_MAIN
