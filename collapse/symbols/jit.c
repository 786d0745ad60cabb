/* SPDX-License-Identifier: ISC */
/* Finds files that name generated code, and decides which to trust; see jit.h. */
#include "jit.h"
#include "mem.h"
#include "perfmap.h"
#include "regular.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

void
jit_release(struct jit *j)
{
	symtab_free(j->map);
	jitdump_free(j->dump);
	buf_release(&j->file);
	buf_release(&j->bytes);
}

const char jit_no_map[] =
	"the runtime wrote no perf map (/tmp/perf-PID.map), or it was removed";

static const char UNTRUSTED[] =
	"its names are in a link or a file of another user; check it and "
	"use --perf-maps";

/* Whether the owner of ST may name the code of process PID: root, our user, or the user
 * of the process. In /tmp anyone may write the map of any process. */
static bool
is_trusted(const struct stat *st, uint32_t pid)
{
	struct stat process;
	char path[64];

	if (!st->st_uid || st->st_uid == geteuid())
		return true;
	snprintf(path, sizeof path, "/proc/%lu", (unsigned long)pid);
	return stat(path, &process) == 0 && process.st_uid == st->st_uid;
}

static uint64_t
time_of_writing(const struct stat *st)
{
	return st->st_mtime > 0 ? (uint64_t)st->st_mtime : 0;
}

/* Why the file of ST must not name the code of J, or NULL. */
static const char *
find_doubt(const struct jit *j, const struct stat *st)
{
	uint64_t start = procfs_start(j->pid);
	bool another = procfs_is_another(j->processes, start);

	if (another && time_of_writing(st) >= start)
		return "the file here was written by a later process with the same PID";
	return is_trusted(st, another ? 0 : j->pid) ? NULL : UNTRUSTED;
}

/* Opens PATH to name the code of J; -1 if it is missing or untrusted. */
static int
open_map(struct jit *j, const char *path)
{
	bool any = j->any;
	const char *doubt = NULL;
	struct stat st;
	int fd = any ? regular_open(path, &st) : regular_open_itself(path, &st);

	if (fd < 0) {
		if (errno == EPERM || errno == ELOOP)
			j->why = UNTRUSTED;
		return -1;
	}
	doubt = any ? NULL : find_doubt(j, &st);
	j->changed = any ? 0 : time_of_writing(&st);
	if (!doubt)
		return fd;
	j->why = doubt;
	close(fd);
	return -1;
}

/* Reads PATH into J. Returns false if it is missing or empty. */
static bool
read_map(struct jit *j, const char *path)
{
	if (!regular_read_open(open_map(j, path), path, &j->bytes) || !j->bytes.n)
		return false;
	buf_clear(&j->file);
	buf_str(&j->file, str_of(path));
	return true;
}

/* Finds and reads the perf map of process J->pid. */
static bool
find_map(struct jit *j)
{
	char own[64], theirs[96];
	unsigned long pid = j->pid, inner = procfs_inner_pid(j->processes, j->pid);
	bool gone = procfs_is_another(j->processes, procfs_start(j->pid)), foreign;

	snprintf(own, sizeof own, "/tmp/perf-%lu.map", pid);
	snprintf(theirs, sizeof theirs, "/proc/%lu/root/tmp/perf-%lu.map", pid, inner);
	foreign = inner != pid || procfs_is_foreign(j->processes, j->pid);
	if (foreign && read_map(j, theirs))
		return true;
	return read_map(j, own) || (!foreign && !gone && read_map(j, theirs));
}

/* Reads the jitdump of J, possibly below the root of its process. */
static bool
find_jitdump(struct jit *j)
{
	struct buf path = { 0 };
	bool found;

	buf_fmt(&path, "/proc/%lu/root", (unsigned long)j->pid);
	buf_str(&path, j->path);
	found = str_find(j->path, '\0') == j->path.n &&
		((procfs_is_foreign(j->processes, j->pid) &&
			 read_map(j, buf_cstr(&path))) ||
			read_map(j, buf_cstr(&path) + path.n - j->path.n));
	buf_release(&path);
	return found;
}

/* The number in "/tmp/perf-123.map". */
static bool
path_pid(struct str path, uint64_t *pid)
{
	struct str base = str_base(path), head = STR("perf-"), tail = STR(".map");

	return str_starts(base, head) && str_ends(base, tail) &&
		str_to_u64(
			str_head(str_from(base, head.n), base.n - head.n - tail.n), pid);
}

/* Reads the current file of J, and drops the previous contents. */
static void
load(struct jit *j)
{
	uint64_t pid;
	size_t bad = 0;
	bool found;

	symtab_free(j->map);
	jitdump_free(j->dump);
	j->map = NULL;
	j->dump = NULL;
	if (!j->pid && path_pid(j->path, &pid) && pid <= UINT32_MAX)
		j->pid = (uint32_t)pid;
	j->why = j->is_jitdump ? "its jitdump is missing" : jit_no_map;
	if (j->processes->remote && !j->any) {
		j->why = "recorded on another machine; copy its perf maps and jitdumps "
			 "here and use --perf-maps";
		return;
	}
	found = j->is_jitdump ? find_jitdump(j) : find_map(j);
	j->why = found ? NULL : j->why;
	if (found && j->is_jitdump)
		j->dump = jitdump_parse(buf_view(&j->bytes), &bad);
	else if (found)
		j->map = perfmap_parse(buf_view(&j->bytes), &bad);
}

/* Whether the size of J's file differs from when it was read. */
static bool
has_changed(struct jit *j)
{
	struct stat st;

	return !j->file.n || stat(buf_cstr(&j->file), &st) < 0 ||
		(uint64_t)st.st_size != j->bytes.n;
}

/* The code at ADDRESS, in the data read so far. */
static bool
look(struct jit *j, uint64_t address, uint64_t time, struct jit_code *c)
{
	const struct symtab_symbol *s;
	struct jitdump_code code;

	if (j->dump && jitdump_find(j->dump, address, time, &code)) {
		*c = (struct jit_code){ code.name, code.start, code.end, code.frames,
			code.swap, false };
		return true;
	}
	s = j->map ? symtab_find(j->map, address) : NULL;
	if (s)
		*c = (struct jit_code){ .name = s->name,
			.start = s->start,
			.end = s->start + s->size,
			.lasts = true };
	return s != NULL;
}

void
jit_refresh(struct jit *j)
{
	if (!j->refreshed && j->loaded && has_changed(j))
		load(j);
	j->refreshed = true;
}

bool
jit_find(struct jit *j, uint64_t address, uint64_t time, struct jit_code *c)
{
	if (!j->loaded)
		load(j);
	j->loaded = true;
	if (look(j, address, time, c))
		return true;
	j->missed++;
	/* Retry at each power of two. */
	if (j->missed & (j->missed - 1) || !has_changed(j))
		return false;
	load(j);
	return look(j, address, time, c);
}
