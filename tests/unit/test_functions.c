/* SPDX-License-Identifier: ISC */
/* Stacks without their dimensions. */
#include "functions.h"
#include "unit.h"

static uint32_t
add(struct tree *t, const char *stack, uint64_t weight)
{
	struct str rest = str_of(stack);
	uint32_t node = TREE_ROOT;

	while (rest.n)
		node = tree_child(t, node, str_cut(&rest, ';'));
	CHECK(tree_add(t, node, 0, weight));
	return node;
}

UNIT(stacks_of_several_values_are_one)
{
	struct functions f;
	uint32_t first, second, alone, n;
	uint64_t *sum;
	struct tree t;

	tree_init(&t, 1);
	first = add(&t, "a;main;f", 1);
	second = add(&t, "b;main;f", 2);
	add(&t, "main;g", 4);
	alone = add(&t, "a", 8);
	functions_init(&f, &t, 1);
	/* the root, main, f, g */
	CHECK_U64(f.tree->n, 4);
	CHECK_U64(f.tree->sum[0], 15);
	CHECK_U64(f.node[first], f.node[second]);
	CHECK_U64(f.tree->self[0][f.node[first]], 3);
	/* No function is called "[unknown]" here. */
	CHECK_U64(f.node[alone], TREE_ROOT);
	n = t.n;
	sum = functions_fold(&f, t.self[0], &n);
	CHECK_U64(n, 4);
	CHECK_U64(sum[f.node[first]], 3);
	free(sum);
	functions_release(&f);
	(void)intern_id(&t.names, STR("[unknown]"));
	functions_init(&f, &t, 1);
	CHECK_U64(f.tree->self[0][f.node[alone]], 8);
	functions_release(&f);
	tree_release(&t);
}

UNIT(below_one_value_nothing_becomes_one)
{
	struct functions f;
	uint32_t mf, g;
	struct tree t;

	tree_init(&t, 1);
	mf = add(&t, "a;b;main;f", 1);
	g = add(&t, "a;b;g", 2);
	functions_init(&f, &t, 2);
	CHECK_U64(f.tree->n, 4);
	CHECK_U64(f.tree->sum[0], 3);
	CHECK_U64(f.tree->self[0][f.node[mf]], 1);
	CHECK_U64(f.tree->nodes[f.tree->nodes[f.node[mf]].parent].parent, TREE_ROOT);
	CHECK_U64(f.tree->nodes[f.node[g]].parent, TREE_ROOT);
	functions_release(&f);
	/* Another value, with the same function. */
	add(&t, "a;c;g", 4);
	functions_init(&f, &t, 2);
	CHECK_U64(f.tree->n, 4);
	CHECK_U64(f.tree->self[0][f.node[g]], 6);
	functions_release(&f);
	tree_release(&t);
}

UNIT(without_dimensions_it_is_the_tree)
{
	struct functions f;
	struct tree t;
	uint64_t *sum;
	uint32_t n;

	tree_init(&t, 1);
	add(&t, "main;f", 1);
	functions_init(&f, &t, 0);
	CHECK(f.tree == &t);
	CHECK(!f.node);
	n = 2;
	sum = functions_fold(&f, t.self[0], &n);
	CHECK_U64(n, 2);
	free(sum);
	functions_release(&f);
	tree_release(&t);
}

UNIT_MAIN
