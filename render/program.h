/* SPDX-License-Identifier: ISC */
/*
 * The files of programs and libraries that code in frames is of ("spin@5f0c7d1e", frame.h). The
 * header says where each was and its build id; the file is
 *
 *	one of --elf with that build id, or of that name where there is none
 *	at its path, or where that may be now (folders.h)
 *	with --debuginfod in its cache or on servers, by the build id
 *
 * One with another build id is not taken.
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
	const struct folded_info *info; /* not owned, as the next */
	const struct folders *where;
	const struct opt_list *elfs; /* of --elf */
	struct debuginfod *servers;  /* or NULL */
};

struct program {
	struct elf *elf;   /* NULL: not found */
	struct elf *debug; /* its symbols, if it has been parted from them */
	struct buf path;
	const char *why; /* it was not found: a few words */
	bool unsure;	 /* it has no build id to compare */
};

/* Finds the file of the program NAME. The caller releases P. */
void program_find(struct program *p, const struct programs *all, struct str name);
void program_release(struct program *p);

/* Sets *START and *END to the function of P, which was found, that ADDRESS is in, or to what lies
 * between two functions; false when that is not known. */
bool program_function(
	const struct program *p, uint64_t address, uint64_t *start, uint64_t *end);

#endif
