/* SPDX-License-Identifier: ISC */
/*
 * Where files may be that have moved since they were compiled or run. The path /build/src/spin.c
 * is looked for
 *
 *	as --map changes it		/build=/new	-> /new/src/spin.c
 *	below each folder of --source	DIR/build/src/spin.c, DIR/src/spin.c, DIR/spin.c
 *	as it is			/build/src/spin.c
 */
#ifndef FOLDERS_H
#define FOLDERS_H

#include <stdbool.h>

#include "buf.h"
#include "opt.h"
#include "str.h"

struct folders {
	const struct opt_list *folders; /* of --source; not owned, as the next; or NULL */
	const struct opt_list *maps;	/* of --map: "OLD=NEW" */
	bool confined;			/* only what is below FOLDERS is opened */
};

/* Whether PATH is what is looked for. */
typedef bool folders_is(void *with, struct buf *path);

/* Calls IS with each path that PATH may be at now, until one is it. False when none is. */
bool folders_try(const struct folders *f, struct str path, folders_is *is, void *with);

#endif
