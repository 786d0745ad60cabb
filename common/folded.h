/* SPDX-License-Identifier: ISC */
/*
 * Folded stacks, the text that every program here reads or writes
 * (fg-folded.5): one stack a line, frames from root to leaf joined by ';', a
 * blank, one weight or two. '#' begins a comment; "#fg key=value ..." says
 * what the weights are.
 */
#ifndef FOLDED_H
#define FOLDED_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "dimensions.h"
#include "input.h"
#include "opt.h"
#include "output.h"
#include "tree.h"
#include "weight.h"

/* What a header may have at most: it stands in pictures, whose parsers refuse texts that
 * are very long. */
enum { FOLDED_FIELDS_MOST = 100, FOLDED_FIELD_LONGEST = 8192 };

/* The keys of the #fg header. */
struct folded_field {
	struct str key, value; /* decoded; in the info's arena */
};

/* What a test found of a function: a line "#fg-test" (tested.h). */
struct folded_test {
	struct str name; /* in the info's arena */
	bool is_self;	 /* of its self weight, not its total */
	double phi, p;	 /* the dispersion; the p-value, adjusted */
};

/* A program or a library that code in names is of (frame.h): a line "#fg-program". */
struct folded_program {
	struct str name;     /* in frames; all three in the info's arena */
	struct str build_id; /* hexadecimal; empty: it has none */
	struct str path;     /* when it was recorded */
};

/* More programs are not kept. */
enum { FOLDED_PROGRAMS_MOST = 5000 };

/* What the names of all tests may have, as FOLDED_FIELD_LONGEST. */
enum { FOLDED_TESTS_LONGEST = 2000000 };

/* What headers say their stacks weigh, compared with the stacks that are there. */
struct folded_pieces {
	struct weight whole;	/* stacks that are what their header says */
	struct weight of, left; /* what other headers say, and what is there of it */
	uint64_t samples;	/* behind OF */
};

struct folded_info {
	struct arena arena;
	struct folded_field *fields; /* in the order of first sight */
	size_t n, cap;

	struct folded_test *tests; /* as they came */
	size_t n_tests, cap_tests, tests_length;

	struct folded_program *programs; /* sorted, each once */
	size_t n_programs, cap_programs;

	struct folded_pieces pieces[TREE_COLUMNS]; /* of the column before, of the last */
	bool headed;				   /* there was a header */
	bool vague;    /* the totals of headers overflow 64 bits */
	uint64_t bare; /* inputs with stacks and without a header */
	bool differs;  /* some stacks are not those of their header */
	bool guessed;  /* two columns were taken for want of a header that says so */
	bool said; /* a user, or a header without anything else, said how many there are */
	struct str part; /* the first input without some of its stacks; in the arena */
};

void folded_info_release(struct folded_info *info);

/* The value of KEY; n is 0 when it is not there. Borrowed. */
struct str folded_info_get(const struct folded_info *info, const char *key);

/* The value of KEY as a number; 0 when it is missing or no number. */
uint64_t folded_info_u64(const struct folded_info *info, const char *key);

/* How many samples stand behind the weights of COLUMN of T, which INFO is the header of:
 * what it says ("samples-before" of the first of two columns, where it is there; else
 * "samples"), or the sum of whole weights in samples; 0 when that is not known. */
uint64_t folded_info_samples(
	const struct folded_info *info, const struct tree *t, int column);

/* Sets KEY to a copy of VALUE; an empty VALUE takes KEY away. */
void folded_info_set(struct folded_info *info, const char *key, struct str value);
void folded_info_set_u64(struct folded_info *info, const char *key, uint64_t value);

/* Adds the fields of TEXT, "key=value key=value" with percent-encoded values. Those that
 * are too many or too long are left out, which is told. */
void folded_info_parse(struct folded_info *info, struct str text);

/* Adds TEST, with a copy of its name. False when there are too many. */
bool folded_info_add_test(struct folded_info *info, struct folded_test test);

/* Adds the test of TEXT, a line from behind "#fg-test " on. What is wrong, or NULL. */
const char *folded_info_parse_test(struct folded_info *info, struct str text);

/* Takes out what was found by comparing stacks that are others now: tests and verdict. */
void folded_info_forget_tests(struct folded_info *info);

/* Adds a copy of PROGRAM, unless it is there. False when there are too many: then the last in
 * order is left out. */
bool folded_program_add(struct folded_info *info, const struct folded_program *program);

/* Adds the program of TEXT, a line from behind "#fg-program " on. What is wrong, or NULL. */
const char *folded_program_parse(struct folded_info *info, struct str text);

/* Adds those of MORE. */
void folded_program_merge(struct folded_info *info, const struct folded_info *more);

/* Adds the line of each, with its end. */
void folded_program_put(struct buf *b, const struct folded_info *info);

/* Says what the stacks of INFO weigh, those of the column before (0 when there is one
 * column) and those of the last, to be compared with its keys total, columns and pieces,
 * which are taken out. NAME is the input's. False when these are not numbers of 64 bits:
 * then nothing is known of samples. */
bool folded_info_found(struct folded_info *info, const char *name,
	const struct weight found[TREE_COLUMNS]);

/* Adds the fields of MORE, which says of further stacks what INFO says of those
 * before: counts (samples, runs, lost and duration, also with "-before" behind) add up, or go
 * when only one side has them (but lost, which is then 0 there); how good stacks are is
 * weighed by their totals; of the rest stays what both say alike. Stacks without a header join
 * those that have one. So the order of inputs does not show but in the order of the keys. False
 * when the units differ. */
bool folded_info_merge(struct folded_info *info, const struct folded_info *more);

/* Makes the numbers of samples those of the stacks that are there, in proportion to the
 * weight that is left of what the headers say, and warns of what was missing or had no
 * header. To be called when all inputs are merged. With KEEP the key pieces says how to
 * make up for it when the missing stacks come. */
void folded_info_settle(struct folded_info *info, bool keep);

/* Makes the numbers of samples in INFO, after and before, those of the stacks in T, which
 * are what is left of the weight WHOLE, a column each, in proportion (weight_share). How good
 * stacks are is not known of a part of them. */
void folded_info_keep(
	struct folded_info *info, const struct tree *t, const struct weight *whole);

/* Puts the keys in the order of their bytes. */
void folded_info_sort(struct folded_info *info);

/* The unit of the weights; "units" when no header says it. Borrowed. */
struct str folded_info_unit(const struct folded_info *info);

/* What users say of their inputs. */
struct folded_given {
	const char *unit; /* of inputs without a header; NULL or empty: not said */
	uint64_t samples[TREE_COLUMNS]; /* before, after; 0: not said */
	long columns;			/* of inputs without a header; 0: not said */
	bool keep;			/* the key pieces, for sums of sums */
};

/* An opt_read: "N" or "BEFORE,AFTER" as numbers of samples of .value, a struct folded_given. */
const char *folded_given_samples(const struct opt *o, const char *arg);

/* Settles INFO, the header of a text of COLUMNS (folded_info_settle), and puts what is GIVEN
 * into it. */
void folded_given_put(
	const struct folded_given *given, struct folded_info *info, int columns);

/* The dimensions of a tree, of inputs that may have different ones: those stay that all have
 * that say theirs. Inputs that do not are read as if they had the same. A zeroed one is that of an
 * empty tree. */
struct folded_by {
	struct dimensions now;	/* of the stacks so far; said when an input said them */
	struct dimensions gone; /* that some input had, and are summed away */
	bool silent;		/* some stacks are of inputs that do not say it */
	bool differs;		/* inputs said different ones */
	bool turned; /* stacks were reversed below the frames of what their input said */
	bool apart; /* inputs are recordings apart: process, thread, CPU and time are not kept */
};

void folded_by_release(struct folded_by *by);

/* Stacks of the dimensions MORE come to those that are there, which have to take the map that is
 * the result (folded_by_change); those that come take the one from MORE to BY->now. */
struct dimensions_map folded_by_join(struct folded_by *by, const struct dimensions *more);

/* Adds REST, the frames of a stack behind its leading ones, to B, which has those (dimensions_cut);
 * MORE: there are such frames. */
void folded_by_put_rest(struct buf *b, struct str rest, bool more);

/* Whether the values of the dimension NAME are of one recording, and not to be found in others. */
bool folded_by_is_apart(struct str name);

/* Whether MAP changes anything. */
bool folded_by_changes(const struct dimensions_map *map);

/* Makes MAP of all stacks of T, which is IN_ORDER of time or not. The result says what the nodes
 * that were there became; those above the last leading frame are not of use. To be freed. */
uint32_t *folded_by_change(
	struct tree *t, const struct dimensions_map *map, bool in_order);

/* Puts the key into INFO when all is read, and tells what was summed away. False, after an error,
 * when that depends on the order of the inputs. */
bool folded_by_settle(struct folded_by *by, struct folded_info *info);

/* What became of the lines. */
struct folded_count {
	uint64_t lines;	    /* that held a stack and were added */
	uint64_t malformed; /* that were neither stack, comment nor blank */
	uint64_t rounded;   /* whose weight had decimals that did not fit */
	uint64_t overflow;  /* whose weight would have left 64 bits */
	uint64_t refused;   /* inputs that were something else, after an error message */
	uint64_t
		unusable; /* of these, that had some stacks: there is no use in a result */
	uint64_t left_out; /* that options->keep left out, and what they weighed */
	struct weight left_weight[TREE_COLUMNS];
};

/* Adds MORE, of an input of which nothing was left out, to C. */
void folded_count_add(struct folded_count *c, const struct folded_count *more);

/* Warns of what was not taken as it stood; of what was left out the caller tells. */
void folded_count_report(const struct folded_count *c);

/* Takes frames off *STACK, whose frames run from the root or, TURNED, from the leaf.
 * False when it is to be left out. */
typedef bool folded_keep(void *with, struct str *stack, bool turned);

struct folded_options {
	bool reverse;  /* frames from leaf to root */
	bool in_order; /* time order: only neighbours merge (tree_append) */
	int into; /* 1 or 2: lines have one weight, for that column of two; 0: one a column */
	int columns; /* of lines in an input that does not say it; 0: not known either */
	struct str under; /* a frame that every stack goes below; empty: none */

	struct folded_by *by; /* of the tree; NULL: stacks stay as they are */

	const struct folded_given *given; /* or NULL */
	folded_keep *keep; /* called, when it is set, of every stack with WITH */
	void *with;

	/* When the tree has more than LIMIT bytes (0: any number), FULL is called
	 * with TO. It leaves T without nodes, and its scale and sums as they are. */
	size_t limit;
	void (*full)(void *to, struct tree *t);
	void *to;

	/* Called, when it is set, with TO, before the tree takes other dimensions, for stacks that
	 * were taken out of it. */
	void (*change)(void *to, const struct dimensions_map *map);
};

/* How many weights the lines of an input have. */
struct folded_shape {
	int columns; /* 1 or 2; 0: no header says it, and no stack is in the first 64 KiB */
	bool headed; /* a header stands before the first stack */
	bool known;  /* a header says it, or not all lines have two */
};

/* Whether IN, of which nothing has been taken, is an SVG, or a page with one of ours. */
bool folded_is_picture(struct input *in);

/* The shape of IN, of which nothing has been taken. */
struct folded_shape folded_shape(struct input *in);

/* What all inputs together say of the columns of those that do not say it themselves. A
 * piece of a text in which every frame ends in a number looks like two columns. */
struct folded_columns {
	int known; /* 0: not yet */
	bool looked;
};

/* The columns of lines in IN, where that does not say it itself; 0 when no input does. The
 * regular files of PATHS, which come after it up to a NULL, are looked into if need be. */
int folded_columns(struct folded_columns *columns, struct input *in, char **paths);

/* Adds the stacks of IN to T and its header to INFO. When T is empty and IN has two
 * columns, T gets its second one. Refuses an input with another number of columns than T has.
 * The first line of each kind that cannot be used is reported with its number;
 * COUNT (added to) has them all. Lines may have any length, CRLF, and blanks or
 * tabs before the weights. An SVG that fg-svg wrote is read as the stacks it was
 * made from; any other SVG is refused. */
void folded_read(struct input *in, struct tree *t, struct folded_info *info,
	const struct folded_options *options, struct folded_count *count);

/* Reads a weight, digits with at most one point in them, into VALUE as units
 * of 10^-SCALE, rounding what is finer half up (*ROUNDED is then set to true,
 * else left alone). False when it is no weight or leaves 64 bits. */
bool folded_weight(struct str text, unsigned scale, uint64_t *value, bool *rounded);

/* Reads TEXT, a number as folded_weight takes it and one of the units ns, us, ms and s, as ns.
 * False when it is none. */
bool folded_time(struct str text, uint64_t *ns);

/* The sums that a header states: how many COLUMNS there are, and what each weighs. */
struct folded_sums {
	int columns;
	struct weight sum[TREE_COLUMNS];
};
struct folded_sums folded_sums_of(const struct tree *t);

/* Adds the header line, without its end: the fields of INFO, then columns and total for
 * SUMS. What XML could take for its own is percent-encoded too. */
void folded_put_header(
	struct buf *b, const struct folded_info *info, struct folded_sums sums);

/* Adds the lines that follow it, with their ends: one for each test, one for each program. */
void folded_put_notes(struct buf *b, const struct folded_info *info);

/* Reads TEXT, a decimal number of at most 24 characters, 0 or more. False when it is none. */
bool folded_read_number(struct str text, double *value);

/* VALUE with 6 digits. */
double folded_round(double value);

/* Writes the header and the tests, when INFO is not NULL and has a field, or its columns were said
 * or guessed, or are two; that they were guessed is told. */
void folded_write_header(
	struct output *out, const struct folded_info *info, struct folded_sums sums);

/* Writes every stack that has a weight, sorted by the bytes of the stack, as
 * LC_ALL=C sort orders them. That the text would be too large shows, after a message, as a
 * failed write does. */
void folded_write(struct output *out, const struct tree *t);

/* Adds the path of NODE, root first, joined by ';'. */
void folded_put_stack(struct buf *b, const struct tree *t, uint32_t node);

/* A line that begins with '#' is a comment: the id that the name ID of NAMES, or TREE_GAP, has as
 * the outermost frame, with a blank before it where it needs one. */
uint32_t folded_shield(struct intern *names, uint32_t id);

/* Adds NAME as a frame: ';' becomes ':', a control byte a space. */
void folded_put_frame(struct buf *b, struct str name);

#endif
