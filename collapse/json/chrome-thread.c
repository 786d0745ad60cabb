/* SPDX-License-Identifier: ISC */
/* Threads of a trace; see chrome-thread.h. */
#include "chrome-thread.h"
#include "mem.h"

#include <inttypes.h>

void
chrome_threads_release(struct chrome_threads *t)
{
	intern_release(&t->texts);
	intern_release(&t->keys);
	free(t->items);
	free(t->processes);
	*t = (struct chrome_threads){ 0 };
}

uint32_t
chrome_thread_number(struct chrome_threads *t, int64_t n)
{
	struct chrome_number *known = &t->numbers[(uint64_t)n % CHROME_NUMBERS];
	char digits[24];

	if (!known->known || known->n != n) {
		snprintf(digits, sizeof digits, "%" PRId64, n);
		*known = (struct chrome_number){ n, true,
			intern_id(&t->texts, str_of(digits)) };
	}
	return known->text;
}

uint32_t
chrome_thread_find(struct chrome_threads *t, uint32_t pid, uint32_t tid)
{
	uint32_t pair[2] = { pid, tid }, known = t->keys.n, at;

	at = intern_id(&t->keys, (struct str){ (const char *)pair, sizeof pair });
	if (at == known) {
		t->items = mem_grow(t->items, &t->cap, (size_t)at + 1, sizeof *t->items);
		t->items[at] = (struct chrome_thread){ pid, tid, CHROME_NONE };
	}
	return at;
}

void
chrome_thread_process(struct chrome_threads *t, uint32_t pid, uint32_t name)
{
	t->processes = mem_grow(
		t->processes, &t->process_cap, (size_t)pid + 1, sizeof *t->processes);
	while (t->process_n <= pid)
		t->processes[t->process_n++] = CHROME_NONE;
	t->processes[pid] = name;
}

/* Whether root frames are to have numbers. */
static bool
wants_numbers(const struct collapse_options *o)
{
	size_t i;

	for (i = 0; i < COLLAPSE_BY_MAX && o->by[i]; i++)
		if (o->by[i] == COLLAPSE_PID || o->by[i] == COLLAPSE_TID)
			return true;
	return false;
}

struct collapse_sample
chrome_thread_sample(
	const struct chrome_threads *t, const struct collapse *c, uint32_t thread)
{
	const struct chrome_thread *at = &t->items[thread];
	struct collapse_sample s = { .has_period = true };
	uint32_t name = at->name;

	if (name == CHROME_NONE && at->pid < t->process_n)
		name = t->processes[at->pid];
	s.pid = intern_str(&t->texts, at->pid);
	s.tid = intern_str(&t->texts, at->tid);
	if (name != CHROME_NONE)
		s.comm = intern_str(&t->texts, name);
	/* Who has numbers and no name is somebody. */
	else if (wants_numbers(c->options))
		s.comm = STR("[unknown]");
	return s;
}
