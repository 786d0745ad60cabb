/* SPDX-License-Identifier: ISC */
/*
 * Buffered text output; every write is checked. An error is printed once and then remembered, so
 * writers need not check each call; output_close reports it. Writing to a closed pipe ends the
 * program by SIGPIPE, silently, as a filter before `head` should.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "msg.h"
#include "str.h"

/* A named output file. */
struct output_file {
	int fd;
	const char *name; /* for messages; not owned */
	char *path; /* the file to replace or created; NULL for an existing one that stays */
	char *temporary; /* the new file beside PATH, to replace it; NULL: none */
};

/* Flags for opening a file, joined by |. */
enum output_how {
	OUTPUT_REPLACE = 0,
	OUTPUT_IN_PLACE =
		1, /* from its start on, for streams: the file is not truncated */
	OUTPUT_PRIVATE =
		2, /* for its owner only: refuse, or make private, files that others own or read */
};

/* Opens PATH for writing; HOW is made of enum output_how. A device, a pipe or stdout's own file is
 * written directly. A regular file, also through symbolic links, is replaced on closing by a new
 * one with the same owner and mode; if that fails, as in a read-only folder, it is truncated and
 * written in place. False after a message.
 *
 * With OUTPUT_PRIVATE a new file has mode 0600, and an own existing file gets it. Refused are files
 * of other users, files with a second name, symbolic links of others (except root's), and pipes of
 * others in world-writable folders. stdout's own file stays as it is. */
bool output_file_open(struct output_file *f, const char *path, unsigned how);

/* Closes F. With KEEP the new file takes its place; else it is removed, and the old one stays.
 * False, after a message, on failure. */
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

/* Writes to the file PATH, as output_file_open does; to stdout for NULL or "-". PATH must outlive
 * OUT. Failure to open counts, after a message, as a failed write. */
void output_open(struct output *out, const char *path);

/* Whether output_open would write to a terminal for PATH. */
bool output_is_terminal(const char *path);

/* Writes the buffer, checks, and frees it. False when any write failed, after a message; an opened
 * file then keeps its old content. Closes stdout too, since some systems report a full disk only
 * then. If OUT->failed is set, also by the caller, a file keeps its old content. */
bool output_close(struct output *out);

void output_str(struct output *out, struct str s);
void output_char(struct output *out, char c);

void output_fmt(struct output *out, const char *fmt, ...) MSG_PRINTF(2, 3);

#endif
