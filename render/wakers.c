/* SPDX-License-Identifier: ISC */
/* Wakers; see wakers.h. */
#include "wakers.h"
#include "buf.h"
#include "frame.h"

/* The id of the name with the id NAME, annotated. */
static uint32_t
annotated(struct tree *t, uint32_t name)
{
	struct str plain = intern_str(&t->names, name);
	struct buf b = { 0 };

	if (frame_annotation(plain) == 'w')
		return name;
	buf_str(&b, plain);
	frame_annotate(&b, 'w');
	name = intern_id(&t->names, buf_view(&b));
	buf_release(&b);
	return name;
}

void
wakers_annotate(struct tree *t)
{
	bool *above = mem_zero(t->n, sizeof *above);
	struct tree_node *node;
	uint32_t i;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		node = &t->nodes[i];
		above[i] = above[node->parent];
		if (node->name == TREE_GAP)
			continue;
		if (str_eq(intern_str(&t->names, node->name), STR("--")))
			above[i] = true;
		else if (above[i])
			node->name = annotated(t, node->name);
	}
	free(above);
}
