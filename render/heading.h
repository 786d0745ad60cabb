/* SPDX-License-Identifier: ISC */
/* What was recorded, for a heading. */
#ifndef HEADING_H
#define HEADING_H

#include "folded.h"

/* The field KEY of INFO. Of "command", a command line of fg-run, fg-record or perf record, it is
 * the command that this recorded: "prog -x" of "fg-run -o a.svg -- prog -x", where the options can
 * be told from it. Borrowed; empty when the field is not there. */
struct str heading_field(const struct folded_info *info, const char *key);

#endif
