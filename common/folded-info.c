/* SPDX-License-Identifier: ISC */
/* The "#fg key=value" header of folded text; see folded.h. */
#include "folded.h"
#include "folded-quality.h"
#include "mem.h"
#include "msg.h"

#include <inttypes.h>

void
folded_info_release(struct folded_info *info)
{
	arena_release(&info->arena);
	free(info->fields);
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

/* What the header says. Of two columns, it may tell of the first by itself. */
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
	bool counts = str_eq(folded_info_get(info, "unit"), STR("samples")) && !t->scale;

	return known || !counts ? known : t->sum[column];
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

/* Adds TEXT with %HH made bytes again; a '%' that begins no such code stays. */
static void
put_decoded(struct buf *b, struct str text)
{
	uint64_t byte;

	for (; text.n; text = str_from(text, 1)) {
		if (text.s[0] == '%' && text.n >= 3 &&
			str_hex_to_u64((struct str){ text.s + 1, 2 }, &byte)) {
			buf_char(b, (char)byte);
			text = str_from(text, 2);
		} else {
			buf_char(b, text.s[0]);
		}
	}
}

/* Adds the field WORD. False when it is none, or beyond what a header may have. */
static bool
take_field(struct folded_info *info, struct str word, struct buf *key, struct buf *value)
{
	if (word.n > FOLDED_FIELD_LONGEST || info->n >= FOLDED_FIELDS_MOST)
		return false;
	buf_clear(key);
	buf_clear(value);
	put_decoded(key, str_cut(&word, '='));
	put_decoded(value, word);
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
		left += !take_field(info, word, &key, &value);
	if (left)
		msg_warn("leaving out %" PRIu64 " field%s of a header, which may have "
			 "%d of %d bytes each",
			left, msg_s(left), FOLDED_FIELDS_MOST, FOLDED_FIELD_LONGEST);
	buf_release(&key);
	buf_release(&value);
}

/* Keys that count something, so that two inputs' values add up. Of two columns
 * the first one's end in "-before". */
static bool
is_counted(struct str key)
{
	static const struct str before = { "-before", 7 };

	if (str_ends(key, before))
		key.n -= before.n;
	return str_eq(key, STR("samples")) || str_eq(key, STR("lost")) ||
		str_eq(key, STR("duration"));
}

/* What both headers say of a counted key. Nothing when one does not say it, unless
 * it is what was lost. */
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

/* Makes A, a field of INFO, hold for both inputs, of which the other says B. */
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

/* Merges the fields of MORE, which has a header, into those of INFO, which has one too. */
static void
merge_fields(struct folded_info *info, const struct folded_info *more)
{
	size_t i;

	folded_quality_merge(info, more);
	for (i = info->n; i-- > 0;)
		if (!folded_quality_is_key(info->fields[i].key))
			merge_field(info, &info->fields[i],
				value_of(more, info->fields[i].key));
}

bool
folded_info_merge(struct folded_info *info, const struct folded_info *more)
{
	bool first = !info->headed;
	struct str unit = folded_info_get(info, "unit");
	bool agree = first || str_eq(unit, folded_info_get(more, "unit"));
	size_t i;

	if (more->headed && !first)
		merge_fields(info, more);
	/* Said, so that whatever comes next differs as well. */
	if (more->headed && !agree)
		folded_info_set(info, "unit", STR("mixed"));
	merge_pieces(info, more);
	if (!more->headed)
		return true;
	info->headed = true;
	for (i = 0; i < more->n; i++)
		if (first ||
			(str_starts(more->fields[i].key, STR("lost")) &&
				is_counted(more->fields[i].key) &&
				!find(info, more->fields[i].key)))
			set(info, more->fields[i].key, more->fields[i].value);
	return agree;
}

/* Adjusts the samples of the last column, or of the one before, for column C. */
static void
keep(struct folded_info *info, bool last, const struct tree *t, int c,
	struct weight whole)
{
	const char *key = last ? "samples" : "samples-before";
	uint64_t count;

	if (weight_cmp(weight_of(t->sum[c], t->scale), whole) != 0)
		folded_quality_forget(info, last);
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

	keep(info, true, t, last, whole[last]);
	keep(info, false, t, 0, whole[0]);
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

/* Bytes that stand for themselves in a value: what is visible, but for '%' and
 * what means something in XML. */
static bool
is_plain(char c)
{
	return c > ' ' && c < 0x7f && !strchr("%<>&]", c);
}

/* Adds TEXT with all bytes but plain ones as %HH; SPECIAL is not plain. */
static void
put_encoded(struct buf *b, struct str text, char special)
{
	size_t i;

	for (i = 0; i < text.n; i++)
		if (is_plain(text.s[i]) && text.s[i] != special)
			buf_char(b, text.s[i]);
		else
			buf_fmt(b, "%%%02X", (unsigned char)text.s[i]);
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
		put_encoded(b, info->fields[i].key, '=');
		buf_char(b, '=');
		put_encoded(b, info->fields[i].value, 0);
	}
	put_sums(b, sums);
}

void
folded_write_header(
	struct output *out, const struct folded_info *info, struct folded_sums sums)
{
	struct buf b = { 0 };

	if (!info || (!info->n && !info->guessed && !info->said && sums.columns < 2))
		return;
	if (info->guessed)
		msg_warn(
			"each line has two weights and no header says columns=: taking them as "
			"before and after; use --columns 1 if the first is part of a name");
	folded_put_header(&b, info, sums);
	buf_char(&b, '\n');
	output_str(out, buf_view(&b));
	buf_release(&b);
}

void
folded_count_report(const struct folded_count *c)
{
	if (c->malformed || c->overflow)
		msg_warn("ignored %" PRIu64 " line%s", c->malformed + c->overflow,
			msg_s(c->malformed + c->overflow));
	if (c->rounded)
		msg_warn("rounded %" PRIu64 " weight%s", c->rounded, msg_s(c->rounded));
}
