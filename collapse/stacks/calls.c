/* SPDX-License-Identifier: ISC */
/* Open calls of threads; see calls.h. */
#include "calls.h"
#include "mem.h"
#include "msg.h"
#include "weight.h"

#include <inttypes.h>

void
calls_release(struct calls *k)
{
	uint32_t i;

	for (i = 0; i < k->keys.n; i++)
		free(k->threads[i].levels);
	free(k->threads);
	free(k->steps);
	intern_release(&k->keys);
	intern_release(&k->texts);
	frame_names_release(&k->names);
}

struct calls_thread *
calls_find(struct calls *k, struct str key)
{
	uint32_t known = k->keys.n, id = intern_id(&k->keys, key);

	if (id == known) {
		*MEM_AT(k->threads, k->cap, id) =
			(struct calls_thread){ .s = { .has_period = true } };
	}
	return &k->threads[id];
}

struct str
calls_copy(struct calls *k, struct str text)
{
	return intern_str(&k->texts, intern_id(&k->texts, text));
}

void
calls_name(struct calls *k, struct str name, struct str module)
{
	struct frame_names_symbol symbol = { .name = name, .module = module };
	struct str_digest key = str_digest(name);

	key.a ^= str_hash(module);
	k->names.n = 0;
	if (frame_names_recall(&k->names, key))
		return;
	frame_names_add(&k->names, &symbol);
	frame_names_keep(&k->names, key, 0);
}

void
calls_name_whole(struct calls *k, struct str name)
{
	struct str_digest key = str_digest(name);

	k->names.n = 0;
	if (frame_names_recall(&k->names, key))
		return;
	frame_names_push(&k->names, collapse_frame(k->names.c, name, 0));
	frame_names_keep(&k->names, key, 0);
}

/* The node of T's root frames. */
static uint32_t
find_root(struct calls *k, struct calls_thread *t)
{
	if (!t->has_root) {
		t->root = collapse_root(k->names.c, &t->s);
		t->has_root = true;
	}
	return t->root;
}

/* Removes the calls of T at DEPTH or deeper. */
static void
drop(struct calls_thread *t, uint32_t depth)
{
	while (t->n && t->levels[t->n - 1].depth >= depth)
		t->n--;
}

/* The node of the function in K.names called by ABOVE; remembers recent ones, as calls
 * repeat. */
static uint32_t
find_node(struct calls *k, uint32_t above)
{
	enum { BITS = 12 };
	uint32_t name = k->names.n == 1 ? k->names.ids[0] : 0, hash;
	struct calls_step *step;

	if (k->names.n != 1)
		return collapse_path(k->names.c, above, k->names.ids, k->names.n);
	if (!k->steps)
		k->steps = mem_zero((size_t)1 << BITS, sizeof *k->steps);
	hash = (above * 0x9e3779b1U ^ name) * 0x85ebca6bU;
	step = &k->steps[hash >> (32 - BITS)];
	if (step->above != above || step->name != name || step->node == TREE_ROOT) {
		step->above = above;
		step->name = name;
		step->node = collapse_path(k->names.c, above, &name, 1);
	}
	return step->node;
}

void
calls_open(struct calls *k, struct calls_thread *t, uint32_t depth)
{
	uint32_t above;

	drop(t, depth);
	above = t->n ? t->levels[t->n - 1].node : find_root(k, t);
	*MEM_ADD(t->levels, t->n, t->cap) = (struct calls_level){
		.node = collapse_path(k->names.c, above, k->names.ids, k->names.n),
		.depth = depth
	};
}

/* Removes the calls of T deeper than DEPTH. Returns whether the innermost one is then at
 * DEPTH. */
static bool
drop_inner(struct calls_thread *t, uint32_t depth)
{
	while (t->n && t->levels[t->n - 1].depth > depth)
		t->n--;
	return t->n && t->levels[t->n - 1].depth == depth;
}

bool
calls_close(struct calls_thread *t, uint32_t depth)
{
	if (!drop_inner(t, depth))
		return false;
	t->n--;
	return true;
}

/* Adds WEIGHT to NODE. */
static void
add(struct calls *k, struct calls_thread *t, uint32_t node, uint64_t weight)
{
	t->s.period = weight;
	if (collapse_wants(k->names.c, &t->s))
		collapse_add(k->names.c, node, &t->s);
}

void
calls_spend(struct calls *k, struct calls_thread *t, uint64_t weight)
{
	add(k, t, t->levels[t->n - 1].node, weight);
}

void
calls_until(struct calls *k, struct calls_thread *t, uint64_t now)
{
	uint64_t from = t->now;
	bool had = t->has_now;

	t->now = now;
	t->has_now = true;
	if (!had || !t->n || now == from)
		return;
	if (now < from) {
		collapse_lose(k->names.c, COLLAPSE_NEGATIVE);
		return;
	}
	t->s.time = from;
	t->s.has_time = true;
	calls_spend(k, t, now - from);
}

/* Keeps the DURATION of a call at DEPTH whose caller is unknown. */
static void
count_outer(struct calls_thread *t, uint32_t depth, uint64_t duration)
{
	t->outer = depth < t->outer_depth ? duration : weight_count(t->outer, duration);
	t->outer_depth = depth;
}

/* The function in K.names, whose beginning was not seen, took DURATION at DEPTH;
 * subtracts the calls that it made. */
static void
return_stray(struct calls *k, struct calls_thread *t, uint32_t depth, uint64_t duration)
{
	uint64_t inner = depth < t->outer_depth ? t->outer : 0;

	k->strays++;
	if (k->names.n && duration > inner)
		add(k, t, find_node(k, t->n ? t->levels[t->n - 1].node : find_root(k, t)),
			duration - inner);
}

void
calls_return(struct calls *k, struct calls_thread *t, uint32_t depth, uint64_t duration)
{
	struct calls_level *at;

	if (!drop_inner(t, depth)) {
		return_stray(k, t, depth, duration);
	} else {
		at = &t->levels[--t->n];
		/* Durations are rounded: the sum of inner calls may be slightly
		 * larger. */
		if (duration > at->inner)
			add(k, t, at->node, duration - at->inner);
	}
	if (t->n)
		t->levels[t->n - 1].inner =
			weight_count(t->levels[t->n - 1].inner, duration);
	else
		count_outer(t, depth, duration);
}

void
calls_tell(const struct calls *k, const struct input *in, bool left)
{
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; left && i < k->keys.n; i++)
		n += k->threads[i].n;
	if (k->strays)
		msg_warn("%s: %" PRIu64 " call%s began before the trace: "
			 "some of their callers and time are unknown",
			input_name(in), k->strays, msg_s(k->strays));
	if (n)
		msg_warn("%s: %" PRIu64
			 " call%s did not return: their own time is unknown",
			input_name(in), n, msg_s(n));
}

bool
calls_read_time(struct str text, unsigned decimals, uint64_t *ns)
{
	uint64_t v = 0;
	bool point = false;
	unsigned digit;
	size_t i;

	for (i = 0; i < text.n; i++) {
		if (text.s[i] == '.' && !point && text.n > 1) {
			point = true;
			continue;
		}
		if (!str_is_digit(text.s[i]))
			return false;
		if (point && !decimals)
			continue;
		digit = (unsigned)(text.s[i] - '0');
		if (v > (UINT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
		decimals -= point;
	}
	for (; decimals; decimals--) {
		if (v > UINT64_MAX / 10)
			return false;
		v *= 10;
	}
	*ns = v;
	return text.n > 0;
}
