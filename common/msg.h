/* SPDX-License-Identifier: ISC */
/*
 * Messages on stderr: `prog: text`, or `prog: file:line: text` for a problem in an input. Texts
 * start without a capital, end without a full stop and report the action: "skipping frame without a
 * name". A format that ends in a colon gets the text of errno appended.
 *
 * Names, paths and other strings may come from any input: bytes that a terminal would interpret or
 * not show (control characters, newlines, direction marks, invalid UTF-8) are printed as \x1b.
 * Messages are truncated to 4,000 bytes.
 *
 * One of the three files of common/ with state: the program's name, -q, and whether data was lost.
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

/* Exit statuses of every program: success; a negative answer; trouble. */
enum { MSG_DONE = 0, MSG_NO = 1, MSG_TROUBLE = 2 };

/* Sets the name printed before each message: the last part of PATH, which must
 * outlive the program (argv[0]). */
void msg_init(const char *path);

/* The name set by msg_init, "fg" before. Static. */
const char *msg_prog(void);

/* The plural ending of a noun after the number N. */
static inline const char *
msg_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* With QUIET, msg_warn and msg_warn_at print nothing; errors are still printed. */
void msg_quiet(bool quiet);

/* Prints a warning or a remark, unless quiet. */
void msg_warn(const char *fmt, ...) MSG_PRINTF(1, 2);

/* The same about a line of an input; LINE 0 leaves the number out. */
void msg_warn_at(const char *file, uint64_t line, const char *fmt, ...) MSG_PRINTF(3, 4);

/* Prints an error, even if quiet. */
void msg_error(const char *fmt, ...) MSG_PRINTF(1, 2);

/* The same for an existing file, of symbols or sources, that could not be read: work goes on
 * without it, and msg_status reports it. */
void msg_lost(const char *fmt, ...) MSG_PRINTF(1, 2);

/* The exit status for a program whose work ended with STATUS: MSG_TROUBLE if data was lost. */
int msg_status(int status);

/* The same as msg_error for each line of TEXT. */
void msg_error_lines(struct str text);

/* Whether to show progress: true at most once a second, if stderr is a terminal and the program is
 * not quiet. It reads the clock: call it for each block of work, not for each line. */
bool msg_progress_due(void);

/* Shows progress, "prog: 3 s, 2,991 samples", in place of the previous one. The next message or
 * msg_progress_end clears it. */
void msg_progress(const char *fmt, ...) MSG_PRINTF(1, 2);
void msg_progress_end(void);

/* Prints an error and ends the program with MSG_TROUBLE. For errors from which main's own code
 * cannot recover; parsers of input never call it. */
_Noreturn void msg_die(const char *fmt, ...) MSG_PRINTF(1, 2);

/* Registers the file NOW for removal if the program ends early, by itself or by SIGHUP, SIGINT or
 * SIGTERM, and removes WAS from the list; NULL for neither. NOW is not copied. At most 8 files are
 * registered. */
void msg_temporary(const char *was, const char *now);

/* Removes these files. exit and the handlers of these signals call it; code that ends the program
 * in another way, also in a signal handler, must call it too. */
void msg_remove_temporaries(void);

#endif
