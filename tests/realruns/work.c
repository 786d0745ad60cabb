/* SPDX-License-Identifier: ISC */
/*
 * A program to record, the same work each time: work [NAME PERCENT] calls f1 to f15, each with its
 * share of about half a second; the function NAME does PERCENT more.
 */
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 400, STEP = 7000, ALL = 100 };

static volatile unsigned sum;
static const char *slowed = "";
static unsigned percent;

/* Computes for SHARE of a hundred parts of a round. Inlined: the time is the caller's own. */
static inline __attribute__((always_inline)) void
compute(const char *name, unsigned share)
{
	unsigned i, n = share * STEP, x = share;

	if (strcmp(name, slowed) == 0)
		n += n / ALL * percent;
	for (i = 0; i < n; i++)
		x = (x ^ (x >> 15)) * 2246822519U + i;
	sum = sum + x;
}

#define FUNCTION(name, share)                            \
	static __attribute__((noinline)) void name(void) \
	{                                                \
		compute(#name, share);                   \
	}

FUNCTION(f1, 25)
FUNCTION(f2, 20)
FUNCTION(f3, 12)
FUNCTION(f4, 8)
FUNCTION(f5, 6)
FUNCTION(f6, 5)
FUNCTION(f7, 4)
FUNCTION(f8, 4)
FUNCTION(f9, 4)
FUNCTION(f10, 3)
FUNCTION(f11, 3)
FUNCTION(f12, 2)
FUNCTION(f13, 2)
FUNCTION(f14, 1)
FUNCTION(f15, 1)

static __attribute__((noinline)) void
lower(void)
{
	f6(), f7(), f8(), f9(), f10();
	f11(), f12(), f13(), f14(), f15();
	sum = sum + 1;
}

static __attribute__((noinline)) void
upper(void)
{
	f1(), f2(), f3(), f4(), f5();
	lower();
	sum = sum + 1;
}

int
main(int argc, char **argv)
{
	int i;

	if (argc > 2) {
		slowed = argv[1];
		percent = (unsigned)strtoul(argv[2], NULL, 10);
	}
	for (i = 0; i < ROUNDS; i++)
		upper();
	return 0;
}
