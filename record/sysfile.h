/* SPDX-License-Identifier: ISC */
/* Small files and folders of /proc and /sys, which say what the machine has. */
#ifndef SYSFILE_H
#define SYSFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "str.h"

/* Reads the file of that name into B without blanks and newlines at its ends. False,
 * with errno, when it cannot be read; B is then empty. */
bool sysfile_read(struct buf *b, const char *fmt, ...) MSG_PRINTF(2, 3);

/* The same for a file that holds a number, which may be negative. */
bool sysfile_number(int64_t *value, const char *fmt, ...) MSG_PRINTF(2, 3);

/* Whether a file or folder of that name is there; errno says why not. */
bool sysfile_exists(const char *fmt, ...) MSG_PRINTF(1, 2);

/* The names in a folder in byte order, without those that begin with a dot; all
 * are in TEXT, terminated. False, with errno and no names, when it cannot be read. */
struct sysfile_names {
	struct str *items; /* of TEXT */
	size_t n;
};
bool sysfile_folder(struct sysfile_names *names, struct arena *text, const char *fmt, ...)
	MSG_PRINTF(3, 4);

#endif
