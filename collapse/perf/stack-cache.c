/* SPDX-License-Identifier: ISC */
/* The stack that was folded last; see stack-cache.h. */
#include "stack-cache.h"
#include "mem.h"

void
stack_cache_release(struct stack_cache *t)
{
	free(t->stack);
	free(t->steps);
	*t = (struct stack_cache){ 0 };
}

/* The number of equal bytes at the ends of A and B, in whole words. */
static size_t
common_words(struct str a, struct str b)
{
	enum { BLOCK = 32, WORD = 8 };
	const char *p = a.s + a.n, *q = b.s + b.n;
	size_t most = a.n < b.n ? a.n : b.n, n = 0;

	while (n + BLOCK <= most && memcmp(p - n - BLOCK, q - n - BLOCK, BLOCK) == 0)
		n += BLOCK;
	while (n + WORD <= most && memcmp(p - n - WORD, q - n - WORD, WORD) == 0)
		n += WORD;
	return n;
}

/* How many steps of T are also in STACK, which has SAME bytes in common with it. */
static size_t
count_lines(const struct stack_cache *t, struct str stack, size_t same)
{
	size_t n, bytes, most = t->size < stack.n ? t->size : stack.n;

	while (same < most && t->stack[t->size - same - 1] == stack.s[stack.n - same - 1])
		same++;
	for (n = t->n; n > 0; n--) {
		bytes = t->steps[n - 1].bytes;
		/* The common bytes may be the end of a longer line. */
		if (bytes <= same &&
			(bytes == stack.n || stack.s[stack.n - bytes - 1] == '\n'))
			break;
	}
	return n;
}

static size_t
count_shared(const struct stack_cache *t, struct str stack)
{
	size_t same = common_words((struct str){ t->stack, t->size }, stack), n;

	n = t->width ? same / t->width : count_lines(t, stack, same);
	return n < 2 ? 0 : n;
}

void
stack_cache_begin(struct stack_cache *t, const struct stack_cache_context *context,
	struct str stack)
{
	if (t->n)
		t->n = memcmp(&t->context, context, sizeof *context) == 0
			? count_shared(t, stack)
			: 0;
	t->context = *context;
	if (t->room < stack.n)
		t->stack = mem_grow(t->stack, &t->room, stack.n, 1);
	if (stack.n)
		memcpy(t->stack, stack.s, stack.n);
	t->size = stack.n;
}

void
stack_cache_end(struct stack_cache *t, struct collapse *c, enum collapse_end end)
{
	/* Stacks without common frames usually end alike below the same root. */
	if (t->end != end || t->unmarked != t->context.root)
		t->root = collapse_mark_end(c, t->context.root, end);
	t->unmarked = t->context.root;
	t->end = end;
}

void
stack_cache_grow(struct stack_cache *t)
{
	t->steps = mem_grow(t->steps, &t->cap, t->n + 1, sizeof *t->steps);
}
