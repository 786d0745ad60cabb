/* SPDX-License-Identifier: ISC */
/*
 * Objects (.o, .ko), whose sections have no addresses yet: debug information refers to
 * symbols by relocations. They are applied as if the sections with code were
 * consecutive, as in the kernel's layout of a module, from RELOCATE_BASE on: addresses
 * 0 and 1 mark missing code.
 */
#ifndef RELOCATE_H
#define RELOCATE_H

#include <stddef.h>
#include <stdint.h>

#include "elf.h"
#include "str.h"

enum { RELOCATE_BASE = 1 << 20 };

/* Sets AT[i] to the offset of section I of E in the layout; UINT64_MAX: not code. */
void relocate_lay_out(const struct elf *e, uint64_t *at);

struct relocate;

/* Prepares E, an object, which must outlive the result. */
struct relocate *relocate_new(struct elf *e);
void relocate_free(struct relocate *r);

/* The bytes of section S, or NULL, with its relocations applied; borrowed for the life of R. */
struct str relocate_data(struct relocate *r, const struct elf_section *s);

/* The number of relocations so far that were damaged or of an unknown kind. */
size_t relocate_bad(const struct relocate *r);

#endif
