/* SPDX-License-Identifier: ISC */
/*
 * Any steps on any folded text: lines of a letter, which chooses the kind, and an
 * argument, an empty line, the text. Weights are preserved, steps applied one by one
 * give the same as together, and the output reads back unchanged.
 */
#include "filter.h"
#include "fuzz.h"
#include "mem.h"

/* Expressions may take quadratic time in the length of the name. */
enum { STEPS = 4, ARGUMENT = 40, TEXT = 2000 };

struct steps {
	char text[STEPS][ARGUMENT + 1];
	enum filter_kind kind[STEPS];
	size_t n;
	bool last, keep_total;
};

/* Cuts the steps off *TEXT. */
static void
parse_steps(struct steps *s, struct str *text)
{
	struct str line;

	*s = (struct steps){ .n = 0 };
	while ((line = str_cut(text, '\n')).n) {
		if (s->n == STEPS)
			continue;
		s->last |= line.s[0] & 32;
		s->keep_total |= line.s[0] & 64;
		s->kind[s->n] =
			(enum filter_kind)((unsigned char)line.s[0] % FILTER_KINDS);
		line = str_head(str_from(line, 1), ARGUMENT);
		memcpy(s->text[s->n++], line.s, line.n);
	}
}

static void
read_text(struct tree *t, struct str text)
{
	static const struct folded_options plain = { .reverse = false };
	struct input *in = input_of_memory("fuzz", text);
	struct folded_info info = { .n = 0 };
	struct folded_count count = { 0 };

	tree_init(t, 1);
	folded_read(in, t, &info, &plain, &count);
	(void)tree_settle(t);
	input_close(in);
	folded_info_release(&info);
}

static void
put_text(struct buf *b, const struct tree *t)
{
	struct output out;
	FILE *f = fuzz_output(&out);

	/* Prevents a name at the start from being read as a byte order mark. */
	output_str(&out, STR("#\n"));
	folded_write(&out, t);
	fuzz_written(&out, f, b);
}

static void
check_sums(const struct filter *f, const struct tree *t)
{
	uint64_t self;
	uint32_t i;

	for (int c = 0; c < t->columns; c++) {
		for (self = 0, i = 0; i < t->n; i++)
			self += t->self[c][i];
		LAW(self == t->sum[c]);
		LAW(t->sum[c] + (f->keep_total ? 0 : f->dropped[c]) == f->whole[c]);
	}
}

/* Applies the steps from FIRST to END to T. False if one was given up. */
static bool
apply_steps(const struct steps *s, size_t first, size_t end, struct tree *t)
{
	struct filter f = {
		.last = s->last, .keep_total = s->keep_total, .where.option = "--where"
	};
	struct dimensions d = { .said = true };
	struct buf why = { 0 };
	bool good;

	if (s->n % 2 && dimensions_add(&d, STR("tid")) && dimensions_add(&d, STR("time")))
		(void)where_add(&f.where, s->last ? "time=1..2s" : "tid=1");
	for (; first < end; first++)
		(void)filter_add(&f, s->kind[first], s->text[first], &why);
	good = filter_run(&f, t, &d);
	dimensions_release(&d);
	if (good)
		check_sums(&f, t);
	filter_release(&f);
	buf_release(&why);
	return good;
}

/* Checks that TEXT, written from T, reads back as T unless it looks like two columns. */
static void
check_written(const struct tree *t, const struct buf *text)
{
	struct buf again = { 0 };
	struct tree back;

	read_text(&back, buf_view(text));
	if (back.columns == t->columns) {
		put_text(&again, &back);
		LAW(str_eq(buf_view(&again), buf_view(text)));
	}
	tree_release(&back);
	buf_release(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct buf together = { 0 }, one_by_one = { 0 };
	struct steps s;
	struct tree t, u;
	bool good;
	size_t i;

	parse_steps(&s, &text);
	text = str_head(text, TEXT);
	read_text(&t, text);
	read_text(&u, text);
	good = apply_steps(&s, 0, s.n, &t);
	put_text(&together, &t);
	if (good)
		check_written(&t, &together);
	if (!s.n)
		good = apply_steps(&s, 0, 0, &u);
	for (i = 0; i < s.n && good; i++)
		good = apply_steps(&s, i, i + 1, &u);
	put_text(&one_by_one, &u);
	LAW(!good || s.keep_total || str_eq(buf_view(&together), buf_view(&one_by_one)));
	tree_release(&t);
	tree_release(&u);
	buf_release(&together);
	buf_release(&one_by_one);
	return 0;
}
