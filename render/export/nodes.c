/* SPDX-License-Identifier: ISC */
/*
 * The call tree as a table for databases (RFC 4180), a row for each node, parents first:
 *
 *	node_id,parent_id,depth,frame,self,total
 *	1,,1,main,0,1000000
 *	2,1,2,parse,1000000,1000000
 *
 * With two columns, the weights are self_before, total_before, self and total.
 */
#include "cell.h"
#include "export.h"
#include "mem.h"

static void
put_weights(struct export *x, uint64_t *const totals[TREE_COLUMNS], uint32_t node)
{
	int c;

	for (c = 0; c < x->columns; c++) {
		buf_char(&x->b, ',');
		export_put_decimal(
			&x->b, x->tree->self[x->first + c][node], (int)x->scale);
		buf_char(&x->b, ',');
		export_put_decimal(&x->b, totals[c][node], (int)x->scale);
	}
	buf_char(&x->b, '\n');
	export_flush(x);
}

static void
put_node(struct export *x, const uint32_t *id, uint32_t node, uint32_t depth)
{
	const struct tree_node *n = &x->tree->nodes[node];

	buf_u64(&x->b, id[node]);
	buf_char(&x->b, ',');
	if (n->parent != TREE_ROOT)
		buf_u64(&x->b, id[n->parent]);
	buf_char(&x->b, ',');
	buf_u64(&x->b, depth);
	buf_char(&x->b, ',');
	cell_put_csv(&x->b, intern_str(&x->tree->names, n->name));
}

static bool
write_table(struct export *x)
{
	uint32_t *id = mem_zero(x->tree->n, sizeof *id), i;
	uint64_t *totals[TREE_COLUMNS] = { NULL, NULL };
	struct tree_walk w;
	int c;

	for (c = 0; c < x->columns; c++)
		totals[c] = tree_totals(x->tree, x->first + c);
	buf_str(&x->b, STR("node_id,parent_id,depth,frame"));
	if (x->columns > 1)
		buf_str(&x->b, STR(",self_before,total_before"));
	buf_str(&x->b, STR(",self,total\n"));
	tree_walk_init(&w, x->tree, TREE_BY_NAME);
	for (i = 0; i < w.n; i++)
		id[w.node[i]] = i + 1;
	for (i = 0; i < w.n; i++) {
		put_node(x, id, w.node[i], w.depth[i]);
		put_weights(x, totals, w.node[i]);
	}
	tree_walk_release(&w);
	for (c = 0; c < x->columns; c++)
		free(totals[c]);
	free(id);
	return true;
}

const struct export_target export_nodes = {
	.needs = EXPORT_BOTH,
	.write = write_table,
};
