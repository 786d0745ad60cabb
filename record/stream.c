/* SPDX-License-Identifier: ISC */
/* Checked writing of the recording; see stream.h. */
#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20 };

static const char *
name_of(const struct stream *s)
{
	return s->path ? s->path : "stdout";
}

static bool
open_stdout(struct stream *s)
{
	s->fd = STDOUT_FILENO;
	if (isatty(s->fd)) {
		msg_error(
			"stdout is a terminal: pipe it on (fg-record ... | fg-collapse), "
			"or name a file with -o");
		return false;
	}
	/* A large pipe lets reader and writer take turns less often. */
	(void)fcntl(s->fd, F_SETPIPE_SZ, PIPE_BYTES);
	return true;
}

bool
stream_open(struct stream *s, const char *path)
{
	*s = (struct stream){ .path = path, .fd = -1 };
	if (!path)
		return open_stdout(s);
	if (!output_file_open(&s->file, path, OUTPUT_IN_PLACE | OUTPUT_PRIVATE))
		return false;
	s->fd = s->file.fd;
	return true;
}

static void
fail(struct stream *s)
{
	s->left = errno == EPIPE;
	if (!s->left)
		msg_error("%s: cannot write:", name_of(s));
	s->failed = true;
}

/* Empties a file that had something in it. */
static void
truncate_file(struct stream *s)
{
	struct stat st;

	if (s->path && fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size &&
		ftruncate(s->fd, 0) != 0)
		fail(s);
}

void
stream_flush(struct stream *s, struct buf *b)
{
	const char *at = b->s;
	size_t n = b->n;
	ssize_t got;

	if (!s->bytes && !s->failed)
		truncate_file(s);
	while (n && !s->failed) {
		got = write(s->fd, at, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			fail(s);
			break;
		}
		at += got;
		n -= (size_t)got;
		s->bytes += (size_t)got;
	}
	buf_clear(b);
}

bool
stream_close(struct stream *s)
{
	if (s->fd >= 0 && s->path)
		s->failed |= !output_file_close(&s->file, true);
	else if (s->fd >= 0 && close(s->fd) != 0 && !s->failed)
		fail(s);
	s->fd = -1;
	return !s->failed;
}

void
stream_abandon(struct stream *s)
{
	if (s->path && s->fd >= 0)
		output_file_close(&s->file, s->bytes > 0);
	s->fd = -1;
}
