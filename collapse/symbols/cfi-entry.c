/* SPDX-License-Identifier: ISC */
/*
 * Entries of .eh_frame and .debug_frame: a CIE says what many functions share,
 * an FDE describes one function and points to its CIE (DWARF 5, 6.4.1).
 *
 *	length id|pointer version augmentation align... program		CIE
 *	length id|pointer start size program				FDE
 */
#include "cfi-parts.h"

/* What stands before the program of a CIE takes no more: it is read again for
 * each FDE that points to it. */
enum { HEADER_MAX = 256 };

struct cfi_entry
cfi_entry_at(const struct cfi_section *s, uint64_t offset)
{
	struct cfi_entry e = { .bad = true };
	struct bytes b = cfi_section_at(s, offset);
	uint64_t length = bytes_u32(&b), at, id;
	unsigned size = 4;

	if (length == UINT32_MAX) {
		length = bytes_u64(&b);
		size = 8;
	}
	at = (uint64_t)(b.at - s->bytes.s);
	if (b.bad || length > bytes_left(&b))
		return e;
	e.bad = false;
	e.next = at + length;
	e.end = length == 0;
	if (e.end)
		return e;
	b.end = b.at + length;
	id = bytes_uint(&b, size);
	e.is_cie = id == (s->eh ? 0 : size == 8 ? UINT64_MAX : UINT32_MAX);
	/* In .eh_frame it is a distance back from the pointer itself. */
	e.cie = s->eh ? at - id : id;
	e.bad = b.bad;
	e.rest = b;
	return e;
}

/* Reads the data that the letters of AUGMENTATION, after its 'z', announce. */
static bool
take_augmentation(const struct cfi_section *s, struct bytes *b, struct str augmentation,
	struct cfi_cie *cie)
{
	unsigned encoding;
	uint64_t pointer;
	size_t i;

	for (i = 0; i < augmentation.n; i++) {
		switch (augmentation.s[i]) {
		case 'R': cie->encoding = bytes_u8(b); break;
		case 'L': bytes_skip(b, 1); break;
		case 'S': cie->signal = true; break;
		case 'B': /* return addresses are signed with the B key */
		case 'G': /* the stack is tagged */ break;
		case 'P':
			encoding = bytes_u8(b);
			(void)cfi_section_pointer(s, b, encoding, &pointer);
			break;
		default: return false;
		}
	}
	return !b->bad;
}

static bool
take_augmented(const struct cfi_section *s, struct bytes *b, struct str augmentation,
	struct cfi_cie *cie)
{
	struct bytes data;
	struct str part;

	if (augmentation.n == 0 || str_eq(augmentation, STR("eh")))
		return true;
	if (augmentation.s[0] != 'z')
		return false;
	cie->sized = true;
	part = bytes_take(b, bytes_uleb(b));
	data = bytes_of(part, b->swap);
	return !b->bad && take_augmentation(s, &data, str_from(augmentation, 1), cie);
}

bool
cfi_entry_cie(const struct cfi_section *s, uint64_t offset, struct cfi_cie *cie)
{
	struct cfi_entry e = cfi_entry_at(s, offset);
	struct bytes b = e.rest;
	struct str augmentation;
	unsigned version;

	cie->encoding = CFI_ABSOLUTE;
	cie->sized = cie->signal = false;
	if (e.bad || e.end || !e.is_cie)
		return false;
	if (bytes_left(&b) > HEADER_MAX)
		b.end = b.at + HEADER_MAX;
	version = bytes_u8(&b);
	if (version != 1 && version != 3 && version != 4)
		return false;
	augmentation = bytes_cstr(&b);
	if (str_eq(augmentation, STR("eh")))
		bytes_skip(&b, s->address_size);
	/* The sizes of an address and of a segment selector. */
	if (version == 4 && (bytes_u8(&b) != s->address_size || bytes_u8(&b) != 0))
		return false;
	cie->code_align = bytes_uleb(&b);
	cie->data_align = bytes_sleb(&b);
	cie->return_register = version == 1 ? bytes_u8(&b) : bytes_uleb(&b);
	if (b.bad || cie->return_register >= CFI_REGISTERS ||
		!take_augmented(s, &b, augmentation, cie))
		return false;
	cie->program = (struct str){ b.at, (size_t)(e.rest.end - b.at) };
	return true;
}

bool
cfi_entry_fde(const struct cfi_section *s, struct cfi_entry e, struct cfi_fde *fde)
{
	struct bytes b = e.rest;
	uint64_t size;

	if (!cfi_section_pointer(s, &b, fde->cie->encoding, &fde->start) ||
		!cfi_section_pointer(s, &b, fde->cie->encoding & CFI_FORMAT, &size))
		return false;
	if (fde->cie->sized)
		bytes_skip(&b, bytes_uleb(&b));
	fde->end = fde->start + size;
	fde->program = (struct str){ b.at, bytes_left(&b) };
	return !b.bad && fde->end > fde->start;
}
