/* SPDX-License-Identifier: ISC */
/*
 * --by: root frames, one for each dimension.
 *
 * If samples may lack a thread, only the end shows which dimensions the profile has.
 * Until then a placeholder, whose name cannot occur in text, replaces a missing value. In
 * the end it becomes "-" if other samples have a value; if none has, the dimension is
 * removed.
 */
#include "collapse.h"
#include "event.h"
#include "mem.h"
#include "sink.h"

/* Frames cannot contain newlines. */
#define NOBODY STR("\nnobody")

void
collapse_name_dimensions(struct collapse *c)
{
	static const struct str names[] = { [COLLAPSE_COMM] = { "comm", 4 },
		[COLLAPSE_PID] = { "pid", 3 },
		[COLLAPSE_TID] = { "tid", 3 },
		[COLLAPSE_CPU] = { "cpu", 3 },
		[COLLAPSE_TIME] = { "time", 4 } };
	const struct collapse_options *o = c->options;
	struct buf label = { 0 };
	int i, labels = 0;

	c->nobody = intern_id(&c->tree.names, NOBODY);
	c->dimensions.said = true;
	if (o->event && event_is_any(str_of(o->event)))
		(void)dimensions_add(&c->dimensions, STR("event"));
	for (i = 0; i < COLLAPSE_BY_MAX && o->by[i]; i++) {
		if (o->by[i] != COLLAPSE_LABEL) {
			(void)dimensions_add(&c->dimensions, names[o->by[i]]);
			continue;
		}
		buf_clear(&label);
		buf_str(&label, STR("label:"));
		buf_str(&label, o->labels[labels++]);
		(void)dimensions_add(&c->dimensions, buf_view(&label));
	}
	buf_release(&label);
}

static void
put_known(struct buf *b, struct str s)
{
	if (s.n)
		buf_str(b, s);
	else
		buf_char(b, '?');
}

/* Adds COMM as a frame. Like FlameGraph and inferno, this turns blanks into '_'. */
static void
put_comm(struct buf *b, struct str comm)
{
	size_t i, at = b->n;

	if (!comm.n)
		comm = STR("[unknown]");
	if (comm.s[0] == '#')
		buf_char(b, '_');
	folded_put_frame(b, comm);
	for (i = at; i < b->n; i++)
		if (b->s[i] == ' ')
			b->s[i] = '_';
}

/* The value of the label KEY, or the placeholder for a missing value. */
static struct str
label_of(const struct collapse_sample *s, struct str key)
{
	size_t i;

	for (i = 0; i < s->label_n; i++)
		if (str_eq(s->labels[i].key, key) && s->labels[i].value.n)
			return s->labels[i].value;
	return DIMENSIONS_NO_VALUE;
}

static void
put_root(struct buf *b, enum collapse_by by, const struct collapse_sample *s)
{
	if (by == COLLAPSE_CPU) {
		buf_str(b, STR("cpu"));
		put_known(b, s->cpu);
		return;
	}
	put_comm(b, s->comm);
	if (by == COLLAPSE_COMM)
		return;
	buf_char(b, '-');
	put_known(b, s->pid);
	if (by == COLLAPSE_TID) {
		buf_char(b, '/');
		put_known(b, s->tid);
	}
}

/* Whether S lacks every value that a root frame of BY would show. */
static bool
is_nobodys(enum collapse_by by, const struct collapse_sample *s)
{
	if (by == COLLAPSE_CPU)
		return !s->cpu.n;
	return !s->comm.n && !(by != COLLAPSE_COMM && s->pid.n) &&
		!(by == COLLAPSE_TID && s->tid.n);
}

/* The node below PARENT for the value of BY in S; *LABEL counts labels. */
static uint32_t
find_value(struct collapse *c, uint32_t parent, enum collapse_by by,
	const struct collapse_sample *s, int *label)
{
	buf_clear(&c->scratch);
	if (by != COLLAPSE_TIME && by != COLLAPSE_LABEL && c->threadless &&
		is_nobodys(by, s)) {
		c->has_nobody = true;
		buf_str(&c->scratch, NOBODY);
		return tree_child(&c->tree, parent, buf_view(&c->scratch));
	}
	c->has_somebody = true;
	if (by == COLLAPSE_TIME)
		return collapse_time_place(c, parent);
	if (by == COLLAPSE_LABEL)
		put_comm(&c->scratch, label_of(s, c->options->labels[(*label)++]));
	else
		put_root(&c->scratch, by, s);
	return tree_child(&c->tree, parent, buf_view(&c->scratch));
}

uint32_t
collapse_root(struct collapse *c, const struct collapse_sample *s)
{
	const struct collapse_options *o = c->options;
	uint32_t node = TREE_ROOT;
	int i, label = 0;

	if (o->event && event_is_any(str_of(o->event))) {
		c->has_somebody = true;
		buf_clear(&c->scratch);
		folded_put_frame(&c->scratch, s->event.n ? s->event : STR("[no event]"));
		node = tree_child(&c->tree, node, buf_view(&c->scratch));
	}
	for (i = 0; i < COLLAPSE_BY_MAX && o->by[i]; i++)
		node = find_value(c, node, o->by[i], s, &label);
	return node;
}

bool
collapse_is_nobodys(const struct collapse *c, uint32_t node)
{
	while (node != TREE_ROOT && c->tree.nodes[node].name == c->nobody)
		node = c->tree.nodes[node].parent;
	return node == TREE_ROOT;
}

uint32_t
collapse_lead(const struct collapse *c, uint32_t node)
{
	uint32_t lead = node;
	size_t i;

	/* NODE leads LEAD by one frame per dimension: when NODE is the root, LEAD is at
	 * the last dimension. */
	for (i = 0; i < c->dimensions.n; i++)
		node = c->tree.nodes[node].parent;
	for (; node != TREE_ROOT; node = c->tree.nodes[node].parent)
		lead = c->tree.nodes[lead].parent;
	return lead;
}

/* Sets HAS for the dimensions with values. Returns whether any sample lacks a value. */
static bool
look_for_values(const struct collapse *c, bool has[DIMENSIONS_MOST])
{
	const struct tree *t = &c->tree;
	uint32_t *depth = tree_depths(t);
	uint64_t *total[TREE_COLUMNS] = { 0 };
	bool lacks = false;
	uint32_t i;
	int column;

	for (column = 0; column < t->columns; column++)
		total[column] = tree_totals(t, column);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		if (depth[i] > c->dimensions.n ||
			!(total[0][i] || (total[1] && total[1][i])))
			continue;
		if (t->nodes[i].name == c->nobody)
			lacks = true;
		else
			has[depth[i] - 1] = true;
	}
	for (column = 0; column < t->columns; column++)
		free(total[column]);
	free(depth);
	return lacks;
}

/* Reduces C's dimensions to those in HAS. */
static void
keep_dimensions(struct collapse *c, const bool has[DIMENSIONS_MOST])
{
	struct dimensions kept = { .said = true };
	size_t i;

	for (i = 0; i < c->dimensions.n; i++)
		if (has[i])
			(void)dimensions_add(&kept, c->dimensions.name[i]);
	dimensions_release(&c->dimensions);
	c->dimensions = kept;
}

/* Removes the frames of the dimensions that are not in HAS, out of the first N, from all
 * stacks, and names unknown values. */
static void
settle_frames(struct collapse *c, const bool has[DIMENSIONS_MOST], size_t n)
{
	uint32_t *depth = tree_depths(&c->tree), i, unknown;
	struct graft g;

	graft_move(&g, &c->tree);
	g.as_text = true;
	unknown = intern_id(&c->tree.names, DIMENSIONS_NO_VALUE);
	for (i = TREE_ROOT + 1; i < g.from->n; i++)
		if (depth[i] <= n && !has[depth[i] - 1])
			g.name[i] = GRAFT_JOIN;
		else if (g.name[i] == c->nobody)
			g.name[i] = unknown;
	graft_nodes(&g);
	collapse_end_over(c, &g);
	free(depth);
}

/* Whether exactly N nodes are between NODE and the root. */
static bool
has_above(const struct tree *t, uint32_t node, size_t n)
{
	for (; n && node != TREE_ROOT; n--)
		node = t->nodes[node].parent;
	return node != TREE_ROOT && t->nodes[node].parent == TREE_ROOT;
}

/* Like settle_frames, but in place, which saves a second tree, if none of the N
 * dimensions remains: moves the nodes below their frames up to the root. Afterwards nodes
 * cannot be found by name any more. Returns false, without a change, if a dimension
 * remains or a name would have to change. */
static bool
drop_frames(struct collapse *c, size_t n)
{
	struct tree *t = &c->tree;
	uint32_t i, name;

	if (c->dimensions.n)
		return false;
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		name = t->nodes[i].name;
		if (has_above(t, i, n) && folded_shield(&t->names, name) != name)
			return false;
	}
	/* In descending order, so that a node is examined before its parent moves. */
	for (i = t->n - 1; i > TREE_ROOT; i--)
		if (has_above(t, i, n))
			t->nodes[i].parent = TREE_ROOT;
	return true;
}

void
collapse_leads(struct collapse *c, struct str by)
{
	if (!c->leads)
		buf_str(&c->leading, by);
	c->vague |= !str_eq(by, buf_view(&c->leading));
	c->leads++;
}

/* Adds the dimensions that the stacks of the inputs began with, if all inputs have the
 * same. If unknown, the header must not claim that there are none. */
static void
add_leading(struct collapse *c)
{
	struct dimensions more = { .n = 0 };
	bool good = !c->vague && c->leads == c->inputs &&
		dimensions_read(&more, buf_view(&c->leading)) && more.said;
	size_t i;

	for (i = 0; i < more.n && good; i++)
		good = dimensions_add(&c->dimensions, more.name[i]);
	if (!good && !c->dimensions.n)
		c->dimensions.said = false;
	dimensions_release(&more);
}

/* Settles the dimensions for which samples may lack values. */
static void
settle_nobody(struct collapse *c)
{
	bool has[DIMENSIONS_MOST] = { false };
	size_t n = c->dimensions.n;

	if (c->has_somebody ? look_for_values(c, has) : c->tree.stacks > 0) {
		keep_dimensions(c, has);
		if (!drop_frames(c, n))
			settle_frames(c, has, n);
	}
}

void
collapse_settle_roots(struct collapse *c)
{
	/* Most inputs have all values or none, and need no second pass. */
	if (c->has_nobody)
		settle_nobody(c);
	if (c->leads)
		add_leading(c);
}
