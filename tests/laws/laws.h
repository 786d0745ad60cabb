/* SPDX-License-Identifier: ISC */
/*
 * Laws hold for every input of every case. A law runs programs as usual, but in forked children
 * without exec: all programs are linked into this one (tests/tests.mk). They read and write
 * numbered files in memory.
 */
#ifndef LAWS_H
#define LAWS_H

#include <stdbool.h>

#include "buf.h"
#include "str.h"

/* Files in memory: the last program's messages, the folded input, the current text, its sum,
 * the sum without header, the sums of the two previous texts, pieces, a text with dimensions
 * and without, the previous such pair, the outputs that alike compares, each law's own files,
 * and those between programs. */
#define SLOTS(X)       \
	X(ERR)         \
	X(FOLDED)      \
	X(TEXT)        \
	X(SUM)         \
	X(BARE)        \
	X(OTHER)       \
	X(THIRD)       \
	X(P0)          \
	X(P1)          \
	X(P2)          \
	X(P3)          \
	X(DIMS)        \
	X(FLAT)        \
	X(DIMS_BEFORE) \
	X(FLAT_BEFORE) \
	X(LEFT)        \
	X(RIGHT)       \
	X(A)           \
	X(B)           \
	X(C)           \
	X(D)           \
	X(PIPE)        \
	X(BACK)
#define SLOT_NAME(name) name,
enum slot { SLOTS(SLOT_NAME) SLOT_COUNT };

/* Makes the files; each worker has its own. */
void program_init(void);

/* The contents of a file, valid until the next write. */
struct str text_of(enum slot slot);
void put_text(enum slot slot, struct str text);

/* Whether a file contains WORD. */
bool says(enum slot slot, const char *word);

/* Runs programs, words separated by blanks, in a pipe if separated by |. The output of the last
 * one goes to OUT. $NAME is the path of a file in memory; after < it is the stdin of the first
 * program. Returns the status of the last one. A death by signal, a sanitizer's report or a
 * timeout of a minute fails the current law. */
int run(enum slot out, const char *fmt, ...) MSG_PRINTF(2, 3);

/* Runs a program with TEXT in a pipe. */
int run_piped(enum slot out, struct str text, const char *words);

/* Whether both lines of programs, or a program and a file, have the same output and status; if
 * not, reports the difference. */
bool alike(const char *one, const char *other);

/* Whether a program failed in one of these ways since the last call. */
bool program_crashed(void);

/* The outcome of a law. Reasons are constant: equal ones are counted together. */
struct verdict {
	enum { HOLDS, FAILS, VACUOUS } is;
	const char *reason;
};

static inline struct verdict
verdict(bool holds)
{
	return (struct verdict){ holds ? HOLDS : FAILS, NULL };
}

static inline struct verdict
vacuous(const char *reason)
{
	return (struct verdict){ VACUOUS, reason };
}

/* A law: a function, or two lines of programs that must be alike. */
struct law {
	const char *name;
	struct verdict (*holds)(void);
	const char *one, *other;
};

#define LAW(function)                                \
	{                                            \
		.name = #function, .holds = function \
	}
#define ALIKE(rule, a, b)                           \
	{                                           \
		.name = #rule, .one = a, .other = b \
	}

/* Try a law, or several up to a row without a name. */
void try_law(const struct law *law);
void try_laws(const struct law *laws);

/* Reports why a law does not hold, after earlier reasons. Returns false. */
bool differs(const char *fmt, ...) MSG_PRINTF(1, 2);

/* Whether two files have the same bytes; if not, reports the difference. */
bool same(enum slot a, enum slot b);

/* Weights are summed exactly: in units of 10^-9, many times 2^64. */
__extension__ typedef unsigned __int128 wide;
#define UNIT ((wide)1000000000)

struct line {
	struct str stack;
	wide weight; /* in the last column */
	bool good;   /* the line has a weight */
};

/* The stacks of a text whose lines have COLUMNS weights. With 0 columns, each line is a stack
 * of weight 1. Comments are skipped. */
struct lines {
	struct line *at;
	size_t n, cap;
};
void lines_release(struct lines *lines);
struct lines lines_of(struct str text, int columns);

/* Sorts them, merges equal stacks, and drops stacks without weight. */
void lines_merge(struct lines *lines);

wide lines_sum(const struct lines *lines);

/* The largest power of ten, up to UNIT, that divides all weights: their last decimal. */
wide lines_unit(const struct lines *lines);

/* Whether the total, with only the decimals that weights need, overflows 64 bits. */
bool lines_overflow(const struct lines *lines);

/* The total of a text's last column. */
wide weight_of(enum slot slot, int columns);

/* Whether its stacks are unique and in byte order. */
bool is_sorted(enum slot slot);

/* Adds a line of STACK followed by BEHIND. */
void add_line(struct buf *b, struct str stack, struct str behind);

/* Adds TEXT to PACKED, compressed by gzip. */
void pack(struct buf *packed, struct str text);

/* Writes TEXT without some of its stacks. */
void put_part(enum slot to, struct str text);

/* Writes TEXT without comments, or with the lines after these in another order. */
void put_bare(enum slot to, struct str text);
void put_in_another_order(enum slot to, struct str text);

/* Whether fg-diff finds no change between two files, which it compares exactly. */
bool nothing_changed(const char *paths);

/* Whether both have the same stacks and weights, in that order; if not, reports the difference. */
bool same_lines(const struct lines *a, const struct lines *b);

/* Whether both have the same sums, in any order. Releases them. */
bool same_sums(struct lines a, struct lines b);

/* Cuts the frames of dimensions, listed in BY as in a header, off a stack. Returns false if the
 * stack ends within them. */
bool cut_dimensions(struct str *stack, struct str by);

/* The value of KEY in the header; empty without one. */
struct str header_of(enum slot slot, const char *key);

/* Whether PATTERN, a PCRE2 expression, matches in TEXT; with UTF8, as characters, and never in
 * invalid UTF-8. */
enum { BYTES, UTF8 };
bool matches(const char *pattern, int how, struct str text);

/* The current input. */
struct subject {
	const char *input; /* the file of the case */
	bool is_profile;   /* for fg-collapse */
	int columns;	   /* of the lines of TEXT */
	size_t turn;	   /* how many inputs this worker has tried */
};
extern struct subject now;

/* Reads the input into TEXT; false if it cannot be read. */
bool read_input(void);

/* Try the laws of the input as a profile, of the folded text in TEXT, of its exports, and of
 * made-up profiles and names. */
void try_profile(void);
void try_text(void);
void try_exports(void);
void try_made_up(void);
void try_odd_names(void);

/* Tries the laws of dimensions and of fg-export on the output of a line of programs for the
 * input. Returns false if there is none. */
bool try_dimensions(const char *line);
void try_targets_for_dimensions(void);

#endif
