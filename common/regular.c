/* SPDX-License-Identifier: ISC */
/* Opens files named in an input; see regular.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "regular.h"
#include "budget.h"
#include "msg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Opens PATH below the folder AT, with FLAGS too; BEFORE is its status from an earlier look. */
static int
open_as(int at, const char *path, int flags, const struct stat *before, struct stat *st)
{
	int fd;

	if (!S_ISREG(before->st_mode)) {
		errno = EINVAL;
		return -1;
	}
	/* The file may have been replaced since. */
	fd = openat(at, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
	if (fd < 0)
		return -1;
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_dev == before->st_dev &&
		st->st_ino == before->st_ino)
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

int
regular_open(const char *path, struct stat *st)
{
	struct stat before;

	return stat(path, &before) < 0 ? -1 : open_as(AT_FDCWD, path, 0, &before, st);
}

int
regular_open_itself(const char *path, struct stat *st)
{
	struct stat before;

	if (lstat(path, &before) < 0)
		return -1;
	if (S_ISLNK(before.st_mode)) {
		errno = ELOOP;
		return -1;
	}
	return open_as(AT_FDCWD, path, O_NOFOLLOW, &before, st);
}

/* Opens PATH below the folder FD, which it closes, unless a part of PATH is a symbolic link. */
static int
open_down(int fd, struct str path, struct stat *st)
{
	struct buf part = { 0 };
	struct stat before;
	int next;

	while (fd >= 0 && path.n) {
		buf_clear(&part);
		buf_str(&part, str_cut(&path, '/'));
		if (path.n)
			next = openat(fd, buf_cstr(&part),
				O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);
		else if (fstatat(fd, buf_cstr(&part), &before, AT_SYMLINK_NOFOLLOW) < 0)
			next = -1;
		else
			next = open_as(fd, buf_cstr(&part), O_NOFOLLOW, &before, st);
		close(fd);
		fd = next;
	}
	buf_release(&part);
	return fd;
}

int
regular_open_below(struct str folder, struct str path, struct stat *st)
{
	struct buf b = { 0 };
	char *top, *file;
	struct str rest = { 0 };
	int fd = -1;

	buf_str(&b, folder.n ? folder : STR("."));
	top = realpath(buf_cstr(&b), NULL);
	buf_char(&b, '/');
	buf_str(&b, path);
	file = realpath(buf_cstr(&b), NULL);
	if (top && file) {
		/* The path of the root folder already ends in '/'. */
		struct str at = str_of(top);

		if (str_ends(at, STR("/")))
			at.n--;
		if (str_starts(str_of(file), at))
			rest = str_from(str_of(file), at.n);
		errno = EXDEV;
		if (str_starts(rest, STR("/")))
			fd = open_down(open(top, O_RDONLY | O_CLOEXEC | O_DIRECTORY),
				str_from(rest, 1), st);
	}
	free(top);
	free(file);
	buf_release(&b);
	return fd;
}

/* Reads all of FD, and closes it. False with errno. */
static bool
read_all(int fd, struct buf *b)
{
	enum { STEP = 1 << 16 };
	const size_t most = (size_t)1 << 30;
	struct stat st = { 0 };
	ssize_t got;
	int wrong;

	buf_clear(b);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0)
		budget_read_file(&st);
	do {
		got = read(fd, buf_room(b, STEP), STEP);
		if (got > 0)
			b->n += (size_t)got;
	} while ((got > 0 && b->n < most) || (got < 0 && errno == EINTR));
	wrong = errno;
	close(fd);
	if (st.st_size == 0) /* proc(5) reports size 0 for its files */
		budget_read(b->n);
	errno = wrong;
	return got >= 0;
}

bool
regular_read(const char *path, struct buf *b)
{
	struct stat st;

	return read_all(regular_open(path, &st), b);
}

bool
regular_read_open(int fd, const char *path, struct buf *b)
{
	bool good = read_all(fd, b);

	if (!good && fd >= 0)
		msg_lost("%s: cannot be read, continuing without it:", path);
	return good;
}

bool
regular_read_named(const char *path, struct buf *b)
{
	struct stat st;

	return regular_read_open(regular_open(path, &st), path, b);
}

static bool
is_tidy(struct str path)
{
	return str_search(path, STR("//")) == path.n &&
		str_search(path, STR("/.")) == path.n;
}

struct str
regular_path(struct str path, struct buf *b)
{
	struct str rest = path, part;

	if (is_tidy(path))
		return path;
	buf_clear(b);
	while (rest.n) {
		part = str_cut(&rest, '/');
		if (!part.n || str_eq(part, STR(".")))
			continue;
		if (str_eq(part, STR(".."))) {
			b->n = str_rfind(buf_view(b), '/');
			continue;
		}
		buf_char(b, '/');
		buf_str(b, part);
	}
	if (!b->n)
		buf_char(b, '/');
	return buf_view(b);
}
