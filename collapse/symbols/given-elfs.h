/* SPDX-License-Identifier: ISC */
/* The files that the user gives with --elf, each opened once. */
#ifndef GIVEN_ELFS_H
#define GIVEN_ELFS_H

#include <stdbool.h>
#include <stddef.h>

#include "elf.h"
#include "opt.h"
#include "str.h"

/* A zeroed struct has no files. */
struct given_elfs {
	const struct opt_list *paths; /* not owned */
	struct elf **elfs;	      /* NULL if unreadable */
	size_t n;
};

/* Opens PATHS, which may be NULL and must outlive G. */
void given_elfs_init(struct given_elfs *g, const struct opt_list *paths);
void given_elfs_release(struct given_elfs *g);

/* The file for the code at PATH, which may be empty, with BUILD_ID: by build id,
 * otherwise by its name without folders. Returns NULL without one; sets *WHY if it was
 * another build. Owned by G. */
struct elf *given_elfs_find(const struct given_elfs *g, struct str path,
	struct str build_id, const char **why);

/* The file with BUILD_ID, which is not empty; or NULL. Owned by G. */
struct elf *given_elfs_with_id(const struct given_elfs *g, struct str build_id);

/* The path of E, a file of G, as the user gave it. */
const char *given_elfs_path(const struct given_elfs *g, const struct elf *e);

/* Whether E is a file of G. */
bool given_elfs_has(const struct given_elfs *g, const struct elf *e);

/* The next file from *AT on with split debug information, opened again for the caller,
 * who closes it; NULL after the last. */
struct elf *given_elfs_split(const struct given_elfs *g, size_t *at);

#endif
