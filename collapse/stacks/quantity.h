/* SPDX-License-Identifier: ISC */
/*
 * Converts the types and units of values in pprof's style ("cpu", "nanoseconds") to units
 * of folded text: times become ns, sizes bytes (as in google/pprof's
 * internal/measurement).
 */
#ifndef QUANTITY_H
#define QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "str.h"

struct quantity {
	struct str unit; /* empty: samples; may borrow from the arguments */
	uint64_t times;	 /* factor from a value to UNIT */
	bool is_samples; /* values are numbers of samples */
};

/* The quantity of values of TYPE in UNIT. */
struct quantity quantity_of(struct str type, struct str unit);

/* Sets *RESULT to VALUE in the unit of Q. Returns false on overflow. */
bool quantity_scale(const struct quantity *q, int64_t value, int64_t *result);

#endif
