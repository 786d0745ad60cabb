/* SPDX-License-Identifier: ISC */
/* Functions that changed between runs; see changes.h. */
#include "changes.h"
#include "frame.h"
#include "mem.h"

#include <math.h>

/* Mean samples a run that a function needs to be tested; and to help set the norm, see
 * significance.c. */
static const double LEAST = 5, WITNESS = 20;

/* The number of functions that have to agree; and the p-value below which one counts as changed and
 * is left out. */
enum { FEWEST = 3 };
static const double CHANGED = 0.05;

static const size_t NONE = SIZE_MAX;

struct changes_norms
changes_read_norm(struct str text)
{
	return (struct changes_norms){ str_eq(text, STR("none")) ? CHANGES_NONE
			: str_eq(text, STR("total"))		 ? CHANGES_TOTAL
			: str_eq(text, STR("steady"))		 ? CHANGES_STEADY
								 : CHANGES_FRAME,
		text };
}

/* The sums that decide which metrics are in a family. */
struct sums {
	double samples[TREE_COLUMNS], runs[TREE_COLUMNS];
};

/* The samples of RUN. */
static double
count_samples(const struct changes_run *run)
{
	double sum = 0;
	uint32_t i;

	for (i = 1; i < run->n; i++)
		sum += (double)run->self[i];
	return sum / pow(10, run->scale) / run->per_sample;
}

/* Adds up the runs of each side, the columns of the tree. */
static struct sums
add_up(struct changes *c, const struct changes_run *run, const size_t *n)
{
	const struct tree *t = c->metrics.whole;
	struct sums s;
	size_t i;
	int side;

	for (side = 0; side < TREE_COLUMNS; side++) {
		c->weight[side] = mem_alloc(c->metrics.n * sizeof *c->weight[side] + 1);
		metric_fill(&c->metrics, t->self[side], t->n, c->weight[side]);
		s.samples[side] = 0;
		s.runs[side] = (double)n[side];
		for (i = 0; i < n[side]; i++)
			s.samples[side] += count_samples(run++);
		c->per_unit[side] =
			t->sum[side] ? s.samples[side] / (double)t->sum[side] : 0;
	}
	return s;
}

/* The mean samples of METRIC in a run. */
static double
mean_of(const struct changes *c, const struct sums *s, size_t metric)
{
	return ((double)c->weight[0][metric] * c->per_unit[0] +
		       (double)c->weight[1][metric] * c->per_unit[1]) /
		(s->runs[0] + s->runs[1]);
}

static bool
is_large(const struct changes *c, size_t metric, double min_share)
{
	int i;

	for (i = 0; i < TREE_COLUMNS; i++)
		if ((double)c->weight[i][metric] >=
			min_share * (double)c->metrics.tree->sum[i])
			return true;
	return false;
}

static uint32_t
name_of(const struct changes *c, size_t metric)
{
	uint32_t names = c->metrics.tree->names.n;

	return (uint32_t)(metric < names ? metric : metric - names);
}

/* Which names belong to the kernel: by their form, or by where most of their weight is. To be
 * freed. */
static bool *
find_kernel(const struct tree *t)
{
	bool *is_kernel = mem_zero((size_t)t->names.n + 1, sizeof *is_kernel);
	bool *enters = mem_zero((size_t)t->names.n + 1, sizeof *enters);
	bool *inside = mem_zero(t->n, sizeof *inside);
	double *most = mem_zero((size_t)t->names.n + 1, sizeof *most);
	uint64_t *totals[] = { tree_totals(t, 0), tree_totals(t, 1) };
	struct str name;
	double weight;
	uint32_t i, id;

	for (i = 0; i < t->names.n; i++) {
		name = intern_str(&t->names, i);
		enters[i] = frame_annotation(name) == 'k' ||
			frame_enters_kernel(frame_symbol(name));
	}
	for (i = 1; i < t->n; i++) {
		id = t->nodes[i].name;
		inside[i] = inside[t->nodes[i].parent] || enters[id];
		weight = (double)totals[0][i] + (double)totals[1][i];
		most[id] += inside[i] ? weight : -weight;
	}
	for (i = 0; i < t->names.n; i++)
		is_kernel[i] = enters[i] || most[i] > 0;
	free(enters);
	free(inside);
	free(most);
	free(totals[0]);
	free(totals[1]);
	return is_kernel;
}

/* Gives a row to each metric that is to be tested or may be needed. Returns the number of rows. */
static size_t
choose(struct changes *c, const struct sums *s, const struct changes_how *how)
{
	size_t i, n = 0, names = c->metrics.tree->names.n;
	bool wanted;

	for (i = 0; i < c->metrics.n; i++) {
		wanted = !how->is_wanted || how->is_wanted[name_of(c, i)];
		c->row[i] = NONE;
		if ((!c->weight[0][i] && !c->weight[1][i]) ||
			(!wanted && (i < names || mean_of(c, s, i) < WITNESS)))
			continue;
		/* Without its lead, it stands for itself. */
		if (how->is_wanted && !how->is_wanted[name_of(c, c->lead[i])])
			c->lead[i] = i;
		c->asked += wanted && c->lead[i] == i;
		if (!how->is_wanted && !how->exact && mean_of(c, s, i) < LEAST)
			continue;
		c->row[i] = n;
		c->is_tested[n++] = wanted && !how->exact && mean_of(c, s, i) >= LEAST &&
			is_large(c, i, how->min_share);
	}
	return n;
}

/* Takes tested metrics whose lead has a row out of the family; the others become their own lead. */
static void
follow(struct changes *c)
{
	size_t i, row, lead;

	for (i = 0; i < c->metrics.n; i++) {
		row = c->row[i];
		lead = c->row[c->lead[i]];
		if (row == NONE || c->lead[i] == i)
			continue;
		if (lead == NONE || !c->is_tested[row])
			c->lead[i] = i;
		else
			c->is_tested[row] = false;
	}
}

/* Kernel functions vary differently from the program's own. */
static void
set_kinds(struct changes *c)
{
	bool *is_kernel = find_kernel(c->metrics.tree);
	size_t i;

	for (i = 0; i < c->metrics.n; i++)
		if (c->row[i] != NONE)
			c->significance.kind[c->row[i]] = is_kernel[name_of(c, i)];
	for (i = 0; i < c->significance.n && c->significance.all == SIGNIFICANCE_SIDES;
		i++)
		c->is_tested[i] &= !c->significance.kind[i];
	free(is_kernel);
}

static void
count(struct changes *c, const struct changes_run *runs)
{
	struct significance *s = &c->significance;
	uint64_t *weight = mem_alloc(c->metrics.n * sizeof *weight + 1);
	double unit;
	size_t run, i;

	for (run = 0; run < s->all; run++) {
		metric_fill(&c->metrics, runs[run].self, runs[run].n, weight);
		unit = pow(10, runs[run].scale) * runs[run].per_sample;
		for (i = 0; i < c->metrics.n; i++)
			if (c->row[i] != NONE)
				s->count[c->row[i] * s->all + run] =
					(double)weight[i] / unit;
	}
	free(weight);
}

/* Sets the sizes from the function that is the norm. */
static const char *
set_frame(struct changes *c, const struct changes_run *runs, struct str frame)
{
	struct significance *s = &c->significance;
	uint64_t *weight = mem_alloc(c->metrics.n * sizeof *weight + 1);
	double *size = mem_alloc(s->all * sizeof *size);
	uint32_t name = metric_find(&c->metrics, frame);
	const char *wrong = NULL;
	size_t run;

	for (run = 0; run < s->all && !wrong; run++) {
		metric_fill(&c->metrics, runs[run].self, runs[run].n, weight);
		size[run] = name < c->metrics.tree->names.n ? (double)weight[name] /
				pow(10, runs[run].scale) / runs[run].per_sample
							    : 0;
		if (size[run] <= 0)
			wrong = "the frame of --norm does not occur in every run";
	}
	if (!wrong)
		significance_set_sizes(s, size);
	free(size);
	free(weight);
	return wrong;
}

/* Sets the sizes from the share of the work that each run did. */
static void
set_parts(struct significance *s, const struct changes_run *runs)
{
	double *size = mem_alloc(s->all * sizeof *size);
	size_t run;

	for (run = 0; run < s->all; run++)
		size[run] = runs[run].parts;
	significance_set_sizes(s, size);
	free(size);
}

/* Sets the sizes from the numbers of samples. */
static void
set_total(struct significance *s, const struct changes_run *runs)
{
	double *size = mem_alloc(s->all * sizeof *size);
	size_t run;

	for (run = 0; run < s->all; run++)
		size[run] = count_samples(&runs[run]);
	significance_set_sizes(s, size);
	free(size);
}

/* By row: whether it is a self weight that, with STEADY, is not known to have changed. To be
 * freed. */
static bool *
find_selves(const struct changes *c, bool steady)
{
	const struct significance *s = &c->significance;
	bool *is_self = mem_zero(s->n + 1, sizeof *is_self);
	size_t i;

	for (i = c->metrics.tree->names.n; i < c->metrics.n; i++)
		if (c->row[i] != NONE)
			is_self[c->row[i]] =
				!steady || s->found[c->row[i]].adjusted > CHANGED;
	return is_self;
}

/* Sets the sizes on which most self weights agree; from the totals where there are too few. */
static void
set_steady(struct changes *c, const struct changes_run *runs)
{
	bool *is_self = find_selves(c, false);

	if (!significance_set_steady(&c->significance, is_self, FEWEST)) {
		set_total(&c->significance, runs);
		c->norm = CHANGES_TOTAL;
	}
	free(is_self);
}

static const char *
set_sizes(struct changes *c, const struct changes_run *runs, struct changes_norms norms)
{
	c->norm = norms.norm;
	switch (norms.norm) {
	case CHANGES_TOTAL: set_total(&c->significance, runs); return NULL;
	case CHANGES_STEADY: set_steady(c, runs); return NULL;
	case CHANGES_FRAME: return set_frame(c, runs, norms.frame);
	case CHANGES_NONE:
	default: set_parts(&c->significance, runs); return NULL;
	}
}

/* Gives metrics with a lead the adjusted p-values of the lead. */
static void
lead(struct changes *c)
{
	struct significance_finding *f, *of;
	size_t i;

	for (i = 0; i < c->metrics.n; i++) {
		if (c->row[i] == NONE || c->lead[i] == i)
			continue;
		f = &c->significance.found[c->row[i]];
		of = &c->significance.found[c->row[c->lead[i]]];
		f->adjusted = of->adjusted;
		f->strict = of->strict;
	}
}

static void
test(struct changes *c)
{
	significance_test(&c->significance, c->is_tested);
	lead(c);
}

/* Tests again with a norm from the unchanged functions only: when functions are few, one change
 * draws the median to its side. */
static void
refine(struct changes *c)
{
	bool *is_self = find_selves(c, true);

	if (significance_set_steady(&c->significance, is_self, 1))
		test(c);
	free(is_self);
}

const char *
changes_init(struct changes *c, const struct tree *t, const struct changes_run *runs,
	const size_t n[SIGNIFICANCE_GROUPS], const struct changes_how *how)
{
	struct sums s;
	const char *wrong;
	size_t rows;

	*c = (struct changes){ .norm = how->norms.norm };
	metric_init(&c->metrics, t, how->lead);
	s = add_up(c, runs, n);
	c->lead = metric_lead(&c->metrics, c->weight);
	c->row = mem_alloc(c->metrics.n * sizeof *c->row + 1);
	c->is_tested = mem_zero(c->metrics.n + 1, sizeof *c->is_tested);
	rows = choose(c, &s, how);
	significance_init(&c->significance, rows, n);
	set_kinds(c);
	c->whole = (s.samples[0] + s.samples[1]) / (s.runs[0] + s.runs[1]);
	count(c, runs);
	wrong = set_sizes(c, runs, how->norms);
	if (!wrong) {
		follow(c);
		test(c);
		if (c->norm == CHANGES_STEADY)
			refine(c);
	}
	return wrong;
}

void
changes_release(struct changes *c)
{
	metric_release(&c->metrics);
	significance_release(&c->significance);
	free(c->lead);
	free(c->row);
	free(c->is_tested);
	free(c->weight[0]);
	free(c->weight[1]);
	*c = (struct changes){ .row = NULL };
}

struct significance_finding
changes_find(const struct changes *c, size_t metric)
{
	double count[TREE_COLUMNS];
	int i;

	if (c->row[metric] != NONE)
		return c->significance.found[c->row[metric]];
	for (i = 0; i < TREE_COLUMNS; i++)
		count[i] = (double)c->weight[i][metric] * c->per_unit[i];
	return significance_judge(&c->significance.design, count, 1);
}

bool
changes_is_tested(const struct changes *c, size_t metric)
{
	return c->row[metric] != NONE &&
		c->significance.found[c->row[metric]].adjusted <= 1;
}
