/* SPDX-License-Identifier: ISC */
/*
 * Allocation that never fails: out of memory, or a size that overflows, ends the program with a
 * message and MSG_TROUBLE, so callers do not check. The caller owns the result and frees it with
 * free().
 */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>

#include "banned.h"

/* N bytes, uninitialised; N of 0 gives a pointer that may be freed. */
void *mem_alloc(size_t n);

/* The same for memory that is written from start to end at once: blocks of at least MEM_HUGE bytes
 * are put into huge pages if possible, which saves page faults. */
enum { MEM_HUGE = 2 << 20 };
void *mem_large(size_t n);

/* From now on large blocks go back to the system when freed, where the C library would keep some:
 * for programs with a promised memory limit. */
void mem_return_large(void);

/* COUNT times SIZE bytes of zeroes. */
void *mem_zero(size_t count, size_t size);

/* Resizes P (or NULL) to COUNT times SIZE bytes and keeps its content. */
void *mem_resize(void *p, size_t count, size_t size);

/* Makes room for NEED elements of SIZE bytes in P, which has *CAP: returns P, or a block at least
 * half as large again, and sets *CAP. */
void *mem_grow(void *p, size_t *cap, size_t need, size_t size);

/* The same, with zeroes in the new elements. */
void *mem_grow_zero(void *p, size_t *cap, size_t need, size_t size);

/* Element I of ITEMS, an array with room for CAP that grows as needed, by zeroes. The
 * arguments are evaluated several times. */
#define MEM_AT(items, cap, i)                                                     \
	((size_t)(i) < (cap) ? (void)0                                            \
			     : (void)((items) = mem_grow_zero((items), &(cap),    \
					      (size_t)(i) + 1, sizeof *(items))), \
		&(items)[i])

/* A new element at the end of ITEMS, an array of N elements with room for CAP, uninitialised
 * and counted in N: *MEM_ADD(t->items, t->n, t->cap) = item. The arguments are evaluated
 * several times, and may not be used or changed elsewhere in the expression. */
#define MEM_ADD(items, n, cap)                                                  \
	((items) = mem_grow((items), &(cap), (size_t)(n) + 1, sizeof *(items)), \
		&(items)[(n)++])

#endif
