/* SPDX-License-Identifier: ISC */
/* Checked text output, and files replaced atomically; see output.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "output.h"
#include "buf.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 64 * 1024, TRIES = 100 };

static char *
copy(const char *text)
{
	size_t n = strlen(text) + 1;

	return memcpy(mem_alloc(n), text, n);
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool
is_link(const char *path, struct stat *st)
{
	return lstat(path, st) == 0 && S_ISLNK(st->st_mode);
}

/* Makes a temporary file in the folder of TARGET, and sets F->path, the file to replace. */
static bool
make_temporary(struct output_file *f, const char *target, mode_t mode)
{
	size_t folder = str_of(target).n - str_base(str_of(target)).n;
	struct buf name = { 0 };
	int fd = -1, i, wrong;

	for (i = 0; i < TRIES && fd < 0 && (!i || errno == EEXIST); i++) {
		buf_clear(&name);
		buf_fmt(&name, "%.*s.fg-%ld-%d", (int)folder, target, (long)getpid(), i);
		fd = open(buf_cstr(&name),
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	}
	if (fd >= 0) {
		f->fd = fd;
		f->path = copy(target);
		f->temporary = copy(buf_cstr(&name));
		msg_temporary(NULL, f->temporary);
	}
	wrong = errno;
	buf_release(&name);
	errno = wrong;
	return fd >= 0;
}

static void
remove_temporary(struct output_file *f)
{
	close(f->fd);
	unlink(f->temporary);
	msg_temporary(f->temporary, NULL);
	free(f->path);
	free(f->temporary);
	f->path = f->temporary = NULL;
}

/* Makes a file beside the one that is open as FD and that PATH resolves to, with its owner and
 * mode. */
static bool
make_another(struct output_file *f, const char *path, const struct stat *old)
{
	char *real = realpath(path, NULL);
	struct stat st;
	bool made;

	made = real && stat(real, &st) == 0 && is_same(&st, old) &&
		make_temporary(f, real, 0600);
	free(real);
	if (!made)
		return false;
	if (fstat(f->fd, &st) == 0 &&
		((st.st_uid == old->st_uid && st.st_gid == old->st_gid) ||
			fchown(f->fd, old->st_uid, old->st_gid) == 0) &&
		fchmod(f->fd, old->st_mode & 0777) == 0)
		return true;
	remove_temporary(f);
	return false;
}

static bool
is_ours(const struct stat *st)
{
	return st->st_uid == geteuid();
}

/* Whether anybody may create files in the folder of PATH, as in /tmp. */
static bool
is_in_common_folder(const char *path)
{
	struct buf folder = { 0 };
	struct stat st;
	bool common;

	buf_str(&folder,
		str_head(str_of(path), str_of(path).n - str_base(str_of(path)).n));
	if (!folder.n)
		buf_char(&folder, '.');
	common = stat(buf_cstr(&folder), &st) == 0 && st.st_mode & S_IWOTH;
	buf_release(&folder);
	return common;
}

/* Why a private file must not be written through a link at PATH; NULL if it may, or PATH is not a
 * link. */
static const char *
refuse_link(const char *path)
{
	struct stat st;

	if (!is_link(path, &st) || is_ours(&st) || !st.st_uid)
		return NULL;
	return "is a symbolic link of another user, who chose where it leads";
}

/* Makes the open file FD, at PATH, readable for its owner only, or returns the reason why not. */
static const char *
refuse_shared(int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return strerror(errno);
	if (S_ISFIFO(st.st_mode) && st.st_uid && !is_ours(&st) &&
		is_in_common_folder(path))
		return "is a pipe of another user, who may read it";
	if (!S_ISREG(st.st_mode))
		return NULL;
	if (!is_ours(&st))
		return "belongs to another user, who may read it";
	if (st.st_nlink > 1)
		return "has a second name (a hard link)";
	/* Even if the mode is 0600 already: this revokes access control lists. */
	return fchmod(fd, 0600) == 0 ? NULL : "cannot be made private";
}

/* Prepares the open file F->fd; on failure it becomes -1. */
static void
prepare_existing(struct output_file *f, const char *path, unsigned how)
{
	int fd = f->fd;
	struct stat st;

	if (fstat(fd, &st) != 0) {
		f->fd = -1;
	} else if (!S_ISREG(st.st_mode) || (how & OUTPUT_IN_PLACE)) {
		return;
	} else if (!make_another(f, path, &st)) {
		f->fd = fd;
		if (ftruncate(fd, 0) == 0)
			return;
		f->fd = -1;
	}
	close(fd);
}

/* Creates a file where none exists, or where a link is dangling. */
static void
create(struct output_file *f, const char *path, unsigned how)
{
	mode_t mode = how & OUTPUT_PRIVATE ? 0600 : 0666;
	struct stat st;
	bool link = is_link(path, &st);

	if (!link && !(how & OUTPUT_IN_PLACE)) {
		make_temporary(f, path, mode);
		return;
	}
	f->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (link ? 0 : O_EXCL), mode);
	if (f->fd >= 0)
		f->path = realpath(path, NULL);
}

/* Whether PATH is stdout's file or pipe, whose other writers must not be cut off. */
static bool
is_stdout(const char *path)
{
	struct stat own, named;

	return fstat(STDOUT_FILENO, &own) == 0 && !S_ISCHR(own.st_mode) &&
		stat(path, &named) == 0 && is_same(&own, &named);
}

/* Closes F, which must not be written, and reports the reason WHY. */
static bool
refuse(struct output_file *f, const char *why)
{
	msg_error("%s: %s; remove it, or choose another file", f->name, why);
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
	*f = (struct output_file){ .fd = -1, .name = f->name };
	return false;
}

bool
output_file_open(struct output_file *f, const char *path, unsigned how)
{
	bool shared = is_stdout(path), private = !shared && how & OUTPUT_PRIVATE;
	const char *why = private ? refuse_link(path) : NULL;
	struct stat st;

	*f = (struct output_file){ .fd = -1, .name = path };
	if (why)
		return refuse(f, why);
	if (shared)
		f->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	else
		f->fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (f->fd >= 0 && !shared)
		prepare_existing(f, path, how);
	else if (f->fd < 0 && errno == ENOENT)
		create(f, path, how);
	if (f->fd < 0) {
		msg_error("%s: cannot write:", path);
		return false;
	}
	/* A file just created is ours, even if a server reports another owner. */
	if (private && (!f->path || is_link(path, &st)))
		why = refuse_shared(f->fd, path);
	return !why || refuse(f, why);
}

/* Moves the new file into place, unless something other than a file has appeared there. */
static bool
replace(const struct output_file *f)
{
	struct stat st;

	if (lstat(f->path, &st) == 0 && !S_ISREG(st.st_mode)) {
		msg_error("%s: is no longer a regular file; left unchanged", f->name);
		return false;
	}
	if (rename(f->temporary, f->path) == 0)
		return true;
	msg_error("%s: cannot replace:", f->name);
	return false;
}

bool
output_file_close(struct output_file *f, bool keep)
{
	bool good = f->fd < 0 || close(f->fd) == 0;

	if (!good)
		msg_error("%s: cannot write:", f->name);
	if (good && keep && f->temporary)
		good = replace(f);
	if (f->path && !(good && keep))
		unlink(f->temporary ? f->temporary : f->path);
	if (f->temporary)
		msg_temporary(f->temporary, NULL);
	free(f->path);
	free(f->temporary);
	*f = (struct output_file){ .fd = -1, .name = f->name };
	return good;
}

void
output_init(struct output *out, int fd, const char *name)
{
	*out = (struct output){ .fd = fd, .name = name, .cap = SIZE };
	out->buf = mem_alloc(SIZE);
}

static void
fail(struct output *out)
{
	if (!out->failed)
		msg_error("%s: cannot write:", out->name);
	out->failed = true;
}

bool
output_send(int fd, struct str *rest)
{
	ssize_t n;

	while (rest->n) {
		n = write(fd, rest->s, rest->n);
		if (n > 0)
			*rest = str_from(*rest, (size_t)n);
		else if (n == 0 || errno != EINTR)
			return false;
	}
	return true;
}

static void
write_all(struct output *out, struct str s)
{
	if (!out->failed && !output_send(out->fd, &s))
		fail(out);
}

static void
flush(struct output *out)
{
	write_all(out, (struct str){ out->buf, out->n });
	out->n = 0;
}

static bool
means_stdout(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

bool
output_is_terminal(const char *path)
{
	return means_stdout(path) && isatty(STDOUT_FILENO);
}

void
output_open(struct output *out, const char *path)
{
	if (means_stdout(path)) {
		output_init(out, STDOUT_FILENO, "<stdout>");
		return;
	}
	output_init(out, -1, path);
	out->is_file = output_file_open(&out->file, path, OUTPUT_REPLACE);
	out->failed = !out->is_file;
	out->fd = out->file.fd;
}

bool
output_close(struct output *out)
{
	flush(out);
	if (out->is_file)
		out->failed |= !output_file_close(&out->file, !out->failed);
	else if (out->fd == STDOUT_FILENO && close(out->fd) != 0)
		fail(out);
	free(out->buf);
	out->buf = NULL;
	out->cap = 0;
	return !out->failed;
}

void
output_str(struct output *out, struct str s)
{
	if (s.n > out->cap - out->n)
		flush(out);
	if (s.n > out->cap) {
		write_all(out, s);
		return;
	}
	if (s.n)
		memcpy(out->buf + out->n, s.s, s.n);
	out->n += s.n;
}

void
output_char(struct output *out, char c)
{
	if (out->n == out->cap)
		flush(out);
	out->buf[out->n++] = c;
}

void
output_fmt(struct output *out, const char *fmt, ...)
{
	char small[512], *text = small;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof small, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof small) {
		text = mem_alloc((size_t)n + 1);
		va_start(ap, fmt);
		vsnprintf(text, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	output_str(out, (struct str){ text, (size_t)n });
	if (text != small)
		free(text);
}
