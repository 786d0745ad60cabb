/* SPDX-License-Identifier: ISC */
/* Test results of the functions of a two-column text; see tested.h. */
#include "tested.h"
#include "changes.h"
#include "mem.h"
#include "msg.h"

#include <math.h>

static const char KEY[] = "tests", EXACT[] = "exact";

/* Defaults. */
static const double CONFIDENCE = 0.95, MIN_SHARE = 0.01;

/* Cuts a number, which must be above 0, off TEXT, up to the next ','. */
static bool
cut_number(struct str *text, double *value)
{
	struct str word = str_cut(text, ',');

	return folded_read_number(word, value) && *value > 0;
}

/* Reads the parameters of the tests from the header. */
static bool
read_design(struct tested *k, struct str text)
{
	struct significance_design d = { .freedom = 0 };
	double confidence;

	if (!cut_number(&text, &d.freedom) || !cut_number(&text, &d.size[0]) ||
		!cut_number(&text, &d.size[1]) || !cut_number(&text, &confidence) ||
		text.n || confidence >= 1)
		return false;
	k->design = d;
	k->confidence = confidence;
	return true;
}

/* By name, then by metric, then in input order. */
static int
by_name(const void *a, const void *b)
{
	const struct folded_test *x = *(const struct folded_test *const *)a,
				 *y = *(const struct folded_test *const *)b;
	int c = str_cmp(x->name, y->name);

	if (c == 0)
		c = x->is_self - y->is_self;
	return c ? c : (x > y) - (x < y);
}

/* NAME as it reads after writing and reading it back. */
static struct str
written(struct buf *b, struct str name)
{
	struct str text;

	buf_clear(b);
	folded_put_frame(b, name);
	text = buf_view(b);
	return str_starts(text, STR(" #")) ? str_from(text, 1) : text;
}

/* The index of the first of the N tests at SORTED that is not before NAME. */
static size_t
find_first(const struct folded_test **sorted, size_t n, struct str name)
{
	size_t low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (str_cmp(sorted[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Sets the metrics from the tests of INFO. */
static void
read_tests(struct tested *k, const struct folded_info *info)
{
	const struct intern *names = &k->metrics.tree->names;
	const struct folded_test **sorted =
		mem_alloc((info->n_tests + 1) * sizeof *sorted);
	struct buf b = { 0 };
	struct str name;
	size_t i, again = 0;
	uint32_t id;

	for (i = 0; i < info->n_tests; i++)
		sorted[i] = &info->tests[i];
	qsort(sorted, info->n_tests, sizeof *sorted, by_name);
	for (i = 1; i < info->n_tests; i++)
		again += sorted[i]->is_self == sorted[i - 1]->is_self &&
			str_eq(sorted[i]->name, sorted[i - 1]->name);
	if (again)
		msg_warn("ignoring %zu #fg-test line%s of functions that have one", again,
			msg_s(again));
	for (id = 0; id < names->n; id++) {
		name = written(&b, intern_str(names, id));
		for (i = find_first(sorted, info->n_tests, name);
			i < info->n_tests && str_eq(sorted[i]->name, name); i++) {
			size_t metric =
				sorted[i]->is_self ? metric_self(&k->metrics, id) : id;

			if (k->of[metric].p > 1)
				k->of[metric] = (struct tested_metric){ sorted[i]->phi,
					sorted[i]->p };
		}
	}
	buf_release(&b);
	free(sorted);
}

/* Tests the columns as one run a side. If a norm scaled them, their sizes are equal. */
static void
test_columns(struct tested *k, size_t lead, const struct folded_info *info)
{
	const struct tree *t = k->metrics.whole;
	static const size_t runs[SIGNIFICANCE_GROUPS] = { 1, 1 };
	struct changes_run run[TREE_COLUMNS];
	struct changes_how how = { .min_share = MIN_SHARE, .lead = lead };
	struct significance_finding f;
	struct changes c;
	size_t i;
	int side;

	how.norms.norm = folded_info_get(info, "norm").n ? CHANGES_NONE : CHANGES_STEADY;
	for (side = 0; side < TREE_COLUMNS; side++)
		run[side] = (struct changes_run){ t->self[side], t->n, t->scale,
			1 / k->per_unit[side] / pow(10, t->scale), k->per_unit[side] };
	if (!changes_init(&c, t, run, runs, &how)) {
		/* rounded to be the same on every machine */
		k->design = (struct significance_design){
			.freedom = c.significance.design.freedom
		};
		for (side = 0; side < TREE_COLUMNS; side++)
			k->design.size[side] =
				folded_round(c.significance.design.size[side]);
		for (i = 0; i < k->metrics.n; i++) {
			f = changes_find(&c, i);
			if (changes_is_tested(&c, i))
				k->of[i] = (struct tested_metric){ folded_round(f.phi),
					f.adjusted };
		}
	}
	changes_release(&c);
}

static void
fill(struct tested *k)
{
	const struct tree *t = k->metrics.whole;
	size_t i;
	int c;

	k->of = mem_alloc(k->metrics.n * sizeof *k->of + 1);
	for (i = 0; i < k->metrics.n; i++)
		k->of[i] = (struct tested_metric){ 1, 2 };
	for (c = 0; c < TREE_COLUMNS; c++) {
		k->weight[c] = mem_alloc(k->metrics.n * sizeof *k->weight[c] + 1);
		metric_fill(&k->metrics, t->self[c], t->n, k->weight[c]);
	}
}

void
tested_init(struct tested *k, const struct tree *t, size_t lead,
	const struct folded_info *info, double confidence)
{
	struct str tests = folded_info_get(info, KEY);
	bool has_tests;
	int c;

	*k = (struct tested){ .confidence = CONFIDENCE };
	metric_init(&k->metrics, t, lead);
	fill(k);
	for (c = 0; c < TREE_COLUMNS; c++) {
		k->samples[c] = (double)folded_info_samples(info, t, c);
		k->per_unit[c] = t->sum[c] ? k->samples[c] / (double)t->sum[c] : 0;
	}
	has_tests = read_design(k, tests);
	if (confidence > 0)
		k->confidence = confidence;
	if (str_eq(tests, str_of(EXACT)))
		k->kind = TESTED_EXACT;
	else if (k->per_unit[0] > 0 && k->per_unit[1] > 0)
		k->kind = TESTED_KNOWN;
	if (k->kind != TESTED_KNOWN)
		return;
	if (has_tests)
		read_tests(k, info);
	else
		test_columns(k, lead, info);
}

void
tested_release(struct tested *k)
{
	metric_release(&k->metrics);
	free(k->weight[0]);
	free(k->weight[1]);
	free(k->of);
	*k = (struct tested){ .of = NULL };
}

bool
tested_is_change(const struct tested *k, size_t metric)
{
	if (k->kind == TESTED_EXACT)
		return k->weight[0][metric] != k->weight[1][metric];
	return k->kind == TESTED_KNOWN && k->of[metric].p <= 1 - k->confidence;
}

struct significance_finding
tested_judge(const struct tested *k, size_t metric, const uint64_t weight[TREE_COLUMNS])
{
	double part[TREE_COLUMNS], whole[TREE_COLUMNS];
	int c;

	for (c = 0; c < TREE_COLUMNS; c++) {
		part[c] = (double)weight[c] * k->per_unit[c];
		whole[c] = (double)k->weight[c][metric] * k->per_unit[c];
	}
	return significance_judge(&k->design, part,
		significance_part_phi(k->of[metric].phi,
			significance_mean(&k->design, part),
			significance_mean(&k->design, whole)));
}

bool
tested_is_part(const struct tested *k, size_t metric, const uint64_t weight[TREE_COLUMNS])
{
	if (k->kind == TESTED_EXACT)
		return weight[0] != weight[1];
	return tested_is_change(k, metric) &&
		tested_judge(k, metric, weight).p <= 1 - k->confidence;
}

void
tested_put_exact(struct folded_info *info)
{
	folded_info_set(info, KEY, str_of(EXACT));
}

void
tested_put_design(
	struct folded_info *info, const struct significance_design *d, double confidence)
{
	const double said[] = { d->freedom, d->size[0], d->size[1] };
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < sizeof said / sizeof *said; i++) {
		buf_double(&b, folded_round(said[i]));
		buf_char(&b, ',');
	}
	buf_double(&b, confidence);
	folded_info_set(info, KEY, buf_view(&b));
	buf_release(&b);
}

void
tested_put(struct folded_info *info, struct str name, bool is_self,
	struct tested_metric test, double confidence)
{
	struct folded_test put = { .is_self = is_self,
		.phi = folded_round(test.phi),
		.p = folded_round(test.p) };
	struct buf b = { 0 };

	/* Rounding makes it the same on every machine, but must not change the result. */
	if ((put.p <= 1 - confidence) != (test.p <= 1 - confidence))
		put.p = test.p;
	put.name = written(&b, name);
	if (!folded_info_add_test(info, put))
		msg_warn("leaving out the test of %.*s: too many tests", (int)name.n,
			name.s);
	buf_release(&b);
}
