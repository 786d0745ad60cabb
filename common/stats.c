/* SPDX-License-Identifier: ISC */
/* Distributions, tests of shares and of runs, families of tests; see stats.h. */
#include "stats.h"
#include "mem.h"

#include <math.h>
#include <stdbool.h>

static const double PI = 3.14159265358979323846;

/* Where the exact test of two shares gives way to the normal distribution: with this
 * many samples expected in each cell of the table they agree in what matters. */
enum { EXACT_BELOW = 2000 };

uint64_t
stats_count(double value)
{
	if (!(value > 0))
		return 0;
	return value < 18446744073709549568.0 ? (uint64_t)round(value) : UINT64_MAX;
}

double
stats_share_error(double count, double samples)
{
	double p = samples > 0 ? fmin(fmax(count / samples, 0), 1) : 0;

	return samples > 0 ? sqrt(p * (1 - p) / samples) : 0;
}

double
stats_normal_tail(double z)
{
	return 0.5 * erfc(z / sqrt(2));
}

/* Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.23 (good to 4.5e-4),
 * then Newton's steps towards the tail. */
double
stats_normal_quantile(double p)
{
	double tail = fmin(p, 1 - p), t = sqrt(-2 * log(tail)), z;
	int i;

	z = t -
		(2.515517 + t * (0.802853 + t * 0.010328)) /
			(1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
	for (i = 0; i < 4; i++)
		z += (stats_normal_tail(z) - tail) * sqrt(2 * PI) * exp(z * z / 2);
	return p < 0.5 ? -z : z;
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

/* The regularised incomplete beta function I_X(A, B), DLMF 8.17.22 and 8.17.4. X and
 * REST add up to 1; both are given so that neither loses its digits. */
static double
beta_share(double x, double rest, double a, double b)
{
	double front;

	if (x <= 0 || rest <= 0)
		return x <= 0 ? 0 : 1;
	if (x > (a + 1) / (a + b + 2))
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

/* log(n!) less Stirling's approximation; this and the two functions below are
 * Loader, Fast and Accurate Computation of Binomial Probabilities (2000). */
static double
stirling_error(double n)
{
	if (n < 16)
		return lgamma(n + 1) - (n + 0.5) * log(n) + n - 0.5 * log(2 * PI);
	return (1 / 12.0 -
		       (1 / 360.0 - (1 / 1260.0 - 1 / 1680.0 / (n * n)) / (n * n)) /
			       (n * n)) /
		n;
}

/* x log(x / m) + m - x, without loss where x and m are near. */
static double
deviance(double x, double m)
{
	double v = (x - m) / (x + m), sum, term, power;
	int j;

	if (fabs(x - m) >= 0.1 * (x + m))
		return x * log(x / m) + m - x;
	sum = (x - m) * v;
	power = 2 * x * v;
	for (j = 3; j < 1000; j += 2) {
		power *= v * v;
		term = power / j;
		if (sum + term == sum)
			break;
		sum += term;
	}
	return sum;
}

/* The probability of X out of N, each with probability P (REST = 1 - P). */
static double
binomial(double x, double n, double p, double rest)
{
	double lost;

	if (x <= 0)
		return exp(n * (p < 0.1 ? log1p(-p) : log(rest)));
	if (x >= n)
		return exp(n * (rest < 0.1 ? log1p(-rest) : log(p)));
	lost = stirling_error(n) - stirling_error(x) - stirling_error(n - x) -
		deviance(x, n * p) - deviance(n - x, n * rest);
	return exp(lost) * sqrt(n / (2 * PI * x * (n - x)));
}

/* Samples of two profiles: in the frame and outside of it, whole numbers. */
struct cells {
	double in_a, out_a, in_b, out_b;
};

static struct cells
cells_of(struct stats_part a, struct stats_part b)
{
	struct cells c = { .in_a = round(fmax(a.count, 0)),
		.in_b = round(fmax(b.count, 0)) };

	c.out_a = fmax(round(a.of) - c.in_a, 0);
	c.out_b = fmax(round(b.of) - c.in_b, 0);
	return c;
}

/* Whether nothing could ever be told: a margin of the table is empty. */
static bool
is_empty(struct cells c)
{
	return c.in_a + c.in_b <= 0 || c.out_a + c.out_b <= 0 || c.in_a + c.out_a <= 0 ||
		c.in_b + c.out_b <= 0;
}

/* The probability of C among all tables with its margins: the hypergeometric one. */
static double
table_probability(struct cells c)
{
	double in = c.in_a + c.in_b, out = c.out_a + c.out_b, all = in + out;
	double p = in / all, rest = out / all;

	return binomial(c.in_a, c.in_a + c.out_a, p, rest) *
		binomial(c.in_b, c.in_b + c.out_b, p, rest) / binomial(in, all, p, rest);
}

static struct cells
exchanged(struct cells c)
{
	return (struct cells){ c.in_b, c.out_b, c.in_a, c.out_a };
}

/* Fisher's exact test, twice the smaller tail: Fisher, Statistical Methods for
 * Research Workers, section 21.02; Fay, Biostatistics 11 (2010), 373. */
static double
exact_p(struct cells c)
{
	double term, sum;

	if (c.in_a * c.out_b > c.in_b * c.out_a)
		c = exchanged(c);
	term = sum = table_probability(c);
	/* b has the larger share: further away are the tables where it has more yet. */
	while (c.in_a > 0 && c.out_b > 0 && term > sum * 1e-17) {
		term *= c.in_a * c.out_b / ((c.in_b + 1) * (c.out_a + 1));
		sum += term;
		c.in_a--, c.out_b--, c.in_b++, c.out_a++;
	}
	return fmin(1, 2 * sum);
}

/* The pooled two-proportion test with Yates' correction for continuity: Fleiss,
 * Statistical Methods for Rates and Proportions, 2nd edition, formula 2.5. */
static double
pooled_p(struct cells c)
{
	double a = c.in_a + c.out_a, b = c.in_b + c.out_b, share, error, z;

	share = (c.in_a + c.in_b) / (a + b);
	error = sqrt(share * (1 - share) * (1 / a + 1 / b));
	z = fabs(c.in_b / b - c.in_a / a) - (1 / a + 1 / b) / 2;
	return z > 0 ? fmin(1, 2 * stats_normal_tail(z / error)) : 1;
}

double
stats_shares_p(struct stats_part a, struct stats_part b)
{
	struct cells c = cells_of(a, b);
	double in = c.in_a + c.in_b, out = c.out_a + c.out_b;
	double least = fmin(c.in_a + c.out_a, c.in_b + c.out_b);

	if (is_empty(c))
		return 1;
	if (fmin(in, out) / (in + out) * least < EXACT_BELOW)
		return exact_p(c);
	return pooled_p(c);
}

double
stats_least_p(struct stats_part a, struct stats_part b)
{
	struct cells c = cells_of(a, b), low, high;
	double move;

	if (is_empty(c))
		return 1;
	move = fmin(c.in_a, c.out_b);
	low = (struct cells){ c.in_a - move, c.out_a + move, c.in_b + move,
		c.out_b - move };
	move = fmin(c.in_b, c.out_a);
	high = (struct cells){ c.in_a + move, c.out_a - move, c.in_b - move,
		c.out_b + move };
	return fmin(1, 2 * fmin(table_probability(low), table_probability(high)));
}

/* Wilson's score interval: Wilson, J. Am. Stat. Assoc. 22 (1927), 209. */
struct stats_interval
stats_share_interval(struct stats_part a, double confidence)
{
	double z = stats_normal_quantile(0.5 + confidence / 2);
	double n = fmax(a.of, a.count), x, middle, half;

	if (n <= 0)
		return (struct stats_interval){ 0, 1 };
	x = fmax(a.count, 0);
	middle = (x + z * z / 2) / (n + z * z);
	half = z / (n + z * z) * sqrt(x * (1 - x / n) + z * z / 4);
	return (struct stats_interval){ fmax(x > 0 ? middle - half : 0, 0),
		x < n ? fmin(middle + half, 1) : 1 };
}

/* With Wilson's intervals this is method 10 of Newcombe, Statistics in Medicine 17
 * (1998), 873; with others MOVER: Zou and Donner, ibid. 27 (2008), 1693. */
struct stats_interval
stats_difference(
	double a, struct stats_interval in_a, double b, struct stats_interval in_b)
{
	return (struct stats_interval){ b - a - hypot(b - in_b.low, in_a.high - a),
		b - a + hypot(in_b.high - b, a - in_a.low) };
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
