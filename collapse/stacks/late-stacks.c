/* SPDX-License-Identifier: ISC */
/* Stacks that are named late; see late-stacks.h. */
#include "late-stacks.h"
#include "mem.h"

#include <stdlib.h>

/* The names of this frame have not been looked up. */
#define UNNAMED UINT32_MAX

void
late_stacks_release(struct late_stacks *l)
{
	intern_release(&l->texts);
	intern_release(&l->stacks);
	cache_release(&l->known);
	free(l->frames);
	free(l->slots);
	free(l->entries);
	free(l->stack);
	free(l->ids);
	*l = (struct late_stacks){ .c = NULL };
}

/* The slot of NUMBER, or the free one where it belongs. */
static struct late_stacks_slot *
find_slot(const struct late_stacks *l, uint64_t number)
{
	uint64_t hash = (number ^ number >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(hash >> 20) & (l->slot_n - 1);

	while (l->slots[i].next && l->slots[i].number != number)
		i = (i + 1) & (l->slot_n - 1);
	return &l->slots[i];
}

/* Makes room for one more frame. */
static void
grow_slots(struct late_stacks *l)
{
	enum { FIRST = 1024 };
	size_t i;

	if (l->frame_n + l->frame_n / 2 < l->slot_n)
		return;
	free(l->slots);
	l->slot_n = l->slot_n ? 2 * l->slot_n : FIRST;
	l->slots = mem_zero(l->slot_n, sizeof *l->slots);
	for (i = 0; i < l->frame_n; i++)
		*find_slot(l, l->frames[i].number) =
			(struct late_stacks_slot){ l->frames[i].number, (uint32_t)i + 1 };
}

void
late_stacks_push(struct late_stacks *l, uint64_t frame)
{
	struct late_stacks_slot *slot;

	grow_slots(l);
	slot = find_slot(l, frame);
	if (!slot->next) {
		*MEM_ADD(l->frames, l->frame_n, l->frame_cap) =
			(struct late_stacks_frame){ frame, UNNAMED, 0 };
		*slot = (struct late_stacks_slot){ frame, (uint32_t)l->frame_n };
	}
	/* The first element is for the text of late_stacks_add. */
	if (!l->stack_n)
		l->stack_n = 1;
	*MEM_ADD(l->stack, l->stack_n, l->stack_cap) = slot->next - 1;
}

void
late_stacks_drop(struct late_stacks *l)
{
	l->stack_n = 0;
}

/* Makes STACK the current one. Returns its number of elements. */
static size_t
load(struct late_stacks *l, uint32_t stack)
{
	struct str bytes = intern_str(&l->stacks, stack);
	size_t n = bytes.n / sizeof *l->stack;

	l->stack = mem_grow(l->stack, &l->stack_cap, n, sizeof *l->stack);
	memcpy(l->stack, bytes.s, bytes.n);
	return n;
}

bool
late_stacks_recall(struct late_stacks *l, struct str_digest key)
{
	uint32_t stack = cache_find(&l->known, key);

	if (stack == CACHE_NONE)
		return false;
	l->stack_n = load(l, stack);
	return true;
}

void
late_stacks_keep(struct late_stacks *l, struct str_digest key)
{
	cache_add(&l->known, key, l->last);
}

void
late_stacks_add(struct late_stacks *l, uint64_t weight, uint64_t count, struct str about)
{
	struct late_stacks_entry *e;
	uint32_t stack;

	l->stack = mem_grow(l->stack, &l->stack_cap, 1, sizeof *l->stack);
	l->stack[0] = intern_id(&l->texts, about);
	l->stack_n = l->stack_n ? l->stack_n : 1;
	stack = intern_id(&l->stacks,
		(struct str){ (const char *)l->stack, l->stack_n * sizeof *l->stack });
	l->stack_n = 0;
	l->last = stack;
	/* Without --in-order, stack I has entry I. */
	e = collapse_options(l->c)->in_order || stack >= l->n ? NULL : &l->entries[stack];
	if (e && weight <= UINT64_MAX - e->weight && count <= UINT64_MAX - e->count) {
		e->weight += weight;
		e->count += count;
		return;
	}
	if (e) {
		collapse_lose(l->c, COLLAPSE_OVERFLOW);
		return;
	}
	*MEM_ADD(l->entries, l->n, l->cap) =
		(struct late_stacks_entry){ stack, weight, count };
}

/* The index of the second frame of the current stack, which has N elements and its
 * innermost frame at 1; skipped frames precede it. */
static size_t
find_second(const struct late_stacks *l, size_t n)
{
	size_t at = 2, i;

	for (i = 0; i < l->skip_n && at < n; i++)
		at += l->stack[at] == l->skip[i];
	return at;
}

bool
late_stacks_find_second(struct late_stacks *l, uint64_t *frame)
{
	enum { TOLERATED = 32 };
	uint32_t *counts = mem_zero(l->frame_n + 1, sizeof *counts);
	uint32_t best = 0, second;
	size_t i, at, n;

	for (i = 0; i < l->n; i++) {
		n = load(l, l->entries[i].stack);
		at = find_second(l, n);
		second = at < n ? l->stack[at] : (uint32_t)l->frame_n;
		if (at < n && ++counts[second] > counts[best])
			best = second;
	}
	n = counts[best];
	free(counts);
	if (n < 2 || n < l->n - l->n / TOLERATED)
		return false;
	*frame = l->frames[best].number;
	return true;
}

void
late_stacks_skip_second(struct late_stacks *l, uint64_t frame)
{
	if (l->skip_n < sizeof l->skip / sizeof *l->skip)
		l->skip[l->skip_n++] = find_slot(l, frame)->next - 1;
}

/* The state of late_stacks_fold. */
struct fold {
	struct late_stacks *l;
	late_stacks_name *name;
	void *context;
	struct frame_names names; /* of one frame */
	struct frame_names out;
};

/* Adds the names of FRAME to F's stack. */
static void
put_names(struct fold *f, struct late_stacks_frame *frame)
{
	struct frame_names *names = &f->names;
	struct late_stacks *l = f->l;
	size_t i;

	if (frame->first == UNNAMED) {
		names->n = 0;
		f->name(f->context, names, frame->number);
		frame->first = (uint32_t)l->id_n;
		frame->n = (uint32_t)names->n;
		l->ids = mem_grow(l->ids, &l->id_cap, l->id_n + names->n, sizeof *l->ids);
		if (names->n)
			memcpy(l->ids + l->id_n, names->ids, names->n * sizeof *l->ids);
		l->id_n += names->n;
	}
	for (i = 0; i < frame->n; i++)
		frame_names_push(&f->out, l->ids[frame->first + i]);
}

/* Sets S to the weight of entry I. */
static void
weigh(const struct late_stacks *l, size_t i, struct collapse_sample *s)
{
	*s = (struct collapse_sample){ .period = l->entries[i].weight,
		.count = l->entries[i].count,
		.has_period = true };
}

void
late_stacks_each(struct late_stacks *l, late_stacks_take *take, void *context)
{
	struct collapse_sample s;
	uint64_t *frames = NULL;
	size_t cap = 0, i, at, n;

	for (i = 0; i < l->n; i++) {
		weigh(l, i, &s);
		n = load(l, l->entries[i].stack);
		frames = mem_grow(frames, &cap, n, sizeof *frames);
		for (at = 1; at < n; at++)
			frames[at - 1] = l->frames[l->stack[at]].number;
		take(context, &s, frames, n - 1, intern_str(&l->texts, l->stack[0]));
	}
	free(frames);
}

void
late_stacks_fold(struct late_stacks *l, late_stacks_name *name,
	late_stacks_describe *describe, void *context)
{
	struct fold f = { l, name, context, { .c = l->c }, { .c = l->c } };
	struct collapse_sample s;
	size_t i, at, n, second;

	for (i = 0; i < l->n; i++) {
		weigh(l, i, &s);
		n = load(l, l->entries[i].stack);
		second = find_second(l, n);
		if (describe)
			describe(context, &s, intern_str(&l->texts, l->stack[0]));
		if (!collapse_wants(l->c, &s))
			continue;
		f.out.n = 0;
		for (at = 1; at < n; at = at == 1 ? second : at + 1)
			put_names(&f, &l->frames[l->stack[at]]);
		collapse_stack(l->c, &s, f.out.ids, f.out.n);
	}
	frame_names_release(&f.names);
	frame_names_release(&f.out);
}
