/* SPDX-License-Identifier: ISC */
/*
 * Pictures by fg-svg, which carry the stacks that they were drawn from (svg-data.h), and what
 * their header says: an SVG whose class begins with "fg".
 */
#include "boxes.h"
#include "buf.h"
#include "formats.h"
#include "markup.h"
#include "profile.h"

/* Passes on what INFO says but for the unit, which the boxes have. */
static void
take_info(struct collapse *c, const struct folded_info *info)
{
	struct buf key = { 0 };
	size_t i;

	for (i = 0; i < info->n; i++) {
		if (str_eq(info->fields[i].key, STR("unit")))
			continue;
		buf_clear(&key);
		buf_str(&key, info->fields[i].key);
		collapse_info(c, buf_cstr(&key), info->fields[i].value);
	}
	buf_release(&key);
}

/* Says whose weights the columns are. */
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
add_stacks(struct boxes *b, const struct tree *t)
{
	uint32_t i, box, parent;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		parent = t->nodes[i].parent;
		box = boxes_add(b,
			collapse_frame(b->c, intern_str(&t->names, t->nodes[i].name), 0),
			parent == TREE_ROOT ? BOXES_NONE : parent - 1);
		if (box == BOXES_NONE)
			return;
		b->items[box].weight[BOXES_AFTER] = t->self[b->columns - 1][i];
		if (b->columns > 1)
			b->items[box].weight[BOXES_BEFORE] = t->self[0][i];
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct folded_options plain = { .reverse = false };
	struct profile p;
	struct boxes b = { .c = c };
	bool good;

	collapse_threadless(c);
	profile_init(&p);
	profile_add(&p, in, &plain);
	(void)tree_settle(&p.tree);
	good = !p.count.refused;
	if (good) {
		b.columns = p.tree.columns;
		b.decimals = p.tree.scale;
		boxes_set_unit(&b, folded_info_unit(&p.info));
		/* The header says how many samples there were, if anything does. */
		collapse_exact(c);
		take_info(c, &p.info);
		name_columns(&b, &p.info);
		add_stacks(&b, &p.tree);
		boxes_fold(&b);
	}
	boxes_release(&b);
	profile_release(&p);
	return good;
}

static int
probe(struct str head)
{
	struct str rest = str_trim(head);
	struct markup m;

	while (str_starts(rest, STR("<")) && markup_next(&rest, &m)) {
		if (m.kind == MARKUP_OPEN)
			return str_eq(markup_name(m.body), STR("svg")) &&
					str_starts(markup_attr(m.body, STR("class")),
						STR("fg"))
				? 100
				: 0;
		rest = str_trim(rest);
	}
	return 0;
}

const struct collapse_format collapse_fg_svg = {
	.probe = probe,
	.run = run,
};
