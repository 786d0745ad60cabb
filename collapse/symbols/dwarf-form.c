/* SPDX-License-Identifier: ISC */
/* The forms of values (DWARF 5, section 7.5.6); see dwarf.h. */
#include "dwarf-names.h"
#include "dwarf.h"

/* The number of bytes of a form's values, or its source. */
enum {
	UNKNOWN,
	EMPTY,
	ONE,
	TWO,
	THREE,
	FOUR,
	EIGHT,
	SIXTEEN,
	ADDRESS,
	OFFSET,
	REF_ADDR,
	OWN
};

static const unsigned char sizes[] = {
	[DWARF_FORM_ADDR] = ADDRESS,
	[DWARF_FORM_BLOCK2] = OWN,
	[DWARF_FORM_BLOCK4] = OWN,
	[DWARF_FORM_DATA2] = TWO,
	[DWARF_FORM_DATA4] = FOUR,
	[DWARF_FORM_DATA8] = EIGHT,
	[DWARF_FORM_STRING] = OWN,
	[DWARF_FORM_BLOCK] = OWN,
	[DWARF_FORM_BLOCK1] = OWN,
	[DWARF_FORM_DATA1] = ONE,
	[DWARF_FORM_FLAG] = ONE,
	[DWARF_FORM_SDATA] = OWN,
	[DWARF_FORM_STRP] = OFFSET,
	[DWARF_FORM_UDATA] = OWN,
	[DWARF_FORM_REF_ADDR] = REF_ADDR,
	[DWARF_FORM_REF1] = ONE,
	[DWARF_FORM_REF2] = TWO,
	[DWARF_FORM_REF4] = FOUR,
	[DWARF_FORM_REF8] = EIGHT,
	[DWARF_FORM_REF_UDATA] = OWN,
	[DWARF_FORM_INDIRECT] = OWN,
	[DWARF_FORM_SEC_OFFSET] = OFFSET,
	[DWARF_FORM_EXPRLOC] = OWN,
	[DWARF_FORM_FLAG_PRESENT] = EMPTY,
	[DWARF_FORM_STRX] = OWN,
	[DWARF_FORM_ADDRX] = OWN,
	[DWARF_FORM_REF_SUP4] = FOUR,
	[DWARF_FORM_STRP_SUP] = OFFSET,
	[DWARF_FORM_DATA16] = SIXTEEN,
	[DWARF_FORM_LINE_STRP] = OFFSET,
	[DWARF_FORM_REF_SIG8] = EIGHT,
	[DWARF_FORM_IMPLICIT_CONST] = EMPTY,
	[DWARF_FORM_LOCLISTX] = OWN,
	[DWARF_FORM_RNGLISTX] = OWN,
	[DWARF_FORM_REF_SUP8] = EIGHT,
	[DWARF_FORM_STRX1] = ONE,
	[DWARF_FORM_STRX2] = TWO,
	[DWARF_FORM_STRX3] = THREE,
	[DWARF_FORM_STRX4] = FOUR,
	[DWARF_FORM_ADDRX1] = ONE,
	[DWARF_FORM_ADDRX2] = TWO,
	[DWARF_FORM_ADDRX3] = THREE,
	[DWARF_FORM_ADDRX4] = FOUR,
};

static int
size_kind(uint64_t form)
{
	switch (form) {
	case DWARF_FORM_GNU_ADDR_INDEX:
	case DWARF_FORM_GNU_STR_INDEX: return OWN;
	case DWARF_FORM_GNU_REF_ALT:
	case DWARF_FORM_GNU_STRP_ALT: return OFFSET;
	default: return form < sizeof sizes ? sizes[form] : UNKNOWN;
	}
}

int
dwarf_form_size(const struct dwarf_unit *u, uint64_t form)
{
	static const signed char plain[] = { [UNKNOWN] = DWARF_NO_SIZE,
		[EMPTY] = 0,
		[ONE] = 1,
		[TWO] = 2,
		[THREE] = 3,
		[FOUR] = 4,
		[EIGHT] = 8,
		[SIXTEEN] = 16,
		[OWN] = -1 };
	int kind = size_kind(form);

	switch (kind) {
	case ADDRESS: return u->address_size;
	case OFFSET: return u->offset_size;
	case REF_ADDR: return u->version > 2 ? u->offset_size : u->address_size;
	default: return plain[kind];
	}
}
