/* SPDX-License-Identifier: ISC */
/* Frames in valgrind's output; see valgrind-frame.h. */
#include "valgrind-frame.h"

/* Cuts " (...)" off the end of *TEXT and returns the text inside; empty if absent. */
static struct str
cut_bracket(struct str *text)
{
	struct str inside = { 0 };
	size_t i = text->n, depth = 0;

	if (!str_ends(*text, STR(")")))
		return inside;
	do {
		i--;
		depth += text->s[i] == ')';
		depth -= text->s[i] == '(';
	} while (i > 0 && depth > 0);
	if (depth || i == 0 || text->s[i - 1] != ' ')
		return inside;
	inside = (struct str){ text->s + i + 1, text->n - i - 2 };
	text->n = i - 1;
	return inside;
}

/* Whether TEXT is "file:line" or "file:line:column". */
static bool
is_place(struct str text)
{
	size_t colon = str_rfind(text, ':');

	return colon < text.n && colon + 1 < text.n && str_is_digit(text.s[colon + 1]);
}

struct frame_names_symbol
valgrind_frame_cut(struct str text)
{
	struct frame_names_symbol s = { 0 };
	struct str rest = text, head, inside;

	if (str_starts(rest, STR("0x"))) {
		head = str_from(str_cut(&rest, ':'), 2);
		s.address = head;
		rest = str_trim(rest);
	}
	s.name = rest;
	inside = cut_bracket(&s.name);
	if (str_starts(inside, STR("in ")))
		s.module = str_from(inside, 3);
	else if (!is_place(inside))
		s.name = rest;
	else
		s.srcline = inside;
	if (str_eq(s.name, STR("???")))
		s.name.n = 0;
	return s;
}
