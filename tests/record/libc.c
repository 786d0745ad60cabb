/* SPDX-License-Identifier: ISC */
/* Computes through the C library, of which some have no unwind information: strings, numbers,
 * sorting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 8000, NUMBERS = 3000, TURNS = 200 };

static volatile double sum;
static char from[LENGTH + 1], to[LENGTH + 1];

static __attribute__((noinline)) void
strings(void)
{
	for (int i = 0; i < 300; i++) {
		memset(from, 'x', LENGTH);
		sum += (double)strlen(from);
		memcpy(to, from, LENGTH);
		sum += strcmp(from, to);
	}
}

static __attribute__((noinline)) void
numbers(void)
{
	for (int i = 0; i < 3 * NUMBERS; i++)
		sum += sin(i * 0.1) + exp(i * 0.001) + pow(i, 0.3);
}

static int
compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static __attribute__((noinline)) void
sorting(void)
{
	static int list[NUMBERS];

	for (int i = 0; i < NUMBERS; i++)
		list[i] = i * 7919 % 10007;
	qsort(list, NUMBERS, sizeof *list, compare);
}

int
main(void)
{
	for (int i = 0; i < TURNS; i++) {
		strings();
		numbers();
		sorting();
	}
	printf("%g\n", sum);
	return 0;
}
