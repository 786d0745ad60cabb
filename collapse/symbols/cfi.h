/* SPDX-License-Identifier: ISC */
/*
 * Call frame information: how to compute a caller's registers from the registers of the
 * function at an address. It comes from .eh_frame, through PT_GNU_EH_FRAME, and from
 * .debug_frame (DWARF 5, section 6.4; Linux Standard Base, eh_frame). Go functions have
 * rows by Go's own table (gopclntab.h), which stripped programs keep, and which names
 * the functions that change the stack.
 *
 * An FDE that is damaged, too deep or of an unknown augmentation is ignored: its
 * addresses have no row.
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi-rule.h"
#include "elf.h"
#include "str.h"

struct cfi;

/* The tables of CODE, and of DEBUG (or NULL) where CODE lacks them; both must outlive
 * the result. NULL if neither has any. */
struct cfi *cfi_new(struct elf *code, struct elf *debug);
void cfi_free(struct cfi *c);

/* Sets *ROW to the rules at ADDRESS, as the file's symbols count. Returns false without
 * rules. */
bool cfi_find(struct cfi *c, uint64_t address, struct cfi_row *row);

/* Code of SIZE bytes generated for MACHINE at run time, with its own .eh_frame. */
struct cfi_made {
	struct str frames;
	uint64_t size;
	uint16_t machine;
	bool swap;
};

/* The same at OFFSET in M, by its first FDE, whose addresses are ignored. */
bool cfi_find_made(const struct cfi_made *m, uint64_t offset, struct cfi_row *row);

#endif
