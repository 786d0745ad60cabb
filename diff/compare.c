/* SPDX-License-Identifier: ISC */
/*
 * Which figures changed, and not by chance; see compare.h.
 *
 * Figures that stand for the very same samples, such as the total of a function and
 * of the one path that leads to it, are one test. Tests that could not succeed, however the
 * samples had fallen, are left out of the family (stats_worth).
 */
#include "compare.h"
#include "mem.h"

#include <math.h>

/* Weights that are compared as they are, not as shares, are shares of a total that is
 * this many times larger than any: Fisher's test is then that of two Poisson counts. */
static const double MANY = 1e6;

struct work {
	struct compare *c;
	const struct compare_options *options;
	struct compare_frames frames;
	uint64_t *weight[COMPARE_SIDES];	/* by figure, as all that follow */
	struct stats_runs *runs[COMPARE_SIDES]; /* of shares; NULL with one run a side */
	size_t *same;
	bool *wanted;			  /* by name */
	size_t norm;			  /* the figure whose total is the norm */
	bool knows_samples;		  /* of both sides */
	double per_sample[COMPARE_SIDES]; /* weight */
	double base[COMPARE_SIDES];	  /* what is 100 % */
	double part[COMPARE_SIDES];	  /* of the evidence that a side has */
	double *p;			  /* adjusted; above 1: not tested */
};

static double
share(const struct work *w, int side, size_t figure)
{
	return w->runs[side] ? w->runs[side][figure].mean
			     : (double)w->weight[side][figure] / w->base[side];
}

/* The samples of a figure on SIDE and what they are out of. */
static struct stats_part
samples(const struct work *w, int side, size_t figure)
{
	const struct compare_side *s = w->c->side;
	double count = (double)w->weight[side][figure] / w->per_sample[side], of, rate[2];
	int i;

	switch (w->options->norm) {
	case COMPARE_TOTAL: of = s[side].samples; break;
	case COMPARE_FRAME:
		/* As if none of the samples were in both, which is the careful view. */
		of = count + (double)w->weight[side][w->norm] / w->per_sample[side];
		break;
	case COMPARE_NONE:
	default:
		for (i = 0; i < COMPARE_SIDES; i++)
			rate[i] = (double)s[i].files / w->per_sample[i];
		of = MANY * (s[0].samples + s[1].samples) * rate[side] /
			fmax(rate[0], rate[1]);
	}
	return (struct stats_part){ count, of };
}

/* The share of the norm that PART of the samples of a figure are. */
static double
share_of_part(const struct work *w, int side, double of, double part)
{
	switch (w->options->norm) {
	case COMPARE_TOTAL: return part;
	case COMPARE_FRAME: return part / (1 - part);
	case COMPARE_NONE:
	default: return part * of * w->per_sample[side] / w->base[side];
	}
}

static struct stats_interval
share_interval(const struct work *w, int side, size_t figure)
{
	struct stats_part a = samples(w, side, figure);
	struct stats_interval in = stats_share_interval(a, w->options->confidence);

	in.low = share_of_part(w, side, a.of, in.low);
	in.high = share_of_part(w, side, a.of, in.high);
	return in;
}

/* Where the change of FIGURE lies. */
static struct stats_interval
change_interval(const struct work *w, size_t figure)
{
	double a = share(w, COMPARE_BEFORE, figure), b = share(w, COMPARE_AFTER, figure);

	if (w->options->exact)
		return (struct stats_interval){ b - a, b - a };
	if (w->runs[0])
		return stats_runs_difference(
			&w->runs[0][figure], &w->runs[1][figure], w->options->confidence);
	return stats_difference(a, share_interval(w, COMPARE_BEFORE, figure), b,
		share_interval(w, COMPARE_AFTER, figure));
}

/* With several runs both the spread between them and the number of samples must be
 * against chance: a few runs may spread less than their samples do. */
static double
test(const struct work *w, size_t figure)
{
	double a = share(w, COMPARE_BEFORE, figure), b = share(w, COMPARE_AFTER, figure),
	       p = 0;

	if (w->options->exact)
		return a == b ? 1 : 0;
	if (w->knows_samples)
		p = stats_shares_p(samples(w, COMPARE_BEFORE, figure),
			samples(w, COMPARE_AFTER, figure));
	if (w->runs[0])
		p = fmax(p, stats_runs_p(&w->runs[0][figure], &w->runs[1][figure]));
	return p;
}

static double
least(const struct work *w, size_t figure)
{
	if (w->options->exact || !w->knows_samples)
		return 0;
	return stats_least_p(
		samples(w, COMPARE_BEFORE, figure), samples(w, COMPARE_AFTER, figure));
}

static const char *
find_norm(struct work *w)
{
	struct compare *c = w->c;
	int i;

	if (w->options->norm == COMPARE_FRAME)
		w->norm = compare_frames_find(&w->frames, w->options->frame);
	for (i = 0; i < COMPARE_SIDES; i++) {
		if (!c->tree.sum[i])
			return i ? "no stack has a weight after"
				 : "no stack has a weight before";
		w->base[i] = (double)c->tree.sum[i];
		if (w->options->norm == COMPARE_FRAME)
			w->base[i] =
				w->norm < w->frames.n ? (double)w->weight[i][w->norm] : 0;
		if (w->base[i] <= 0)
			return "the frame that is to be the norm does not occur on both sides";
	}
	if (w->options->norm == COMPARE_NONE) {
		w->base[1] =
			w->base[0] / (double)c->side[0].files * (double)c->side[1].files;
	}
	return NULL;
}

/* What is 100 % of run R, the figures of which are WEIGHT; 0: nothing is. */
static double
run_base(const struct work *w, const struct compare_run *r, const uint64_t *weight)
{
	double mean = w->base[0] / (double)w->c->side[0].files;

	switch (w->options->norm) {
	case COMPARE_TOTAL: return (double)weight[TREE_ROOT];
	case COMPARE_FRAME: return (double)weight[w->norm];
	case COMPARE_NONE:
	default: return mean / pow(10, w->c->tree.scale - r->scale);
	}
}

/* Takes the shares in each run of SIDE. */
static const char *
measure_runs(struct work *w, int side)
{
	const struct compare_side *s = &w->c->side[side];
	uint64_t *weight = mem_alloc(w->frames.n * sizeof *weight);
	const char *wrong = NULL;
	double base;
	size_t i, m;

	w->runs[side] = mem_zero(w->frames.n, sizeof *w->runs[side]);
	for (i = 0; i < s->n && !wrong; i++) {
		compare_frames_fill(&w->frames, s->runs[i].self, s->runs[i].n, weight);
		base = run_base(w, &s->runs[i], weight);
		if (base <= 0)
			wrong = "a run has nothing of what is to be the norm";
		for (m = 0; m < w->frames.n && !wrong; m++)
			stats_runs_add(&w->runs[side][m], (double)weight[m] / base);
	}
	free(weight);
	return wrong;
}

/* How many samples there are, and on which side. */
static const char *
weigh_sides(struct work *w)
{
	const struct compare_side *s = w->c->side;
	int i;

	w->knows_samples = s[0].samples > 0 && s[1].samples > 0;
	for (i = 0; i < COMPARE_SIDES; i++) {
		if (w->knows_samples)
			w->per_sample[i] = (double)w->c->tree.sum[i] / s[i].samples;
		w->part[i] = w->c->several ? (double)s[i].n
			: w->knows_samples ? s[i].samples
					   : 1;
	}
	if (w->knows_samples || w->options->exact || w->c->several)
		return NULL;
	return "how many samples there were is not known: the header has to say samples=, or "
	       "--exact that these are none";
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
	compare_frames_init(&w->frames, &c->tree);
	for (i = 0; i < COMPARE_SIDES; i++) {
		w->weight[i] = mem_alloc(w->frames.n * sizeof *w->weight[i]);
		compare_frames_fill(&w->frames, c->tree.self[i], c->tree.n, w->weight[i]);
	}
	w->p = mem_alloc(w->frames.n * sizeof *w->p);
	wrong = find_norm(w);
	if (!wrong)
		wrong = weigh_sides(w);
	for (i = 0; i < COMPARE_SIDES && c->several && !wrong; i++)
		wrong = measure_runs(w, i);
	if (!wrong)
		wrong = find_wanted(w);
	w->same = compare_frames_same(&w->frames, w->weight);
	return wrong;
}

static void
work_release(struct work *w)
{
	int i;

	for (i = 0; i < COMPARE_SIDES; i++) {
		free(w->weight[i]);
		free(w->runs[i]);
	}
	compare_frames_release(&w->frames);
	free(w->same);
	free(w->wanted);
	free(w->p);
}

static uint32_t
name_of(const struct work *w, struct compare_figure f)
{
	return f.is_path ? w->c->tree.nodes[f.id].name : f.id;
}

/* Whether FIGURE is one of a wanted frame that has weight. */
static bool
is_wanted(const struct work *w, size_t figure)
{
	struct compare_figure f = compare_figure(&w->frames, figure);

	return !(f.is_path && f.id == TREE_ROOT) && w->wanted[name_of(w, f)] &&
		(w->weight[0][figure] || w->weight[1][figure]);
}

/* The share that FIGURE must have on both sides together. A growth in points has to be
 * there after, in any case, so that with a gate no other figure needs to be tested.
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
pooled_share(const struct work *w, size_t figure)
{
	return (share(w, 0, figure) * w->part[0] + share(w, 1, figure) * w->part[1]) /
		(w->part[0] + w->part[1]);
}

/* Whether FIGURE is all there is, as a share of which nothing can change. */
static bool
is_all(const struct work *w, size_t figure)
{
	return w->options->norm == COMPARE_TOTAL &&
		w->weight[0][figure] == w->weight[0][TREE_ROOT] &&
		w->weight[1][figure] == w->weight[1][TREE_ROOT];
}

/* Tests to be made together. */
struct family {
	size_t *figure, n;
	double *p;
};

/* Lists the figures that are worth a test, each set of samples once. */
static void
family_init(struct family *f, struct work *w)
{
	bool *listed = mem_zero(w->frames.n, sizeof *listed);
	double level = 1 - w->options->confidence, most, least_of_all = least_share(w);
	size_t i, kept = 0;

	*f = (struct family){ .figure = mem_alloc(w->frames.n * sizeof *f->figure) };
	for (i = 0; i < w->frames.n; i++) {
		if (!is_wanted(w, i) || listed[w->same[i]])
			continue;
		listed[w->same[i]] = true;
		w->c->figures++;
		if (!is_all(w, i) && pooled_share(w, i) >= least_of_all)
			f->figure[f->n++] = w->same[i];
	}
	free(listed);
	f->p = mem_alloc(f->n * sizeof *f->p);
	for (i = 0; i < f->n; i++)
		f->p[i] = least(w, f->figure[i]);
	most = level / (double)stats_worth(f->p, f->n, level);
	for (i = 0; i < f->n; i++)
		if (f->p[i] <= most)
			f->figure[kept++] = f->figure[i];
	f->n = kept;
}

/* Tests the family; what comes out is in W's p, by the figures that stand for the others. */
static void
test_family(struct work *w)
{
	struct family f;
	size_t i;

	family_init(&f, w);
	for (i = 0; i < f.n; i++)
		f.p[i] = test(w, f.figure[i]);
	stats_adjust(f.p, f.n);
	for (i = 0; i < w->frames.n; i++)
		w->p[i] = 2;
	for (i = 0; i < f.n; i++)
		w->p[f.figure[i]] = f.p[i];
	w->c->tested = f.n;
	free(f.figure);
	free(f.p);
}

static bool
has_grown(const struct compare_options *o, const struct compare_change *g)
{
	double limit = o->relative ? o->limit * g->share[COMPARE_BEFORE] : o->limit;

	return o->gate && g->change > limit && g->change > 0;
}

static void
add_change(struct work *w, size_t figure)
{
	struct compare *c = w->c;
	struct compare_change *g;
	int i;

	c->changes = mem_grow(c->changes, &c->cap, c->n + 1, sizeof *c->changes);
	g = &c->changes[c->n++];
	*g = (struct compare_change){ .figure = compare_figure(&w->frames, figure),
		.p = w->p[w->same[figure]],
		.interval = change_interval(w, figure) };
	for (i = 0; i < COMPARE_SIDES; i++) {
		g->weight[i] = w->weight[i][figure];
		g->share[i] = share(w, i, figure);
	}
	g->change = g->share[COMPARE_AFTER] - g->share[COMPARE_BEFORE];
	g->same = w->same[figure];
	g->failed = has_grown(c->options, g);
	c->failed += g->failed;
}

static bool
are_equal(const struct work *w, size_t a, size_t b)
{
	return w->weight[0][a] == w->weight[0][b] && w->weight[1][a] == w->weight[1][b];
}

/* Marks what says nothing that another change does not say. */
static void
mark_repeats(struct work *w)
{
	struct compare *c = w->c;
	const struct tree *t = &c->tree;
	bool *passes = mem_zero(t->n, sizeof *passes);
	bool *told = mem_zero(w->frames.n, sizeof *told);
	struct compare_change *g;
	size_t other;
	uint32_t i;

	for (i = 1; i < t->n; i++)
		if (are_equal(w, i, t->nodes[i].parent))
			passes[t->nodes[i].parent] = true;
	for (g = c->changes; g < c->changes + c->n; g++) {
		other = compare_figure_number(&w->frames,
			(struct compare_figure){
				g->figure.id, g->figure.is_path, !g->figure.is_self });
		g->self_is_it = g->weight[0] == w->weight[0][other] &&
			g->weight[1] == w->weight[1][other];
		if (!g->figure.is_path)
			told[g->same] = true;
		g->is_repeat = g->figure.is_self
			? g->self_is_it
			: g->figure.is_path && passes[g->figure.id];
	}
	for (g = c->changes; g < c->changes + c->n; g++)
		g->is_echo = g->figure.is_path && told[g->same];
	free(passes);
	free(told);
}

const char *
compare_test(struct compare *c)
{
	struct work w;
	const char *wrong = work_init(&w, c);
	size_t i;

	if (!wrong) {
		c->changes = mem_grow(c->changes, &c->cap, 1, sizeof *c->changes);
		test_family(&w);
		for (i = 0; i < w.frames.n; i++)
			if (is_wanted(&w, i) &&
				w.p[w.same[i]] <= 1 - c->options->confidence)
				add_change(&w, i);
		mark_repeats(&w);
		compare_sort(c);
	}
	work_release(&w);
	return wrong;
}
