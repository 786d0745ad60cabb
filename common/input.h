/* SPDX-License-Identifier: ISC */
/*
 * Bytes in, from a file, a pipe or memory, with compression taken off.
 *
 * gzip (several members too), zstd, xz and bzip2 are recognised by content, again inside
 * each other up to four deep; a UTF-8 byte order mark is dropped and UTF-16
 * with a mark becomes UTF-8. The result is read through windows into one
 * buffer, so a reader of lines copies nothing.
 *
 * The first SIGINT while a pipe is read does not end the program, which finishes
 * when the pipe ends.
 *
 * While a file or a pipe is read for more than a second, msg_progress shows how far, and
 * how many stacks there are (input_stacks).
 *
 * A read or decompression error is printed once, ends the input as if there
 * were no more, and shows in input_failed: a reader can do its work and the
 * program still ends with MSG_TROUBLE.
 */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "map.h"
#include "str.h"

struct input;

/* Longer lines, strings and names are an error. */
enum { INPUT_LINE_LONGEST = 16 * 1024 * 1024 };

/* Opens PATH, or stdin when it is "-". NULL when it cannot be opened or is a
 * folder, after a message. */
struct input *input_open(const char *path);

/* Opens PATH for a look before it is read: NULL, without a message, unless it is a regular
 * file that may be read. */
struct input *input_open_early(const char *path);

/* Reads from BYTES, which must outlive the input, under the name NAME. */
struct input *input_of_memory(const char *name, struct str bytes);

void input_close(struct input *in);

/* When the file was last changed, seconds since 1970; 0 for what is no regular file. */
uint64_t input_modified(const struct input *in);

/* How many bytes IN has given so far, unpacked. */
uint64_t input_taken(const struct input *in);

/* Whether it is known how many bytes IN has, which *BYTES gets: those of a regular file
 * from where it was opened. Not of pipes, and not of what is compressed or in UTF-16, which
 * shows with the first window. */
bool input_knows_size(const struct input *in, uint64_t *bytes);

/* Makes input_failed true: after a message that something which belongs to IN could not
 * be read. */
void input_fail(struct input *in);

/* Progress in IN shows *STACKS from now on; NULL: no longer. */
void input_stacks(struct input *in, const uint64_t *stacks);

/* The name for messages: the path, or "<stdin>". Borrowed. */
const char *input_name(const struct input *in);

/* The number of the line that input_line gave last, counted from 1; readers
 * that use windows keep it right with input_count_lines. */
uint64_t input_line_number(const struct input *in);
void input_count_lines(struct input *in, uint64_t lines);

/* What is buffered from the current place on: at least MIN bytes, fewer only
 * at the end of the input. Borrowed until the next call on IN. MIN may be any
 * size; the buffer grows to hold it. */
struct str input_window(struct input *in, size_t min);

/* Goes forward N bytes, which must have been seen in the last window. */
void input_skip(struct input *in, size_t n);

/* The next line without its newline and without a CR before it; false at the
 * end, and after a message at a line longer than INPUT_LINE_LONGEST, which is an error of
 * reading. The last line needs no newline. Borrowed until the next call on IN. */
bool input_line(struct input *in, struct str *line);

/* The whole rest of the input. Borrowed until input_close. */
struct str input_rest(struct input *in);

/* Moves up to N bytes from the current place to TO, past the buffer where that
 * is empty, and returns how many: 0 only at the end. */
size_t input_read(struct input *in, void *to, size_t n);

/* Copies the N bytes at OFFSET of the whole input to TO; the current place stays.
 * False when there are not so many, or the input can only be read in order: a
 * pipe, memory, what is compressed. */
bool input_read_at(struct input *in, uint64_t offset, void *to, size_t n);

/* A piece of a file in memory. */
struct input_piece {
	struct map map;
	struct input *in;
};

/* Maps up to N bytes at OFFSET of the whole input, fewer at its end; the current
 * place stays. False where input_read_at would be, and at the end. When the
 * file turns out to be truncated while it is mapped, that is an error of reading, which is
 * printed with input_unmap at the latest. */
bool input_map(struct input *in, uint64_t offset, size_t n, struct input_piece *piece);
void input_unmap(struct input_piece *piece);

/* Whether a read or a decompression failed, or a compressed stream was cut. */
bool input_failed(const struct input *in);

#endif
