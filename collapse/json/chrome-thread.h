/* SPDX-License-Identifier: ISC */
/* The threads of a trace, by process and thread number, and their names. */
#ifndef CHROME_THREAD_H
#define CHROME_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "intern.h"

/* No name was told. */
#define CHROME_NONE UINT32_MAX

struct chrome_thread {
	uint32_t pid, tid; /* ids of texts: numbers, or any text */
	uint32_t name;	   /* the same, or CHROME_NONE */
};

/* A number and the id of its text. */
struct chrome_number {
	int64_t n;
	bool known;
	uint32_t text;
};
enum { CHROME_NUMBERS = 64 };

/* A zeroed table is empty. */
struct chrome_threads {
	struct intern texts;
	struct intern keys;	     /* pid and tid of each thread */
	struct chrome_thread *items; /* in the order of keys */
	size_t cap;
	uint32_t *processes; /* names of processes or CHROME_NONE, by the id of pid */
	size_t process_n, process_cap;
	struct chrome_number numbers[CHROME_NUMBERS]; /* of late */
};

void chrome_threads_release(struct chrome_threads *t);

/* The id of the text of N: a trace has few numbers, many times. */
uint32_t chrome_thread_number(struct chrome_threads *t, int64_t n);

/* The number of the thread TID of PID, ids of texts, added when it is new. */
uint32_t chrome_thread_find(struct chrome_threads *t, uint32_t pid, uint32_t tid);

/* Says that the process PID has a NAME, an id of texts. */
void chrome_thread_process(struct chrome_threads *t, uint32_t pid, uint32_t name);

/* A sample of THREAD: who it is, without anything else. The name is the thread's
 * or else that of its process. */
struct collapse_sample chrome_thread_sample(
	const struct chrome_threads *t, const struct collapse *c, uint32_t thread);

#endif
