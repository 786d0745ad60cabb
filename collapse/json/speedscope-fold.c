/* SPDX-License-Identifier: ISC */
/* Profiles of speedscope to stacks; see speedscope-fold.h. */
#include "speedscope-fold.h"

#include <math.h>

/* Times further from 0 than this many ns are damage; so are other weights. */
#define FURTHEST 9e18

/* Where a profile is folded to, and how far it has come. */
struct fold {
	struct collapse_sample s;
	uint32_t root, turn;
	struct str unit;
	double factor;
	bool timed;
	int64_t at;
};

uint32_t
speedscope_frame(const struct speedscope *r, uint32_t stack)
{
	uint32_t frame;

	memcpy(&frame, intern_str(&r->stacks.names, r->stacks.nodes[stack].name).s,
		sizeof frame);
	return frame;
}

/* The node of STACK in the sink, below ROOT, for profile TURN; SPEEDSCOPE_NONE when it
 * has a frame that is not there. */
static uint32_t
path_of(struct speedscope *r, uint32_t stack, uint32_t root, uint32_t turn)
{
	uint32_t at, frame, path = root;
	size_t n = 0;

	for (at = stack; at != TREE_ROOT; at = r->stacks.nodes[at].parent) {
		if (r->paths[at].turn == turn) {
			path = r->paths[at].node;
			break;
		}
		r->climb = mem_grow(r->climb, &r->climb_cap, n + 1, sizeof *r->climb);
		r->climb[n++] = at;
	}
	while (n > 0) {
		at = r->climb[--n];
		frame = speedscope_frame(r, at);
		if (path != SPEEDSCOPE_NONE)
			path = frame < r->frame_n
				? collapse_path(r->c, path, &r->frames[frame], 1)
				: SPEEDSCOPE_NONE;
		r->paths[at] = (struct speedscope_path){ path, turn };
	}
	return path;
}

/* How many decimals VALUE has, at least LEAST, at most as many as weights may. */
static unsigned
count_decimals(double value, unsigned least)
{
	double power = 1;
	unsigned n;

	for (n = 0; n < TREE_SCALE_MAX; n++, power *= 10)
		if (n >= least && round(value * power) / power == value)
			break;
	return n;
}

/* Makes weights of F that are no time keep their decimals. What a value times
 * the result is, is whole. */
static double
find_factor(struct speedscope *r, const struct speedscope_profile *f)
{
	unsigned decimals = 0;
	size_t i;

	if (f->factor > 0) {
		(void)collapse_decimals(r->c, 0);
		return f->factor;
	}
	for (i = 0; i < f->weights.n; i++)
		decimals = count_decimals(f->weights.items[i], decimals);
	for (i = 0; f->evented && i < f->n; i++)
		decimals = count_decimals(f->marks[i].value, decimals);
	if (!collapse_decimals(r->c, decimals)) {
		(void)collapse_decimals(r->c, 0);
		decimals = 0;
	}
	return pow(10, decimals);
}

/* VALUE times FACTOR to *TO; false when that is no number or too far from 0. */
static bool
fix(double value, double factor, int64_t *to)
{
	value = round(value * factor);
	if (!(fabs(value) < FURTHEST))
		return false;
	*to = (int64_t)value;
	return true;
}

/* Folds a WEIGHT that began AT and has STACK. */
static void
fold(struct speedscope *r, struct fold *f, uint32_t stack, int64_t weight)
{
	struct collapse *c = r->c;
	uint32_t path;

	if (weight < 0) {
		collapse_lose(c, r->in, COLLAPSE_NEGATIVE);
		return;
	}
	f->s.period = (uint64_t)weight;
	f->s.has_time = f->timed && f->at >= 0;
	f->s.time = f->s.has_time ? (uint64_t)f->at : 0;
	if (!collapse_wants(c, &f->s))
		return;
	collapse_unit(c, f->unit);
	path = path_of(r, stack, f->root, f->turn);
	if (path == SPEEDSCOPE_NONE)
		collapse_lose(c, r->in, COLLAPSE_MALFORMED);
	else if (!collapse_add(c, path, &f->s))
		collapse_lose(c, r->in, COLLAPSE_OVERFLOW);
}

/* Time in which nothing is open is left out. */
static void
fold_calls(struct speedscope *r, const struct speedscope_profile *p, struct fold *f)
{
	int64_t until;
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (!fix(p->marks[i].value, f->factor, &until)) {
			collapse_lose(r->c, r->in, COLLAPSE_MALFORMED);
			continue;
		}
		if (i > 0 && until > f->at && p->marks[i - 1].stack != TREE_ROOT)
			fold(r, f, p->marks[i - 1].stack, until - f->at);
		f->at = until;
	}
}

static void
fold_samples(struct speedscope *r, const struct speedscope_profile *p, struct fold *f)
{
	bool weighed = p->weights.n > 0;
	int64_t weight;
	size_t i;

	f->s.has_period = weighed;
	if (!fix(p->start, f->factor, &f->at))
		f->timed = false;
	for (i = 0; i < p->n; i++) {
		weight = 1;
		if (p->marks[i].stack == SPEEDSCOPE_NONE ||
			(weighed &&
				(i >= p->weights.n ||
					!fix(p->weights.items[i], f->factor, &weight)))) {
			collapse_lose(r->c, r->in, COLLAPSE_MALFORMED);
			continue;
		}
		if (p->marks[i].stack != TREE_ROOT)
			fold(r, f, p->marks[i].stack, weight);
		if (weighed && weight > 0 && f->at < INT64_MAX - weight)
			f->at += weight;
	}
}

void
speedscope_fold(struct speedscope *r, size_t number)
{
	const struct speedscope_profile *p = &r->profiles[number];
	struct fold f = { .turn = (uint32_t)number + 1, .unit = p->unit };

	f.timed = p->factor > 0;
	f.s = (struct collapse_sample){ .comm = buf_view(&p->name), .has_period = true };
	/* What is of several units is several events. */
	if (r->several_units)
		f.s.event = p->unit.n ? p->unit : STR("none");
	f.factor = find_factor(r, p);
	f.root = collapse_root(r->c, &f.s);
	r->c->exact |= p->evented;
	r->c->losses[COLLAPSE_MALFORMED] += p->broken;
	if (p->evented)
		fold_calls(r, p, &f);
	else
		fold_samples(r, p, &f);
}
