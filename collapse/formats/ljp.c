/* SPDX-License-Identifier: ISC */
/*
 * traces.txt of lightweight-java-profiler (its display.cc):
 *
 *	42 3 	prog.my_func_b(prog.java:455)
 *		prog.my_func_a(prog.java:123)
 *		java.lang.Thread.run(Thread.java:744)
 *
 *	Total trace count = 42, Total traces = 1
 *
 *	Hot methods:
 *	        42 	prog.my_func_b(prog.java:455)
 *
 * A trace is a count of samples, the number of frames, and the frames, innermost first,
 * of which some may be missing. A failed trace has the count alone. The rest after the
 * total repeats the traces.
 */
#include "stacks/counted-stack.h"
#include "formats.h"

/* Cuts "42 3 " off *LINE: the count, and the number of frames if present. */
static bool
cut_head(struct str *line, struct str *count, uint64_t *frames)
{
	struct str rest = *line, word;

	*count = str_word(&rest);
	if (!counted_stack_is_number(*count))
		return false;
	*line = rest;
	word = str_word(&rest);
	*frames = 0;
	if (word.n && !str_to_u64(word, frames))
		return false;
	*line = str_trim(rest);
	return true;
}

/* Whether TEXT is like "prog.my_func_b(prog.java:455)". */
static bool
is_frame(struct str text)
{
	return str_ends(text, STR(")")) && str_rfind(text, '(') < text.n;
}

static void
cut_frame(struct str line, struct frame_names_symbol *s)
{
	size_t open = str_rfind(line, '(');

	s->name = str_head(line, open);
	s->srcline = str_from(line, open + 1);
	s->srcline.n--;
}

/* Like cut_frame, without the source line. */
static void
cut_name(struct str line, struct frame_names_symbol *s)
{
	s->name = str_head(line, str_rfind(line, '('));
}

struct reader {
	struct counted_stack stack;
	counted_stack_cut *cut;
};

static void
parse_line(struct reader *r, struct str line)
{
	struct str text = line, count;
	uint64_t frames;

	if (line.n && line.s[0] == '\t') {
		text = str_trim(line);
	} else if (cut_head(&text, &count, &frames)) {
		counted_stack_begin(&r->stack, count);
	} else {
		text = str_trim(line);
	}
	if (is_frame(text) && r->stack.number.n)
		counted_stack_frame(&r->stack, text, r->cut);
	else if (text.n)
		collapse_lose(r->stack.names.c, COLLAPSE_MALFORMED);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .stack.names.c = c,
		.cut = collapse_options(c)->srcline ? cut_frame : cut_name };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line) && !str_starts(line, STR("Total trace count")) &&
		!str_starts(str_trim(line), STR("Total ")))
		parse_line(&r, line);
	counted_stack_close(&r.stack);
	counted_stack_release(&r.stack);
	return true;
}

static int
probe(struct str head)
{
	uint64_t frames = 0, left;
	struct str line, count;

	line = str_cut(&head, '\n');
	if (!cut_head(&line, &count, &frames) || !frames || !is_frame(line))
		return 0;
	for (left = frames - 1; left && head.n; left--) {
		line = str_cut(&head, '\n');
		if (!line.n || !str_is_blank(line.s[0]) || !is_frame(str_trim(line)))
			return 0;
	}
	return 80;
}

const struct collapse_format collapse_ljp = {
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES,
};
