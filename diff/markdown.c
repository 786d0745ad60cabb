/* SPDX-License-Identifier: ISC */
/* Text from inputs within Markdown; see markdown.h. */
#include "markdown.h"

/* Quoted by more backquotes than it has in a row; characters that would end a cell get a
 * backslash. */
void
markdown_put_code(struct buf *b, struct str text)
{
	struct buf shown = { 0 };
	size_t i, row = 0, longest = 0;

	buf_visible(&shown, text, BUF_MARK, BUF_MOST);
	/* Two backquotes alone would begin code. */
	if (!shown.n)
		buf_str(&shown, STR("\"\""));
	for (i = 0; i < shown.n; i++) {
		row = shown.s[i] == '`' ? row + 1 : 0;
		longest = row > longest ? row : longest;
	}
	for (i = 0; i <= longest; i++)
		buf_char(b, '`');
	if (longest)
		buf_char(b, ' ');
	for (i = 0; i < shown.n; i++) {
		if (shown.s[i] == '|')
			buf_char(b, '\\');
		buf_char(b, shown.s[i]);
	}
	if (longest)
		buf_char(b, ' ');
	for (i = 0; i <= longest; i++)
		buf_char(b, '`');
	buf_release(&shown);
}
