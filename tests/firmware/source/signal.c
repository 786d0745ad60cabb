/* SPDX-License-Identifier: ISC */
/*
 * What takes the place of signal.cc where there is no compiler for C++.
 */
#include "work.h"

static uint32_t taps[16];

static inline uint32_t
sum(void)
{
	uint32_t s = 0;

	for (int i = 0; i < 16; i++)
		s += taps[i] * (uint32_t)(i + 1);
	return s;
}

static __attribute__((noinline)) uint32_t
step(uint32_t x)
{
	taps[x & 15] = x;
	return sum();
}

uint32_t
signal_filter(uint32_t x)
{
	uint32_t s = 0;

	for (unsigned i = 0; i < 12; i++)
		s += step(x >> i);
	return s;
}
