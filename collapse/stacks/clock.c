/* SPDX-License-Identifier: ISC */
/* Clocks of recordings; see clock.h. */
#include "clock.h"

uint64_t
clock_scale(uint64_t ticks, uint64_t per)
{
	enum { NS = 1000000000 };
	uint64_t seconds = ticks / per, rest = ticks % per;

	/* Clocks faster than 18 GHz lose low bits. */
	for (; per > UINT64_MAX / NS; per >>= 1)
		rest >>= 1;
	if (seconds > INT64_MAX / NS - 1)
		return INT64_MAX;
	return seconds * NS + rest * NS / per;
}

uint64_t
clock_days(uint64_t year, uint64_t month, uint64_t day)
{
	enum { TO_1970 = 719468 }; /* since March 1 of the year 0 */
	uint64_t y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;

	return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1 -
		TO_1970;
}
