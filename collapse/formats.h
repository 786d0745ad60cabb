/* SPDX-License-Identifier: ISC */
/* The table of formats that fg-collapse reads, made from formats.def. Some unsupported
 * formats are recognised too, so that a message can give advice. */
#ifndef FORMATS_H
#define FORMATS_H

#include <stddef.h>

#include "buf.h"
#include "collapse.h"
#include "input.h"

/* Each format is documented in its own file. */
#define FAMILY(heading)
#define FORMAT(symbol, name, about) extern const struct collapse_format collapse_##symbol;
#include "formats.def"
#undef FAMILY
#undef FORMAT

/* A row of formats.def. */
struct formats_row {
	const struct collapse_format *format;
	const char *name;  /* for -f and --list-formats */
	const char *about; /* a short description of its source */
};

/* The row I; NULL after the last one. */
const struct formats_row *formats_at(size_t i);

/* The row NAME, or NULL. */
const struct formats_row *formats_find(struct str name);

/* How sure F is, from 0 to 100, that HEAD begins a profile of it: 0 without one of its signs,
 * otherwise the result of its probe. */
int formats_claim(const struct collapse_format *f, struct str head);

/* The row of the format that is surest of IN; NULL if none claims it. *HEAD is the part
 * of IN that was examined, borrowed until IN is read. */
const struct formats_row *formats_guess(struct input *in, struct str *head);

/* Describes an input that begins with HEAD and that no format claims, as the rest of a
 * message with advice, which is added to B: "is an HPROF file, which fg-collapse cannot
 * read; ...". */
void formats_describe(struct buf *b, struct str head);

#endif
