/* SPDX-License-Identifier: ISC */
/* Programs in folders and in $PATH. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "arena.h"
#include "str.h"

/* The path in TEXT of NAME in FOLDER; NULL if that is not an executable file. */
const char *program_in(struct arena *text, struct str folder, struct str name);

/* The path in TEXT of NAME, which has no slash, in the first folder of $PATH that has it;
 * an empty folder is the current one. NULL if none has it. */
const char *program_find(struct arena *text, struct str name);

#endif
