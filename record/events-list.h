/* SPDX-License-Identifier: ISC */
/* All events that a machine has, to print them and to find the ones near to a
 * name that it does not have. */
#ifndef EVENTS_LIST_H
#define EVENTS_LIST_H

#include "buf.h"
#include "output.h"
#include "str.h"

/* Writes the events of the machine below ROOT, "" for this one, to OUT in groups, a
 * line each: the name, and what else it is called. */
void events_list(const char *root, struct output *out);

/* Adds "; did you mean ...?" with names near to WANT to B. */
void events_list_nearest(const char *root, struct str want, struct buf *b);

#endif
