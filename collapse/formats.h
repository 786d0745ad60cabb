/* SPDX-License-Identifier: ISC */
/* The formats that fg-collapse reads: the table that formats.def makes. */
#ifndef FORMATS_H
#define FORMATS_H

#include <stddef.h>

#include "collapse.h"

/* Each format's description is in its own file. */
#define FORMAT(name) extern const struct collapse_format collapse_##name;
#include "formats.def"
#undef FORMAT

/* The format with index I, NULL from the last on: a walk over all. */
const struct collapse_format *formats_at(size_t i);

/* The format called NAME, or NULL. */
const struct collapse_format *formats_find(struct str name);

/* The format that is surest that HEAD, the first 64 KiB or all of an input, is
 * one of its; NULL when none is. */
const struct collapse_format *formats_guess(struct str head);

#endif
