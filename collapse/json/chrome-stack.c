/* SPDX-License-Identifier: ISC */
/* Samples of a trace to stacks; see chrome-stack.h. */
#include "chrome-stack.h"
#include "mem.h"

void
chrome_stacks_release(struct chrome_stacks *s)
{
	v8_tree_release(&s->frames);
	free(s->samples);
	*s = (struct chrome_stacks){ 0 };
}

void
chrome_stacks_add(struct chrome_stacks *s, const struct chrome_sample *sample)
{
	s->samples = mem_grow(s->samples, &s->cap, s->n + 1, sizeof *s->samples);
	s->samples[s->n] = *sample;
	s->samples[s->n].order = (uint32_t)s->n;
	s->n++;
}

static int
by_thread_and_time(const void *a, const void *b)
{
	const struct chrome_sample *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Folds AT, the next of which in time is NEXT, or NULL. */
static void
fold_sample(struct chrome_stacks *s, struct input *in, struct collapse *c,
	struct collapse_sample *whose, const struct chrome_sample *at)
{
	const struct chrome_sample *next = at + 1;
	uint32_t root = collapse_root(c, whose), node = V8_NONE, path = STACK_NOWHERE;

	whose->has_time = at->ts >= 0;
	whose->time = whose->has_time ? (uint64_t)at->ts : 0;
	whose->period = next < s->samples + s->n && next->thread == at->thread
		? (uint64_t)(next->ts - at->ts)
		: 0;
	if (!collapse_wants(c, whose))
		return;
	if (at->frame != CHROME_NONE)
		node = v8_tree_find(&s->frames, (int32_t)at->frame);
	if (node != V8_NONE)
		path = v8_tree_path(&s->frames, c, root, node);
	if (path == STACK_NOWHERE)
		collapse_lose(c, in, COLLAPSE_MALFORMED);
	else if (!collapse_add(c, path, whose))
		collapse_lose(c, in, COLLAPSE_OVERFLOW);
}

void
chrome_stacks_fold(struct chrome_stacks *s, const struct chrome_threads *threads,
	struct input *in, struct collapse *c, struct str event)
{
	struct collapse_sample whose = { .has_period = true };
	uint64_t missing = v8_tree_link(&s->frames);
	const struct chrome_sample *at;
	size_t i;

	c->losses[COLLAPSE_MALFORMED] += missing;
	if (s->n)
		qsort(s->samples, s->n, sizeof *s->samples, by_thread_and_time);
	for (i = 0; i < s->n; i++) {
		at = &s->samples[i];
		if (!i || at->thread != at[-1].thread || at->cpu != at[-1].cpu) {
			whose = chrome_thread_sample(threads, c, at->thread);
			whose.event = event;
			if (at->cpu != CHROME_NONE)
				whose.cpu = intern_str(&threads->texts, at->cpu);
		}
		fold_sample(s, in, c, &whose, at);
	}
}
