/* SPDX-License-Identifier: ISC */
/* What names of frames tell: whether they wait, and which module they are of. */
#ifndef FILTER_NAME_H
#define FILTER_NAME_H

#include <stdbool.h>

#include "str.h"

/* NAME without "_[k]" and the like, and without what compilers and perf add to it:
 * clones, offsets, versions, the module before a '`'. */
struct str filter_name_bare(struct str name);

/* How a frame tells that its stack does no work. */
enum filter_name_idle {
	FILTER_NAME_BUSY = 1,
	FILTER_NAME_IDLE,     /* wherever it stands */
	FILTER_NAME_WAITS,    /* as the leaf */
	FILTER_NAME_SLEEPS,   /* when nothing but the next kind follows */
	FILTER_NAME_SCHEDULES /* the kernel switching to another thread */
};
enum filter_name_idle filter_name_idle(struct str name);

/* The module that NAME tells, "kernel" and "jit" by annotation; empty when it tells
 * none. *INLINED: it is of its caller's. Borrowed. */
struct str filter_name_module(struct str name, bool *inlined);

#endif
