/* SPDX-License-Identifier: ISC */
/*
 * Programs whose threads differ, to hold the methods of recording against each other.
 *
 *	tasks spawn	threads that live for 2 ms, made one after the other
 *	tasks even	three threads that compute alike
 *	tasks sleepy	one thread that computes and one that mostly sleeps
 *
 * All computing is in burn, called by one of first, second and third.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "spent.h"

enum { STEPS = 20000, ROUNDS = 150 };

static volatile unsigned long sum;

/* Computes for US microseconds of the thread's own time. */
__attribute__((noinline)) static void
burn(long us)
{
	long end = spent_us() + us, i;

	while (spent_us() < end)
		for (i = 0; i < STEPS; i++)
			sum = sum + 1;
}

__attribute__((noinline)) static void *
first(void *us)
{
	burn(*(long *)us);
	sum = sum + 1;
	return us;
}

__attribute__((noinline)) static void *
second(void *us)
{
	burn(*(long *)us);
	sum = sum + 2;
	return us;
}

__attribute__((noinline)) static void *
third(void *us)
{
	burn(*(long *)us);
	sum = sum + 3;
	return us;
}

static void *
sleep_mostly(void *us)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		nanosleep(&(struct timespec){ 0, 6000000 }, NULL);
		second(us);
	}
	return us;
}

/* Computes in three threads. */
static void
run_together(long us)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, second, &us);
	pthread_create(&threads[1], NULL, third, &us);
	first(&us);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static void
run_sleepy(void)
{
	long little = 1000, much = 600000;
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_mostly, &little);
	first(&much);
	pthread_join(thread, NULL);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int i;

	if (strcmp(how, "even") == 0)
		run_together(400000);
	else if (strcmp(how, "sleepy") == 0)
		run_sleepy();
	else
		for (i = 0; i < 2 * ROUNDS; i++)
			run_together(2000);
	return 0;
}
