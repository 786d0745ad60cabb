/* SPDX-License-Identifier: ISC */
/*
 * The names that samply leaves beside a profile (--unstable-presymbolicate),
 * in profile.json.syms.json for profile.json.gz:
 *
 *	{"string_table":["main","fw.cpp"],"data":[{"debug_name":"fw",
 *	 "debug_id":"f1cfb066-614f-a5aa-63de-6659bc2fe57c","code_id":"66b0cff1...",
 *	 "symbol_table":[{"rva":1024,"size":32,"symbol":0,"frames":[...]}],
 *	 "known_addresses":[[1032,0]]}]}
 *
 * All addresses of a function share an entry, whose inlined frames are those of
 * the address that came first: only the function's own name is to be trusted.
 */
#ifndef SAMPLY_SYMS_H
#define SAMPLY_SYMS_H

#include <stdbool.h>
#include <stdint.h>

#include "str.h"

struct samply_syms;

/* Reads the file at PATH. NULL, after a message, when it is none. */
struct samply_syms *samply_syms_open(const char *path);

/* The same for the one that lies beside the profile called NAME; NULL without a
 * message when there is none. */
struct samply_syms *samply_syms_find(const char *name);

void samply_syms_free(struct samply_syms *s);

/* The library that has DEBUG_ID (a breakpadId) or CODE_ID; NULL when S has no
 * names of it. */
struct samply_library;
const struct samply_library *samply_syms_library(
	const struct samply_syms *s, struct str debug_id, struct str code_id);

/* The name of the function at ADDRESS of L; false when there is none. Borrowed for
 * the life of S. */
bool samply_syms_name(const struct samply_syms *s, const struct samply_library *l,
	uint64_t address, struct str *name);

#endif
