/* SPDX-License-Identifier: ISC */
/* The picture in words; see facts.h. */
#include "facts.h"
#include "amount.h"

/* Header fields worth a place under the title, and what to put before them. */
struct fact {
	const char *key, *before;
};

static const struct fact FACTS[] = { { "event", "" }, { "command", "" },
	{ "host", "on " }, { "start", "" }, { "base", "only from " } };

#define DOT STR(" \xc2\xb7 ") /* U+00B7 between blanks */

/* Whether the number of samples says more than the total does. */
static bool
tells_samples(const struct picture *p)
{
	return p->samples &&
		(!str_eq(p->countname, STR("samples")) || p->tree->scale ||
			p->samples != p->tree->sum[p->wide]);
}

static void
put_weight(struct buf *b, const struct picture *p, uint64_t weight)
{
	/* weights whose unit nobody named are not the samples that stand
	 * behind them */
	bool unnamed = str_eq(p->countname, STR("samples")) && tells_samples(p);

	amount_put(b, weight, p->tree->scale, p->set->factor,
		unnamed ? STR("in all") : p->countname);
}

/* "3.2 G cycles, 1.23 for each of 2.6 G instructions" */
static void
put_ratio(struct buf *b, const struct picture *p)
{
	const struct tree *t = p->tree;
	enum { FEW = 1000 };
	double per;

	put_weight(b, p, t->sum[0]);
	if (!t->sum[1])
		return;
	per = (double)t->sum[0] / (double)t->sum[1];
	buf_str(b, STR(", "));
	if (per < FEW)
		buf_fmt(b, "%.2f", per);
	else
		amount_put_count(b, (uint64_t)per);
	buf_str(b, STR(" for each of "));
	amount_put(b, t->sum[1], t->scale, p->set->factor, p->ratio[1]);
}

static void
put_totals(struct buf *b, const struct picture *p)
{
	if (picture_is_ratio(p)) {
		put_ratio(b, p);
		return;
	}
	put_weight(b, p, p->tree->sum[0]);
	if (picture_is_diff(p)) {
		buf_str(b, STR(" before, "));
		put_weight(b, p, p->tree->sum[1]);
		buf_str(b, STR(" after"));
	}
}

static void
put_samples(struct buf *b, const struct picture *p)
{
	if (!tells_samples(p))
		return;
	buf_str(b, DOT);
	amount_put_count(b, p->samples);
	buf_str(b, STR(" samples"));
}

void
facts_put_vanished(struct buf *b, const struct picture *p)
{
	if (!p->vanished)
		return;
	amount_put_share(b, p->vanished, p->tree->sum[0]);
	buf_str(b, STR(" of what was before is gone and not drawn"));
}

void
facts_put_line(struct buf *b, const struct picture *p)
{
	uint64_t lost = folded_info_u64(p->info, "lost");
	struct str value;
	size_t i;

	put_totals(b, p);
	put_samples(b, p);
	if (lost) {
		buf_str(b, DOT);
		amount_put_count(b, lost);
		buf_str(b, STR(" lost"));
	}
	for (i = 0; i < sizeof FACTS / sizeof FACTS[0]; i++) {
		value = folded_info_get(p->info, FACTS[i].key);
		if (!value.n)
			continue;
		buf_str(b, DOT);
		buf_str(b, str_of(FACTS[i].before));
		buf_str(b, value);
	}
	if (p->vanished)
		buf_str(b, DOT);
	facts_put_vanished(b, p);
}

void
facts_put_description(struct buf *b, const struct picture *p)
{
	buf_str(b,
		picture_is_diff(p) && !picture_is_ratio(p)
			? STR("Difference of two profiles: ")
			: STR("Profile of "));
	put_totals(b, p);
	if (tells_samples(p)) {
		buf_str(b, STR(" from "));
		amount_put_count(b, p->samples);
		buf_str(b, STR(" samples"));
	}
	buf_str(b, STR(", "));
	amount_put_count(b, p->walk.n);
	buf_str(b, STR(" frames of "));
	amount_put_count(b, p->order.n);
	buf_str(b, STR(" names. The width of a box is its share of the total."));
	if (p->vanished) {
		buf_char(b, ' ');
		facts_put_vanished(b, p);
		buf_char(b, '.');
	}
}
