/* SPDX-License-Identifier: ISC */
/*
 * What debuggers and runtimes print of a program that stands still: one thread after the other,
 * the frames of each innermost first. A thread of a dump is a sample. Shared by the formats of
 * such texts, which say where a thread and a frame begin; what is here keeps them until the thread
 * ends.
 */
#ifndef THREAD_DUMP_H
#define THREAD_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "collapse.h"
#include "frame-names.h"
#include "str.h"

enum { THREAD_DUMP_LABELS = 8 };

/* With stack.c set and all else zero there is no thread under way. */
struct thread_dump {
	struct frame_names stack;      /* the frames of the thread under way */
	struct collapse_sample thread; /* its texts are borrowed from text, or static */
	bool open;		       /* there is one */
	struct buf text;
	struct buf labels; /* keys and values of the thread, one after the other */
	struct {
		size_t key, value; /* their lengths */
	} label[THREAD_DUMP_LABELS];
	size_t label_n;
	struct str_digest key; /* of thread_dump_recall, and where its frames begin */
	size_t first;
};

void thread_dump_release(struct thread_dump *d);

/* Begins the thread T, whose comm, pid, tid and event are copied; the one before ends. */
void thread_dump_open(struct thread_dump *d, const struct collapse_sample *t);

/* The thread under way has the label KEY with VALUE; both are copied. Those beyond
 * THREAD_DUMP_LABELS are left out. */
void thread_dump_label(struct thread_dump *d, struct str key, struct str value);

/* Ends the thread under way, if there is one, and gives it to the sink: below "[truncated]" or
 * "[broken]" when its end says so. */
void thread_dump_close(struct thread_dump *d);

/* Forgets the thread under way. */
void thread_dump_drop(struct thread_dump *d);

/* Adds the frames that TEXT gave before. When it is new that is false, and the caller adds them to
 * the stack and calls thread_dump_keep. */
bool thread_dump_recall(struct thread_dump *d, struct str text);
void thread_dump_keep(struct thread_dump *d);

/* Whether HEAD, the first part of an input, has no byte of value 0: recordings may hold such
 * texts. */
bool thread_dump_is_text(struct str head);

/* Cuts "#12 " and the blanks around it off *LINE. */
bool thread_dump_cut_number(struct str *line, uint64_t *number);

/* Cuts "0x7f12" and the blanks after it off *LINE: *ADDRESS gets the digits. */
bool thread_dump_cut_address(struct str *line, struct str *address);

/* CALL without the argument list at its end, "main.(*T).run(0xc000, {0x1, 0x2})", which are
 * values: all of it when it does not end with one. */
struct str thread_dump_cut_values(struct str call);

/* What stands in LINE between the first BEFORE and the next AFTER, or the end of LINE when there
 * is none; empty without BEFORE. */
struct str thread_dump_between(struct str line, struct str before, struct str after);

/* Reads the time "2026-11-21 03:34:28", in which any byte stands between the numbers, as if it
 * were of UTC: *TIME gets ns since 1970. What follows it is not looked at. */
bool thread_dump_time(struct str text, uint64_t *time);

/* The header says that the dumps begin at TIME, a local one. */
void thread_dump_start(struct collapse *c, uint64_t time);

#endif
