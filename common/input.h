/* SPDX-License-Identifier: ISC */
/*
 * Reads bytes from a file, a pipe or memory, and decompresses them.
 *
 * gzip (also several members), zstd, xz and bzip2 are recognised by content, nested up to four
 * deep; a UTF-8 byte order mark is dropped, and UTF-16 with a mark becomes UTF-8. The result is
 * read through windows into one buffer, so a reader of lines copies nothing.
 *
 * The first SIGINT while reading a pipe does not end the program, which finishes when the pipe
 * ends.
 *
 * When reading a file or a pipe takes more than a second, msg_progress shows how far, and how many
 * stacks there are (input_stacks).
 *
 * A read or decompression error is printed once, ends the input as if it were complete, and shows
 * in input_failed: a reader can finish its work and the program still ends with MSG_TROUBLE.
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

/* Opens PATH to inspect it before it is read: NULL, without a message, unless it is a readable
 * regular file. */
struct input *input_open_early(const char *path);

/* Reads from BYTES, which must outlive the input, under the name NAME. */
struct input *input_of_memory(const char *name, struct str bytes);

void input_close(struct input *in);

/* The file's modification time, seconds since 1970; 0 unless it is a regular file. */
uint64_t input_modified(const struct input *in);

/* The number of decompressed bytes that IN has delivered. */
uint64_t input_taken(const struct input *in);

/* Whether the number of bytes of IN is known, and in *BYTES: for regular files, from where they
 * were opened. Unknown for pipes, and for compressed or UTF-16 input, which shows with the first
 * window. */
bool input_knows_size(const struct input *in, uint64_t *bytes);

/* Makes input_failed true: call it after a message about unreadable data that belongs to IN. */
void input_fail(struct input *in);

/* Progress in IN shows *STACKS from now on; NULL: no longer. */
void input_stacks(struct input *in, const uint64_t *stacks);

/* The name for messages: the path, or "<stdin>". Borrowed. */
const char *input_name(const struct input *in);

/* The number of the last line from input_line, counted from 1; readers of windows update it with
 * input_count_lines. */
uint64_t input_line_number(const struct input *in);
void input_count_lines(struct input *in, uint64_t lines);

/* The buffered bytes from the current place on: at least MIN bytes, fewer only at the end of the
 * input. Borrowed until the next call on IN. MIN may be any size; the buffer grows to hold it. */
struct str input_window(struct input *in, size_t min);

/* Advances N bytes, which must have been in the last window. */
void input_skip(struct input *in, size_t n);

/* The next line without its newline and a CR before it; false at the end, and after a message at a
 * line longer than INPUT_LINE_LONGEST, which is a read error. The last line needs no newline.
 * Borrowed until the next call on IN. */
bool input_line(struct input *in, struct str *line);

/* The whole rest of the input. Borrowed until input_close. */
struct str input_rest(struct input *in);

/* Moves up to N bytes from the current place to TO, past the buffer where that is empty, and
 * returns their number: 0 only at the end. */
size_t input_read(struct input *in, void *to, size_t n);

/* Copies the N bytes at OFFSET of the whole input to TO; the current place stays. False beyond the
 * end, or when the input is not seekable: a pipe, memory, or compressed. */
bool input_read_at(struct input *in, uint64_t offset, void *to, size_t n);

/* A piece of a file in memory. */
struct input_piece {
	struct map map;
	struct input *in;
};

/* Maps up to N bytes at OFFSET of the whole input, fewer at its end; the current place stays. False
 * where input_read_at would be, and at the end. If the file is truncated while mapped, that is a
 * read error, printed by input_unmap at the latest. */
bool input_map(struct input *in, uint64_t offset, size_t n, struct input_piece *piece);
void input_unmap(struct input_piece *piece);

/* Whether a read or a decompression failed, or a compressed stream was truncated. */
bool input_failed(const struct input *in);

#endif
