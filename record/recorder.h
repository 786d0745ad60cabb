/* SPDX-License-Identifier: ISC */
/* A recording from beginning to end. */
#ifndef RECORDER_H
#define RECORDER_H

#include "record-options.h"

/* Records what SET asks for. Returns the status to end with: that of the command, or
 * an own one. SIGPIPE must be ignored; ON_PIPE is the command's way with it. */
int recorder_run(const struct record_options *set, void (*on_pipe)(int));

#endif
