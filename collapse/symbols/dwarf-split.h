/* SPDX-License-Identifier: ISC */
/*
 * Split DWARF (-gsplit-dwarf; DWARF 5, section 7.3.2; GNU DebugFission for DWARF 4): a
 * linked program has only skeletons of its units, which name the files with the rest:
 *
 *	prog		skeleton: comp_dir "/src", dwo_name "main.dwo", id, addresses
 *	/src/main.dwo	the unit with that id
 *	prog.dwp	or the units of all .dwo files, with an index by id
 */
#ifndef DWARF_SPLIT_H
#define DWARF_SPLIT_H

#include "dwarf.h"
#include "elf.h"
#include "str.h"

struct dwarf_split;

struct dwarf_split *dwarf_split_new(void);
void dwarf_split_free(struct dwarf_split *s);

/* The program is at PATH: PATH.dwp is its package, and .dwo files that are missing
 * where they were compiled are searched for beside it. Call this for each file of the
 * program. */
void dwarf_split_beside(struct dwarf_split *s, const char *path);

/* Adds the file E, which S then owns, to the files that are searched first. If it has
 * no split units, closes E and returns false. */
bool dwarf_split_add(struct dwarf_split *s, struct elf *e);

/* The unit of SKELETON with its bases read, for the life of S; NULL if it is not found,
 * or SKELETON is not a skeleton. */
struct dwarf_unit *dwarf_split_find(struct dwarf_split *s, struct dwarf_unit *skeleton);

/* The number of missing units, and the name of the first one's file. */
size_t dwarf_split_missing(const struct dwarf_split *s, struct str *first);

#endif
