/* SPDX-License-Identifier: ISC */
/*
 * Addresses in the programs and libraries of a profile to frames. A profile
 * that has no names of native code has for each frame a library and how far
 * from its beginning the frame is; which file that was, and its build id, the
 * profile says once. Names come from
 *
 *	the file, of --elf or at the recorded path (symbols/dso.h)
 *	a list that the profiler left beside the profile (sidecar.h)
 *
 * An address counts from the first PT_LOAD segment in the order of the program
 * headers, which need not be the lowest.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "collapse.h"
#include "input.h"
#include "intern.h"
#include "naming.h"
#include "pull.h"
#include "str.h"

struct dso;
struct dso_set;
struct sidecar;

/* A program or library, as the profile has it. Empty: not known. */
struct native_lib {
	struct str name, path;
	struct str debug_id; /* breakpadId: GUID and age, hexadecimal */
	struct str code_id;  /* build id, hexadecimal */
	uint64_t start, end; /* where it was in memory, if that is known */
	uint64_t base;	     /* where its addresses count from, there */

	/* The rest is native.c's. */
	struct dso *dso; /* NULL: none is asked */
	const char *why; /* it has no names, or NULL */
	const struct sidecar_library *listed;
	uint64_t first; /* address of the first segment */
	bool looked, wide, after_call, unnamed;
};

/* What a caller's address is. */
enum native_callers {
	NATIVE_IN_CALL, /* within its call */
	NATIVE_AFTER,	/* behind its call: a return address */
	NATIVE_PROBE_RS /* either, by machine */
};

struct native {
	struct collapse *c; /* not owned */
	struct naming stack;
	struct dso_set *dsos;
	struct sidecar *sidecar; /* NULL: none was found */
	bool sidecar_done;
	const char *input; /* the name of the profile */
	struct arena arena;
	struct intern keys;
	struct native_lib *libs;
	size_t lib_n, lib_cap;
	enum native_callers callers;
};

/* A frame without a name. */
struct native_place {
	int32_t lib;	  /* an id of native_lib_id, or -1 */
	uint64_t address; /* from the beginning of LIB */
	bool absolute;	  /* ADDRESS is as the file of LIB counts */
	bool is_leaf;	  /* nothing was called there */
	bool is_root;	  /* nothing called it */
	struct str shown; /* hexadecimal text, for people */
};

/* Prepares N for the profile IN. */
void native_init(struct native *n, struct collapse *c, struct input *in);
void native_release(struct native *n);

/* The id of a library like ABOUT, whose texts are copied; equal ones have one. */
int32_t native_lib_id(struct native *n, const struct native_lib *about);

/* Takes an object that describes a library. Returns its id. */
int32_t native_take_lib(struct native *n, struct pull *p);

/* The module of the library ID for frames: its path. Borrowed for the life of N. */
struct str native_module(const struct native *n, int32_t id);

/* Adds the frames at P to the stack of N, innermost first: one at least, but for a
 * root at address 0 of a program whose code is not there. */
void native_add(struct native *n, const struct native_place *p);

/* Tells the sink why frames have no names. To be called once, at the end. */
void native_tell(struct native *n);

#endif
