/* SPDX-License-Identifier: ISC */
/*
 * What profiles in pprof's manner call their values ("cpu", "nanoseconds"), in the units that
 * folded text has: times become ns, sizes bytes (as google/pprof's internal/measurement reads
 * them).
 */
#ifndef QUANTITY_H
#define QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "str.h"

struct quantity {
	struct str unit; /* empty: samples; may be a part of what was asked for */
	uint64_t times;	 /* how many of UNIT a value of 1 is */
	bool is_samples; /* values are numbers of samples */
};

/* The quantity of values of TYPE that are counted in UNIT. */
struct quantity quantity_of(struct str type, struct str unit);

/* Sets *RESULT to VALUE in the unit of Q; false when that has no place in 64 bits. */
bool quantity_scale(const struct quantity *q, int64_t value, int64_t *result);

#endif
