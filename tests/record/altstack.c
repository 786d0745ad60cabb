/* SPDX-License-Identifier: ISC */
/* Computes for a second of processor time in the handler of a signal that has a
 * stack of its own. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sum;

static __attribute__((noinline)) void
work(unsigned long n)
{
	while (n--)
		sum += n * sum;
}

static void
on_signal(int number)
{
	(void)number;
	while (clock() < CLOCKS_PER_SEC)
		work(100000);
}

static __attribute__((noinline)) void
wait_for_it(void)
{
	raise(SIGUSR1);
	sum++;
}

int
main(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	size_t size = 1 << 16;
	stack_t stack = { .ss_sp = malloc(size), .ss_size = size };

	if (!stack.ss_sp || sigaltstack(&stack, NULL) < 0 ||
		sigaction(SIGUSR1, &action, NULL) < 0)
		return 1;
	wait_for_it();
	return 0;
}
