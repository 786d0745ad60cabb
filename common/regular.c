/* SPDX-License-Identifier: ISC */
/* Files whose names stand in an input; see regular.h. */
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Opens PATH, which was BEFORE when it was looked at. */
static int
open_as(const char *path, const struct stat *before, struct stat *st)
{
	int fd;

	if (!S_ISREG(before->st_mode)) {
		errno = EINVAL;
		return -1;
	}
	/* It may be another by now. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
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

	return stat(path, &before) < 0 ? -1 : open_as(path, &before, st);
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
	return open_as(path, &before, st);
}

bool
regular_read_open(int fd, struct buf *b)
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
regular_read(const char *path, struct buf *b)
{
	struct stat st;
	int fd = regular_open(path, &st);

	return regular_read_open(fd, b);
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
