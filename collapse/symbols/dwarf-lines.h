/* SPDX-License-Identifier: ISC */
/*
 * The table of lines of a unit (.debug_line of DWARF 2 to 5, section 6.2): which line of
 * which file the code at an address was compiled from. All of a table is decoded at once;
 * a mean one takes some 20 to 70 us.
 */
#ifndef DWARF_LINES_H
#define DWARF_LINES_H

#include <stdint.h>

#include "dwarf.h"
#include "str.h"

struct dwarf_lines;

/* Code from ADDRESS up to the next row. */
struct dwarf_lines_row {
	uint64_t address;
	uint32_t file;
	uint32_t line; /* 0: the compiler gives none */
};

/* The table at OFFSET of .debug_line, of U, whose files are relative to COMP_DIR, borrowed
 * for the life of the result. NULL when it cannot be read. The caller frees it. */
struct dwarf_lines *dwarf_lines_new(
	struct dwarf_unit *u, uint64_t offset, struct str comp_dir);
void dwarf_lines_free(struct dwarf_lines *l);

/* The row that ADDRESS is in, NULL when there is none; *FIRST is the first one that code
 * goes on from without a gap. Borrowed for the life of L. */
const struct dwarf_lines_row *dwarf_lines_find(const struct dwarf_lines *l,
	uint64_t address, const struct dwarf_lines_row **first);

/* The path of FILE, a number of rows and of DW_AT_call_file, as the compiler was given
 * it, behind its folder; empty when there is no such file. Borrowed for the life of L. */
struct str dwarf_lines_path(struct dwarf_lines *l, uint64_t file);

#endif
