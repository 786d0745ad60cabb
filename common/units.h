/* SPDX-License-Identifier: ISC */
/* Formats weights for people: "1,234,567 samples", "12.35 s", "3.2 MiB". */
#ifndef UNITS_H
#define UNITS_H

#include "buf.h"

/* Adds VALUE, in units of 10^-SCALE, times FACTOR. Times (ns, us, ms, s) and bytes get a unit that
 * suits their size; anything else gets UNIT: with a FACTOR of 1 whole numbers exactly, others with
 * three decimals or digits. */
void units_put(
	struct buf *b, uint64_t value, unsigned scale, double factor, struct str unit);

/* The same, times 1, for a column whose heading names the unit: UNIT is omitted if all values share
 * it. */
void units_put_cell(struct buf *b, uint64_t value, unsigned scale, struct str unit);

/* Adds VALUE with a comma before every third digit. */
void units_put_count(struct buf *b, uint64_t value);

/* A format in one unit for several values, so that they are easy to compare. */
struct units_form {
	double by; /* the factor for values */
	int decimals;
	const char *prefix; /* of the unit: "M", or empty */
	struct str unit;
};

/* The format for values of UNIT up to LARGEST, with three digits; ARE_WHOLE: without decimals. */
struct units_form units_form_of(double largest, bool are_whole, struct str unit);

/* Adds VALUE in the format F without its unit; or only the unit, after a blank, unless it is
 * empty. */
void units_put_value(struct buf *b, double value, const struct units_form *f);
void units_put_unit(struct buf *b, const struct units_form *f);

/* Whether UNIT is a unit of time. */
bool units_are_time(struct str unit);

/* Adds PART of WHOLE (not 0) as a percentage: "12.34 %". */
void units_put_share(struct buf *b, uint64_t part, uint64_t whole);

#endif
