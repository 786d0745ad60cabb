/* SPDX-License-Identifier: ISC */
/*
 * How good the stacks of a profile are: the header key
 *
 *	stacks=entry:0.97,cut:0.02,broken:0.01,unnamed:0.03
 *
 * Shares of the weight: of samples whose outermost frame is where a program or a thread begins
 * (entry), whose stack was cut short or lost its way below that (cut, broken), that have
 * one frame since no stack was recorded (absent, left out when it is 0); these four make 1. And
 * of the self weight that has no name (unnamed).
 *
 * A share has as many decimals as the total has digits, so that the weight behind it can be had
 * back: sums of headers do not depend on their order or grouping.
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

/* Reads the value of the key; words that are not known are skipped. False, and Q is zeroed,
 * when it is damaged or lacks the share of entries. */
bool quality_read(struct quality *q, struct str text);

/* The shares that the weights W are of TOTAL; more than TOTAL is all of it. */
struct quality quality_of(const uint64_t w[QUALITY_KINDS], uint64_t total);

/* Adds MORE, of stacks that weigh MORE_TOTAL, to Q, of stacks that weigh TOTAL; both are whole
 * numbers of the same units. */
void quality_add(struct quality *q, uint64_t total, const struct quality *more,
	uint64_t more_total);

/* Adds Q as the value of the key, for stacks that weigh TOTAL. */
void quality_put(struct buf *b, const struct quality *q, uint64_t total);

/* Adds Q for people: "97 % whole stacks, 2 % truncated, 1 % broken", and the share without a
 * name when that is poor. */
void quality_put_words(struct buf *b, const struct quality *q);

/* Whether so many stacks are not whole, or so much self weight has no name, that a reader has to
 * be warned. */
bool quality_is_poor(const struct quality *q);

/* The same of one share: the stacks that are not whole, the self weight without a name. */
bool quality_is_poor_in_stacks(const struct quality *q);
bool quality_is_poor_in_names(const struct quality *q);

#endif
