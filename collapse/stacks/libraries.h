/* SPDX-License-Identifier: ISC */
/*
 * Addresses in the programs and libraries of a profile to frames. A profile
 * that has no names of native code has for each frame a library and how far
 * from its beginning the frame is; which file that was, and its build id, the
 * profile says once. Names come from
 *
 *	the file, of --elf or at the recorded path (symbols/dso.h)
 *	a list that the profiler left beside the profile (samply)
 *
 * An address counts from the first PT_LOAD segment in the order of the program
 * headers, which need not be the lowest.
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

/* A program or library, as the profile has it. Empty: not known. */
struct library {
	struct str name, path;
	struct str debug_id; /* breakpadId: GUID and age, hexadecimal */
	struct str code_id;  /* build id, hexadecimal */
	uint64_t start, end; /* where it was in memory, if that is known */
	uint64_t base;	     /* where its addresses count from, there */

	/* The rest is libraries.c's. */
	struct dso *dso; /* NULL: none is asked */
	const char *why; /* it has no names, or NULL */
	const struct library_names *listed;
	uint64_t first; /* address of the first segment */
	bool looked, wide, after_call, unnamed;
};

/* What a caller's address is. */
enum library_callers {
	LIBRARIES_IN_CALL, /* within its call */
	LIBRARIES_AFTER,   /* behind its call: a return address */
	LIBRARIES_PROBE_RS /* either, by machine */
};

struct libraries {
	struct collapse *c; /* not owned */
	struct frame_names stack;
	struct dso_set *dsos;
	struct library_syms *syms; /* NULL: none was found */
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
	int32_t lib;	  /* an id of libraries_add, or -1 */
	uint64_t address; /* from the beginning of LIB */
	bool absolute;	  /* ADDRESS is as the file of LIB counts */
	bool in_file;	  /* ADDRESS is where the code lies in that file */
	bool is_leaf;	  /* nothing was called there */
	bool is_root;	  /* nothing called it */
	struct str shown; /* hexadecimal text, for people */
};

/* Prepares N for the profile IN. */
void libraries_init(struct libraries *n, struct collapse *c, struct input *in);
void libraries_release(struct libraries *n);

/* The id of a library like ABOUT, whose texts are copied; equal ones have one. */
int32_t libraries_add(struct libraries *n, const struct library *about);

/* Takes an object that describes a library. Returns its id. */
int32_t libraries_read(struct libraries *n, struct json_reader *p);

/* The module of the library ID for frames: its path. Borrowed for the life of N. */
struct str libraries_module(const struct libraries *n, int32_t id);

/* Adds the frames at P to the stack of N, innermost first: one at least, but for a
 * root at address 0 of a program whose code is not there. */
void libraries_name(struct libraries *n, const struct library_place *p);

/* Tells the sink why frames have no names. To be called once, at the end. */
void libraries_explain(struct libraries *n);

#endif
