/* SPDX-License-Identifier: ISC */
/* Turns call trees into stacks; see call-tree.h. */
#include "call-tree.h"
#include "mem.h"
#include "weight.h"

void
call_tree_release(struct call_tree *t)
{
	frame_names_release(&t->names);
	free(t->levels);
	free(t->ids);
	*t = (struct call_tree){ 0 };
}

void
call_tree_name(struct call_tree *t, struct str text, call_tree_add *add_frames)
{
	struct str_digest key = str_digest(text);

	t->names.n = 0;
	if (frame_names_recall(&t->names, key))
		return;
	add_frames(&t->names, text);
	frame_names_keep(&t->names, key, 0);
}

/* Adds a sample of WEIGHT to the stack of LEVEL. */
static void
add(struct call_tree *t, const struct call_tree_level *level, uint64_t weight)
{
	struct collapse *c = t->names.c;

	if (!weight)
		return;
	if (t->samples)
		t->sample.count = weight;
	else
		t->sample.period = weight;
	t->sample.has_period = !t->samples;
	if (!collapse_wants(c, &t->sample))
		return;
	if (t->leaf_first)
		collapse_stack(c, &t->sample, t->ids, level->end);
	else
		collapse_add(c, level->node, &t->sample);
}

/* Ends the last frame. */
static void
leave(struct call_tree *t)
{
	const struct call_tree_level *level = &t->levels[--t->n];
	uint64_t self = level->total - level->below;

	if (level->has_total && level->total >= level->below) {
		t->cut += level->below ? self : 0;
		add(t, level, self);
	} else if (level->has_total && !t->rounded) {
		collapse_lose(t->names.c, COLLAPSE_NEGATIVE);
	}
	t->id_n = t->n ? t->levels[t->n - 1].end : 0;
}

void
call_tree_enter(struct call_tree *t, size_t depth, const uint32_t *ids, size_t n)
{
	struct collapse *c = t->names.c;
	struct call_tree_level *level;
	uint32_t above;

	while (t->n && t->levels[t->n - 1].depth >= depth)
		leave(t);
	level = MEM_ADD(t->levels, t->n, t->cap);
	*level = (struct call_tree_level){ .depth = depth };
	if (t->leaf_first) {
		t->ids = mem_grow(t->ids, &t->id_cap, t->id_n + n, sizeof *t->ids);
		if (n)
			memcpy(t->ids + t->id_n, ids, n * sizeof *ids);
		level->end = t->id_n += n;
	} else {
		above = t->n > 1 ? level[-1].node : collapse_root(c, &t->sample);
		level->node = collapse_path(c, above, ids, n);
	}
}

void
call_tree_total(struct call_tree *t, uint64_t total)
{
	struct call_tree_level *level = &t->levels[t->n - 1];

	level->has_total = true;
	level->total = total;
	if (t->n > 1)
		level[-1].below = weight_count(level[-1].below, total);
}

void
call_tree_self(struct call_tree *t, uint64_t weight)
{
	add(t, &t->levels[t->n - 1], weight);
}

void
call_tree_end(struct call_tree *t)
{
	while (t->n)
		leave(t);
}
