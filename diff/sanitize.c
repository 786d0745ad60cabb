/* SPDX-License-Identifier: ISC */
/* Names as folded text can hold them; see sanitize.h. */
#include "sanitize.h"
#include "folded.h"
#include "mem.h"

/* Whether NAME is written as it is wherever it stands. */
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

/* Adds NODE of FROM to T below PARENT. */
static uint32_t
take_node(struct tree *t, uint32_t parent, const struct tree *from, uint32_t node)
{
	struct str name = intern_str(&from->names, from->nodes[node].name);
	struct buf b = { 0 };
	int c;

	if (parent == TREE_ROOT && str_starts(name, STR("#")))
		buf_char(&b, ' ');
	folded_put_frame(&b, name);
	parent = tree_child(t, parent, buf_view(&b));
	for (c = 0; c < t->columns; c++)
		tree_add(t, parent, c, from->self[c][node]);
	buf_release(&b);
	return parent;
}

void
sanitize_names(struct tree *t)
{
	struct tree from = *t;
	uint32_t *place, i;
	int c;

	if (all_are_clean(&t->names))
		return;
	place = mem_zero(from.n, sizeof *place);
	tree_init(t, from.columns);
	t->scale = from.scale;
	for (i = 1; i < from.n; i++)
		place[i] = take_node(t, place[from.nodes[i].parent], &from, i);
	/* The sums may be of more stacks than those that are there. */
	for (c = 0; c < t->columns; c++)
		t->sum[c] = from.sum[c];
	free(place);
	tree_release(&from);
}
