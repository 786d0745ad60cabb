/* SPDX-License-Identifier: ISC */
/*
 * Files in memory. A file that somebody truncates while it is mapped (a program that
 * is rebuilt, a recording that is written anew) would end the program by SIGBUS: here
 * what is gone reads as zeroes, and map_was_cut says so. A SIGBUS anywhere else does
 * what it did before.
 *
 * The list of what is mapped is for the handler of that signal, which can be given
 * nothing: the second file of common/ with state, after msg.c; the third is budget.c.
 */
#ifndef MAP_H
#define MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_range;

/* A zeroed struct map is of nothing. */
struct map {
	const char *bytes;
	size_t n;
	struct map_range *range;
};

/* Maps N bytes, 1 at least, at OFFSET of the file FD for reading, which may be closed
 * then. False with errno when that cannot be. The caller releases M. */
bool map_init(struct map *m, int fd, uint64_t offset, size_t n);
void map_release(struct map *m);

/* Whether bytes of M that somebody looked at are gone from the file. */
bool map_was_cut(const struct map *m);

#endif
