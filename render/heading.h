/* SPDX-License-Identifier: ISC */
/* The recorded command, for a heading. */
#ifndef HEADING_H
#define HEADING_H

#include "folded.h"

/* The field KEY of INFO. Of "command", a command line of fg-run, fg-record or perf record, only
 * the recorded command: "prog -x" of "fg-run -o a.svg -- prog -x", if the options can be
 * parsed. Borrowed; empty without the field. */
struct str heading_field(const struct folded_info *info, const char *key);

#endif
