/* SPDX-License-Identifier: ISC */
/* Tests of the metrics of two columns; see significance.h. */
#include "significance.h"
#include "mem.h"

#include <math.h>

/* Weights that are compared as they are, not as shares, are shares of a total that is
 * this many times larger than any: Fisher's test is then that of two Poisson counts. */
static const double MANY = 1e6;

struct significance_norms
significance_read_norm(struct str text)
{
	return (struct significance_norms){ str_eq(text, STR("none")) ? SIGNIFICANCE_NONE
			: str_eq(text, STR("total"))		      ? SIGNIFICANCE_TOTAL
						     : SIGNIFICANCE_FRAME,
		text };
}

void
significance_init(
	struct significance *c, const struct tree *t, struct significance_norms norms)
{
	int i;

	*c = (struct significance){ .norm = norms.norm };
	metric_init(&c->metrics, t);
	for (i = 0; i < TREE_COLUMNS; i++) {
		c->weight[i] = mem_alloc(c->metrics.n * sizeof *c->weight[i]);
		metric_fill(&c->metrics, t->self[i], t->n, c->weight[i]);
	}
	c->frame = norms.norm == SIGNIFICANCE_FRAME
		? metric_find(&c->metrics, norms.frame)
		: c->metrics.n;
	c->same = metric_same(&c->metrics, c->weight);
	c->p = mem_alloc(c->metrics.n * sizeof *c->p);
}

void
significance_release(struct significance *c)
{
	int i;

	for (i = 0; i < TREE_COLUMNS; i++)
		free(c->weight[i]);
	metric_release(&c->metrics);
	free(c->same);
	free(c->p);
	*c = (struct significance){ .p = NULL };
}

/* What the samples of COLUMN are out of, or with a frame as the norm what is added. */
static double
find_of(const struct significance *c, int column)
{
	double rate[TREE_COLUMNS];
	int i;

	switch (c->norm) {
	case SIGNIFICANCE_TOTAL: return c->samples[column];
	case SIGNIFICANCE_FRAME:
		return c->frame < c->metrics.n
			? (double)c->weight[column][c->frame] / c->per_sample[column]
			: 0;
	case SIGNIFICANCE_NONE:
	default:
		for (i = 0; i < TREE_COLUMNS; i++)
			rate[i] = c->runs[i] / c->per_sample[i];
		return MANY * (c->samples[0] + c->samples[1]) * rate[column] /
			fmax(rate[0], rate[1]);
	}
}

void
significance_set_samples(struct significance *c, const double samples[TREE_COLUMNS],
	const double runs[TREE_COLUMNS])
{
	const struct tree *t = c->metrics.tree;
	int i;

	c->is_known = true;
	for (i = 0; i < TREE_COLUMNS; i++) {
		c->samples[i] = samples[i];
		c->runs[i] = runs[i];
		c->is_known &= samples[i] > 0 && t->sum[i] > 0;
	}
	for (i = 0; i < TREE_COLUMNS && c->is_known; i++)
		c->per_sample[i] = (double)t->sum[i] / samples[i];
	for (i = 0; i < TREE_COLUMNS && c->is_known; i++) {
		c->of[i] = find_of(c, i);
		c->is_known &= c->of[i] > 0;
	}
}

struct stats_part
significance_part(const struct significance *c, int column, uint64_t weight)
{
	double count = (double)weight / c->per_sample[column], of = c->of[column];

	return (struct stats_part){ count,
		c->norm == SIGNIFICANCE_FRAME ? count + of : of };
}

double
significance_p(const struct significance *c, const uint64_t weight[TREE_COLUMNS])
{
	return stats_shares_p(
		significance_part(c, 0, weight[0]), significance_part(c, 1, weight[1]));
}

double
significance_least_p(const struct significance *c, const uint64_t weight[TREE_COLUMNS])
{
	return stats_least_p(
		significance_part(c, 0, weight[0]), significance_part(c, 1, weight[1]));
}

/* Whether METRIC is one of a frame that has weight: not the root. */
static bool
has_weight(const struct significance *c, size_t metric)
{
	struct metric f = metric_at(&c->metrics, metric);

	return !(f.is_path && f.id == TREE_ROOT) &&
		(c->weight[0][metric] || c->weight[1][metric]);
}

/* Whether METRIC is all there is, as a share of which nothing can change. */
static bool
is_all(const struct significance *c, size_t metric)
{
	return c->norm == SIGNIFICANCE_TOTAL &&
		c->weight[0][metric] == c->weight[0][TREE_ROOT] &&
		c->weight[1][metric] == c->weight[1][TREE_ROOT];
}

/* Tests to be made together. */
struct family {
	size_t *metric, n;
	double *p;
};

/* Lists the metrics to test, each set of samples once. */
static void
list(struct family *f, struct significance *c, const struct significance_hooks *hooks)
{
	bool *listed = mem_zero(c->metrics.n, sizeof *listed);
	size_t i, same;

	f->metric = mem_alloc(c->metrics.n * sizeof *f->metric);
	for (i = 0; i < c->metrics.n; i++) {
		same = c->same[i];
		if (!has_weight(c, i) || listed[same] ||
			(hooks->is_wanted && !hooks->is_wanted(hooks->of, i)))
			continue;
		listed[same] = true;
		c->asked++;
		if (!is_all(c, same) &&
			(!hooks->is_tested || hooks->is_tested(hooks->of, same)))
			f->metric[f->n++] = same;
	}
	free(listed);
	f->p = mem_alloc(f->n * sizeof *f->p);
}

/* Keeps what is worth a test. */
static void
sift(struct family *f, double level)
{
	double most = level / (double)stats_worth(f->p, f->n, level);
	size_t i, kept = 0;

	for (i = 0; i < f->n; i++)
		if (f->p[i] <= most)
			f->metric[kept++] = f->metric[i];
	f->n = kept;
}

static double
least_p_of(const struct significance *c, const struct significance_hooks *hooks,
	size_t metric)
{
	const uint64_t weight[] = { c->weight[0][metric], c->weight[1][metric] };

	return hooks->least_p ? hooks->least_p(hooks->of, metric)
			      : significance_least_p(c, weight);
}

static double
p_of(const struct significance *c, const struct significance_hooks *hooks, size_t metric)
{
	const uint64_t weight[] = { c->weight[0][metric], c->weight[1][metric] };

	return hooks->p ? hooks->p(hooks->of, metric) : significance_p(c, weight);
}

/* The largest p-value that is still a change: of K changes among N tests. */
static double
find_cut(const struct family *f, double level)
{
	size_t i, k = 0;

	for (i = 0; i < f->n; i++)
		k += f->p[i] <= level;
	return f->n ? level * (double)(k ? k : 1) / (double)f->n : level;
}

void
significance_test(
	struct significance *c, double confidence, const struct significance_hooks *hooks)
{
	static const struct significance_hooks none = { .of = NULL };
	struct family f = { .n = 0 };
	size_t i;

	hooks = hooks ? hooks : &none;
	list(&f, c, hooks);
	for (i = 0; i < f.n; i++)
		f.p[i] = least_p_of(c, hooks, f.metric[i]);
	sift(&f, 1 - confidence);
	for (i = 0; i < f.n; i++)
		f.p[i] = p_of(c, hooks, f.metric[i]);
	stats_adjust(f.p, f.n);
	for (i = 0; i < c->metrics.n; i++)
		c->p[i] = 2;
	for (i = 0; i < f.n; i++)
		c->p[f.metric[i]] = f.p[i];
	c->tested = f.n;
	c->cut = find_cut(&f, 1 - confidence);
	free(f.metric);
	free(f.p);
}

bool
significance_is_change(const struct significance *c, size_t metric, double confidence)
{
	return has_weight(c, metric) && c->p[c->same[metric]] <= 1 - confidence;
}
