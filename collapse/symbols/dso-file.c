/* SPDX-License-Identifier: ISC */
/*
 * The file of code of a dso; see dso.h. It is looked for
 *
 *	among the files that the user names (--elf), by build id, else by name
 *	at its path
 *	in the caches of perf and debuginfod, by build id
 *	below /proc/PID/root, while a process with another root still runs
 *
 * and counts only when it has the recorded build id. A recording without build
 * ids is believed to be of the files that are here now.
 */
#include "debugfile.h"
#include "dso-parts.h"
#include "mem.h"
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DELETED STR(" (deleted)")

bool
dso_read_open(int fd, struct buf *b)
{
	enum { STEP = 1 << 16 };
	const size_t most = (size_t)1 << 30;
	ssize_t got;

	buf_clear(b);
	if (fd < 0)
		return false;
	do {
		got = read(fd, buf_room(b, STEP), STEP);
		if (got > 0)
			b->n += (size_t)got;
	} while ((got > 0 && b->n < most) || (got < 0 && errno == EINTR));
	close(fd);
	return got >= 0;
}

bool
dso_read_file(const char *path, struct buf *b)
{
	struct stat st;
	int fd = regular_open(path, &st);

	return dso_read_open(fd, b);
}

/* Whether E is the file that was recorded as D. */
static bool
is_recorded(const struct dso *d, const struct elf *e)
{
	return !d->build_id.n || str_eq(e->build_id, d->build_id);
}

/* The file that the user gives for D. */
static struct elf *
find_users(struct dso *d)
{
	const struct dso_set *set = d->set;
	struct str base = str_base(d->path), name;
	bool only = set->elf_n == 1 && !d->path.n;
	struct elf *e;
	size_t i;

	for (i = 0; i < set->elf_n; i++) {
		e = set->elfs[i];
		if (e && d->build_id.n && str_eq(e->build_id, d->build_id))
			return e;
	}
	for (i = 0; i < set->elf_n; i++) {
		e = set->elfs[i];
		name = str_base(str_of(set->options.elfs->items[i]));
		if (!e || !(only || (base.n && str_eq(name, base))))
			continue;
		if (debugfile_fits(e, d->build_id))
			return e;
		d->why = "is not the file that --elf names (its build id differs)";
	}
	return NULL;
}

/* When the file at PATH was written, or put there with its old time of writing, as
 * packages do; a new hard link to it, as perf's cache makes them, is no change. */
static uint64_t
time_of_change(const char *path)
{
	struct stat st;
	time_t t;

	if (stat(path, &st) < 0)
		return 0;
	t = st.st_nlink == 1 && st.st_ctime > st.st_mtime ? st.st_ctime : st.st_mtime;
	return t > 0 ? (uint64_t)t : 0;
}

/* The file at PATH, when it is the one that was recorded. */
static struct elf *
open_recorded(struct dso *d, struct buf *path)
{
	const char *why = NULL;
	struct elf *e = elf_open(buf_cstr(path), &why);

	if (e && is_recorded(d, e)) {
		d->changed = d->build_id.n ? 0 : time_of_change(buf_cstr(path));
		buf_clear(&d->code_path);
		buf_str(&d->code_path, buf_view(path));
		return e;
	}
	if (e)
		d->why = "is not the file that was recorded (its build id differs)";
	else if (!d->why)
		d->why = why;
	elf_close(e);
	return NULL;
}

/* The file at the path of D, below the root of its process when BELOW. */
static struct elf *
open_path(struct dso *d, bool below)
{
	struct str path = d->path;
	struct buf b = { 0 };
	struct elf *e = NULL;

	if (!path.n || path.s[0] != '/')
		return NULL;
	if (str_ends(path, DELETED)) {
		path = str_head(path, path.n - DELETED.n);
		/* What has its name now is another. */
		if (!d->build_id.n) {
			d->why = "was deleted";
			return NULL;
		}
	}
	if (below)
		buf_fmt(&b, "/proc/%lu/root", (unsigned long)d->pid);
	buf_str(&b, path);
	/* A path cannot have a NUL in it. */
	if (str_find(buf_view(&b), '\0') == b.n)
		e = open_recorded(d, &b);
	buf_release(&b);
	return e;
}

/* The range of our own vdso, from a line of /proc/self/maps. */
static bool
read_vdso_line(struct str line, uint64_t *start, uint64_t *end)
{
	struct str range = str_word(&line), first = str_cut(&range, '-');

	return str_ends(str_trim(line), STR("[vdso]")) && str_hex_to_u64(first, start) &&
		str_hex_to_u64(range, end) && *start < *end;
}

/* The vdso of this process, which all processes of a kernel share; NULL when it
 * cannot be had. */
static struct elf *
copy_own_vdso(void)
{
	enum { SIZE_MOST = 1 << 20 };
	uint64_t start = 0, end = 0;
	struct buf maps = { 0 };
	struct str rest, line;
	const char *why;
	char *block;
	ssize_t got;
	int fd;

	dso_read_file("/proc/self/maps", &maps);
	for (rest = buf_view(&maps); rest.n;) {
		line = str_cut(&rest, '\n');
		if (read_vdso_line(line, &start, &end))
			break;
		start = end = 0;
	}
	buf_release(&maps);
	fd = end - start - 1 < SIZE_MOST ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
					 : -1;
	if (fd < 0)
		return NULL;
	block = mem_alloc((size_t)(end - start));
	got = pread(fd, block, (size_t)(end - start), (off_t)start);
	close(fd);
	if (got > 0)
		return elf_of_block(block, (size_t)got, &why);
	free(block);
	return NULL;
}

/* The image of the vdso: perf's cache has those of other kernels. */
static struct elf *
find_vdso(struct dso *d)
{
	struct buf path = { 0 };
	struct elf *e = NULL;

	if (d->build_id.n &&
		debugfile_perf_cache(&path, STR("[vdso]"), d->build_id, "vdso"))
		e = open_recorded(d, &path);
	buf_release(&path);
	if (e)
		return e;
	e = d->build_id.n || d->set->kernel.local ? copy_own_vdso() : NULL;
	if (e && is_recorded(d, e))
		return e;
	elf_close(e);
	d->why = "is of another kernel";
	return NULL;
}

struct elf *
dso_find_code(struct dso *d)
{
	struct elf *e = find_users(d);
	bool foreign = d->pid && dso_is_foreign(d->set, d->pid);

	if (!e && d->kind == DSO_VDSO)
		return find_vdso(d);
	/* Without a build id the path alone says which file it was; on another
	 * machine the process is another too. */
	if (!e && foreign && !d->build_id.n && d->set->kernel.local)
		e = open_path(d, true);
	if (!e)
		e = open_path(d, false);
	if (!e && d->build_id.n)
		e = debugfile_code(d->build_id, &d->code_path);
	if (!e && foreign && d->build_id.n)
		e = open_path(d, true);
	if (e)
		d->why = NULL;
	else if (!d->why)
		d->why = "not found";
	return e;
}
