/* SPDX-License-Identifier: ISC */
/* Small files of /proc and /sys; see sysfile.h. */
#include "sysfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <unistd.h>

/* Formats the path. Returns false with errno if it is too long. */
static bool put_path(char path[PATH_MAX], const char *fmt, va_list ap) MSG_PRINTF(2, 0);

static bool
put_path(char path[PATH_MAX], const char *fmt, va_list ap)
{
	int n = vsnprintf(path, PATH_MAX, fmt, ap);

	if (n >= 0 && n < PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

static bool read_file(struct buf *b, const char *fmt, va_list ap) MSG_PRINTF(2, 0);

static bool
read_file(struct buf *b, const char *fmt, va_list ap)
{
	char path[PATH_MAX];
	struct str text;
	ssize_t got;
	int fd, saved;

	buf_clear(b);
	fd = put_path(path, fmt, ap) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return false;
	do {
		got = read(fd, buf_room(b, 4096), 4096);
		b->n += got > 0 ? (size_t)got : 0;
	} while (got > 0 || (got < 0 && errno == EINTR));
	saved = errno;
	close(fd);
	errno = saved;
	text = str_trim(buf_view(b));
	if (text.n)
		memmove(b->s, text.s, text.n);
	b->n = got < 0 ? 0 : text.n;
	return got >= 0;
}

bool
sysfile_read(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	bool fine;

	va_start(ap, fmt);
	fine = read_file(b, fmt, ap);
	va_end(ap);
	return fine;
}

bool
sysfile_number(int64_t *value, const char *fmt, ...)
{
	struct buf b = { 0 };
	uint64_t u = 0;
	bool fine, minus;
	va_list ap;

	va_start(ap, fmt);
	fine = read_file(&b, fmt, ap);
	va_end(ap);
	minus = str_starts(buf_view(&b), STR("-"));
	if (fine && (!str_to_u64(str_from(buf_view(&b), minus), &u) || u > INT64_MAX)) {
		fine = false;
		errno = EINVAL;
	}
	*value = minus ? -(int64_t)u : (int64_t)u;
	buf_release(&b);
	return fine;
}

bool
sysfile_exists(const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	bool fine;

	va_start(ap, fmt);
	fine = put_path(path, fmt, ap);
	va_end(ap);
	return fine && access(path, F_OK) == 0;
}

static int
by_bytes(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

bool
sysfile_folder(struct sysfile_names *names, struct arena *text, const char *fmt, ...)
{
	char path[PATH_MAX];
	DIR *folder = NULL;
	struct str *items = NULL;
	struct dirent *entry;
	size_t n = 0, cap = 0;
	va_list ap;

	*names = (struct sysfile_names){ 0 };
	va_start(ap, fmt);
	if (put_path(path, fmt, ap))
		folder = opendir(path);
	va_end(ap);
	if (!folder)
		return false;
	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		*MEM_AT(items, cap, n) = arena_str(
			text, (struct str){ entry->d_name, strlen(entry->d_name) + 1 });
		items[n++].n--;
	}
	closedir(folder);
	if (n) {
		qsort(items, n, sizeof *items, by_bytes);
		names->items = arena_alloc(text, n * sizeof *items);
		memcpy(names->items, items, n * sizeof *items);
		names->n = n;
	}
	free(items);
	return true;
}
