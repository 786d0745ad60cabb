/* SPDX-License-Identifier: ISC */
/*
 * A program without any library, for recordings in which no file of a system
 * has a part: leave calls outer, that inner and leaf, which has mix within it.
 * _start ends with its call, and nothing comes after it. TIMES is how much work
 * there is; with NUMBER, leaf has the kernel work or wait by that system call.
 */
#ifndef TIMES
#define TIMES 600
#endif
#ifndef NUMBER
#define NUMBER -1
#endif

static long
call(long number, long a)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a)
			 : "rcx", "r11", "memory");
	return result;
}

static inline __attribute__((always_inline)) long
mix(long n)
{
	n = n * 31 + (n >> 3);
	n = n * 17 ^ n >> 5;
	return n * 13 ^ n >> 7;
}

__attribute__((noinline)) long
leaf(long n)
{
	static const long moment[] = { 0, 3000000 };
	/* Something on the stack, else it would have no frame. */
	volatile long x = n;
	long i;

	if (NUMBER >= 0)
		return call(NUMBER, (long)moment);
	for (i = 0; i < 20000; i++)
		x = mix(x);
	return x;
}

__attribute__((noinline)) long
inner(long n)
{
	return leaf(n) + leaf(n + 1);
}

__attribute__((noinline)) long
outer(long n)
{
	return inner(n) * 2 + leaf(n);
}

__attribute__((noreturn, noinline)) void
leave(long n)
{
	long i, x = 0;

	for (i = 0; i < TIMES; i++)
		x += outer(n + i);
	for (;;)
		call(60, x & 0);
}

__attribute__((noreturn)) void
_start(void)
{
	__asm__ volatile("xor %ebp, %ebp");
	leave(1);
}
