/* SPDX-License-Identifier: ISC */
/*
 * A profile: its stacks, its header, and counts of the lines it was read from. Programs read all
 * inputs into one profile, and write one as folded text.
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
	struct folded_by
		by; /* becomes the key in info after reading (folded_by_settle) */
};

/* Makes P empty, with one column until an input has two. The caller releases it. */
void profile_init(struct profile *p);
void profile_release(struct profile *p);

/* Adds the stacks of IN, as folded_read does. Call tree_settle afterwards: until then, weights
 * whose decimals do not fit in 64 bits are kept exactly. */
void profile_add(
	struct profile *p, struct input *in, const struct folded_options *options);

/* The same for the file at PATH, "-" for standard input. False, after a message, when it was
 * refused or could not be read to its end; the part read is added. */
bool profile_add_file(
	struct profile *p, const char *path, const struct folded_options *options);

/* Makes P the sum of PATHS, operands up to a NULL, or of standard input when there are none:
 * settles the weights, adds options->given to the header, and reports lines that were skipped or
 * changed. False as above; after a failure the other inputs are still read. */
bool profile_read(struct profile *p, char **paths, const struct folded_options *options);

/* Whether there are stacks to work on, even without weight: some were read, and no input was mostly
 * unusable. */
bool profile_has_stacks(const struct profile *p);

/* After profile_read: sums the dimensions of DROP away: their frames leave the stacks, and the
 * header lists the others. In time order (IN_ORDER) only neighbours merge. */
void profile_drop_dimensions(
	struct profile *p, const struct dimensions *drop, bool in_order);

/* Sums all dimensions away except KEEP, for outputs limited to these. */
void profile_keep_dimensions(struct profile *p, const struct dimensions *keep);

/* Writes P as folded text to PATH, as output_open takes it, HEADED with its header. False, after a
 * message, on failure. */
bool profile_write(const struct profile *p, const char *path, bool headed);

#endif
