/* SPDX-License-Identifier: ISC */
/* Spends time and memory in known ways, for recordings of gperftools and heaptrack. */
#include <stdlib.h>
#include <string.h>

enum { KEPT = 16, TURNS = 300 };

static void *kept[KEPT];
static volatile unsigned sink;

__attribute__((noinline)) static void
keep(size_t i)
{
	kept[i % KEPT] = malloc(1000 + i);
}

__attribute__((noinline)) static void
brief(size_t n)
{
	char *p = malloc(n);

	if (p) {
		memset(p, 1, n);
		sink += (unsigned char)((volatile char *)p)[n / 2];
	}
	free(p);
}

__attribute__((noinline)) static unsigned
spin(unsigned n)
{
	unsigned i, sum = 0;

	for (i = 0; i < n; i++)
		sum += i * i ^ sum >> 3;
	return sum;
}

__attribute__((noinline)) static void
recurse(unsigned depth)
{
	brief(100 * (depth + 1));
	if (depth)
		recurse(depth - 1);
	sink += spin(depth * 40000 + 1);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < TURNS; i++) {
		recurse(4);
		sink += spin(300000);
		if (i >= KEPT)
			free(kept[i % KEPT]);
		keep(i);
	}
	return 0;
}
