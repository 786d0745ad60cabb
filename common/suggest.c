/* SPDX-License-Identifier: ISC */
/* Suggests names for a mistyped one; see suggest.h. */
#include "suggest.h"

/* Longer names are not compared: they are not typed by hand. */
enum { LONGEST = 100 };

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The edit distance of A and B: optimal string alignment, with three rows of its table at a
 * time. */
static unsigned
distance(struct str a, struct str b)
{
	unsigned rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2],
				       *swap;
	size_t i, j;

	for (j = 0; j <= b.n; j++)
		before[j] = last[j] = (unsigned)j;
	for (i = 1; i <= a.n; i++) {
		row[0] = (unsigned)i;
		for (j = 1; j <= b.n; j++) {
			row[j] = least(last[j], row[j - 1]) + 1;
			row[j] = least(row[j], last[j - 1] + (a.s[i - 1] != b.s[j - 1]));
			if (i > 1 && j > 1 && a.s[i - 1] == b.s[j - 2] &&
				a.s[i - 2] == b.s[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		swap = before;
		before = last;
		last = row;
		row = swap;
	}
	return last[b.n];
}

void
suggest_offer(struct suggest *near, struct str name)
{
	unsigned d, i, most = (unsigned)(near->want.n / 3 + 1);

	if (!name.n || name.n > LONGEST || near->want.n > LONGEST)
		return;
	d = distance(near->want, name);
	/* A name that contains the other is near too, despite the distance. */
	if (d > most &&
		((near->want.n >= 3 && str_search(name, near->want) < name.n) ||
			(name.n >= 3 && str_starts(near->want, name))))
		d = most;
	if (d > most)
		return;
	for (i = 0; i < near->n; i++)
		if (str_eq(near->found[i], name))
			return;
	for (i = near->n; i > 0 && near->distance[i - 1] > d; i--)
		if (i < SUGGEST_MAX) {
			near->found[i] = near->found[i - 1];
			near->distance[i] = near->distance[i - 1];
		}
	if (i == SUGGEST_MAX)
		return;
	near->found[i] = arena_str(&near->text, name);
	near->distance[i] = d;
	near->n += near->n < SUGGEST_MAX;
}

void
suggest_put(const struct suggest *near, struct buf *b)
{
	unsigned i, n = near->n;

	/* Next to a name at distance 1, one at distance 3 is not meant. */
	while (n > 1 && near->distance[n - 1] > near->distance[0] + 1)
		n--;
	for (i = 0; i < n; i++) {
		if (i == 0)
			buf_str(b, STR("; did you mean "));
		else
			buf_str(b, i + 1 < n ? STR(", ") : STR(" or "));
		buf_str(b, near->prefix);
		buf_str(b, near->found[i]);
	}
	if (n)
		buf_char(b, '?');
}

void
suggest_release(struct suggest *near)
{
	arena_release(&near->text);
	near->n = 0;
}
