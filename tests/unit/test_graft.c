/* SPDX-License-Identifier: ISC */
/* Trees on their way to becoming others. */
#include "graft.h"
#include "stacks.h"
#include "unit.h"

UNIT(nodes_stay_where_they_are)
{
	struct tree t = { .n = 0 };
	uint32_t ab = stacks_add(&t, "a;b", 1, 2), c = stacks_add(&t, "c", 3, 4), *now;
	struct graft g;

	graft_move(&g, &t);
	graft_nodes(&g);
	graft_weigh(&g);
	now = graft_end(&g);
	CHECK_U64(t.n, 4);
	CHECK_U64(now[ab], stacks_add(&t, "a;b", 0, 0));
	CHECK_U64(t.self[1][now[ab]], 2);
	CHECK_U64(t.self[0][now[c]], 3);
	CHECK_U64(t.sum[1], 6);
	CHECK_U64(t.stacks, 2);
	free(now);
	tree_release(&t);
}

UNIT(equal_names_below_one_node_are_one)
{
	struct tree t = { .n = 0 };
	uint32_t b = stacks_add(&t, "a;b;c", 1, 0), d = stacks_add(&t, "a;d;c", 2, 5),
		 *now;
	struct graft g;

	graft_move(&g, &t);
	g.name[g.from->nodes[b].parent] = g.name[g.from->nodes[d].parent];
	graft_nodes(&g);
	graft_weigh(&g);
	now = graft_end(&g);
	CHECK_U64(now[b], now[d]);
	CHECK_U64(now[b], stacks_add(&t, "a;d;c", 0, 0));
	CHECK_U64(t.self[0][now[b]], 3);
	CHECK_U64(t.self[1][now[b]], 5);
	free(now);
	tree_release(&t);
}

UNIT(joined_nodes_leave_and_others_go_elsewhere)
{
	struct tree t = { .n = 0 };
	uint32_t c = stacks_add(&t, "a;b;c", 1, 2), b = t.nodes[c].parent, *now;
	struct graft g;

	graft_move(&g, &t);
	g.name[b] = GRAFT_JOIN;
	graft_nodes(&g);
	CHECK_U64(g.now[c], stacks_add(&t, "a;c", 0, 0));
	g.below[c] = TREE_ROOT;
	graft_node(&g, c);
	graft_weigh(&g);
	now = graft_end(&g);
	CHECK_U64(now[c], stacks_add(&t, "c", 0, 0));
	CHECK_U64(now[b], stacks_add(&t, "a", 0, 0));
	free(now);
	tree_release(&t);
}

UNIT(decimals_that_do_not_fit_stay_exact)
{
	static const struct weight large = { UINT64_C(1) << 60, 1 },
				   small = { 0, 999999999 };
	struct tree t = { .n = 0 };
	uint32_t a = stacks_add(&t, "a", 0, 0), b = stacks_add(&t, "b", 0, 0), *now;
	struct graft g;

	CHECK(tree_add_weight(&t, a, 0, large));
	CHECK(tree_add_weight(&t, b, 0, small));
	graft_move(&g, &t);
	g.name[b] = g.name[a];
	graft_nodes(&g);
	graft_weigh(&g);
	now = graft_end(&g);
	CHECK_U64(tree_weight(&t, now[a], 0).whole, large.whole + 1);
	CHECK_U64(tree_weight(&t, now[a], 0).nano, 0);
	CHECK_U64(tree_sum(&t, 0).whole, large.whole + 1);
	free(now);
	tree_release(&t);
}

UNIT(names_are_those_of_nodes)
{
	struct tree t = { .n = 0 };
	uint32_t ab = stacks_add(&t, "a;b", 1, 0), *now;
	struct graft g;

	(void)intern_id(&t.names, STR("unused"));
	graft_move(&g, &t);
	graft_rename(&g, buf_str);
	graft_nodes(&g);
	graft_weigh(&g);
	now = graft_end(&g);
	CHECK_U64(t.names.n, 2);
	CHECK_U64(now[ab], stacks_add(&t, "a;b", 0, 0));
	free(now);
	tree_release(&t);
}

UNIT(lines_begin_with_no_comment)
{
	struct tree t = { .n = 0 };
	uint32_t b = stacks_add(&t, "a;#b;#c", 1, 0), a, *now;
	struct graft g;

	a = t.nodes[t.nodes[b].parent].parent;
	graft_move(&g, &t);
	g.as_text = true;
	g.name[a] = GRAFT_JOIN;
	graft_nodes(&g);
	graft_weigh(&g);
	now = graft_end(&g);
	CHECK_U64(now[b], stacks_add(&t, " #b;#c", 0, 0));
	free(now);
	tree_release(&t);
}

UNIT(in_time_order_only_neighbours_are_one)
{
	struct tree t;
	uint32_t a[3], i, *now;
	struct graft g;

	tree_init(&t, 1);
	for (i = 0; i < 3; i++) {
		a[i] = tree_append(&t, TREE_ROOT, i == 1 ? STR("b") : STR("a"));
		CHECK(tree_add(&t, a[i], 0, i + 1));
	}
	graft_move(&g, &t);
	g.in_order = true;
	graft_nodes(&g);
	graft_weigh(&g);
	now = graft_end(&g);
	CHECK_U64(t.n, 4);
	CHECK(now[a[0]] != now[a[2]]);
	free(now);
	graft_move(&g, &t);
	g.in_order = true;
	g.name[a[1]] = g.name[a[0]];
	graft_nodes(&g);
	graft_weigh(&g);
	free(graft_end(&g));
	CHECK_U64(t.n, 2);
	CHECK_U64(t.self[0][1], 6);
	tree_release(&t);
}

UNIT(a_tree_that_is_read_stays)
{
	struct tree t = { .n = 0 }, view;
	uint32_t ab = stacks_add(&t, "a;b", 1, 2), *now;
	struct graft g;

	tree_init_view(&view, &t);
	graft_add(&g, &view, &t);
	g.below[ab] = TREE_ROOT;
	graft_nodes(&g);
	graft_weigh(&g);
	now = graft_end(&g);
	CHECK_U64(view.nodes[now[ab]].parent, TREE_ROOT);
	CHECK_U64(view.self[1][now[ab]], 2);
	CHECK_U64(t.self[1][ab], 2);
	free(now);
	tree_release_view(&view);
	CHECK_STR(intern_str(&t.names, t.nodes[ab].name), STR("b"));
	tree_release(&t);
}

UNIT_MAIN
