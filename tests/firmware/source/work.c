/* SPDX-License-Identifier: ISC */
/*
 * Work for a processor that is to be sampled: deep and shallow, recursive,
 * inlined several levels deep, through pointers, in RAM, and functions that
 * nobody calls, which the linker takes away.
 */
#include "work.h"

enum { BLOCK = 96, SORTED = 48 };

static volatile uint32_t sink;
static uint32_t seed = 12345;
static uint8_t block[BLOCK];

static inline void
swap(uint32_t *a, uint32_t *b)
{
	uint32_t was = *a;

	*a = *b;
	*b = was;
}

static void
sort(uint32_t *at, int low, int high)
{
	int i = low, k = high;
	uint32_t pivot = at[(low + high) / 2];

	while (i <= k) {
		while (at[i] < pivot)
			i++;
		while (at[k] > pivot)
			k--;
		if (i <= k)
			swap(&at[i++], &at[k--]);
	}
	if (low < k)
		sort(at, low, k);
	if (i < high)
		sort(at, i, high);
}

static inline uint32_t
rotate(uint32_t x, unsigned by)
{
	return (x << by) | (x >> (32 - by));
}

static inline __attribute__((always_inline)) uint32_t
mix(uint32_t a, uint32_t b)
{
	a ^= rotate(b, 7);
	a += rotate(a, 13) ^ b;
	return a * 5 + 0x7ed55d16;
}

static __attribute__((noinline)) uint32_t
checksum(const uint8_t *bytes, unsigned n)
{
	uint32_t sum = 1;

	for (unsigned i = 0; i < n; i++)
		sum = mix(sum, bytes[i] + i);
	return sum;
}

static __attribute__((noinline)) uint32_t
fibonacci(uint32_t n)
{
	return n < 2 ? n + (sink & 1) : fibonacci(n - 1) + fibonacci(n - 2);
}

static __attribute__((noinline)) uint32_t
next(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed;
}

uint32_t
work_stir(uint32_t x)
{
	for (int i = 0; i < 6; i++)
		x = mix(x, next());
	return x;
}

static uint32_t
run_checksum(uint32_t x)
{
	for (unsigned i = 0; i < BLOCK; i++)
		block[i] = (uint8_t)(x >> (i & 7));
	return checksum(block, BLOCK) + checksum(block + 8, BLOCK - 8);
}

static uint32_t
run_fibonacci(uint32_t x)
{
	return fibonacci(9 + (x & 3));
}

static uint32_t
run_sort(uint32_t x)
{
	uint32_t values[SORTED];

	for (int i = 0; i < SORTED; i++)
		values[i] = next() ^ x;
	sort(values, 0, SORTED - 1);
	return values[0];
}

static uint32_t
run_churn(uint32_t x)
{
	return churn(x, 8) + 1;
}

/* A division that small processors do in a function of the compiler's. */
static uint32_t
run_division(uint32_t x)
{
	uint32_t sum = 0;

	for (uint32_t i = 3; i < 40; i++)
		sum += (x + i) / (i ^ (next() & 1));
	return sum;
}

static uint32_t
run_filter(uint32_t x)
{
	return signal_filter(x) + 1;
}

/* Runs in RAM, as code that writes to flash does. */
__attribute__((section(".ramtext"), noinline)) static uint32_t
run_in_ram(uint32_t x)
{
	for (int i = 0; i < 600; i++)
		x = mix(x, (uint32_t)i);
	return x;
}

typedef uint32_t job(uint32_t x);
static job *const jobs[] = { run_checksum, run_fibonacci, run_sort, run_churn,
	run_division, run_filter, run_in_ram };

static __attribute__((noinline)) void
dispatch(uint32_t x)
{
	sink += jobs[x % (sizeof jobs / sizeof *jobs)](x);
}

void
work_tick(void)
{
	for (uint32_t i = 0; i < 20; i++)
		sink = mix(sink, i);
}

void
work_forever(void)
{
	for (;;)
		dispatch(next() >> 8);
}

/* The linker drops these, but not what the debug information says of them: they
 * lie at address 0, over what is there, the longer ones over more. */
static inline __attribute__((always_inline)) uint32_t
gone_inside(uint32_t x)
{
	for (int i = 0; i < 9; i++)
		x = mix(x, mix(x, (uint32_t)i)) ^ rotate(x, 3);
	return x;
}

uint32_t
gone_again(uint32_t x)
{
	return gone_inside(x) ^ sink;
}

uint32_t
gone_twice(uint32_t x)
{
	return gone_inside(x) + gone_inside(x + 1);
}

uint32_t
gone_often(uint32_t x)
{
	x = gone_inside(x) + gone_inside(x + 1);
	return gone_inside(x ^ sink) - gone_inside(x + 2);
}
