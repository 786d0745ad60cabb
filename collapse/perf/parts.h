/* SPDX-License-Identifier: ISC */
/*
 * The files of a recording by several threads (perf record --threads): a folder with
 * "data", which has the header and what is known of processes, and "data.0", "data.1" ...
 * with nothing but records. Rounds do not go across files.
 */
#ifndef PARTS_H
#define PARTS_H

#include <stddef.h>

#include "input.h"

/* A zeroed struct parts has none open. */
struct parts {
	struct input **list;
	char **names;
	size_t n, cap, name_cap;
	size_t tried; /* the number of the next */
};

/* Closes all of them. */
void parts_release(struct parts *p);

/* Opens the next part of the recording whose header is in MAIN; NULL when there is none.
 * One that cannot be opened, which a message says, is passed over, and MAIN has failed.
 * Owned by P. */
struct input *parts_next(struct parts *p, struct input *main);

#endif
