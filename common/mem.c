/* SPDX-License-Identifier: ISC */
/* Allocation that ends the program rather than fail; see mem.h. */
#define _GNU_SOURCE /* madvise */
#include "mem.h"
#include "budget.h"
#include "msg.h"

#include <stdint.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Requests huge pages for the whole ones among the N bytes at P: this saves page faults. Not for
 * blocks that grow: moving them would cost more than it saves. */
static void
prefer_huge(char *p, size_t n)
{
#ifdef MADV_HUGEPAGE
	enum { MANY = 4 };
	uintptr_t from = ((uintptr_t)p + MEM_HUGE - 1) / MEM_HUGE * MEM_HUGE;
	uintptr_t end = ((uintptr_t)p + n) / MEM_HUGE * MEM_HUGE;

	if (n >= (size_t)MANY * MEM_HUGE && from < end)
		(void)madvise((void *)from, end - from, MADV_HUGEPAGE);
#else
	(void)p;
	(void)n;
#endif
}

void *
mem_alloc(size_t n)
{
	return mem_resize(NULL, n, 1);
}

void *
mem_large(size_t n)
{
	void *p = NULL;

	if (n < MEM_HUGE)
		return mem_alloc(n);
	budget_memory(n);
	if (posix_memalign(&p, MEM_HUGE, n) != 0)
		msg_die("out of memory for %zu bytes", n);
#ifdef MADV_HUGEPAGE
	(void)madvise(p, n, MADV_HUGEPAGE); /* failure costs only speed */
#endif
	return p;
}

void
mem_return_large(void)
{
#ifdef M_MMAP_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, MEM_HUGE / 2);
#endif
}

void *
mem_zero(size_t count, size_t size)
{
	void *p;

	budget_memory(size && count > SIZE_MAX / size ? 0 : count * size);
	p = calloc(count ? count : 1, size ? size : 1);
	if (!p)
		msg_die("out of memory for %zu times %zu bytes", count, size);
	if (size && count)
		prefer_huge(p, count * size);
	return p;
}

void *
mem_resize(void *p, size_t count, size_t size)
{
	void *q;

	if (size && count > SIZE_MAX / size)
		msg_die("out of memory for %zu times %zu bytes", count, size);
	count *= size;
	if (!p)
		budget_memory(count);
	q = realloc(p, count ? count : 1);
	if (!q)
		msg_die("out of memory for %zu bytes", count);
	return q;
}

void *
mem_grow(void *p, size_t *cap, size_t need, size_t size)
{
	size_t want;

	if (need <= *cap)
		return p;
	want = *cap > SIZE_MAX / 2 ? SIZE_MAX : *cap + *cap / 2 + 16;
	if (want < need)
		want = need;
	if (p && want <= SIZE_MAX / size)
		budget_memory((want - *cap) * size);
	p = mem_resize(p, want, size);
	*cap = want;
	return p;
}

void *
mem_grow_zero(void *p, size_t *cap, size_t need, size_t size)
{
	size_t had = *cap;

	p = mem_grow(p, cap, need, size);
	if (*cap > had)
		memset((char *)p + had * size, 0, (*cap - had) * size);
	return p;
}
