/* SPDX-License-Identifier: ISC */
/* Bump allocation; see arena.h. */
#include "arena.h"
#include "mem.h"

#include <stdalign.h>
#include <stdint.h>

enum { BLOCK = 64 * 1024 };

struct arena_block {
	struct arena_block *older;
	alignas(max_align_t) char data[];
};

void
arena_release(struct arena *a)
{
	struct arena_block *b, *older;

	for (b = a->blocks; b; b = older) {
		older = b->older;
		free(b);
	}
	*a = (struct arena){ 0 };
}

/* Adds a block of at least SIZE bytes. */
static void
add_block(struct arena *a, size_t size)
{
	struct arena_block *b;

	size = size > BLOCK ? size : BLOCK;
	b = mem_alloc(sizeof *b + size);
	b->older = a->blocks;
	a->blocks = b;
	a->next = b->data;
	a->end = b->data + size;
	a->size += sizeof *b + size;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	size_t pad = a->next ? -(uintptr_t)a->next & (alignof(max_align_t) - 1) : 0;
	void *p;

	if (!a->next || (size_t)(a->end - a->next) < pad ||
		(size_t)(a->end - a->next) - pad < size) {
		add_block(a, size);
		pad = 0;
	}
	p = a->next + pad;
	a->next += pad + size;
	return p;
}

struct str
arena_str(struct arena *a, struct str s)
{
	char *p;

	if (!s.n)
		return (struct str){ "", 0 };
	if (!a->next || (size_t)(a->end - a->next) < s.n)
		add_block(a, s.n);
	p = a->next;
	a->next += s.n;
	memcpy(p, s.s, s.n);
	return (struct str){ p, s.n };
}
