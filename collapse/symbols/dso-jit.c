/* SPDX-License-Identifier: ISC */
/*
 * Names of code made at run time; see dso.h. Runtimes write them to
 * /tmp/perf-PID.map, by the number that they have in their own container, or to
 * a jitdump, which they map so that the recording knows its path. While they run
 * more may come, so an address without a name makes us look again, ever more
 * seldom.
 */
#include "dso-parts.h"
#include "perfmap.h"
#include "regular.h"

#include <errno.h>
#include <unistd.h>

const char dso_no_map[] =
	"the runtime wrote no perf map (/tmp/perf-PID.map) or it is gone";

static const char ALIEN[] =
	"a file of another user, or a link, has its names: check it and "
	"say --perf-maps";

/* Whether the owner of ST may name the code of process PID: root, whoever runs us, or
 * whoever runs the process. In /tmp anybody may write the map of any process. */
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

/* Why the file of ST is not to name the code of D; NULL when it may. */
static const char *
find_doubt(const struct dso *d, const struct stat *st)
{
	uint64_t start = dso_process_start(d->pid);
	bool another = dso_is_another(d->set, start);

	if (another && time_of_writing(st) >= start)
		return "a later process with its number wrote the file that is here";
	return is_trusted(st, another ? 0 : d->pid) ? NULL : ALIEN;
}

/* Opens PATH, which is to name the code of D; -1 when there is none to be believed. */
static int
open_map(struct dso *d, const char *path)
{
	bool any = d->set->options.any_maps;
	const char *doubt = NULL;
	struct stat st;
	int fd = any ? regular_open(path, &st) : regular_open_itself(path, &st);

	if (fd < 0) {
		if (errno == EPERM || errno == ELOOP)
			d->why = ALIEN;
		return -1;
	}
	doubt = any ? NULL : find_doubt(d, &st);
	d->changed = any ? 0 : time_of_writing(&st);
	if (!doubt)
		return fd;
	d->why = doubt;
	close(fd);
	return -1;
}

/* Puts the content of PATH into D; false when there is none. */
static bool
read_map(struct dso *d, const char *path)
{
	if (!dso_read_open(open_map(d, path), &d->map.bytes) || !d->map.bytes.n)
		return false;
	buf_clear(&d->map.path);
	buf_str(&d->map.path, str_of(path));
	return true;
}

/* Finds and reads the perf map of process D->pid. */
static bool
find_map(struct dso *d)
{
	char own[64], theirs[96];
	unsigned long pid = d->pid, inner = dso_inner_pid(d->set, d->pid);
	bool gone = dso_is_another(d->set, dso_process_start(d->pid)), foreign;

	snprintf(own, sizeof own, "/tmp/perf-%lu.map", pid);
	snprintf(theirs, sizeof theirs, "/proc/%lu/root/tmp/perf-%lu.map", pid, inner);
	foreign = inner != pid || dso_is_foreign(d->set, d->pid);
	if (foreign && read_map(d, theirs))
		return true;
	return read_map(d, own) || (!foreign && !gone && read_map(d, theirs));
}

/* Reads the jitdump of D, maybe below the root of its process. */
static bool
find_jitdump(struct dso *d)
{
	struct buf path = { 0 };
	bool found;

	buf_fmt(&path, "/proc/%lu/root", (unsigned long)d->pid);
	buf_str(&path, d->path);
	found = str_find(d->path, '\0') == d->path.n &&
		((dso_is_foreign(d->set, d->pid) && read_map(d, buf_cstr(&path))) ||
			read_map(d, buf_cstr(&path) + path.n - d->path.n));
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

/* Reads what D has now, in place of what it had. */
static void
load(struct dso *d)
{
	uint64_t pid;
	size_t bad = 0;
	bool found;

	symtab_free(d->symbols);
	jitdump_free(d->jitdump);
	d->symbols = NULL;
	d->jitdump = NULL;
	if (!d->pid && path_pid(d->path, &pid) && pid <= UINT32_MAX)
		d->pid = (uint32_t)pid;
	d->why = d->is_jitdump ? "its jitdump is not here" : dso_no_map;
	if (d->set->remote && !d->set->options.any_maps) {
		d->why = "recorded on another machine: copy its perf maps and jitdumps "
			 "here and say --perf-maps";
		return;
	}
	found = d->is_jitdump ? find_jitdump(d) : find_map(d);
	d->why = found ? NULL : d->why;
	if (found && d->is_jitdump)
		d->jitdump = jitdump_parse(buf_view(&d->map.bytes), &bad);
	else if (found)
		d->symbols = perfmap_parse(buf_view(&d->map.bytes), &bad);
}

/* Whether the file of D has another size than when it was read. */
static bool
has_changed(struct dso *d)
{
	struct stat st;

	return !d->map.path.n || stat(buf_cstr(&d->map.path), &st) < 0 ||
		(uint64_t)st.st_size != d->map.bytes.n;
}

/* The code at ADDRESS in what was read of D. */
static bool
look(struct dso *d, uint64_t address, uint64_t time, struct dso_made *m)
{
	const struct symtab_symbol *s;
	struct jitdump_code code;

	if (d->jitdump && jitdump_find(d->jitdump, address, time, &code)) {
		*m = (struct dso_made){ code.name, code.start, code.end, code.frames,
			code.swap, false };
		return true;
	}
	s = d->symbols ? symtab_find(d->symbols, address) : NULL;
	if (s)
		*m = (struct dso_made){ .name = s->name,
			.start = s->start,
			.end = s->start + s->size,
			.lasts = true };
	return s != NULL;
}

void
dso_refresh(struct dso *d)
{
	if (!d->refreshed && d->symbols_done && has_changed(d))
		load(d);
	d->refreshed = true;
}

static bool
find_made(struct dso *d, uint64_t address, uint64_t time, struct dso_made *m)
{
	if (!d->symbols_done)
		load(d);
	d->symbols_done = true;
	if (look(d, address, time, m))
		return true;
	d->missed++;
	/* At each power of two. */
	if (d->missed & (d->missed - 1) || !has_changed(d))
		return false;
	load(d);
	return look(d, address, time, m);
}

/* The jitdump of the process of D, NULL when it mapped none. */
static struct dso *
find_sister(const struct dso *d)
{
	size_t i;

	for (i = d->set->jitdump_n; i > 0; i--)
		if (d->set->jitdumps[i - 1]->pid == d->pid)
			return d->set->jitdumps[i - 1];
	return NULL;
}

bool
dso_find_made(struct dso *d, uint64_t address, uint64_t time, struct dso_made *m)
{
	struct dso *sister = d->is_jitdump ? d : find_sister(d);

	return (sister && find_made(sister, address, time, m)) ||
		(sister != d && find_made(d, address, time, m));
}
