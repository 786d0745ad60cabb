/* SPDX-License-Identifier: ISC */
/* Sections of call frame information, and pointers in them; see cfi-parts.h. */
#include "cfi-parts.h"

struct bytes
cfi_section_at(const struct cfi_section *s, uint64_t offset)
{
	struct str rest = { 0 };

	if (offset <= s->bytes.n)
		rest = str_from(s->bytes, (size_t)offset);
	return bytes_of(rest, s->swap);
}

/* The address of what B is at. */
static uint64_t
place(const struct cfi_section *s, const struct bytes *b)
{
	return s->address + (uint64_t)(b->at - s->bytes.s);
}

/* Sizes by format: 0 an address, 1 and 9 of variable length, the upper half
 * signed; 255 are no formats. */
static const unsigned char sizes[16] = { 0, 1, 2, 4, 8, 255, 255, 255, 0, 1, 2, 4, 8, 255,
	255, 255 };

unsigned
cfi_section_pointer_size(const struct cfi_section *s, unsigned encoding)
{
	unsigned format = encoding & CFI_FORMAT;

	if (encoding == CFI_OMIT || encoding == CFI_ALIGNED || sizes[format] == 255 ||
		sizes[format] == 1)
		return 0;
	return sizes[format] ? sizes[format] : s->address_size;
}

static uint64_t
sign_extend(uint64_t v, unsigned size)
{
	uint64_t sign = (uint64_t)1 << (size * 8 - 1);

	return size == 8 ? v : (v ^ sign) - sign;
}

/* The number of a pointer's FORMAT. */
static uint64_t
take_number(const struct cfi_section *s, struct bytes *b, unsigned format)
{
	unsigned size = sizes[format];
	uint64_t v;

	if (size == 255) {
		bytes_fail(b);
		return 0;
	}
	if (size == 1)
		return format & 8 ? (uint64_t)bytes_sleb(b) : bytes_uleb(b);
	size = size ? size : s->address_size;
	v = bytes_uint(b, size);
	return format & 8 ? sign_extend(v, size) : v;
}

static bool
take_aligned(const struct cfi_section *s, struct bytes *b, uint64_t *value)
{
	bytes_skip(b, -place(s, b) & (s->address_size - 1u));
	*value = bytes_uint(b, s->address_size);
	return !b->bad;
}

bool
cfi_section_pointer(
	const struct cfi_section *s, struct bytes *b, unsigned encoding, uint64_t *value)
{
	uint64_t from, base = 0;

	*value = 0;
	if (encoding == CFI_OMIT)
		return false;
	if ((encoding & ~(unsigned)CFI_INDIRECT) == CFI_ALIGNED)
		return take_aligned(s, b, value) && !(encoding & CFI_INDIRECT);
	from = place(s, b);
	*value = take_number(s, b, encoding & CFI_FORMAT);
	switch (encoding & CFI_RELATION) {
	case 0x00: break;
	case 0x10: base = from; break;
	case 0x20: base = s->text; break;
	case 0x30: base = s->data; break;
	default: return false; /* within a function: not for what is asked here */
	}
	if (!base && encoding & CFI_RELATION)
		return false;
	*value += base;
	if (s->address_size == 4)
		*value &= UINT32_MAX;
	return !b->bad && !(encoding & CFI_INDIRECT);
}
