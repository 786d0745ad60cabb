/* SPDX-License-Identifier: ISC */
/* Running processes; see target.h. */
#include "target.h"
#include "mem.h"
#include "sysfile.h"

static void
add(struct record_ids *list, pid_t id)
{
	*MEM_ADD(list->items, list->n, list->cap) = id;
}

void
target_add(struct record_ids *list, pid_t id)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (list->items[i] == id)
			return;
	add(list, id);
}

void
target_release(struct record_ids *list)
{
	free(list->items);
	*list = (struct record_ids){ 0 };
}

static int
by_number(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

/* Adds the names in a folder that are numbers, sorted. */
static void
add_numbers(struct record_ids *list, const struct sysfile_names *names)
{
	size_t i, before = list->n;
	uint64_t id;

	for (i = 0; i < names->n; i++)
		if (str_to_u64(names->items[i], &id) && id && id <= INT32_MAX)
			add(list, (pid_t)id);
	if (list->n > before)
		qsort(list->items + before, list->n - before, sizeof *list->items,
			by_number);
}

void
target_threads(struct record_ids *list, pid_t pid)
{
	struct sysfile_names names;
	struct arena text = { 0 };

	(void)sysfile_folder(&names, &text, "/proc/%ld/task", (long)pid);
	add_numbers(list, &names);
	arena_release(&text);
}

/* Adds the children of PROCESS that its thread TID created. */
static void
add_children(struct record_ids *list, pid_t process, pid_t tid)
{
	struct buf text = { 0 };
	struct str rest, word;
	uint64_t id;

	(void)sysfile_read(
		&text, "/proc/%ld/task/%ld/children", (long)process, (long)tid);
	for (rest = buf_view(&text); (word = str_word(&rest)).n;)
		if (str_to_u64(word, &id) && id && id <= INT32_MAX)
			target_add(list, (pid_t)id);
	buf_release(&text);
}

void
target_descendants(struct record_ids *list)
{
	struct record_ids threads = { 0 };
	size_t i, k;

	for (i = 0; i < list->n; i++) {
		threads.n = 0;
		target_threads(&threads, list->items[i]);
		for (k = 0; k < threads.n; k++)
			add_children(list, list->items[i], threads.items[k]);
	}
	target_release(&threads);
}

void
target_all(struct record_ids *list)
{
	struct sysfile_names names;
	struct arena text = { 0 };

	(void)sysfile_folder(&names, &text, "/proc");
	add_numbers(list, &names);
	arena_release(&text);
}

pid_t
target_process(pid_t tid)
{
	struct buf text = { 0 };
	uint64_t id = 0;

	(void)sysfile_read(&text, "/proc/%ld/status", (long)tid);
	(void)str_to_u64(str_field(buf_view(&text), STR("Tgid:")), &id);
	buf_release(&text);
	return (pid_t)id;
}

/* Parses "TID (NAME) STATE PARENT ... PROCESSOR ..." of proc(5); NAME may contain
 * anything. */
bool
target_stat(struct target_stat *s, const char *root, pid_t pid, pid_t tid)
{
	enum { STATE = 3, PROCESSOR = 39 };
	struct buf text = { 0 };
	struct str rest, word;
	uint64_t parent = 0, cpu = 0;
	int field;
	bool there = sysfile_read(
		&text, "%s/proc/%ld/task/%ld/stat", root, (long)pid, (long)tid);

	rest = buf_view(&text);
	rest = str_from(rest, str_rfind(rest, ')') + 1);
	word = str_word(&rest);
	*s = (struct target_stat){ .state = word.n ? word.s[0] : 'X' };
	(void)str_to_u64(str_word(&rest), &parent);
	for (field = STATE + 1; field < PROCESSOR; field++)
		word = str_word(&rest);
	(void)str_to_u64(word, &cpu);
	s->parent = (pid_t)parent;
	s->cpu = (uint32_t)cpu;
	buf_release(&text);
	return there;
}

/* Parses /proc/PID/task/TID/schedstat: "RUN WAIT TURNS", all 0 if the kernel does not
 * count. */
bool
target_use_of(struct target_use *use, pid_t pid, pid_t tid)
{
	struct buf b = { 0 };
	struct str rest;
	bool fine;

	*use = (struct target_use){ 0 };
	fine = sysfile_read(&b, "/proc/%ld/task/%ld/schedstat", (long)pid, (long)tid);
	rest = buf_view(&b);
	fine = fine && str_to_u64(str_word(&rest), &use->run) &&
		str_to_u64(str_word(&rest), &use->wait) &&
		str_to_u64(str_trim(rest), &use->turns);
	buf_release(&b);
	return fine;
}

bool
target_thread_lives(pid_t tid)
{
	struct target_stat s;

	return target_stat(&s, "", tid, tid) && s.state != 'Z' && s.state != 'X';
}

bool
target_process_lives(pid_t pid)
{
	struct record_ids threads = { 0 };
	bool lives = target_thread_lives(pid);
	size_t i;

	if (!lives) {
		target_threads(&threads, pid);
		for (i = 0; i < threads.n && !lives; i++)
			lives = target_thread_lives(threads.items[i]);
		target_release(&threads);
	}
	return lives;
}
