/* SPDX-License-Identifier: ISC */
/* A function of Python as its profilers show it: "work (/opt/app/jobs.py)", and with --srcline
 * "work (/opt/app/jobs.py:12)". */
#ifndef PYTHON_FRAME_H
#define PYTHON_FRAME_H

#include "str.h"
#include "stacks/thread-dump.h"

/* Adds the function NAME of FILE to the stack of D; LINE is a number in digits, or empty. */
void python_frame_add(
	struct thread_dump *d, struct str name, struct str file, struct str line);

#endif
