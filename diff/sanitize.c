/* SPDX-License-Identifier: ISC */
/* Names as folded text can hold them; see sanitize.h. */
#include "sanitize.h"
#include "folded.h"
#include "graft.h"

#include <stdlib.h>

/* Whether NAME needs no change anywhere in a stack. */
static bool
is_clean(struct str name)
{
	size_t i;

	if (str_starts(name, STR("#")))
		return false;
	for (i = 0; i < name.n; i++)
		if ((unsigned char)name.s[i] < ' ' || name.s[i] == ';' ||
			name.s[i] == 0x7f)
			return false;
	return true;
}

static bool
all_are_clean(const struct intern *names)
{
	uint32_t i;

	for (i = 0; i < names->n; i++)
		if (!is_clean(intern_str(names, i)))
			return false;
	return true;
}

void
sanitize_names(struct tree *t)
{
	struct graft g;

	if (all_are_clean(&t->names))
		return;
	graft_move(&g, t);
	g.as_text = true;
	graft_rename(&g, folded_put_frame);
	graft_nodes(&g);
	graft_weigh(&g);
	free(graft_end(&g));
}
