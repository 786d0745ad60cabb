/* SPDX-License-Identifier: ISC */
/*
 * The folders of /proc for the processes of a recording; see procfs.h (proc(5)).
 */
#include "procfs.h"
#include "buf.h"
#include "mem.h"
#include "regular.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Error of a start, in seconds: the kernel counts it in ticks since boot. */
enum { SLACK = 2 };

/* Reads word number N, from 0, behind the name in /proc/PID/stat: "123 (name) S 1
 * ...". */
static bool
stat_number(struct str text, unsigned n, uint64_t *value)
{
	struct str word;

	text = str_from(text, str_rfind(text, ')'));
	text = str_from(text, 1);
	do
		word = str_word(&text);
	while (n-- > 0);
	return str_to_u64(word, value);
}

/* Reads the seconds since boot: "1234.56 ...". */
static bool
read_uptime(uint64_t *seconds)
{
	struct buf b = { 0 };
	struct str rest;
	bool good;

	regular_read("/proc/uptime", &b);
	rest = buf_view(&b);
	good = str_to_u64(str_cut(&rest, '.'), seconds);
	buf_release(&b);
	return good;
}

void
procfs_release(struct procfs *p)
{
	intern_release(&p->roots);
	free(p->foreign);
}

uint64_t
procfs_machine_start(void)
{
	uint64_t up = 0, now = (uint64_t)time(NULL);

	return read_uptime(&up) && up < now ? now - up : 0;
}

uint64_t
procfs_start(uint32_t pid)
{
	enum { START = 19 };
	uint64_t ticks = 0, machine = procfs_machine_start();
	long rate = sysconf(_SC_CLK_TCK);
	struct buf b = { 0 };
	char path[64];
	bool good;

	snprintf(path, sizeof path, "/proc/%lu/stat", (unsigned long)pid);
	regular_read(path, &b);
	good = rate > 0 && stat_number(buf_view(&b), START, &ticks);
	buf_release(&b);
	return good && machine ? machine + ticks / (uint64_t)rate : 0;
}

bool
procfs_is_another(const struct procfs *p, uint64_t start)
{
	return p->ended && start > p->ended + SLACK;
}

unsigned long
procfs_inner_pid(const struct procfs *p, uint32_t pid)
{
	struct buf b = { 0 };
	struct str rest;
	uint64_t inner = pid, value;
	char path[64];

	if (procfs_is_another(p, procfs_start(pid)))
		return pid;
	snprintf(path, sizeof path, "/proc/%lu/status", (unsigned long)pid);
	regular_read(path, &b);
	rest = str_field(buf_view(&b), STR("NSpid:"));
	while (rest.n)
		if (str_to_u64(str_trim(str_cut(&rest, '\t')), &value))
			inner = value;
	buf_release(&b);
	return (unsigned long)inner;
}

/* Whether the paths A and B both exist and are different files. */
static bool
are_two(const char *a, const char *b)
{
	struct stat own, other;

	return stat(a, &own) == 0 && stat(b, &other) == 0 &&
		(own.st_dev != other.st_dev || own.st_ino != other.st_ino);
}

/* Whether the root of PID differs from ours, or it sees other mounts below the same
 * root. If this cannot be read, or PID has ended, it counts as ours. */
static bool
look_at_root(uint32_t pid)
{
	char root[64], mounts[64];

	snprintf(root, sizeof root, "/proc/%lu/root/", (unsigned long)pid);
	snprintf(mounts, sizeof mounts, "/proc/%lu/ns/mnt", (unsigned long)pid);
	return are_two("/", root) || are_two("/proc/self/ns/mnt", mounts);
}

bool
procfs_is_foreign(struct procfs *p, uint32_t pid)
{
	uint32_t was = p->roots.n;
	uint32_t id =
		intern_id(&p->roots, (struct str){ (const char *)&pid, sizeof pid });

	if (p->remote)
		return false;
	if (id < was)
		return p->foreign[id];
	*MEM_AT(p->foreign, p->foreign_cap, id) =
		look_at_root(pid) && !procfs_is_another(p, procfs_start(pid));
	return p->foreign[id];
}

bool
procfs_is_file_foreign(struct procfs *p, uint32_t pid, struct str path)
{
	struct buf theirs = { 0 };
	struct stat st;
	const char *there, *here;
	bool foreign = false;

	if (!pid || !procfs_is_foreign(p, pid))
		return false;
	buf_fmt(&theirs, "/proc/%lu/root", (unsigned long)pid);
	buf_str(&theirs, path);
	there = buf_cstr(&theirs);
	here = there + theirs.n - path.n;
	if (path.n && path.s[0] == '/' && str_find(path, '\0') == path.n)
		foreign = stat(there, &st) == 0 &&
			(stat(here, &st) < 0 || are_two(here, there));
	buf_release(&theirs);
	return foreign;
}
