/* SPDX-License-Identifier: ISC */
/* A text of JSON that outlives the next call of its reader; see pull-text.h. */
#include "pull-text.h"

void
pull_text(struct pull *p, struct buf *to)
{
	struct str s;

	buf_clear(to);
	if (!pull_null(p) && pull_string(p, &s))
		buf_str(to, s);
}
