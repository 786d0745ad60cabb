/* SPDX-License-Identifier: ISC */
/*
 * Call frame information: how the registers of a caller are found from those of
 * the function at an address. From .eh_frame, by way of PT_GNU_EH_FRAME, and
 * from .debug_frame (DWARF 5, section 6.4; Linux Standard Base, eh_frame). Functions of
 * Go have rows by their own table (gopclntab.h), which is there in stripped programs too, and
 * knows which functions change the stack.
 *
 * Of an FDE that is damaged, too deep or of an augmentation that is not known,
 * nothing is believed: its addresses have no row.
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi-rule.h"
#include "elf.h"
#include "str.h"

struct cfi;

/* The tables of CODE, and of DEBUG (or NULL) for what CODE lacks; both must
 * outlive the result. NULL when neither has any. */
struct cfi *cfi_new(struct elf *code, struct elf *debug);
void cfi_free(struct cfi *c);

/* Sets *ROW to the rules at ADDRESS, as the symbols of the file count. False
 * when there are none. */
bool cfi_find(struct cfi *c, uint64_t address, struct cfi_row *row);

/* Code of SIZE bytes that was made at run time for MACHINE, with an .eh_frame of its
 * own. */
struct cfi_made {
	struct str frames;
	uint64_t size;
	uint16_t machine;
	bool swap;
};

/* The same at OFFSET in M, by its first FDE, whatever addresses that has. */
bool cfi_find_made(const struct cfi_made *m, uint64_t offset, struct cfi_row *row);

#endif
