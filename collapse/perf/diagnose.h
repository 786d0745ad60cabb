/* SPDX-License-Identifier: ISC */
/* What is said of a recording as a whole. */
#ifndef DIAGNOSE_H
#define DIAGNOSE_H

#include <stdbool.h>

#include "callchain.h"
#include "reader.h"

/* Whether the recording that ABOUT is of was made on this machine with this
 * kernel. */
bool diagnose_is_local(const struct reader_about *about);

/* Whether ABOUT says that the recording was made on another machine. */
bool diagnose_is_remote(const struct reader_about *about);

/* What to do about WHY, which dso_trouble says of a file without names: static
 * text, or WHY itself. */
struct str diagnose_advice(const char *why);

/* Says that STRAYS values in the chains of INPUT were left out, if any. */
void diagnose_tell(uint64_t strays, const char *input);

#endif
