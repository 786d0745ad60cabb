/* SPDX-License-Identifier: ISC */
/*
 * Limits on the cost of an input, by its size. A malicious profile, or a program that a recording
 * names, may unpack from a few bytes to gigabytes, unfold to billions of frames, or keep a program
 * busy for hours. Code that unpacks, unfolds or searches draws from an allowance first. Each has a
 * base, which small inputs of any kind stay below, and a part in proportion to the bytes read, so
 * that a large input is allowed more than it can reach:
 *
 *	unpacked	400 MB, and 512 bytes for each byte read beyond the first MB
 *	sections	160 MB of these, and 64 bytes for each byte read beyond it
 *	frames, steps	20 and 100 million, and 64 for each byte read or unpacked beyond it
 *	memory		400 MB, and 256 bytes for each byte read beyond it
 *	processor	4 s, and 10 s for each MB read beyond it
 *
 * The first three are refused: the caller gives up that part of the input, and reports it. The last
 * two cover every loop and table: beyond them the program ends with MSG_TROUBLE. --limit scales all
 * of them, or lifts them.
 *
 * The budget is global, like the state of msg.c: readers, the files an input names and all tables
 * built from it share it, and the clock's signal handler has no argument.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum budget_kind {
	BUDGET_UNPACKED, /* bytes that a decompressor produces */
	BUDGET_SECTIONS, /* of these, sections of programs, which stay in memory */
	BUDGET_FRAMES,	 /* frames of stacks that an input stores in a compact table */
	BUDGET_STEPS, /* iterations of a loop whose length the input decides, some ns each */
	BUDGET_KINDS
};

/* Starts the budget and its clock. Without it everything is allowed: programs that do not read
 * profiles, and tests, never call it. */
void budget_start(void);

/* Parses ARG, the argument of --limit: "none", or the memory that a small input may use, with K, M
 * or G. The other allowances scale in proportion, processor time only upwards. Returns NULL, or an
 * error text. */
const char *budget_limit(const char *arg);

/* Counts input as read: a regular file as a whole, and once however often it is opened; or N bytes
 * of anything else. */
void budget_read_file(const struct stat *st);
void budget_read(uint64_t n);

/* Draws N from the allowance KIND. False, and nothing is drawn, when less is left. */
bool budget_draw(enum budget_kind kind, uint64_t n);

/* The same for an input that cannot be read without it: ends the program when less is left. */
void budget_spend(enum budget_kind kind, uint64_t n);

/* How much may still be drawn from KIND. */
uint64_t budget_left(enum budget_kind kind);

/* The text that follows an input's name in the message that KIND was refused. Static. */
const char *budget_why(enum budget_kind kind);

/* Whether KIND was ever refused. */
bool budget_was_refused(enum budget_kind kind);

/* For mem.c, before it allocates N more bytes: ends the program when memory use would exceed the
 * allowance. */
void budget_memory(size_t n);

#endif
