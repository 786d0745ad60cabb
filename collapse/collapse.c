/* SPDX-License-Identifier: ISC */
/* The sink: turns samples into a tree of stacks; see collapse.h. */
#include "collapse.h"
#include "budget.h"
#include "mem.h"
#include "sink.h"

struct collapse *
collapse_new(const struct collapse_options *options)
{
	struct collapse *c = mem_zero(1, sizeof *c);

	c->options = options;
	tree_init(&c->tree, options->columns[1].n ? 2 : 1);
	collapse_name_dimensions(c);
	return c;
}

void
collapse_free(struct collapse *c)
{
	tree_release(&c->tree);
	folded_info_release(&c->info);
	intern_release(&c->event_names);
	intern_release(&c->metric_texts);
	free(c->metrics);
	free(c->metric_named);
	free(c->when);
	free(c->climb);
	buf_release(&c->scratch);
	free(c->events);
	free(c->lines);
	free(c->marks);
	intern_release(&c->modules);
	dimensions_release(&c->dimensions);
	buf_release(&c->leading);
	free(c->module_table);
	free(c->reasons);
	intern_release(&c->reason_texts);
	intern_release(&c->end_modules);
	free(c->stuck);
	free(c->late);
	free(c->late_ids);
	free(c);
}

static uint32_t
step(struct collapse *c, uint32_t node, uint32_t name)
{
	if (node == TREE_ROOT)
		name = folded_shield(&c->tree.names, name);
	return tree_child_id(&c->tree, node, name);
}

uint32_t
collapse_path(struct collapse *c, uint32_t root, const uint32_t *ids, size_t n)
{
	uint32_t node = root;
	size_t i;

	budget_spend(BUDGET_FRAMES, n);
	for (i = 0; c->options->skip_after.n && i < n; i++)
		if (collapse_marks_of(c, ids[i]) & COLLAPSE_STOP) {
			node = collapse_lead(c, root);
			n = i + 1;
		}
	if (n == 1 || (node == TREE_ROOT && n))
		node = step(c, node, ids[--n]);
	return tree_path_ids(&c->tree, node, ids, NULL, n);
}

void
collapse_expect_path(const struct collapse *c, uint32_t node, uint32_t id)
{
	tree_expect_id(&c->tree, node, id);
}

void
collapse_steps(
	struct collapse *c, uint32_t root, const uint32_t *ids, uint32_t *node, size_t n)
{
	bool stops = c->options->skip_after.n;

	budget_spend(BUDGET_FRAMES, n);
	while (n && (root == TREE_ROOT || stops)) {
		if (collapse_marks_of(c, ids[--n]) & COLLAPSE_STOP)
			root = collapse_lead(c, root);
		node[n] = root = step(c, root, ids[n]);
	}
	(void)tree_path_ids(&c->tree, root, ids, node, n);
}

static struct collapse_stuck *
find_stuck(struct collapse *c, struct str module)
{
	uint32_t id = intern_id(&c->end_modules, module);

	return MEM_AT(c->stuck, c->stuck_cap, id);
}

/* Counts WEIGHT, in units of the tree, of a stack that ends like S. */
static void
count_end(struct collapse *c, const struct collapse_sample *s, uint64_t weight)
{
	c->ends[s->end] += weight;
	if (s->end_module.n)
		find_stuck(c, s->end_module)->weight[s->end] += weight;
}

/* Adds S at NODE. Returns false on overflow. */
static bool
add(struct collapse *c, uint32_t node, const struct collapse_sample *s)
{
	bool weigh = s->has_period && !c->options->count;
	uint64_t count = collapse_count_of(s), weight = weigh ? s->period : count;
	uint64_t times = weight_units(c->tree.scale - (weigh ? c->decimals : 0));
	int column = c->tree.columns > 1 ? collapse_find_event(c, s->event)->column : 0;

	if (collapse_has_root(c, COLLAPSE_TIME))
		node = collapse_at_time(
			c, node, s->time > c->first_time ? s->time - c->first_time : 0);
	if (weight > UINT64_MAX / times || count > UINT64_MAX - c->samples ||
		!tree_add(&c->tree, node, column, weight * times))
		return false;
	weight *= times;
	count_end(c, s, weight);
	c->column_samples[column] += count;
	c->has_period |= weigh;
	c->samples += count;
	if (!c->options->in_order)
		return true;
	*MEM_ADD(c->lines, c->line_n, c->line_cap) =
		(struct collapse_line){ node, weight };
	return true;
}

void
collapse_add(struct collapse *c, uint32_t node, const struct collapse_sample *s)
{
	if (node == COLLAPSE_NOWHERE)
		collapse_lose(c, COLLAPSE_MALFORMED);
	else if (collapse_is_nobodys(c, node))
		collapse_lose(c, COLLAPSE_NO_STACK);
	else if (!add(c, node, s))
		collapse_lose(c, COLLAPSE_OVERFLOW);
}

void
collapse_stack(struct collapse *c, const struct collapse_sample *s, const uint32_t *ids,
	size_t n)
{
	collapse_add(c, n ? collapse_path(c, collapse_root(c, s), ids, n) : TREE_ROOT, s);
}

uint32_t
collapse_late_frame(struct collapse *c, size_t n)
{
	char name[24];

	/* Frames cannot contain newlines. */
	snprintf(name, sizeof name, "\n%zu", n);
	return intern_id(&c->tree.names, str_of(name));
}

void
collapse_name_late(struct collapse *c, uint32_t id, const uint32_t *ids, size_t n)
{
	*MEM_ADD(c->late, c->late_n, c->late_cap) =
		(struct collapse_late){ id, c->late_id_n, n };
	c->late_ids = mem_grow(
		c->late_ids, &c->late_id_cap, c->late_id_n + n, sizeof *c->late_ids);
	memcpy(c->late_ids + c->late_id_n, ids, n * sizeof *ids);
	c->late_id_n += n;
}

/* The late names by id, NULL for other names; the caller frees the array. */
static const struct collapse_late **
index_late(const struct collapse *c)
{
	const struct collapse_late **of = mem_zero(c->tree.names.n, sizeof *of);
	size_t i;

	for (i = 0; i < c->late_n; i++)
		of[c->late[i].id] = &c->late[i];
	return of;
}

void
collapse_rename(struct collapse *c)
{
	const struct collapse_late **of = index_late(c), *e;
	struct graft g;
	uint32_t i;

	graft_move(&g, &c->tree);
	for (i = TREE_ROOT + 1; i < g.from->n; i++) {
		e = of[g.name[i]];
		if (e && !e->n)
			g.name[i] = GRAFT_JOIN;
		if (e && e->n)
			g.now[i] = collapse_path(
				c, g.now[g.below[i]], c->late_ids + e->first, e->n);
		else
			graft_node(&g, i);
	}
	c->late_n = c->late_id_n = 0;
	free(of);
	collapse_end_over(c, &g);
}

/* Writes a line for each sample. */
static void
write_lines(const struct collapse *c, struct output *out)
{
	struct buf line = { 0 };
	size_t i;

	for (i = 0; i < c->line_n; i++) {
		buf_clear(&line);
		folded_put_stack(&line, &c->tree, c->lines[i].node);
		buf_char(&line, ' ');
		weight_put_scaled(&line, c->lines[i].weight, c->tree.scale);
		buf_char(&line, '\n');
		if (c->lines[i].weight)
			output_str(out, buf_view(&line));
	}
	buf_release(&line);
}

void
collapse_write(struct collapse *c, struct output *out, bool header)
{
	if (!c->samples ||
		(c->tree.columns > 1 && (!c->column_samples[0] || !c->column_samples[1])))
		return;
	if (header)
		folded_write_header(out, &c->info, folded_sums_of(&c->tree));
	if (c->options->in_order)
		write_lines(c, out);
	else
		folded_write(out, &c->tree);
}
