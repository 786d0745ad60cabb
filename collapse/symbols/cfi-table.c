/* SPDX-License-Identifier: ISC */
/*
 * .eh_frame_hdr, which PT_GNU_EH_FRAME points to (Linux Standard Base):
 *
 *	1, encodings of what follows, address of .eh_frame, n, n pairs of a
 *	function's start and the address of its FDE, by start
 */
#include "cfi-parts.h"

enum { DATAREL_SDATA4 = 0x3b };

bool
cfi_table_read(struct cfi_table *t, const struct cfi_section *s)
{
	struct bytes b = cfi_section_at(s, 0);
	unsigned frames, count;
	uint64_t start;

	*t = (struct cfi_table){ .section = *s };
	t->section.data = s->address;
	if (bytes_u8(&b) != 1)
		return false;
	frames = bytes_u8(&b);
	count = bytes_u8(&b);
	t->encoding = bytes_u8(&b);
	if (!cfi_section_pointer(&t->section, &b, frames, &t->frames))
		return false;
	t->size = cfi_section_pointer_size(s, t->encoding);
	if (!cfi_section_pointer(&t->section, &b, count, &t->n) || !t->size)
		t->n = 0;
	if (t->n == 0)
		return true;
	t->plain = t->encoding == DATAREL_SDATA4 && !s->swap && s->address_size == 8;
	t->first = (uint64_t)(b.at - s->bytes.s);
	if (t->n > bytes_left(&b) / (2 * t->size))
		t->n = bytes_left(&b) / (2 * t->size);
	/* Relative to what only the program knows, or to where addresses are. */
	if (!cfi_section_pointer(&t->section, &b, t->encoding, &start))
		t->n = 0;
	return true;
}

static uint64_t
pair_of_any_kind(const struct cfi_table *t, uint64_t i, uint64_t *fde)
{
	struct bytes b = cfi_section_at(&t->section, t->first + i * 2 * t->size);
	uint64_t start;

	(void)cfi_section_pointer(&t->section, &b, t->encoding, &start);
	if (fde)
		(void)cfi_section_pointer(&t->section, &b, t->encoding, fde);
	return start;
}

/* The start of pair I, and when FDE is not NULL its FDE. */
static uint64_t
pair(const struct cfi_table *t, uint64_t i, uint64_t *fde)
{
	const char *at = t->section.bytes.s + t->first + i * 2 * t->size;
	int32_t v[2];

	/* The usual kind, of this machine's byte order, without detours. */
	if (t->plain) {
		memcpy(v, at, sizeof v);
		if (fde)
			*fde = t->section.data + (uint64_t)(int64_t)v[1];
		return t->section.data + (uint64_t)(int64_t)v[0];
	}
	return pair_of_any_kind(t, i, fde);
}

bool
cfi_table_find(const struct cfi_table *t, uint64_t address, uint64_t *fde)
{
	uint64_t low = 0, high = t->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (pair(t, mid, NULL) <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	(void)pair(t, low - 1, fde);
	return true;
}

bool
cfi_table_is_sorted(const struct cfi_table *t)
{
	uint64_t i, start, last = 0;

	for (i = 0; i < t->n; i++) {
		start = pair(t, i, NULL);
		if (start < last)
			return false;
		last = start;
	}
	return true;
}
