/* SPDX-License-Identifier: ISC */
/*
 * Maps code addresses to units by the indexes of linkers and compilers, so that not all
 * units have to be read:
 *
 *	.gdb_index	versions 7 to 9 (manual of GDB, "Index Section Format"): a list of
 *			units, and addresses of them
 *	.debug_aranges	a set of addresses for each unit (DWARF 5, section 6.1.2); clang
 *			writes none
 *
 * .debug_names (DWARF 5, section 6.1.1) does not help. It maps names to entries,
 * without addresses, and the name of a static function leads to every unit with such a
 * function. All of it would have to be read to avoid reading headers, and it is as
 * large.
 *
 * An index is a hint. It may lack units, or be wrong about them: callers check whether
 * the unit has the address, and otherwise try all units.
 */
#ifndef DWARF_INDEX_H
#define DWARF_INDEX_H

#include "dwarf.h"
#include "spans.h"

/* Adds the spans of D's index to S, and sorts them. Adds nothing without a readable
 * index, and skips unreadable sets of .debug_aranges. */
void dwarf_index_read(struct dwarf *d, struct spans *s);

#endif
