/* SPDX-License-Identifier: ISC */
/* Conversion of recordings' clocks to ns. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* TICKS in ns, with PER ticks a second (not 0); clamped to INT64_MAX. */
uint64_t clock_scale(uint64_t ticks, uint64_t per);

#endif
