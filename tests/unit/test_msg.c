/* SPDX-License-Identifier: ISC */
/* Messages of programs: msg.h. */
#define _XOPEN_SOURCE 700
#include "msg.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

/* The output of SPEAK to stderr; valid until the next call. */
static struct str
said(void (*speak)(void))
{
	static char text[40000];
	FILE *f = tmpfile();
	int saved = dup(STDERR_FILENO);
	ssize_t n;

	msg_init("/bin/prog");
	dup2(fileno(f), STDERR_FILENO);
	speak();
	dup2(saved, STDERR_FILENO);
	close(saved);
	n = pread(fileno(f), text, sizeof text, 0);
	fclose(f);
	return (struct str){ text, n > 0 ? (size_t)n : 0 };
}

static void
hostile(void)
{
	msg_warn_at("a\033[2Jb", 3, "event '%s' of %s",
		"x\nprog: all is well\r\033]0;title\007", "\xe2\x80\xae\xff\xc2\x9b\x7f");
}

UNIT(control_and_invisible_characters_are_escaped)
{
	CHECK_STR(said(hostile),
		STR("prog: a\\x1b[2Jb:3: event 'x\\x0aprog: all is well\\x0d\\x1b]0;title\\x07' "
		    "of \\xe2\\x80\\xae\\xff\\xc2\\x9b\\x7f\n"));
}

static void
harmless(void)
{
	msg_warn("Gr\xc3\xb6\xc3\x9f"
		 "e \xe4\xb8\xad \\ 100%%");
}

UNIT(text_of_any_language_stays)
{
	CHECK_STR(said(harmless),
		STR("prog: Gr\xc3\xb6\xc3\x9f"
		    "e \xe4\xb8\xad \\ 100%\n"));
}

static void
long_winded(void)
{
	static char name[10000];

	memset(name, '\n', sizeof name - 1);
	msg_error("%s:", name);
}

UNIT(too_long_a_message_is_cut_and_shows_it)
{
	struct str s = said(long_winded);

	CHECK(s.n > 10000 && s.n < 4 * 4096);
	CHECK(str_ends(s, STR("\\x0a...\n")));
}

static void
about_errno(void)
{
	errno = ENOENT;
	msg_error("%s: cannot open:", "x");
	CHECK(errno == ENOENT);
	fclose(stderr);
	msg_error("nobody hears this");
	CHECK(errno == ENOENT);
}

UNIT(errno_is_reported_and_kept)
{
	CHECK_STR(said(about_errno),
		STR("prog: x: cannot open: No such file or directory\n"));
}

static void
lines(void)
{
	msg_error_lines(STR("one\ntwo\033\n"));
	msg_quiet(true);
	msg_warn("not said");
}

UNIT(lines_are_messages)
{
	CHECK_STR(said(lines), STR("prog: one\nprog: two\\x1b\n"));
}

static void
progressing(void)
{
	msg_progress("%d samples", 3);
	msg_progress("%d samples", 4);
	msg_warn("a remark");
	msg_progress("%0100d", 5);
	msg_progress_end();
	msg_progress_end();
}

UNIT(progress_is_one_line_that_goes_away)
{
	CHECK_STR(said(progressing),
		STR("prog: 3 samples\033[K\r\033[Kprog: 4 samples\033[K\r\033[K"
		    "prog: a remark\n"
		    "prog: 0000000000000000000000000000000000000000000000000000000000000000"
		    "000000000\033[K\r\033[K"));
}

UNIT(progress_is_for_terminals_and_once_a_second)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), side;
	char *name;

	msg_init("prog");
	if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
		return;
	name = ptsname(terminal);
	side = name ? open(name, O_RDWR | O_NOCTTY) : -1;
	if (side < 0)
		return;
	dup2(side, STDERR_FILENO);
	CHECK(!msg_progress_due());
	nanosleep(&(struct timespec){ 1, 10000000 }, NULL);
	CHECK(msg_progress_due());
	CHECK(!msg_progress_due());
	nanosleep(&(struct timespec){ 1, 10000000 }, NULL);
	msg_quiet(true);
	CHECK(!msg_progress_due());
	msg_quiet(false);
	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	CHECK(!msg_progress_due());
}

UNIT_MAIN
