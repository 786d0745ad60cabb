/* SPDX-License-Identifier: ISC */
/* A sorted run of stacks, read line by line. Only spill.c uses it. */
#ifndef SPILL_READ_H
#define SPILL_READ_H

#include "spill.h"

struct spill_read {
	struct spill_form form; /* in which weights are wanted */
	const char *folder;	/* for messages */
	int fd;
	bool failed;
	struct buf text;
	size_t at;	  /* where the next line begins in text */
	struct str stack; /* of this line */
	uint64_t weight[TREE_COLUMNS];
};

/* Begins at the start of the file FD, which stays open. */
void spill_read_init(
	struct spill_read *r, int fd, const char *folder, const struct spill_form *form);
void spill_read_release(struct spill_read *r);

/* Goes to the next line. False at the end, or after a message. */
bool spill_read_next(struct spill_read *r);

#endif
