/* SPDX-License-Identifier: ISC */
/* Headers compared with the stacks that are there; see folded.h. */
#include "units.h"
#include "folded.h"
#include "folded-quality.h"
#include "msg.h"

#include <inttypes.h>

static const char *const SAMPLES[] = { "samples-before", "samples" };
static const char *const TOTAL[] = { "total-before", "total" };
static const char *const PIECES[] = { "pieces-before", "pieces" };

/* Takes the weight that KEY is out of INFO; *W stays without one. False when it is none. */
static bool
take_weight(struct folded_info *info, const char *key, struct weight *w)
{
	struct str text = folded_info_get(info, key);
	bool rounded = false, good = !text.n || weight_read(text, w, &rounded);

	folded_info_set(info, key, (struct str){ 0 });
	return good;
}

/* Takes the key pieces of column C out of INFO, "LEFT,OF,SAMPLES,OWN", and puts OWN in the
 * place of the samples. P stays as it is without one. */
static void
take_pieces(struct folded_info *info, int c, struct folded_pieces *p)
{
	struct str text = folded_info_get(info, PIECES[c]);
	struct str left = str_cut(&text, ','), of = str_cut(&text, ',');
	struct str samples = str_cut(&text, ',');
	struct folded_pieces read = { .samples = 0 };
	bool rounded = false;
	uint64_t own;

	if (weight_read(left, &read.left, &rounded) &&
		weight_read(of, &read.of, &rounded) &&
		str_to_u64(samples, &read.samples) && str_to_u64(text, &own)) {
		*p = read;
		if (folded_info_get(info, SAMPLES[c]).n)
			folded_info_set_u64(info, SAMPLES[c], own);
	}
	folded_info_set(info, PIECES[c], (struct str){ 0 });
}

static void
put_pieces(struct folded_info *info, int c)
{
	const struct folded_pieces *p = &info->pieces[c];
	struct buf b = { 0 };

	weight_put(&b, p->left);
	buf_char(&b, ',');
	weight_put(&b, p->of);
	buf_fmt(&b, ",%" PRIu64 ",%" PRIu64, p->samples,
		folded_info_u64(info, SAMPLES[c]));
	folded_info_set(info, PIECES[c], buf_view(&b));
	buf_release(&b);
}

/* Compares what the header says of column C with the weight FOUND. */
static bool
compare_found(struct folded_info *info, int c, struct weight found)
{
	struct folded_pieces *p = &info->pieces[c], had = { .samples = 0 };
	struct weight total = found;
	bool good = take_weight(info, TOTAL[c], &total);

	take_pieces(info, c, &had);
	info->differs |= weight_cmp(found, total) != 0;
	*p = had;
	if (!info->headed) {
		p->left = found;
	} else if (weight_cmp(found, total) >= 0) {
		p->whole = weight_minus(total, had.left);
		good &= weight_add(&p->left, weight_minus(found, total));
	} else {
		good &= weight_add(&p->of, weight_minus(total, had.left));
		p->left = found;
		p->samples = weight_count(p->samples, folded_info_u64(info, SAMPLES[c]));
		if (folded_info_get(info, SAMPLES[c]).n)
			folded_info_set_u64(info, SAMPLES[c], 0);
	}
	return good;
}

/* Whether the header says how the stacks are written, and nothing of what they are. */
static bool
is_form_only(const struct folded_info *info)
{
	size_t i;

	for (i = 0; i < info->n; i++)
		if (!str_eq(info->fields[i].key, STR("columns")) &&
			!str_eq(info->fields[i].key, STR("total")) &&
			!str_eq(info->fields[i].key, STR("total-before")))
			return false;
	return true;
}

bool
folded_info_found(struct folded_info *info, const char *name,
	const struct weight found[TREE_COLUMNS])
{
	const struct weight none = { 0 };
	bool any = false;
	int c;

	/* They join others as stacks without a header do. */
	if (is_form_only(info)) {
		info->headed = false;
		info->said = folded_info_get(info, "columns").n > 0;
	}
	for (c = 0; c < TREE_COLUMNS; c++) {
		info->vague |= !compare_found(info, c, found[c]);
		any |= weight_cmp(found[c], none) > 0;
		if (weight_cmp(info->pieces[c].of, none) > 0 && !info->part.n)
			info->part = arena_str(&info->arena, str_of(name));
	}
	folded_info_set(info, "columns", (struct str){ 0 });
	info->bare += any && !info->headed;
	info->differs |= any && !info->headed;
	return !info->vague;
}

/* Makes the samples of column C those of what is there. Returns the share of the weight
 * that is left, in parts of WHOLE. */
static uint64_t
settle_column(struct folded_info *info, int c, bool keep, uint64_t whole)
{
	const struct folded_pieces *p = &info->pieces[c];
	uint64_t count = folded_info_u64(info, SAMPLES[c]);
	struct weight all = p->whole, there = p->whole;
	bool fits =
		weight_add(&all, p->of) && weight_add(&there, p->left) && !info->vague;
	int left = weight_cmp(p->left, p->of);
	uint64_t share;

	/* Nobody knows of which stacks those were, unless the rest of them comes. */
	if ((left && !keep) || !fits)
		folded_quality_forget(info, c);
	if (keep && left && fits && folded_info_get(info, SAMPLES[c]).n)
		put_pieces(info, c);
	if (!left && fits)
		count = weight_count(count, p->samples);
	else if (left < 0 && fits)
		count = weight_count(count, weight_share(p->samples, p->left, p->of));
	else if (fits && (all.whole || all.nano))
		count = weight_share(weight_count(count, p->samples), there, all);
	else
		folded_info_set(info, SAMPLES[c], (struct str){ 0 });
	if (folded_info_get(info, SAMPLES[c]).n)
		folded_info_set_u64(info, SAMPLES[c], count);
	if (!left || !fits || !(all.whole || all.nano))
		return whole;
	share = weight_share(whole, there, all);
	return share == whole ? (left < 0 ? share - 1 : share + 1) : share;
}

/* Warns that SHARE of 10000 of the weight is there. */
static void
warn_of_share(const struct folded_info *info, uint64_t share)
{
	struct str unit = folded_info_get(info, "unit");
	bool rescaled = share != 10000 && folded_info_get(info, "samples").n;
	const char *then = rescaled ? "; samples= rescaled" : "";
	struct buf left = { 0 };

	units_put_share(&left, share, 10000);
	if (share < 10000)
		msg_warn("%.*s: stacks were removed since it was written (%s of the "
			 "weight is left)%s",
			(int)info->part.n, info->part.s, buf_cstr(&left), then);
	else if (share > 10000 && !info->bare)
		msg_warn("stacks were added since the header was written (%s of the "
			 "weight)%s",
			buf_cstr(&left), then);
	if (info->bare)
		msg_warn("%" PRIu64 " %s no #fg header: taking the weights as %.*s, as "
			 "in the others%s",
			info->bare, info->bare == 1 ? "input has" : "inputs have",
			unit.n ? (int)unit.n : 5, unit.n ? unit.s : "those",
			share > 10000 ? then : "");
	buf_release(&left);
}

void
folded_info_settle(struct folded_info *info, bool keep)
{
	uint64_t share, worst = 10000;
	int c;

	if (!info->headed)
		return;
	for (c = 0; c < TREE_COLUMNS; c++) {
		share = settle_column(info, c, keep, 10000);
		if (share != 10000)
			worst = share;
	}
	if (info->vague)
		msg_warn(
			"the totals of the headers overflow 64 bits: leaving out samples=");
	if (info->differs)
		warn_of_share(info, worst);
	memset(info->pieces, 0, sizeof info->pieces);
	info->bare = 0;
	info->differs = false;
}
