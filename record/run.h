/* SPDX-License-Identifier: ISC */
/* A recording from beginning to end. */
#ifndef RUN_H
#define RUN_H

#include "record.h"

/* Records what SET asks for. Returns the status to end with: that of the command, or
 * an own one. SIGPIPE must be ignored; ON_PIPE is the command's way with it. */
int run_record(const struct record_options *set, void (*on_pipe)(int));

#endif
