/* SPDX-License-Identifier: ISC */
/*
 * Dumps of a stopped program by debuggers and runtimes: one thread after the other, each
 * with its frames innermost first. A thread of a dump is a sample. Formats of such texts
 * share this: they find the beginnings of threads and frames, which are kept here until
 * the thread ends.
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

/* No thread is open when zeroed, with stack.c set. */
struct thread_dump {
	struct frame_names stack;      /* frames of the current thread */
	struct collapse_sample thread; /* its texts are borrowed from text, or static */
	bool open;		       /* there is a current thread */
	struct buf text;
	struct buf labels; /* keys and values of the thread's labels, concatenated */
	struct {
		size_t key, value; /* their lengths */
	} label[THREAD_DUMP_LABELS];
	size_t label_n;
	struct str_digest key; /* of thread_dump_recall; first: index of its frames */
	size_t first;
};

void thread_dump_release(struct thread_dump *d);

/* Begins the thread T, whose comm, pid, tid and event are copied; ends the previous
 * one. */
void thread_dump_open(struct thread_dump *d, const struct collapse_sample *t);

/* Gives the current thread the label KEY with VALUE; both are copied. Labels beyond
 * THREAD_DUMP_LABELS are ignored. */
void thread_dump_label(struct thread_dump *d, struct str key, struct str value);

/* Ends the current thread, if any, and adds it to the sink; below "[truncated]" or
 * "[broken]" depending on its end. */
void thread_dump_close(struct thread_dump *d);

/* Drops the current thread. */
void thread_dump_drop(struct thread_dump *d);

/* Adds the frames remembered for TEXT. Returns false for a new one; the caller then adds
 * its frames to the stack and calls thread_dump_keep. */
bool thread_dump_recall(struct thread_dump *d, struct str text);
void thread_dump_keep(struct thread_dump *d);

/* Whether HEAD, the first part of an input, contains no NUL: recordings may contain such
 * texts. */
bool thread_dump_is_text(struct str head);

/* Cuts "#12 " and the blanks around it off *LINE. */
bool thread_dump_cut_number(struct str *line, uint64_t *number);

/* Cuts "0x7f12" and the blanks after it off *LINE; *ADDRESS gets the digits. */
bool thread_dump_cut_address(struct str *line, struct str *address);

/* CALL without the argument values at its end, "main.(*T).run(0xc000, {0x1, 0x2})";
 * unchanged without any. */
struct str thread_dump_cut_values(struct str call);

/* The part of LINE between the first BEFORE and the next AFTER, or the end of LINE
 * without AFTER; empty without BEFORE. */
struct str thread_dump_between(struct str line, struct str before, struct str after);

#endif
