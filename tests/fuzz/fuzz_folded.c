/* SPDX-License-Identifier: ISC */
/* Any bytes as folded text: what is written is read as the same, and weights
 * are neither lost nor made. */
#include "folded.h"
#include "fuzz.h"
#include "mem.h"

struct reading {
	struct tree t;
	struct folded_info info;
	struct folded_count count;
};

static void
read_text(struct reading *r, struct str text, const struct folded_options *options)
{
	struct input *in = input_of_memory("fuzz", text);

	*r = (struct reading){ .info = { .n = 0 } };
	tree_init(&r->t, 1);
	folded_read(in, &r->t, &r->info, options, &r->count);
	(void)tree_settle(&r->t);
	folded_info_settle(&r->info, false);
	input_close(in);
}

static void
release(struct reading *r)
{
	tree_release(&r->t);
	folded_info_release(&r->info);
}

static void
put_text(struct buf *b, const struct reading *r)
{
	struct output out;
	FILE *f = fuzz_output(&out);

	/* So that a name at the start is not taken for the mark of an encoding. */
	output_str(&out, STR("#\n"));
	folded_write_header(&out, &r->info, folded_sums_of(&r->t));
	folded_write(&out, &r->t);
	fuzz_written(&out, f, b);
}

static void
check_sums(const struct reading *r)
{
	uint64_t *totals;
	uint64_t self;
	uint32_t i;

	for (int c = 0; c < r->t.columns; c++) {
		for (self = 0, i = 0; i < r->t.n; i++)
			self += r->t.self[c][i];
		LAW(self == r->t.sum[c]);
		totals = tree_totals(&r->t, c);
		LAW(totals[TREE_ROOT] == self);
		free(totals);
	}
}

/* Whether all weights of A and B add up to the same, whatever their scales. */
static bool
is_same_sum(const struct tree *a, const struct tree *b)
{
	struct buf x = { 0 }, y = { 0 };
	bool same;

	for (int c = 0; c < a->columns; c++) {
		folded_put_weight(&x, a->sum[c], a->scale);
		folded_put_weight(&y, b->sum[c], b->scale);
	}
	same = str_eq(buf_view(&x), buf_view(&y));
	buf_release(&x);
	buf_release(&y);
	return same;
}

/* TEXT that we wrote from R holds all of its weights, and once its names are
 * those that text can hold, it is written as it was read. */
static void
check_written(const struct reading *r, const struct buf *text)
{
	static const struct folded_options plain = { .reverse = false };
	struct buf second = { 0 }, third = { 0 };
	struct reading a, b;

	read_text(&a, buf_view(text), &plain);
	/* A text whose every stack ends in a number reads as two columns. */
	if (a.t.columns != r->t.columns) {
		release(&a);
		return;
	}
	LAW(a.count.malformed == 0 && a.count.rounded == 0 && a.count.overflow == 0);
	LAW(is_same_sum(&a.t, &r->t));
	put_text(&second, &a);
	read_text(&b, buf_view(&second), &plain);
	put_text(&third, &b);
	LAW(str_eq(buf_view(&second), buf_view(&third)));
	release(&a);
	release(&b);
	buf_release(&second);
	buf_release(&third);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct folded_options plain = { .reverse = false };
	struct folded_options options = { .reverse = size && data[0] & 1,
		.in_order = size && data[0] & 2 };
	struct str text = { (const char *)data, size };
	struct buf first = { 0 };
	struct reading r;

	read_text(&r, text, &options);
	check_sums(&r);
	release(&r);

	read_text(&r, text, &plain);
	check_sums(&r);
	put_text(&first, &r);
	check_written(&r, &first);
	release(&r);
	buf_release(&first);
	return 0;
}
