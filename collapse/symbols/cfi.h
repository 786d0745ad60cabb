/* SPDX-License-Identifier: ISC */
/*
 * Call frame information: how the registers of a caller are found from those of
 * the function at an address. From .eh_frame, by way of PT_GNU_EH_FRAME, and
 * from .debug_frame (DWARF 5, section 6.4; Linux Standard Base, eh_frame).
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "elf.h"

struct cfi;

/* The tables of CODE, and of DEBUG (or NULL) for what CODE lacks; both must
 * outlive the result. NULL when neither has any. */
struct cfi *cfi_new(struct elf *code, struct elf *debug);
void cfi_free(struct cfi *c);

#endif
