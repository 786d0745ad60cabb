/* SPDX-License-Identifier: ISC */
/* Address spaces; see space.h. */
#include "space.h"
#include "mem.h"

void
space_release(struct space *s)
{
	free(s->maps);
	*s = (struct space){ 0 };
}

/* The first range that ends after ADDRESS, or n. */
static size_t
find_after(const struct space *s, uint64_t address)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->maps[mid].end <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Puts M, which overlaps nothing, at place AT. */
static void
insert(struct space *s, size_t at, const struct space_map *m)
{
	s->maps = mem_grow(s->maps, &s->cap, s->n + 1, sizeof *s->maps);
	memmove(s->maps + at + 1, s->maps + at, (s->n - at) * sizeof *s->maps);
	s->maps[at] = *m;
	s->n++;
}

/* Makes the range [START, END) free. Returns the place of what comes after. */
static size_t
clear(struct space *s, uint64_t start, uint64_t end)
{
	size_t first = find_after(s, start), last;
	struct space_map tail, *m;

	if (first == s->n)
		return first;
	m = &s->maps[first];
	if (m->start < start) {
		tail = *m;
		m->end = start;
		first++;
		if (tail.end > end) {
			tail.offset += end - tail.start;
			tail.start = end;
			insert(s, first, &tail);
			return first;
		}
	}
	for (last = first; last < s->n && s->maps[last].end <= end;)
		last++;
	memmove(s->maps + first, s->maps + last, (s->n - last) * sizeof *s->maps);
	s->n -= last - first;
	m = s->maps + first;
	if (first < s->n && m->start < end) {
		m->offset += end - m->start;
		m->start = end;
	}
	return first;
}

void
space_add(struct space *s, const struct space_map *m)
{
	if (m->start >= m->end)
		return;
	insert(s, clear(s, m->start, m->end), m);
}

void
space_copy(struct space *to, const struct space *from)
{
	*to = (struct space){ .n = from->n };
	if (!from->n)
		return;
	to->maps = mem_grow(NULL, &to->cap, from->n, sizeof *to->maps);
	memcpy(to->maps, from->maps, from->n * sizeof *to->maps);
}

const struct space_map *
space_find(struct space *s, uint64_t address)
{
	size_t at = s->last;

	if (at < s->n && s->maps[at].start <= address && address < s->maps[at].end)
		return &s->maps[at];
	at = find_after(s, address);
	if (at == s->n || address < s->maps[at].start)
		return NULL;
	s->last = at;
	return &s->maps[at];
}

bool
space_symbol_address(const struct space_map *m, uint64_t address, uint64_t *symbol)
{
	enum dso_kind kind = dso_kind(m->dso);

	if (kind == DSO_KERNEL || kind == DSO_JIT) {
		*symbol = address;
		return true;
	}
	return dso_address(m->dso, address - m->start + m->offset, symbol);
}
