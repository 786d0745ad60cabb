/* SPDX-License-Identifier: ISC */
/* Folded text to a tree and back: folded.h, fg-folded.5. */
#include "folded.h"
#include "mem.h"
#include "unit.h"

/* The result of reading a text. Released by done. */
struct reading {
	struct tree t;
	struct folded_info info;
	struct folded_count count;
	struct buf text; /* the tree written again */
};

static void
read_more(struct reading *r, struct str text, const struct folded_options *options)
{
	struct input *in = input_of_memory("text", text);

	folded_read(in, &r->t, &r->info, options, &r->count);
	r->count.rounded += tree_settle(&r->t);
	input_close(in);
}

/* Writes to B. */
static void
put_written(struct buf *b, const struct tree *t, const struct folded_info *info)
{
	FILE *f = tmpfile();
	struct output out;
	ssize_t n;

	output_init(&out, fileno(f), "file");
	folded_write_header(&out, info, folded_sums_of(t));
	folded_write(&out, t);
	CHECK(output_close(&out));
	n = lseek(fileno(f), 0, SEEK_END);
	buf_clear(b);
	b->n = (size_t)pread(fileno(f), buf_room(b, (size_t)n), (size_t)n, 0);
	fclose(f);
}

static void
read_with(struct reading *r, struct str text, const struct folded_options *options)
{
	*r = (struct reading){ .info = { .n = 0 } };
	tree_init(&r->t, 1);
	read_more(r, text, options);
	put_written(&r->text, &r->t, &r->info);
}

static void
done(struct reading *r)
{
	tree_release(&r->t);
	folded_info_release(&r->info);
	buf_release(&r->text);
}

/* TEXT, read and written again, must be EXPECTED, with BAD malformed lines. */
static void
check_read(struct str text, struct str expected, uint64_t bad)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, text, &plain);
	CHECK_STR(buf_view(&r.text), expected);
	CHECK_U64(r.count.malformed, bad);
	done(&r);
}

UNIT(equal_stacks_are_summed_and_sorted)
{
	check_read(STR("b 1\na;c 2\na 3\nb 4\na;c 5\n"), STR("a 3\na;c 7\nb 5\n"), 0);
}

UNIT(order_is_by_bytes_of_the_stack)
{
	check_read(STR("a;b 1\na 1\na b 1\na:b 1\na;b c 1\na<b 1\n"),
		STR("a 1\na b 1\na:b 1\na;b 1\na;b c 1\na<b 1\n"), 0);
	check_read(STR("a;x;y 1\na b;x 1\na;x 1\n\xff 1\nZ 1\n"),
		STR("Z 1\na b;x 1\na;x 1\na;x;y 1\n\xff 1\n"), 0);
}

UNIT(line_ends_and_blanks)
{
	check_read(STR("a;b 1\r\na;b 2\r\n"), STR("a;b 3\n"), 0);
	check_read(STR("a;b\t1\na;b 2  \na;b 3\t\n"), STR("a;b 6\n"), 0);
	check_read(STR("a;b 1"), STR("a;b 1\n"), 0);
	check_read(STR("\n\na 1\n\n \t\n"), STR("a 1\n"), 0);
}

UNIT(names_may_hold_blanks_and_any_byte)
{
	check_read(STR("a b;c (d) 12\n"), STR("a b;c (d) 12\n"), 0);
	check_read(STR("a;\xff\xfe\xc3 1\n"), STR("a;\xff\xfe\xc3 1\n"), 0);
	check_read(
		STR("GET 200;x 1\nGET 404;x 2\n"), STR("GET 200;x 1\nGET 404;x 2\n"), 0);
}

UNIT(control_bytes_are_written_as_blanks)
{
	check_read(STR("a\x01"
		       "b;\x1b[1m 1\n"),
		STR("a b; [1m 1\n"), 0);
}

UNIT(empty_frames_are_frames)
{
	check_read(
		STR("a;;b 1\n;a 2\na; 3\n;; 4\n"), STR(";; 4\n;a 2\na; 3\na;;b 1\n"), 0);
}

UNIT(comments_are_passed_over)
{
	check_read(STR("# a comment 5\na 1\n#b 2\n"), STR("a 1\n"), 0);
}

/* As written for a reversed reading; without the blank they would be comments. */
UNIT(stacks_that_begin_with_a_hash_get_a_blank)
{
	static const struct folded_options reverse = { .reverse = true };
	struct reading r;

	read_with(&r, STR("main;#1 5\n#1 6\nmain;#2;x 7\n"), &reverse);
	CHECK_STR(buf_view(&r.text), STR(" #1;main 5\nx;#2;main 7\n"));
	done(&r);
}

UNIT(lines_without_a_weight_are_counted)
{
	check_read(STR("a\na;b\na 1\n5\na -5\na 1e5\na 1.2.3\na .\na 0x10\n"),
		STR("a 1\n"), 8);
	check_read(STR("b 1\na 1"
		       "\0"
		       "2\n"),
		STR("b 1\n"), 1);
}

/* A recording or a program given by mistake; a zero byte in a name does not count. */
UNIT(binary_input_is_refused)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, STR("a\0b 12\nmain 5\n"), &plain);
	CHECK_U64(r.count.lines, 2);
	CHECK_U64(r.count.refused, 0);
	done(&r);
	read_with(&r, STR("\177ELF\2\1\0\0\nmain 5\n"), &plain);
	CHECK_U64(r.count.lines, 0);
	CHECK_U64(r.count.refused, 1);
	done(&r);
}

UNIT(two_columns)
{
	check_read(STR("a;b 1 2\na;b 3 4\na 0 7\n"),
		STR("#fg columns=2 total=13 total-before=4\n"
		    "a 0 7\na;b 4 6\n"),
		0);
	check_read(STR("a\t1\t2\n"),
		STR("#fg columns=2 total=2 total-before=1\n"
		    "a 1 2\n"),
		0);
}

/* A line with a single weight near the start turns the numbers before other weights
 * into parts of names. */
UNIT(columns_are_on_every_line)
{
	check_read(STR("a 1 2\na 5\na 1 2\n"), STR("a 5\na 1 4\n"), 0);
}

UNIT(a_line_far_down_with_one_weight_is_malformed)
{
	struct buf text = { 0 }, expected = { 0 };

	for (int i = 0; i < 5000; i++)
		buf_str(&text, STR("some;longer;stack;of;frames 1 2\n"));
	buf_str(&text, STR("some;longer;stack;of;frames 1\n"));
	buf_str(&expected,
		STR("#fg columns=2 total=10000 total-before=5000\n"
		    "some;longer;stack;of;frames 5000 10000\n"));
	check_read(buf_view(&text), buf_view(&expected), 1);
	buf_release(&text);
	buf_release(&expected);
}

UNIT(a_number_at_the_end_of_a_name_is_not_a_column)
{
	check_read(STR("thread 1 5\nmain 3\n"), STR("main 3\nthread 1 5\n"), 0);
}

UNIT(zero_weights_make_no_lines)
{
	check_read(STR("a 0\nb 1\n"), STR("b 1\n"), 0);
	check_read(STR("a 0 0\nb 0 1\n"),
		STR("#fg columns=2 total=1 total-before=0\n"
		    "b 0 1\n"),
		0);
}

UNIT(decimals_are_exact)
{
	check_read(STR("a 0.1\na 0.2\nb 1\n"), STR("a 0.3\nb 1\n"), 0);
	check_read(STR("a .5\na 1.\n"), STR("a 1.5\n"), 0);
	check_read(STR("a 1.50\nb 2.000\n"), STR("a 1.5\nb 2\n"), 0);
	check_read(STR("a 3\nb 1.25\na 4\n"), STR("a 7\nb 1.25\n"), 0);
	check_read(STR("a 0.000000001\n"), STR("a 0.000000001\n"), 0);
}

UNIT(decimals_in_one_column_do_not_change_the_other)
{
	check_read(STR("a 1 2.5\n"),
		STR("#fg columns=2 total=2.5 total-before=1\n"
		    "a 1 2.5\n"),
		0);
	check_read(STR("a 1.5 2\nb 7 1.25\n"),
		STR("#fg columns=2 total=3.25 total-before=8.5\n"
		    "a 1.5 2\nb 7 1.25\n"),
		0);
}

UNIT(too_many_decimals_are_rounded_and_counted)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, STR("a 0.0000000005\nb 1.00000000049\nc 1.5\n"), &plain);
	CHECK_STR(buf_view(&r.text), STR("a 0.000000001\nb 1\nc 1.5\n"));
	CHECK_U64(r.count.rounded, 2);
	CHECK_U64(r.count.lines, 3);
	done(&r);
}

UNIT(weights_beyond_the_precision_of_doubles)
{
	check_read(STR("a 9007199254740993\na 1\n"), STR("a 9007199254740994\n"), 0);
	check_read(STR("a 18446744073709551615\n"), STR("a 18446744073709551615\n"), 0);
}

UNIT(weights_beyond_64_bits_are_refused_and_counted)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r,
		STR("a 18446744073709551616\nb 1\nc 18446744073709551615\n"
		    "d 99999999999999999999999999\n"),
		&plain);
	CHECK_STR(buf_view(&r.text), STR("b 1\n"));
	CHECK_U64(r.count.overflow, 3);
	CHECK_U64(r.count.lines, 1);
	CHECK_U64(r.t.sum[0], 1);
	done(&r);
}

/* Decimals that do not fit beside earlier large weights. */
UNIT(decimals_beside_large_weights_are_rounded)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, STR("a 18446744073709551000\nb 1.5\n"), &plain);
	CHECK_STR(buf_view(&r.text), STR("a 18446744073709551000\nb 2\n"));
	CHECK_U64(r.count.rounded, 1);
	done(&r);
}

UNIT(as_many_decimals_are_kept_as_fit)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, STR("a 100000000000000000\nb 1.26000001\n"), &plain);
	CHECK_STR(buf_view(&r.text), STR("a 100000000000000000\nb 1.26\n"));
	CHECK_U64(r.count.rounded, 1);
	done(&r);
}

/* Large weights after decimals: decimals are dropped, weights stay. */
UNIT(decimals_make_room_for_large_weights)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, STR("a 1.123456789\nb 1000000000000.5\n"), &plain);
	CHECK_STR(buf_view(&r.text), STR("a 1.1234568\nb 1000000000000.5\n"));
	CHECK_U64(r.count.lines, 2);
	CHECK_U64(r.count.overflow, 0);
	CHECK(r.count.rounded > 0);
	done(&r);
}

UNIT(a_weight_that_never_fits_costs_no_decimals)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, STR("a 1.5\nb 99999999999999999999\n"), &plain);
	CHECK_STR(buf_view(&r.text), STR("a 1.5\n"));
	CHECK_U64(r.count.overflow, 1);
	done(&r);
}

UNIT(an_overflow_in_one_column_adds_nothing_to_the_other)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, STR("a 1 18446744073709551615\nb 1 1\n"), &plain);
	CHECK_U64(r.t.sum[0], 1);
	CHECK_U64(r.count.overflow, 1);
	CHECK_STR(buf_view(&r.text),
		STR("#fg columns=2 total=18446744073709551615 total-before=1\n"
		    "a 1 18446744073709551615\n"));
	done(&r);
}

UNIT(reverse_begins_at_the_leaf)
{
	static const struct folded_options reverse = { .reverse = true };
	struct reading r;

	read_with(&r, STR("a;b;c 1\nx;c 2\n;y 3\nsolo 4\n"), &reverse);
	CHECK_STR(buf_view(&r.text), STR("c;b;a 1\nc;x 2\nsolo 4\ny; 3\n"));
	done(&r);
}

UNIT(in_order_merges_only_neighbours)
{
	static const struct folded_options in_order = { .in_order = true };
	struct reading r;
	struct tree_walk w;

	read_with(&r, STR("a;b 1\na;b 2\na;c 1\na;b 1\nb 1\na;b 4\n"), &in_order);
	/* a(b c b) b a(b) */
	CHECK_U64(r.t.n, 8);
	tree_walk_init(&w, &r.t, TREE_AS_ADDED);
	CHECK_U64(r.t.self[0][w.node[1]], 3);
	CHECK_U64(r.t.self[0][w.node[3]], 1);
	CHECK_U64(r.t.self[0][w.node[6]], 4);
	tree_walk_release(&w);
	done(&r);
}

UNIT(in_order_self_weight_after_a_child_is_a_gap)
{
	static const struct folded_options in_order = { .in_order = true };
	struct reading r;

	read_with(&r, STR("a 1\na;b 1\na 5\na 5\na;b 1\n"), &in_order);
	/* a, b, the gap, b again */
	CHECK_U64(r.t.n, 5);
	CHECK_U64(r.t.nodes[3].name, TREE_GAP);
	CHECK_U64(r.t.self[0][3], 10);
	CHECK_U64(r.t.self[0][1], 1);
	done(&r);
}

UNIT(the_header_is_decoded_and_written_again)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r,
		STR("#fg unit=ns samples=1548 command=a%20b%25%zz%0a= x=\nmain 5\n"),
		&plain);
	CHECK_STR(folded_info_get(&r.info, "unit"), STR("ns"));
	CHECK_U64(folded_info_u64(&r.info, "samples"), 1548);
	CHECK_STR(folded_info_get(&r.info, "command"), STR("a b%%zz\n="));
	CHECK_U64(folded_info_get(&r.info, "nothing").n, 0);
	CHECK_U64(folded_info_u64(&r.info, "unit"), 0);
	CHECK_STR(buf_view(&r.text),
		STR("#fg unit=ns samples=1548 command=a%20b%25%25zz%0A= "
		    "columns=1 total=5\nmain 5\n"));
	done(&r);
}

UNIT(keys_are_encoded_as_values_are)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, STR("#fg a\0\xff]]>%3D%20=1\nmain 5\n"), &plain);
	CHECK_STR(buf_view(&r.text),
		STR("#fg a%00%FF%5D%5D%3E%3D%20=1 columns=1 total=5\nmain 5\n"));
	CHECK_U64(folded_info_u64(&r.info, "samples"), 0);
	done(&r);
}

UNIT(a_second_header_in_one_text_is_added)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r,
		STR("#fg unit=ns samples=2 event=x\na 1\n#fg unit=ns samples=3\na 2\n"),
		&plain);
	CHECK_STR(
		buf_view(&r.text), STR("#fg unit=ns samples=5 columns=1 total=3\na 3\n"));
	done(&r);
}

UNIT(a_field_can_be_set_and_removed)
{
	struct folded_info info = { .n = 0 };

	folded_info_set(&info, "unit", STR("ns"));
	folded_info_set_u64(&info, "samples", UINT64_MAX);
	folded_info_set(&info, "unit", STR("bytes"));
	CHECK_STR(folded_info_get(&info, "unit"), STR("bytes"));
	CHECK_U64(folded_info_u64(&info, "samples"), UINT64_MAX);
	folded_info_set(&info, "unit", (struct str){ 0 });
	CHECK_U64(info.n, 1);
	CHECK_U64(folded_info_get(&info, "unit").n, 0);
	CHECK_U64(folded_info_u64(&info, "samples"), UINT64_MAX);
	folded_info_release(&info);
}

UNIT(two_inputs_add_up_samples)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r;

	read_with(&r, STR("#fg unit=ns samples=2\na 1\n"), &plain);
	read_more(&r, STR("#fg unit=ns samples=3\na 2\n"), &plain);
	CHECK_U64(folded_info_u64(&r.info, "samples"), 5);
	CHECK_U64(r.t.sum[0], 3);
	read_more(&r, STR("a 4\n"), &plain);
	folded_info_settle(&r.info, false);
	CHECK_U64(folded_info_u64(&r.info, "samples"), 12);
	done(&r);
}

/* In any order, a merged header describes all inputs. */
UNIT(headers_merge_in_any_order)
{
	static const struct folded_options plain = { .reverse = false };
	static const char *const text[] = {
		"#fg unit=ns samples=2 event=x host=a samples-before=1\na 1\n",
		"#fg unit=ns samples=3 event=y host=a lost=4 samples-before=1\na 2\n",
		"#fg host=a unit=ns samples=4 event=x lost=1 samples-before=1\na 2\n"
	};
	static const int order[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 2 },
		{ 0, 2, 1 } };
	struct buf b = { 0 };
	struct reading r;
	size_t i;

	for (i = 0; i < sizeof order / sizeof *order; i++) {
		read_with(&r, str_of(text[order[i][0]]), &plain);
		read_more(&r, str_of(text[order[i][1]]), &plain);
		read_more(&r, str_of(text[order[i][2]]), &plain);
		folded_info_sort(&r.info);
		buf_clear(&b);
		folded_put_header(&b, &r.info, folded_sums_of(&r.t));
		CHECK_STR(buf_view(&b),
			STR("#fg host=a lost=5 samples=9 samples-before=3 unit=ns "
			    "columns=1 total=5"));
		done(&r);
	}
	buf_release(&b);
}

static void
empty_tree(void *to, struct tree *t)
{
	uint64_t sum = t->sum[0];

	++*(int *)to;
	tree_release(t);
	tree_init(t, 1);
	t->sum[0] = sum;
}

UNIT(a_tree_that_is_full_gives_way)
{
	int times = 0;
	struct folded_options how = {
		.under = { "x", 1 }, .limit = 1, .full = empty_tree, .to = &times
	};
	struct reading r;

	read_with(&r, STR("a;b 1\na;b;c 2\na;b;c 4\n"), &how);
	CHECK_U64((uint64_t)times, 3);
	CHECK_U64(r.t.sum[0], 7);
	CHECK_U64(r.t.n, 1);
	done(&r);
	how.limit = 0;
	read_with(&r, STR("a;b 1\na;b;c 2\nx;y 4\n"), &how);
	CHECK_STR(buf_view(&r.text), STR("x;a;b 1\nx;a;b;c 2\nx;x;y 4\n"));
	done(&r);
}

UNIT(columns_are_counted_before_reading)
{
	static const struct {
		const char *text;
		int columns;
	} cases[] = { { "", 0 }, { "#fg unit=ns\n\n", 0 }, { "a 1", 1 }, { "a 1 2\n", 2 },
		{ "a 1 2\nb 3\n", 1 }, { " 0 0\na 1 2\n", 2 }, { " 0 0\na 1\n", 1 },
		{ "0 0\na 1\n", 1 }, { "<svg></svg>", 0 },
		{ "#fg columns=1\na 1 2\n", 1 }, { "#fg unit=ns\na 1 2\n", 2 },
		{ "a 1 2\nb 3 4\n#fg columns=1\nc 5\n", 1 } };
	struct input *in;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		in = input_of_memory("text", str_of(cases[i].text));
		CHECK_U64((uint64_t)folded_shape(in).columns, (uint64_t)cases[i].columns);
		input_close(in);
	}
}

UNIT(frames_are_made_fit)
{
	struct buf b = { 0 };

	folded_put_frame(&b,
		STR("a;b\nc\td\x7f"
		    "e\0\xff"));
	CHECK_STR(buf_view(&b), STR("a:b c d e \xff"));
	buf_release(&b);
}

static void
check_weight(struct str text, unsigned scale, const char *expected)
{
	struct buf b = { 0 };
	uint64_t v = 0;
	bool rounded = false;

	if (!folded_weight(text, scale, &v, &rounded))
		buf_str(&b, STR("none"));
	else
		buf_fmt(&b, "%" PRIu64 "%s", v, rounded ? "~" : "");
	CHECK_STR(buf_view(&b), str_of(expected));
	buf_release(&b);
}

UNIT(weights_in_units_of_a_scale)
{
	check_weight(STR("42"), 0, "42");
	check_weight(STR("4.2"), 1, "42");
	check_weight(STR("4.2"), 3, "4200");
	check_weight(STR("4.25"), 1, "43~");
	check_weight(STR("4.24"), 1, "42~");
	check_weight(STR("4.200"), 1, "42");
	check_weight(STR("0.5"), 0, "1~");
	check_weight(STR("18446744073709551615"), 0, "18446744073709551615");
	check_weight(STR("18446744073709551615"), 1, "none");
	check_weight(STR("18446744073709551616"), 0, "none");
	check_weight(STR("1844674407370955161.5"), 1, "18446744073709551615");
	check_weight(STR("1844674407370955161.6"), 1, "none");
	check_weight(STR(""), 0, "none");
	check_weight(STR("."), 0, "none");
	check_weight(STR("-1"), 0, "none");
	check_weight(STR("1 "), 0, "none");
}

/* Rounding up the largest number would overflow 64 bits. */
UNIT(rounding_does_not_wrap)
{
	check_weight(STR("18446744073709551615.5"), 0, "none");
	check_weight(STR("18446744073709551614.5"), 0, "18446744073709551615~");
}

UNIT(weights_are_written_without_needless_zeroes)
{
	struct buf b = { 0 };

	weight_put_scaled(&b, 0, 0);
	buf_char(&b, ' ');
	weight_put_scaled(&b, 5, 9);
	buf_char(&b, ' ');
	weight_put_scaled(&b, 1500, 3);
	buf_char(&b, ' ');
	weight_put_scaled(&b, UINT64_MAX, 1);
	CHECK_STR(buf_view(&b), STR("0 0.000000005 1.5 1844674407370955161.5"));
	buf_release(&b);
}

/*
 * Random stacks of few names, so that many share a prefix with the previous line, read
 * by the program and by a linear list: the reader's state between lines must not show.
 */
enum { STACKS = 400, LINES = 3000 };

struct naive {
	char stack[STACKS][64];
	uint64_t weight[STACKS];
	int n;
};

static void
naive_add(struct naive *list, const char *stack, uint64_t weight)
{
	int i = 0;

	while (i < list->n && strcmp(list->stack[i], stack) != 0)
		i++;
	if (i == STACKS)
		return;
	if (i == list->n)
		memcpy(list->stack[list->n++], stack, strlen(stack) + 1);
	list->weight[i] += weight;
}

/* A random stack of names that are prefixes of each other, including empty ones. */
static void
random_stack(uint32_t *x, char *to, size_t size)
{
	static const char *const names[] = { "a", "ab", "a b", "", "b", "abc", "\xff" };
	size_t n = 0, frames = 1 + (*x >> 20) % 6, i;

	for (i = 0; i < frames; i++) {
		*x = *x * 1664525 + 1013904223;
		n += (size_t)snprintf(
			to + n, size - n, "%s%s", i ? ";" : "", names[(*x >> 16) % 7]);
	}
}

static int
compare_stacks(const void *a, const void *b)
{
	return str_cmp(str_of(*(const char *const *)a), str_of(*(const char *const *)b));
}

/* The naive list, sorted, as folded text. */
static void
naive_write(struct naive *list, struct buf *to)
{
	const char *order[STACKS];
	int i;

	for (i = 0; i < list->n; i++)
		order[i] = list->stack[i];
	qsort(order, (size_t)list->n, sizeof *order, compare_stacks);
	for (i = 0; i < list->n; i++)
		buf_fmt(to, "%s %" PRIu64 "\n", order[i],
			list->weight[(order[i] - list->stack[0]) / 64]);
}

UNIT(random_stacks_as_a_naive_reader_has_them)
{
	static struct naive list;
	struct buf text = { 0 }, expected = { 0 };
	char stack[64];
	uint32_t x, line;

	for (x = 1; x < 40; x++) {
		uint32_t random = x * 7919;

		memset(&list, 0, sizeof list);
		buf_clear(&text);
		buf_clear(&expected);
		for (line = 0; line < LINES && list.n < STACKS - 1; line++) {
			random_stack(&random, stack, sizeof stack);
			if (!stack[0])
				continue;
			naive_add(&list, stack, random >> 24);
			buf_fmt(&text, "%s %" PRIu32 "\n", stack, random >> 24);
		}
		for (int i = 0; i < list.n; i++)
			list.weight[i]++, buf_fmt(&text, "%s 1\n", list.stack[i]);
		naive_write(&list, &expected);
		check_read(buf_view(&text), buf_view(&expected), 0);
	}
	buf_release(&text);
	buf_release(&expected);
}

UNIT(output_reads_back_unchanged)
{
	static const struct folded_options plain = { .reverse = false };
	struct reading r, again;

	read_with(&r, STR("#fg unit=ns\na;b 1.5 2\n;x 0 7\na\x01 b 3 0\nq 0.25 0.5\n"),
		&plain);
	read_with(&again, buf_view(&r.text), &plain);
	CHECK_STR(buf_view(&again.text), buf_view(&r.text));
	done(&again);
	done(&r);
}

UNIT(each_side_goes_into_its_column)
{
	static const struct folded_options sides[] = { { .into = 1 }, { .into = 2 } };
	static const char *const text[] = { "a;b 1\na 7 2.5\n", "a;b 10\nc\nd 3\n" };
	struct folded_info info = { .n = 0 };
	struct folded_count count = { 0 };
	struct buf b = { 0 };
	struct output out;
	struct input *in;
	struct tree t;
	FILE *f = tmpfile();
	int i;

	tree_init(&t, 2);
	for (i = 0; i < 2; i++) {
		in = input_of_memory("side", str_of(text[i]));
		folded_read(in, &t, &info, &sides[i], &count);
		input_close(in);
	}
	CHECK(count.lines == 4 && count.malformed == 1);
	output_init(&out, fileno(f), "memory");
	folded_write(&out, &t);
	CHECK(output_close(&out));
	b.n = (size_t)pread(fileno(f), buf_room(&b, 1000), 1000, 0);
	CHECK_STR(buf_view(&b), STR("a 7 2.5 0\na;b 1 10\nd 0 3\n"));
	fclose(f);
	buf_release(&b);
	tree_release(&t);
	folded_info_release(&info);
}

/* A tree of N stacks of weight WEIGHT, and one of LAST. */
static void
make_tree(struct tree *t, unsigned n, uint64_t weight, uint64_t last)
{
	char name[16];
	unsigned i;

	tree_init(t, 1);
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof name, "f%u", i);
		tree_add(t, tree_child(t, TREE_ROOT, str_of(name)), 0, weight);
	}
	tree_add(t, tree_child(t, TREE_ROOT, STR("last")), 0, last);
}

UNIT(samples_come_from_the_header)
{
	struct folded_info info = { .n = 0 };
	struct tree t;

	make_tree(&t, 30, 1000, 3000);
	CHECK_U64(folded_info_samples(&info, &t, 0), 0);
	folded_info_set(&info, "unit", STR("samples"));
	CHECK_U64(folded_info_samples(&info, &t, 0), 33000);
	folded_info_set(&info, "unit", STR("ns"));
	CHECK_U64(folded_info_samples(&info, &t, 0), 0);
	folded_info_set_u64(&info, "samples", 31);
	CHECK_U64(folded_info_samples(&info, &t, 0), 31);
	folded_info_release(&info);
	tree_release(&t);
}

UNIT(samples_before_belong_to_the_first_of_two_columns)
{
	struct folded_info info = { .n = 0 };
	struct tree t;

	make_tree(&t, 30, 1000, 3000);
	folded_info_set(&info, "unit", STR("ns"));
	folded_info_set_u64(&info, "samples", 31);
	folded_info_set_u64(&info, "samples-before", 42);
	CHECK_U64(folded_info_samples(&info, &t, 0), 31);
	tree_add_column(&t);
	CHECK_U64(folded_info_samples(&info, &t, 0), 42);
	CHECK_U64(folded_info_samples(&info, &t, 1), 31);
	folded_info_set(&info, "samples-before", STR(""));
	CHECK_U64(folded_info_samples(&info, &t, 0), 31);
	folded_info_release(&info);
	tree_release(&t);
}

UNIT(samples_are_never_guessed)
{
	struct folded_info info = { .n = 0 };
	struct tree t;

	make_tree(&t, 18, 1000, 3000);
	CHECK_U64(folded_info_samples(&info, &t, 0), 0);
	folded_info_set(&info, "unit", STR("samples"));
	CHECK_U64(folded_info_samples(&info, &t, 0), 21000);
	/* Decimals of another column do not matter. */
	tree_set_scale(&t, 1);
	CHECK_U64(folded_info_samples(&info, &t, 0), 21000);
	CHECK(tree_add(&t, 1, 0, 1));
	CHECK_U64(folded_info_samples(&info, &t, 0), 0);
	folded_info_release(&info);
	tree_release(&t);
}

UNIT_MAIN
