/* SPDX-License-Identifier: ISC */
/*
 * The report of wallClockProfiler, which samples a program with gdb
 * (github.com/jasonrohrer/wallClockProfiler):
 *
 *	Full stacks with more than one sample:
 *
 *	99.791% ===================================== (17194 samples)
 *	  1: poll__YNjd8fE6   (at /src/asyncloop.nim:343)
 *	  2: main   (at /src/main.nim:12)
 *
 *	0.209% ===== (36 samples)
 *	  1: work   (at work.c:7)
 *
 * Innermost first. Before "Full stacks" the report only has totals of functions.
 */
#include "stacks/counted-stack.h"
#include "formats.h"

static const struct str begin = { "Full stacks", 11 };

/* Parses "99.791% ==== (17194 samples)" to "17194" in *SAMPLES. */
static bool
cut_head(struct str text, struct str *samples)
{
	struct str end = STR(" samples)");
	size_t open = str_rfind(text, '(');

	if (!text.n || !str_is_digit(text.s[0]) || open == text.n ||
		!str_ends(text, end) || str_find(text, '%') > open)
		return false;
	*samples = str_from(text, open + 1);
	samples->n -= end.n;
	return counted_stack_is_number(*samples);
}

/* Cuts "1: " off TEXT. */
static bool
cut_number(struct str *text)
{
	struct str rest = *text, number = str_cut(&rest, ':');

	if (!counted_stack_is_number(number) || !rest.n)
		return false;
	*text = str_trim(rest);
	return true;
}

static void
cut_frame(struct str line, struct frame_names_symbol *s)
{
	/* A path may contain "(at " too. */
	size_t at = str_search(line, STR("   (at "));

	at = at < line.n ? at + 3 : str_search(line, STR("(at "));
	s->name = str_trim(str_head(line, at));
	s->srcline = str_from(line, at + 4);
	s->srcline.n -= s->srcline.n > 0;
}

struct reader {
	struct counted_stack stack;
	bool full; /* "Full stacks" was read */
};

static void
parse_line(struct reader *r, struct str line)
{
	struct str text = str_trim(line), samples;

	if (!r->full || str_starts(text, begin)) {
		r->full |= str_starts(text, begin);
	} else if (cut_head(text, &samples)) {
		counted_stack_begin(&r->stack, samples);
	} else if (r->stack.number.n && cut_number(&text)) {
		frame_names_line(&r->stack.names, text, cut_frame);
	} else if (text.n) {
		collapse_lose(r->stack.names.c, COLLAPSE_MALFORMED);
	} else if (r->stack.names.n) {
		counted_stack_close(&r->stack);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .stack.names.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	counted_stack_close(&r.stack);
	counted_stack_release(&r.stack);
	return true;
}

static int
probe(struct str head)
{
	struct str line, samples;
	bool full = false;

	while (head.n) {
		line = str_trim(str_cut(&head, '\n'));
		if (str_starts(line, begin))
			full = true;
		else if (cut_head(line, &samples))
			return full ? 95 : 60;
	}
	return 0;
}

const struct collapse_format collapse_wall_clock_profiler = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, " samples)")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES,
};
