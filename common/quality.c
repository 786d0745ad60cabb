/* SPDX-License-Identifier: ISC */
/* The quality of a profile's stacks; see quality.h. */
#include "quality.h"

#include <math.h>

/* In good recordings 95 to 100 % of the stacks are whole, whatever the recorder; in bad ones
 * (programs without frame pointers, snapshots that are too small) half of them or nearly all are
 * broken. So a tenth separates the two. Programs of distributions have less than a tenth of their
 * self weight in unnamed functions even without debug symbols; with a fifth, the picture has
 * holes. */
#define POOR_STACKS 0.1L
#define POOR_NAMES  0.2L

enum { MOST_DECIMALS = 20, LEAST_DECIMALS = 2 };

static const char *const NAMES[QUALITY_KINDS] = {
	[QUALITY_ENTRY] = "entry",
	[QUALITY_CUT] = "cut",
	[QUALITY_BROKEN] = "broken",
	[QUALITY_ABSENT] = "absent",
	[QUALITY_UNNAMED] = "unnamed",
};

/* Parses a share: digits with at most one point, 1 at most. */
static bool
read_share(struct str text, long double *share)
{
	bool behind = false;
	long double unit = 1, value = 0;
	size_t i;

	for (i = 0; i < text.n; i++) {
		if (text.s[i] == '.' && !behind) {
			behind = true;
			continue;
		}
		if (!str_is_digit(text.s[i]))
			return false;
		unit *= behind ? 10 : 1;
		value = value * 10 + (text.s[i] - '0');
	}
	*share = value / unit;
	return text.n > 0 && text.n <= MOST_DECIMALS + 2 && value <= unit;
}

bool
quality_read(struct quality *q, struct str text)
{
	bool found[QUALITY_KINDS] = { false };
	struct str part, name;
	long double share;
	size_t i;

	memset(q, 0, sizeof *q);
	while (text.n) {
		part = str_cut(&text, ',');
		name = str_cut(&part, ':');
		if (!read_share(part, &share)) {
			memset(q, 0, sizeof *q);
			return false;
		}
		for (i = 0; i < QUALITY_KINDS; i++)
			if (str_eq(name, str_of(NAMES[i]))) {
				q->share[i] = share;
				found[i] = true;
			}
	}
	return found[QUALITY_ENTRY];
}

struct quality
quality_of(const uint64_t w[QUALITY_KINDS], uint64_t total)
{
	struct quality q = { { 0 } };
	int i;

	for (i = 0; i < QUALITY_KINDS && total; i++)
		q.share[i] = w[i] < total ? (long double)w[i] / (long double)total : 1;
	return q;
}

void
quality_add(struct quality *q, uint64_t total, const struct quality *more,
	uint64_t more_total)
{
	long double a = (long double)total, b = (long double)more_total, weight;
	int i;

	for (i = 0; i < QUALITY_KINDS && a + b > 0; i++) {
		weight = floorl(q->share[i] * a + 0.5L) +
			floorl(more->share[i] * b + 0.5L);
		q->share[i] = weight < a + b ? weight / (a + b) : 1;
	}
}

/* Adds SHARE without trailing zeros. */
static void
put_share(struct buf *b, long double share, int decimals)
{
	buf_fmt(b, "%.*Lf", decimals, share);
	while (b->s[b->n - 1] == '0')
		b->n--;
	if (b->s[b->n - 1] == '.')
		b->n--;
}

void
quality_put(struct buf *b, const struct quality *q, uint64_t total)
{
	int decimals = LEAST_DECIMALS, i;

	for (total /= 100; total && decimals < MOST_DECIMALS; total /= 10)
		decimals++;
	for (i = 0; i < QUALITY_KINDS; i++) {
		if (i == QUALITY_ABSENT && q->share[i] <= 0)
			continue;
		buf_fmt(b, "%s%s:", i ? "," : "", NAMES[i]);
		put_share(b, q->share[i], decimals);
	}
}

/* Adds ", 12 % WORD" unless that would be 0. */
static void
put_percent(struct buf *b, long double share, const char *word)
{
	double percent = (double)floorl(share * 100 + 0.5L);

	if (percent > 0)
		buf_fmt(b, ", %.0f %% %s", percent, word);
}

void
quality_put_words(struct buf *b, const struct quality *q)
{
	double whole = (double)q->share[QUALITY_ENTRY];

	/* Rounded down, so that only exactly all stacks are 100 %. */
	buf_fmt(b, "%.0f %% whole stacks", whole < 1 ? floor(whole * 100) : 100);
	put_percent(b, q->share[QUALITY_CUT], "truncated");
	put_percent(b, q->share[QUALITY_BROKEN], "broken");
	put_percent(b, q->share[QUALITY_ABSENT], "without callers");
	if (quality_is_poor_in_names(q))
		put_percent(
			b, q->share[QUALITY_UNNAMED], "of self weight without a name");
}

bool
quality_is_poor_in_stacks(const struct quality *q)
{
	return 1 - q->share[QUALITY_ENTRY] >= POOR_STACKS;
}

bool
quality_is_poor_in_names(const struct quality *q)
{
	return q->share[QUALITY_UNNAMED] >= POOR_NAMES;
}

bool
quality_is_poor(const struct quality *q)
{
	return quality_is_poor_in_stacks(q) || quality_is_poor_in_names(q);
}
