/* SPDX-License-Identifier: ISC */
/*
 * The texts of frames of files, one copy of each: names for people, places in sources,
 * instructions. A zeroed struct frame_texts is empty. Texts live as long as it does.
 */
#ifndef FRAME_TEXTS_H
#define FRAME_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "intern.h"
#include "str.h"

struct frame_texts {
	bool full;	     /* keep argument lists, and folders of sources */
	struct intern plain; /* texts that are shown unchanged */
	struct intern raw;   /* names in files */
	struct str *shown;   /* the same for people, by id */
	size_t cap;
	struct arena arena;
	bool warned; /* warned that this build cannot demangle */
};

void frame_texts_release(struct frame_texts *t);

/* A copy of NAME. */
struct str frame_texts_plain(struct frame_texts *t, struct str name);

/* NAME, mangled or not, for people. Each is demangled once. */
struct str frame_texts_name(struct frame_texts *t, struct str name);

/* "file:line"; empty if one of the two is unknown. */
struct str frame_texts_place(struct frame_texts *t, struct str file, uint64_t line);

/* The code at ADDRESS of PROGRAM in the form of frame_put_code. */
struct str frame_texts_code(struct frame_texts *t, struct str program, uint64_t address);

#endif
