/* SPDX-License-Identifier: ISC */
/*
 * Maps files into memory. If a file is truncated while mapped (a program being rebuilt, a recording
 * being rewritten), reading it would end the program by SIGBUS: here the missing part reads as
 * zeros, and map_was_cut reports it. Any other SIGBUS acts as before.
 *
 * The list of mapped ranges is global for the handler of that signal, which has no argument for it:
 * the second file of common/ with state, after msg.c; the third is budget.c.
 */
#ifndef MAP_H
#define MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_range;

/* A zeroed struct map is empty. */
struct map {
	const char *bytes;
	size_t n;
	struct map_range *range;
};

/* Maps N bytes, at least 1, at OFFSET of the file FD for reading; FD may be closed afterwards.
 * False, with errno, on failure. The caller releases M. */
bool map_init(struct map *m, int fd, uint64_t offset, size_t n);
void map_release(struct map *m);

/* Whether the program has read bytes of M that are no longer in the file. */
bool map_was_cut(const struct map *m);

#endif
