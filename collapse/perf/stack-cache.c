/* SPDX-License-Identifier: ISC */
/* The stack that a thread had last; see stack-cache.h. */
#include "stack-cache.h"
#include "mem.h"

void
stack_cache_release(struct stack_cache *t)
{
	free(t->steps);
	*t = (struct stack_cache){ 0 };
}

void
stack_cache_begin(struct stack_cache *t, const struct stack_cache_context *context,
	const struct callchain_step *steps, size_t n)
{
	size_t most = t->n < n ? t->n : n, same = 0;

	if (memcmp(&t->context, context, sizeof *context) == 0)
		while (same < most &&
			callchain_is_same(&t->steps[same].step, &steps[n - 1 - same]))
			same++;
	t->context = *context;
	t->n = same;
	if (t->cap < n)
		t->steps = mem_grow(t->steps, &t->cap, n, sizeof *t->steps);
}

void
stack_cache_push(struct stack_cache *t, const struct callchain_step *step, uint32_t node)
{
	t->steps[t->n++] = (struct stack_cache_step){ *step, node };
}
