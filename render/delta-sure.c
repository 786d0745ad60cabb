/* SPDX-License-Identifier: ISC */
/* Which changes are more than chance; see delta.h. */
#include "delta.h"
#include "mem.h"

#include <math.h>

/* Whether the whole changed: it is none of the frames that are tested, and is held to
 * what they are. */
static bool
root_is_sure(const struct delta *d, const struct chance *c)
{
	const uint64_t weight[] = { d->before[TREE_ROOT], d->after[TREE_ROOT] };

	return (weight[0] || weight[1]) && chance_p(c, weight) <= c->cut;
}

/* Marks the frames whose figure, the total or the self weight, changed; of what is new or
 * gone it is the total. */
static void
mark(struct delta *d, const struct chance *c, double confidence)
{
	const struct tree *t = d->tree;
	bool by_self = d->before != d->totals[0];
	struct figure f = { .is_path = true };
	uint32_t i;

	d->sure = mem_zero(t->n, sizeof *d->sure);
	d->sure[TREE_ROOT] = root_is_sure(d, c);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		f.id = i;
		f.is_self = by_self && !delta_is_new(d, i) && !delta_is_gone(d, i);
		d->sure[i] =
			chance_is_change(c, figures_number(&c->figures, f), confidence);
	}
}

void
delta_find_sure(struct delta *d, const struct delta_test *test)
{
	static const double once[TREE_COLUMNS] = { 1, 1 };
	struct chance c;

	chance_init(&c, d->tree, test->norms);
	chance_set_samples(&c, test->samples, once);
	if (c.is_known) {
		chance_test(&c, test->confidence, NULL);
		mark(d, &c, test->confidence);
		memcpy(d->samples, c.samples, sizeof d->samples);
		memcpy(d->of, c.of, sizeof d->of);
		d->of_adds = c.norm == CHANCE_FRAME;
		/* few digits, which are the same on every machine */
		d->z = round(-1e6 * stats_normal_quantile(c.cut / 2)) / 1e6;
	}
	chance_release(&c);
}
