/* SPDX-License-Identifier: ISC */
/* Frames of scripts; see script-frame.h. */
#include "script-frame.h"

/* Adds "b.js:2" for a function of "file:///a/b.js". */
static void
put_place(struct buf *b, const struct script_function *f)
{
	struct str file = str_base(f->file);

	buf_str(b, file.n ? file : f->file);
	if (f->line) {
		buf_char(b, ':');
		buf_u64(b, f->line);
	}
}

uint32_t
script_frame(struct collapse *c, const struct script_function *f)
{
	struct str shown =
		collapse_options(c)->full_names && f->marked.n ? f->marked : f->name;
	bool placed = f->file.n && collapse_options(c)->srcline && shown.s != f->marked.s;
	struct buf name = { 0 };
	uint32_t id;

	if (shown.n && !placed)
		return collapse_frame(c, shown, f->kind);
	buf_str(&name, shown.n ? shown : STR("(anonymous"));
	if (f->file.n) {
		buf_char(&name, shown.n ? ':' : ' ');
		put_place(&name, f);
	}
	if (!shown.n)
		buf_char(&name, ')');
	id = collapse_frame(c, buf_view(&name), f->kind);
	buf_release(&name);
	return id;
}
