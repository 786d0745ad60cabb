/* SPDX-License-Identifier: ISC */
/*
 * Which unit has the code at an address, as linkers and compilers list it beside the units, so
 * that these need not all be looked at:
 *
 *	.gdb_index	versions 7 to 9 (manual of GDB, "Index Section Format"): a list of
 *			units, and addresses of them
 *	.debug_aranges	a set of addresses for each unit (DWARF 5, section 6.1.2); clang
 *			writes none
 *
 * .debug_names (DWARF 5, section 6.1.1) is of no use for that. It goes from names to entries,
 * and has neither addresses nor what would be needed instead: the name of a static function
 * leads to every unit that has one of that name. With it, what it lists would have to be read
 * to the last name to save the look at headers, and is as large.
 *
 * What an index says is a hint. It may lack units, and units may be elsewhere or be others
 * than it says: who asks looks whether the unit has the address, else at all of them.
 */
#ifndef DWARF_INDEX_H
#define DWARF_INDEX_H

#include "dwarf.h"
#include "spans.h"

/* Adds the spans of D's index to S, and sorts them. None when there is no index, or what it is
 * cannot be read; of .debug_aranges, sets that cannot be read are left out. */
void dwarf_index_read(struct dwarf *d, struct spans *s);

#endif
