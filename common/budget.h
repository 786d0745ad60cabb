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
	BUDGET_UNPACKED, /* bytes that a decompressor gives */
	BUDGET_SECTIONS, /* of these, sections of programs, which stay in memory */
	BUDGET_FRAMES,	 /* frames of a stack that a table stands for */
	BUDGET_STEPS,	 /* turns of a loop that an input makes long, some ns each */
	BUDGET_KINDS
};

/* From now on there is a budget, and the clock runs. Before, everything is allowed: programs that
 * read no profile, and tests, never call it. */
void budget_start(void);

/* Takes ARG, the argument of --limit: "none", or the memory that a small input may use, with K, M
 * or G; the other allowances change in proportion, the processor's only upwards. Returns NULL, or
 * what is wrong with it. */
const char *budget_limit(const char *arg);

/* Adds to what was read: the whole of a regular file, which counts once however often it is
 * opened, or N bytes of anything else. */
void budget_read_file(const struct stat *st);
void budget_read(uint64_t n);

/* Draws N. False when there is less: then nothing is drawn. */
bool budget_draw(enum budget_kind kind, uint64_t n);

/* The same for what an input cannot go on without: ends the program when there is less. */
void budget_spend(enum budget_kind kind, uint64_t n);

/* How much of KIND may still be drawn. */
uint64_t budget_left(enum budget_kind kind);

/* What is said of an input, behind its name, of which KIND was refused. Static. */
const char *budget_why(enum budget_kind kind);

/* Whether KIND was ever refused. */
bool budget_was_refused(enum budget_kind kind);

/* For mem.c: N bytes more are about to be allocated. Ends the program when all that it has then
 * is more than is allowed. */
void budget_memory(size_t n);

#endif
