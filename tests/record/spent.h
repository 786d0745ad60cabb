/* SPDX-License-Identifier: ISC */
/* For the programs that are recorded: they compute for a time of their own. */
#ifndef SPENT_H
#define SPENT_H

#include <time.h>

/* What the calling thread has had of processors, in microseconds: a frame of its own. */
__attribute__((noinline)) static long
spent_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

#endif
