/* SPDX-License-Identifier: ISC */
/*
 * Folded text for other tools: without a header, which some reject, and with samples as
 * weights, since Firefox Profiler turns each unit of weight into a sample. If the number of
 * samples is unknown, weights stay, rounded to whole numbers.
 */
#include "export.h"
#include "msg.h"

/* The conversion of weights to samples: COUNT samples weigh SUM. */
struct counts {
	uint64_t count;
	struct weight sum;
	uint64_t before; /* samples written so far */
	struct weight so_far;
};

/* The samples of S: the increase of the rounded running total. */
static uint64_t
next_count(struct counts *n, struct weight weight)
{
	uint64_t until, got;

	(void)weight_add(&n->so_far, weight);
	until = weight_share(n->count, n->so_far, n->sum);
	got = until > n->before ? until - n->before : 0;
	n->before += got;
	return got;
}

static void
put_stack(struct export *x, const struct export_sample *s, uint64_t count)
{
	if (!count)
		return;
	folded_put_stack(&x->b, x->tree, s->stack);
	buf_char(&x->b, ' ');
	buf_u64(&x->b, count);
	buf_char(&x->b, '\n');
	export_flush(x);
}

static bool
write_stacks(struct export *x)
{
	uint64_t known = folded_info_samples(
			 &x->profile->info, &x->profile->tree, x->first),
		 count, gone = 0;
	struct counts n = { .count = known, .sum = weight_of(x->sum[0], x->scale) };
	bool exact;
	size_t i;

	exact = !x->scale && known == x->sum[0];
	if (!known)
		msg_warn("--to folded: the number of samples is not known; weights are "
			 "in %.*s",
			STR_ARG(x->unit));
	if (!known)
		n.count = n.sum.whole + (n.sum.nano >= WEIGHT_NANO / 2);
	for (i = 0; i < x->n; i++) {
		count = exact || (!known && !x->scale)
			? x->samples[i].weight[0]
			: next_count(&n, weight_of(x->samples[i].weight[0], x->scale));
		gone += !count;
		put_stack(x, &x->samples[i], count);
	}
	if (gone)
		msg_warn("--to folded: %llu stack%s of less than a sample left out; the "
			 "number of samples is kept",
			(unsigned long long)gone, msg_s(gone));
	return true;
}

const struct export_target export_folded = {
	.needs = 0,
	.write = write_stacks,
};
