/* SPDX-License-Identifier: ISC */
/*
 * Traces of Xdebug, a debugger for PHP: xdebug.mode=trace. With trace_format=1 each line
 * has fields separated by tabs (T):
 *
 *	Version: 3.2.0
 *	File format: 4
 *	TRACE START [2026-11-21 03:37:47.201607]
 *	1T0T0T0.000143T399656T{main}T1TT/opt/t.phpT0T0
 *	2T1T0T0.000173T400840TincludeT1T/opt/inc.phpT/opt/t.phpT5T0
 *	2T1T1T0.000184T400840
 *	1T0TRTTT1
 *	TTT0.000487T395792
 *	TRACE END   [2026-11-21 03:37:47.201976]
 *
 * Fields are level, call number, 0 for a call or 1 for its return, seconds, and bytes in
 * use; then the function, whether it is user-defined, the included file, the file, line
 * and arguments. R is a returned value, A an assignment. The default, trace_format=0, is
 * for people, and has returns only with collect_return:
 *
 *	TRACE START [2026-11-21 03:37:47.190700]
 *	    0.0003     399656   -> {main}() /opt/t.php:0
 *	    0.0004     400840     -> include(/opt/inc.php) /opt/t.php:5
 *	    0.0004     400900      >=> 1
 *	                           => $t = 0 /opt/t.php:3
 *	    0.0005     395792
 *
 * https://xdebug.org/docs/trace. Without returns, a call lasts until the next line of the
 * same depth. A file may contain several traces. stackcollapse-xdebug.php omits the
 * included file.
 */
#include "stacks/calls.h"
#include "collapse.h"
#include "formats.h"

enum { SECONDS = 9 }; /* in ns, as a power of 10 */

struct reader {
	struct collapse *c;
	struct calls calls;
	struct calls_thread *thread; /* the only one */
	struct buf name;
	bool open; /* in a trace */
};

/* Names the function NAME, which includes FILE unless that is empty. */
static void
name_function(struct reader *r, struct str name, struct str file)
{
	if (file.n && !str_eq(name, STR("eval"))) {
		buf_clear(&r->name);
		buf_str(&r->name, name);
		buf_char(&r->name, '(');
		buf_str(&r->name, file);
		buf_char(&r->name, ')');
		name = buf_view(&r->name);
	}
	calls_name_whole(&r->calls, name);
}

/* Parses a line of trace_format=1. Returns false if malformed. */
static bool
parse_fields(struct reader *r, struct str line)
{
	struct str level = str_cut(&line, '\t'), kind, time, name, file;
	uint64_t depth = 1, now;

	(void)str_cut(&line, '\t');
	kind = str_cut(&line, '\t');
	if (str_eq(kind, STR("R")) || str_eq(kind, STR("A")))
		return true;
	time = str_cut(&line, '\t');
	if ((level.n && (!str_to_u64(level, &depth) || !depth || depth > UINT32_MAX)) ||
		!calls_read_time(time, SECONDS, &now))
		return false;
	calls_until(&r->calls, r->thread, now);
	if (str_eq(kind, STR("1"))) {
		(void)calls_close(r->thread, (uint32_t)depth - 1);
		return true;
	}
	if (!str_eq(kind, STR("0")))
		return !level.n && !kind.n;
	(void)str_cut(&line, '\t');
	name = str_cut(&line, '\t');
	(void)str_cut(&line, '\t');
	file = str_cut(&line, '\t');
	name_function(r, name.n ? name : STR("(unnamed)"), file);
	calls_open(&r->calls, r->thread, (uint32_t)depth - 1);
	return true;
}

/* Cuts the function out of "work($n = 30) /opt/t.php:6". */
static struct str
cut_function(struct str text)
{
	size_t paren = str_find(text, '('), brace = str_find(text, '{'), end;

	/* A closure's name contains its file. */
	if (brace < paren) {
		brace += str_find(str_from(text, brace), '}');
		paren = brace + str_find(str_from(text, brace), '(');
	}
	if (str_starts(text, STR("include")) || str_starts(text, STR("require"))) {
		end = str_search(text, STR(") /"));
		return str_head(text, end < text.n ? end + 1 : text.n);
	}
	return str_head(text, paren);
}

/* The number of blanks at the start of LINE. */
static uint32_t
count_blanks(struct str line)
{
	size_t i = 0;

	while (i < line.n && line.s[i] == ' ')
		i++;
	return (uint32_t)i;
}

/* Parses a line of trace_format=0. Returns false if malformed. */
static bool
parse_text(struct reader *r, struct str line)
{
	/* The blanks before the outermost call, and before its return. */
	enum { CALL = 3, RETURN = 4 };
	struct str rest = line, memory;
	uint32_t blanks;
	uint64_t now, bytes;

	if (str_starts(str_trim(line), STR("=> ")))
		return true;
	if (!calls_read_time(str_word(&rest), SECONDS, &now))
		return false;
	memory = str_word(&rest);
	if (!str_to_u64(memory, &bytes))
		return false;
	/* Xdebug 2 adds the memory allocated since the previous line. */
	memory = str_trim(rest);
	if (memory.n > 1 && (memory.s[0] == '+' || memory.s[0] == '-') &&
		str_is_digit(memory.s[1]))
		(void)str_word(&rest);
	blanks = count_blanks(rest);
	rest = str_from(rest, blanks);
	if (rest.n && !str_starts(rest, STR("-> ")) && !str_starts(rest, STR(">=> ")))
		return false;
	calls_until(&r->calls, r->thread, now);
	if (str_starts(rest, STR("-> "))) {
		name_function(r, cut_function(str_from(rest, 3)), (struct str){ 0 });
		calls_open(&r->calls, r->thread, blanks < CALL ? 0 : (blanks - CALL) / 2);
	} else if (rest.n) {
		(void)calls_close(r->thread, blanks < RETURN ? 0 : (blanks - RETURN) / 2);
	}
	return true;
}

/* Parses a line before, between or after traces. Returns false for other lines. */
static bool
parse_trace_border(struct reader *r, struct str line)
{
	struct str start = STR("TRACE START [");

	if (str_starts(line, start)) {
		r->open = true;
		r->thread->n = 0;
		r->thread->has_now = false;
		line = str_from(line, start.n);
		collapse_start_text(r->c, line);
		return true;
	}
	if (str_starts(line, STR("TRACE END "))) {
		r->open = false;
		return true;
	}
	return !line.n || str_starts(line, STR("Version: ")) ||
		str_starts(line, STR("File format: "));
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .calls = { .names = { .c = c } } };
	uint64_t before = collapse_samples(c);
	struct str line;
	bool good;

	collapse_threadless(c);
	collapse_exact(c);
	collapse_unit(c, STR("ns"));
	r.thread = calls_find(&r.calls, STR(""));
	while (input_line(in, &line)) {
		if (line.n && (line.s[0] == '\t' || str_is_digit(line.s[0])))
			good = parse_fields(&r, line);
		else if (line.n && line.s[0] == ' ')
			good = parse_text(&r, line);
		else
			good = parse_trace_border(&r, line);
		if (!good)
			collapse_lose(c, COLLAPSE_MALFORMED);
	}
	good = !r.open || collapse_damage(c, before, true);
	calls_release(&r.calls);
	buf_release(&r.name);
	return good;
}

static int
probe(struct str head)
{
	struct str text = str_trim(head);

	return str_starts(text, STR("TRACE START [")) ||
			str_search(text, STR("\nTRACE START [")) < text.n
		? 100
		: 0;
}

const struct collapse_format collapse_xdebug = {
	.probe = probe,
	.signs = SIGNS(SIGN(START, "TRACE START ["), SIGN(START, "Version: ")),
	.run = run,
};
