/* SPDX-License-Identifier: ISC */
/* Estimates the disk space for the temporary files of a merge, before the first is written. */
#ifndef DISK_H
#define DISK_H

#include "input.h"
#include "spill.h"

/* The inputs of a merge, when memory is full for the first time. */
struct disk_inputs {
	uint64_t read;	  /* bytes of those read to their end, decompressed */
	struct input *in; /* the current input; not owned */
	char *const
		*coming; /* the paths of the following inputs, up to a NULL; not owned */
};

/* The sizes of inputs. */
struct disk_sizes {
	uint64_t known;	  /* bytes; UINT64_MAX if that overflows */
	uint64_t unknown; /* inputs of unknown size: pipes, compressed files, pictures */
};

/* Finds the sizes of INPUTS: opens the following ones, and reads their beginning. If the current
 * one's size is unknown, the part read counts as known. */
struct disk_sizes disk_sizes(const struct disk_inputs *inputs);

/* Prints the maximum size of the files of S and the free space of its folder, and a warning if that
 * may not suffice. */
void disk_tell(const struct spill *s, const struct disk_inputs *inputs);

#endif
