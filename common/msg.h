/* SPDX-License-Identifier: ISC */
/*
 * What a program says on stderr: `prog: text`, or `prog: file:line: text` for
 * trouble in an input. Texts start without a capital, end without a full stop
 * and say what was done: "skipping frame without a name". A format that ends
 * in a colon gets the text of errno appended.
 *
 * Names, paths and other strings may come from any input: bytes that a terminal would
 * obey or not show (control characters, newlines, marks that turn the direction of text,
 * what is not UTF-8) are printed as \x1b. What is longer than 4,000 bytes is cut.
 *
 * One of the three files of common/ with state: the program's name, -q, and whether something was
 * lost.
 */
#ifndef MSG_H
#define MSG_H

#include <stdbool.h>
#include <stdint.h>

#include "str.h"

#if defined(__GNUC__)
#define MSG_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define MSG_PRINTF(fmt, args)
#endif

/* Exit statuses of every program: done; the answer is no; trouble. */
enum { MSG_DONE = 0, MSG_NO = 1, MSG_TROUBLE = 2 };

/* Sets the name printed before each message: the last part of PATH, which must
 * outlive the program (argv[0]). */
void msg_init(const char *path);

/* The name that msg_init was given, "fg" before. Static. */
const char *msg_prog(void);

/* What a noun ends in behind the number N. */
static inline const char *
msg_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* With QUIET, msg_warn and msg_warn_at print nothing; errors still do. */
void msg_quiet(bool quiet);

/* Prints a warning or a remark, unless quiet. */
void msg_warn(const char *fmt, ...) MSG_PRINTF(1, 2);

/* The same about a line of an input; LINE 0 leaves the number out. */
void msg_warn_at(const char *file, uint64_t line, const char *fmt, ...) MSG_PRINTF(3, 4);

/* Prints an error, quiet or not. */
void msg_error(const char *fmt, ...) MSG_PRINTF(1, 2);

/* The same about a file that could not be read though it is there, of symbols or sources: the
 * work goes on without what is in it, and msg_status says so. */
void msg_lost(const char *fmt, ...) MSG_PRINTF(1, 2);

/* How the program ends whose work ended with STATUS: with MSG_TROUBLE if something was lost. */
int msg_status(int status);

/* The same as msg_error for each line of TEXT. */
void msg_error_lines(struct str text);

/* Whether to show progress: a second is over since the program began or the last time
 * that this was so, stderr is a terminal, and the program is not quiet. It looks at the
 * clock: call it for each block of work, not for each line. */
bool msg_progress_due(void);

/* Shows how far the work is, "prog: 3 s, 2,991 samples", in the place of what was shown
 * before. The next message takes it away, and so does msg_progress_end. */
void msg_progress(const char *fmt, ...) MSG_PRINTF(1, 2);
void msg_progress_end(void);

/* Prints an error and ends the program with MSG_TROUBLE. For what main's own
 * code cannot go on after; parsers of input never call it. */
_Noreturn void msg_die(const char *fmt, ...) MSG_PRINTF(1, 2);

/* Notes that the file NOW is to be removed if the program ends here, by itself or by SIGHUP, SIGINT
 * or SIGTERM, in place of WAS, which no longer is; NULL stands for none. NOW is not copied. Beyond
 * 8 files none are noted. */
void msg_temporary(const char *was, const char *now);

/* Removes these files. exit and the handlers of these signals call it; who ends the program
 * otherwise does so too, also in a signal's handler. */
void msg_remove_temporaries(void);

#endif
