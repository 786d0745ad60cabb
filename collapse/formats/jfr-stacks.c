/* SPDX-License-Identifier: ISC */
/* Stacks of Java Flight Recorder; see jfr-stacks.h. */
#include "jfr-stacks.h"
#include "jfr-names.h"
#include "mem.h"

#include <stdlib.h>

/* The size of the cache of places. */
enum { PLACES = 1 << 14 };

/* Frames. */

static enum jfr_code
code_of(struct jfr_stacks *t, uint64_t key)
{
	struct jfr_constant *c = jfr_chunk_constant(t->k, JFR_FRAME_TYPES, key);

	if (!c)
		return JFR_UNKNOWN;
	if (!c->memo)
		c->memo = 1u +
			jfr_names_code(jfr_chunk_text(
				t->k, JFR_FRAME_TYPES, key, "description"));
	return (enum jfr_code)(c->memo - 1);
}

/* The constant-pool keys that make up a method. */
struct method {
	uint64_t of_class, name, descriptor;
};

static struct method
parse_method(struct jfr_stacks *t, uint64_t key)
{
	struct jfr_constant *c = jfr_chunk_constant(t->k, JFR_METHODS, key);
	const struct jfr_field *f, *end;
	struct method m = { 0 };
	struct bytes b;
	uint64_t v;

	if (!c)
		return m;
	b = jfr_chunk_value(t->k, c);
	f = t->k->fields + t->k->types[t->k->of[JFR_METHODS]].first;
	for (end = f + t->k->types[t->k->of[JFR_METHODS]].n; f < end; f++) {
		v = jfr_chunk_number(t->k, &b, f);
		if (str_eq(f->name, STR("type")))
			m.of_class = v;
		else if (str_eq(f->name, STR("name")))
			m.name = v;
		else if (str_eq(f->name, STR("descriptor")))
			m.descriptor = v;
	}
	return m;
}

/* Adds the frame of a C, C++ or kernel function. */
static void
push_native(struct jfr_stacks *t, struct str name, struct str library, enum jfr_code code)
{
	struct frame_names_symbol s = { .name = name, .module = library };

	if (code == JFR_KERNEL)
		s.module = STR("[kernel.kallsyms]");
	frame_names_add(&t->stack, &s);
}

/* Adds the frame of the method KEY, which ran as CODE at LINE (0: unknown). */
static void
push_new(struct jfr_stacks *t, uint64_t key, enum jfr_code code, uint64_t line)
{
	struct method keys = parse_method(t, key);
	struct jfr_method m = { .code = code, .line = line };

	m.of_class = jfr_chunk_text(t->k, JFR_CLASSES, keys.of_class, "name");
	m.name = jfr_chunk_text(t->k, JFR_SYMBOLS, keys.name, "string");
	if (code == JFR_CPP || code == JFR_KERNEL ||
		(code == JFR_NATIVE && t->native_is_c)) {
		push_native(t, m.name, m.of_class, code);
		return;
	}
	m.descriptor = jfr_chunk_text(t->k, JFR_SYMBOLS, keys.descriptor, "string");
	frame_names_push(&t->stack, jfr_names_frame(t->c, &t->name, &m));
}

/* As push_new, but names each method only once. */
static void
push_frame(struct jfr_stacks *t, uint64_t method, enum jfr_code code, uint64_t line)
{
	enum { CODE_BITS = 3, LINE_MOST = 1 << 28 };
	uint64_t *known;
	size_t was = t->stack.n;

	if (!collapse_options(t->c)->srcline || line > LINE_MOST)
		line = 0;
	known = idmap_put(&t->frames, method, (uint32_t)line << CODE_BITS | code);
	if (*known) {
		frame_names_push(&t->stack, (uint32_t)*known - 1);
		return;
	}
	push_new(t, method, code, line);
	/* Arrows in a native function's name split it into several frames. */
	if (t->stack.n == was + 1)
		*known = (uint64_t)t->stack.ids[was] + 1;
}

/* Stacks. */

static void
parse_frame(struct jfr_stacks *t, struct bytes *b)
{
	const struct jfr_type *type = &t->k->types[t->frame_type];
	uint64_t method = 0, code = 0, line = 0, v;
	uint32_t i;

	for (i = 0; i < type->n; i++) {
		v = jfr_chunk_number(t->k, b, &t->k->fields[type->first + i]);
		if (i == t->method_at)
			method = v;
		else if (i == t->line_at)
			line = v;
		else if (i == t->code_at)
			code = v;
	}
	if (!b->bad)
		push_frame(t, method, code_of(t, code), line);
}

/* Decodes the stack C into *D. */
static void
decode(struct jfr_stacks *t, const struct jfr_constant *c, struct jfr_decoded *d)
{
	uint32_t type = t->k->of[JFR_STACKS];
	const struct jfr_field *fields = t->k->fields + t->k->types[type].first;
	struct bytes b = jfr_chunk_value(t->k, c);
	uint64_t n;

	if (t->truncated_at != JFR_NONE) {
		jfr_chunk_seek(t->k, &b, type, t->truncated_at);
		d->truncated = jfr_chunk_number(t->k, &b, fields + t->truncated_at) != 0;
	}
	t->stack.n = 0;
	b = jfr_chunk_value(t->k, c);
	jfr_chunk_seek(t->k, &b, type, t->frames_at);
	for (n = jfr_chunk_int(&b); n && !b.bad; n--)
		parse_frame(t, &b);
	d->bad = b.bad;
}

/* The decoded stack KEY; NULL if the chunk does not have it. */
static const struct jfr_decoded *
find_stack(struct jfr_stacks *t, uint64_t key)
{
	struct jfr_constant *c = jfr_chunk_constant(t->k, JFR_STACKS, key);
	struct jfr_decoded d = { .first = t->id_n };
	size_t size = sizeof *t->ids;

	if (!c || t->frames_at == JFR_NONE)
		return NULL;
	if (!c->memo) {
		decode(t, c, &d);
		d.n = (uint32_t)t->stack.n;
		d.digest = str_digest(
			(struct str){ (const char *)t->stack.ids, d.n * size });
		t->ids = mem_grow(t->ids, &t->id_cap, t->id_n + d.n, size);
		if (d.n)
			memcpy(t->ids + t->id_n, t->stack.ids, d.n * size);
		t->id_n += d.n;
		*MEM_ADD(t->decoded, t->decoded_n, t->decoded_cap) = d;
		c->memo = (uint32_t)t->decoded_n;
	}
	return &t->decoded[c->memo - 1];
}

/* Returns the name of the thread KEY, and puts its number into t->tid. */
static struct str
parse_thread(struct jfr_stacks *t, uint64_t key)
{
	struct jfr_constant *c = jfr_chunk_constant(t->k, JFR_THREADS, key);
	struct str name = jfr_chunk_text(t->k, JFR_THREADS, key, "javaName");
	const struct jfr_field *f, *end;
	uint64_t number = 0, other = 0, v;
	struct bytes b;

	buf_clear(&t->tid);
	if (!c)
		return name;
	if (!name.n)
		name = jfr_chunk_text(t->k, JFR_THREADS, key, "osName");
	b = jfr_chunk_value(t->k, c);
	f = t->k->fields + t->k->types[t->k->of[JFR_THREADS]].first;
	for (end = f + t->k->types[t->k->of[JFR_THREADS]].n; f < end; f++) {
		v = jfr_chunk_number(t->k, &b, f);
		if (str_eq(f->name, STR("osThreadId")))
			number = v;
		else if (str_eq(f->name, STR("javaThreadId")))
			other = v;
	}
	/* A virtual thread has no OS thread ID. */
	if (number || other)
		buf_u64(&t->tid, number ? number : other);
	return name;
}

/* The node of the root frames of the thread KEY. */
static uint32_t
find_root(struct jfr_stacks *t, uint64_t key, struct collapse_sample *s)
{
	uint64_t *known = idmap_put(&t->roots, key, 0);

	if (!*known) {
		s->comm = parse_thread(t, key);
		if (!s->comm.n && t->tid.n) {
			buf_clear(&t->name);
			buf_fmt(&t->name, "[tid=%.*s]", (int)t->tid.n, t->tid.s);
			s->comm = buf_view(&t->name);
		}
		s->pid = buf_view(&t->pid);
		s->tid = buf_view(&t->tid);
		*known = (uint64_t)collapse_root(t->c, s) + 1;
	}
	return (uint32_t)*known - 1;
}

/* The node of the stack D below ROOT. */
static uint32_t
find_node(struct jfr_stacks *t, const struct jfr_decoded *d, uint32_t root)
{
	struct str_digest key;
	uint32_t node;

	if (!d->n)
		return root;
	if (d->truncated)
		root = collapse_mark_end(t->c, root, COLLAPSE_DEEP);
	key = cache_below(root, d->digest);
	node = cache_find(&t->nodes, key);
	return node != CACHE_NONE
		? node
		: cache_add(&t->nodes, key,
			  collapse_path(t->c, root, t->ids + d->first, d->n));
}

/* The node of the class KEY below NODE. */
static uint32_t
find_leaf(struct jfr_stacks *t, uint64_t key, uint32_t node)
{
	struct str symbol = jfr_chunk_text(t->k, JFR_CLASSES, key, "name");
	uint32_t id;

	if (!symbol.n)
		return node;
	id = jfr_names_class(t->c, &t->name, symbol);
	return collapse_path(t->c, node, &id, 1);
}

/* Finds the node for the place of F. Allocations by the virtual machine itself have a
 * class but not a stack. */
static void
find_place(struct jfr_stacks *t, struct jfr_found *f, struct collapse_sample *s)
{
	uint32_t root = find_root(t, f->place.thread, s);
	const struct jfr_decoded *d = NULL;

	f->node = root;
	f->truncated = false;
	if (f->place.stack) {
		d = find_stack(t, f->place.stack);
		f->node = d && !d->bad ? find_node(t, d, root) : COLLAPSE_NOWHERE;
		f->truncated = d && d->truncated;
	}
	if (f->place.of_class && f->node != COLLAPSE_NOWHERE)
		f->node = find_leaf(t, f->place.of_class, f->node);
	if (f->node == root)
		f->node = TREE_ROOT;
	f->known = true;
}

const struct jfr_found *
jfr_stacks_find(
	struct jfr_stacks *t, const struct jfr_place *place, struct collapse_sample *s)
{
	uint64_t key = jfr_stacks_hash(place);
	struct jfr_found *f = &t->found[(key ^ key >> 32) % PLACES];

	if (f->known && f->place.stack == place->stack &&
		f->place.thread == place->thread && f->place.of_class == place->of_class)
		return f;
	f->place = *place;
	find_place(t, f, s);
	return f;
}

/* Whether the chunk has async-profiler's frame types. */
static bool
has_kernel_frames(struct jfr_stacks *t)
{
	enum { KINDS = 32 };
	uint64_t key;

	for (key = 0; key < KINDS; key++)
		if (code_of(t, key) == JFR_KERNEL)
			return true;
	return false;
}

/* Finds the fields of stacks and frames. */
static void
find_places(struct jfr_stacks *t)
{
	struct jfr_chunk *k = t->k;
	uint32_t stack = k->of[JFR_STACKS];
	const struct jfr_field *f;

	t->frames_at = JFR_NONE;
	if (!k->has[JFR_STACKS])
		return;
	t->truncated_at = jfr_chunk_field(k, stack, "truncated");
	t->frames_at = jfr_chunk_field(k, stack, "frames");
	if (t->frames_at == JFR_NONE)
		return;
	f = &k->fields[k->types[stack].first + t->frames_at];
	if (!f->array || f->constant || k->types[f->type].kind != JFR_STRUCT ||
		k->types[f->type].empty)
		t->frames_at = JFR_NONE;
	t->frame_type = f->type;
	t->method_at = jfr_chunk_field(k, f->type, "method");
	t->code_at = jfr_chunk_field(k, f->type, "type");
	t->line_at = jfr_chunk_field(k, f->type, "lineNumber");
}

void
jfr_stacks_init(struct jfr_stacks *t, struct collapse *c, struct jfr_chunk *k)
{
	*t = (struct jfr_stacks){ .c = c, .k = k, .stack.c = c };
	t->found = mem_zero(PLACES, sizeof *t->found);
}

void
jfr_stacks_begin(struct jfr_stacks *t)
{
	idmap_release(&t->frames);
	t->decoded_n = t->id_n = 0;
	memset(t->found, 0, PLACES * sizeof *t->found);
	idmap_release(&t->roots);
	find_places(t);
	t->native_is_c = has_kernel_frames(t);
}

void
jfr_stacks_release(struct jfr_stacks *t)
{
	frame_names_release(&t->stack);
	cache_release(&t->nodes);
	idmap_release(&t->frames);
	idmap_release(&t->roots);
	buf_release(&t->pid);
	buf_release(&t->tid);
	buf_release(&t->name);
	free(t->found);
	free(t->decoded);
	free(t->ids);
}
