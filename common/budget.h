/* SPDX-License-Identifier: ISC */
/*
 * What an input may cost, measured by its size. A profile, or a program that a recording
 * names, can be made so that few bytes unpack to gigabytes, unfold to billions of frames, or
 * keep a program busy for hours. Whatever unpacks, unfolds or searches draws from here first. An
 * allowance has a base, which a small input of any kind stays below, and a part in proportion to
 * the bytes that were read, so that a large input is allowed more than it can reach:
 *
 *	unpacked	400 MB, and 512 bytes for each byte read beyond the first MB
 *	sections	160 MB of these, and 64 bytes for each byte read beyond it
 *	frames, steps	20 and 100 million, and 64 for each byte read or unpacked beyond it
 *	memory		400 MB, and 256 bytes for each byte read beyond it
 *	processor	4 s, and 10 s for each MB read beyond it
 *
 * The first three are refused, and whoever draws gives up that part of the input, and reports it.
 * The last two are what no loop and no table escapes: beyond them the program ends with
 * MSG_TROUBLE. --limit multiplies all of them, or lifts them.
 *
 * One budget is for the whole process: an input is paid for by what reads it, by the files it
 * names and by every table that follows, and the clock's signal is given nothing. So this is
 * state, as that of msg.c is.
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
