/* SPDX-License-Identifier: ISC */
/*
 * The "#fg key=value" header of folded text; see folded.h: its fields, checking its total against
 * the stacks, merging two headers, and output.
 */
#include "folded.h"
#include "mem.h"
#include "msg.h"
#include "quality.h"
#include "units.h"

#include <inttypes.h>

/* Keys of the column before, and of the last one. */
static const char *const SAMPLES[] = { "samples-before", "samples" };
static const char *const TOTAL[] = { "total-before", "total" };
static const char *const PIECES[] = { "pieces-before", "pieces" };
static const char *const STACKS[] = { "stacks-before", "stacks" };

void
folded_info_release(struct folded_info *info)
{
	arena_release(&info->arena);
	free(info->fields);
	free(info->tests);
	free(info->programs);
	*info = (struct folded_info){ 0 };
}

static struct folded_field *
find(const struct folded_info *info, struct str key)
{
	size_t i;

	for (i = 0; i < info->n; i++)
		if (str_eq(info->fields[i].key, key))
			return &info->fields[i];
	return NULL;
}

struct str
folded_info_get(const struct folded_info *info, const char *key)
{
	const struct folded_field *f = find(info, str_of(key));

	return f ? f->value : (struct str){ 0 };
}

uint64_t
folded_info_u64(const struct folded_info *info, const char *key)
{
	uint64_t v;

	return str_to_u64(folded_info_get(info, key), &v) ? v : 0;
}

/* The number of samples by the header. With two columns, the first may have a key of its own. */
static uint64_t
stated_samples(const struct folded_info *info, const struct tree *t, int column)
{
	const char *own = "samples-before";
	bool has_own = t->columns > 1 && column == 0 && folded_info_get(info, own).n;

	return folded_info_u64(info, has_own ? own : "samples");
}

uint64_t
folded_info_samples(const struct folded_info *info, const struct tree *t, int column)
{
	uint64_t known = stated_samples(info, t, column);
	bool counts = str_eq(folded_info_get(info, "unit"), STR("samples"));

	return known || !counts ? known : tree_whole_sum(t, column);
}

static void
set(struct folded_info *info, struct str key, struct str value)
{
	struct folded_field *f = find(info, key);

	if (!value.n) {
		if (f) {
			memmove(f, f + 1,
				(size_t)(info->fields + --info->n - f) * sizeof *f);
		}
		return;
	}
	if (!f) {
		info->fields = mem_grow(
			info->fields, &info->cap, info->n + 1, sizeof *info->fields);
		f = &info->fields[info->n++];
		f->key = arena_str(&info->arena, key);
	}
	f->value = arena_str(&info->arena, value);
}

void
folded_info_set(struct folded_info *info, const char *key, struct str value)
{
	set(info, str_of(key), value);
}

void
folded_info_set_u64(struct folded_info *info, const char *key, uint64_t value)
{
	struct buf b = { 0 };

	buf_u64(&b, value);
	set(info, str_of(key), buf_view(&b));
	buf_release(&b);
}

/* Adds the field WORD. False when it is malformed, or the header is full. */
static bool
parse_field(struct folded_info *info, struct str word, struct buf *key, struct buf *value)
{
	if (word.n > FOLDED_FIELD_LONGEST || info->n >= FOLDED_FIELDS_MOST)
		return false;
	buf_clear(key);
	buf_clear(value);
	buf_decoded(key, str_cut(&word, '='));
	buf_decoded(value, word);
	if (key->n)
		set(info, buf_view(key), buf_view(value));
	return true;
}

void
folded_info_parse(struct folded_info *info, struct str text)
{
	struct buf key = { 0 }, value = { 0 };
	struct str word;
	uint64_t left = 0;

	while ((word = str_word(&text)).n)
		left += !parse_field(info, word, &key, &value);
	if (left)
		msg_warn("leaving out %" PRIu64
			 " header field%s: a header may have %d, of %d bytes each",
			left, msg_s(left), FOLDED_FIELDS_MOST, FOLDED_FIELD_LONGEST);
	buf_release(&key);
	buf_release(&value);
}

struct str
folded_info_unit(const struct folded_info *info)
{
	struct str unit = folded_info_get(info, "unit");

	return unit.n ? unit : STR("units");
}

/* Tests. */

bool
folded_read_number(struct str text, double *value)
{
	char copy[25], *end;
	size_t i;

	if (!text.n || text.n >= sizeof copy)
		return false;
	for (i = 0; i < text.n; i++)
		if (!str_is_digit(text.s[i]) && !strchr(".e+-", text.s[i]))
			return false;
	memcpy(copy, text.s, text.n);
	copy[text.n] = 0;
	*value = strtod(copy, &end);
	return end == copy + text.n && *value >= 0 && *value <= 0x1p64;
}

bool
folded_info_add_test(struct folded_info *info, struct folded_test test)
{
	if (test.name.n > FOLDED_TESTS_LONGEST - info->tests_length ||
		info->n_tests >= FOLDED_TESTS_LONGEST)
		return false;
	info->tests_length += test.name.n;
	test.name = arena_str(&info->arena, test.name);
	info->tests = mem_grow(
		info->tests, &info->cap_tests, info->n_tests + 1, sizeof *info->tests);
	info->tests[info->n_tests++] = test;
	return true;
}

const char *
folded_info_parse_test(struct folded_info *info, struct str text)
{
	static const struct str kinds[] = { { "total", 5 }, { "self", 4 } };
	struct str numbers = str_word(&text), name = str_word(&text),
		   kind = str_cut(&numbers, '='), phi = str_cut(&numbers, ',');
	struct folded_test test = { .is_self = str_eq(kind, kinds[1]) };
	struct buf decoded = { 0 };
	bool fits;

	if ((!test.is_self && !str_eq(kind, kinds[0])) ||
		!folded_read_number(phi, &test.phi) ||
		!folded_read_number(numbers, &test.p) || test.phi <= 0 || test.p > 1 ||
		!str_eq(str_cut(&name, '='), STR("name")) || str_word(&text).n)
		return "skipping an invalid #fg-test line";
	buf_decoded(&decoded, name);
	test.name = buf_view(&decoded);
	fits = folded_info_add_test(info, test);
	buf_release(&decoded);
	return fits ? NULL : "skipping an #fg-test line: there are too many";
}

void
folded_info_forget_tests(struct folded_info *info)
{
	info->n_tests = info->tests_length = 0;
	folded_info_set(info, "tests", (struct str){ 0 });
	folded_info_set(info, "verdict", (struct str){ 0 });
}

/* Comparing headers with the stacks. */

/* Moves the weight KEY out of INFO; *W stays if the key is missing. False when it is invalid. */
static bool
cut_weight(struct folded_info *info, const char *key, struct weight *w)
{
	struct str text = folded_info_get(info, key);
	bool rounded = false, good = !text.n || weight_read(text, w, &rounded);

	folded_info_set(info, key, (struct str){ 0 });
	return good;
}

/* Moves the key pieces of column C, "LEFT,OF,SAMPLES,OWN", out of INFO, and sets the samples to
 * OWN. P stays if the key is missing. */
static void
cut_pieces(struct folded_info *info, int c, struct folded_pieces *p)
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

/* Compares the header's total of column C with the weight FOUND. */
static bool
compare_found(struct folded_info *info, int c, struct weight found)
{
	struct folded_pieces *p = &info->pieces[c], had = { .samples = 0 };
	struct weight total = found;
	bool good = cut_weight(info, TOTAL[c], &total);

	cut_pieces(info, c, &had);
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

/* Whether the header only describes the form of the stacks. */
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

	/* They join others like stacks without a header. */
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

/* Merging headers. */

/* The weight of P by its headers, in the whole units that A and B share: units of 10^-9 when one of
 * the two needs them. */
static uint64_t
stated(const struct folded_pieces *p, bool nano)
{
	struct weight w = p->whole;

	if (!weight_add(&w, p->of))
		return UINT64_MAX;
	if (!nano)
		return w.whole;
	return w.whole < UINT64_MAX / WEIGHT_NANO ? w.whole * WEIGHT_NANO + w.nano
						  : UINT64_MAX;
}

static bool
has_decimals(const struct folded_pieces *p)
{
	return p->whole.nano || p->of.nano;
}

/* Merges the stack quality of column C of MORE into that of INFO. */
static void
merge_column(struct folded_info *info, const struct folded_info *more, int c)
{
	const struct folded_pieces *p = &info->pieces[c], *q = &more->pieces[c];
	bool nano = has_decimals(p) || has_decimals(q);
	uint64_t total = stated(p, nano), other = stated(q, nano);
	struct quality sum, part;
	struct buf b = { 0 };

	if (quality_read(&sum, folded_info_get(info, STACKS[c])) &&
		quality_read(&part, folded_info_get(more, STACKS[c]))) {
		quality_add(&sum, total, &part, other);
		quality_put(&b, &sum, weight_count(total, other));
	}
	folded_info_set(info, STACKS[c], buf_view(&b));
	buf_release(&b);
}

/* Merges the keys of stack quality, weighted by the totals, before pieces are added up; a key that
 * one of the two lacks is removed. */
static void
merge_quality(struct folded_info *info, const struct folded_info *more)
{
	int c;

	for (c = 0; c < TREE_COLUMNS; c++)
		merge_column(info, more, c);
}

static bool
is_quality_key(struct str key)
{
	return str_eq(key, str_of(STACKS[0])) || str_eq(key, str_of(STACKS[1]));
}

static void
forget_quality(struct folded_info *info, int c)
{
	folded_info_set(info, STACKS[c], (struct str){ 0 });
}

/* Keys with a count: the values of two inputs add up. With two columns, "-before" marks the first
 * one's. */
static bool
is_counted(struct str key)
{
	static const struct str before = { "-before", 7 };

	if (str_ends(key, before))
		key.n -= before.n;
	return str_eq(key, STR("samples")) || str_eq(key, STR("runs")) ||
		str_eq(key, STR("lost")) || str_eq(key, STR("duration"));
}

/* Adds up a counted key; removes it when one header lacks it, except for lost, which then counts as
 * 0. */
static void
add_counted(struct folded_info *info, struct folded_field *a, struct str b)
{
	bool partial = !b.n && !str_starts(a->key, STR("lost"));
	uint64_t x = 0, y = 0;
	struct buf sum = { 0 };

	if (!partial && str_to_u64(a->value, &x) && (str_to_u64(b, &y) || !b.n))
		buf_u64(&sum, weight_count(x, y));
	set(info, a->key, buf_view(&sum));
	buf_release(&sum);
}

/* Makes A, a field of INFO, valid for both inputs; the other's value is B. */
static void
merge_field(struct folded_info *info, struct folded_field *a, struct str b)
{
	if (is_counted(a->key))
		add_counted(info, a, b);
	else if (!str_eq(a->value, b))
		set(info, a->key, (struct str){ 0 });
}

static struct str
value_of(const struct folded_info *info, struct str key)
{
	const struct folded_field *f = find(info, key);

	return f ? f->value : (struct str){ 0 };
}

static void
merge_pieces(struct folded_info *info, const struct folded_info *more)
{
	struct folded_pieces *a;
	const struct folded_pieces *b;
	int c;

	for (c = 0; c < TREE_COLUMNS; c++) {
		a = &info->pieces[c];
		b = &more->pieces[c];
		a->samples = weight_count(a->samples, b->samples);
		if (!weight_add(&a->whole, b->whole) || !weight_add(&a->of, b->of) ||
			!weight_add(&a->left, b->left))
			info->vague = true;
	}
	info->vague |= more->vague;
	info->differs |= more->differs;
	info->bare += more->bare;
	info->guessed |= more->guessed;
	info->said |= more->said;
	if (!info->part.n)
		info->part = arena_str(&info->arena, more->part);
}

/* Merges the fields of MORE into those of INFO; both have a header. */
static void
merge_fields(struct folded_info *info, const struct folded_info *more)
{
	size_t i;

	merge_quality(info, more);
	for (i = info->n; i-- > 0;)
		if (!is_quality_key(info->fields[i].key))
			merge_field(info, &info->fields[i],
				value_of(more, info->fields[i].key));
}

bool
folded_info_merge(struct folded_info *info, const struct folded_info *more)
{
	bool first = !info->headed, had = info->headed || info->bare;
	struct str unit = folded_info_get(info, "unit");
	bool agree = first || str_eq(unit, folded_info_get(more, "unit"));
	size_t i;

	if (more->headed && !first)
		merge_fields(info, more);
	/* Set, so that the next input differs as well. */
	if (more->headed && !agree)
		folded_info_set(info, "unit", STR("mixed"));
	merge_pieces(info, more);
	folded_program_merge(info, more);
	if (had && more->bare)
		folded_info_forget_tests(info);
	if (!more->headed)
		return true;
	info->headed = true;
	for (i = 0; i < more->n_tests && !had; i++)
		(void)folded_info_add_test(info, more->tests[i]);
	for (i = 0; i < more->n; i++)
		if (first ||
			(str_starts(more->fields[i].key, STR("lost")) &&
				is_counted(more->fields[i].key) &&
				!find(info, more->fields[i].key)))
			set(info, more->fields[i].key, more->fields[i].value);
	if (had)
		folded_info_forget_tests(info);
	return agree;
}

/* Adjusts the samples of column C to the stacks present. Returns the share of the weight that is
 * left, as a part of WHOLE. */
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

	/* The quality of the remaining stacks is unknown, unless the rest follows. */
	if ((left && !keep) || !fits)
		forget_quality(info, c);
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

/* Warns about the SHARE, of 10000, of the weight that is present, and about inputs without a
 * header. */
static void
warn_of_share(const struct folded_info *info, uint64_t share)
{
	struct str unit = folded_info_get(info, "unit");
	bool rescaled = share != 10000 && folded_info_get(info, "samples").n;
	const char *then = rescaled ? "; samples= rescaled" : "";
	struct buf left = { 0 };

	units_put_share(&left, share, 10000);
	if (share < 10000)
		msg_warn("%.*s: stacks were removed after it was written (%s of the "
			 "weight is left)%s",
			(int)info->part.n, info->part.s, buf_cstr(&left), then);
	else if (share > 10000 && !info->bare)
		msg_warn(
			"stacks were added after the header was written (%s of the weight)%s",
			buf_cstr(&left), then);
	if (info->bare)
		msg_warn("%" PRIu64 " %s no #fg header: reading the weights as %.*s%s%s",
			info->bare, info->bare == 1 ? "input has" : "inputs have",
			unit.n ? (int)unit.n : 5, unit.n ? unit.s : "those",
			unit.n ? ", as in the others" : " of the others",
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
		msg_warn("the header totals overflow 64 bits: leaving out samples=");
	if (info->differs) {
		warn_of_share(info, worst);
		folded_info_forget_tests(info);
	}
	memset(info->pieces, 0, sizeof info->pieces);
	info->bare = 0;
	info->differs = false;
}

/* Adjusts the samples of the last column, or of the one before, for column C. */
static void
keep_samples(struct folded_info *info, bool last, const struct tree *t, int c,
	struct weight whole)
{
	const char *key = last ? "samples" : "samples-before";
	uint64_t count;

	if (weight_cmp(weight_of(t->sum[c], t->scale), whole) != 0)
		forget_quality(info, last);
	if (!folded_info_get(info, key).n)
		return;
	if (str_to_u64(folded_info_get(info, key), &count) && (whole.whole || whole.nano))
		folded_info_set_u64(info, key,
			weight_share(count, weight_of(t->sum[c], t->scale), whole));
	else
		folded_info_set(info, key, (struct str){ 0 });
}

void
folded_info_keep(
	struct folded_info *info, const struct tree *t, const struct weight *whole)
{
	int last = t->columns - 1;

	keep_samples(info, true, t, last, whole[last]);
	keep_samples(info, false, t, 0, whole[0]);
}

const char *
folded_given_samples(const struct opt *o, const char *arg)
{
	struct folded_given *given = o->value;
	struct str after = str_of(arg), before = str_cut(&after, ',');

	if (!after.n)
		after = before;
	return str_to_u64(before, &given->samples[0]) && given->samples[0] &&
			str_to_u64(after, &given->samples[1]) && given->samples[1]
		? NULL
		: "is not a number of samples; use N, or BEFORE,AFTER";
}

void
folded_given_put(const struct folded_given *given, struct folded_info *info, int columns)
{
	if (given->unit && *given->unit)
		folded_info_set(info, "unit", str_of(given->unit));
	info->said |= given->columns != 0;
	folded_info_settle(info, given->keep && !given->samples[1]);
	if (given->samples[1])
		folded_info_set_u64(info, "samples", given->samples[1]);
	if (given->samples[0] && columns > 1)
		folded_info_set_u64(info, "samples-before", given->samples[0]);
}

static int
by_key(const void *a, const void *b)
{
	const struct folded_field *x = a, *y = b;

	return str_cmp(x->key, y->key);
}

void
folded_info_sort(struct folded_info *info)
{
	if (info->n)
		qsort(info->fields, info->n, sizeof *info->fields, by_key);
}

struct folded_sums
folded_sums_of(const struct tree *t)
{
	struct folded_sums sums = { .columns = t->columns };
	int c;

	for (c = 0; c < t->columns; c++)
		sums.sum[c] = weight_of(t->sum[c], t->scale);
	return sums;
}

static void
put_sums(struct buf *b, struct folded_sums sums)
{
	buf_fmt(b, " columns=%d total=", sums.columns);
	weight_put(b, sums.sum[sums.columns - 1]);
	if (sums.columns < 2)
		return;
	buf_str(b, STR(" total-before="));
	weight_put(b, sums.sum[0]);
}

void
folded_put_header(struct buf *b, const struct folded_info *info, struct folded_sums sums)
{
	size_t i;

	buf_str(b, STR("#fg"));
	for (i = 0; i < info->n; i++) {
		buf_char(b, ' ');
		buf_encoded(b, info->fields[i].key, '=');
		buf_char(b, '=');
		buf_encoded(b, info->fields[i].value, 0);
	}
	put_sums(b, sums);
}

double
folded_round(double value)
{
	char text[32];

	snprintf(text, sizeof text, "%.6g", value);
	return strtod(text, NULL);
}

/* The name is encoded and last: a parser that takes a line ending in a blank and a number for a
 * stack must not take these lines. */
static void
put_tests(struct buf *b, const struct folded_info *info)
{
	const struct folded_test *test;
	size_t i;

	for (i = 0; i < info->n_tests; i++) {
		test = &info->tests[i];
		buf_str(b,
			test->is_self ? STR("#fg-test self=") : STR("#fg-test total="));
		buf_double(b, test->phi);
		buf_char(b, ',');
		buf_double(b, test->p);
		buf_str(b, STR(" name="));
		buf_encoded(b, test->name, 0);
		buf_char(b, '\n');
	}
}

void
folded_put_notes(struct buf *b, const struct folded_info *info)
{
	put_tests(b, info);
	folded_program_put(b, info);
}

void
folded_write_header(
	struct output *out, const struct folded_info *info, struct folded_sums sums)
{
	struct buf b = { 0 };

	if (!info ||
		(!info->n && !info->n_programs && !info->guessed && !info->said &&
			sums.columns < 2))
		return;
	if (info->guessed)
		msg_warn("each line has two weights and there is no header: reading them "
			 "as before and after; use --columns 1 if the first belongs to "
			 "the name");
	folded_put_header(&b, info, sums);
	buf_char(&b, '\n');
	folded_put_notes(&b, info);
	output_str(out, buf_view(&b));
	buf_release(&b);
}
