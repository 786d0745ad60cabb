/* SPDX-License-Identifier: ISC */
/* Two profiles read into one tree, and which metrics changed, not by chance; see compare.h. */
#include "compare.h"
#include "mem.h"

#include <math.h>

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
	folded_count_add(&s->count, &count);
	if (!folded_info_merge(&s->info, &info))
		msg_warn_at(input_name(in), 0, "its weights have another unit");
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

/* Takes the header INFO of a text with both columns apart. */
static void
take_info(struct compare *c, const struct folded_info *info)
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
	struct profile p;
	bool good;

	profile_init(&p);
	good = profile_add_file(&p, path, &plain);
	folded_info_settle(&p.info, false);
	take_info(c, &p.info);
	folded_info_release(&p.info);
	if (good && p.count.lines && p.tree.columns < COMPARE_SIDES) {
		msg_error(
			"%s: has one weight per line; give a file for each side, or one "
			"with two weights",
			path);
		good = false;
	}
	c->side[COMPARE_AFTER].count = p.count;
	c->side[COMPARE_BEFORE].files = c->side[COMPARE_AFTER].files = 1;
	tree_add_column(&p.tree);
	take_both(c, &p.tree);
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

/* The header of both. */

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

/* Making what was before as heavy as what is after. */

/* What the function that is the norm weighs in COLUMN. */
static uint64_t
norm_weight(const struct compare *c, int column)
{
	const struct tree *t = &c->tree;
	struct metrics f;
	uint64_t *weight, found = 0;
	size_t number;

	metric_init(&f, t);
	number = metric_find(&f, c->options->norms.frame);
	weight = mem_alloc(f.n * sizeof *weight);
	metric_fill(&f, t->self[column], t->n, weight);
	if (number < f.n)
		found = weight[number];
	free(weight);
	metric_release(&f);
	return found;
}

const char *
compare_scale(struct compare *c)
{
	struct tree *t = &c->tree;
	uint64_t from = t->sum[COMPARE_BEFORE], to = t->sum[COMPARE_AFTER], sum = 0;
	uint32_t i;

	if (c->options->norms.norm == SIGNIFICANCE_FRAME) {
		from = norm_weight(c, COMPARE_BEFORE);
		to = norm_weight(c, COMPARE_AFTER);
		if (!from || !to)
			return "the frame of --norm does not occur on both sides";
	}
	if (!from)
		return NULL;
	for (i = 1; i < t->n; i++) {
		if (!weight_times(t->self[COMPARE_BEFORE][i], to, from,
			    &t->self[COMPARE_BEFORE][i]) ||
			t->self[COMPARE_BEFORE][i] > UINT64_MAX - sum)
			return "the weights before overflow 64 bits when scaled; try --norm none";
		sum += t->self[COMPARE_BEFORE][i];
	}
	t->sum[COMPARE_BEFORE] = sum;
	return NULL;
}

/* The order of changes. */

/* A change and what ties are broken by. */
struct ranked {
	struct compare_change change;
	const struct tree *tree;
};

void
compare_put_name(struct buf *b, const struct tree *t, struct metric f)
{
	if (f.is_path)
		folded_put_stack(b, t, f.id);
	else
		folded_put_frame(b, intern_str(&t->names, f.id));
}

static int
by_spelling(const struct ranked *x, const struct ranked *y)
{
	struct buf a = { 0 }, b = { 0 };
	int c;

	compare_put_name(&a, x->tree, x->change.metric);
	compare_put_name(&b, y->tree, y->change.metric);
	c = str_cmp(buf_view(&a), buf_view(&b));
	buf_release(&a);
	buf_release(&b);
	return c;
}

/* Functions before paths, then the largest first. */
static int
by_effect(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	struct metric f = x->change.metric, g = y->change.metric;
	double p = fabs(x->change.change), q = fabs(y->change.change);

	if (f.is_path != g.is_path)
		return f.is_path - g.is_path;
	if (p != q)
		return p > q ? -1 : 1;
	if (f.is_self != g.is_self)
		return f.is_self - g.is_self;
	return by_spelling(x, y);
}

/* Puts the changes in order: functions before paths, the largest first. */
static void
sort_changes(struct compare *c)
{
	struct ranked *all = mem_alloc(c->n * sizeof *all);
	size_t i;

	for (i = 0; i < c->n; i++)
		all[i] = (struct ranked){ c->changes[i], &c->tree };
	if (c->n)
		qsort(all, c->n, sizeof *all, by_effect);
	for (i = 0; i < c->n; i++)
		c->changes[i] = all[i].change;
	free(all);
}

struct work {
	struct compare *c;
	const struct compare_options *options;
	struct significance significance;
	struct stats_runs *runs[COMPARE_SIDES]; /* of shares; NULL with one run a side */
	bool *wanted;				/* by name */
	double base[COMPARE_SIDES];		/* what is 100 % */
	double part[COMPARE_SIDES];		/* of the evidence that a side has */
};

static uint64_t
weight(const struct work *w, int side, size_t metric)
{
	return w->significance.weight[side][metric];
}

static double
share(const struct work *w, int side, size_t metric)
{
	return w->runs[side] ? w->runs[side][metric].mean
			     : (double)weight(w, side, metric) / w->base[side];
}

/* The share of the norm that PART of the samples of a metric are. */
static double
share_of_part(const struct work *w, int side, double of, double part)
{
	switch (w->options->norms.norm) {
	case SIGNIFICANCE_TOTAL: return part;
	case SIGNIFICANCE_FRAME: return part / (1 - part);
	case SIGNIFICANCE_NONE:
	default: return part * of * w->significance.per_sample[side] / w->base[side];
	}
}

static struct stats_interval
share_interval(const struct work *w, int side, size_t metric)
{
	struct stats_part a =
		significance_part(&w->significance, side, weight(w, side, metric));
	struct stats_interval in = stats_share_interval(a, w->options->confidence);

	in.low = share_of_part(w, side, a.of, in.low);
	in.high = share_of_part(w, side, a.of, in.high);
	return in;
}

/* Where the change of METRIC lies. */
static struct stats_interval
change_interval(const struct work *w, size_t metric)
{
	double a = share(w, COMPARE_BEFORE, metric), b = share(w, COMPARE_AFTER, metric);

	if (w->options->exact)
		return (struct stats_interval){ b - a, b - a };
	if (w->runs[0])
		return stats_runs_difference(
			&w->runs[0][metric], &w->runs[1][metric], w->options->confidence);
	return stats_difference(a, share_interval(w, COMPARE_BEFORE, metric), b,
		share_interval(w, COMPARE_AFTER, metric));
}

static double
samples_p(const struct work *w, size_t metric,
	double (*p)(const struct significance *, const uint64_t *))
{
	const uint64_t both[] = { weight(w, 0, metric), weight(w, 1, metric) };

	return w->significance.is_known ? p(&w->significance, both) : 0;
}

/* With several runs both the spread between them and the number of samples must be
 * against chance: a few runs may spread less than their samples do. */
static double
test(const void *of, size_t metric)
{
	const struct work *w = of;
	double a = share(w, COMPARE_BEFORE, metric), b = share(w, COMPARE_AFTER, metric),
	       p;

	if (w->options->exact)
		return a == b ? 1 : 0;
	p = samples_p(w, metric, significance_p);
	if (w->runs[0])
		p = fmax(p, stats_runs_p(&w->runs[0][metric], &w->runs[1][metric]));
	return p;
}

static double
least(const void *of, size_t metric)
{
	const struct work *w = of;

	return w->options->exact ? 0 : samples_p(w, metric, significance_least_p);
}

static const char *
find_norm(struct work *w)
{
	struct compare *c = w->c;
	int i;

	for (i = 0; i < COMPARE_SIDES; i++) {
		if (!c->tree.sum[i])
			return i ? "no stack has a weight after"
				 : "no stack has a weight before";
		w->base[i] = (double)c->tree.sum[i];
		if (w->options->norms.norm == SIGNIFICANCE_FRAME)
			w->base[i] = w->significance.frame < w->significance.metrics.n
				? (double)weight(w, i, w->significance.frame)
				: 0;
		if (w->base[i] <= 0)
			return "the frame of --norm does not occur on both sides";
	}
	if (w->options->norms.norm == SIGNIFICANCE_NONE) {
		w->base[1] =
			w->base[0] / (double)c->side[0].files * (double)c->side[1].files;
	}
	return NULL;
}

/* What is 100 % of run R, the metrics of which are WEIGHT; 0: nothing is. */
static double
run_base(const struct work *w, const struct compare_run *r, const uint64_t *weights)
{
	double mean = w->base[0] / (double)w->c->side[0].files;

	switch (w->options->norms.norm) {
	case SIGNIFICANCE_TOTAL: return (double)weights[TREE_ROOT];
	case SIGNIFICANCE_FRAME: return (double)weights[w->significance.frame];
	case SIGNIFICANCE_NONE:
	default: return mean / pow(10, w->c->tree.scale - r->scale);
	}
}

/* Takes the shares in each run of SIDE. */
static const char *
measure_runs(struct work *w, int side)
{
	const struct compare_side *s = &w->c->side[side];
	uint64_t *weights = mem_alloc(w->significance.metrics.n * sizeof *weights);
	const char *wrong = NULL;
	double base;
	size_t i, m;

	w->runs[side] = mem_zero(w->significance.metrics.n, sizeof *w->runs[side]);
	for (i = 0; i < s->n && !wrong; i++) {
		metric_fill(
			&w->significance.metrics, s->runs[i].self, s->runs[i].n, weights);
		base = run_base(w, &s->runs[i], weights);
		if (base <= 0)
			wrong = "a run does not contain the frame of --norm, or has no weight";
		for (m = 0; m < w->significance.metrics.n && !wrong; m++)
			stats_runs_add(&w->runs[side][m], (double)weights[m] / base);
	}
	free(weights);
	return wrong;
}

/* How many samples there are, and on which side. */
static const char *
weigh_sides(struct work *w)
{
	const struct compare_side *s = w->c->side;
	const double samples[] = { s[0].samples, s[1].samples };
	const double runs[] = { (double)s[0].files, (double)s[1].files };
	int i;

	significance_set_samples(&w->significance, samples, runs);
	for (i = 0; i < COMPARE_SIDES; i++)
		w->part[i] = w->c->several	   ? (double)s[i].n
			: w->significance.is_known ? samples[i]
						   : 1;
	if (w->significance.is_known || w->options->exact || w->c->several)
		return NULL;
	return "no samples= in the header; use --samples N, or --exact where weights are not "
	       "samples";
}

/* Asks of every name whether it is to be tested. */
static const char *
find_wanted(struct work *w)
{
	const struct compare_options *o = w->options;
	const struct intern *names = &w->c->tree.names;
	uint32_t i;

	w->wanted = mem_alloc(names->n);
	for (i = 0; i < names->n; i++)
		w->wanted[i] = (!o->only || match_has(o->only, intern_str(names, i))) &&
			(!o->ignore || !match_has(o->ignore, intern_str(names, i)));
	if (o->only && match_failure(o->only))
		return match_failure(o->only);
	return o->ignore ? match_failure(o->ignore) : NULL;
}

static const char *
work_init(struct work *w, struct compare *c)
{
	const char *wrong;
	int i;

	*w = (struct work){ .c = c, .options = c->options };
	significance_init(&w->significance, &c->tree, c->options->norms);
	wrong = find_norm(w);
	if (!wrong)
		wrong = weigh_sides(w);
	for (i = 0; i < COMPARE_SIDES && c->several && !wrong; i++)
		wrong = measure_runs(w, i);
	if (!wrong)
		wrong = find_wanted(w);
	return wrong;
}

static void
work_release(struct work *w)
{
	int i;

	for (i = 0; i < COMPARE_SIDES; i++)
		free(w->runs[i]);
	significance_release(&w->significance);
	free(w->wanted);
}

static bool
is_wanted(const void *of, size_t metric)
{
	const struct work *w = of;
	struct metric f = metric_at(&w->significance.metrics, metric);

	return w->wanted[f.is_path ? w->c->tree.nodes[f.id].name : f.id];
}

/* The share that METRIC must have on both sides together. A growth in points has to be
 * there after, in any case, so that with a gate no other metric needs to be tested.
 * What both have together says nothing of the change: leaving out by it is fair
 * (Bourgon, Gentleman and Huber, Proc. Natl. Acad. Sci. 107 (2010), 9546). */
static double
least_share(const struct work *w)
{
	const struct compare_options *o = w->options;
	double gate = o->limit * w->part[1] / (w->part[0] + w->part[1]);

	return o->gate && !o->relative ? fmax(o->min_share, gate) : o->min_share;
}

static double
pooled_share(const struct work *w, size_t metric)
{
	return (share(w, 0, metric) * w->part[0] + share(w, 1, metric) * w->part[1]) /
		(w->part[0] + w->part[1]);
}

static bool
is_large(const void *of, size_t metric)
{
	const struct work *w = of;

	return pooled_share(w, metric) >= least_share(w);
}

static bool
has_grown(const struct compare_options *o, const struct compare_change *g)
{
	double limit = o->relative ? o->limit * g->share[COMPARE_BEFORE] : o->limit;

	return o->gate && g->change > limit && g->change > 0;
}

static void
add_change(struct work *w, size_t metric)
{
	struct compare *c = w->c;
	struct compare_change *g;
	int i;

	c->changes = mem_grow(c->changes, &c->cap, c->n + 1, sizeof *c->changes);
	g = &c->changes[c->n++];
	*g = (struct compare_change){ .metric =
					      metric_at(&w->significance.metrics, metric),
		.p = w->significance.p[w->significance.same[metric]],
		.interval = change_interval(w, metric) };
	for (i = 0; i < COMPARE_SIDES; i++) {
		g->weight[i] = weight(w, i, metric);
		g->share[i] = share(w, i, metric);
	}
	g->change = g->share[COMPARE_AFTER] - g->share[COMPARE_BEFORE];
	g->same = w->significance.same[metric];
	g->failed = has_grown(c->options, g);
	c->failed += g->failed;
}

static bool
are_equal(const struct work *w, size_t a, size_t b)
{
	return weight(w, 0, a) == weight(w, 0, b) && weight(w, 1, a) == weight(w, 1, b);
}

/* Marks what says nothing that another change does not say. */
static void
mark_repeats(struct work *w)
{
	struct compare *c = w->c;
	const struct tree *t = &c->tree;
	bool *passes = mem_zero(t->n, sizeof *passes);
	bool *told = mem_zero(w->significance.metrics.n, sizeof *told);
	struct compare_change *g;
	size_t other;
	uint32_t i;

	for (i = 1; i < t->n; i++)
		if (are_equal(w, i, t->nodes[i].parent))
			passes[t->nodes[i].parent] = true;
	for (g = c->changes; g < c->changes + c->n; g++) {
		other = metric_number(&w->significance.metrics,
			(struct metric){
				g->metric.id, g->metric.is_path, !g->metric.is_self });
		g->self_is_it = g->weight[0] == weight(w, 0, other) &&
			g->weight[1] == weight(w, 1, other);
		if (!g->metric.is_path)
			told[g->same] = true;
		g->is_repeat = g->metric.is_self
			? g->self_is_it
			: g->metric.is_path && passes[g->metric.id];
	}
	for (g = c->changes; g < c->changes + c->n; g++)
		g->is_echo = g->metric.is_path && told[g->same];
	free(passes);
	free(told);
}

const char *
compare_test(struct compare *c)
{
	struct work w;
	const char *wrong = work_init(&w, c);
	const struct significance_hooks hooks = { &w, is_wanted, is_large, test, least };
	double confidence = c->options->confidence;
	size_t i;

	if (!wrong) {
		c->changes = mem_grow(c->changes, &c->cap, 1, sizeof *c->changes);
		significance_test(&w.significance, confidence, &hooks);
		c->metrics = w.significance.asked;
		c->tested = w.significance.tested;
		for (i = 0; i < w.significance.metrics.n; i++)
			if (significance_is_change(&w.significance, i, confidence) &&
				is_wanted(&w, i))
				add_change(&w, i);
		mark_repeats(&w);
		sort_changes(c);
	}
	work_release(&w);
	return wrong;
}
