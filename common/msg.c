/* SPDX-License-Identifier: ISC */
/* Messages; see msg.h. */
#include "msg.h"
#include "banned.h"

#include <errno.h>
#include <stdarg.h>

static const char *prog = "fg";
static bool is_quiet;

void
msg_init(const char *path)
{
	const char *slash;

	if (!path || !*path)
		return;
	slash = strrchr(path, '/');
	prog = slash && slash[1] ? slash + 1 : path;
}

const char *
msg_prog(void)
{
	return prog;
}

void
msg_quiet(bool quiet)
{
	is_quiet = quiet;
}

/* One message, put together first so that it leaves in one write: several
 * programs of a pipe share the same stderr. */
static void MSG_PRINTF(3, 0)
say(const char *file, uint64_t line, const char *fmt, va_list ap)
{
	char text[2048];
	int saved = errno, n;
	size_t used;

	n = snprintf(text, sizeof text, "%s: ", prog);
	used = n < 0 || (size_t)n >= sizeof text ? 0 : (size_t)n;
	if (file && line)
		n = snprintf(text + used, sizeof text - used, "%s:%llu: ", file,
			(unsigned long long)line);
	else if (file)
		n = snprintf(text + used, sizeof text - used, "%s: ", file);
	else
		n = 0;
	used += n < 0 || (size_t)n >= sizeof text - used ? 0 : (size_t)n;
	n = vsnprintf(text + used, sizeof text - used, fmt, ap);
	used = n < 0				  ? used
		: (size_t)n >= sizeof text - used ? sizeof text - 1
						  : used + (size_t)n;
	if (*fmt && fmt[strlen(fmt) - 1] == ':' && used < sizeof text) {
		n = snprintf(text + used, sizeof text - used, " %s", strerror(saved));
		used += n < 0 || (size_t)n >= sizeof text - used ? 0 : (size_t)n;
	}
	text[used < sizeof text ? used : sizeof text - 1] = '\n';
	fwrite(text, 1, used < sizeof text ? used + 1 : sizeof text, stderr);
}

void
msg_warn(const char *fmt, ...)
{
	va_list ap;

	if (is_quiet)
		return;
	va_start(ap, fmt);
	say(NULL, 0, fmt, ap);
	va_end(ap);
}

void
msg_warn_at(const char *file, uint64_t line, const char *fmt, ...)
{
	va_list ap;

	if (is_quiet)
		return;
	va_start(ap, fmt);
	say(file, line, fmt, ap);
	va_end(ap);
}

void
msg_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(NULL, 0, fmt, ap);
	va_end(ap);
}

void
msg_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(NULL, 0, fmt, ap);
	va_end(ap);
	exit(MSG_TROUBLE);
}
