/* SPDX-License-Identifier: ISC */
/* How the stacks of a recording end; see outcome.h. */
#include "outcome.h"
#include "ending.h"
#include "symbols/dso.h"

/* The kernel walks so many frames at most (sysctl kernel.perf_event_max_stack). */
enum { DEEPEST = 127 };

/* How S ends by the names of its two outermost frames, or OTHERWISE. */
static enum collapse_end
judge_names(const struct outcome_stack *s, enum collapse_end otherwise)
{
	uint32_t outer[2]; /* innermost first */
	size_t at = s->chain->n, n = 0, count;
	const uint32_t *ids;

	while (at > 0 && n < 2) {
		ids = frames_names(s->frames, s->chain, --at, &count);
		while (count > 0 && n < 2)
			outer[1 - n++] = ids[--count];
	}
	return ending_judge(s->frames->stack.c, outer + 2 - n, n, otherwise);
}

/* The same, and in which file, when that is not here to name its functions. */
static struct outcome
judge_outermost(const struct outcome_stack *s, enum collapse_end otherwise)
{
	enum collapse_end end = judge_names(s, otherwise);
	struct outcome o = { s->context->root, otherwise, end, { 0 } };
	struct dso *dso;

	if (end != COLLAPSE_NO_POINTERS)
		return o;
	dso = callchain_place(s->chain, s->chain->n - 1).dso;
	if (dso && dso_kind(dso) == DSO_FILE && !dso_code(dso)) {
		o.end = COLLAPSE_NO_FILE;
		o.module = dso_name(dso);
	}
	return o;
}

/* Whether S has the outermost frames of the stack before it. */
static bool
is_continued(const struct outcome_stack *s)
{
	const struct stack_cache *t = s->trail;
	const struct callchain *ch = s->chain;

	return t->n > 1 && ch->n > 1 && t->context.image == s->context->image &&
		t->context.kernel == s->context->kernel &&
		t->context.flags == s->context->flags &&
		callchain_is_same(&t->steps[0].step, &ch->steps[ch->n - 1]) &&
		callchain_is_same(&t->steps[1].step, &ch->steps[ch->n - 2]);
}

/* What the stack of CH ends by, as far as its recording says. */
static enum collapse_end
end_of(const struct callchain *ch)
{
	static const enum collapse_end ends[UNWIND_ENDS] = {
		[UNWIND_WHOLE] = COLLAPSE_ENTRY,
		[UNWIND_CUT] = COLLAPSE_CUT,
		[UNWIND_SWITCHED] = COLLAPSE_SWITCHED,
		[UNWIND_ABSENT] = COLLAPSE_GONE,
		[UNWIND_NO_RULE] = COLLAPSE_NO_RULES,
		[UNWIND_NO_FILE] = COLLAPSE_NO_FILE,
		[UNWIND_NO_MAP] = COLLAPSE_BROKEN,
		[UNWIND_BROKEN] = COLLAPSE_BROKEN,
		[UNWIND_DEEP] = COLLAPSE_BROKEN,
		[UNWIND_FOREIGN] = COLLAPSE_FOREIGN,
	};

	if (ch->unwound)
		return ends[ch->end];
	return ch->n < DEEPEST ? COLLAPSE_NO_POINTERS : COLLAPSE_DEEP;
}

void
outcome_judge(struct outcome *last, const struct outcome_stack *stack,
	struct collapse_sample *to)
{
	const struct callchain *ch = stack->chain;
	enum collapse_end end = end_of(ch);

	to->end = ch->steps[0].how & CALLCHAIN_BARE ? COLLAPSE_ALONE : end;
	if (to->end == COLLAPSE_ALONE || end == COLLAPSE_ENTRY) {
		last->otherwise = COLLAPSE_UNJUDGED;
		return;
	}
	if (last->root != stack->context->root || last->otherwise != end ||
		!is_continued(stack))
		*last = judge_outermost(stack, end);
	to->end = last->end;
	to->end_module = last->module;
	if ((to->end == COLLAPSE_NO_RULES || to->end == COLLAPSE_NO_FILE) && ch->end_dso)
		to->end_module = dso_name(ch->end_dso);
}
