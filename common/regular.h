/* SPDX-License-Identifier: ISC */
/*
 * Files whose names stand in an input, which may name anything: only regular files are
 * opened. To open a device, a FIFO or a terminal does something, or waits.
 */
#ifndef REGULAR_H
#define REGULAR_H

#include <stdbool.h>
#include <sys/stat.h>

#include "buf.h"
#include "str.h"

/* Opens PATH for reading; -1 with errno when that cannot be, EINVAL when it is not a
 * regular file. ST gets what fstat says of it. The caller closes the result. */
int regular_open(const char *path, struct stat *st);

/* The same, when PATH itself is not a symbolic link (ELOOP). */
int regular_open_itself(const char *path, struct stat *st);

/* The same of PATH below FOLDER, empty: the current one. Symbolic links are followed while they
 * stay below FOLDER, whatever happens meanwhile; EXDEV when they leave it, as ".." does. */
int regular_open_below(struct str folder, struct str path, struct stat *st);

/* All of PATH, which is a regular file, to B, 1 GB at most; false when it cannot be read. */
bool regular_read(const char *path, struct buf *b);

/* The same of the file FD at PATH, which is closed; false when it is -1, and after msg_lost when
 * reading fails. */
bool regular_read_open(int fd, const char *path, struct buf *b);

/* The same of PATH, which is not lost when it cannot be opened. */
bool regular_read_named(const char *path, struct buf *b);

/* PATH, which begins with '/', without "//", "/./" and "/../", as if nothing in it was a
 * symbolic link; into B where anything changes. */
struct str regular_path(struct str path, struct buf *b);

#endif
