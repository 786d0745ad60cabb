/* SPDX-License-Identifier: ISC */
/* Changes the frames of stacks; see shape.h. */
#include "shape.h"
#include "dimensions.h"
#include "functions.h"
#include "graft.h"
#include "mem.h"

/* Stands for the function in a stack whose functions were all removed. */
#define HIDDEN STR("[hidden]")

/* The most functions in a cycle; searching for longer ones takes too long. */
enum { CYCLE = 64 };

/* A shape operation on a tree. */
struct shape {
	struct graft graft;
	const struct tree_node *nodes; /* of the original tree */
	uint32_t n;
	size_t lead;
	uint32_t *depth; /* by node */
};

/* Which nodes belong to stacks with weight. To be freed. */
static bool *
find_live(const struct tree *t)
{
	bool *is_live = mem_zero(t->n, sizeof *is_live);
	uint32_t i;

	for (i = t->n - 1; i > TREE_ROOT; i--) {
		is_live[i] |= tree_weighs(t, i);
		is_live[t->nodes[i].parent] |= is_live[i];
	}
	return is_live;
}

static void
begin(struct shape *s, struct tree *t, size_t lead)
{
	bool *is_live = find_live(t);
	uint32_t i;

	*s = (struct shape){ .n = t->n, .lead = lead, .depth = tree_depths(t) };
	graft_move(&s->graft, t);
	s->graft.as_text = true;
	s->graft.distinct = true;
	s->nodes = s->graft.from->nodes;
	for (i = TREE_ROOT + 1; i < s->n; i++)
		if (!is_live[i])
			s->graft.name[i] = GRAFT_JOIN;
	free(is_live);
}

/* The name ID for stacks without a function. */
static uint32_t
no_function(struct tree *t)
{
	return intern_id(&t->names, DIMENSIONS_NO_FUNCTION);
}

/* Moves the weight of each node of T to the node TO[node], which is the same or an earlier one. */
static void
move_weights(struct tree *t, const uint32_t *to)
{
	uint64_t weight;
	uint32_t i;
	int c;

	for (c = 0; c < t->columns; c++)
		for (i = TREE_ROOT + 1; i < t->n; i++) {
			weight = t->self[c][i];
			t->self[c][i] = 0;
			t->self[c][to[i]] += weight;
		}
}

/* Names single-frame stacks of T without a name: a line cannot start with its weight. */
static void
name_lone(struct tree *t)
{
	uint32_t empty, i, n = t->n, to = TREE_ROOT;
	int c;

	if (!intern_find(&t->names, STR(""), &empty))
		return;
	for (i = TREE_ROOT + 1; i < n; i++) {
		if (t->nodes[i].parent != TREE_ROOT || t->nodes[i].name != empty)
			continue;
		if (to == TREE_ROOT)
			to = tree_new_child_id(t, TREE_ROOT, no_function(t));
		t->loose = true;
		for (c = 0; c < t->columns; c++) {
			t->self[c][to] += t->self[c][i];
			t->self[c][i] = 0;
		}
	}
}

static void
end(struct shape *s)
{
	struct tree *t = s->graft.to;

	graft_weigh(&s->graft);
	t->loose = s->graft.distinct;
	free(graft_end(&s->graft));
	name_lone(t);
	free(s->depth);
}

/* Whether NODE is a function of a stack with weight. */
static bool
is_function(const struct shape *s, uint32_t node)
{
	return s->depth[node] > s->lead && s->graft.name[node] != GRAFT_JOIN;
}

void
shape_merge(struct tree *t)
{
	struct graft g;

	if (!t->loose)
		return;
	graft_move(&g, t);
	graft_nodes(&g);
	graft_weigh(&g);
	free(graft_end(&g));
}

bool *
shape_functions(struct tree *t, size_t lead)
{
	uint32_t *depth = tree_depths(t), none = lead ? no_function(t) : 0, i;
	bool *is_live = find_live(t);
	bool *functions = mem_zero((size_t)t->names.n + 1, sizeof *functions);

	for (i = TREE_ROOT + 1; i < t->n; i++)
		if (depth[i] > lead)
			functions[t->nodes[i].name] |= is_live[i];
		else
			functions[none] |= tree_weighs(t, i);
	free(is_live);
	free(depth);
	return functions;
}

void
shape_focus(struct tree *t, size_t lead, const bool *wanted, bool ignore,
	uint64_t dropped[TREE_COLUMNS])
{
	uint32_t *depth = tree_depths(t), none = lead ? no_function(t) : 0, i;
	bool *has = mem_zero(t->n, sizeof *has), found;
	int c;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		has[i] = has[t->nodes[i].parent] ||
			(depth[i] > lead && wanted[t->nodes[i].name]);
		found = depth[i] > lead ? has[i] : wanted[none];
		for (c = 0; c < t->columns && found == ignore; c++)
			tree_drop(t, i, c, &dropped[c]);
	}
	free(depth);
	free(has);
}

void
shape_cut_above(struct tree *t, size_t lead, const bool *chosen, bool last)
{
	struct shape s;
	uint32_t *base, i, up;
	bool *cut;

	begin(&s, t, lead);
	base = mem_zero(s.n, sizeof *base);
	cut = mem_zero(s.n, sizeof *cut);
	for (i = TREE_ROOT + 1; i < s.n; i++) {
		up = s.nodes[i].parent;
		base[i] = s.depth[i] <= lead ? i : base[up];
		cut[i] = cut[up];
		if (is_function(&s, i) && chosen[s.nodes[i].name] && (last || !cut[i])) {
			s.graft.below[i] = base[i];
			cut[i] = true;
		}
	}
	graft_nodes(&s.graft);
	end(&s);
	free(base);
	free(cut);
}

void
shape_cut_below(struct tree *t, size_t lead, const bool *chosen, bool last)
{
	uint32_t *depth = tree_depths(t), *to = mem_zero(t->n, sizeof *to), i, up;
	bool *cut = mem_zero(t->n, sizeof *cut), here;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		up = t->nodes[i].parent;
		here = depth[i] > lead && chosen[t->nodes[i].name];
		to[i] = cut[up] && !(last && here) ? to[up] : i;
		cut[i] = cut[up] || here;
	}
	move_weights(t, to);
	name_lone(t);
	free(depth);
	free(cut);
	free(to);
}

void
shape_cut_depth(struct tree *t, size_t lead, uint64_t most)
{
	uint32_t *depth = tree_depths(t), *to = mem_zero(t->n, sizeof *to), i;

	for (i = TREE_ROOT + 1; i < t->n; i++)
		to[i] = depth[i] > lead && depth[i] - lead > most ? to[t->nodes[i].parent]
								  : i;
	move_weights(t, to);
	name_lone(t);
	free(depth);
	free(to);
}

/* Gives NODE, where a stack ends, the function ID if all its functions were removed. */
static void
add_function(struct shape *s, uint32_t node, uint32_t id)
{
	uint32_t *now = &s->graft.now[node];
	size_t have;

	for (have = s->depth[node]; have < s->lead; have++)
		*now = graft_child(&s->graft, *now,
			intern_id(&s->graft.to->names, DIMENSIONS_NO_VALUE));
	*now = graft_child(&s->graft, *now, id);
}

/* Whether TO changes a name of T. */
static bool
is_renamed(const struct tree *t, const uint32_t *to)
{
	uint32_t i = TREE_ROOT + 1;

	while (i < t->n && to[t->nodes[i].name] == t->nodes[i].name)
		i++;
	return i < t->n;
}

void
shape_rename(struct tree *t, size_t lead, const uint32_t *to)
{
	uint32_t none = lead ? no_function(t) : 0, hidden = intern_id(&t->names, HIDDEN);
	uint32_t alone, i;
	bool *has; /* by node: some function remains */
	struct shape s;

	alone = !lead ? none : to[none] == GRAFT_JOIN ? hidden : to[none];
	if (alone == none && !is_renamed(t, to))
		return;
	begin(&s, t, lead);
	has = mem_zero(s.n, sizeof *has);
	for (i = TREE_ROOT + 1; i < s.n; i++) {
		if (is_function(&s, i))
			s.graft.name[i] = to[s.nodes[i].name];
		has[i] = has[s.nodes[i].parent] || is_function(&s, i);
	}
	graft_nodes(&s.graft);
	for (i = TREE_ROOT + 1; i < s.n; i++) {
		if (has[i] || !tree_weighs(s.graft.from, i))
			continue;
		if (s.depth[i] > lead)
			add_function(&s, i, hidden);
		else if (alone != none)
			add_function(&s, i, alone);
	}
	end(&s);
	free(has);
}

void
shape_group(struct tree *t, size_t lead, const uint32_t *to)
{
	uint32_t *name, now, i, up;
	bool *inside; /* by node: it belongs to a group */
	bool same;
	struct shape s;

	if (!is_renamed(t, to))
		return;
	begin(&s, t, lead);
	inside = mem_zero(s.n, sizeof *inside);
	name = mem_zero(s.n, sizeof *name);
	for (i = TREE_ROOT + 1; i < s.n; i++) {
		if (!is_function(&s, i))
			continue;
		up = s.nodes[i].parent;
		now = to[s.nodes[i].name];
		same = inside[up] && (now == GRAFT_JOIN || now == name[up]);
		name[i] = same ? name[up] : now == GRAFT_JOIN ? s.nodes[i].name : now;
		inside[i] = same || name[i] != s.nodes[i].name;
		s.graft.name[i] = same ? GRAFT_JOIN : name[i];
	}
	graft_nodes(&s.graft);
	end(&s);
	free(inside);
	free(name);
}

uint32_t *
shape_levels(const struct tree *t, size_t lead)
{
	uint32_t *level = mem_zero(t->n, sizeof *level), *depth = tree_depths(t), i, up;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		up = t->nodes[i].parent;
		level[i] = 1;
		if (depth[up] > lead && t->nodes[i].name == t->nodes[up].name)
			level[i] += level[up];
	}
	free(depth);
	return level;
}

void
shape_fold(struct tree *t, size_t lead)
{
	uint32_t *level = shape_levels(t, lead), i;
	struct shape s;

	begin(&s, t, lead);
	for (i = TREE_ROOT + 1; i < s.n; i++)
		if (level[i] > 1)
			s.graft.name[i] = GRAFT_JOIN;
	graft_nodes(&s.graft);
	end(&s);
	free(level);
}

/* The node that NODE merges with: NODE unless it completes the second turn of a cycle. KEPT has the
 * same for the earlier nodes. */
static uint32_t
find_cycle(const struct shape *s, const uint32_t *kept, uint32_t node)
{
	uint32_t frame[2 * CYCLE + 1], name[2 * CYCLE + 1], at = node, k, n;

	for (n = 0; n <= 2 * CYCLE && s->depth[at] > s->lead; n++) {
		frame[n] = at;
		name[n] = s->nodes[at].name;
		at = kept[s->nodes[at].parent];
	}
	for (k = 1; 2 * k <= n; k++)
		if (name[k] == name[0] && !memcmp(name, name + k, k * sizeof *name))
			return frame[k];
	return node;
}

void
shape_fold_cycles(struct tree *t, size_t lead)
{
	uint32_t *kept, i;
	struct shape s;

	begin(&s, t, lead);
	kept = mem_zero(s.n, sizeof *kept);
	for (i = TREE_ROOT + 1; i < s.n; i++) {
		kept[i] = is_function(&s, i) ? find_cycle(&s, kept, i) : i;
		s.graft.below[i] = kept[s.nodes[i].parent];
		if (kept[i] != i) {
			s.graft.below[i] = kept[i];
			s.graft.name[i] = GRAFT_JOIN;
		}
	}
	graft_nodes(&s.graft);
	end(&s);
	free(kept);
}

void
shape_reverse(struct tree *t, size_t lead)
{
	uint32_t *path, deepest = 0, i, at;
	struct shape s;
	size_t n;

	begin(&s, t, lead);
	s.graft.distinct = false;
	for (i = 0; i < s.n; i++)
		deepest = s.depth[i] > deepest ? s.depth[i] : deepest;
	path = mem_alloc(((size_t)deepest + 1) * sizeof *path);
	for (i = TREE_ROOT + 1; i < s.n; i++) {
		if (s.depth[i] <= lead)
			graft_node(&s.graft, i);
		if (s.depth[i] <= lead || !tree_weighs(s.graft.from, i))
			continue;
		n = s.depth[i] - lead;
		for (at = i; s.depth[at] > lead; at = s.nodes[at].parent)
			path[s.depth[at] - lead - 1] = s.nodes[at].name;
		at = s.graft.now[at];
		/* The last is the outermost. */
		at = graft_child(&s.graft, at, path[n - 1]);
		s.graft.now[i] = tree_path_ids(t, at, path, NULL, n - 1);
	}
	end(&s);
	free(path);
}

/* Whether the totals of a node are all less than PERCENT of WHOLE. */
static bool
is_small(const struct tree *t, uint64_t *const totals[TREE_COLUMNS], uint32_t node,
	double percent, const uint64_t whole[TREE_COLUMNS])
{
	int c;

	for (c = 0; c < t->columns; c++)
		if (totals[c][node] &&
			(double)totals[c][node] * 100 >= percent * (double)whole[c])
			return false;
	return true;
}

void
shape_prune(
	struct tree *t, size_t lead, double percent, const uint64_t whole[TREE_COLUMNS])
{
	uint64_t *totals[TREE_COLUMNS] = { NULL };
	uint32_t *depth, *to, i, at;
	struct functions functions;
	int c;

	shape_merge(t);
	depth = tree_depths(t);
	to = mem_zero(t->n, sizeof *to);
	functions_init(&functions, t, lead);
	for (c = 0; c < t->columns; c++)
		totals[c] = tree_totals(functions.tree, c);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		at = functions.node ? functions.node[i] : i;
		to[i] = depth[i] > lead + 1 && is_small(t, totals, at, percent, whole)
			? to[t->nodes[i].parent]
			: i;
	}
	for (c = 0; c < t->columns; c++)
		free(totals[c]);
	functions_release(&functions);
	move_weights(t, to);
	name_lone(t);
	free(depth);
	free(to);
}
