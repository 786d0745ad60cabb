/* SPDX-License-Identifier: ISC */
/* Tests counts in several runs; see significance.h. */
#include "significance.h"
#include "mem.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The prior dispersion counts as this many degrees of freedom: with fewer, one run in which a
 * function stands out would be no more than an outlier of three. */
static const double PRIOR_FREEDOM = 8;

/* The assumed variation of a single run beyond the sampling error, as a part of the count. */
static const double SINGLE_SPREAD = 0.25;

/* A timer's samples come at regular intervals: counts of steady work vary less than independent
 * draws, and so do the dispersions of its functions. They are trusted down to this limit: on real
 * recordings (tests/realruns) small changes are found twice as often as with 1, and false alarms
 * stay rare; a lower limit flagged more unchanged functions. */
static const double LEAST_PHI = 0.7;

/* The mean samples a run that a count needs to indicate the size of runs; the second value applies
 * when too few counts reach the first. */
static const double STEADY_LEAST[] = { 20, 5 };

/* The least number of counts in a class of magnitude. */
enum { BIN_LEAST = 20 };

/* The share of comparisons in which a detectable change is found. */
static const double POWER = 0.8;

void
significance_init(
	struct significance *s, size_t n, const size_t runs[SIGNIFICANCE_GROUPS])
{
	size_t i;

	*s = (struct significance){ .n = n };
	for (i = 0; i < SIGNIFICANCE_GROUPS; i++) {
		s->runs[i] = runs[i];
		s->all += runs[i];
	}
	s->count = mem_zero(n * s->all + 1, sizeof *s->count);
	s->found = mem_zero(n + 1, sizeof *s->found);
	s->kind = mem_zero(n + 1, sizeof *s->kind);
	s->size = mem_alloc(s->all * sizeof *s->size);
	for (i = 0; i < s->all; i++)
		s->size[i] = 1;
	for (i = 0; i < n; i++)
		s->found[i].adjusted = s->found[i].strict = 2;
	for (i = 0; i < SIGNIFICANCE_SIDES; i++)
		s->design.size[i] = (double)runs[i];
	s->design.freedom = PRIOR_FREEDOM;
}

void
significance_release(struct significance *s)
{
	free(s->count);
	free(s->size);
	free(s->found);
	free(s->kind);
	*s = (struct significance){ .n = 0 };
}

void
significance_set_sizes(struct significance *s, const double *size)
{
	double sum = 0;
	size_t i, run = 0, g;

	for (i = 0; i < s->all; i++)
		sum += size[i];
	for (i = 0; i < s->all; i++)
		s->size[i] = size[i] / sum * (double)s->all;
	for (g = 0; g < SIGNIFICANCE_SIDES; g++) {
		s->design.size[g] = 0;
		for (i = 0; i < s->runs[g]; i++)
			s->design.size[g] += s->size[run++];
	}
}

/* A value and its weight. */
struct weighed {
	double value, weight;
};

static int
by_value(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static double
find_median(struct weighed *all, size_t n)
{
	double sum = 0, below = 0;
	size_t i;

	qsort(all, n, sizeof *all, by_value);
	for (i = 0; i < n; i++)
		sum += all[i].weight;
	for (i = 0; i + 1 < n; i++) {
		below += all[i].weight;
		if (below == sum / 2)
			return (all[i].value + all[i + 1].value) / 2;
		if (below > sum / 2)
			break;
	}
	return n ? all[i].value : 0;
}

static const double *
row_of(const struct significance *s, size_t i)
{
	return s->count + i * s->all;
}

/* Sums the samples in ROW over all runs of each side. */
static void
add_sides(const struct significance *s, const double *row, double *count)
{
	size_t g, i, run = 0;

	for (g = 0; g < SIGNIFICANCE_SIDES; g++) {
		count[g] = 0;
		for (i = 0; i < s->runs[g]; i++)
			count[g] += row[run++];
	}
}

static double
mean_of(const double *row, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += row[i];
	return sum / (double)n;
}

/* Half a sample is added, so that 0 has a logarithm too. */
static double
log_of(double count)
{
	return log(count + 0.5);
}

/* A count that indicates the size of the runs. */
struct witness {
	const double *row;
	double weight, mean; /* mean of the logarithms */
};

/* Whether both sides have samples of the count in ROW: new or removed code does not indicate the
 * size of runs. */
static bool
is_on_both(const struct significance *s, const double *row)
{
	double count[SIGNIFICANCE_SIDES];

	add_sides(s, row, count);
	return count[SIGNIFICANCE_BEFORE] > 0 && count[SIGNIFICANCE_AFTER] > 0;
}

/* Sets ALL to the chosen counts. The weight of each is capped at the 75th percentile, so that a
 * large function that changed does not become the yardstick. Returns their number. */
static size_t
find_witnesses(const struct significance *s, const bool *is_chosen, double least,
	struct witness *all)
{
	struct weighed *sorted = mem_alloc((s->n + 1) * sizeof *sorted);
	size_t i, j, n = 0;
	const double *row;
	double mean;

	for (i = 0; i < s->n; i++) {
		row = row_of(s, i);
		mean = mean_of(row, s->all);
		if (!is_chosen[i] || mean < least || !is_on_both(s, row))
			continue;
		sorted[n].value = mean;
		all[n] = (struct witness){ .row = row, .weight = mean };
		for (j = 0; j < s->all; j++)
			all[n].mean += log_of(row[j]) / (double)s->all;
		n++;
	}
	qsort(sorted, n, sizeof *sorted, by_value);
	for (i = 0; i < n; i++)
		all[i].weight = fmin(all[i].weight, sorted[(n - 1) * 3 / 4].value);
	free(sorted);
	return n;
}

bool
significance_set_steady(struct significance *s, const bool *is_chosen, size_t least)
{
	struct witness *all = mem_alloc((s->n + 1) * sizeof *all);
	struct weighed *change = mem_alloc((s->n + 1) * sizeof *change);
	double *size = mem_alloc(s->all * sizeof *size);
	size_t i, j, n = find_witnesses(s, is_chosen, STEADY_LEAST[0], all);

	if (n < least)
		n = find_witnesses(s, is_chosen, STEADY_LEAST[1], all);
	for (j = 0; j < s->all && n >= least; j++) {
		for (i = 0; i < n; i++)
			change[i] = (struct weighed){ log_of(all[i].row[j]) - all[i].mean,
				all[i].weight };
		size[j] = exp(find_median(change, n));
	}
	if (n >= least)
		significance_set_sizes(s, size);
	free(all);
	free(change);
	free(size);
	return n >= least;
}

double
significance_mean(
	const struct significance_design *d, const double count[SIGNIFICANCE_SIDES])
{
	return (count[0] + count[1]) / (d->size[0] + d->size[1]);
}

/* The summed squared distance of runs from the rate of their group, in units of the variance of
 * independent draws with mean MEAN, per degree of freedom. */
static double
find_phi(const struct significance *s, const double *row, double mean)
{
	size_t g, i, run, first = 0;
	double rate, size, off, sum = 0;

	for (g = 0; g < SIGNIFICANCE_GROUPS; first += s->runs[g++]) {
		rate = size = 0;
		for (i = 0; i < s->runs[g]; i++) {
			rate += row[first + i];
			size += s->size[first + i];
		}
		rate /= size;
		for (i = 0; i < s->runs[g]; i++) {
			run = first + i;
			off = row[run] - rate * s->size[run];
			sum += off * off / (mean * s->size[run]);
		}
	}
	return sum / s->known;
}

/* The dispersions by magnitude from ALL, whose values are means and whose weights are
 * dispersions. */
static struct significance_prior
make_prior(struct weighed *all, size_t n, double known)
{
	size_t bins = n / BIN_LEAST, i, j, from, to;
	double median = stats_chi2_quantile(0.5, known) / known, least = LEAST_PHI;
	struct weighed *bin = mem_alloc((n + 1) * sizeof *bin);
	struct significance_prior p = { .n = 0 };

	bins = bins < 1 ? n > 0 : bins > SIGNIFICANCE_BINS ? SIGNIFICANCE_BINS : bins;
	qsort(all, n, sizeof *all, by_value);
	for (i = 0; i < bins; i++) {
		from = n * i / bins;
		to = n * (i + 1) / bins;
		for (j = from; j < to; j++)
			bin[j - from] = (struct weighed){ all[j].weight, 1 };
		p.mean[i] = all[(from + to) / 2].value;
		p.phi[i] = fmax(least, find_median(bin, to - from) / median);
		least = p.phi[i];
	}
	p.n = bins;
	free(bin);
	return p;
}

/* The dispersion of counts of mean MEAN, interpolated between the nearest classes. */
static double
prior_of(const struct significance_prior *p, double mean)
{
	size_t i = 0;
	double part;

	while (i < p->n && p->mean[i] < mean)
		i++;
	if (i == 0)
		return p->n ? p->phi[0] : 1;
	if (i == p->n)
		return p->phi[i - 1];
	part = log(mean / p->mean[i - 1]) / log(p->mean[i] / p->mean[i - 1]);
	return p->phi[i - 1] + part * (p->phi[i] - p->phi[i - 1]);
}

struct significance_finding
significance_judge(const struct significance_design *d,
	const double count[SIGNIFICANCE_SIDES], double phi)
{
	struct significance_finding f = {
		.phi = phi, .p = 1, .adjusted = 2, .strict = 2
	};
	double mean = significance_mean(d, count);
	int i;

	for (i = 0; i < SIGNIFICANCE_SIDES; i++)
		f.rate[i] = count[i] / d->size[i];
	f.error = sqrt(phi * mean * (1 / d->size[0] + 1 / d->size[1]));
	if (f.error > 0)
		f.p = fmin(1,
			2 *
				stats_t_tail(fabs(f.rate[1] - f.rate[0]) / f.error,
					d->freedom));
	return f;
}

double
significance_single_phi(double mean)
{
	return 1 + SINGLE_SPREAD * SINGLE_SPREAD * mean;
}

double
significance_part_phi(double phi, double part, double whole)
{
	return whole > 0 ? 1 + (phi - 1) * part / whole : 1;
}

/* Tests the count I. */
static struct significance_finding
find(const struct significance *s, size_t i)
{
	const struct significance_prior *prior = &s->prior[s->kind[i]];
	double count[SIGNIFICANCE_SIDES], mean, phi = 1;

	add_sides(s, row_of(s, i), count);
	mean = significance_mean(&s->design, count);
	if (!(s->known > 0))
		phi = significance_single_phi(mean);
	else if (mean > 0)
		phi = fmax(LEAST_PHI,
			(PRIOR_FREEDOM * prior_of(prior, mean) +
				s->known * find_phi(s, row_of(s, i), mean)) /
				(PRIOR_FREEDOM + s->known));
	return significance_judge(&s->design, count, phi);
}

/* Estimates the dispersions of the classes of magnitude from the chosen counts of KIND. */
static void
find_prior(struct significance *s, unsigned kind, const bool *is_chosen)
{
	struct weighed *all = mem_alloc((s->n + 1) * sizeof *all);
	double count[SIGNIFICANCE_SIDES], mean;
	size_t i, n = 0;

	for (i = 0; i < s->n && s->known > 0; i++) {
		if (!is_chosen[i] || s->kind[i] != kind)
			continue;
		add_sides(s, row_of(s, i), count);
		mean = significance_mean(&s->design, count);
		if (mean > 0)
			all[n++] =
				(struct weighed){ mean, find_phi(s, row_of(s, i), mean) };
	}
	if (n)
		s->prior[kind] = make_prior(all, n, s->known);
	free(all);
}

/* Adjusts the p-values of the chosen counts as one family. */
static void
adjust(struct significance *s, const bool *is_chosen)
{
	double *p = mem_alloc((s->n + 1) * sizeof *p),
	       *strict = mem_alloc((s->n + 1) * sizeof *p);
	size_t i, n = 0;

	for (i = 0; i < s->n; i++)
		if (is_chosen[i])
			p[n] = strict[n] = s->found[i].p, n++;
	stats_adjust(p, n);
	stats_adjust_strictly(strict, n);
	s->tested = n;
	for (i = n = 0; i < s->n; i++) {
		if (!is_chosen[i])
			continue;
		s->found[i].adjusted = p[n];
		s->found[i].strict = strict[n++];
	}
	free(p);
	free(strict);
}

void
significance_test(struct significance *s, const bool *is_chosen)
{
	unsigned kind;
	size_t i;

	s->known =
		(double)s->all - SIGNIFICANCE_SIDES - (s->runs[SIGNIFICANCE_OLDER] > 0);
	s->design.freedom = PRIOR_FREEDOM + s->known;
	for (kind = 0; kind < SIGNIFICANCE_KINDS; kind++)
		find_prior(s, kind, is_chosen);
	for (i = 0; i < s->n; i++)
		s->found[i] = find(s, i);
	adjust(s, is_chosen);
}

double
significance_detectable(const struct significance_design *d, double error,
	double confidence, size_t tested)
{
	double alpha = (1 - confidence) / (2 * (double)(tested ? tested : 1));

	return (stats_t_quantile(1 - alpha, d->freedom) +
		       stats_t_quantile(POWER, d->freedom)) *
		error;
}
