/* SPDX-License-Identifier: ISC */
/* Small files and folders of /proc and /sys, which describe the machine. */
#ifndef SYSFILE_H
#define SYSFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "str.h"

/* Reads the file of that name into B, without blanks and newlines at its ends. If it
 * cannot be read, returns false with errno and an empty B. */
bool sysfile_read(struct buf *b, const char *fmt, ...) MSG_PRINTF(2, 3);

/* The same for a file that contains a number, which may be negative. */
bool sysfile_number(int64_t *value, const char *fmt, ...) MSG_PRINTF(2, 3);

/* Whether a file or folder of that name exists; errno is the reason if not. */
bool sysfile_exists(const char *fmt, ...) MSG_PRINTF(1, 2);

/* The names in a folder in byte order, without names that begin with a dot, terminated
 * and in TEXT. If it cannot be read, returns false with errno and no names. */
struct sysfile_names {
	struct str *items; /* of TEXT */
	size_t n;
};
bool sysfile_folder(struct sysfile_names *names, struct arena *text, const char *fmt, ...)
	MSG_PRINTF(3, 4);

#endif
