/* SPDX-License-Identifier: ISC */
/* The words that options accept, in help, messages and completions; see opt.h. */
#include "opt.h"

void
opt_put_words(struct buf *b, const struct opt *o)
{
	size_t i;

	for (i = 0; o->words && o->words[i]; i++) {
		if (i)
			buf_str(b, o->words[i + 1] || o->also ? STR(", ") : STR(" or "));
		buf_str(b, str_of(o->words[i]));
	}
	if (o->also)
		buf_fmt(b, "%s%s", i ? ", " : "", o->also);
}

void
opt_put_help(struct buf *b, const struct opt *o)
{
	struct str rest = str_of(o->help), mark = STR("{}");
	size_t at = str_search(rest, mark);

	buf_str(b, str_head(rest, at));
	if (at == rest.n)
		return;
	opt_put_words(b, o);
	buf_str(b, str_from(rest, at + mark.n));
}
