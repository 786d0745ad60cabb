/* SPDX-License-Identifier: ISC */
/*
 * The tree for d3-flame-graph:
 *
 *	{"name":"root","value":3,"children":[{"name":"main","value":3,"children":[...]}]}
 *
 * A value includes its children. Of two columns the second is the value, and "delta" is its
 * difference from the first.
 */
#include "export.h"
#include "json.h"
#include "mem.h"

static void
put_values(struct export *x, uint64_t *const totals[TREE_COLUMNS], uint32_t node)
{
	uint64_t after = totals[x->columns - 1][node], before = totals[0][node];

	json_number(&x->b, "value", STR(""));
	export_put_decimal(&x->b, after, (int)x->scale);
	if (x->columns == 1)
		return;
	json_number(&x->b, "delta", STR(""));
	if (after < before)
		buf_char(&x->b, '-');
	export_put_decimal(
		&x->b, after < before ? before - after : after - before, (int)x->scale);
}

/* Ends the open nodes deeper than DEPTH; *OPEN are open. */
static void
close_to(struct export *x, uint32_t *open, uint32_t depth)
{
	for (; *open >= depth; --*open) {
		json_array_end(&x->b);
		json_end(&x->b);
	}
}

static bool
write_file(struct export *x)
{
	const struct tree *t = x->tree;
	uint64_t *totals[TREE_COLUMNS] = { NULL, NULL };
	uint32_t i, open = 0;
	struct tree_walk w;
	int c;

	for (c = 0; c < x->columns; c++)
		totals[c] = tree_totals(t, x->first + c);
	json_begin(&x->b, NULL);
	json_str(&x->b, "name", STR("root"));
	put_values(x, totals, TREE_ROOT);
	json_array(&x->b, "children");
	tree_walk_init(&w, t, TREE_BY_NAME);
	for (i = 0; i < w.n; i++) {
		if (!totals[x->columns - 1][w.node[i]] && !totals[0][w.node[i]])
			continue;
		close_to(x, &open, w.depth[i]);
		open = w.depth[i];
		json_element_begin(&x->b);
		json_str(&x->b, "name", intern_str(&t->names, t->nodes[w.node[i]].name));
		put_values(x, totals, w.node[i]);
		json_array(&x->b, "children");
		export_flush(x);
	}
	close_to(x, &open, 1);
	json_array_end(&x->b);
	json_end(&x->b);
	buf_char(&x->b, '\n');
	tree_walk_release(&w);
	for (c = 0; c < x->columns; c++)
		free(totals[c]);
	return true;
}

const struct export_target export_d3 = {
	.needs = EXPORT_BOTH | EXPORT_DOUBLES,
	.write = write_file,
};
