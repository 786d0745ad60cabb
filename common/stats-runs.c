/* SPDX-License-Identifier: ISC */
/* Several runs, families of tests, numbers of samples; see stats.h. */
#include "mem.h"
#include "stats.h"

#include <math.h>

/* Welford, Technometrics 4 (1962), 419. */
void
stats_runs_add(struct stats_runs *r, double value)
{
	double from_mean = value - r->mean;

	r->n++;
	r->mean += from_mean / r->n;
	r->squares += from_mean * (value - r->mean);
}

/* The squared standard error of the mean of R, whose runs spread as R's or, when
 * it is only one, as OTHER's; *DF are the degrees of freedom. */
static double
squared_error(const struct stats_runs *r, const struct stats_runs *other, double *df)
{
	const struct stats_runs *s = r->n > 1 ? r : other;

	*df = s->n - 1;
	return s->squares / *df / r->n;
}

/* Welch, Biometrika 34 (1947), 28: the standard error of B - A and the degrees of
 * freedom it has. */
static double
welch_error(const struct stats_runs *a, const struct stats_runs *b, double *df)
{
	double df_a, df_b, of_a = squared_error(a, b, &df_a),
			   of_b = squared_error(b, a, &df_b), sum = of_a + of_b;

	*df = a->n + b->n - 2;
	if (a->n > 1 && b->n > 1 && sum > 0)
		*df = sum * sum / (of_a * of_a / df_a + of_b * of_b / df_b);
	return sqrt(sum);
}

static bool
tells_nothing(const struct stats_runs *a, const struct stats_runs *b)
{
	return a->n < 1 || b->n < 1 || a->n + b->n < 3;
}

double
stats_runs_p(const struct stats_runs *a, const struct stats_runs *b)
{
	double apart = fabs(b->mean - a->mean), df, error;

	if (tells_nothing(a, b) || apart == 0)
		return 1;
	error = welch_error(a, b, &df);
	return error > 0 ? fmin(1, 2 * stats_t_tail(apart / error, df)) : 0;
}

struct stats_interval
stats_runs_difference(
	const struct stats_runs *a, const struct stats_runs *b, double confidence)
{
	double apart = b->mean - a->mean, df, error;

	if (tells_nothing(a, b))
		return (struct stats_interval){ -INFINITY, INFINITY };
	error = welch_error(a, b, &df);
	error *= error > 0 ? stats_t_quantile(0.5 + confidence / 2, df) : 0;
	return (struct stats_interval){ apart - error, apart + error };
}

/* A p-value and where it came from. */
struct placed {
	double p;
	size_t place;
};

static int
by_p(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

static struct placed *
sorted(const double *p, size_t n)
{
	struct placed *all = mem_alloc(n * sizeof *all);
	size_t i;

	for (i = 0; i < n; i++)
		all[i] = (struct placed){ p[i], i };
	if (n)
		qsort(all, n, sizeof *all, by_p);
	return all;
}

/* Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995), 289, as adjusted p-values. */
void
stats_adjust(double *p, size_t n)
{
	struct placed *all = sorted(p, n);
	double least = 1;
	size_t i;

	for (i = n; i-- > 0;) {
		least = fmin(least, all[i].p * (double)n / (double)(i + 1));
		p[all[i].place] = least;
	}
	free(all);
}

/* Tarone, Biometrics 46 (1990), 515; with the above: Gilbert, Applied Statistics 54
 * (2005), 143. */
size_t
stats_worth(const double *least, size_t n, double q)
{
	struct placed *all = sorted(least, n);
	size_t k = 1, left = n;

	while (left && all[left - 1].p > q)
		left--;
	while (left > k) {
		k++;
		while (left && all[left - 1].p > q / (double)k)
			left--;
	}
	free(all);
	return k;
}

/* What the header says. Of two columns, it may tell of the first by itself. */
static uint64_t
told_samples(const struct tree *t, int column, const struct folded_info *info)
{
	const char *own = "samples-before";
	bool has_own = t->columns > 1 && column == 0 && folded_info_get(info, own).n;

	return folded_info_u64(info, has_own ? own : "samples");
}

uint64_t
stats_count(double value)
{
	if (!(value > 0))
		return 0;
	return value < 18446744073709549568.0 ? (uint64_t)round(value) : UINT64_MAX;
}

uint64_t
stats_samples(const struct tree *t, int column, const struct folded_info *info)
{
	uint64_t known = told_samples(t, column, info);
	bool counts = str_eq(folded_info_get(info, "unit"), STR("samples")) && !t->scale;

	return known || !counts ? known : t->sum[column];
}
