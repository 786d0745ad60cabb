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

static void
parse_line(struct counted_stack *s, struct str line)
{
	struct str text = line, count;
	uint64_t frames;

	if (line.n && line.s[0] == '\t') {
		text = str_trim(line);
	} else if (cut_head(&text, &count, &frames)) {
		counted_stack_begin(s, count);
	} else {
		text = str_trim(line);
	}
	if (is_frame(text) && s->number.n)
		frame_names_line(&s->names, text, cut_frame);
	else if (text.n)
		collapse_lose(s->names.c, COLLAPSE_MALFORMED);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct counted_stack s = { .names.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line) && !str_starts(line, STR("Total trace count")) &&
		!str_starts(str_trim(line), STR("Total ")))
		parse_line(&s, line);
	counted_stack_close(&s);
	counted_stack_release(&s);
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
