/* SPDX-License-Identifier: ISC */
/*
 * Text out, buffered, every write checked. An error is printed once and then
 * remembered, so writers need not look after each call; output_close tells.
 * Writing to a closed pipe ends the program by SIGPIPE, silently, as a filter
 * before `head` should.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "msg.h"
#include "str.h"

struct output {
	int fd;
	bool failed;
	const char *name; /* for messages; not owned */
	char *buf;
	size_t n, cap;
};

/* Writes to FD, which stays open; NAME is for messages and must outlive OUT. */
void output_init(struct output *out, int fd, const char *name);

/* Writes what is buffered, checks, and frees the buffer. False when any write
 * failed, after a message. For stdout it closes the descriptor too, since some
 * systems report a full disk only then. */
bool output_close(struct output *out);

void output_str(struct output *out, struct str s);
void output_char(struct output *out, char c);

/* VALUE in decimal. */
void output_u64(struct output *out, uint64_t value);

void output_fmt(struct output *out, const char *fmt, ...) MSG_PRINTF(2, 3);

#endif
