/* SPDX-License-Identifier: ISC */
/* Any bytes as folded text: the output reads back unchanged, and weights are
 * preserved. */
#include "profile.h"
#include "fuzz.h"
#include "mem.h"

static void
read_text(struct profile *p, struct str text, const struct folded_options *options)
{
	struct input *in = input_of_memory("fuzz", text);

	profile_init(p);
	profile_add(p, in, options);
	(void)folded_by_settle(&p->by, &p->info);
	(void)tree_settle(&p->tree);
	folded_info_settle(&p->info, false);
	input_close(in);
}

static void
put_text(struct buf *b, const struct profile *p)
{
	struct output out;
	FILE *f = fuzz_output(&out);

	/* Prevents a name at the start from being read as a byte order mark. */
	output_str(&out, STR("#\n"));
	folded_write_header(&out, &p->info, folded_sums_of(&p->tree));
	folded_write(&out, &p->tree);
	fuzz_written(&out, f, b);
}

static void
check_sums(const struct profile *p)
{
	uint64_t *totals;
	uint64_t self;
	uint32_t i;

	for (int c = 0; c < p->tree.columns; c++) {
		for (self = 0, i = 0; i < p->tree.n; i++)
			self += p->tree.self[c][i];
		LAW(self == p->tree.sum[c]);
		totals = tree_totals(&p->tree, c);
		LAW(totals[TREE_ROOT] == self);
		free(totals);
	}
}

/* Whether the weights of A and B have the same sum, in any scales. */
static bool
is_same_sum(const struct tree *a, const struct tree *b)
{
	struct buf x = { 0 }, y = { 0 };
	bool same;

	for (int c = 0; c < a->columns; c++) {
		weight_put_scaled(&x, a->sum[c], a->scale);
		weight_put_scaled(&y, b->sum[c], b->scale);
	}
	same = str_eq(buf_view(&x), buf_view(&y));
	buf_release(&x);
	buf_release(&y);
	return same;
}

/* Checks that TEXT, written from P, has all of its weights, and is stable once its
 * names are valid in text. */
static void
check_written(const struct profile *p, const struct buf *text)
{
	static const struct folded_options plain = { .reverse = false };
	struct buf second = { 0 }, third = { 0 };
	struct profile a, b;

	read_text(&a, buf_view(text), &plain);
	/* A text whose stacks all end in a number reads as two columns. */
	if (a.tree.columns != p->tree.columns) {
		profile_release(&a);
		return;
	}
	LAW(a.count.malformed == 0 && a.count.rounded == 0 && a.count.overflow == 0);
	LAW(is_same_sum(&a.tree, &p->tree));
	put_text(&second, &a);
	read_text(&b, buf_view(&second), &plain);
	put_text(&third, &b);
	LAW(str_eq(buf_view(&second), buf_view(&third)));
	profile_release(&a);
	profile_release(&b);
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
	struct profile p;

	read_text(&p, text, &options);
	check_sums(&p);
	profile_release(&p);

	read_text(&p, text, &plain);
	check_sums(&p);
	put_text(&first, &p);
	check_written(&p, &first);
	profile_release(&p);
	buf_release(&first);
	return 0;
}
