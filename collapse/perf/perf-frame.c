/* SPDX-License-Identifier: ISC */
/*
 * One frame line of perf script text, as sample__fprintf_callchain in
 * tools/perf/util/evsel_fprintf.c prints it; see perf-frame.h.
 *
 *	\t    55be899f2f25 app::outer+0x35 (/opt/demo/my work)
 *	\tffffffff822057e0 its_return_thunk+0x0 ([kernel.kallsyms])
 *	\t            2eab app::lvl3+0x1b (inlined)
 *	\t           d44a3 [unknown] (/memfd:x (deleted))
 *	\t    7f4198ace577  ()			perf before 3.0
 *	\t            2f25 app::outer		-F ip,sym
 *	        b3cea6c4\tLock::unlock() (/system/lib/libc.so)	simpleperf
 */
#include "perf-frame.h"

/* Whether A is the hexadecimal digits of an address. */
static bool
is_address(struct str a)
{
	uint64_t value;

	return str_hex_to_u64(a, &value);
}

/* The '(' of the balanced group that ends A, which ends in ')'; A.n when it
 * does not balance. */
static size_t
find_group(struct str a)
{
	size_t at = a.n, depth = 0;

	while (at-- > 0) {
		if (a.s[at] == ')')
			depth++;
		else if (a.s[at] == '(' && --depth == 0)
			return at;
	}
	return a.n;
}

/* The last " (/" or " ([" of A, for a module whose own brackets do not pair;
 * A.n when there is none. */
static size_t
find_path(struct str a)
{
	size_t at;

	for (at = a.n; at-- > 1;)
		if (str_is_blank(a.s[at - 1]) &&
			(str_starts(str_from(a, at), STR("(/")) ||
				str_starts(str_from(a, at), STR("(["))))
			return at;
	return a.n;
}

/* Cuts " (module)" off the end of *REST. A group that touches the symbol is an
 * argument list or "operator()". */
static bool
cut_module(struct str *rest, struct str *module)
{
	bool closed = str_ends(*rest, STR(")"));
	size_t open = closed ? find_group(*rest) : rest->n;

	if (open == rest->n || (open > 0 && !str_is_blank(rest->s[open - 1])))
		open = find_path(*rest);
	if (open == rest->n)
		return false;
	/* A line that was cut short may lack the bracket. */
	*module = (struct str){ rest->s + open + 1, rest->n - open - 1 - closed };
	*rest = str_trim(str_head(*rest, open));
	return true;
}

static struct str
cut_offset(struct str symbol)
{
	size_t plus = str_rfind(symbol, '+');

	if (plus < symbol.n && str_starts(str_from(symbol, plus), STR("+0x")) &&
		is_address(str_from(symbol, plus + 3)))
		return str_head(symbol, plus);
	return symbol;
}

bool
perf_frame_parse(struct str line, struct perf_frame *f)
{
	struct str rest = line, unknown = STR("[unknown]");

	*f = (struct perf_frame){ 0 };
	f->address = str_word(&rest);
	if (!is_address(f->address))
		return false;
	rest = str_trim(rest);
	f->has_module = cut_module(&rest, &f->module);
	f->symbol = cut_offset(rest);
	f->inlined = f->has_module && str_eq(f->module, STR("inlined"));
	if (f->inlined || str_eq(f->module, unknown))
		f->module = (struct str){ 0 };
	if (str_eq(f->symbol, unknown))
		f->symbol = (struct str){ 0 };
	return true;
}

size_t
perf_frame_find(struct str text, bool named)
{
	enum { COLUMNS = 17, TRIES = 16 };
	struct str rest = text, before, word;
	struct perf_frame f;
	int tries;

	if (named && !str_ends(str_trim(text), STR(")")))
		return text.n;
	for (tries = 0; rest.n && tries < TRIES; tries += is_address(word)) {
		before = rest;
		word = str_word(&rest);
		if (before.n - rest.n < COLUMNS || !is_address(word))
			continue;
		before = str_from(text, text.n - rest.n - word.n);
		if (!named || (perf_frame_parse(before, &f) && f.has_module))
			return text.n - before.n;
	}
	return text.n;
}
