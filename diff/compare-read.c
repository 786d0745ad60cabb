/* SPDX-License-Identifier: ISC */
/* Reading the sides of a comparison; see compare.h. */
#include "compare.h"
#include "mem.h"

void
compare_init(struct compare *c, const struct compare_options *options, size_t files,
	bool strip)
{
	*c = (struct compare){ .options = options,
		.direct = files <= 2 && !strip,
		.several = files > 2,
		.strip = strip };
	tree_init(&c->tree, 1);
}

void
compare_release(struct compare *c)
{
	struct compare_side *s;
	size_t i;

	tree_release(&c->tree);
	for (s = c->side; s < c->side + COMPARE_SIDES; s++) {
		folded_info_release(&s->info);
		for (i = 0; i < s->n; i++)
			free(s->runs[i].self);
		free(s->runs);
	}
	free(c->changes);
}

/* NAME with the digits of every address in it made "...", as "0x..."; in B. */
static struct str
strip_addresses(struct buf *b, struct str name)
{
	size_t at, digits;

	buf_clear(b);
	while ((at = str_search(name, STR("0x"))) < name.n) {
		for (digits = at + 2; digits < name.n; digits++)
			if (!str_is_digit(name.s[digits]) &&
				(name.s[digits] < 'a' || name.s[digits] > 'f') &&
				(name.s[digits] < 'A' || name.s[digits] > 'F'))
				break;
		buf_str(b, str_head(name, at + 2));
		if (digits > at + 2)
			buf_str(b, STR("..."));
		name = str_from(name, digits);
	}
	buf_str(b, name);
	return buf_view(b);
}

/* The ids that the names of FROM have in the tree of C. To be freed. */
static uint32_t *
take_names(struct compare *c, const struct tree *from)
{
	uint32_t *id = mem_alloc((size_t)from->names.n * sizeof *id), i;
	struct buf b = { 0 };
	struct str name;

	for (i = 0; i < from->names.n; i++) {
		name = intern_str(&from->names, i);
		if (c->strip)
			name = strip_addresses(&b, name);
		id[i] = intern_id(&c->tree.names, name);
	}
	buf_release(&b);
	return id;
}

/* A tree that becomes part of the one of a comparison. */
struct part {
	const struct tree *tree;
	int column;
	uint32_t *node; /* what its nodes are there */
};

/* Adds the weights of P to those of SIDE. */
static void
take_weights(struct compare *c, int side, const struct part *p)
{
	struct compare_side *s = &c->side[side];
	const struct tree *from = p->tree;
	uint32_t i;

	for (i = 1; i < from->n; i++) {
		if (tree_add_weight(
			    &c->tree, p->node[i], side, tree_weight(from, i, p->column)))
			continue;
		if (!s->count.overflow++)
			msg_warn(
				"skipping a stack: the sum of the weights overflows 64 bits");
	}
}

/* Keeps the weights of P as a run of SIDE. */
static void
keep_run(struct compare *c, int side, const struct part *p)
{
	struct compare_side *s = &c->side[side];
	struct compare_run *r;
	uint32_t i;

	s->runs = mem_grow(s->runs, &s->cap, s->n + 1, sizeof *s->runs);
	r = &s->runs[s->n++];
	*r = (struct compare_run){ mem_zero(c->tree.n, sizeof *r->self), c->tree.n,
		p->tree->scale };
	for (i = 1; i < p->tree->n; i++)
		r->self[p->node[i]] += p->tree->self[p->column][i];
}

/* Makes the nodes of P nodes of C. The caller frees P's node. */
static void
join(struct compare *c, struct part *p)
{
	const struct tree *from = p->tree;
	uint32_t *id = take_names(c, from), i;

	tree_add_column(&c->tree);
	p->node = mem_zero(from->n, sizeof *p->node);
	for (i = 1; i < from->n; i++)
		p->node[i] = tree_child_id(&c->tree, p->node[from->nodes[i].parent],
			id[from->nodes[i].name]);
	free(id);
}

static void
add_count(struct folded_count *c, const struct folded_count *more)
{
	c->lines += more->lines;
	c->malformed += more->malformed;
	c->rounded += more->rounded;
	c->overflow += more->overflow;
	c->refused += more->refused;
}

/* Reads IN into COLUMN of T, a tree of its own or that of C. */
static void
read_side(struct compare *c, int side, struct input *in, struct tree *t, int column)
{
	const struct folded_options how = { .into = column + 1 };
	struct compare_side *s = &c->side[side];
	struct folded_info info = { .n = 0 };
	struct folded_count count = { 0 };

	s->files++;
	tree_add_column(t);
	folded_read(in, t, &info, &how, &count);
	add_count(&s->count, &count);
	if (!folded_info_merge(&s->info, &info))
		msg_warn_at(input_name(in), 0, "its weights are in other units");
	folded_info_release(&info);
}

/* Reads IN as a run of SIDE by way of a tree of its own. */
static void
read_run(struct compare *c, int side, struct input *in)
{
	struct tree t;
	struct part p = { .tree = &t };

	tree_init(&t, 2);
	read_side(c, side, in, &t, 0);
	join(c, &p);
	take_weights(c, side, &p);
	(void)tree_settle(&t);
	if (c->several)
		keep_run(c, side, &p);
	free(p.node);
	tree_release(&t);
}

bool
compare_read(struct compare *c, int side, const char *path)
{
	struct input *in = input_open(path);
	uint64_t refused = c->side[side].count.refused;
	bool good;

	if (!in)
		return false;
	if (c->direct)
		read_side(c, side, in, &c->tree, side);
	else
		read_run(c, side, in);
	good = !input_failed(in) && c->side[side].count.refused == refused;
	input_close(in);
	return good;
}

/* Takes T, which has both columns, into C. */
static void
take_both(struct compare *c, struct tree *t)
{
	struct part p = { .tree = t };

	if (!c->strip) {
		tree_release(&c->tree);
		c->tree = *t;
		return;
	}
	join(c, &p);
	for (; p.column < COMPARE_SIDES; p.column++)
		take_weights(c, p.column, &p);
	free(p.node);
	tree_release(t);
}

bool
compare_read_both(struct compare *c, const char *path)
{
	static const struct folded_options plain = { .reverse = false };
	struct folded_count *count = &c->side[COMPARE_AFTER].count;
	struct folded_info info = { .n = 0 };
	struct tree t;
	bool good;

	tree_init(&t, 1);
	good = folded_read_file(path, &t, &info, &plain, count);
	folded_info_settle(&info, false);
	compare_take_info(c, &info);
	folded_info_release(&info);
	if (good && count->lines && t.columns < COMPARE_SIDES) {
		msg_error(
			"%s: has one weight a line: give a file for each side, or one with both",
			path);
		good = false;
	}
	tree_add_column(&t);
	c->side[COMPARE_BEFORE].files = c->side[COMPARE_AFTER].files = 1;
	take_both(c, &t);
	return good;
}

void
compare_settle(struct compare *c, const struct folded_given *given)
{
	struct folded_given own;
	struct compare_side *s;
	int i;

	tree_add_column(&c->tree);
	c->side[COMPARE_AFTER].count.rounded += tree_settle(&c->tree);
	for (i = 0; i < COMPARE_SIDES; i++) {
		s = &c->side[i];
		own = (struct folded_given){ .samples = { 0, given->samples[i] } };
		folded_given_put(&own, &s->info, 1);
		s->samples = (double)stats_samples(&c->tree, i, &s->info);
	}
}
