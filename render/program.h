/* SPDX-License-Identifier: ISC */
/*
 * The files of the programs and libraries named by code in frames ("spin@5f0c7d1e", frame.h).
 * The header has the path and build id of each. The file is searched for
 *
 *	in --elf by that build id, or by name without one
 *	at its path, or where that may have moved (folders.h)
 *	with --debuginfod in its cache or on servers, by build id
 *
 * A file with another build id is rejected.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "debuginfod.h"
#include "elf.h"
#include "folded.h"
#include "folders.h"
#include "str.h"

struct programs {
	const struct folded_info *info; /* not owned, like the next */
	const struct folders *where;
	const struct opt_list *elfs; /* of --elf */
	struct debuginfod *servers;  /* or NULL */
};

struct program {
	struct elf *elf;   /* NULL: not found */
	struct elf *debug; /* its separate symbols */
	struct buf path;
	const char *why; /* why it was not found, in a few words */
	bool unsure;	 /* it has no build id to compare */
};

/* Finds the file of the program NAME. The caller releases P. */
void program_find(struct program *p, const struct programs *all, struct str name);
void program_release(struct program *p);

/* Sets *START and *END to the function of P (which was found) at ADDRESS, or to the gap between
 * two functions there. Returns false if unknown. */
bool program_function(
	const struct program *p, uint64_t address, uint64_t *start, uint64_t *end);

#endif
