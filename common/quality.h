/* SPDX-License-Identifier: ISC */
/*
 * The quality of a profile's stacks: the header key
 *
 * stacks=entry:0.97,cut:0.02,broken:0.01,unnamed:0.03
 *
 * Shares of the weight of samples whose outermost frame is the entry point of a program or a thread
 * (entry), whose stack was truncated or unwound wrongly below it (cut, broken), or that have one
 * frame since no stack was recorded (absent, omitted if 0); these four add up to 1. And the share
 * of self weight without a name (unnamed).
 *
 * A share has as many decimals as the total has digits, so that its weight can be recovered: sums
 * of headers do not depend on their order or grouping.
 */
#ifndef QUALITY_H
#define QUALITY_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

enum quality_kind {
	QUALITY_ENTRY,
	QUALITY_CUT,
	QUALITY_BROKEN,
	QUALITY_ABSENT,
	QUALITY_UNNAMED,
	QUALITY_KINDS
};

struct quality {
	long double
		share[QUALITY_KINDS]; /* 0 to 1, exact enough for weights of 64 bits */
};

/* Parses the value of the key; unknown words are skipped. False, and Q is zeroed, when it is
 * malformed or lacks the share of entries. */
bool quality_read(struct quality *q, struct str text);

/* The shares of the weights W in TOTAL, capped at 1. */
struct quality quality_of(const uint64_t w[QUALITY_KINDS], uint64_t total);

/* Merges MORE, for stacks of MORE_TOTAL, into Q, for stacks of TOTAL; both are whole numbers in the
 * same units. */
void quality_add(struct quality *q, uint64_t total, const struct quality *more,
	uint64_t more_total);

/* Adds Q as the value of the key, for stacks of weight TOTAL. */
void quality_put(struct buf *b, const struct quality *q, uint64_t total);

/* Adds Q for people: "97 % whole stacks, 2 % truncated, 1 % broken", and the unnamed share if it is
 * poor. */
void quality_put_words(struct buf *b, const struct quality *q);

/* Whether to warn readers that too many stacks are incomplete, or too much self weight is
 * unnamed. */
bool quality_is_poor(const struct quality *q);

/* The same for one share: incomplete stacks, unnamed self weight. */
bool quality_is_poor_in_stacks(const struct quality *q);
bool quality_is_poor_in_names(const struct quality *q);

#endif
