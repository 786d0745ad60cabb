/* SPDX-License-Identifier: ISC */
/* Random numbers, the same in every run. */
#ifndef RANDOM_H
#define RANDOM_H

#include <math.h>
#include <stdint.h>

/* splitmix64: Steele, Lea and Flood, OOPSLA 2014. */
static inline uint64_t
random_u64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Uniform from 0 to 1. */
static inline double
random_uniform(uint64_t *state)
{
	return ((double)(random_u64(state) >> 11) + 0.5) * 0x1p-53;
}

/* Normal with mean 0 and standard deviation 1: Box and Muller, Ann. Math. Stat. 29
 * (1958), 610. */
static inline double
random_normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(random_uniform(state)));

	return radius * cos(2 * acos(-1) * random_uniform(state));
}

#endif
