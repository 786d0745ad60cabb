/* SPDX-License-Identifier: ISC */
/* Frames on lines, and a number; see counted-stack.h. */
#include "counted-stack.h"

void
counted_stack_release(struct counted_stack *s)
{
	frame_names_release(&s->names);
}

void
counted_stack_frame(struct counted_stack *s, struct str line, counted_stack_cut *cut)
{
	struct str_digest digest = str_digest(line);
	struct frame_names_symbol symbol = { 0 };
	size_t first = s->names.n;

	if (frame_names_recall(&s->names, digest))
		return;
	cut(line, &symbol);
	frame_names_add(&s->names, &symbol);
	frame_names_keep(&s->names, digest, first);
}

bool
counted_stack_is_number(struct str text)
{
	size_t i = text.n && text.s[0] == '-';

	if (i == text.n)
		return false;
	for (; i < text.n; i++)
		if (!str_is_digit(text.s[i]))
			return false;
	return true;
}

/* Adds the stack to the sink, VALUE times. */
static void
add(struct counted_stack *s, uint64_t value)
{
	struct collapse *c = s->names.c;

	s->sample.has_period = s->unit != 0;
	s->sample.period = value * s->unit;
	s->sample.count = s->unit ? 1 : value;
	if (collapse_wants(c, &s->sample))
		collapse_stack(c, &s->sample, s->names.ids, s->names.n);
}

void
counted_stack_end(struct counted_stack *s, struct str number)
{
	struct collapse *c = s->names.c;
	uint64_t value;

	if (str_starts(number, STR("-"))) {
		if (collapse_wants(c, &s->sample))
			collapse_lose(c, COLLAPSE_NEGATIVE);
	} else if (!str_to_u64(number, &value) ||
		(s->unit && value > UINT64_MAX / s->unit)) {
		collapse_lose(c, COLLAPSE_OVERFLOW);
	} else if (value) {
		add(s, value);
	}
	s->names.n = 0;
}

void
counted_stack_drop(struct counted_stack *s)
{
	if (s->names.n)
		collapse_lose(s->names.c, COLLAPSE_MALFORMED);
	s->names.n = 0;
}
