/* SPDX-License-Identifier: ISC */
/* The stack that a thread had last; see trail.h. */
#include "trail.h"
#include "mem.h"

void
trail_release(struct trail *t)
{
	free(t->steps);
	*t = (struct trail){ 0 };
}

void
trail_begin(struct trail *t, const struct trail_context *context,
	const struct chain_step *steps, size_t n)
{
	size_t most = t->n < n ? t->n : n, same = 0;

	if (memcmp(&t->context, context, sizeof *context) == 0)
		while (same < most &&
			chain_is_same(&t->steps[same].step, &steps[n - 1 - same]))
			same++;
	t->context = *context;
	t->n = same;
	if (t->cap < n)
		t->steps = mem_grow(t->steps, &t->cap, n, sizeof *t->steps);
}

void
trail_push(struct trail *t, const struct chain_step *step, uint32_t node)
{
	t->steps[t->n++] = (struct trail_step){ *step, node };
}
