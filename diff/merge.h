/* SPDX-License-Identifier: ISC */
/*
 * The sum of any number of folded inputs, which does not depend on their order.
 * It is exact or it fails: a sum that overflows 64 bits, including decimals, is
 * refused.
 */
#ifndef MERGE_H
#define MERGE_H

#include <stdbool.h>

#include "disk.h"
#include "output.h"
#include "profile.h"
#include "spill.h"

struct merge_options {
	bool label;	/* stacks go below the name of their input */
	bool force;	/* units may differ */
	bool no_header; /* of the output */
	bool mean;	/* the sum is divided by the number of inputs */
	struct folded_given given;
	struct dimensions by; /* that are added, outermost */
	struct buf values;    /* of these, each with a ';' behind it */
	size_t memory;	      /* more than this is put into files; 0: never */
};

struct merge {
	const struct merge_options *options;
	struct profile sum;
	struct spill spill;
	struct disk_inputs inputs;
	uint64_t files;	   /* that were read */
	uint64_t speaking; /* of these, that had a header or stacks */
	struct folded_columns said;
	int columns;	  /* of the stacks so far; 0 before the first */
	uint64_t rounded; /* means */
	bool wide;	  /* decimals did not fit into 64 bits */
};

/* FOLDER is for temporary files; it and OPTIONS must outlive M. */
void merge_init(struct merge *m, const struct merge_options *options, const char *folder);
void merge_release(struct merge *m);

/* An operand cut into a label, by default the name of the file without folder and
 * endings such as ".folded.gz", and a path: "[LABEL=]FILE" with LABELLED, else
 * all is FILE. A LABEL has no '/'. The path is a part of OPERAND. */
struct str merge_label(const char *operand, bool labelled, const char **path);

/* Adds what OPERAND names. False, after a message, when it cannot be read to its
 * end, is no folded text or does not go with those before. REST are the paths of the
 * operands after it, up to a NULL: they may say how many columns this one has. */
bool merge_read(struct merge *m, const char *operand, char **rest);

/* Writes the sum. False, after a message, when there is none to write; then OUT
 * may have been given a part of it only if a temporary file failed. */
bool merge_write(struct merge *m, struct output *out);

/* Sums divided by the number of inputs. */
struct merge_mean {
	uint64_t files;
	uint64_t times;	  /* 10^ the decimals that are added */
	uint64_t rounded; /* results */
};

/* A division by FILES (1 or more) of weights in units of 10^-*SCALE with the sums
 * SUM; *SCALE becomes that of the results. It has the decimals that make all of them
 * exact when there are that many and room for them, else as many as leave room
 * to add up thousands of such means, nine at most. */
void merge_mean_init(struct merge_mean *m, uint64_t files,
	const uint64_t sum[TREE_COLUMNS], unsigned *scale);

/* WEIGHT divided, rounded half up where it must be; at least one unit unless WEIGHT is 0. */
uint64_t merge_mean_of(struct merge_mean *m, uint64_t weight);

#endif
