/* SPDX-License-Identifier: ISC */
/*
 * Addresses in the memory of a process to frames, by a list of what was mapped where, as
 * profilers write it into a profile:
 *
 *	00401000-00402000 r-xp 00001000 00:00 1409085     /opt/demo/small	/proc/PID/maps
 *	  7fcdc340c000-7fcdc3415000: /lib/libcrypt-2.15.so (@1000)		google/pprof
 *	build=/opt/demo								$build/lib.so then
 */
#ifndef MAPPED_CODE_H
#define MAPPED_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "cache.h"
#include "collapse.h"
#include "input.h"
#include "libraries.h"
#include "str.h"

struct mapped_code_range {
	uint64_t start, end;
	uint64_t offset; /* in the file, of START; or the address there */
	int32_t library; /* -1: no file */
};

/* An address that the profile itself names. */
struct mapped_code_known {
	uint64_t address;
	struct str name, place; /* PLACE is "file:line", or empty */
	size_t order;		/* mapped-code.c's */
};

struct mapped_code {
	struct libraries libraries;
	struct mapped_code_range *ranges;
	size_t n, cap;
	bool sorted;
	struct mapped_code_known *known;
	struct cache told; /* addresses that are in known */
	size_t known_n, known_cap;
	bool known_sorted;
	bool by_address;	/* OFFSET of ranges is an address as the file counts */
	struct str (*words)[2]; /* names and what they stand for, in paths */
	size_t word_n, word_cap;
	struct arena arena;
};

/* Prepares M for the profile IN. */
void mapped_code_init(struct mapped_code *m, struct collapse *c, struct input *in);
void mapped_code_release(struct mapped_code *m);

/* Forgets all ranges; files keep their numbers. */
void mapped_code_clear(struct mapped_code *m);

/* The file PATH, with the build id ID (hexadecimal) or nothing, lies at RANGE, whose
 * library is set here. */
void mapped_code_map(struct mapped_code *m, struct mapped_code_range range,
	struct str path, struct str id);

/* Takes a line of the list; ranges without code are left out. False when it is not of a list. */
bool mapped_code_take_line(struct mapped_code *m, struct str line);

/* K is a function that the profile names; its texts are copied. The first one of an address
 * counts. */
void mapped_code_tell(struct mapped_code *m, const struct mapped_code_known *k);

/* Takes a line of what Java's profilers write: "0x0000006 demo.Main.run (Main.java:06)".
 * False when it is none. */
bool mapped_code_tell_java(struct mapped_code *m, struct str line);

/* Where ADDRESS is, by the ranges of now. */
struct library_place mapped_code_find(struct mapped_code *m, uint64_t address);

/* Adds the frames at PLACE, of which SHOWN is the address, to OUT: one at least. */
void mapped_code_name_place(struct mapped_code *m, struct library_place place,
	uint64_t shown, struct frame_names *out);

/* The same for ADDRESS, by what the profile says of it or by the ranges. ADDRESS must be within
 * an instruction: that of a caller is one less than where it returns to. */
void mapped_code_name(struct mapped_code *m, uint64_t address, struct frame_names *out);

#endif
