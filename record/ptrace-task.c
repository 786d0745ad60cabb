/* SPDX-License-Identifier: ISC */
/* The table of traced threads; see ptrace-task.h. */
#include "ptrace-task.h"
#include "mem.h"
#include "sysfile.h"

/* The place of TID, or where it would be. */
static size_t
place_of(const struct ptrace_tasks *list, pid_t tid)
{
	size_t low = 0, high = list->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (list->items[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct ptrace_task *
ptrace_task_find(const struct ptrace_tasks *list, pid_t tid)
{
	size_t i = place_of(list, tid);

	return i < list->n && list->items[i].tid == tid ? &list->items[i] : NULL;
}

struct ptrace_task *
ptrace_task_add(struct ptrace_tasks *list, pid_t tid, pid_t pid)
{
	size_t i = place_of(list, tid);

	if (i < list->n && list->items[i].tid == tid)
		return &list->items[i];
	list->items = mem_grow(list->items, &list->cap, list->n + 1, sizeof *list->items);
	memmove(list->items + i + 1, list->items + i,
		(list->n - i) * sizeof *list->items);
	list->items[i] = (struct ptrace_task){ .tid = tid, .pid = pid };
	list->n++;
	return &list->items[i];
}

void
ptrace_task_remove(struct ptrace_tasks *list, pid_t tid)
{
	struct ptrace_task *t = ptrace_task_find(list, tid);

	if (!t)
		return;
	list->n--;
	memmove(t, t + 1, (size_t)(list->items + list->n - t) * sizeof *t);
}

/* The fields of /proc/PID/task/TID/stat, "TID (name) S ...", where a name may hold
 * brackets; counted from 1 as in proc(5). */
enum { STATE = 3, PROCESSOR = 39 };

bool
ptrace_task_runs(struct ptrace_task *t)
{
	struct buf b = { 0 };
	struct str rest, word;
	uint64_t cpu = 0;
	bool runs = false;
	int field;

	if (sysfile_read(&b, "/proc/%ld/task/%ld/stat", (long)t->pid, (long)t->tid)) {
		rest = buf_view(&b);
		rest = str_from(rest, str_rfind(rest, ')') + 1);
		word = str_word(&rest);
		runs = str_eq(word, STR("R"));
		for (field = STATE; field < PROCESSOR; field++)
			word = str_word(&rest);
		if (str_to_u64(word, &cpu))
			t->cpu = (uint32_t)cpu;
	}
	buf_release(&b);
	return runs;
}

/* /proc/PID/task/TID/schedstat: "RUN WAIT TURNS", all 0 where nothing is counted. */
bool
ptrace_task_use(pid_t pid, pid_t tid, struct ptrace_use *use)
{
	struct buf b = { 0 };
	struct str rest;
	bool fine;

	*use = (struct ptrace_use){ 0 };
	fine = sysfile_read(&b, "/proc/%ld/task/%ld/schedstat", (long)pid, (long)tid);
	rest = buf_view(&b);
	fine = fine && str_to_u64(str_word(&rest), &use->run) &&
		str_to_u64(str_word(&rest), &use->wait) &&
		str_to_u64(str_trim(rest), &use->turns);
	buf_release(&b);
	return fine;
}

pid_t
ptrace_task_parent(pid_t pid)
{
	struct buf b = { 0 };
	struct str rest;
	uint64_t parent = 0;

	if (sysfile_read(&b, "/proc/%ld/stat", (long)pid)) {
		rest = buf_view(&b);
		rest = str_from(rest, str_rfind(rest, ')') + 1);
		(void)str_word(&rest);
		(void)str_to_u64(str_word(&rest), &parent);
	}
	buf_release(&b);
	return (pid_t)parent;
}
