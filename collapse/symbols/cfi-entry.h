/* SPDX-License-Identifier: ISC */
/*
 * A section with call frame information: its pointers, its entries (a CIE, which many
 * functions share, and an FDE for each), and the rows of rules that their programs make.
 * Which entry an address has is for cfi.c to find.
 */
#ifndef CFI_ENTRY_H
#define CFI_ENTRY_H

#include "bytes.h"
#include "cfi.h"

/* The encodings of pointers in .eh_frame (Linux Standard Base, DWARF
 * extensions): a format, what it is relative to, and one flag. */
enum {
	CFI_ABSOLUTE = 0x00,
	CFI_FORMAT = 0x0f,
	CFI_RELATION = 0x70,
	CFI_ALIGNED = 0x50,
	CFI_INDIRECT = 0x80,
	CFI_OMIT = 0xff
};

struct cfi_section {
	struct str bytes;
	uint64_t address;    /* of the first byte, when the program runs */
	uint64_t text, data; /* what textrel and datarel pointers begin at, or 0 */
	bool eh;	     /* .eh_frame, else .debug_frame */
	bool swap;
	unsigned char address_size; /* 4 or 8 */
	uint16_t machine;
};

/* A cursor over what S has from OFFSET on. */
struct bytes cfi_section_at(const struct cfi_section *s, uint64_t offset);

/* The pointer that B, a cursor in S, is at. False when it cannot be known from
 * the file; B then is past it, or bad. */
bool cfi_section_pointer(
	const struct cfi_section *s, struct bytes *b, unsigned encoding, uint64_t *value);

/* How many bytes a pointer of ENCODING takes, 0 when that varies. */
unsigned cfi_section_pointer_size(const struct cfi_section *s, unsigned encoding);

/* What the instructions of a program change, and remember_state keeps. */
struct cfi_state {
	struct cfi_rule cfa;
	struct cfi_rule rules[CFI_REGISTERS];
};

struct cfi_cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t return_register;
	unsigned char encoding; /* of the pointers in its FDEs */
	bool sized;		/* its FDEs have augmentation data */
	bool signal;
	struct str program;
	struct cfi_state first; /* what the program leaves; by cfi_program_begin */
};

struct cfi_fde {
	const struct cfi_cie *cie;
	uint64_t start, end;
	struct str program;
};

/* One entry of a section: a CIE, or an FDE and where its CIE is. */
struct cfi_entry {
	bool is_cie;
	uint64_t cie;	   /* offset */
	struct bytes rest; /* what follows the CIE id or pointer */
	uint64_t next;	   /* offset of the entry after it */
	bool end, bad;	   /* a terminator; not an entry at all */
};

/* The entry at OFFSET. */
struct cfi_entry cfi_entry_at(const struct cfi_section *s, uint64_t offset);

/* Reads the CIE at OFFSET. False when it is not one, or of an unknown kind. */
bool cfi_entry_cie(const struct cfi_section *s, uint64_t offset, struct cfi_cie *cie);

/* Reads the addresses and the program of E, an FDE, whose FDE->cie is known. */
bool cfi_entry_fde(const struct cfi_section *s, struct cfi_entry e, struct cfi_fde *fde);

/* Runs the program of CIE; false when it is malformed. */
bool cfi_program_begin(const struct cfi_section *s, struct cfi_cie *cie);

/* Runs the program of FDE for ADDRESS, which it covers. */
bool cfi_program_run(const struct cfi_section *s, const struct cfi_fde *fde,
	uint64_t address, struct cfi_row *row);

#endif
