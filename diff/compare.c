/* SPDX-License-Identifier: ISC */
/* Compares two sides; see compare.h. */
#include "compare.h"
#include "causes.h"
#include "frame.h"
#include "mem.h"
#include "scale.h"

#include <math.h>

enum { BEFORE = RUNS_BEFORE, AFTER = RUNS_AFTER };

/* Exact weights that differ relatively by at most this are rounded sums of equal weights. */
static const double ROUNDING = 1e-12;

/* The total is tested beside the functions: each of the two families gets half of the allowed
 * error. */
enum { FAMILIES = 2 };

/* The state of a comparison. */
struct work {
	struct compare *c;
	const struct runs *runs;
	const struct compare_options *options;
	struct changes_run *run; /* of all groups */
	size_t n[RUNS_GROUPS], all;
	bool *is_wanted; /* by name */
	struct changes changes;
	double per_run
		[RUNS_SIDES]; /* the weight in a reported run of a unit of the columns */
	double per_sample[RUNS_SIDES]; /* weight per sample, in units of the columns */
	double rate[RUNS_SIDES];       /* samples in a run of size 1 */
	double cut; /* the largest unadjusted p-value that is significant */
	double at,
		seen; /* in standard errors: half of an interval; the least change detected */
};

/* Exact weights, and weights with an unknown number of samples, count as samples. */
static double
per_sample_of(const struct compare *c, const struct run *run)
{
	return c->is_known && run->samples > 0 ? run->sum / run->samples : 1;
}

/* The share of the work that a run of S did. */
static double
parts_of(const struct work *w, const struct runs_side *s)
{
	const double *per = w->options->per;
	int side = s == w->runs->side + AFTER ? AFTER : BEFORE;

	return per[side] > 0 ? per[side] : 1;
}

static void
list_runs(struct work *w)
{
	const struct runs_side *s;
	const struct run *run;
	size_t i;
	int side;

	for (side = 0; side < RUNS_GROUPS; side++)
		w->all += w->n[side] = w->runs->side[side].n;
	w->run = mem_alloc(w->all * sizeof *w->run);
	w->all = 0;
	for (s = w->runs->side; s < w->runs->side + RUNS_GROUPS; s++)
		for (i = 0; i < s->n; i++) {
			run = &s->runs[i];
			w->run[w->all++] = (struct changes_run){ run->self, run->n,
				run->scale, per_sample_of(w->c, run), parts_of(w, s) };
		}
}

/* Whether the number of samples is known for each run. */
static bool
is_known(const struct runs *r)
{
	const struct runs_side *s;

	for (s = r->side; s < r->side + RUNS_GROUPS; s++)
		if (s->n && !(s->samples > 0))
			return false;
	return true;
}

/* An error text if a run has no weight. */
static const char *
check_runs(const struct runs *r)
{
	const struct runs_side *s;
	size_t i;

	for (i = 0; i < RUNS_SIDES; i++)
		if (!r->tree.sum[i])
			return i == BEFORE ? "no stack has a weight before"
					   : "no stack has a weight after";
	for (s = r->side; s < r->side + RUNS_GROUPS; s++)
		for (i = 0; i < s->n; i++)
			if (!(s->runs[i].sum > 0))
				return "a run has no weight";
	return NULL;
}

const char *
compare_find_wanted(
	const struct compare_options *o, const struct runs *r, bool **is_wanted)
{
	const struct intern *names = &r->tree.names;
	uint32_t i;

	if (!o->only && !o->ignore)
		return NULL;
	*is_wanted = mem_zero((size_t)names->n + 1, sizeof **is_wanted);
	for (i = 0; i < names->n; i++)
		(*is_wanted)[i] =
			(!o->only || match_has(o->only, intern_str(names, i))) &&
			(!o->ignore || !match_has(o->ignore, intern_str(names, i)));
	if (o->only && match_failure(o->only))
		return match_failure(o->only);
	return o->ignore ? match_failure(o->ignore) : NULL;
}

/* The total. */

/* The weight of a run of SIDE, per part. */
static double
weight_of_run(const struct work *w, int side, size_t run)
{
	double per = side < RUNS_SIDES ? w->options->per[side] : 0;

	return w->runs->side[side].runs[run].sum / (per > 0 ? per : 1);
}

/* An estimate of the logarithm of a ratio. */
struct ratio {
	double log, error, freedom;
};

/* Compares the logarithms of both totals by Welch's test. A side with one run is assumed to spread
 * as the others do, including older runs; with one run a side, runs are assumed to vary as their
 * functions do. */
static struct ratio
compare_totals(const struct work *w)
{
	struct stats_runs s[RUNS_GROUPS] = { { 0 } };
	double known = 0, squares = 0;
	struct ratio r;
	size_t i;
	int g;

	for (g = 0; g < RUNS_GROUPS; g++) {
		for (i = 0; i < w->n[g]; i++)
			stats_runs_add(&s[g], log(weight_of_run(w, g, i)));
		known += s[g].n > 0 ? s[g].n - 1 : 0;
		squares += s[g].squares;
	}
	r.log = s[AFTER].mean - s[BEFORE].mean;
	r.freedom = known;
	if (w->c->is_single) {
		r.error = 0;
		for (g = 0; g < RUNS_SIDES; g++)
			r.error += significance_single_phi(w->runs->side[g].samples) /
				w->runs->side[g].samples;
		r.error = sqrt(r.error);
		r.freedom = w->changes.significance.design.freedom;
	} else if (s[0].n > 1 && s[1].n > 1) {
		r.error = stats_runs_error(&s[0], &s[1], &r.freedom);
	} else {
		r.error = sqrt(squares / known * (1 / s[0].n + 1 / s[1].n));
	}
	return r;
}

static void
set_total(struct work *w)
{
	struct compare_value *v = &w->c->total;
	struct ratio r;
	double at, alpha = (1 - w->options->confidence) / FAMILIES;
	int side;

	for (side = 0; side < RUNS_SIDES; side++)
		v->weight[side] = (double)w->runs->tree.sum[side] * w->per_run[side];
	v->excess = v->weight[AFTER] - v->weight[BEFORE];
	v->change = v->points = v->excess / v->weight[BEFORE];
	v->interval = (struct stats_interval){ v->change, v->change };
	v->is_change = fabs(v->excess) > ROUNDING * v->weight[AFTER];
	v->p = v->strict_p = v->is_change ? 0 : 1;
	if (w->options->exact || !w->c->is_known)
		return;
	r = compare_totals(w);
	v->is_tested = true;
	v->change = v->points = expm1(r.log);
	at = stats_t_quantile(1 - alpha / 2, r.freedom);
	v->interval.low = expm1(r.log - at * r.error);
	v->interval.high = expm1(r.log + at * r.error);
	v->p = r.error > 0 ? fmin(1, 2 * stats_t_tail(fabs(r.log) / r.error, r.freedom))
		: fabs(r.log) > ROUNDING ? 0
					 : 1;
	v->p = v->strict_p = fmin(1, FAMILIES * v->p);
	v->is_change = v->p <= 1 - w->options->confidence;
	v->detectable = expm1((at + stats_t_quantile(0.8, r.freedom)) * r.error);
}

/* Functions. */

static bool
differs(const struct work *w, const struct significance_finding *f, size_t metric)
{
	if (w->options->norms.norm == CHANGES_NONE && w->per_run[0] == w->per_run[1])
		return w->changes.weight[0][metric] != w->changes.weight[1][metric];
	return fabs(f->rate[AFTER] - f->rate[BEFORE]) >
		ROUNDING * fmax(f->rate[AFTER], f->rate[BEFORE]);
}

/* RATE as a reported weight after. */
static double
weight_of_rate(const struct work *w, double rate)
{
	return rate * w->changes.significance.design.size[AFTER] * w->per_sample[AFTER] *
		w->per_run[AFTER];
}

/* The relative change of RATE[BEFORE] by BY. */
static double
part_of(const double *rate, double by)
{
	return rate[BEFORE] > 0 ? by / rate[BEFORE] : by > 0 ? INFINITY : 0;
}

static bool
grew_too_much(const struct compare_options *o, const struct compare_value *v)
{
	double by = o->relative ? v->change : v->points;

	return o->gate && v->is_change && by > 0 && by > o->limit &&
		(!v->is_tested || v->strict_p <= 1 - o->confidence);
}

static struct compare_value
value_of(const struct work *w, size_t metric)
{
	const struct significance_finding f = changes_find(&w->changes, metric);
	double alpha = 1 - w->options->confidence, by = f.rate[AFTER] - f.rate[BEFORE];
	struct compare_value v = { .p = 1, .strict_p = 1 };
	int i;

	v.is_tested = changes_is_tested(&w->changes, metric);
	for (i = 0; i < RUNS_SIDES; i++)
		v.weight[i] = (double)w->changes.weight[i][metric] * w->per_run[i];
	v.change = part_of(f.rate, by);
	v.points = by / w->rate[BEFORE];
	v.excess = weight_of_rate(w, by);
	v.interval = (struct stats_interval){ v.change, v.change };
	if (w->options->exact) {
		v.is_change = differs(w, &f, metric);
		v.p = v.strict_p = v.is_change ? 0 : 1;
	} else if (v.is_tested) {
		v.interval.low = fmax(-1, part_of(f.rate, by - w->at * f.error));
		v.interval.high = part_of(f.rate, by + w->at * f.error);
		v.p = f.adjusted;
		v.strict_p = f.strict;
		v.detectable = part_of(f.rate, w->seen * f.error);
		v.is_change = v.p <= alpha;
	}
	v.failed = grew_too_much(w->options, &v);
	return v;
}

static enum compare_status
status_of(const struct work *w, uint32_t name)
{
	if (!w->changes.weight[BEFORE][name])
		return COMPARE_NEW;
	return w->changes.weight[AFTER][name] ? COMPARE_CHANGED : COMPARE_REMOVED;
}

/* Whether the function NAME is wanted and has weight. */
static bool
is_function(const struct work *w, uint32_t name)
{
	return (w->changes.weight[0][name] || w->changes.weight[1][name]) &&
		(!w->is_wanted || w->is_wanted[name]);
}

static struct compare_row
row_of(const struct work *w, uint32_t name)
{
	struct compare_row r = { .name = name, .status = status_of(w, name) };
	const struct tree *t = &w->runs->tree;
	int i;

	r.total = value_of(w, name);
	r.self = value_of(w, metric_self(&w->changes.metrics, name));
	r.failed = r.total.failed || r.self.failed;
	for (i = 0; i < RUNS_SIDES; i++)
		r.share[i] = (double)w->changes.weight[i][name] / (double)t->sum[i];
	return r;
}

/* A row, its original index, and tie-breakers. */
struct ranked {
	struct compare_row row;
	size_t was;
	uint32_t depth;
	struct str name;
};

static int
by_name(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

/* Callers before callees. */
static int
by_depth(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return by_name(a, b);
}

/* The rows of C. To be freed. */
static struct ranked *
rank_rows(const struct compare *c)
{
	struct ranked *all = mem_alloc((c->n + 1) * sizeof *all);
	size_t i;

	for (i = 0; i < c->n; i++)
		all[i] = (struct ranked){ c->rows[i], i, 0,
			intern_str(&c->runs->tree.names, c->rows[i].name) };
	return all;
}

/* The least depth of each name in T. To be freed. */
static uint32_t *
find_depths(const struct tree *t)
{
	uint32_t *depth = tree_depths(t), i, name;
	uint32_t *least = mem_zero((size_t)t->names.n + 1, sizeof *least);

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		name = t->nodes[i].name;
		if (!least[name] || depth[i] < least[name])
			least[name] = depth[i];
	}
	free(depth);
	return least;
}

/* Orders the rows independently of the order of stacks, on which the choice of causes may
 * depend. */
static void
order_rows(struct work *w)
{
	struct compare *c = w->c;
	uint32_t *depth = find_depths(w->changes.metrics.tree);
	struct ranked *all = rank_rows(c);
	size_t i;

	for (i = 0; i < c->n; i++)
		all[i].depth = depth[c->rows[i].name];
	if (c->n)
		qsort(all, c->n, sizeof *all, by_depth);
	for (i = 0; i < c->n; i++)
		c->rows[i] = all[i].row;
	free(depth);
	free(all);
}

/* Adds a row for each function that changed. */
static void
list_rows(struct work *w)
{
	struct compare *c = w->c;
	size_t cap = 0;
	uint32_t name;
	struct compare_row r;

	for (name = 0; name < w->runs->tree.names.n; name++) {
		if (!is_function(w, name))
			continue;
		c->functions++;
		if (!w->options->exact && !changes_is_tested(&w->changes, name) &&
			!changes_is_tested(
				&w->changes, metric_self(&w->changes.metrics, name)))
			continue;
		r = row_of(w, name);
		if (!r.total.is_change && !r.self.is_change)
			continue;
		c->rows = mem_grow(c->rows, &cap, c->n + 1, sizeof *c->rows);
		c->rows[c->n++] = r;
		c->failed += r.failed;
	}
	order_rows(w);
}

/* The order of rows. */

/* PART, of the total, without its last digits, which depend on the order of summation. */
static double
without_noise(double part)
{
	static const double DIGITS = 1e12;

	return round(part * DIGITS) / DIGITS;
}

/* Causes first, by their own change; then the others, by their change. */
static int
by_effect(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	bool is_cause = x->row.cause == x->was;
	double p = fabs(is_cause ? x->row.own_points : x->row.total.points),
	       q = fabs(is_cause ? y->row.own_points : y->row.total.points);

	p = without_noise(p);
	q = without_noise(q);

	if (is_cause != (y->row.cause == y->was))
		return is_cause ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	return by_name(a, b);
}

static void
sort_rows(struct compare *c)
{
	struct ranked *all = rank_rows(c);
	size_t *now = mem_alloc((c->n + 1) * sizeof *now), i;

	if (c->n)
		qsort(all, c->n, sizeof *all, by_effect);
	for (i = 0; i < c->n; i++)
		now[all[i].was] = i;
	for (i = 0; i < c->n; i++) {
		c->rows[i] = all[i].row;
		c->rows[i].cause = now[all[i].row.cause];
		c->rows[i].renamed = now[all[i].row.renamed];
	}
	free(all);
	free(now);
}

/* Detectable changes. */

/* The self weight of NAME on both sides, in samples per run. */
static double
self_of(const struct work *w, uint32_t name)
{
	size_t self = metric_self(&w->changes.metrics, name);

	return (double)w->changes.weight[0][self] / w->per_sample[0] / (double)w->n[0] +
		(double)w->changes.weight[1][self] / w->per_sample[1] / (double)w->n[1];
}

/* Whether growth by the gate's limit would have been detected, if the least detectable growth is
 * CHANGE or, in points, POINTS. */
static bool
suffices(const struct compare_options *o, double change, double points)
{
	return !o->gate || o->exact || (o->relative ? change : points) <= o->limit;
}

static void
add_power(struct work *w, uint32_t name)
{
	struct compare *c = w->c;
	struct significance_finding f = changes_find(&w->changes, name);
	double error =
		changes_is_tested(&w->changes, name) ? w->seen * f.error : INFINITY;
	double change = w->options->exact ? 0 : part_of(f.rate, error);
	double points = w->options->exact ? 0 : error / w->rate[BEFORE];

	c->power[c->powers++] = (struct compare_power){ name, change, points,
		suffices(w->options, change, points) };
}

/* Whether the function A has more self weight than B; ties go to the first by name. */
static bool
is_larger(const struct work *w, uint32_t a, uint32_t b)
{
	const struct intern *names = &w->runs->tree.names;
	double x = self_of(w, a), y = self_of(w, b);

	if (x < y || x > y)
		return x > y;
	return str_cmp(intern_str(names, a), intern_str(names, b)) < 0;
}

/* Computes the detectable changes of the wanted functions with the largest self weight. */
static void
find_powers(struct work *w)
{
	uint32_t largest[COMPARE_POWERS], name;
	size_t n = 0, i;

	for (name = 0; name < w->runs->tree.names.n; name++) {
		if (!is_function(w, name))
			continue;
		if (n == COMPARE_POWERS && !is_larger(w, name, largest[n - 1]))
			continue;
		i = n < COMPARE_POWERS ? n++ : n - 1;
		for (; i > 0 && is_larger(w, name, largest[i - 1]); i--)
			largest[i] = largest[i - 1];
		largest[i] = name;
	}
	for (i = 0; i < n; i++)
		if (i == 0 || self_of(w, largest[i]) > 0)
			add_power(w, largest[i]);
}

static void
judge(struct work *w)
{
	struct compare *c = w->c;
	const struct compare_options *o = c->options;
	bool can_tell =
		o->no_total || suffices(o, c->total.detectable, c->total.detectable);
	size_t i;

	c->total.failed = !o->no_total && grew_too_much(o, &c->total);
	for (i = 0; i < c->powers; i++)
		can_tell &= c->power[i].suffices;
	if (c->failed || c->total.failed)
		c->gate = COMPARE_FAILED;
	else
		c->gate = can_tell && c->powers ? COMPARE_PASSED : COMPARE_CANNOT_TELL;
}

/* Lists the tests. */
static void
list_tests(struct work *w)
{
	struct compare *c = w->c;
	const struct changes *k = &w->changes;
	uint32_t names = w->runs->tree.names.n;
	struct significance_finding f;
	size_t i, cap = 0;

	for (i = 0; i < k->metrics.n; i++) {
		if (!changes_is_tested(k, i))
			continue;
		f = changes_find(k, i);
		c->tests = mem_grow(c->tests, &cap, c->n_tests + 1, sizeof *c->tests);
		c->tests[c->n_tests++] =
			(struct compare_test){ (uint32_t)(i < names ? i : i - names),
				i >= names, f.phi, f.adjusted };
		if (f.adjusted <= 1 - w->options->confidence && f.p > w->cut)
			w->cut = f.p;
	}
}

/* Sums the self weight of functions that only one side has. */
static void
find_unpaired(struct work *w)
{
	uint32_t name;
	int side;

	for (name = 0; name < w->runs->tree.names.n; name++)
		for (side = 0; side < RUNS_SIDES; side++)
			if (!w->changes.weight[!side][name])
				w->c->unpaired[side] +=
					(double)w->changes.weight[side][metric_self(
						&w->changes.metrics, name)] /
					(double)w->runs->tree.sum[side];
}

/* Takes the norm and the design from the tests, and sets how weights are reported. */
static void
settle(struct work *w)
{
	const struct significance *s = &w->changes.significance;
	struct compare *c = w->c;
	const struct runs_side *side;
	double scale = pow(10, w->runs->tree.scale), per;
	int i;

	c->norm = w->changes.norm;
	c->design = s->design;
	c->metrics = w->changes.asked;
	c->tested = s->tested;
	w->at = stats_t_quantile(0.5 + w->options->confidence / 2, s->design.freedom);
	w->seen =
		significance_detectable(&s->design, 1, w->options->confidence, s->tested);
	for (i = 0; i < RUNS_SIDES; i++) {
		side = &w->runs->side[i];
		per = w->options->per[i] > 0 ? w->options->per[i] : 1;
		w->per_run[i] = 1 / scale / (double)side->n / per;
		w->per_sample[i] = c->is_known
			? (double)w->runs->tree.sum[i] / side->samples
			: scale;
		w->rate[i] = (double)w->runs->tree.sum[i] / w->per_sample[i] /
			s->design.size[i];
		c->size[i] = s->design.size[i] / (double)w->n[i] * w->per_sample[i];
	}
	c->size[AFTER] /= c->size[BEFORE];
	c->size[BEFORE] = 1;
}

/* Finds the causes among the rows. */
static void
explain(struct work *w)
{
	const struct causes_options options = { w->cut, w->options->exact };
	struct compare *c = w->c;
	struct cause *all = mem_zero(c->n + 1, sizeof *all);
	struct compare_row *r;
	size_t i;

	for (i = 0; i < c->n; i++)
		all[i] = (struct cause){ .name = c->rows[i].name,
			.is_self = c->rows[i].self.is_change };
	c->causes = causes_find(all, c->n, &w->changes, &options);
	for (i = 0; i < c->n; i++) {
		r = &c->rows[i];
		r->cause = all[i].of;
		r->renamed = all[i].renamed;
		r->own_points = all[i].own / w->rate[BEFORE];
		r->own_excess = weight_of_rate(w, all[i].own);
	}
	free(all);
	sort_rows(c);
}

static const char *
test(struct work *w)
{
	const struct compare_options *o = w->options;
	const struct changes_how how = { o->norms, o->min_share,
		o->exact || !w->c->is_known, w->is_wanted, w->runs->by.now.n };
	const char *wrong = changes_init(&w->changes, &w->runs->tree, w->run, w->n, &how);

	if (wrong)
		return wrong;
	settle(w);
	list_tests(w);
	set_total(w);
	list_rows(w);
	explain(w);
	find_unpaired(w);
	find_powers(w);
	judge(w);
	return NULL;
}

const char *
compare_init(struct compare *c, const struct runs *r, const struct compare_options *o)
{
	struct work w = { .c = c, .runs = r, .options = o };
	const char *wrong = check_runs(r);

	*c = (struct compare){
		.runs = r, .options = o, .is_known = is_known(r) && !o->exact
	};
	if (!wrong)
		wrong = compare_find_wanted(o, r, &w.is_wanted);
	if (!wrong) {
		list_runs(&w);
		c->is_single = w.all == RUNS_SIDES;
		wrong = test(&w);
	}
	changes_release(&w.changes);
	free(w.run);
	free(w.is_wanted);
	return wrong;
}

void
compare_release(struct compare *c)
{
	free(c->rows);
	free(c->tests);
	*c = (struct compare){ .runs = NULL };
}

/* The weight in COLUMN of R of the function that is the norm. */
static uint64_t
frame_weight(const struct runs *r, struct str frame, int column)
{
	const struct tree *t = &r->tree;
	struct metrics m;
	uint64_t *weight, found = 0;
	uint32_t name;

	metric_init(&m, t, r->by.now.n);
	name = metric_find(&m, frame);
	weight = mem_alloc(m.n * sizeof *weight + 1);
	metric_fill(&m, t->self[column], t->n, weight);
	if (name < t->names.n)
		found = weight[name];
	free(weight);
	metric_release(&m);
	return found;
}

/* The factor that scales the weights before to runs as large as those after. */
static struct scale
find_factor(const struct compare *c, const struct tree *t)
{
	struct str frame = c->options->norms.frame;

	switch (c->norm) {
	case CHANGES_TOTAL: return (struct scale){ t->sum[AFTER], t->sum[BEFORE] };
	case CHANGES_FRAME:
		return (struct scale){ frame_weight(c->runs, frame, AFTER),
			frame_weight(c->runs, frame, BEFORE) };
	case CHANGES_STEADY:
		return scale_of(c->size[AFTER] * (double)c->runs->side[AFTER].n /
			(double)c->runs->side[BEFORE].n);
	case CHANGES_NONE:
	default: return (struct scale){ 1, 1 };
	}
}

const char *
compare_scale(const struct compare *c, struct runs *r)
{
	return scale_column(&r->tree, BEFORE, find_factor(c, &r->tree))
		? NULL
		: "the weights before overflow 64 bits when scaled; try --norm none";
}

struct str
compare_norm(const struct compare *c)
{
	switch (c->norm) {
	case CHANGES_TOTAL: return STR("total");
	case CHANGES_STEADY: return STR("steady");
	case CHANGES_FRAME: return c->options->norms.frame;
	case CHANGES_NONE:
	default: return STR("none");
	}
}
