/* SPDX-License-Identifier: ISC */
/* Parses the output of programs independently of their code; see laws.h. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "laws.h"

#include <pcre2.h>
#include <stdlib.h>
#include <zlib.h>

#include "mem.h"

enum { DECIMALS = 9 };

bool
same(enum slot a, enum slot b)
{
	struct str x = text_of(a), y = text_of(b);
	size_t i = 0, from;

	if (str_eq(x, y))
		return true;
	while (i < x.n && i < y.n && x.s[i] == y.s[i])
		i++;
	from = i > 60 ? i - 60 : 0;
	return differs("at byte %zu of %zu and %zu:\n\t...%.*s\n\t...%.*s", i, x.n, y.n,
		STR_ARG(str_head(str_from(x, from), 100)),
		STR_ARG(str_head(str_from(y, from), 100)));
}

/* Cuts a weight and the blank before it off the end of *LINE. */
static bool
cut_weight(struct str *line, wide *weight)
{
	size_t at = str_rfind(*line, ' ');
	struct str text = str_from(*line, at + 1);
	unsigned decimals = 0;
	bool point = false;

	if (at == line->n || !text.n)
		return false;
	*weight = 0;
	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (!str_is_digit(text.s[i]) || text.n > 36 || decimals == DECIMALS)
			return false;
		*weight = *weight * 10 + (unsigned)(text.s[i] - '0');
		decimals += point;
	}
	for (; decimals < DECIMALS; decimals++)
		*weight *= 10;
	*line = str_head(*line, at);
	return true;
}

struct lines
lines_of(struct str text, int columns)
{
	struct lines lines = { 0 };
	struct line line;
	wide before;

	while (text.n) {
		line.stack = str_cut(&text, '\n');
		if (!line.stack.n || *line.stack.s == '#')
			continue;
		line.weight = UNIT;
		line.good = columns == 0 ||
			(cut_weight(&line.stack, &line.weight) &&
				(columns == 1 || cut_weight(&line.stack, &before)));
		if (lines.n == lines.cap)
			lines.at = mem_grow(
				lines.at, &lines.cap, lines.n + 1, sizeof *lines.at);
		lines.at[lines.n++] = line;
	}
	return lines;
}

void
lines_release(struct lines *lines)
{
	free(lines->at);
}

static int
compare(const void *a, const void *b)
{
	return str_cmp(((const struct line *)a)->stack, ((const struct line *)b)->stack);
}

void
lines_merge(struct lines *lines)
{
	size_t n = 0;

	if (lines->n)
		qsort(lines->at, lines->n, sizeof *lines->at, compare);
	for (size_t i = 0; i < lines->n; i++)
		if (n && compare(lines->at + n - 1, lines->at + i) == 0)
			lines->at[n - 1].weight += lines->at[i].weight;
		else
			lines->at[n++] = lines->at[i];
	lines->n = 0;
	for (size_t i = 0; i < n; i++)
		if (lines->at[i].weight)
			lines->at[lines->n++] = lines->at[i];
}

wide
lines_sum(const struct lines *lines)
{
	wide sum = 0;

	for (size_t i = 0; i < lines->n; i++)
		sum += lines->at[i].weight;
	return sum;
}

wide
lines_unit(const struct lines *lines)
{
	wide unit = UNIT;

	for (size_t i = 0; i < lines->n; i++)
		while (lines->at[i].weight % unit)
			unit /= 10;
	return unit;
}

bool
lines_overflow(const struct lines *lines)
{
	return lines_sum(lines) / lines_unit(lines) > UINT64_MAX;
}

wide
weight_of(enum slot slot, int columns)
{
	struct lines lines = lines_of(text_of(slot), columns);
	wide sum = lines_sum(&lines);

	lines_release(&lines);
	return sum;
}

bool
is_sorted(enum slot slot)
{
	struct lines lines = lines_of(text_of(slot), 1);
	bool good = true;

	for (size_t i = 1; i < lines.n && good; i++)
		good = compare(lines.at + i - 1, lines.at + i) < 0 ||
			differs("behind %.*s", STR_ARG(lines.at[i - 1].stack));
	lines_release(&lines);
	return good;
}

bool
same_sums(struct lines a, struct lines b)
{
	bool good;

	lines_merge(&a);
	lines_merge(&b);
	good = same_lines(&a, &b);
	lines_release(&a);
	lines_release(&b);
	return good;
}

bool
cut_dimensions(struct str *stack, struct str by)
{
	if (str_eq(by, STR("none")))
		by = STR("");
	while (stack->n && str_cut(&by, ',').n)
		str_cut(stack, ';');
	return by.n == 0;
}

void
add_line(struct buf *b, struct str stack, struct str behind)
{
	buf_str(b, stack);
	buf_str(b, behind);
	buf_char(b, '\n');
}

/* Adds the lines of FROM that are comments, or the others, to B. */
static void
add_lines(struct buf *b, struct str from, bool comments)
{
	while (from.n) {
		struct str line = str_cut(&from, '\n');

		if (str_starts(line, STR("#")) == comments)
			add_line(b, line, STR(""));
	}
}

void
put_bare(enum slot to, struct str text)
{
	struct buf b = { 0 };

	add_lines(&b, text, false);
	put_text(to, buf_view(&b));
	buf_release(&b);
}

void
put_part(enum slot to, struct str text)
{
	struct buf b = { 0 };

	for (size_t i = 1; text.n; i++) {
		struct str line = str_cut(&text, '\n');

		if (i % 3 || i < 3 || str_starts(line, STR("#")))
			add_line(&b, line, STR(""));
	}
	put_text(to, buf_view(&b));
	buf_release(&b);
}

static int
compare_hashes(const void *a, const void *b)
{
	uint64_t x = str_hash(((const struct line *)a)->stack);
	uint64_t y = str_hash(((const struct line *)b)->stack);

	return (x > y) - (x < y);
}

void
put_in_another_order(enum slot to, struct str text)
{
	struct lines lines = lines_of(text, 0);
	struct buf b = { 0 };

	add_lines(&b, text, true);
	if (lines.n)
		qsort(lines.at, lines.n, sizeof *lines.at, compare_hashes);
	for (size_t i = 0; i < lines.n; i++)
		add_line(&b, lines.at[i].stack, STR(""));
	put_text(to, buf_view(&b));
	lines_release(&lines);
	buf_release(&b);
}

void
pack(struct buf *packed, struct str text)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)text.s, .avail_in = (uInt)text.n };
	size_t most;

	if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	most = deflateBound(&z, text.n);
	z.next_out = (Bytef *)buf_room(packed, most);
	z.avail_out = (uInt)most;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	packed->n = z.total_out;
	deflateEnd(&z);
}

bool
nothing_changed(const char *paths)
{
	run(LEFT, "fg-diff -q --exact --fail-over 0 --report json %s", paths);
	return says(LEFT, "\"functions\":[]") || differs("something changed: %s", paths);
}

bool
same_lines(const struct lines *a, const struct lines *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (compare(a->at + i, b->at + i) != 0)
			return differs("stack %.*s, not %.*s", STR_ARG(a->at[i].stack),
				STR_ARG(b->at[i].stack));
		else if (!a->at[i].good || !b->at[i].good ||
			a->at[i].weight != b->at[i].weight)
			return differs("another weight: %.*s", STR_ARG(a->at[i].stack));
	return a->n == b->n || differs("%zu stacks, not %zu", a->n, b->n);
}

bool
says(enum slot slot, const char *word)
{
	return str_search(text_of(slot), str_of(word)) < text_of(slot).n;
}

struct str
header_of(enum slot slot, const char *key)
{
	struct str rest = text_of(slot), line = str_cut(&rest, '\n'), field;

	if (!str_starts(line, STR("#fg ")))
		return STR("");
	while ((field = str_word(&line)).n)
		if (str_eq(str_cut(&field, '='), str_of(key)))
			return field;
	return STR("");
}

bool
matches(const char *pattern, int how, struct str text)
{
	static struct {
		const char *pattern;
		pcre2_code *code;
	} seen[40];
	static pcre2_match_data *data;
	size_t i = 0, at;
	int n, error;

	while (seen[i].pattern && seen[i].pattern != pattern)
		if (++i == sizeof seen / sizeof *seen)
			abort();
	if (!seen[i].pattern) {
		seen[i].pattern = pattern;
		seen[i].code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
			PCRE2_MULTILINE | (how == UTF8 ? PCRE2_UTF : 0), &error, &at,
			NULL);
		data = data ? data : pcre2_match_data_create(1, NULL);
	}
	if (!seen[i].code || !data)
		abort();
	n = pcre2_match(seen[i].code, (PCRE2_SPTR)(text.n ? text.s : ""), text.n, 0, 0,
		data, NULL);
	/* An expression that exceeds limits must not count as one without matches. */
	if (n < PCRE2_ERROR_PARTIAL &&
		!(n <= PCRE2_ERROR_UTF8_ERR1 && n >= PCRE2_ERROR_UTF8_ERR21))
		differs("PCRE2: error %d", n);
	return n >= 0;
}
