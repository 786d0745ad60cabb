/* SPDX-License-Identifier: ISC */
/* Python frames; see python-frame.h. */
#include "python-frame.h"

void
python_frame_add(struct thread_dump *d, struct str name, struct str file, struct str line)
{
	struct collapse *c = d->stack.c;
	struct buf *b = &d->stack.name;

	buf_clear(b);
	buf_str(b, name);
	if (file.n) {
		buf_str(b, STR(" ("));
		buf_str(b, file);
		if (line.n && collapse_options(c)->srcline) {
			buf_char(b, ':');
			buf_str(b, line);
		}
		buf_char(b, ')');
	}
	frame_names_push(&d->stack, collapse_frame(c, buf_view(b), 0));
}
