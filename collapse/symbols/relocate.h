/* SPDX-License-Identifier: ISC */
/*
 * Objects (.o, .ko), whose sections have no addresses yet: debug information refers to
 * symbols by relocations. They are applied as if the sections with code lay one after the
 * other, as the kernel lays out a module, from RELOCATE_BASE on: 0 and 1 mean that there is
 * no code.
 */
#ifndef RELOCATE_H
#define RELOCATE_H

#include <stddef.h>
#include <stdint.h>

#include "elf.h"
#include "str.h"

enum { RELOCATE_BASE = 1 << 20 };

/* Sets AT[i] to where section I of E is put, from 0 on; UINT64_MAX: not with the code. */
void relocate_lay_out(const struct elf *e, uint64_t *at);

struct relocate;

/* Of E, an object, which must outlive it. */
struct relocate *relocate_new(struct elf *e);
void relocate_free(struct relocate *r);

/* The bytes of section S, or NULL, with its relocations applied; borrowed for the life of R. */
struct str relocate_data(struct relocate *r, const struct elf_section *s);

/* How many relocations were of an unknown kind, or damaged, so far. */
size_t relocate_bad(const struct relocate *r);

#endif
