/* SPDX-License-Identifier: ISC */
/*
 * A program to record: busy MS [THREADS [STATUS]] computes for MS milliseconds of each
 * thread's own time, in leaf called by middle called by work.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>

#include "spent.h"

enum { MOST = 64, STEPS = 10000 };

static volatile unsigned long sum;

__attribute__((noinline)) static void
leaf(void)
{
	unsigned long i;

	for (i = 0; i < STEPS; i++)
		sum = sum + i;
}

__attribute__((noinline)) static void
middle(long ms)
{
	while (spent_us() < ms * 1000) {
		leaf();
		sum = sum + 1;
	}
}

static void *
work(void *arg)
{
	middle(*(long *)arg);
	sum = sum + 1;
	return NULL;
}

int
main(int argc, char **argv)
{
	long ms = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
	long n = argc > 2 ? strtol(argv[2], NULL, 10) : 1, i;
	pthread_t threads[MOST];

	for (i = 1; i < n && i < MOST; i++)
		if (pthread_create(&threads[i], NULL, work, &ms) != 0)
			return 99;
	work(&ms);
	for (i = 1; i < n && i < MOST; i++)
		pthread_join(threads[i], NULL);
	return argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0;
}
