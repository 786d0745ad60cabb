/* SPDX-License-Identifier: ISC */
/* Reads runs into one tree, and aligns their names; see runs.h. */
#include "runs.h"
#include "date.h"
#include "frame-stable.h"
#include "frame.h"
#include "graft.h"
#include "mem.h"
#include "msg.h"
#include "stats.h"

#include <math.h>

void
runs_init(struct runs *r, const struct runs_options *options)
{
	*r = (struct runs){ .options = *options };
	tree_init(&r->tree, 1);
}

static void
release_side(struct runs_side *s)
{
	size_t i;

	folded_info_release(&s->info);
	for (i = 0; i < s->n; i++)
		if (!s->runs[i].is_column)
			free(s->runs[i].self);
	free(s->runs);
	*s = (struct runs_side){ .n = 0 };
}

void
runs_release(struct runs *r)
{
	size_t i;

	for (i = 0; i < RUNS_GROUPS; i++)
		release_side(&r->side[i]);
	release_side(&r->series);
	for (i = 0; i < RUNS_SIDES; i++)
		buf_release(&r->root[i]);
	tree_release(&r->tree);
	folded_by_release(&r->by);
}

/* NAME with the digits of every address replaced by "...", as "0x..."; in B. */
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

/* Parses TEXT as a time; 0 if it is invalid. */
static uint64_t
read_time(struct str text)
{
	uint64_t ns;
	bool zoned;

	return date_cut(&text, &ns, &zoned) ? ns : 0;
}

static struct run *
add_run(struct runs_side *s)
{
	s->runs = mem_grow(s->runs, &s->cap, s->n + 1, sizeof *s->runs);
	s->runs[s->n] = (struct run){ 0 };
	return &s->runs[s->n++];
}

/* Adds the names of FROM to the tree of R; the result is their ids there. To be freed. */
static uint32_t *
add_names(struct runs *r, const struct tree *from)
{
	uint32_t *id = mem_alloc((size_t)from->names.n * sizeof *id), i;
	struct buf b = { 0 };
	struct str name;

	for (i = 0; i < from->names.n; i++) {
		name = intern_str(&from->names, i);
		if (r->options.strip)
			name = strip_addresses(&b, name);
		id[i] = intern_id(&r->tree.names, name);
	}
	buf_release(&b);
	return id;
}

/* Adds the nodes of FROM to the tree of R; the result is their indices there. To be freed. */
static uint32_t *
add_nodes(struct runs *r, const struct tree *from)
{
	uint32_t *id = add_names(r, from), i;
	struct graft g;

	tree_add_column(&r->tree);
	graft_add(&g, &r->tree, from);
	for (i = TREE_ROOT + 1; i < from->n; i++)
		g.name[i] = id[from->nodes[i].name];
	graft_nodes(&g);
	free(id);
	return graft_end(&g);
}

/* Adds the weights in COLUMN of FROM, whose nodes are NODE in R, to SIDE. */
static void
add_weights(struct runs *r, int side, const struct tree *from, int column,
	const uint32_t *node)
{
	struct runs_side *s = &r->side[side];
	uint32_t i;

	for (i = 1; i < from->n; i++) {
		if (tree_add_weight(
			    &r->tree, node[i], side, tree_weight(from, i, column)))
			continue;
		if (!s->count.overflow++)
			msg_warn(
				"skipping a stack: the sum of the weights overflows 64 bits");
	}
}

/* Stores the weights in COLUMN of FROM, which is settled, in RUN. */
static void
keep_weights(struct runs *r, struct run *run, const struct tree *from, int column,
	const uint32_t *node)
{
	uint32_t i;

	run->n = r->tree.n;
	run->scale = from->scale;
	run->self = mem_zero(run->n, sizeof *run->self);
	for (i = 1; i < from->n; i++)
		run->self[node[i]] += from->self[column][i];
}

/* Reads IN into COLUMN of T, a separate tree or the tree of R, with the dimensions BY. False, after
 * an error, when its unit differs from the other runs of SIDE. */
static bool
read_side(
	struct runs *r, int side, struct input *in, struct tree *t, struct folded_by *by)
{
	const int column = t == &r->tree ? side : 0;
	const struct folded_options how = { .into = column + 1, .by = by };
	struct runs_side *s = &r->side[side];
	struct folded_info info = { .n = 0 };
	struct folded_count count = { 0 };
	struct run *run = add_run(s);
	bool good;

	tree_add_column(t);
	folded_read(in, t, &info, &how, &count);
	folded_count_add(&s->count, &count);
	run->samples = (double)folded_info_samples(&info, t, column);
	run->start = read_time(folded_info_get(&info, "start"));
	good = folded_info_merge(&s->info, &info);
	if (!good)
		msg_error(
			"%s: its weights are in %.*s, not the unit of the runs before it",
			input_name(in), STR_ARG(folded_info_unit(&info)));
	folded_info_release(&info);
	return good;
}

/* Moves the weights of all runs to the new nodes NOW. */
static void
move_runs(struct runs *r, const uint32_t *now)
{
	struct run *run;
	uint64_t *self;
	size_t i;
	uint32_t k;
	int side;

	for (side = 0; side < RUNS_GROUPS; side++)
		for (i = 0; i < r->side[side].n; i++) {
			run = &r->side[side].runs[i];
			if (!run->self)
				continue;
			self = mem_zero(r->tree.n, sizeof *self);
			for (k = 1; k < run->n; k++)
				self[now[k]] += run->self[k];
			free(run->self);
			run->self = self;
			run->n = r->tree.n;
		}
}

/* Reduces the tree of R, and T, which has the dimensions BY, to their common dimensions. */
static void
share_dimensions(struct runs *r, struct tree *t, const struct folded_by *by)
{
	struct dimensions_map map = folded_by_join(&r->by, &by->now);
	uint32_t *now;

	r->by.silent |= by->silent;
	r->by.differs |= by->differs;
	if (folded_by_changes(&map)) {
		now = folded_by_change(&r->tree, &map, false);
		move_runs(r, now);
		free(now);
	}
	map = dimensions_map(&by->now, by->now.said ? &r->by.now : &by->now);
	if (folded_by_changes(&map))
		free(folded_by_change(t, &map, false));
}

/* The same for a run, through a tree of its own. */
static bool
read_run(struct runs *r, int side, struct input *in)
{
	struct runs_side *s = &r->side[side];
	struct folded_by by = { .apart = true };
	uint32_t *node;
	struct tree t;
	bool good;

	tree_init(&t, 2);
	good = read_side(r, side, in, &t, &by);
	share_dimensions(r, &t, &by);
	folded_by_release(&by);
	node = add_nodes(r, &t);
	if (side < RUNS_SIDES)
		add_weights(r, side, &t, 0, node);
	(void)tree_settle(&t);
	keep_weights(r, &s->runs[s->n - 1], &t, 0, node);
	free(node);
	tree_release(&t);
	return good;
}

static bool
read_file(struct runs *r, int side, const char *path)
{
	struct input *in = input_open(path);
	uint64_t refused = r->side[side].count.refused;
	bool good;

	if (!in)
		return false;
	good = r->direct ? read_side(r, side, in, &r->tree, &r->by)
			 : read_run(r, side, in);
	good &= !input_failed(in) && r->side[side].count.refused == refused;
	input_close(in);
	return good;
}

/* Merging two headers. */

static const char BEFORE[] = "-before";

/* Keys that belong to one side only, even if the other lacks them. */
static bool
is_own(struct str key)
{
	return str_eq(key, STR("samples")) || str_eq(key, STR("duration")) ||
		str_eq(key, STR("lost")) || str_eq(key, STR("name")) ||
		str_eq(key, STR("stacks"));
}

/* Sets KEY with SUFFIX appended. */
static void
set_key(struct folded_info *info, struct str key, const char *suffix, struct str value)
{
	struct buf b = { 0 };

	buf_str(&b, key);
	buf_str(&b, str_of(suffix));
	folded_info_set(info, buf_cstr(&b), value);
	buf_release(&b);
}

/* The value of KEY in INFO. */
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

/* Splits the header INFO of a text with both columns. */
static void
split_info(struct runs *r, const struct folded_info *info)
{
	struct folded_info *a = &r->side[RUNS_BEFORE].info,
			   *b = &r->side[RUNS_AFTER].info;
	struct str key;
	size_t i;

	folded_program_merge(b, info);
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

/* Moves T, which has both columns, into R. */
static void
add_both(struct runs *r, struct tree *t)
{
	uint32_t *node;
	int i;

	if (!r->options.strip) {
		tree_release(&r->tree);
		r->tree = *t;
		return;
	}
	node = add_nodes(r, t);
	for (i = 0; i < RUNS_SIDES; i++)
		add_weights(r, i, t, i, node);
	free(node);
	tree_release(t);
}

/* Sums away dimensions specific to a recording, which its parts do not share. */
static void
drop_recording(struct runs *r, struct tree *t, const struct dimensions *d)
{
	struct dimensions kept = { .said = d->said };
	struct dimensions_map map;
	size_t i;

	for (i = 0; i < d->n; i++)
		if (!folded_by_is_apart(d->name[i]))
			(void)dimensions_add(&kept, d->name[i]);
	map = dimensions_map(d, &kept);
	free(folded_by_change(t, &map, false));
	(void)tree_settle(t);
	r->by.now = kept;
}

/* Sets the header of SIDE from INFO; its stacks are a part of the weight WHOLE. */
static void
set_part_info(struct runs *r, int side, const struct folded_info *info,
	const struct tree *t, uint64_t whole)
{
	static const char *const of_all[] = { "stacks", "duration", "lost", "pieces" };
	struct folded_info *own = &r->side[side].info;
	size_t i;

	folded_program_merge(own, info);
	for (i = 0; i < info->n; i++)
		set_key(own, info->fields[i].key, "", info->fields[i].value);
	for (i = 0; i < sizeof of_all / sizeof *of_all; i++)
		folded_info_set(own, of_all[i], (struct str){ 0 });
	if (folded_info_get(own, "samples").n && whole)
		folded_info_set_u64(own, "samples",
			weight_share(folded_info_u64(info, "samples"),
				weight_of(t->sum[side], t->scale),
				weight_of(whole, t->scale)));
}

/* Makes the selected parts of P the sides. */
static bool
select_parts(struct runs *r, struct profile *p, struct where *select)
{
	uint64_t dropped[TREE_COLUMNS] = { 0 }, whole = p->tree.sum[0];
	struct tree *t = &p->tree;
	int side;

	tree_add_column(t);
	memcpy(t->self[1], t->self[0], t->n * sizeof *t->self[1]);
	t->sum[1] = t->sum[0];
	for (side = 0; side < RUNS_SIDES; side++) {
		select[side].column = side + 1;
		if (!where_take(&select[side], &p->by.now, t, dropped))
			return false;
		if (!t->sum[side]) {
			msg_error("%s: no stack fits", select[side].option);
			return false;
		}
		set_part_info(r, side, &p->info, t, whole);
	}
	drop_recording(r, t, &p->by.now);
	return true;
}

/* Reads the file at PATH, of which SELECT chooses the parts to compare. */
static bool
read_parts(struct runs *r, const char *path, struct where *select)
{
	static const struct folded_options plain = { .reverse = false };
	struct profile p;
	bool good;
	int i;

	profile_init(&p);
	good = profile_add_file(&p, path, &plain) && folded_by_settle(&p.by, &p.info);
	(void)tree_settle(&p.tree);
	folded_info_settle(&p.info, false);
	r->side[RUNS_AFTER].count = p.count;
	if (good && p.tree.columns > 1) {
		msg_error(
			"%s: has two weights per line; --where-before and --where-after "
			"need one",
			path);
		good = false;
	}
	good = good && select_parts(r, &p, select);
	if (good) {
		add_both(r, &p.tree);
		p.tree = (struct tree){ .n = 0 };
	}
	for (i = 0; i < RUNS_SIDES; i++)
		add_run(&r->side[i]);
	r->direct = true;
	profile_release(&p);
	return good;
}

static bool
read_both(struct runs *r, const char *path)
{
	static const struct folded_options plain = { .reverse = false };
	struct profile p;
	bool good;
	int i;

	profile_init(&p);
	p.by.apart = true;
	good = profile_add_file(&p, path, &plain);
	r->by = p.by;
	folded_info_settle(&p.info, false);
	split_info(r, &p.info);
	folded_info_release(&p.info);
	if (good && p.count.lines && p.tree.columns < RUNS_SIDES) {
		msg_error(
			"%s: has one weight per line; give a file for each side, or one "
			"with two weights",
			path);
		good = false;
	}
	r->side[RUNS_AFTER].count = p.count;
	tree_add_column(&p.tree);
	add_both(r, &p.tree);
	for (i = 0; i < RUNS_SIDES; i++)
		add_run(&r->side[i]);
	r->direct = true;
	return good;
}

/* Sets the dimensions of the tree in the headers of all sides. False after an error. */
static bool
settle_dimensions(struct runs *r)
{
	bool good = folded_by_settle(&r->by, &r->side[RUNS_AFTER].info);
	struct str by = folded_info_get(&r->side[RUNS_AFTER].info, "by");
	int side;

	for (side = 0; side < RUNS_GROUPS; side++)
		if (side != RUNS_AFTER)
			folded_info_set(&r->side[side].info, "by", by);
	return good;
}

bool
runs_read(struct runs *r, const struct runs_files *files)
{
	bool good = true;
	size_t i;
	int side;

	r->by.apart = true;
	if (files->select)
		return read_parts(r, files->one, files->select) && settle_dimensions(r);
	if (files->one)
		return read_both(r, files->one) && settle_dimensions(r);
	r->direct = files->n[RUNS_BEFORE] == 1 && files->n[RUNS_AFTER] == 1 &&
		!files->n[RUNS_OLDER] && !r->options.strip;
	for (side = 0; side < RUNS_GROUPS; side++)
		for (i = 0; i < files->n[side]; i++)
			good &= read_file(r, side, files->path[side][i]);
	return settle_dimensions(r) && good;
}

/* Merging names. */

/* The name of the only frame with weight on SIDE below LEVEL dimensions; the number of names if
 * there are none or several. */
static uint32_t
find_root(const struct runs *r, int side, size_t level)
{
	const struct tree *t = &r->tree;
	uint32_t none = t->names.n, found = none, i;
	uint64_t *totals = tree_totals(t, side);
	uint32_t *depth = tree_depths(t);
	bool several = false;

	for (i = 1; i < t->n; i++) {
		if (depth[i] <= level)
			several |= t->self[side][i] > 0;
		if (depth[i] != level + 1 || !totals[i])
			continue;
		several |= found != none && found != t->nodes[i].name;
		found = t->nodes[i].name;
	}
	free(totals);
	free(depth);
	return several ? none : found;
}

/* Stores the names of the root frames below LEVEL dimensions, if each side has one and they
 * differ. */
static bool
compare_roots(struct runs *r, size_t level)
{
	uint32_t root[] = { find_root(r, 0, level), find_root(r, 1, level) };
	int i;

	if (root[0] == r->tree.names.n || root[1] == r->tree.names.n ||
		root[0] == root[1])
		return false;
	r->root_level = level;
	for (i = 0; i < RUNS_SIDES; i++) {
		buf_clear(&r->root[i]);
		buf_str(&r->root[i], intern_str(&r->tree.names, root[i]));
	}
	return true;
}

/* NAME, or in B its form with the root renamed as after; "[root]", the program's code without a
 * symbol, is renamed too. */
static struct str
align_root(const struct runs *r, struct str name, bool is_root, struct buf *b)
{
	struct str old = buf_view(&r->root[RUNS_BEFORE]),
		   new = buf_view(&r->root[RUNS_AFTER]);

	if (!old.n || !new.n)
		return name;
	if (is_root && str_eq(name, old))
		return new;
	if (!str_eq(frame_in_brackets(name), old))
		return name;
	buf_clear(b);
	buf_char(b, '[');
	buf_str(b, new);
	buf_char(b, ']');
	return buf_view(b);
}

/* Renames frames to the names ID of T, aligns the roots, and merges; T becomes the tree of R.
 * Values of dimensions stay. */
static void
rename_frames(struct runs *r, struct tree *t, const uint32_t *id)
{
	const struct tree *from = &r->tree;
	uint32_t *depth = tree_depths(from), *now, i;
	struct buf b = { 0 };
	struct graft g;
	struct str name;

	t->scale = from->scale;
	graft_add(&g, t, from);
	for (i = TREE_ROOT + 1; i < from->n; i++) {
		name = depth[i] > r->by.now.n
			? intern_str(&t->names, id[from->nodes[i].name])
			: intern_str(&from->names, from->nodes[i].name);
		name = align_root(r, name, depth[i] == r->root_level + 1, &b);
		g.name[i] = intern_id(&t->names, name);
	}
	graft_nodes(&g);
	graft_weigh(&g);
	now = graft_end(&g);
	tree_release(&r->tree);
	r->tree = *t;
	move_runs(r, now);
	buf_release(&b);
	free(depth);
	free(now);
}

/* Which names of R are used other than as values of dimensions; to be freed. */
static bool *
find_functions(const struct runs *r)
{
	const struct tree *t = &r->tree;
	bool *is_function = mem_zero((size_t)t->names.n + 1, sizeof *is_function);
	uint32_t *depth = tree_depths(t), i;

	for (i = 0; i < t->names.n; i++)
		is_function[i] = !r->by.now.n;
	for (i = 1; i < t->n; i++)
		is_function[t->nodes[i].name] |= depth[i] > r->by.now.n;
	free(depth);
	return is_function;
}

/* Cuts the parts of function names that differ between builds of the same code. */
static void
clean_names(struct runs *r)
{
	const struct intern *names = &r->tree.names;
	uint32_t *id = mem_zero((size_t)names->n + 1, sizeof *id), i, n = 0;
	bool differs, *is_function = find_functions(r);
	struct buf b = { 0 };
	struct tree t;

	tree_init(&t, RUNS_SIDES);
	differs = compare_roots(r, 0) || (r->by.now.n && compare_roots(r, r->by.now.n));
	for (i = 0; i < names->n; i++) {
		if (!is_function[i])
			continue;
		buf_clear(&b);
		frame_put_stable(&b, intern_str(names, i));
		differs |= !str_eq(buf_view(&b), intern_str(names, i));
		id[i] = intern_id(&t.names, buf_view(&b));
		n++;
	}
	r->merged = n - t.names.n;
	if (differs)
		rename_frames(r, &t, id);
	else
		tree_release(&t);
	buf_release(&b);
	free(is_function);
	free(id);
}

/* Computes the weight of each run, and divides the samples of its side, if known, among the
 * runs. */
static void
weigh_runs(struct runs *r, int side)
{
	struct runs_side *s = &r->side[side];
	double samples = 0, sum = 0;
	struct run *run;
	size_t k;
	uint32_t i;

	for (k = 0; k < s->n; k++) {
		run = &s->runs[k];
		for (i = 1; i < run->n; i++)
			run->sum += (double)run->self[i];
		run->sum /= pow(10, run->scale);
		samples += run->samples;
		sum += run->sum;
	}
	for (k = 0; k < s->n; k++) {
		run = &s->runs[k];
		run->samples = samples > 0 ? run->samples * s->samples / samples
			: sum > 0	   ? run->sum * s->samples / sum
					   : 0;
	}
}

/* The samples of all runs of S; 0 if those of one are unknown. */
static double
add_samples(const struct runs_side *s)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (!(s->runs[i].samples > 0))
			return 0;
		sum += s->runs[i].samples;
	}
	return sum;
}

void
runs_settle(struct runs *r, const struct folded_given *given)
{
	struct tree *t = &r->tree;
	struct folded_given own;
	struct runs_side *s;
	int i;

	tree_add_column(t);
	r->side[RUNS_AFTER].count.rounded += tree_settle(t);
	if (!r->options.exact_names)
		clean_names(r);
	(void)tree_settle(t);
	/* For stacks without a function. */
	if (r->by.now.n)
		(void)intern_id(&t->names, DIMENSIONS_NO_FUNCTION);
	for (i = 0; i < RUNS_GROUPS; i++) {
		s = &r->side[i];
		own = (struct folded_given){
			.samples = { 0, i < RUNS_SIDES ? given->samples[i] : 0 }
		};
		folded_given_put(&own, &s->info, 1);
		if (i < RUNS_SIDES && r->direct && s->n)
			*s->runs = (struct run){ .self = t->self[i],
				.is_column = true,
				.n = t->n,
				.scale = t->scale,
				.samples = s->runs->samples,
				.start = s->runs->start };
		s->samples = i < RUNS_SIDES ? (double)folded_info_samples(&s->info, t, i)
					    : add_samples(s);
		weigh_runs(r, i);
	}
}

/* A series. */

void
runs_make_series(struct runs *r)
{
	struct runs_side *all = &r->side[RUNS_OLDER];

	r->series = *all;
	*all = (struct runs_side){ .n = 0 };
}

/* Adds the weights of RUN to the column of SIDE. */
static void
add_run_weights(struct runs *r, int side, const struct run *run)
{
	uint32_t i;

	for (i = 1; i < run->n; i++)
		if (run->self[i] &&
			!tree_add_weight(
				&r->tree, i, side, weight_of(run->self[i], run->scale)))
			r->side[side].count.overflow++;
}

/* Makes the runs of the series from FIRST up to END those of SIDE. */
static void
select_side(struct runs *r, int side, size_t first, size_t end)
{
	struct runs_side *s = &r->side[side];
	const struct folded_info *info = &r->series.info;
	struct run *run;
	size_t i;

	release_side(s);
	for (i = first; i < end; i++) {
		run = add_run(s);
		*run = r->series.runs[i];
		run->is_column = true;
		add_run_weights(r, side, run);
	}
	s->samples = add_samples(s);
	for (i = 0; i < info->n; i++)
		if (!is_own(info->fields[i].key))
			set_key(&s->info, info->fields[i].key, "", info->fields[i].value);
	if (s->samples > 0)
		folded_info_set_u64(&s->info, "samples", stats_count(s->samples));
}

void
runs_select(struct runs *r, const size_t cut[RUNS_SIDES + 1])
{
	int side;

	tree_empty(&r->tree);
	for (side = 0; side < RUNS_SIDES; side++)
		select_side(r, side, cut[side], cut[side + 1]);
	(void)tree_settle(&r->tree);
}

bool
runs_are_apart(const struct runs *r)
{
	uint64_t first[RUNS_SIDES] = { 0 }, last[RUNS_SIDES] = { 0 };
	const struct runs_side *s;
	size_t i;
	int side;

	for (side = 0; side < RUNS_SIDES; side++) {
		s = &r->side[side];
		if (s->n < 2)
			return false;
		for (i = 0; i < s->n; i++) {
			if (!s->runs[i].start)
				return false;
			if (!i || s->runs[i].start < first[side])
				first[side] = s->runs[i].start;
			if (s->runs[i].start > last[side])
				last[side] = s->runs[i].start;
		}
	}
	return last[0] < first[1] || last[1] < first[0];
}

/* The joint header. */

/* At most this many files are named, further ones counted. */
enum { NAMED = 3 };

static bool
is_stdin(struct str path)
{
	return str_eq(path, STR("-"));
}

/* The length of the longest folder prefix, including '/', that PATH shares with OTHER. */
static size_t
shared_folders(struct str path, struct str other)
{
	size_t i, n = 0;

	for (i = 0; i < path.n && i < other.n && path.s[i] == other.s[i]; i++)
		if (path.s[i] == '/')
			n = i + 1;
	return n;
}

/* The length of the folders that all FILES share, which names omit. */
static size_t
common_folders(const struct runs_files *files)
{
	struct str first = { 0 }, path;
	size_t i, n = 0;
	int side;

	for (side = 0; side < RUNS_SIDES; side++) {
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

/* Adds the names of the files of SIDE without their first CUT bytes. */
static void
put_name(struct buf *b, const struct runs_files *files, int side, size_t cut)
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

/* Sets KEY to VALUE, or keeps its value if that is empty, and moves it to the end. */
static void
set_last(struct folded_info *info, const char *key, struct str value)
{
	if (!value.n)
		value = folded_info_get(info, key);
	folded_info_set(info, key, STR(""));
	folded_info_set(info, key, value);
}

/* Sets the norm and the names of the sides. */
static void
set_names(struct folded_info *info, const struct runs_files *files, struct str norm)
{
	static const char *const keys[] = { "name-before", "name" };
	struct buf name = { 0 };
	size_t cut = common_folders(files);
	int i;

	set_last(info, "norm", norm);
	for (i = 0; i < RUNS_SIDES; i++) {
		buf_clear(&name);
		if (files->select)
			where_put(&name, &files->select[i]);
		else if (!files->one)
			put_name(&name, files, i, cut);
		set_last(info, keys[i], buf_view(&name));
	}
	buf_release(&name);
}

/* Scaling made the weights before useless for counting samples, and without the key a reader would
 * use the number after for both. */
static void
set_samples(struct folded_info *info, const struct runs *r)
{
	double before = r->side[RUNS_BEFORE].samples;

	if ((before > 0 || folded_info_get(info, "samples").n) &&
		!folded_info_get(info, "samples-before").n)
		folded_info_set_u64(info, "samples-before", stats_count(before));
}

void
runs_put_info(const struct runs *r, const struct runs_files *files, struct str norm,
	struct folded_info *info)
{
	const struct folded_info *a = &r->side[RUNS_BEFORE].info,
				 *b = &r->side[RUNS_AFTER].info;
	struct str key;
	size_t i;

	folded_program_merge(info, a);
	folded_program_merge(info, b);
	for (i = 0; i < b->n; i++)
		set_key(info, b->fields[i].key, "", b->fields[i].value);
	for (i = 0; i < a->n; i++) {
		key = a->fields[i].key;
		if (is_own(key) || !str_eq(same_key(b, key), a->fields[i].value))
			set_key(info, key, BEFORE, a->fields[i].value);
	}
	set_samples(info, r);
	set_names(info, files, norm);
}
