/* SPDX-License-Identifier: ISC */
/* Captions and descriptions; see captions.h. */
#include "captions.h"
#include "heading.h"
#include "units.h"
#include "quality.h"
#include "stats.h"

/* Header fields shown under the title, with their prefixes. Fields of a single run are left out
 * when files are named, or when the title repeats them. */
struct fact {
	const char *key, *before;
	bool is_of_run;
};

static const struct fact FACTS[] = { { "event", "", false }, { "command", "", true },
	{ "host", "on ", false }, { "start", "", true },
	{ "base", "only from ", false } };

#define DOT   STR(" \xc2\xb7 ")	    /* U+00B7 between blanks */
#define ARROW STR(" \xe2\x86\x92 ") /* U+2192 */

static bool
is_difference(const struct picture *p)
{
	return picture_is_diff(p) && !picture_is_ratio(p);
}

/* Whether the number of samples adds something to the total. */
static bool
shows_samples(const struct picture *p)
{
	/* weights before that were scaled to those after are not counts */
	bool is_scaled = p->delta.tested.samples[0] > 0 &&
		p->delta.tested.samples[0] != (double)tree_whole_sum(p->tree, 0);

	return p->samples &&
		(!str_eq(p->countname, STR("samples")) || is_scaled ||
			p->samples != tree_whole_sum(p->tree, p->wide));
}

static void
put_weight(struct buf *b, const struct picture *p, uint64_t weight)
{
	/* weights of an unnamed unit are not the samples behind them */
	bool unnamed = str_eq(p->countname, STR("samples")) && shows_samples(p);

	units_put(b, weight, p->tree->scale, p->set->factor,
		unnamed ? STR("in all") : p->countname);
}

/* "3.2 G cycles, 1.23 for each of 2.6 G instructions" */
static void
put_ratio(struct buf *b, const struct picture *p)
{
	const struct tree *t = p->tree;
	enum { FEW = 1000 };
	double per;

	put_weight(b, p, t->sum[0]);
	if (!t->sum[1])
		return;
	per = (double)t->sum[0] / (double)t->sum[1];
	buf_str(b, STR(", "));
	if (per < FEW)
		buf_fmt(b, "%.2f", per);
	else
		units_put_count(b, stats_count(per));
	buf_str(b, STR(" for each of "));
	units_put(b, t->sum[1], t->scale, p->set->factor, p->ratio[1]);
}

/* " (normalised to the total)", for the weight before, if the header says so. */
static void
put_norm(struct buf *b, const struct picture *p)
{
	struct str norm = folded_info_get(p->info, "norm");

	if (!norm.n || !is_difference(p))
		return;
	buf_str(b, STR(" ("));
	if (str_eq(norm, STR("none"))) {
		buf_str(b, STR("not normalised)"));
		return;
	}
	buf_str(b, STR("normalised to "));
	buf_str(b,
		str_eq(norm, STR("total")) ? STR("the total")
			: str_eq(norm, STR("steady"))
			? STR("what most functions agree on")
			: norm);
	buf_char(b, ')');
}

static void
put_totals(struct buf *b, const struct picture *p)
{
	if (picture_is_ratio(p)) {
		put_ratio(b, p);
		return;
	}
	put_weight(b, p, p->tree->sum[0]);
	if (picture_is_diff(p)) {
		buf_str(b, STR(" before"));
		put_norm(b, p);
		buf_str(b, STR(", "));
		put_weight(b, p, p->tree->sum[1]);
		buf_str(b, STR(" after"));
	}
}

static void
put_samples(struct buf *b, const struct picture *p)
{
	if (is_difference(p) && p->delta.tested.samples[0] > 0) {
		units_put_count(b, stats_count(p->delta.tested.samples[0]));
		buf_str(b, ARROW);
	}
	units_put_count(b, p->samples);
	buf_str(b, p->samples == 1 ? STR(" sample") : STR(" samples"));
}

void
captions_put_vanished(struct buf *b, const struct picture *p)
{
	if (!p->vanished || p->draws_gone)
		return;
	units_put_share(b, p->vanished, p->tree->sum[0]);
	buf_str(b, STR(" of the weight before was removed and is not drawn"));
}

/* The names of both sides of a difference; false when the header lacks them. */
static bool
read_names(const struct picture *p, struct str *before, struct str *after)
{
	*before = folded_info_get(p->info, "name-before");
	*after = folded_info_get(p->info, "name");
	return is_difference(p) && before->n && after->n;
}

/* "before.folded -> after.folded" */
static void
put_names(struct buf *b, struct str before, struct str after)
{
	buf_str(b, before);
	buf_str(b, ARROW);
	buf_str(b, after);
}

/* Whether chance changes are coloured like real ones, for want of a test. */
static bool
is_untested(const struct picture *p)
{
	return is_difference(p) && !p->delta.sure && !p->set->all_changes &&
		p->delta.tested.kind != TESTED_EXACT;
}

/* Adds the separator, unless it would come first. */
static void
put_dot(struct buf *b)
{
	if (b->n)
		buf_str(b, DOT);
}

/* The quality of the stacks; a difference has two answers, so none is given. */
static bool
read_quality(const struct picture *p, struct quality *q)
{
	return !picture_is_diff(p) && quality_read(q, folded_info_get(p->info, "stacks"));
}

bool
captions_are_poor(const struct picture *p)
{
	struct quality q;

	return read_quality(p, &q) && quality_is_poor(&q);
}

void
captions_put_line(struct buf *b, const struct picture *p)
{
	uint64_t lost = folded_info_u64(p->info, "lost");
	struct str value;
	struct str before, after, title = picture_title(p);
	bool named = read_names(p, &before, &after);
	struct quality q;
	size_t i;

	if (named && !(str_search(title, before) < title.n && str_ends(title, after))) {
		put_names(b, before, after);
		put_dot(b);
	}
	put_totals(b, p);
	if (shows_samples(p)) {
		put_dot(b);
		put_samples(b, p);
	}
	if (lost) {
		put_dot(b);
		units_put_count(b, lost);
		buf_str(b, STR(" lost"));
	}
	if (read_quality(p, &q)) {
		put_dot(b);
		quality_put_words(b, &q);
	}
	for (i = 0; i < sizeof FACTS / sizeof FACTS[0]; i++) {
		value = heading_field(p->info, FACTS[i].key);
		if (!value.n || (named && FACTS[i].is_of_run) || str_eq(value, title))
			continue;
		put_dot(b);
		buf_str(b, str_of(FACTS[i].before));
		buf_str(b, value);
	}
	if (is_untested(p)) {
		put_dot(b);
		buf_str(b, STR("significance unknown"));
	}
	if (p->vanished && !p->draws_gone) {
		put_dot(b);
		captions_put_vanished(b, p);
	}
}

/* Explains the widths and colours of a difference. */
static void
put_meaning(struct buf *b, const struct picture *p)
{
	if (p->draws_gone) {
		buf_str(b, STR(" Removed stacks keep their width before, "));
		units_put_share(b, p->vanished, p->tree->sum[0]);
		buf_str(b, STR(" of the weight before."));
	} else if (p->vanished) {
		buf_char(b, ' ');
		captions_put_vanished(b, p);
		buf_char(b, '.');
	}
	if (p->delta.sure)
		buf_fmt(b, " Changes that are not significant at %.6g %% are grey.",
			100 * p->delta.tested.confidence);
	else if (is_untested(p))
		buf_str(b, STR(" Significance is unknown."));
}

/* Adds fg-diff's verdict on the whole comparison. */
static void
put_verdict(struct buf *b, const struct picture *p)
{
	struct str verdict = folded_info_get(p->info, "verdict");

	if (!is_difference(p) || !verdict.n)
		return;
	buf_str(b, STR(" Verdict: "));
	buf_str(b, verdict);
	buf_char(b, '.');
}

void
captions_put_description(struct buf *b, const struct picture *p)
{
	struct str before, after;

	buf_str(b,
		is_difference(p) ? STR("Difference of two profiles: ")
				 : STR("Profile of "));
	if (read_names(p, &before, &after)) {
		put_names(b, before, after);
		buf_str(b, STR(": "));
	}
	put_totals(b, p);
	if (shows_samples(p)) {
		buf_str(b, STR(" from "));
		put_samples(b, p);
	}
	buf_str(b, STR(", "));
	units_put_count(b, p->frames);
	buf_str(b, p->frames == 1 ? STR(" frame of ") : STR(" frames of "));
	units_put_count(b, p->names);
	buf_str(b, p->names == 1 ? STR(" name") : STR(" names"));
	buf_str(b, STR(". The width of a box is its share of the total."));
	if (is_difference(p))
		put_meaning(b, p);
	put_verdict(b, p);
}
