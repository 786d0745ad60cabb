/* SPDX-License-Identifier: ISC */
/*
 * FDEs by address, from one pass over a section: .debug_frame has no search
 * table, and that of .eh_frame may be missing or useless.
 */
#include "cfi-parts.h"
#include "mem.h"

enum { EXECUTABLE = 1 };

/* Functions that the linker dropped have FDEs at 0 or thereabouts. */
static bool
is_code(const struct elf *code, uint64_t address)
{
	const struct elf_segment *p;
	bool any = false;
	size_t i;

	for (i = 0; i < code->segment_n; i++) {
		p = &code->segments[i];
		if (p->type != ELF_LOAD || !(p->flags & EXECUTABLE))
			continue;
		any = true;
		if (address - p->address < p->memory_size)
			return true;
	}
	return !any;
}

static int
by_start(const void *a, const void *b)
{
	const struct cfi_index_item *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void
add(struct cfi_index *x, const struct cfi_fde *fde, uint64_t offset)
{
	x->items = mem_grow(x->items, &x->cap, x->n + 1, sizeof *x->items);
	x->items[x->n++] = (struct cfi_index_item){ fde->start, fde->end, offset };
}

void
cfi_index_build(struct cfi_index *x, const struct cfi_section *s, const struct elf *code)
{
	uint64_t at, last = UINT64_MAX;
	struct cfi_cie cie = { .sized = false };
	struct cfi_fde fde = { .cie = &cie };
	bool known = false;
	struct cfi_entry e;

	for (at = 0; at < s->bytes.n; at = e.next) {
		e = cfi_entry_at(s, at);
		if (e.bad)
			break;
		/* Parts of .eh_frame from several files may each have an end. */
		if (e.end || e.is_cie)
			continue;
		if (e.cie != last)
			known = cfi_entry_cie(s, e.cie, &cie);
		last = e.cie;
		if (known && cfi_entry_fde(s, e, &fde) && is_code(code, fde.start))
			add(x, &fde, at);
	}
	if (x->n)
		qsort(x->items, x->n, sizeof *x->items, by_start);
}

void
cfi_index_release(struct cfi_index *x)
{
	free(x->items);
	*x = (struct cfi_index){ 0 };
}

bool
cfi_index_find(const struct cfi_index *x, uint64_t address, uint64_t *offset)
{
	size_t low = 0, high = x->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (x->items[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || address >= x->items[low - 1].end)
		return false;
	*offset = x->items[low - 1].offset;
	return true;
}
