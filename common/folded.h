/* SPDX-License-Identifier: ISC */
/*
 * Folded stacks, the text that every program here reads or writes (fg-folded.5): one stack a line,
 * frames from root to leaf joined by ';', a blank, then one weight or two. '#' begins a comment;
 * "#fg key=value ..." is a header that describes the weights.
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

/* Limits of a header: it is embedded in pictures, whose parsers refuse very long texts. */
enum { FOLDED_FIELDS_MOST = 100, FOLDED_FIELD_LONGEST = 8192 };

/* A field of the #fg header. */
struct folded_field {
	struct str key, value; /* decoded; in the info's arena */
};

/* The test result of a function: a line "#fg-test" (tested.h). */
struct folded_test {
	struct str name; /* in the info's arena */
	bool is_self;	 /* for its self weight, not its total */
	double phi, p;	 /* the dispersion; the p-value, adjusted */
};

/* A program or library that code in frame names belongs to (frame.h): a line "#fg-program". */
struct folded_program {
	struct str name;     /* as in frames; all three in the info's arena */
	struct str build_id; /* hexadecimal; empty if it has none */
	struct str path;     /* at recording time */
};

/* Further programs are dropped. */
enum { FOLDED_PROGRAMS_MOST = 5000 };

/* The limit for the names of all tests together, like FOLDED_FIELD_LONGEST. */
enum { FOLDED_TESTS_LONGEST = 2000000 };

/* The weights that headers state, compared with the stacks present. */
struct folded_pieces {
	struct weight whole;	/* of stacks that match their header */
	struct weight of, left; /* stated by other headers, and present */
	uint64_t samples;	/* belonging to OF */
};

struct folded_info {
	struct arena arena;
	struct folded_field *fields; /* in the order of first appearance */
	size_t n, cap;

	struct folded_test *tests; /* in input order */
	size_t n_tests, cap_tests, tests_length;

	struct folded_program *programs; /* sorted, without duplicates */
	size_t n_programs, cap_programs;

	struct folded_pieces
		pieces[TREE_COLUMNS]; /* of the column before, and of the last one */
	bool headed;		      /* there was a header */
	bool vague;		      /* the totals of headers overflow 64 bits */
	uint64_t bare;		      /* inputs with stacks and without a header */
	bool differs;		      /* some stacks do not match their header */
	bool guessed; /* two columns were assumed, without a header that says so */
	bool said; /* a user, or a header with only this key, gave the number of columns */
	struct str part; /* the first input that lacks some of its stacks; in the arena */
};

void folded_info_release(struct folded_info *info);

/* The value of KEY; n is 0 if it is missing. Borrowed. */
struct str folded_info_get(const struct folded_info *info, const char *key);

/* The value of KEY as a number; 0 if it is missing or not a number. */
uint64_t folded_info_u64(const struct folded_info *info, const char *key);

/* The number of samples behind the weights of COLUMN of T, whose header is INFO: as stated
 * ("samples-before", if present, for the first of two columns; else "samples"), or the sum of whole
 * weights in samples; 0 if unknown. */
uint64_t folded_info_samples(
	const struct folded_info *info, const struct tree *t, int column);

/* Sets KEY to a copy of VALUE; an empty VALUE removes KEY. */
void folded_info_set(struct folded_info *info, const char *key, struct str value);
void folded_info_set_u64(struct folded_info *info, const char *key, uint64_t value);

/* Adds the fields of TEXT, "key=value key=value" with percent-encoded values. Too many or too long
 * ones are dropped with a warning. */
void folded_info_parse(struct folded_info *info, struct str text);

/* Adds TEST, with a copy of its name. False when there are too many. */
bool folded_info_add_test(struct folded_info *info, struct folded_test test);

/* Adds the test in TEXT, a line after "#fg-test ". Returns NULL, or an error text. */
const char *folded_info_parse_test(struct folded_info *info, struct str text);

/* Removes tests and verdict, which a change of the stacks makes invalid. */
void folded_info_forget_tests(struct folded_info *info);

/* Adds a copy of PROGRAM, if it is new. False when there are too many: then the last in order is
 * dropped. */
bool folded_program_add(struct folded_info *info, const struct folded_program *program);

/* Adds the program in TEXT, a line after "#fg-program ". Returns NULL, or an error text. */
const char *folded_program_parse(struct folded_info *info, struct str text);

/* Adds the programs of MORE. */
void folded_program_merge(struct folded_info *info, const struct folded_info *more);

/* Adds a line for each program, with its newline. */
void folded_program_put(struct buf *b, const struct folded_info *info);

/* Sets the weights found in the stacks of INFO, of the column before (0 with one column) and of the
 * last one. They are compared with its keys total, columns and pieces, which are removed. NAME is
 * the input's. False when these are not 64-bit numbers: then the number of samples is unknown. */
bool folded_info_found(struct folded_info *info, const char *name,
	const struct weight found[TREE_COLUMNS]);

/* Merges the header MORE, of further stacks, into INFO: counts (samples, runs, lost and duration,
 * also with "-before") add up, and are removed when one side lacks them (except lost, which then
 * counts as 0); stack quality is weighted by the totals; other keys stay if both values agree.
 * Stacks without a header join those with one. So the order of inputs affects only the order of the
 * keys. False when the units differ. */
bool folded_info_merge(struct folded_info *info, const struct folded_info *more);

/* Adjusts the numbers of samples to the stacks present, in proportion to the weight left of what
 * the headers state, and warns about missing stacks and stacks without a header. To be called after
 * all inputs are merged. With KEEP the key pieces records how to undo this when the missing stacks
 * follow. */
void folded_info_settle(struct folded_info *info, bool keep);

/* Adjusts the numbers of samples in INFO, after and before, to the stacks in T, which are what is
 * left of WHOLE, by column, in proportion (weight_share). Removes the stack quality, which is
 * unknown for a part. */
void folded_info_keep(
	struct folded_info *info, const struct tree *t, const struct weight *whole);

/* Sorts the keys in byte order. */
void folded_info_sort(struct folded_info *info);

/* The unit of the weights; "units" if the header lacks it. Borrowed. */
struct str folded_info_unit(const struct folded_info *info);

/* Facts about the inputs that users specify. */
struct folded_given {
	const char *unit; /* for inputs without a header; NULL or empty: not given */
	uint64_t samples[TREE_COLUMNS]; /* before, after; 0: not given */
	long columns;			/* for inputs without a header; 0: not given */
	bool keep;			/* write the key pieces, for sums of sums */
};

/* An opt_read: parses "N" or "BEFORE,AFTER" as numbers of samples into .value, a struct
 * folded_given. */
const char *folded_given_samples(const struct opt *o, const char *arg);

/* Settles INFO, the header of a text of COLUMNS (folded_info_settle), and adds GIVEN. */
void folded_given_put(
	const struct folded_given *given, struct folded_info *info, int columns);

/* The dimensions of a tree whose inputs may have different ones: those common to all inputs that
 * declare theirs stay. Inputs that do not declare any are read as if they had the same. Zeroed, it
 * belongs to an empty tree. */
struct folded_by {
	struct dimensions
		now; /* of the stacks so far; SAID when an input declared them */
	struct dimensions gone; /* of some inputs, and summed away */
	bool silent;		/* some stacks come from inputs that do not declare any */
	bool differs;		/* inputs declared different ones */
	bool turned; /* stacks were reversed below the leading frames of their input */
	bool apart; /* inputs are separate recordings: process, thread, CPU and time are not kept */
};

void folded_by_release(struct folded_by *by);

/* Adds the dimensions MORE of further stacks. The caller applies the resulting map to the stacks in
 * the tree (folded_by_change), and the map from MORE to BY->now to the new ones. */
struct dimensions_map folded_by_join(struct folded_by *by, const struct dimensions *more);

/* Adds REST, the frames of a stack after its leading ones, to B, which has those (dimensions_cut);
 * MORE: REST has frames. */
void folded_by_put_rest(struct buf *b, struct str rest, bool more);

/* Whether the values of the dimension NAME are specific to one recording. */
bool folded_by_is_apart(struct str name);

/* Whether MAP changes anything. */
bool folded_by_changes(const struct dimensions_map *map);

/* Applies MAP to all stacks of T, which is IN_ORDER of time or not. The result is the new node of
 * each former one; those above the last leading frame are invalid. To be freed. */
uint32_t *folded_by_change(
	struct tree *t, const struct dimensions_map *map, bool in_order);

/* Puts the key into INFO after all is read, and warns about dimensions summed away. False, after an
 * error, when the result depends on the order of the inputs. */
bool folded_by_settle(struct folded_by *by, struct folded_info *info);

/* Counts of lines, by how they were handled. */
struct folded_count {
	uint64_t lines;	    /* with a stack that was added */
	uint64_t malformed; /* that are not a stack, a comment or blank */
	uint64_t rounded;   /* with decimals of the weight that did not fit */
	uint64_t overflow;  /* with a weight that would overflow 64 bits */
	uint64_t refused; /* inputs refused for another format, after an error message */
	uint64_t
		unusable; /* of these, those with some stacks: a result would be useless */
	uint64_t left_out; /* stacks that options->keep dropped, and their weight */
	struct weight left_weight[TREE_COLUMNS];
};

/* Adds MORE, of an input without left-out stacks, to C. */
void folded_count_add(struct folded_count *c, const struct folded_count *more);

/* Warns about lines that were skipped or changed; the caller reports those left out. */
void folded_count_report(const struct folded_count *c);

/* Cuts frames off *STACK, whose frames run from the root or, TURNED, from the leaf. False to drop
 * the stack. */
typedef bool folded_keep(void *with, struct str *stack, bool turned);

struct folded_options {
	bool reverse;  /* lines have frames from leaf to root */
	bool in_order; /* time order: only neighbours merge (tree_append) */
	int into; /* 1 or 2: lines have one weight, for that column of two; 0: one per column */
	int columns;	  /* the number in an input that does not state it; 0: unknown */
	struct str under; /* a frame to put on top of every stack; empty: none */

	struct folded_by *by; /* of the tree; NULL: do not change stacks */

	const struct folded_given *given; /* or NULL */
	folded_keep *keep;		  /* if set, called for every stack with WITH */
	void *with;

	/* When the tree exceeds LIMIT bytes (0: unlimited), FULL is called with TO. It leaves T
	 * without nodes, but keeps its scale and sums. */
	size_t limit;
	void (*full)(void *to, struct tree *t);
	void *to;

	/* If set, called with TO before the tree takes other dimensions, to update stacks that were
	 * moved out of it. */
	void (*change)(void *to, const struct dimensions_map *map);
};

/* The number of weights in the lines of an input. */
struct folded_shape {
	int columns; /* 1 or 2; 0: not in a header, and no stack in the first 64 KiB */
	bool headed; /* a header stands before the first stack */
	bool known;  /* stated by a header, or not all lines have two */
};

/* Whether IN, not read from yet, is an SVG, or an HTML page by fg-export. */
bool folded_is_picture(struct input *in);

/* The shape of IN, not read from yet. */
struct folded_shape folded_shape(struct input *in);

/* The number of columns of all inputs together, for those that do not state it. A piece of a text
 * in which every frame ends in a number looks like two columns. */
struct folded_columns {
	int known; /* 0: not yet */
	bool looked;
};

/* The number of columns of IN, if it does not state it itself; 0 if no input does. If need be,
 * looks into the regular files of PATHS, the inputs after it up to a NULL. */
int folded_columns(struct folded_columns *columns, struct input *in, char **paths);

/* Adds the stacks of IN to T and its header to INFO. When T is empty and IN has two columns, T gets
 * its second one. Refuses an input with another number of columns than T has. The first unusable
 * line of each kind is reported with its number; COUNT (added to) counts all. Lines may have any
 * length, CRLF, and blanks or tabs before the weights. An SVG by fg-svg is read as its embedded
 * stacks; any other SVG is refused. */
void folded_read(struct input *in, struct tree *t, struct folded_info *info,
	const struct folded_options *options, struct folded_count *count);

/* Parses a weight, digits with at most one point in them, into VALUE in units of 10^-SCALE,
 * rounding finer decimals half up (*ROUNDED is then set to true, else left alone). False when it is
 * malformed or overflows 64 bits. */
bool folded_weight(struct str text, unsigned scale, uint64_t *value, bool *rounded);

/* Parses TEXT, a number as for folded_weight and a unit (ns, us, ms or s), as ns. False when it is
 * malformed. */
bool folded_time(struct str text, uint64_t *ns);

/* The sums that a header states: the number of COLUMNS, and the weight of each. */
struct folded_sums {
	int columns;
	struct weight sum[TREE_COLUMNS];
};
struct folded_sums folded_sums_of(const struct tree *t);

/* Adds the header line, without its newline: the fields of INFO, then columns and total for SUMS.
 * Characters special in XML are percent-encoded too. */
void folded_put_header(
	struct buf *b, const struct folded_info *info, struct folded_sums sums);

/* Adds the lines after it, with newlines: one per test, one per program. */
void folded_put_notes(struct buf *b, const struct folded_info *info);

/* Parses TEXT, a decimal number of at most 24 characters, 0 or more. False when it is malformed. */
bool folded_read_number(struct str text, double *value);

/* VALUE rounded to 6 digits. */
double folded_round(double value);

/* Writes the header and the tests if INFO is not NULL and has a field, or its columns were stated
 * or guessed, or there are two; warns if they were guessed. */
void folded_write_header(
	struct output *out, const struct folded_info *info, struct folded_sums sums);

/* Writes every stack with weight, sorted by the bytes of the stack, as LC_ALL=C sort orders them.
 * If the text would be too large, it fails like a write, after a message. */
void folded_write(struct output *out, const struct tree *t);

/* Adds the path of NODE, root first, joined by ';'. */
void folded_put_stack(struct buf *b, const struct tree *t, uint32_t node);

/* Escapes an outermost frame that begins with '#', which would start a comment: returns the id in
 * NAMES of the name ID with a blank in front, else ID itself. ID may be TREE_GAP. */
uint32_t folded_shield(struct intern *names, uint32_t id);

/* Adds NAME as a frame: ';' becomes ':', a control byte a space. */
void folded_put_frame(struct buf *b, struct str name);

#endif
