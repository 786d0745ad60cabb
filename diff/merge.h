/* SPDX-License-Identifier: ISC */
/*
 * The sum of any number of folded inputs, independent of their order. It is exact or it fails: a
 * sum that overflows 64 bits, including decimals, is refused.
 */
#ifndef MERGE_H
#define MERGE_H

#include <stdbool.h>

#include "disk.h"
#include "output.h"
#include "profile.h"
#include "spill.h"

struct merge_options {
	bool label;	/* put stacks below the name of their input */
	bool force;	/* allow different units */
	bool no_header; /* omit it from the output */
	bool mean;	/* divide the sum by the number of inputs */
	struct folded_given given;
	struct dimensions by; /* to add, outermost */
	struct buf values;    /* their values, each followed by ';' */
	size_t memory;	      /* spill to files beyond this; 0: never */
};

struct merge {
	const struct merge_options *options;
	struct profile sum;
	struct spill spill;
	struct disk_inputs inputs;
	uint64_t files;	   /* inputs read */
	uint64_t speaking; /* of these, those with a header or stacks */
	struct folded_columns said;
	int columns;	  /* of the stacks so far; 0 before the first */
	uint64_t rounded; /* rounded means */
	bool wide;	  /* some decimals did not fit into 64 bits */
};

/* FOLDER is for temporary files; it and OPTIONS must outlive M. */
void merge_init(struct merge *m, const struct merge_options *options, const char *folder);
void merge_release(struct merge *m);

/* Splits an operand into a label, by default the file name without folders and extensions such as
 * ".folded.gz", and a path: "[LABEL=]FILE" with LABELLED, else FILE. A LABEL has no '/'. The path
 * is a part of OPERAND. */
struct str merge_label(const char *operand, bool labelled, const char **path);

/* Adds the input OPERAND. False, after a message, when it cannot be read to its end, is not folded
 * text or is incompatible with earlier inputs. REST are the paths of the following operands, up to
 * a NULL, which may determine the number of columns. */
bool merge_read(struct merge *m, const char *operand, char **rest);

/* Writes the sum. False, after a message, when there is nothing to write; OUT is then incomplete
 * only if a temporary file failed. */
bool merge_write(struct merge *m, struct output *out);

/* Divides sums by the number of inputs. */
struct merge_mean {
	uint64_t files;
	uint64_t times;	  /* 10^ the number of added decimals */
	uint64_t rounded; /* the number of rounded results */
};

/* Prepares division by FILES (1 or more) of weights in units of 10^-*SCALE with the sums SUM;
 * *SCALE becomes the scale of the results. It gets the decimals that make all of them exact if
 * these exist and fit, else as many as leave room to add up thousands of such means, nine at
 * most. */
void merge_mean_init(struct merge_mean *m, uint64_t files,
	const uint64_t sum[TREE_COLUMNS], unsigned *scale);

/* WEIGHT divided, rounded half up if necessary; at least one unit unless WEIGHT is 0. */
uint64_t merge_mean_of(struct merge_mean *m, uint64_t weight);

#endif
