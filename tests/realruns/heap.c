/* SPDX-License-Identifier: ISC */
/* A program to record, the same work each time: threads that allocate, sort, look up and free. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 12, KEYS = 20000, SLOTS = 1 << 16, LONGEST = 200 };

struct key {
	struct key *next;
	unsigned value;
	char *text;
};

static unsigned
mix(unsigned x)
{
	x = (x ^ (x >> 16)) * 2246822507U;
	x = (x ^ (x >> 13)) * 3266489909U;
	return x ^ (x >> 16);
}

static __attribute__((noinline)) struct key **
make_keys(unsigned seed)
{
	struct key **all = malloc(KEYS * sizeof *all);
	unsigned i;

	for (i = 0; all && i < KEYS; i++) {
		all[i] = malloc(sizeof *all[i]);
		if (!all[i])
			abort();
		all[i]->value = mix(seed + i);
		all[i]->text = malloc(1 + all[i]->value % LONGEST);
		if (!all[i]->text)
			abort();
		memset(all[i]->text, 'x', all[i]->value % LONGEST);
	}
	return all;
}

static int
by_value(const void *a, const void *b)
{
	const struct key *const *x = a, *const *y = b;

	return ((*x)->value > (*y)->value) - ((*x)->value < (*y)->value);
}

static __attribute__((noinline)) void
sort_keys(struct key **all)
{
	qsort(all, KEYS, sizeof *all, by_value);
}

static __attribute__((noinline)) void
insert_keys(struct key **slots, struct key **all)
{
	unsigned i;

	for (i = 0; i < KEYS; i++) {
		all[i]->next = slots[mix(all[i]->value) % SLOTS];
		slots[mix(all[i]->value) % SLOTS] = all[i];
	}
}

static __attribute__((noinline)) unsigned
find_keys(struct key **slots, unsigned seed)
{
	unsigned i, found = 0;
	const struct key *k;

	for (i = 0; i < 4 * KEYS; i++)
		for (k = slots[mix(mix(seed + i)) % SLOTS]; k; k = k->next)
			found += k->value == mix(seed + i);
	return found;
}

static __attribute__((noinline)) void
free_keys(struct key **all)
{
	unsigned i;

	for (i = 0; i < KEYS; i++) {
		free(all[i]->text);
		free(all[i]);
	}
	free(all);
}

static void *
run(void *arg)
{
	struct key **slots = malloc(SLOTS * sizeof *slots), **all;
	unsigned seed = *(unsigned *)arg, i, found = 0;

	for (i = 0; slots && i < ROUNDS; i++) {
		memset(slots, 0, SLOTS * sizeof *slots);
		all = make_keys(seed + i);
		if (!all)
			break;
		sort_keys(all);
		insert_keys(slots, all);
		found += find_keys(slots, seed + i);
		free_keys(all);
	}
	free(slots);
	return found >= ROUNDS * KEYS ? arg : NULL;
}

int
main(void)
{
	pthread_t threads[THREADS];
	unsigned seeds[THREADS], i;
	int status = 0;
	void *done;

	for (i = 0; i < THREADS; i++) {
		seeds[i] = i << 20;
		if (pthread_create(&threads[i], NULL, run, &seeds[i]) != 0)
			return 1;
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &done);
		status |= !done;
	}
	return status;
}
