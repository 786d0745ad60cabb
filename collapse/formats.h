/* SPDX-License-Identifier: ISC */
/* The formats that fg-collapse reads: the table that formats.def makes. What it does not read
 * is known too, so that a message can say what to do with it. */
#ifndef FORMATS_H
#define FORMATS_H

#include <stddef.h>

#include "buf.h"
#include "collapse.h"
#include "input.h"

/* Each format's description is in its own file. */
#define FAMILY(heading)
#define FORMAT(symbol, name, about) extern const struct collapse_format collapse_##symbol;
#include "formats.def"
#undef FAMILY
#undef FORMAT

/* A row of formats.def. */
struct formats_row {
	const struct collapse_format *format;
	const char *name;  /* for -f and --list-formats */
	const char *about; /* what makes it, in a few words */
};

/* The row with index I, NULL from the last on: a walk over all. */
const struct formats_row *formats_at(size_t i);

/* The row called NAME, or NULL. */
const struct formats_row *formats_find(struct str name);

/* The row of the format that is surest of IN, NULL when none claims it. *HEAD is the beginning
 * that says so, borrowed until IN is read. */
const struct formats_row *formats_guess(struct input *in, struct str *head);

/* Adds to B what an input that begins with HEAD, and that no format wants, seems to be, and
 * what to do, as the rest of a message: "is a callgrind profile, which fg-collapse cannot
 * read; ...". */
void formats_describe(struct buf *b, struct str head);

#endif
