/* SPDX-License-Identifier: ISC */
/* The weights of a stack tree, their scale and their sums; see tree.h. */
#include "mem.h"
#include "tree.h"

/* Counts NODE, which gets weight, unless it has some. */
static void
count_stack(struct tree *t, uint32_t node)
{
	bool had = false;
	int c;

	for (c = 0; c < t->columns; c++)
		had |= t->self[c][node] || (t->nano[c] && t->nano[c][node]);
	t->stacks += !had;
}

bool
tree_add(struct tree *t, uint32_t node, int column, uint64_t weight)
{
	if (weight > UINT64_MAX - t->sum[column])
		return false;
	if (weight)
		count_stack(t, node);
	t->sum[column] += weight;
	t->self[column][node] += weight;
	return true;
}

void
tree_empty(struct tree *t)
{
	int c;

	t->stacks = 0;
	for (c = 0; c < t->columns; c++) {
		memset(t->self[c], 0, t->n * sizeof *t->self[c]);
		if (t->nano[c])
			memset(t->nano[c], 0, t->n * sizeof *t->nano[c]);
		t->sum[c] = 0;
		t->sum_nano[c] = 0;
	}
}

bool
tree_set_scale(struct tree *t, unsigned decimals)
{
	uint64_t times = 1;
	unsigned d;
	uint32_t i;
	int c;

	if (decimals <= t->scale)
		return true;
	if (decimals > TREE_SCALE_MAX)
		return false;
	for (d = t->scale; d < decimals; d++)
		times *= 10;
	for (c = 0; c < t->columns; c++)
		if (t->sum[c] > UINT64_MAX / times)
			return false;
	for (c = 0; c < t->columns; c++) {
		t->sum[c] *= times;
		for (i = 0; i < t->n; i++)
			t->self[c][i] *= times;
	}
	t->scale = decimals;
	return true;
}

struct weight
tree_weight(const struct tree *t, uint32_t node, int column)
{
	if (t->nano[column])
		return (struct weight){ t->self[column][node], t->nano[column][node] };
	return weight_of(t->self[column][node], t->scale);
}

struct weight
tree_sum(const struct tree *t, int column)
{
	if (t->nano[column])
		return (struct weight){ t->sum[column], t->sum_nano[column] };
	return weight_of(t->sum[column], t->scale);
}

/* Puts the decimals of all weights beside them. */
static void
set_decimals_apart(struct tree *t)
{
	struct weight w;
	uint32_t i;
	int c;

	for (c = 0; c < t->columns; c++) {
		uint32_t *nano = mem_zero(t->cap, sizeof *nano);

		for (i = 0; i < t->n; i++) {
			w = tree_weight(t, i, c);
			t->self[c][i] = w.whole;
			nano[i] = w.nano;
		}
		w = tree_sum(t, c);
		t->sum[c] = w.whole;
		t->sum_nano[c] = w.nano;
		t->nano[c] = nano;
	}
	t->wanted = t->scale;
	t->scale = 0;
}

bool
tree_add_weight(struct tree *t, uint32_t node, int column, struct weight w)
{
	unsigned decimals = w.nano ? weight_decimals(w) : 0;
	struct weight sum = tree_sum(t, column), self;
	uint64_t value;

	if (!weight_add(&sum, w))
		return false;
	if (!t->nano[0] && tree_set_scale(t, decimals) &&
		weight_scaled(w, t->scale, &value) && tree_add(t, node, column, value))
		return true;
	if (!t->nano[0])
		set_decimals_apart(t);
	if (decimals > t->wanted)
		t->wanted = decimals;
	if (w.whole || w.nano)
		count_stack(t, node);
	self = tree_weight(t, node, column);
	(void)weight_add(&self, w);
	t->self[column][node] = self.whole;
	t->nano[column][node] = self.nano;
	t->sum[column] = sum.whole;
	t->sum_nano[column] = sum.nano;
	return true;
}

/* Whether all weights of T, rounded, fit with a scale of D. */
static bool
is_fitting(const struct tree *t, unsigned d)
{
	uint64_t sum, value;
	uint32_t i;
	int c;

	for (c = 0; c < t->columns; c++) {
		for (sum = 0, i = 0; i < t->n; i++, sum += value)
			if (!weight_scaled(tree_weight(t, i, c), d, &value) ||
				value > UINT64_MAX - sum)
				return false;
	}
	return true;
}

uint64_t
tree_settle(struct tree *t)
{
	unsigned scale = t->wanted;
	uint64_t rounded = 0;
	struct weight w;
	uint32_t i;
	int c;

	if (!t->nano[0])
		return 0;
	while (scale && !is_fitting(t, scale))
		scale--;
	for (c = 0; c < t->columns; c++) {
		t->sum[c] = 0;
		for (i = 0; i < t->n; i++) {
			w = tree_weight(t, i, c);
			rounded += w.nano && weight_decimals(w) > scale;
			if (!weight_scaled(w, scale, &t->self[c][i]) ||
				t->self[c][i] > UINT64_MAX - t->sum[c])
				t->self[c][i] = w.whole;
			t->sum[c] += t->self[c][i];
		}
		free(t->nano[c]);
		t->nano[c] = NULL;
	}
	t->scale = scale;
	return rounded;
}
