/* SPDX-License-Identifier: ISC */
/* Weights of samples; see firefox-weigh.h. */
#include "firefox-weigh.h"

#include <math.h>

bool
firefox_weigh(struct firefox_fold *f, const struct firefox_samples *s, size_t i,
	struct collapse_sample *to)
{
	static const double limit = 18446744073709551616.0;
	double weight = s->weighed ? round(firefox_weight(s, i) * f->times) : 1;

	if (weight >= 0 && weight < limit) {
		to->period = to->count = (uint64_t)weight;
		if (to->has_period)
			to->count = 1;
		return true;
	}
	if (isnan(weight))
		firefox_fold_lose(f, COLLAPSE_MALFORMED,
			"skipping a sample whose weight is no number");
	else
		collapse_lose(
			f->c, f->in, weight < 0 ? COLLAPSE_NEGATIVE : COLLAPSE_OVERFLOW);
	return false;
}

/* Whether a weight of S is no whole number. */
static bool
has_fractions(const struct firefox_samples *s)
{
	size_t i;

	for (i = 0; s->weight.items && i < s->weight.n; i++)
		if (isfinite(s->weight.items[i]) &&
			s->weight.items[i] != floor(s->weight.items[i]))
			return true;
	return false;
}

void
firefox_weigh_begin(struct firefox_fold *f, const struct firefox_samples *s,
	struct collapse_sample *to)
{
	static const struct {
		struct str name;
		double times;
	} units[] = {
		[FIREFOX_SAMPLES] = { { "samples", 7 }, 1 },
		[FIREFOX_MS] = { { "ns", 2 }, 1e6 },
		[FIREFOX_BYTES] = { { "bytes", 5 }, 1 },
	};
	enum { DECIMALS = 3 };
	bool fractions = s->unit != FIREFOX_MS && has_fractions(s);

	(void)collapse_decimals(f->c, 0);
	f->times = units[s->unit].times;
	to->has_period = s->weighed && (s->unit != FIREFOX_SAMPLES || fractions);
	if (to->has_period)
		collapse_unit(f->c, units[s->unit].name);
	if (fractions && collapse_decimals(f->c, DECIMALS))
		f->times = 1e3;
}
