/* SPDX-License-Identifier: ISC */
/* Reading the sides of a comparison, and their headers; see compare.h. */
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
		s->samples = (double)folded_info_samples(&s->info, &c->tree, i);
	}
}

/* One header for two columns. */

static const char BEFORE[] = "-before";

/* Keys that tell of one side only, also when the other is silent. */
static bool
is_own(struct str key)
{
	return str_eq(key, STR("samples")) || str_eq(key, STR("duration")) ||
		str_eq(key, STR("lost")) || str_eq(key, STR("name")) ||
		str_eq(key, STR("stacks"));
}

/* Sets KEY with SUFFIX behind it. */
static void
set_key(struct folded_info *info, struct str key, const char *suffix, struct str value)
{
	struct buf b = { 0 };

	buf_str(&b, key);
	buf_str(&b, str_of(suffix));
	folded_info_set(info, buf_cstr(&b), value);
	buf_release(&b);
}

/* The value of the key of F in INFO. */
static struct str
same_key(const struct folded_info *info, struct str key)
{
	struct buf b = { 0 };
	struct str value;

	buf_str(&b, key);
	value = folded_info_get(info, buf_cstr(&b));
	buf_release(&b);
	return value;
}

/* More files than these are counted, not named. */
enum { NAMED = 3 };

static bool
is_stdin(struct str path)
{
	return str_eq(path, STR("-"));
}

/* How many bytes at the start of PATH, up to a '/', are those of OTHER. */
static size_t
shared_folders(struct str path, struct str other)
{
	size_t i, n = 0;

	for (i = 0; i < path.n && i < other.n && path.s[i] == other.s[i]; i++)
		if (path.s[i] == '/')
			n = i + 1;
	return n;
}

/* The length of the folders that all FILES are in, which say nothing. */
static size_t
common_folders(const struct compare_files *files)
{
	struct str first = { 0 }, path;
	size_t i, n = 0;
	int side;

	for (side = 0; side < COMPARE_SIDES; side++) {
		for (i = 0; i < files->n[side]; i++) {
			path = str_of(files->path[side][i]);
			if (is_stdin(path))
				continue;
			if (!first.n) {
				first = path;
				n = str_rfind(path, '/') < path.n
					? str_rfind(path, '/') + 1
					: 0;
			}
			n = shared_folders(str_head(path, n), first);
		}
	}
	return n;
}

/* Adds the names of the files of SIDE without the first CUT bytes. */
static void
put_name(struct buf *b, const struct compare_files *files, int side, size_t cut)
{
	size_t i, n = files->n[side], named = n > NAMED ? NAMED - 1 : n;
	struct str path;

	for (i = 0; i < named; i++) {
		path = str_of(files->path[side][i]);
		if (i)
			buf_str(b, STR(", "));
		buf_str(b, is_stdin(path) ? STR("stdin") : str_from(path, cut));
	}
	if (named < n)
		buf_fmt(b, " and %zu more", n - named);
}

static struct str
norm_name(const struct significance_norms *norms)
{
	return norms->norm == SIGNIFICANCE_NONE	    ? STR("none")
		: norms->norm == SIGNIFICANCE_TOTAL ? STR("total")
						    : norms->frame;
}

/* Sets KEY to VALUE, or leaves what it is when that is empty, and makes it the last. */
static void
set_last(struct folded_info *info, const char *key, struct str value)
{
	if (!value.n)
		value = folded_info_get(info, key);
	folded_info_set(info, key, STR(""));
	folded_info_set(info, key, value);
}

/* Sets what the sides have in common, and how they are called. */
static void
set_names(struct folded_info *info, const struct compare *c,
	const struct compare_files *files)
{
	static const char *const keys[] = { "name-before", "name" };
	bool keeps_norm = files->one && c->options->norms.norm == SIGNIFICANCE_NONE;
	struct buf name = { 0 };
	size_t cut = common_folders(files);
	int i;

	set_last(info, "norm", keeps_norm ? STR("") : norm_name(&c->options->norms));
	for (i = 0; i < COMPARE_SIDES; i++) {
		buf_clear(&name);
		if (!files->one)
			put_name(&name, files, i, cut);
		set_last(info, keys[i], buf_view(&name));
	}
	buf_release(&name);
}

/* What the weights before told of samples, they do not when they have been multiplied; and
 * a reader would take those after for those of both. */
static void
set_samples(struct folded_info *info, const struct compare *c)
{
	double before = c->side[COMPARE_BEFORE].samples;
	bool scaled = c->options->norms.norm != SIGNIFICANCE_NONE && before > 0;

	if ((scaled || folded_info_get(info, "samples").n) &&
		!folded_info_get(info, "samples-before").n)
		folded_info_set_u64(info, "samples-before", stats_count(before));
}

void
compare_put_info(const struct compare *c, const struct compare_files *files,
	struct folded_info *info)
{
	const struct folded_info *a = &c->side[COMPARE_BEFORE].info,
				 *b = &c->side[COMPARE_AFTER].info;
	struct str key;
	size_t i;

	for (i = 0; i < b->n; i++)
		set_key(info, b->fields[i].key, "", b->fields[i].value);
	for (i = 0; i < a->n; i++) {
		key = a->fields[i].key;
		if (is_own(key) || !str_eq(same_key(b, key), a->fields[i].value))
			set_key(info, key, BEFORE, a->fields[i].value);
	}
	set_samples(info, c);
	set_names(info, c, files);
}

void
compare_take_info(struct compare *c, const struct folded_info *info)
{
	struct folded_info *a = &c->side[COMPARE_BEFORE].info,
			   *b = &c->side[COMPARE_AFTER].info;
	struct str key;
	size_t i;

	for (i = 0; i < info->n; i++) {
		key = info->fields[i].key;
		if (str_ends(key, str_of(BEFORE)))
			continue;
		set_key(b, key, "", info->fields[i].value);
		if (!is_own(key))
			set_key(a, key, "", info->fields[i].value);
	}
	for (i = 0; i < info->n; i++) {
		key = info->fields[i].key;
		if (str_ends(key, str_of(BEFORE)))
			set_key(a, str_head(key, key.n - strlen(BEFORE)), "",
				info->fields[i].value);
	}
}
