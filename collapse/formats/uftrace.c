/* SPDX-License-Identifier: ISC */
/*
 * Output of uftrace replay: calls as blocks of C, with their durations where they end.
 *
 *	# DURATION     TID     FUNCTION
 *	            [ 28613] | main(1, 0x7ffd) {
 *	   3.064 us [ 28613] |   fib(1) = 1;
 *	            [ 28613] |   usleep(1000) {
 *	   1.081 ms [ 28613] |     / * linux:schedule * /	(without the blanks)
 *	   1.102 ms [ 28613] |   } = 0; / * usleep * /
 *
 * cmds/replay.c of namhyung/uftrace. -f adds columns, whose positions the header shows;
 * --libname adds a library (malloc@libc.so.6), --srcline a source line after the
 * function; --column-view indents each thread differently. For units above seconds, the
 * digits after the point are in the next smaller unit: "2.030  m" is two and a half
 * minutes.
 */
#include "stacks/call-blocks.h"
#include "stacks/calls.h"
#include "collapse.h"
#include "formats.h"

/* Where the columns begin, from the header; NOWHERE: absent. */
#define NOWHERE SIZE_MAX
struct columns {
	size_t duration, tid, time, task, function;
};

struct reader {
	struct collapse *c;
	struct calls calls;
	struct columns columns;
};

/* The N bytes of LINE at AT, without blanks around them. */
static struct str
cut_column(struct str line, size_t at, size_t n)
{
	return str_trim(str_head(str_from(line, at), n));
}

/* Where TITLE is in LINE, minus BEFORE, as values may begin that much earlier. */
static size_t
find_column(struct str line, struct str title, size_t before)
{
	size_t at = str_search(line, title);

	if (at == line.n)
		return NOWHERE;
	return at > before ? at - before : 0;
}

/* Parses the header. Returns false for another line. */
static bool
parse_header(struct columns *to, struct str line)
{
	if (!str_starts(line, STR("#")))
		return false;
	to->duration = find_column(line, STR("DURATION"), 1);
	to->tid = find_column(line, STR("TID"), 3);
	to->time = find_column(line, STR("TIMESTAMP"), 6);
	to->task = find_column(line, STR("TASK NAME"), 6);
	to->function = find_column(line, STR("FUNCTION"), 2);
	return to->duration != NOWHERE && to->function != NOWHERE;
}

/* Parses a duration of uftrace, such as "3.064 us", "1.002  s", "2.030  m", as ns. */
static bool
read_duration(struct str text, uint64_t *ns)
{
	enum { SECOND = 1000000000, SIXTY = 60, MOST = 1000 };
	struct str fraction = str_word(&text), unit = str_trim(text), whole;
	uint64_t big, small;
	unsigned decimals;

	if (str_eq(unit, STR("us")) || str_eq(unit, STR("ms")) ||
		str_eq(unit, STR("s"))) {
		decimals = unit.s[0] == 'u' ? 3 : unit.s[0] == 'm' ? 6 : 9;
		return calls_read_time(fraction, decimals, ns);
	}
	if (str_eq(unit, STR("ns")))
		return calls_read_time(fraction, 0, ns);
	whole = str_cut(&fraction, '.');
	if (!str_to_u64(whole, &big) || !str_to_u64(fraction, &small) || big > MOST ||
		small > MOST)
		return false;
	*ns = (big * SIXTY + small) * SECOND;
	if (str_eq(unit, STR("h")))
		*ns *= SIXTY;
	return str_eq(unit, STR("h")) || str_eq(unit, STR("m"));
}

/* Parses "LOST N records!!". Returns false for another TEXT. */
static bool
cut_lost(struct str text, uint64_t *n)
{
	return str_eq(str_word(&text), STR("LOST")) && str_to_u64(str_word(&text), n);
}

/* Handles a comment, which is an event. Waiting becomes a call of its own; if nothing
 * happens meanwhile, it is a single line with its duration. */
static void
handle_event(struct reader *r, struct calls_thread *t, const struct call_block *e)
{
	struct str text = str_from(e->text, 2);
	bool out, in;
	uint64_t lost;

	text = str_trim(str_head(text, str_search(text, STR("*/"))));
	out = str_starts(text, STR("linux:sched-out"));
	in = str_eq(text, STR("linux:sched-in"));
	if (cut_lost(text, &lost))
		collapse_lose_recorded(r->c, lost);
	if (!out && !e->timed)
		return;
	if (out || in)
		text = str_ends(text, STR("(pre-empted)"))
			? STR("linux:schedule (pre-empted)")
			: STR("linux:schedule");
	calls_name_whole(&r->calls, text);
	if (!in || calls_depth(t) != e->depth + 1)
		calls_open(&r->calls, t, e->depth);
	if (e->timed)
		calls_return(&r->calls, t, e->depth, e->duration);
}

static struct calls_thread *
find_thread(struct reader *r, struct str line)
{
	const struct columns *at = &r->columns;
	struct str tid = { 0 };
	struct calls_thread *t;

	if (at->tid != NOWHERE) {
		tid = str_from(line, at->tid);
		(void)str_cut(&tid, '[');
		tid = str_trim(str_cut(&tid, ']'));
	}
	t = calls_find(&r->calls, tid);
	if (t->s.tid.n || !tid.n)
		return t;
	t->s.tid = calls_copy(&r->calls, tid);
	if (at->task != NOWHERE)
		t->s.comm = calls_copy(&r->calls, cut_column(line, at->task, 15));
	return t;
}

/* Parses a line. Returns false if it is not a call. */
static bool
parse_line(struct reader *r, struct str line)
{
	const struct columns *at = &r->columns;
	struct call_block e = { .text = str_from(line, at->function) };
	struct str duration = cut_column(line, at->duration, 10);
	struct calls_thread *t;

	if (!str_starts(e.text, STR("| ")))
		e.text = str_from(line, str_search(line, STR("] | ")) + 2);
	e.timed = duration.n > 0;
	if (!e.text.n || (e.timed && !read_duration(duration, &e.duration)))
		return false;
	for (e.text = str_from(e.text, 2); e.text.n && e.text.s[0] == ' '; e.depth++)
		e.text = str_from(e.text, 1);
	e.depth /= 2;
	t = find_thread(r, line);
	if (at->time != NOWHERE)
		t->s.has_time =
			calls_read_time(cut_column(line, at->time, 20), 9, &t->s.time);
	if (!str_starts(e.text, STR("/*")))
		return call_blocks_take(&r->calls, t, &e);
	handle_event(r, t, &e);
	return true;
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .calls = { .names = { .c = c } } };
	struct str line,
		stopped = STR("uftrace stopped tracing with remaining functions");
	bool titled = false, ended = false;

	collapse_threadless(c);
	collapse_exact(c);
	collapse_unit(c, STR("ns"));
	while (input_line(in, &line)) {
		if (str_starts(line, STR("#")))
			titled |= parse_header(&r.columns, line);
		else if (str_starts(line, stopped))
			ended = true;
		else if (str_trim(line).n && !ended && (!titled || !parse_line(&r, line)))
			collapse_lose(c, COLLAPSE_MALFORMED);
	}
	calls_tell(&r.calls, in, true);
	calls_release(&r.calls);
	return true;
}

static int
probe(struct str head)
{
	struct columns columns;
	struct str line = str_cut(&head, '\n');

	while (!str_trim(line).n && head.n)
		line = str_cut(&head, '\n');
	return parse_header(&columns, line) && str_search(line, STR(" FUNCTION")) < line.n
		? 90
		: 0;
}

const struct collapse_format collapse_uftrace = {
	.probe = probe,
	.signs = SIGNS(SIGN(START, "#")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FULL_NAMES,
	.for_times = "print them with uftrace replay -f +time",
};
