/* SPDX-License-Identifier: ISC */
/* What is said of a recording as a whole. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>

#include "chain.h"
#include "reader.h"

/* Whether the recording that ABOUT is of was made on this machine with this
 * kernel. */
bool summary_is_local(const struct reader_about *about);

/* What to do about WHY, which dso_trouble says of a file without names: static
 * text, or WHY itself. */
struct str summary_advice(const char *why);

/* Says which stacks of INPUT are not whole, and why. */
void summary_tell(const struct chain_counts *counts, const char *input);

#endif
