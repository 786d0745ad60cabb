/* SPDX-License-Identifier: ISC */
/* The file of a library of a profile. */
#ifndef LIBRARY_FILE_H
#define LIBRARY_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "libraries.h"

struct library_file {
	struct dso *dso;  /* NULL: there is none */
	const char *why;  /* that is so */
	uint64_t first;	  /* address of the first segment */
	bool wide;	  /* addresses have 64 bits */
	bool raw_returns; /* probe-rs leaves return addresses of it as they are */
};

/* Looks for the file of L: among those of --elf, else at the recorded path, when
 * it is the one that was recorded. */
void library_file_find(
	struct library_file *f, struct libraries *n, const struct library *l);

#endif
