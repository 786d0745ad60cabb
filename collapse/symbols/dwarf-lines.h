/* SPDX-License-Identifier: ISC */
/*
 * The table of lines of a unit (.debug_line of DWARF 2 to 5, section 6.2) maps
 * addresses to source files and lines. A table is decoded at once; an average one takes
 * some 20 to 70 us.
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
	uint32_t line; /* 0: without a line */
};

/* The table at OFFSET of .debug_line, of U, whose files are relative to COMP_DIR,
 * borrowed for the life of the result. NULL if it is unreadable. The caller frees
 * it. */
struct dwarf_lines *dwarf_lines_new(
	struct dwarf_unit *u, uint64_t offset, struct str comp_dir);
void dwarf_lines_free(struct dwarf_lines *l);

/* The row of ADDRESS, or NULL. *FIRST is the first row of the contiguous code around
 * it. Borrowed for the life of L. */
const struct dwarf_lines_row *dwarf_lines_find(const struct dwarf_lines *l,
	uint64_t address, const struct dwarf_lines_row **first);

/* The path of FILE, a number of rows and of DW_AT_call_file, as given to the compiler,
 * behind its folder; empty for an unknown file. Borrowed for the life of L. */
struct str dwarf_lines_path(struct dwarf_lines *l, uint64_t file);

#endif
