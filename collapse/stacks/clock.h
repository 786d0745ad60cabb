/* SPDX-License-Identifier: ISC */
/* Clocks of recordings, as ns. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* TICKS, of which PER, which is not 0, are a second, as ns; INT64_MAX when they are more. */
uint64_t clock_scale(uint64_t ticks, uint64_t per);

/* The days from 1970 to a date of 1970 or later (Howard Hinnant, "chrono-compatible low-level date
 * algorithms"). */
uint64_t clock_days(uint64_t year, uint64_t month, uint64_t day);

#endif
