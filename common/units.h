/* SPDX-License-Identifier: ISC */
/* Weights for people: "1,234,567 samples", "12.35 s", "3.2 MiB". */
#ifndef UNITS_H
#define UNITS_H

#include "buf.h"

/* Adds VALUE, units of 10^-SCALE, times FACTOR. Times (ns, us, ms, s) and bytes
 * are written in the unit that suits their size; anything else with UNIT after it, as
 * long as FACTOR is 1 whole numbers exactly, others with three decimals or digits. */
void units_put(
	struct buf *b, uint64_t value, unsigned scale, double factor, struct str unit);

/* The same, times 1, for a column whose heading names the unit: UNIT is left out
 * where every value has the same. */
void units_put_cell(struct buf *b, uint64_t value, unsigned scale, struct str unit);

/* Adds VALUE with a comma before every third digit. */
void units_put_count(struct buf *b, uint64_t value);

/* How values are written in one unit, so that they can be compared at a glance. */
struct units_form {
	double by; /* that a value is multiplied by */
	int decimals;
	const char *prefix; /* of the unit: "M", or empty */
	struct str unit;
};

/* The form for values of UNIT of which LARGEST is the largest, with three digits; ARE_WHOLE: they
 * have no part after the point. */
struct units_form units_form_of(double largest, bool are_whole, struct str unit);

/* Adds VALUE in the form F without its unit; and that alone, behind a blank, unless there is
 * none. */
void units_put_value(struct buf *b, double value, const struct units_form *f);
void units_put_unit(struct buf *b, const struct units_form *f);

/* Whether UNIT is one of time. */
bool units_are_time(struct str unit);

/* Adds PART of WHOLE (not 0) as a percentage: "12.34 %". */
void units_put_share(struct buf *b, uint64_t part, uint64_t whole);

#endif
