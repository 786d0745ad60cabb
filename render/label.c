/* SPDX-License-Identifier: ISC */
/* Fits names into boxes; see label.h. */
#include "label.h"
#include "utf8.h"

size_t
label_columns(struct str text)
{
	uint32_t point;
	size_t n, columns = 0;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_next(text, &point);
		columns += utf8_columns(point);
	}
	return columns;
}

/* How many bytes of TEXT fit in COLUMNS columns and half of LABEL_BYTES. */
static size_t
bytes_within(struct str text, size_t columns)
{
	struct str rest = text;
	uint32_t point;
	size_t n, used = 0;

	for (; rest.n; rest = str_from(rest, n)) {
		n = utf8_next(rest, &point);
		used += utf8_columns(point);
		if (used > columns || text.n - rest.n + n > LABEL_BYTES / 2)
			break;
	}
	return text.n - rest.n;
}

/* How many bytes to cut from the start of TEXT, ALL columns wide, so that the rest fits in
 * COLUMNS columns and half of LABEL_BYTES. */
static size_t
bytes_before(struct str text, size_t all, size_t columns)
{
	struct str rest = text;
	uint32_t point;

	while (rest.n && (all > columns || rest.n > LABEL_BYTES / 2)) {
		size_t n = utf8_next(rest, &point);

		all -= utf8_columns(point);
		rest = str_from(rest, n);
	}
	return text.n - rest.n;
}

/* Adds TEXT in at most COLUMNS columns. If it does not fit, MARK replaces the middle, or the
 * end. */
static void
put_cut(struct buf *b, struct str text, size_t columns, struct str mark, bool at_end)
{
	size_t all, tail, left;

	if (columns < LABEL_MIN)
		return;
	/* A column takes at least one byte, combining marks aside: names short in bytes need no
	 * counting. */
	all = text.n <= columns ? text.n : label_columns(text);
	if (all <= columns && text.n <= LABEL_BYTES) {
		buf_str(b, text);
		return;
	}
	left = columns - label_columns(mark);
	tail = at_end ? 0 : left / 2;
	buf_str(b, str_head(text, bytes_within(text, left - tail)));
	buf_str(b, mark);
	if (tail)
		buf_str(b, str_from(text, bytes_before(text, all, tail)));
}

void
label_cut(struct buf *b, struct str text, size_t columns, struct str mark)
{
	put_cut(b, text, columns, mark, false);
}

void
label_fit(struct buf *b, struct str text, size_t columns)
{
	put_cut(b, text, columns, LABEL_ELLIPSIS, false);
}

void
label_fit_right(struct buf *b, struct str text, size_t columns)
{
	put_cut(b, text, columns, LABEL_ELLIPSIS, true);
}

/* Shorter names, as in viewer/label.js. */

static bool
is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
		(c >= 'a' && c <= 'z') || c == '_';
}

/* Whether template arguments may follow B: it is empty or ends in a word. */
static bool
takes_arguments(const struct buf *b)
{
	return !b->n ||
		(is_word(b->s[b->n - 1]) && !str_ends(buf_view(b), STR("operator")));
}

/* Sets B to S with "<..>" in place of the text between angle brackets after a word, or at the
 * start of a method of Rust; to S where brackets are not in pairs. */
static void
fold_templates(struct buf *b, struct str s)
{
	bool is_named = s.n && *s.s == '<' && str_search(s, STR(">::")) == s.n;
	size_t i, depth = 0;

	buf_clear(b);
	for (i = 0; i < s.n && !is_named; i++) {
		if (s.s[i] == '<' && (depth || takes_arguments(b))) {
			if (depth++ == 0)
				buf_str(b, STR("<..>"));
		} else if (s.s[i] == '>' && depth &&
			!(i && (s.s[i - 1] == '-' || s.s[i - 1] == '='))) {
			depth--;
		} else if (!depth) {
			buf_char(b, s.s[i]);
		}
	}
	if (!is_named && !depth)
		return;
	buf_clear(b);
	buf_str(b, s);
}

static bool
cut_end(struct str *s, struct str end)
{
	bool has = str_ends(*s, end);

	if (has)
		s->n -= end.n;
	return has;
}

/* S without a compiler suffix such as ".part.0"; S if it has none. */
static struct str
cut_suffix(struct str s)
{
	static const struct str suffixes[] = { { ".constprop", 10 }, { ".part", 5 },
		{ ".isra", 5 }, { ".cold", 5 }, { ".lto_priv", 9 }, { ".localalias", 11 },
		{ ".llvm", 5 } };
	struct str bare = s;
	size_t i;

	while (bare.n && bare.s[bare.n - 1] >= '0' && bare.s[bare.n - 1] <= '9')
		bare.n--;
	if (bare.n == s.n || !cut_end(&bare, STR(".")))
		bare = s;
	for (i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (cut_end(&bare, suffixes[i]))
			return bare;
	return s;
}

/* S without the parameters at its end and the text after them. */
static struct str
cut_parameters(struct str s)
{
	struct str rest = s;
	size_t depth = 0;

	while (cut_end(&rest, STR(" const")) || cut_end(&rest, STR(" volatile")) ||
		cut_end(&rest, STR(" &")) || cut_end(&rest, STR("&")))
		;
	if (!str_ends(rest, STR(")")))
		return s;
	while (rest.n > 1) {
		depth += rest.s[rest.n - 1] == ')';
		depth -= rest.s[--rest.n] == '(';
		if (!depth)
			return rest;
	}
	return s;
}

/* Whether S is identifiers separated by dots. */
static bool
is_qualified(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.s[i] == '.' ? !i || i + 1 == s.n || s.s[i - 1] == '.'
				  : !is_word(s.s[i]) && s.s[i] != '$')
			return false;
	return str_find(s, '.') < s.n && !(s.s[0] >= '0' && s.s[0] <= '9');
}

/* The last N parts of S, separated by SEPARATORS. */
static struct str
last_between(struct str s, struct str separator, size_t n)
{
	size_t at = s.n;

	while (at > 0) {
		at--;
		if (str_starts(str_from(s, at), separator) && --n == 0)
			return str_from(s, at + separator.n);
	}
	return s;
}

/* The last N parts of a C++ or Rust name, the last part of a path, or the last N of a qualified
 * name of other languages. */
static struct str
last_parts(struct str s, size_t n)
{
	size_t at = str_rfind(s, '/');

	if (str_search(s, STR("::")) < s.n)
		return last_between(s, STR("::"), n);
	if (at > 0 && at + 1 < s.n && s.s[at - 1] != ' ' && s.s[at + 1] != ' ')
		s = str_from(s, at + 1);
	return is_qualified(s) ? last_between(s, STR("."), n) : s;
}

void
label_fit_name(struct buf *b, struct str name, size_t columns, bool at_end)
{
	struct buf folded = { 0 };
	struct str spelling[5] = { name }, plain, next;
	size_t i;

	fold_templates(&folded, name);
	plain = buf_view(&folded);
	for (next = cut_suffix(plain); next.n < plain.n; next = cut_suffix(plain))
		plain = next;
	plain = cut_parameters(plain);
	spelling[1] = buf_view(&folded);
	spelling[2] = plain;
	spelling[3] = last_parts(plain, 2);
	spelling[4] = last_parts(plain, 1);
	for (i = 0; i < 4; i++)
		if (label_columns(spelling[i]) <= columns && spelling[i].n)
			break;
	if (!spelling[i].n)
		spelling[i] = name;
	put_cut(b, spelling[i], columns, LABEL_ELLIPSIS, at_end);
	buf_release(&folded);
}
