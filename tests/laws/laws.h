/* SPDX-License-Identifier: ISC */
/*
 * Laws: what must hold of every input of every case, whatever it is. A law runs programs
 * as they would be run, but in children that are forked and not started: all programs are
 * linked into this one (tests/tests.mk). They read and write files in memory, which have
 * numbers here.
 */
#ifndef LAWS_H
#define LAWS_H

#include <stdbool.h>

#include "buf.h"
#include "str.h"

/* Files in memory: what the last program said, what fg-collapse makes of the input, the text at
 * hand, its sum, that without header, the sums of two texts before it, pieces, a text with
 * dimensions and without, the same of the text before it, what alike compares, each law's
 * own, and those between programs. */
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

/* What is in a file, until something else is written there. */
struct str text_of(enum slot slot);
void put_text(enum slot slot, struct str text);

/* Whether it has WORD. */
bool says(enum slot slot, const char *word);

/* Runs programs, words with blanks between, with | between two: what the last one prints
 * becomes OUT. $NAME is the path of a file in memory, and behind < it is the stdin of the
 * first program. Returns the status of the last one. To end by a signal, by a report of a
 * sanitizer or after a minute is a failure of the law that is tried. */
int run(enum slot out, const char *fmt, ...) MSG_PRINTF(2, 3);

/* Runs a program with TEXT in a pipe. */
int run_piped(enum slot out, struct str text, const char *words);

/* Whether both lines of programs, or the one file, print the same and end alike; if not,
 * says where they differ. */
bool alike(const char *one, const char *other);

/* Whether a program failed as run says, since the last call. */
bool program_crashed(void);

/* The outcome of a law. A reason is constant: equal ones are counted together. */
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

/* A law: a function, or two lines of programs that are alike. */
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

/* Tries a law, and each of several up to a row without a name. */
void try_law(const struct law *law);
void try_laws(const struct law *laws);

/* Says why a law does not hold, to be printed behind what was said before; false. */
bool differs(const char *fmt, ...) MSG_PRINTF(1, 2);

/* Whether two files have the same bytes; if not, says where they differ. */
bool same(enum slot a, enum slot b);

/* Weights are summed without rounding: in 10^-9, up to 2^64 and more of them. */
__extension__ typedef unsigned __int128 wide;
#define UNIT ((wide)1000000000)

struct line {
	struct str stack;
	wide weight; /* the last of a line */
	bool good;   /* there is one */
};

/* The stacks of a text whose lines have COLUMNS weights, or 0: then each line is a stack,
 * with weight 1; all but comments. */
struct lines {
	struct line *at;
	size_t n, cap;
};
void lines_release(struct lines *lines);
struct lines lines_of(struct str text, int columns);

/* Sorts them, adds up those of the same stack, and drops those without weight. */
void lines_merge(struct lines *lines);

wide lines_sum(const struct lines *lines);

/* The power of ten, UNIT at most, that divides all weights: their last decimal. */
wide lines_unit(const struct lines *lines);

/* Whether the sum, with as few decimals as all need, overflows 64 bits. */
bool lines_overflow(const struct lines *lines);

/* The sum of the last column of a text. */
wide weight_of(enum slot slot, int columns);

/* Whether its stacks are in the order of their bytes, each there once. */
bool is_sorted(enum slot slot);

/* Adds a line of STACK with BEHIND. */
void add_line(struct buf *b, struct str stack, struct str behind);

/* Adds TEXT to PACKED as gzip does it. */
void pack(struct buf *packed, struct str text);

/* Writes TEXT without some of its stacks. */
void put_part(enum slot to, struct str text);

/* Writes TEXT without its comments, or with its lines behind these in another order. */
void put_bare(enum slot to, struct str text);
void put_in_another_order(enum slot to, struct str text);

/* Whether fg-diff finds no change between two files, which it compares exactly. */
bool nothing_changed(const char *paths);

/* Whether two have the same stacks and weights, in that order; if not, says where they
 * differ. */
bool same_lines(const struct lines *a, const struct lines *b);

/* Whether two, added up, are the same, in any order. Releases them. */
bool same_sums(struct lines a, struct lines b);

/* Cuts the frames of dimensions, those of BY in a header, off a stack. False when it ends
 * within them. */
bool cut_dimensions(struct str *stack, struct str by);

/* The value of KEY in the header; empty without one. */
struct str header_of(enum slot slot, const char *key);

/* Whether PATTERN, an expression of PCRE2, matches in TEXT; with UTF8 as characters, and
 * nothing in what is not UTF-8. */
enum { BYTES, UTF8 };
bool matches(const char *pattern, int how, struct str text);

/* The input at hand. */
struct subject {
	const char *input; /* the file of the case */
	bool is_profile;   /* for fg-collapse */
	int columns;	   /* of the lines of TEXT */
	size_t turn;	   /* how many inputs this worker has had */
};
extern struct subject now;

/* Makes TEXT what the input has; false when it cannot be read. */
bool read_input(void);

/* Try the laws of the input as a profile, of folded text in TEXT, of what fg-export makes
 * of the input, and of profiles and names that are made up. */
void try_profile(void);
void try_text(void);
void try_exports(void);
void try_made_up(void);
void try_odd_names(void);

/* Tries the laws of dimensions on what a line of programs makes of the input, false when
 * that is nothing, and those of fg-export on the same. */
bool try_dimensions(const char *line);
void try_targets_for_dimensions(void);

#endif
