/* SPDX-License-Identifier: ISC */
/* Passes folded text to the sink. */
#include "folded-boxes.h"
#include "buf.h"
#include "stacks/boxes.h"
#include "profile.h"

/* Passes on the fields of INFO. The unit only reserves its place in the header: the boxes may
 * change it. */
static void
copy_info(struct collapse *c, const struct folded_info *info)
{
	static const char *const sums[] = { "samples", "samples-before", "lost" };
	struct buf key = { 0 };
	uint64_t n;
	size_t i, k;

	collapse_info(c, "unit", folded_info_get(info, "unit"));
	for (k = 0; k < sizeof sums / sizeof *sums; k++) {
		n = folded_info_u64(info, sums[k]);
		if (n)
			collapse_info_add(c, sums[k], n);
	}
	for (i = 0; i < info->n; i++) {
		buf_clear(&key);
		buf_str(&key, info->fields[i].key);
		collapse_info(c, buf_cstr(&key), info->fields[i].value);
	}
	buf_release(&key);
}

/* Names the events of the columns. */
static void
name_columns(struct boxes *b, const struct folded_info *info)
{
	struct str ratio = folded_info_get(info, "ratio"),
		   event = folded_info_get(info, "event");

	if (b->columns == 1) {
		b->events[BOXES_AFTER] = event;
	} else if (ratio.n) {
		b->events[BOXES_BEFORE] = str_cut(&ratio, ',');
		b->events[BOXES_AFTER] = ratio;
	}
}

static void
add_stacks(struct boxes *b, const struct tree *t, bool foreign)
{
	uint32_t i, box, parent;
	struct str name;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		parent = t->nodes[i].parent;
		name = intern_str(&t->names, t->nodes[i].name);
		box = boxes_add(b, collapse_frame(b->c, name, 0),
			parent == TREE_ROOT ? BOXES_NONE : parent - 1);
		if (box == BOXES_NONE)
			return;
		b->items[box].is_nothing = foreign && !name.n;
		b->items[box].weight[BOXES_AFTER] = t->self[b->columns - 1][i];
		if (b->columns > 1)
			b->items[box].weight[BOXES_BEFORE] = t->self[0][i];
	}
}

/* Reports lost lines and rounded weights. */
static void
report_count(struct collapse *c, const struct folded_count *count)
{
	struct folded_count rounded = { .rounded = count->rounded };

	(void)collapse_lose_quietly(c, COLLAPSE_MALFORMED, count->malformed);
	(void)collapse_lose_quietly(c, COLLAPSE_OVERFLOW, count->overflow);
	folded_count_report(&rounded);
}

static void
fold(struct collapse *c, struct profile *p)
{
	struct boxes b = {
		.c = c, .columns = p->tree.columns, .decimals = p->tree.scale
	};

	if (folded_info_get(&p->info, "unit").n || p->tree.columns > 1)
		boxes_set_unit(&b, folded_info_unit(&p->info));
	else
		b.times = 1; /* unit unknown */
	/* Only the header can state the number of samples. */
	collapse_exact(c);
	b.by = folded_info_get(&p->info, "by");
	copy_info(c, &p->info);
	name_columns(&b, &p->info);
	add_stacks(&b, &p->tree, !p->info.headed);
	boxes_fold(&b);
	boxes_release(&b);
}

bool
folded_boxes_run(struct input *in, struct collapse *c)
{
	struct folded_options plain = { .reverse = false };
	struct profile p;
	bool good;

	collapse_threadless(c);
	profile_init(&p);
	profile_add(&p, in, &plain);
	(void)tree_settle(&p.tree);
	good = folded_by_settle(&p.by, &p.info) && !p.count.refused;
	if (good) {
		report_count(c, &p.count);
		fold(c, &p);
	}
	profile_release(&p);
	return good;
}
