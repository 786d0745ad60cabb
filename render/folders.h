/* SPDX-License-Identifier: ISC */
/*
 * Finds files that have moved since they were compiled or run. The path /build/src/spin.c is
 * searched for
 *
 *	as --map changes it		/build=/new	-> /new/src/spin.c
 *	below each folder of --source	DIR/build/src/spin.c, DIR/src/spin.c, DIR/spin.c
 *	as it is			/build/src/spin.c, from a source trusted to name any file
 *
 * Never searches above the folders that the user named: a path with ".." or a zero byte is cut
 * after it, and searched for below folders only.
 */
#ifndef FOLDERS_H
#define FOLDERS_H

#include <stdbool.h>

#include "buf.h"
#include "opt.h"
#include "str.h"

struct folders {
	const struct opt_list
		*folders;	     /* of --source; not owned, like the next; or NULL */
	const struct opt_list *maps; /* of --map: "OLD=NEW" */
	bool as_is;		     /* absolute paths are tried unchanged, too */
};

/* A possible path of a file. */
struct folders_path {
	struct buf path;
	bool below; /* the user named its first TOP bytes, a folder that must contain
		     * the file; 0: the current one. Otherwise PATH is tried unchanged */
	size_t top;
};

/* Whether the file is AT this path. */
typedef bool folders_is(void *with, struct folders_path *at);

/* Calls IS with each path that PATH may have moved to, until it accepts one. Returns false when
 * it accepts none. */
bool folders_try(const struct folders *f, struct str path, folders_is *is, void *with);

#endif
