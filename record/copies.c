/* SPDX-License-Identifier: ISC */
/*
 * Copies of binaries; see copies.h. A deleted file is found through its process
 * (proc(5)): /proc/PID/map_files, which only root may open, /proc/PID/exe and
 * /proc/PID/fd. Names and contents are untrusted: a file is accepted if it is an ELF
 * file with the mapped build id or, without one, if it has the mapped inode.
 */
#define _GNU_SOURCE
#include "copies.h"
#include "elf.h"
#include "mem.h"
#include "msg.h"
#include "output.h"
#include "regular.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_MOST = 256, FD_MOST = 1024, ID_LEAST = 2, ID_MOST = 20, BLOCK = 1 << 18 };

#define DELETED STR(" (deleted)")

bool
copies_begin(struct copies *c)
{
	const char *home = getenv("HOME");

	if (!home || home[0] != '/')
		return false;
	buf_str(&c->folder, str_of(home));
	buf_str(&c->folder, STR("/.debug"));
	c->file_most = COPIES_FILE_MOST;
	c->sum_most = COPIES_SUM_MOST;
	return true;
}

void
copies_release(struct copies *c)
{
	size_t i;

	for (i = 0; i < c->open_n; i++)
		close(c->open[i].fd);
	for (i = 0; i < COPIES_REASONS; i++)
		buf_release(&c->first[i]);
	free(c->open);
	intern_release(&c->seen);
	buf_release(&c->folder);
	*c = (struct copies){ 0 };
}

static void
fail(struct copies *c, enum copies_why why, struct str path)
{
	if (!c->failed[why]++)
		buf_str(&c->first[why], path);
	if (why == COPIES_UNWRITTEN && !c->error)
		c->error = errno;
}

/* Finding a file. */

/* Opens the file behind FD by descriptor: its name may lead to another file. */
static struct elf *
open_elf(int fd)
{
	char path[64];
	const char *why;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return elf_open(path, &why);
}

/* Whether FD is the file of M. */
static bool
is_mapped(int fd, const struct copies_map *m)
{
	struct stat st;
	struct elf *e;
	bool same;

	if (!m->build_id.n)
		return fstat(fd, &st) == 0 && (uint64_t)st.st_ino == m->inode;
	e = open_elf(fd);
	same = e && str_eq(e->build_id, m->build_id);
	elf_close(e);
	return same;
}

/* Opens PATH if it is the file of M; otherwise returns -1. */
static int
try_open(struct buf *path, const struct copies_map *m)
{
	struct stat st;
	int fd = regular_open(buf_cstr(path), &st);

	if (fd >= 0 && !is_mapped(fd, m)) {
		close(fd);
		fd = -1;
	}
	buf_clear(path);
	return fd;
}

static int
open_descriptor(const struct copies_map *m)
{
	struct buf path = { 0 };
	int fd = -1, i;

	for (i = 0; i < FD_MOST && fd < 0; i++) {
		buf_fmt(&path, "/proc/%ld/fd/%d", m->pid, i);
		fd = try_open(&path, m);
	}
	buf_release(&path);
	return fd;
}

/* Opens the file of M, by NAME unless it is DELETED. Returns -1 if it is gone. */
static int
open_mapped(const struct copies_map *m, struct str name, bool deleted)
{
	struct buf path = { 0 };
	int fd;

	buf_fmt(&path, "/proc/%ld/root", m->pid);
	buf_str(&path, name);
	fd = deleted ? -1 : try_open(&path, m);
	buf_clear(&path);
	if (fd < 0 && !deleted) {
		buf_str(&path, name);
		fd = try_open(&path, m);
	}
	if (fd < 0) {
		buf_fmt(&path, "/proc/%ld/map_files/%llx-%llx", m->pid,
			(unsigned long long)m->start, (unsigned long long)m->end);
		fd = try_open(&path, m);
	}
	if (fd < 0) {
		buf_fmt(&path, "/proc/%ld/exe", m->pid);
		fd = try_open(&path, m);
	}
	buf_release(&path);
	return fd < 0 && deleted ? open_descriptor(m) : fd;
}

/* Whether NAME leads to a file other than FD. */
static bool
is_elsewhere(int fd, struct str name)
{
	struct buf path = { 0 };
	struct stat here, there;
	bool same;

	buf_str(&path, name);
	same = fstat(fd, &there) == 0 && stat(buf_cstr(&path), &here) == 0 &&
		here.st_dev == there.st_dev && here.st_ino == there.st_ino;
	buf_release(&path);
	return !same;
}

static bool
is_temporary(struct str name)
{
	static const char *const folders[] = { "/tmp/", "/var/tmp/", "/dev/shm/",
		"/memfd:", "/run/user/" };
	size_t i;

	for (i = 0; i < sizeof folders / sizeof *folders; i++)
		if (str_starts(name, str_of(folders[i])))
			return true;
	return false;
}

/* Writing the copy. */

/* Creates the folders of PATH that end beyond offset FROM. */
static bool
make_folders(struct buf *path, size_t from)
{
	size_t i;
	int made;

	for (i = from; i < path->n; i++) {
		if (path->s[i] != '/' || i == 0)
			continue;
		path->s[i] = '\0';
		made = mkdir(path->s, 0777);
		path->s[i] = '/';
		if (made != 0 && errno != EEXIST)
			return false;
	}
	return true;
}

/* Copies at most MOST bytes of FROM, which may grow meanwhile. */
static bool
copy_bytes(int from, int to, uint64_t most)
{
	char *block = mem_alloc(BLOCK);
	uint64_t at = 0;
	struct str part;
	ssize_t got = 1;

	while (got > 0 && at < most) {
		got = pread(from, block, most - at < BLOCK ? (size_t)(most - at) : BLOCK,
			(off_t)at);
		part = (struct str){ block, got > 0 ? (size_t)got : 0 };
		at += part.n;
		if (!output_send(to, &part))
			got = -1;
	}
	free(block);
	return got >= 0;
}

/* Copies FROM to PATH, whole or not at all. Only the owner may read the copy: FROM may
 * be in a folder or in memory that others cannot access. */
static bool
copy_file(int from, const struct stat *st, struct buf *path)
{
	struct buf part = { 0 };
	bool fine;
	int to;

	buf_str(&part, buf_view(path));
	buf_fmt(&part, ".%ld", (long)getpid());
	to = open(buf_cstr(&part), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		S_IRUSR);
	fine = to >= 0 && copy_bytes(from, to, (uint64_t)st->st_size);
	if (to >= 0 && close(to) != 0)
		fine = false;
	fine = fine && rename(buf_cstr(&part), buf_cstr(path)) == 0;
	if (!fine && to >= 0)
		unlink(buf_cstr(&part));
	buf_release(&part);
	return fine;
}

/* Whether NAME is safe as the name of a folder in the cache. */
static bool
is_plain(struct str name)
{
	return name.n > 1 && name.s[0] == '/' && !str_starts(name, STR("/.build-id")) &&
		str_search(name, STR("/..")) == name.n && str_find(name, '\0') == name.n;
}

/* Sets LINK to the path by the id, and TO to the link's target. */
static void
put_link(const struct copies *c, struct str name, struct str id, struct buf *link,
	struct buf *to)
{
	buf_str(link, buf_view(&c->folder));
	buf_str(link, STR("/.build-id/"));
	buf_hex(link, str_head(id, 1));
	buf_char(link, '/');
	buf_hex(link, str_from(id, 1));
	buf_str(to, STR("../.."));
	buf_str(to, is_plain(name) ? name : STR("/[unnamed]"));
	buf_char(to, '/');
	buf_hex(to, id);
}

/* Adds a copy of the file FD to the cache. Returns false with errno. */
static bool
put_copy(const struct copies *c, int fd, const struct stat *st, struct str name,
	struct str id)
{
	struct buf path = { 0 }, link = { 0 }, to = { 0 };
	bool fine;

	put_link(c, name, id, &link, &to);
	buf_str(&path, buf_view(&c->folder));
	buf_str(&path, str_from(buf_view(&to), strlen("../..")));
	buf_str(&path, STR("/elf"));
	fine = make_folders(&path, c->folder.n) && make_folders(&link, c->folder.n) &&
		copy_file(fd, st, &path) &&
		(symlink(buf_cstr(&to), buf_cstr(&link)) == 0 || errno == EEXIST);
	buf_release(&path);
	buf_release(&link);
	buf_release(&to);
	return fine;
}

static bool
has_copy(const struct copies *c, struct str id)
{
	struct buf link = { 0 }, to = { 0 };
	struct stat st;
	bool there;

	put_link(c, STR("/"), id, &link, &to);
	buf_str(&link, STR("/elf"));
	there = stat(buf_cstr(&link), &st) == 0;
	buf_release(&link);
	buf_release(&to);
	return there;
}

/* Copies the file FD if it is an ELF file. */
static void
copy(struct copies *c, int fd, struct str name)
{
	struct elf *e = open_elf(fd);
	struct str id = e ? e->build_id : (struct str){ 0 };
	struct stat st;
	uint64_t size;

	if (!e || fstat(fd, &st) != 0) {
		elf_close(e);
		return;
	}
	size = (uint64_t)st.st_size;
	if (id.n < ID_LEAST || id.n > ID_MOST) {
		fail(c, COPIES_NO_ID, name);
	} else if (has_copy(c, id)) {
		c->present++;
	} else if (size > c->file_most) {
		fail(c, COPIES_LARGE, name);
	} else if (size > c->sum_most - c->bytes) {
		fail(c, COPIES_MUCH, name);
	} else if (!put_copy(c, fd, &st, name, id)) {
		fail(c, COPIES_UNWRITTEN, name);
	} else {
		c->copied++;
		c->bytes += size;
	}
	elf_close(e);
}

/* Whether M is new. Sets *PATH to its path, owned by C. */
static bool
is_new(struct copies *c, const struct copies_map *m, struct str *path)
{
	uint32_t before = c->seen.n, id;
	struct buf key = { 0 };

	buf_str(&key, m->path);
	buf_char(&key, '\0');
	if (m->build_id.n)
		buf_str(&key, m->build_id);
	else
		buf_str(&key, (struct str){ (const char *)&m->inode, sizeof m->inode });
	id = intern_id(&c->seen, buf_view(&key));
	buf_release(&key);
	*path = str_head(intern_str(&c->seen, id), m->path.n);
	return id == before;
}

static void
keep_open(struct copies *c, int fd, struct str path)
{
	if (c->open_n == OPEN_MOST) {
		close(fd);
		return;
	}
	*MEM_ADD(c->open, c->open_n, c->open_cap) = (struct copies_open){ fd, path };
}

void
copies_add(struct copies *c, const struct copies_map *m)
{
	struct str path, name;
	bool deleted;
	int fd;

	if (!c->folder.n || !m->path.n || m->path.s[0] != '/' ||
		str_starts(m->path, STR("//")) || str_find(m->path, '\0') < m->path.n ||
		(!m->inode && !m->build_id.n) || !is_new(c, m, &path))
		return;
	deleted = str_ends(path, DELETED);
	name = deleted ? str_head(path, path.n - DELETED.n) : path;
	fd = open_mapped(m, name, deleted);
	if (fd < 0) {
		/* Deleted memory without an id usually belongs to a runtime and is not
		 * an ELF file. */
		if (deleted ? m->build_id.n > 0 : is_temporary(name))
			fail(c, COPIES_GONE, path);
		return;
	}
	if (!deleted && !is_temporary(name) && !is_elsewhere(fd, name)) {
		keep_open(c, fd, name);
		return;
	}
	copy(c, fd, name);
	close(fd);
}

/* The first line of copies_end. */
static void
put_copied(const struct copies *c, struct buf *b)
{
	if (!c->copied && !c->present)
		return;
	if (c->copied) {
		buf_fmt(b, "copied %zu deleted or temporary file%s to %.*s (", c->copied,
			msg_s(c->copied), STR_ARG(buf_view(&c->folder)));
		units_put(b, c->bytes, 0, 1, STR("bytes"));
		buf_char(b, ')');
	}
	if (c->present)
		buf_fmt(b, "%s%zu %s there already",
			c->copied ? "; " : "copied files: ", c->present,
			c->present == 1 ? "was" : "were");
	buf_char(b, '\n');
}

static void
put_failed(const struct copies *c, enum copies_why why, struct buf *b)
{
	static const char *const words[COPIES_REASONS] = {
		[COPIES_GONE] = "it disappeared before it could be read",
		[COPIES_NO_ID] = "it has no build id",
		[COPIES_LARGE] = "it is larger than 1 GiB",
		[COPIES_MUCH] = "4 GiB were copied already",
	};

	if (!c->failed[why])
		return;
	buf_str(b, buf_view(&c->first[why]));
	if (c->failed[why] > 1)
		buf_fmt(b, " (and %zu more)", c->failed[why] - 1);
	buf_fmt(b, " not copied: %s\n",
		why == COPIES_UNWRITTEN ? strerror(c->error) : words[why]);
}

void
copies_end(struct copies *c, struct buf *b)
{
	struct stat st;
	int why;
	size_t i;

	for (i = 0; i < c->open_n; i++) {
		if (fstat(c->open[i].fd, &st) == 0 &&
			(st.st_nlink == 0 ||
				is_elsewhere(c->open[i].fd, c->open[i].path)))
			copy(c, c->open[i].fd, c->open[i].path);
		close(c->open[i].fd);
	}
	c->open_n = 0;
	put_copied(c, b);
	for (why = 0; why < COPIES_REASONS; why++)
		put_failed(c, (enum copies_why)why, b);
}
