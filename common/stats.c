/* SPDX-License-Identifier: ISC */
/* Distributions, tests of runs, families of tests; see stats.h. */
#include "stats.h"
#include "mem.h"

#include <math.h>
#include <stdbool.h>

uint64_t
stats_floor(double value)
{
	if (!(value > 0))
		return 0;
	return value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
}

uint64_t
stats_count(double value)
{
	return stats_floor(round(value));
}

double
stats_share_error(double count, double samples)
{
	double p = samples > 0 ? fmin(fmax(count / samples, 0), 1) : 0;

	return samples > 0 ? sqrt(p * (1 - p) / samples) : 0;
}

/* The continued fraction of the incomplete beta function, NIST Digital Library of
 * Mathematical Functions 8.17.22, evaluated from the front as in Lentz, Applied
 * Optics 15 (1976), 668, in the form of Thompson and Barnett (1986). */
static double
beta_fraction(double x, double a, double b)
{
	double f, c = 1, d = 1 - (a + b) * x / (a + 1), term, step;
	int m;

	d = 1 / (d == 0 ? 1e-300 : d);
	f = d;
	for (m = 1; m < 10000; m++) {
		term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / (1 + term * d);
		c = 1 + term / c;
		f *= d * c;
		term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / (1 + term * d);
		c = 1 + term / c;
		step = d * c;
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

/* The regularised incomplete beta function I_X(A, B), DLMF 8.17.22 and 8.17.4. X and REST add up to
 * 1; both are passed so that neither loses digits. */
static double
beta_share(double x, double rest, double a, double b)
{
	double front;

	if (x <= 0 || rest <= 0)
		return x <= 0 ? 0 : 1;
	/* Rounding may put both beyond the limit: exchange only once. */
	if (x > (a + 1) / (a + b + 2) && rest <= (b + 1) / (a + b + 2))
		return 1 - beta_share(rest, x, b, a);
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
	return front / a * beta_fraction(x, a, b);
}

/* Abramowitz and Stegun 26.7.1 with 26.5.27. */
double
stats_t_tail(double t, double df)
{
	double whole = df + t * t, tail;

	if (isinf(whole))
		return t > 0 ? 0 : 1;
	tail = beta_share(df / whole, t * t / whole, df / 2, 0.5) / 2;
	return t > 0 ? tail : 1 - tail;
}

double
stats_t_quantile(double p, double df)
{
	double tail = fmin(p, 1 - p), low = 0, high = 1, middle;
	int i;

	while (stats_t_tail(high, df) > tail && high < 1e300)
		high *= 2;
	for (i = 0; i < 100; i++) {
		middle = low + (high - low) / 2;
		*(stats_t_tail(middle, df) > tail ? &low : &high) = middle;
	}
	return p < 0.5 ? -high : high;
}

/* The regularised incomplete gamma function P(A, X): NIST Digital Library of Mathematical
 * Functions 8.11.4, a series whose terms fall once they are more than X. */
static double
gamma_share(double a, double x)
{
	double term = 1 / a, sum = term, n = a;
	int i;

	for (i = 0; i < 100000 && term > sum * 1e-17; i++) {
		n++;
		term *= x / n;
		sum += term;
	}
	return x > 0 ? fmin(1, sum * exp(a * log(x) - x - lgamma(a))) : 0;
}

/* The chi-squared distribution is a gamma distribution: Abramowitz and Stegun 26.4.19. */
double
stats_chi2_quantile(double p, double df)
{
	double low = 0, high = df, middle;
	int i;

	while (gamma_share(df / 2, high / 2) < p && high < 1e6)
		high *= 2;
	for (i = 0; i < 100; i++) {
		middle = low + (high - low) / 2;
		*(gamma_share(df / 2, middle / 2) < p ? &low : &high) = middle;
	}
	return high;
}

/* Several runs, and families of tests. */

/* Welford, Technometrics 4 (1962), 419. */
void
stats_runs_add(struct stats_runs *r, double value)
{
	double from_mean = value - r->mean;

	r->n++;
	r->mean += from_mean / r->n;
	r->squares += from_mean * (value - r->mean);
}

/* The squared standard error of the mean of R, with the spread of R's runs or, for a single run, of
 * OTHER's; *DF gets the degrees of freedom. */
static double
squared_error(const struct stats_runs *r, const struct stats_runs *other, double *df)
{
	const struct stats_runs *s = r->n > 1 ? r : other;

	*df = s->n - 1;
	return s->squares / *df / r->n;
}

/* Welch, Biometrika 34 (1947), 28: the standard error of B - A and its degrees of freedom. */
double
stats_runs_error(const struct stats_runs *a, const struct stats_runs *b, double *df)
{
	double df_a, df_b, of_a = squared_error(a, b, &df_a),
			   of_b = squared_error(b, a, &df_b), sum = of_a + of_b;

	*df = a->n + b->n - 2;
	if (a->n > 1 && b->n > 1 && sum > 0)
		*df = sum * sum / (of_a * of_a / df_a + of_b * of_b / df_b);
	return sqrt(sum);
}

static bool
are_too_few(const struct stats_runs *a, const struct stats_runs *b)
{
	return a->n < 1 || b->n < 1 || a->n + b->n < 3;
}

double
stats_runs_p(const struct stats_runs *a, const struct stats_runs *b)
{
	double apart = fabs(b->mean - a->mean), df, error;

	if (are_too_few(a, b) || apart == 0)
		return 1;
	error = stats_runs_error(a, b, &df);
	return error > 0 ? fmin(1, 2 * stats_t_tail(apart / error, df)) : 0;
}

/* A p-value and its original place. */
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

/* Holm, Scandinavian Journal of Statistics 6 (1979), 65. */
void
stats_adjust_strictly(double *p, size_t n)
{
	struct placed *all = sorted(p, n);
	double most = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		most = fmax(most, fmin(1, all[i].p * (double)(n - i)));
		p[all[i].place] = most;
	}
	free(all);
}
