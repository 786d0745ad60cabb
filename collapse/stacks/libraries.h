/* SPDX-License-Identifier: ISC */
/*
 * Turns addresses in the programs and libraries of a profile into frames. A profile
 * without native names has for each frame a library and an offset in it, and for each
 * library its file and build ID. Names come from
 *
 *	the file, of --elf or at the recorded path (symbols/dso.h)
 *	a list that the profiler wrote next to the profile (samply)
 *
 * An address is relative to the first PT_LOAD segment in the order of the program
 * headers, which may not be the lowest.
 */
#ifndef LIBRARIES_H
#define LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "collapse.h"
#include "input.h"
#include "intern.h"
#include "frame-names.h"
#include "readers/json-columns.h"
#include "readers/json-read.h"
#include "str.h"

struct dso;
struct dso_set;
struct library_syms;

/* A program or library of the profile. Unknown texts are empty. */
struct library {
	struct str name, path;
	struct str debug_id; /* breakpadId: GUID and age, hexadecimal */
	struct str code_id;  /* build id, hexadecimal */
	uint64_t start, end; /* in memory; 0 if unknown */
	uint64_t base;	     /* in memory, the origin of its addresses */

	/* Used by libraries.c. */
	struct dso *dso; /* NULL: none is used */
	const char *why; /* why it has no names, or NULL */
	const struct library_names *listed;
	uint64_t first; /* address of the first segment */
	bool looked, wide, after_call, unnamed;
};

/* The meaning of a caller's address. */
enum library_callers {
	LIBRARIES_IN_CALL, /* within its call */
	LIBRARIES_AFTER,   /* after its call: a return address */
	LIBRARIES_PROBE_RS /* either, by machine */
};

struct libraries {
	struct collapse *c; /* not owned */
	struct frame_names stack;
	struct dso_set *dsos;
	struct library_syms *syms; /* NULL: none found */
	bool syms_done;
	const char *input; /* the name of the profile */
	struct arena arena;
	struct intern keys;
	struct library *libs;
	size_t lib_n, lib_cap;
	enum library_callers callers;
};

/* A frame without a name. */
struct library_place {
	int32_t lib;	  /* from libraries_add, or -1 */
	uint64_t address; /* from the beginning of LIB */
	bool absolute;	  /* ADDRESS is as in the file of LIB */
	bool in_file;	  /* ADDRESS is an offset in that file */
	bool is_leaf;	  /* the innermost frame */
	bool is_root;	  /* the outermost frame */
	struct str shown; /* hexadecimal text, for people */
};

/* Prepares N for the profile IN. */
void libraries_init(struct libraries *n, struct collapse *c, struct input *in);
void libraries_release(struct libraries *n);

/* Adds a library like ABOUT, whose texts are copied. Returns its id, which equal ones
 * share. */
int32_t libraries_add(struct libraries *n, const struct library *about);

/* Reads an object that describes a library. Returns its id. */
int32_t libraries_read(struct libraries *n, struct json_reader *p);

/* The module of the library ID for frames: its path; valid as long as N. */
struct str libraries_module(const struct libraries *n, int32_t id);

/* Adds the frames at P to N's stack, innermost first: at least one, except for a root at
 * address 0 of a program without code there. */
void libraries_name(struct libraries *n, const struct library_place *p);

/* Passes the reasons for missing names to the sink. Call once, at the end. */
void libraries_explain(struct libraries *n);

#endif
