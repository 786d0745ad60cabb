/* SPDX-License-Identifier: ISC */
/* Checked text out; see output.h. */
#include "output.h"
#include "mem.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

enum { SIZE = 64 * 1024 };

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

static void
write_all(struct output *out, struct str s)
{
	ssize_t n;

	while (s.n && !out->failed) {
		n = write(out->fd, s.s, s.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			fail(out);
		else
			s = str_from(s, (size_t)n);
	}
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
output_u64(struct output *out, uint64_t value)
{
	char digits[20], *end = digits + sizeof digits, *p = end;

	do
		*--p = (char)('0' + value % 10);
	while (value /= 10);
	output_str(out, (struct str){ p, (size_t)(end - p) });
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
