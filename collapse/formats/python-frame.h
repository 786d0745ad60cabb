/* SPDX-License-Identifier: ISC */
/* Python functions as Python profilers show them: "work (/opt/app/jobs.py)", with
 * --srcline "work (/opt/app/jobs.py:12)". */
#ifndef PYTHON_FRAME_H
#define PYTHON_FRAME_H

#include "str.h"
#include "stacks/thread-dump.h"

/* Adds the function NAME of FILE to D's stack; LINE is decimal, or empty. */
void python_frame_add(
	struct thread_dump *d, struct str name, struct str file, struct str line);

#endif
