/* SPDX-License-Identifier: ISC */
/* Conversion of recordings' clocks to ns. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* TICKS in ns, with PER ticks a second (not 0); clamped to INT64_MAX. */
uint64_t clock_scale(uint64_t ticks, uint64_t per);

/* Days from 1970-01-01 to a date, 1970 or later (Howard Hinnant, "chrono-compatible
 * low-level date algorithms"). */
uint64_t clock_days(uint64_t year, uint64_t month, uint64_t day);

#endif
