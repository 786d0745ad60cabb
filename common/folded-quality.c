/* SPDX-License-Identifier: ISC */
/* The header keys of how good stacks are; see folded-quality.h. */
#include "folded-quality.h"
#include "quality.h"

static const char *const STACKS[] = { "stacks-before", "stacks" };

/* What the headers say that P weighs, in whole numbers of units that A and B share: of
 * 10^-9 when one of the two needs it. */
static uint64_t
stated(const struct folded_pieces *p, bool nano)
{
	struct weight w = p->whole;

	if (!weight_add(&w, p->of))
		return UINT64_MAX;
	if (!nano)
		return w.whole;
	return w.whole < UINT64_MAX / WEIGHT_NANO ? w.whole * WEIGHT_NANO + w.nano
						  : UINT64_MAX;
}

static bool
has_decimals(const struct folded_pieces *p)
{
	return p->whole.nano || p->of.nano;
}

/* Makes the key of column C hold for the stacks of INFO and MORE. */
static void
merge_column(struct folded_info *info, const struct folded_info *more, int c)
{
	const struct folded_pieces *p = &info->pieces[c], *q = &more->pieces[c];
	bool nano = has_decimals(p) || has_decimals(q);
	uint64_t total = stated(p, nano), other = stated(q, nano);
	struct quality sum, part;
	struct buf b = { 0 };

	if (quality_read(&sum, folded_info_get(info, STACKS[c])) &&
		quality_read(&part, folded_info_get(more, STACKS[c]))) {
		quality_add(&sum, total, &part, other);
		quality_put(&b, &sum, weight_count(total, other));
	}
	folded_info_set(info, STACKS[c], buf_view(&b));
	buf_release(&b);
}

void
folded_quality_merge(struct folded_info *info, const struct folded_info *more)
{
	int c;

	for (c = 0; c < TREE_COLUMNS; c++)
		merge_column(info, more, c);
}

bool
folded_quality_is_key(struct str key)
{
	return str_eq(key, str_of(STACKS[0])) || str_eq(key, str_of(STACKS[1]));
}

void
folded_quality_forget(struct folded_info *info, int c)
{
	folded_info_set(info, STACKS[c], (struct str){ 0 });
}
