/* SPDX-License-Identifier: ISC */
/* Turns symbols into frames; see frame-names.h. */
#include "frame-names.h"
#include "frame.h"

/* A value of frame_names.known from here on is an index in frame_names.spans, not an
 * id. */
#define SPAN ((uint32_t)1 << 31)

void
frame_names_release(struct frame_names *n)
{
	buf_release(&n->name);
	cache_release(&n->known);
	free(n->spans);
	free(n->ids);
	*n = (struct frame_names){ 0 };
}

bool
frame_names_is_java(struct str comm)
{
	return str_starts(comm, STR("java"));
}

void
frame_names_push(struct frame_names *n, uint32_t id)
{
	*MEM_ADD(n->ids, n->n, n->cap) = id;
}

/* The frame of PART of the symbol S, one function, with its source line and
 * instruction. */
static uint32_t
name_part(struct frame_names *n, struct str part, const struct frame_names_symbol *s,
	unsigned kind)
{
	struct str name;
	size_t at;

	buf_clear(&n->name);
	if (collapse_options(n->c)->full_names) {
		buf_str(&n->name, part);
	} else {
		at = str_find(part, '`');
		if (at < part.n) /* "rg`_$LT$...", DTrace's form */
			buf_str(&n->name, str_head(part, at + 1));
		frame_put_rust(&n->name, at < part.n ? str_from(part, at + 1) : part);
		name = frame_cut_arguments(buf_view(&n->name));
		n->name.n = name.n ? name.n : n->name.n;
	}
	if (s->srcline.n && collapse_options(n->c)->srcline) {
		buf_char(&n->name, ':');
		buf_str(&n->name, s->srcline);
	}
	buf_str(&n->name, s->code);
	name = buf_view(&n->name);
	/* "Lorg/demo/Main;::run": L begins a class descriptor. */
	if (n->java && str_starts(name, STR("L")) && str_find(name, '/') < name.n)
		name = str_from(name, 1);
	return collapse_frame(n->c, name, kind);
}

static void
reverse(struct frame_names *n, size_t first)
{
	size_t last;
	uint32_t id;

	for (last = n->n - 1; first < last; first++, last--) {
		id = n->ids[first];
		n->ids[first] = n->ids[last];
		n->ids[last] = id;
	}
}

void
frame_names_add(struct frame_names *n, const struct frame_names_symbol *s)
{
	struct collapse_module module = collapse_module_of(n->c, s->module);
	unsigned kind = module.kind;
	struct str rest = s->name, part;
	size_t first = n->n;

	if (s->inlined)
		kind = COLLAPSE_INLINED;
	if (!rest.n) {
		frame_names_push(
			n, collapse_bare_frame(n->c, s->module, s->address, kind));
		collapse_mark_runtime(n->c, n->ids[n->n - 1], module);
		return;
	}
	while (rest.n) {
		part = str_head(rest, s->single ? rest.n : frame_find_arrow(rest));
		rest = str_from(rest, part.n + 2);
		frame_names_push(n, name_part(n, part, s, kind));
		collapse_mark_runtime(n->c, n->ids[n->n - 1], module);
		kind = COLLAPSE_INLINED;
	}
	reverse(n, first);
}

/* In a Java program, the same symbol may be named differently. */
static struct str_digest
key_of(const struct frame_names *n, struct str_digest key)
{
	key.a ^= n->java;
	return key;
}

bool
frame_names_recall(struct frame_names *n, struct str_digest key)
{
	uint32_t value = cache_find(&n->known, key_of(n, key)), *span, i;

	if (value == CACHE_NONE)
		return false;
	if (value < SPAN) {
		frame_names_push(n, value);
		return true;
	}
	span = n->spans + (value - SPAN);
	for (i = *span; i > 0; i--)
		frame_names_push(n, *++span);
	return true;
}

void
frame_names_keep(struct frame_names *n, struct str_digest key, size_t first)
{
	size_t count = n->n - first;
	uint32_t value = n->ids[first];

	if (cache_make_room(&n->known))
		n->span_n = 0;
	if (value >= SPAN || count > SPAN - 2 - n->span_n)
		return;
	if (count > 1) {
		n->spans = mem_grow(
			n->spans, &n->span_cap, n->span_n + count + 1, sizeof *n->spans);
		value = SPAN + (uint32_t)n->span_n;
		n->spans[n->span_n++] = (uint32_t)count;
		memcpy(n->spans + n->span_n, n->ids + first, count * sizeof *n->ids);
		n->span_n += count;
	}
	cache_add(&n->known, key_of(n, key), value);
}

void
frame_names_line(struct frame_names *n, struct str line, frame_names_cut *cut)
{
	struct str_digest digest = str_digest(line);
	struct frame_names_symbol symbol = { 0 };
	size_t first = n->n;

	if (frame_names_recall(n, digest))
		return;
	cut(line, &symbol);
	frame_names_add(n, &symbol);
	frame_names_keep(n, digest, first);
}

/* Adds a place like "b.js:2", for a function of "file:///a/b.js". */
static void
put_place(struct buf *b, const struct frame_names_script *f)
{
	struct str file = str_base(f->file);

	buf_str(b, file.n ? file : f->file);
	if (f->line) {
		buf_char(b, ':');
		buf_u64(b, f->line);
	}
}

uint32_t
frame_names_script(struct collapse *c, const struct frame_names_script *f)
{
	struct str shown =
		collapse_options(c)->full_names && f->marked.n ? f->marked : f->name;
	bool placed = f->file.n && collapse_options(c)->srcline && shown.s != f->marked.s;
	struct buf name = { 0 };
	uint32_t id;

	if (shown.n && !placed)
		return collapse_frame(c, shown, f->kind);
	buf_str(&name, shown.n ? shown : STR("(anonymous"));
	if (f->file.n) {
		buf_char(&name, shown.n ? ':' : ' ');
		put_place(&name, f);
	}
	if (!shown.n)
		buf_char(&name, ')');
	id = collapse_frame(c, buf_view(&name), f->kind);
	buf_release(&name);
	return id;
}
