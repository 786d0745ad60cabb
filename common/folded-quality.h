/* SPDX-License-Identifier: ISC */
/*
 * The keys of a header that say how good the stacks are (quality.h): "stacks" of the last
 * column, "stacks-before" of the one before. Columns C are those of the info's pieces.
 */
#ifndef FOLDED_QUALITY_H
#define FOLDED_QUALITY_H

#include "folded.h"

/* Makes the keys of INFO hold for its stacks and those of MORE, whose pieces are not added up
 * yet, by what they weigh; a key goes when one of the two does not have it. */
void folded_quality_merge(struct folded_info *info, const struct folded_info *more);

/* Whether KEY is one of these. */
bool folded_quality_is_key(struct str key);

/* Takes the key of column C away. */
void folded_quality_forget(struct folded_info *info, int c);

#endif
