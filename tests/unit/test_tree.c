/* SPDX-License-Identifier: ISC */
/* The stack tree: tree.h. */
#include "tree.h"
#include "buf.h"
#include "unit.h"

/* The node of the path TEXT, its frames joined by ';'. */
static uint32_t
path(struct tree *t, const char *text)
{
	struct str rest = str_of(text);
	uint32_t node = TREE_ROOT;

	while (rest.n)
		node = tree_child(t, node, str_cut(&rest, ';'));
	return node;
}

UNIT(an_empty_tree_is_a_root)
{
	struct tree t;
	struct tree_walk w;
	uint64_t *totals;

	tree_init(&t, 1);
	CHECK(t.n == 1 && t.columns == 1 && t.scale == 0);
	totals = tree_totals(&t, 0);
	CHECK_U64(totals[TREE_ROOT], 0);
	free(totals);
	tree_walk_init(&w, &t, TREE_BY_NAME);
	CHECK_U64(w.n, 0);
	tree_walk_release(&w);
	tree_release(&t);
}

UNIT(equal_paths_are_one_node)
{
	struct tree t;
	uint32_t ab, id;

	tree_init(&t, 1);
	ab = path(&t, "a;b");
	CHECK(path(&t, "a;b") == ab);
	CHECK(path(&t, "b;a") != ab && path(&t, "a;a") != path(&t, "a"));
	id = t.nodes[ab].name;
	CHECK(tree_child_id(&t, t.nodes[ab].parent, id) == ab);
	CHECK(tree_child_id(&t, ab, id) == path(&t, "a;b;b"));
	CHECK_STR(intern_str(&t.names, id), STR("b"));
	tree_release(&t);
}

UNIT(what_is_known_to_be_new_is_found_later)
{
	enum { MANY = 3000 };
	struct tree t;
	uint32_t a, b, i;
	char name[16];

	tree_init(&t, 1);
	a = path(&t, "a");
	b = path(&t, "b");
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof name, "%u", i);
		CHECK_U64(tree_new_child_id(
				  &t, i % 2 ? a : b, intern_id(&t.names, str_of(name))),
			i + 3);
	}
	CHECK_U64(path(&t, "a;1"), 4);
	CHECK_U64(path(&t, "b;2998"), MANY + 1);
	CHECK_U64(path(&t, "b;1"), MANY + 3);
	tree_freeze(&t);
	CHECK_U64(path(&t, "b;1"), MANY + 3);
	CHECK(path(&t, "b") == b);
	tree_release(&t);
}

UNIT(sorted_trees_do_not_show_how_they_were_made)
{
	static const char *const names[] = { "b;a;c", "a", "c;b;a", "a;c", "b" };
	struct tree t, u;
	uint32_t i;

	tree_init(&t, 2);
	tree_init(&u, 2);
	for (i = 0; i < 5; i++) {
		CHECK(tree_add(&t, path(&t, names[i]), 1, i + 1));
		CHECK(tree_add(&u, path(&u, names[4 - i]), 1, 5 - i));
	}
	tree_sort(&t);
	tree_sort(&u);
	CHECK(t.n == 9 && u.n == 9 && t.sum[1] == 15 && t.stacks == 5);
	CHECK_STR(intern_str(&t.names, t.nodes[1].name), STR("a"));
	CHECK_STR(intern_str(&t.names, t.nodes[2].name), STR("c"));
	for (i = 1; i < t.n; i++) {
		CHECK(t.nodes[i].parent == u.nodes[i].parent);
		CHECK(t.nodes[i].name == u.nodes[i].name);
		CHECK_U64(t.self[1][i], u.self[1][i]);
	}
	CHECK_U64(t.self[1][path(&t, "c;b;a")], 3);
	CHECK(t.n == 9);
	tree_release(&t);
	tree_release(&u);
}

UNIT(totals_include_descendants)
{
	struct tree t;
	uint64_t *totals;

	tree_init(&t, 2);
	CHECK(tree_add(&t, path(&t, "a;b"), 0, 5));
	CHECK(tree_add(&t, path(&t, "a;b"), 1, 50));
	CHECK(tree_add(&t, path(&t, "a"), 0, 2));
	CHECK(tree_add(&t, path(&t, "c"), 1, 7));
	CHECK(tree_add(&t, TREE_ROOT, 0, 1));
	totals = tree_totals(&t, 0);
	CHECK_U64(totals[TREE_ROOT], 8);
	CHECK_U64(totals[path(&t, "a")], 7);
	CHECK_U64(totals[path(&t, "a;b")], 5);
	CHECK_U64(totals[path(&t, "c")], 0);
	free(totals);
	totals = tree_totals(&t, 1);
	CHECK_U64(totals[TREE_ROOT], 57);
	free(totals);
	CHECK(t.sum[0] == 8 && t.sum[1] == 57);
	tree_release(&t);
}

UNIT(sums_beyond_64_bits_are_refused)
{
	struct tree t;

	tree_init(&t, 1);
	CHECK(tree_add(&t, path(&t, "a"), 0, UINT64_MAX - 1));
	CHECK(!tree_add(&t, path(&t, "b"), 0, 2));
	CHECK(t.sum[0] == UINT64_MAX - 1 && t.self[0][path(&t, "b")] == 0);
	CHECK(tree_add(&t, path(&t, "b"), 0, 1));
	CHECK(!tree_add(&t, path(&t, "b"), 0, 1));
	CHECK(tree_add(&t, path(&t, "b"), 0, 0));
	tree_release(&t);
}

UNIT(a_scale_multiplies_all_or_nothing)
{
	struct tree t;

	tree_init(&t, 2);
	tree_add(&t, path(&t, "a"), 0, 3);
	tree_add(&t, path(&t, "a"), 1, UINT64_MAX / 1000);
	CHECK(tree_set_scale(&t, 2) && t.scale == 2);
	CHECK(t.self[0][path(&t, "a")] == 300 && t.sum[0] == 300);
	CHECK(t.sum[1] == UINT64_MAX / 1000 * 100);
	CHECK(!tree_set_scale(&t, 4));
	CHECK(t.scale == 2 && t.self[0][path(&t, "a")] == 300);
	CHECK(tree_set_scale(&t, 1) && t.scale == 2);
	CHECK(tree_set_scale(&t, 3) && t.scale == 3);
	CHECK(!tree_set_scale(&t, TREE_SCALE_MAX + 1));
	tree_release(&t);
}

UNIT(stacks_are_counted_once)
{
	struct tree t;
	uint32_t a, b;
	int c;

	tree_init(&t, 2);
	a = tree_child(&t, TREE_ROOT, STR("a"));
	b = tree_child(&t, a, STR("b"));
	CHECK(tree_add(&t, a, 0, 0));
	CHECK_U64(t.stacks, 0);
	for (c = 0; c < 2; c++) {
		CHECK(tree_add(&t, b, c, 1));
		CHECK(tree_add(&t, b, c, 1));
	}
	CHECK_U64(t.stacks, 1);
	CHECK(tree_add_weight(&t, a, 1, (struct weight){ 0, 1 }));
	CHECK_U64(t.stacks, 2);
	/* From here on, weights have decimals. */
	CHECK(tree_add_weight(&t, a, 0, (struct weight){ UINT64_MAX - 9, 0 }));
	CHECK(tree_add_weight(&t, a, 0, (struct weight){ 0, 5 }));
	CHECK_U64(t.stacks, 2);
	tree_empty(&t);
	CHECK_U64(t.stacks, 0);
	tree_release(&t);
}

UNIT(a_second_column_begins_at_zero)
{
	struct tree t;
	uint32_t i;

	tree_init(&t, 1);
	for (i = 0; i < 3000; i++)
		tree_add(&t, tree_append(&t, TREE_ROOT, STR("x")), 0, 1);
	tree_add_column(&t);
	tree_add_column(&t);
	CHECK_U64((unsigned)t.columns, 2);
	for (i = 0; i < 10000; i++)
		tree_append(&t, TREE_ROOT, STR("y"));
	for (i = 0; i < t.n; i++)
		CHECK(t.self[1][i] == 0 && t.self[0][i] == (i >= 1 && i <= 3000));
	tree_release(&t);
}

/* The walk of T as text: depth and name of each node. */
static void
put_walk(struct buf *b, const struct tree *t, enum tree_order order)
{
	struct tree_walk w;
	uint32_t i, name;

	tree_walk_init(&w, t, order);
	CHECK_U64(w.n, t->n - 1);
	buf_clear(b);
	for (i = 0; i < w.n; i++) {
		name = t->nodes[w.node[i]].name;
		buf_fmt(b, "%" PRIu32, w.depth[i]);
		buf_str(b, name == TREE_GAP ? STR("-") : intern_str(&t->names, name));
		buf_char(b, ' ');
	}
	tree_walk_release(&w);
}

UNIT(walks_are_preorder)
{
	struct tree t;
	struct buf b = { 0 };

	tree_init(&t, 1);
	path(&t, "b;x");
	path(&t, "a;z");
	path(&t, "b;c");
	path(&t, "a;z;q");
	path(&t, "a");
	put_walk(&b, &t, TREE_BY_NAME);
	CHECK_STR(buf_view(&b), STR("1a 2z 3q 1b 2c 2x "));
	put_walk(&b, &t, TREE_AS_ADDED);
	CHECK_STR(buf_view(&b), STR("1b 2x 2c 1a 2z 3q "));
	buf_release(&b);
	tree_release(&t);
}

UNIT(names_are_ordered_by_bytes)
{
	struct tree t;
	struct buf b = { 0 };

	tree_init(&t, 1);
	path(&t, "\xc3\xa9");
	path(&t, "ab");
	path(&t, "Z");
	path(&t, "a");
	path(&t, "a b");
	put_walk(&b, &t, TREE_BY_NAME);
	CHECK_STR(buf_view(&b), STR("1Z 1a 1a b 1ab 1\xc3\xa9 "));
	buf_release(&b);
	tree_release(&t);
}

UNIT(appended_nodes_repeat_and_keep_their_place)
{
	struct tree t;
	struct buf b = { 0 };
	uint32_t a, again;

	tree_init(&t, 1);
	a = tree_append(&t, TREE_ROOT, STR("a"));
	tree_append(&t, a, STR("b"));
	tree_append_id(&t, a, TREE_GAP);
	tree_append(&t, a, STR("b"));
	tree_append(&t, TREE_ROOT, STR("c"));
	again = tree_append(&t, TREE_ROOT, STR("a"));
	CHECK(again != a);
	put_walk(&b, &t, TREE_AS_ADDED);
	CHECK_STR(buf_view(&b), STR("1a 2b 2- 2b 1c 1a "));
	CHECK(tree_child(&t, TREE_ROOT, STR("a")) != a);
	buf_release(&b);
	tree_release(&t);
}

/* Many nodes, compared with separate sums. */
UNIT(many_nodes)
{
	enum { N = 200000 };
	struct tree t;
	struct tree_walk w;
	uint64_t *totals, sum = 0;
	uint32_t x = 1, i, node = TREE_ROOT;
	char name[16];
	int n;

	tree_init(&t, 1);
	for (i = 0; i < N; i++) {
		x = x * 1664525 + 1013904223;
		n = snprintf(name, sizeof name, "f%u", (x >> 8) % 500);
		node = x >> 28 ? tree_child(&t, node, (struct str){ name, (size_t)n })
			       : TREE_ROOT;
		CHECK(tree_add(&t, node, 0, x & 0xff));
		sum += x & 0xff;
	}
	totals = tree_totals(&t, 0);
	CHECK_U64(totals[TREE_ROOT], sum);
	for (i = 1; i < t.n; i++)
		CHECK(t.nodes[i].parent < i && totals[t.nodes[i].parent] >= totals[i]);
	free(totals);
	tree_walk_init(&w, &t, TREE_BY_NAME);
	for (i = 1; i < w.n; i++)
		CHECK(w.depth[i] >= 1 && w.depth[i] <= w.depth[i - 1] + 1);
	tree_walk_release(&w);
	tree_release(&t);
}

UNIT(a_path_is_its_names_one_by_one)
{
	enum { N = 3000, LONG = 100 };
	struct tree one, many;
	struct str name[LONG];
	uint32_t node[LONG], x = 7, at, i, j;
	char text[LONG][8];

	tree_init(&one, 1);
	tree_init(&many, 1);
	for (i = 0; i < N; i++) {
		/* a few names, so that paths meet, and one often repeated */
		for (j = 0; j < LONG; j++) {
			x = x * 1664525 + 1013904223;
			snprintf(text[j], sizeof text[j], "f%u",
				(x >> 20) % (i % 3 * 4 + 1));
			name[j] = str_of(text[j]);
		}
		tree_path(&many, TREE_ROOT, name, node, x >> 16 & 63);
		for (at = TREE_ROOT, j = 0; j < (x >> 16 & 63); j++) {
			at = tree_child(&one, at, name[j]);
			CHECK_U64(node[j], at);
			CHECK_U64(tree_child(&many, j ? node[j - 1] : TREE_ROOT, name[j]),
				at);
		}
		tree_path(&many, TREE_ROOT, name, node, LONG);
		for (at = TREE_ROOT, j = 0; j < LONG; j++)
			at = tree_child(&one, at, name[j]);
		CHECK_U64(node[LONG - 1], at);
	}
	CHECK_U64(many.n, one.n);
	tree_release(&one);
	tree_release(&many);
}

/* The same by ids, the outermost last. */
UNIT(a_path_of_ids_is_the_path_of_their_names)
{
	enum { N = 300, LONG = 100, NAMES = 9 };
	struct tree by_name, by_id;
	struct str name[LONG];
	uint32_t node[LONG], id[LONG], found[LONG], x = 7, n, i, j;
	static const char *const text[NAMES] = { "a", "b", "c", "d", "e", "f", "g", "h",
		"i" };

	tree_init(&by_name, 1);
	tree_init(&by_id, 1);
	for (i = 0; i < N; i++) {
		x = x * 1664525 + 1013904223;
		n = x >> 16 & 63;
		for (j = 0; j < n; j++) {
			x = x * 1664525 + 1013904223;
			name[j] = str_of(text[(x >> 20) % NAMES]);
			id[n - 1 - j] = intern_id(&by_id.names, name[j]);
		}
		tree_path(&by_name, TREE_ROOT, name, node, n);
		CHECK_U64(tree_path_ids(&by_id, TREE_ROOT, id, i % 2 ? found : NULL, n),
			n ? node[n - 1] : TREE_ROOT);
		for (j = 0; i % 2 && j < n; j++)
			CHECK_U64(found[n - 1 - j], node[j]);
	}
	CHECK_U64(by_id.n, by_name.n);
	tree_release(&by_name);
	tree_release(&by_id);
}

/* As deep as any stack could be; nothing may recurse. */
UNIT(a_very_deep_path)
{
	struct tree t;
	struct tree_walk w;
	uint32_t node = TREE_ROOT, i;

	tree_init(&t, 1);
	for (i = 0; i < 1000000; i++)
		node = tree_child(&t, node, STR("f"));
	tree_add(&t, node, 0, 1);
	tree_walk_init(&w, &t, TREE_BY_NAME);
	CHECK_U64(w.depth[w.n - 1], 1000000);
	tree_walk_release(&w);
	tree_release(&t);
}

UNIT(an_emptied_tree_keeps_its_nodes)
{
	struct tree t;
	uint32_t node;

	tree_init(&t, 2);
	node = tree_child(&t, TREE_ROOT, STR("main"));
	CHECK(tree_add(&t, node, 0, UINT64_MAX));
	CHECK(tree_add(&t, node, 1, 7));
	tree_empty(&t);
	CHECK(tree_child(&t, TREE_ROOT, STR("main")) == node);
	CHECK_U64(t.self[0][node], 0);
	CHECK(tree_add(&t, node, 0, UINT64_MAX));
	CHECK_U64(t.sum[1], 0);
	/* Decimals that do not fit are dropped, too. */
	CHECK(tree_add_weight(&t, node, 0, (struct weight){ 0, 5 }));
	tree_empty(&t);
	CHECK(weight_cmp(tree_weight(&t, node, 0), (struct weight){ 0 }) == 0);
	CHECK(weight_cmp(tree_sum(&t, 0), (struct weight){ 0 }) == 0);
	tree_release(&t);
}

/* The exact sum of PARTS, added to one node in turn, settled. */
static void
check_settled(const char *const parts[], size_t n, struct weight expected, unsigned scale)
{
	struct tree t;
	struct weight w, got;
	bool rounded = false;
	uint32_t node;
	size_t i;

	tree_init(&t, 1);
	node = tree_child(&t, TREE_ROOT, STR("a"));
	for (i = 0; i < n; i++)
		CHECK(weight_read(str_of(parts[i]), &w, &rounded) &&
			tree_add_weight(&t, node, 0, w));
	tree_settle(&t);
	got = tree_weight(&t, node, 0);
	CHECK(t.scale == scale && weight_cmp(got, expected) == 0);
	CHECK(t.sum[0] == t.self[0][node]);
	tree_release(&t);
}

UNIT(sums_are_rounded_once_in_any_order)
{
	static const char *const one[] = { "807685458075877", ".233247" };
	static const char *const other[] = { ".233247", "807685458075877" };
	static const char *const many[] = { "0.000000004", "18446744073709551614", "0.5",
		"0.499999999" };
	static const char *const fine[] = { "0.25", "1.5", "0.125" };

	check_settled(one, 2, (struct weight){ 807685458075877, 233200000 }, 4);
	check_settled(other, 2, (struct weight){ 807685458075877, 233200000 }, 4);
	check_settled(many, 4, (struct weight){ UINT64_MAX, 0 }, 0);
	check_settled(fine, 3, (struct weight){ 1, 875000000 }, 3);
}

/* Rounded up, the first would leave no room for the second. */
UNIT(weights_that_fit_only_rounded_down_are)
{
	const struct weight most = { UINT64_MAX, 0 }, half = { 0, 500000000 };
	uint32_t a, b;
	struct tree t;

	tree_init(&t, 1);
	a = tree_child(&t, TREE_ROOT, STR("a"));
	b = tree_child(&t, TREE_ROOT, STR("b"));
	CHECK(tree_add_weight(&t, a, 0, half));
	CHECK(tree_add_weight(&t, b, 0, most));
	tree_settle(&t);
	CHECK_U64(t.self[0][a], 0);
	CHECK_U64(t.self[0][b], UINT64_MAX);
	CHECK_U64(t.sum[0], UINT64_MAX);
	tree_release(&t);
}

UNIT(sums_beyond_64_bits_are_refused_whatever_their_decimals)
{
	const struct weight most = { UINT64_MAX, 500000000 }, half = { 0, 500000000 };
	struct tree t;

	tree_init(&t, 2);
	CHECK(tree_add_weight(&t, TREE_ROOT, 0, most));
	CHECK(!tree_add_weight(&t, TREE_ROOT, 0, half));
	CHECK(tree_add_weight(&t, tree_child(&t, TREE_ROOT, STR("b")), 1, half));
	CHECK_U64(tree_settle(&t), 2);
	CHECK_U64(t.sum[0], UINT64_MAX);
	CHECK_U64(t.sum[1], 1);
	tree_release(&t);
}

UNIT_MAIN
