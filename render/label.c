/* SPDX-License-Identifier: ISC */
/* Fitting names into boxes; see label.h. */
#include "label.h"
#include "utf8.h"

size_t
label_columns(struct str text)
{
	uint32_t point;
	size_t n, columns = 0;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_next(text, &point);
		columns += utf8_columns(point);
	}
	return columns;
}

/* How many bytes of TEXT take at most COLUMNS columns, and half of LABEL_BYTES. */
static size_t
bytes_within(struct str text, size_t columns)
{
	struct str rest = text;
	uint32_t point;
	size_t n, used = 0;

	for (; rest.n; rest = str_from(rest, n)) {
		n = utf8_next(rest, &point);
		used += utf8_columns(point);
		if (used > columns || text.n - rest.n + n > LABEL_BYTES / 2)
			break;
	}
	return text.n - rest.n;
}

/* How many bytes from the start of TEXT, which takes ALL columns, must go so
 * that at most COLUMNS columns are left, and half of LABEL_BYTES. */
static size_t
bytes_before(struct str text, size_t all, size_t columns)
{
	struct str rest = text;
	uint32_t point;

	while (rest.n && (all > columns || rest.n > LABEL_BYTES / 2)) {
		size_t n = utf8_next(rest, &point);

		all -= utf8_columns(point);
		rest = str_from(rest, n);
	}
	return text.n - rest.n;
}

/* Adds TEXT in at most COLUMNS columns. Where it does not fit, MARK stands in the
 * middle, or at the end. */
static void
put_cut(struct buf *b, struct str text, size_t columns, struct str mark, bool at_end)
{
	size_t all, tail, left;

	if (columns < LABEL_MIN)
		return;
	/* A column takes a byte or more, marks of no width apart: names that
	 * are short in bytes need no counting. */
	all = text.n <= columns ? text.n : label_columns(text);
	if (all <= columns && text.n <= LABEL_BYTES) {
		buf_str(b, text);
		return;
	}
	left = columns - label_columns(mark);
	tail = at_end ? 0 : left / 2;
	buf_str(b, str_head(text, bytes_within(text, left - tail)));
	buf_str(b, mark);
	if (tail)
		buf_str(b, str_from(text, bytes_before(text, all, tail)));
}

void
label_cut(struct buf *b, struct str text, size_t columns, struct str mark)
{
	put_cut(b, text, columns, mark, false);
}

void
label_fit(struct buf *b, struct str text, size_t columns)
{
	put_cut(b, text, columns, LABEL_ELLIPSIS, false);
}

void
label_fit_right(struct buf *b, struct str text, size_t columns)
{
	put_cut(b, text, columns, LABEL_ELLIPSIS, true);
}
