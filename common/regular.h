/* SPDX-License-Identifier: ISC */
/*
 * Opens files named in an input, which may name anything: only regular files are opened. Opening a
 * device, a FIFO or a terminal may block or have side effects.
 */
#ifndef REGULAR_H
#define REGULAR_H

#include <stdbool.h>
#include <sys/stat.h>

#include "buf.h"
#include "str.h"

/* Opens PATH for reading; -1 with errno on failure, EINVAL when it is not a regular file. ST gets
 * its status from fstat. The caller closes the result. */
int regular_open(const char *path, struct stat *st);

/* The same, unless PATH itself is a symbolic link (ELOOP). */
int regular_open_itself(const char *path, struct stat *st);

/* The same for PATH below FOLDER; empty: the current one. Symbolic links are followed while they
 * stay below FOLDER, even if files change meanwhile; EXDEV when they leave it, as ".." does. */
int regular_open_below(struct str folder, struct str path, struct stat *st);

/* Reads all of PATH, a regular file, to B, 1 GB at most; false when it cannot be read. */
bool regular_read(const char *path, struct buf *b);

/* The same for the open file FD at PATH, which it closes; false when FD is -1, and after msg_lost
 * when reading fails. */
bool regular_read_open(int fd, const char *path, struct buf *b);

/* The same for PATH; failure to open is not reported as lost. */
bool regular_read_named(const char *path, struct buf *b);

/* PATH, which begins with '/', without "//", "/./" and "/../", ignoring symbolic links; in B if
 * anything changes. */
struct str regular_path(struct str path, struct buf *b);

#endif
