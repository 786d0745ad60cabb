/* SPDX-License-Identifier: ISC */
/*
 * Turns addresses in the memory of a process into frames, by the list of mappings that
 * profilers write into a profile:
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
	uint64_t offset; /* of START in the file; or the address there */
	int32_t library; /* -1: not a file */
};

/* An address that the profile itself names. */
struct mapped_code_known {
	uint64_t address;
	struct str name, place; /* place: "file:line", or empty */
	size_t order;		/* used by mapped-code.c */
};

struct mapped_code {
	struct libraries libraries;
	struct mapped_code_range *ranges;
	size_t n, cap;
	bool sorted;
	struct mapped_code_known *known;
	struct cache seen; /* addresses that are in known */
	size_t known_n, known_cap;
	bool known_sorted;
	bool by_address;	/* OFFSET of ranges is an address in the file */
	struct str (*words)[2]; /* variables in paths, and their values */
	size_t word_n, word_cap;
	struct arena arena;
};

/* Prepares M for the profile IN. */
void mapped_code_init(struct mapped_code *m, struct collapse *c, struct input *in);
void mapped_code_release(struct mapped_code *m);

/* Forgets all ranges; libraries keep their ids. */
void mapped_code_clear(struct mapped_code *m);

/* Maps the file PATH, with the build ID ID (hexadecimal) or empty, at RANGE, whose
 * library is set here. */
void mapped_code_map(struct mapped_code *m, struct mapped_code_range range,
	struct str path, struct str id);

/* Parses a line of the list; skips ranges that are not code. Returns false if it is not a
 * line of a list. */
bool mapped_code_take_line(struct mapped_code *m, struct str line);

/* Adds K, a function named by the profile; its texts are copied. The first one at an
 * address counts. */
void mapped_code_tell(struct mapped_code *m, const struct mapped_code_known *k);

/* Parses a line of Java's profilers: "0x0000006 demo.Main.run (Main.java:06)". Returns
 * false if it is not one. */
bool mapped_code_tell_java(struct mapped_code *m, struct str line);

/* The place of ADDRESS, by the current ranges. */
struct library_place mapped_code_find(struct mapped_code *m, uint64_t address);

/* Adds the frames at PLACE to OUT, at least one; SHOWN is the address for people. */
void mapped_code_name_place(struct mapped_code *m, struct library_place place,
	uint64_t shown, struct frame_names *out);

/* The same for ADDRESS, by the profile's own names or by the ranges. ADDRESS must be
 * within an instruction: for a caller, the return address minus one. */
void mapped_code_name(struct mapped_code *m, uint64_t address, struct frame_names *out);

#endif
