/* SPDX-License-Identifier: ISC */
/* The frames of cost centres. */
#include "cost-centre.h"
#include "buf.h"

uint32_t
cost_centre_frame(
	struct collapse *c, struct str module, struct str label, struct str place)
{
	struct str nothing = { 0 };
	struct buf name = { 0 };
	uint32_t id;

	if (!module.n && !label.n)
		return collapse_bare_frame(c, nothing, nothing, 0);
	buf_str(&name, module);
	if (module.n)
		buf_char(&name, '.');
	buf_str(&name, label);
	/* "<built-in>" is not a place. */
	if (collapse_options(c)->srcline && place.n && place.s[0] != '<') {
		buf_char(&name, ':');
		buf_str(&name, place);
	}
	id = collapse_frame(c, buf_view(&name), 0);
	buf_release(&name);
	return id;
}
