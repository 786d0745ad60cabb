/* SPDX-License-Identifier: ISC */
/*
 * Function names; see name.h.
 *
 *	std::function<void (int)>::operator()(int) const
 *	main::{lambda(int)#1}::operator()(int) const [clone .isra.0]
 *	f(int)::'lambda'(int)::operator()(int) const
 *	(anonymous namespace)::Hidden::spin(double)
 *	net/http.(*conn).serve
 *	Lorg/demo/Main;.run(Ljava/lang/Object;)V
 *	<core::iter::Map<I,F> as core::iter::Iterator>::next::h0123456789abcdef
 */
#include "name.h"

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c) ||
		c == '_' || c == '$';
}

/* How many bytes at AT are the symbol of a C++ operator, when "operator" stands
 * before it: brackets in it do not pair. */
static size_t
operator_length(struct str name, size_t at)
{
	static const char *const symbols[] = { "()", "[]", "->*", "->", "<=>",
		"<<=", ">>=", "<<", ">>", "<=", ">=", "<", ">" };
	struct str word = STR("operator"), rest = str_from(name, at);
	size_t i;

	if (at < word.n || !str_ends(str_head(name, at), word) ||
		(at > word.n && is_word(name.s[at - word.n - 1])))
		return 0;
	for (i = 0; i < sizeof symbols / sizeof *symbols; i++)
		if (str_starts(rest, str_of(symbols[i])))
			return strlen(symbols[i]);
	return 0;
}

/* How far the bracket depth changes at AT; *LENGTH gets the bytes to go on. */
static int
step(struct str name, size_t at, size_t *length)
{
	char c = name.s[at];

	*length = 1;
	if (is_word(c))
		return 0;
	*length = operator_length(name, at);
	if (*length)
		return 0;
	*length = 1;
	if (c == '(' || c == '<' || c == '{' || c == '[')
		return 1;
	if (c == '>' && at > 0 && (name.s[at - 1] == '-' || name.s[at - 1] == '='))
		return 0;
	return c == ')' || c == '>' || c == '}' || c == ']' ? -1 : 0;
}

/* Whether an argument list may begin at AT: not a Go receiver, not C++'s
 * "(anonymous namespace)", not after a blank ("void (*f())()"). */
static bool
may_be_arguments(struct str name, size_t at)
{
	return name.s[at] == '(' && at > 0 && name.s[at - 1] != '.' &&
		!str_is_blank(name.s[at - 1]) &&
		!str_starts(str_from(name, at), STR("(anonymous"));
}

/* Whether what follows an argument list goes on with a scope: then the list
 * belongs to the function around. */
static bool
goes_on(struct str rest)
{
	static const char *const qualifiers[] = { " const", " volatile", " noexcept",
		" &&", " &" };
	size_t i = 0;

	while (i < sizeof qualifiers / sizeof *qualifiers)
		if (str_starts(rest, str_of(qualifiers[i]))) {
			rest = str_from(rest, strlen(qualifiers[i]));
			i = 0;
		} else {
			i++;
		}
	return str_starts(rest, STR("::"));
}

struct str
name_cut_arguments(struct str name)
{
	size_t at, length, open = name.n;
	int depth = 0, by;

	if (str_find(name, '(') == name.n)
		return name;
	for (at = 0; at < name.n; at += length) {
		by = step(name, at, &length);
		if (by > 0 && depth == 0 && open == name.n && may_be_arguments(name, at))
			open = at;
		depth += by;
		if (by < 0 && depth == 0 && open < name.n) {
			if (!goes_on(str_from(name, at + 1)))
				break;
			open = name.n;
		}
		/* More closed than opened: as if nothing had been. */
		if (depth < 0)
			depth = 0;
	}
	return str_head(name, open);
}

/* Whether NAME ends with "::h" and 16 hexadecimal digits. */
static bool
has_rust_hash(struct str name)
{
	enum { DIGITS = 16, TAIL = DIGITS + 3 };
	uint64_t hash;

	return name.n > TAIL && str_starts(str_from(name, name.n - TAIL), STR("::h")) &&
		str_hex_to_u64(str_from(name, name.n - DIGITS), &hash);
}

/* Adds what the escape between two '$' stands for; false when it is none. The
 * letters are those of the old mangling of rustc. */
static bool
put_escape(struct buf *b, struct str escape)
{
	static const struct {
		char code[3], means;
	} escapes[] = { { "SP", '@' }, { "BP", '*' }, { "RF", '&' }, { "LT", '<' },
		{ "GT", '>' }, { "LP", '(' }, { "RP", ')' }, { "C", ',' } };
	uint64_t code;
	size_t i;

	for (i = 0; i < sizeof escapes / sizeof *escapes; i++)
		if (str_eq(escape, str_of(escapes[i].code))) {
			buf_char(b, escapes[i].means);
			return true;
		}
	if (escape.n != 3 || escape.s[0] != 'u' ||
		!str_hex_to_u64(str_from(escape, 1), &code) || code < 0x20 || code > 0x7e)
		return false;
	buf_char(b, (char)code);
	return true;
}

void
name_put_rust(struct buf *b, struct str name)
{
	struct str rest;
	size_t end;

	if (!has_rust_hash(name)) {
		buf_str(b, name);
		return;
	}
	rest = str_head(name, name.n - 19);
	/* '_' stands before an escape at the beginning. */
	if (str_starts(rest, STR("_$")))
		rest = str_from(rest, 1);
	while (rest.n) {
		if (str_starts(rest, STR(".."))) {
			buf_str(b, STR("::"));
			rest = str_from(rest, 2);
			continue;
		}
		end = str_find(str_from(rest, 1), '$') + 1;
		if (rest.s[0] == '$' && end < rest.n &&
			put_escape(b, str_from(str_head(rest, end), 1))) {
			rest = str_from(rest, end + 1);
			continue;
		}
		buf_char(b, rest.s[0]);
		rest = str_from(rest, 1);
	}
}

size_t
name_find_arrow(struct str name)
{
	size_t at, length;
	int depth = 0;

	if (str_search(name, STR("->")) == name.n)
		return name.n;
	for (at = 0; at < name.n; at += length) {
		if (depth == 0 && at > 0 && name.s[at - 1] != ' ' &&
			!operator_length(name, at) &&
			str_starts(str_from(name, at), STR("->")))
			return at;
		depth += step(name, at, &length);
	}
	return name.n;
}
