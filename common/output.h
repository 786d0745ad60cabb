/* SPDX-License-Identifier: ISC */
/*
 * Text out, buffered, every write checked. An error is printed once and then
 * remembered, so writers need not check each call; output_close reports it.
 * Writing to a closed pipe ends the program by SIGPIPE, silently, as a filter
 * before `head` should.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "msg.h"
#include "str.h"

/* A named file that is written. */
struct output_file {
	int fd;
	const char *name; /* for messages; not owned */
	char *path; /* what is replaced or was made; NULL for what was there and stays */
	char *temporary; /* the new file beside PATH, which it replaces; NULL: none */
};

/* How a file is written, joined by |. */
enum output_how {
	OUTPUT_REPLACE = 0,
	OUTPUT_IN_PLACE =
		1, /* from its start on, for what is streamed: nothing is cut off */
	OUTPUT_PRIVATE =
		2, /* in place, for the eyes of its owner alone: what others made, or
			     * may read, is refused or made private */
};

/* Opens PATH to be written, HOW being of enum output_how. A device, a pipe or what stdout
 * is too is written through. A regular file, also one that symbolic links lead to, is
 * replaced at the end by a new one of the same owner and mode; where that cannot be, in a
 * folder that may not be written to, it is emptied and written in place. False after a
 * message.
 *
 * With OUTPUT_PRIVATE a new file has mode 0600, and one of our own gets it. Refused are files of
 * other users and those with a second name, symbolic links of others (root's are followed), and
 * pipes of others in folders where everybody may put them. What stdout is too stays as it is. */
bool output_file_open(struct output_file *f, const char *path, unsigned how);

/* Closes F. With KEEP the new file takes its place; else it is removed, and what was
 * there before stays. False, after a message, when that failed. */
bool output_file_close(struct output_file *f, bool keep);

/* Writes *REST to FD, and leaves in *REST what was not written. False, with errno, when
 * that is any. */
bool output_send(int fd, struct str *rest);

struct output {
	int fd;
	bool failed, is_file;
	const char *name; /* for messages; not owned */
	char *buf;
	size_t n, cap;
	struct output_file file; /* if IS_FILE */
};

/* Writes to FD, which stays open; NAME is for messages and must outlive OUT. */
void output_init(struct output *out, int fd, const char *name);

/* Writes to the file PATH, as output_file_open does; to stdout for NULL or "-". PATH must
 * outlive OUT. That it cannot be opened shows, after a message, as a failed write does. */
void output_open(struct output *out, const char *path);

/* Whether what output_open opens for PATH is a terminal. */
bool output_is_terminal(const char *path);

/* Writes what is buffered, checks, and frees the buffer. False when any write
 * failed, after a message; a file that was opened is then as it was before. For
 * stdout it closes the descriptor too, since some systems report a full disk only
 * then. With OUT->failed, which may be set for it, a file is left as it was. */
bool output_close(struct output *out);

void output_str(struct output *out, struct str s);
void output_char(struct output *out, char c);

void output_fmt(struct output *out, const char *fmt, ...) MSG_PRINTF(2, 3);

#endif
