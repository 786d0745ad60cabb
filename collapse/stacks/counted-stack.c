/* SPDX-License-Identifier: ISC */
/* Frames on lines, and a count; see counted-stack.h. */
#include "counted-stack.h"

void
counted_stack_release(struct counted_stack *s)
{
	frame_names_release(&s->names);
	cache_release(&s->nodes);
	buf_release(&s->number);
}

void
counted_stack_begin(struct counted_stack *s, struct str number)
{
	counted_stack_close(s);
	buf_str(&s->number, number);
}

void
counted_stack_close(struct counted_stack *s)
{
	if (s->number.n)
		counted_stack_end(s, buf_view(&s->number));
	buf_clear(&s->number);
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

static uint32_t
find_node(struct counted_stack *s)
{
	const struct frame_names *names = &s->names;
	struct str ids = { (const char *)names->ids, names->n * sizeof *names->ids };
	struct str_digest key;
	uint32_t root, node;

	if (!names->n)
		return TREE_ROOT;
	root = collapse_root(names->c, &s->sample);
	key = cache_below(root, str_digest(ids));
	node = cache_find(&s->nodes, key);
	return node != CACHE_NONE
		? node
		: cache_add(&s->nodes, key,
			  collapse_path(names->c, root, names->ids, names->n));
}

/* Adds the stack VALUE times. */
static void
add(struct counted_stack *s, uint64_t value)
{
	struct collapse *c = s->names.c;

	s->sample.has_period = s->unit != 0;
	s->sample.period = value * s->unit;
	s->sample.count = s->unit ? 1 : value;
	if (collapse_wants(c, &s->sample))
		collapse_add(c, find_node(s), &s->sample);
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
