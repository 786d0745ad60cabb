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

/* Prints how large the files of S will be at most, and how much room its folder has; a warning
 * when that may be too little. It opens the files that are to come, and reads their beginning. Pipes and
 * what is compressed or a picture are counted, as their size is not known. */
void disk_tell(const struct spill *s, const struct disk_inputs *inputs);

#endif
