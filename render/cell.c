/* SPDX-License-Identifier: ISC */
/* Cells of tables; see cell.h. */
#include "cell.h"

/* Whether TEXT begins like a formula, behind spaces that an import may strip. A sign alone is
 * not a formula. */
static bool
is_formula(struct str text)
{
	static const struct str signs[] = { { "=", 1 }, { "+", 1 }, { "-", 1 },
		{ "@", 1 }, { "\xef\xbc\x9d", 3 }, { "\xef\xbc\x8b", 3 },
		{ "\xef\xbc\x8d", 3 }, { "\xef\xbc\xa0", 3 } };
	size_t i;

	while (str_starts(text, STR(" ")))
		text = str_from(text, 1);
	for (i = 0; i < sizeof signs / sizeof *signs; i++)
		if (text.n > signs[i].n && str_starts(text, signs[i]))
			return true;
	return false;
}

/* Whether TEXT is a formula behind any number of "'". */
static bool
needs_mark(struct str text)
{
	while (str_starts(text, STR("'")))
		text = str_from(text, 1);
	return is_formula(text);
}

void
cell_put_tsv(struct buf *b, struct str text)
{
	if (needs_mark(text))
		buf_char(b, '\'');
	buf_visible(b, text, BUF_MARK, BUF_MOST);
}

static bool
needs_quotes(struct str text)
{
	if (str_find(text, ',') < text.n || str_find(text, '"') < text.n)
		return true;
	do
		(void)str_cut(&text, ';');
	while (text.n && !is_formula(text));
	return text.n > 0;
}

void
cell_put_csv(struct buf *b, struct str text)
{
	const bool quoted = needs_quotes(text);
	struct buf cell = { 0 };
	struct str rest, piece;

	cell_put_tsv(&cell, text);
	if (quoted)
		buf_char(b, '"');
	for (rest = buf_view(&cell); rest.n;) {
		piece = str_head(rest, str_find(rest, '"'));
		buf_str(b, piece);
		if (piece.n < rest.n)
			buf_str(b, STR("\"\""));
		rest = str_from(rest, piece.n + 1);
	}
	if (quoted)
		buf_char(b, '"');
	buf_release(&cell);
}
