/* SPDX-License-Identifier: ISC */
/* How much disk the temporary files of a merge will take, said before the first is written. */
#ifndef DISK_H
#define DISK_H

#include "input.h"
#include "spill.h"

/* The inputs of a merge, at the moment when memory is full for the first time. */
struct disk_inputs {
	uint64_t read;	     /* bytes of those that were read to their end, unpacked */
	struct input *in;    /* that is being read; not owned */
	char *const *coming; /* the paths of those after it, up to a NULL; not owned */
};

/* What inputs hold. */
struct disk_sizes {
	uint64_t known;	  /* bytes, UINT64_MAX when that overflows */
	uint64_t unknown; /* inputs: pipes, and what is compressed or a picture */
};

/* Looks how large INPUTS are: opens those that are to come, and reads their beginning. Of one
 * of unknown size that is being read, what was read is known. */
struct disk_sizes disk_sizes(const struct disk_inputs *inputs);

/* Prints how large the files of S will be at most, and how much room its folder has; and when
 * that may be too little. */
void disk_tell(const struct spill *s, const struct disk_inputs *inputs);

#endif
