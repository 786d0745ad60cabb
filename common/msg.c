/* SPDX-License-Identifier: ISC */
/* Messages; see msg.h. */
#include "msg.h"
#include "banned.h"
#include "utf8.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

static const char *prog = "fg";
static bool is_quiet, has_lost;
static struct {
	uint64_t last; /* when the program began or progress was last due, in ns */
	bool shown;
} progress;

static uint64_t
now(void)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void
msg_init(const char *path)
{
	const char *slash;

	progress.last = now();
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

/* The longest message, and its length as printed, where a byte may take four. */
enum { LONGEST = 4096 };

/* The longest line of progress. */
enum { WIDEST = 79 };

struct message {
	char text[LONGEST];
	size_t n;
};

/* Appends to M as printf does; truncates text that does not fit, with a mark. */
static void MSG_PRINTF(2, 0)
add(struct message *m, const char *fmt, va_list ap)
{
	size_t room = sizeof m->text - m->n;
	int n = vsnprintf(m->text + m->n, room, fmt, ap);

	if (n < 0)
		return;
	if ((size_t)n < room) {
		m->n += (size_t)n;
		return;
	}
	m->n = sizeof m->text - 1;
	memcpy(m->text + m->n - 3, "...", 3);
}

static void MSG_PRINTF(2, 3)
put(struct message *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(m, fmt, ap);
	va_end(ap);
}

/* Clears the terminal from the cursor to the end of the line. */
static const char clear_rest[] = "\033[K";

/* Writes TEXT and END in one call, because programs of a pipe share stderr. TEXT may hold names
 * from any input: bytes that a terminal would interpret, hide or not understand are shown as
 * \x1b. */
static void
show(struct str text, const char *end)
{
	char shown[4 * LONGEST + 8];
	size_t n = 0, i, bytes;
	uint32_t point;

	for (; text.n; text = str_from(text, bytes)) {
		bytes = utf8_next(text, &point);
		for (i = 0; i < bytes; i++)
			if (utf8_is_visible(point))
				shown[n++] = text.s[i];
			else
				n += (size_t)snprintf(shown + n, sizeof shown - n,
					"\\x%02x", (unsigned)(unsigned char)text.s[i]);
	}
	memcpy(shown + n, end, strlen(end));
	msg_progress_end();
	fwrite(shown, 1, n + strlen(end), stderr);
}

/* Prints one message; keeps errno. */
static void MSG_PRINTF(3, 0)
say(const char *file, uint64_t line, const char *fmt, va_list ap)
{
	struct message m = { .n = 0 };
	int saved = errno;

	put(&m, "%s: ", prog);
	if (file)
		put(&m, "%s:", file);
	if (file && line)
		put(&m, "%llu:", (unsigned long long)line);
	if (file)
		put(&m, " ");
	add(&m, fmt, ap);
	if (*fmt && fmt[strlen(fmt) - 1] == ':')
		put(&m, " %s", strerror(saved));
	show((struct str){ m.text, m.n }, "\n");
	errno = saved;
}

bool
msg_progress_due(void)
{
	uint64_t at = now();

	if (is_quiet || at - progress.last < 1000000000)
		return false;
	progress.last = at;
	return isatty(STDERR_FILENO);
}

void
msg_progress(const char *fmt, ...)
{
	struct message m = { .n = 0 };
	va_list ap;

	put(&m, "%s: ", prog);
	va_start(ap, fmt);
	add(&m, fmt, ap);
	va_end(ap);
	/* A wrapped line could not be overwritten. The cursor returns to its start, so that other
	 * programs' output overwrites it. */
	show((struct str){ m.text, m.n < WIDEST ? m.n : WIDEST }, "\033[K\r");
	progress.shown = true;
}

void
msg_progress_end(void)
{
	if (progress.shown)
		fwrite(clear_rest, 1, sizeof clear_rest - 1, stderr);
	progress.shown = false;
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
msg_lost(const char *fmt, ...)
{
	va_list ap;

	has_lost = true;
	va_start(ap, fmt);
	say(NULL, 0, fmt, ap);
	va_end(ap);
}

int
msg_status(int status)
{
	return has_lost ? MSG_TROUBLE : status;
}

void
msg_error_lines(struct str text)
{
	struct str line;

	while (text.n) {
		line = str_cut(&text, '\n');
		msg_error("%.*s", (int)line.n, line.s);
	}
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

enum { TEMPORARIES = 8 };

static const char *volatile temporaries[TEMPORARIES];

void
msg_remove_temporaries(void)
{
	int i;

	for (i = 0; i < TEMPORARIES; i++)
		if (temporaries[i])
			(void)unlink(temporaries[i]);
}

static void
remove_and_end(int number)
{
	msg_remove_temporaries();
	raise(number);
}

/* Signals that the program ignores or handles itself stay so. */
static void
remove_on_signals(void)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction ends = { .sa_handler = remove_and_end }, had;
	size_t i;

	ends.sa_flags = (int)SA_RESETHAND;
	sigemptyset(&ends.sa_mask);
	for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (sigaction(numbers[i], NULL, &had) == 0 && had.sa_handler == SIG_DFL)
			sigaction(numbers[i], &ends, NULL);
}

void
msg_temporary(const char *was, const char *now)
{
	static bool registered;
	int i;

	if (!registered) {
		remove_on_signals();
		registered = atexit(msg_remove_temporaries) == 0;
	}
	for (i = 0; i < TEMPORARIES && temporaries[i] != was; i++)
		;
	if (i < TEMPORARIES)
		temporaries[i] = now;
}
