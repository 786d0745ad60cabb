/* SPDX-License-Identifier: ISC */
/*
 * A profile: its stacks, what its header says of them, and what became of the lines that they
 * were read from. Programs read all of their inputs into one, and write one as folded text.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdbool.h>

#include "folded.h"
#include "tree.h"

struct profile {
	struct tree tree;
	struct folded_info info;
	struct folded_count count;
	struct folded_by by; /* what info says when all is read (folded_by_settle) */
};

/* One without stacks, of one column until an input has two. The caller releases it. */
void profile_init(struct profile *p);
void profile_release(struct profile *p);

/* Adds the stacks of IN, as folded_read does. Weights that do not fit in 64 bits with their
 * decimals wait for tree_settle. */
void profile_add(
	struct profile *p, struct input *in, const struct folded_options *options);

/* The same with the file at PATH, "-" for standard input. False, after a message, when it could
 * not be read, or not to its end, or was refused; what was read has been added. */
bool profile_add_file(
	struct profile *p, const char *path, const struct folded_options *options);

/* Makes P the sum of PATHS, operands up to a NULL, or of standard input when there are none: its
 * weights are settled, what options->given says is in its header, and lines that were not taken
 * as they stand are reported. False as above; one that fails does not keep the next from being
 * read. */
bool profile_read(struct profile *p, char **paths, const struct folded_options *options);

/* Whether there are stacks to work on, whatever they weigh: some were read, and no input was
 * mostly something else. */
bool profile_has_stacks(const struct profile *p);

/* Sums the dimensions of DROP that P has away, after profile_read: their frames leave the stacks,
 * and the header says the others. In time order (IN_ORDER) only neighbours are added up. */
void profile_drop_dimensions(
	struct profile *p, const struct dimensions *drop, bool in_order);

/* Sums all others but those of KEEP away: for what has a place for no more than these. */
void profile_keep_dimensions(struct profile *p, const struct dimensions *keep);

/* Writes P as folded text to PATH, as output_open takes it, HEADED with its header. False,
 * after a message, when that failed. */
bool profile_write(const struct profile *p, const char *path, bool headed);

#endif
