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
