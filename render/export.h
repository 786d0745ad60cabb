/* SPDX-License-Identifier: ISC */
/*
 * What a target of fg-export writes from: a profile as a tree of stacks and a list of samples, and
 * the contract of a target. A target gives its needs, by which the samples are made ready, and
 * writes. The table of all is targets.def.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "output.h"
#include "profile.h"
#include "tree.h"

enum export_needs {
	/* Dimensions leave the stacks and become tracks, which are threads or labels, and
	 * times. Else they are summed away, but those that users keep as frames. */
	EXPORT_TRACKS = 1,
	EXPORT_WHOLE = 2, /* weights are whole numbers below 2^63; those of time are ns */
	EXPORT_BOTH = 4,  /* takes both of two columns */
	EXPORT_DOUBLES = 8, /* readers keep 53 bits of a weight */
	EXPORT_BINARY = 16, /* not for terminals */
	EXPORT_TIMES = 32,  /* only weights of time */
	EXPORT_ASIS =
		64, /* writes from the profile: neither stacks nor samples are made */
	EXPORT_ONE = 128 /* has one track, with times: other dimensions are as without */
};

enum export_kind { EXPORT_COUNT, EXPORT_TIME, EXPORT_BYTES };

/* What users ask for. */
struct export_settings {
	const char *target;
	bool before;	  /* of two columns the first, for targets that take one */
	double min_share; /* percent of the total; a dot graph has no smaller function */
	struct dimensions keep; /* as frames, by targets that have no place for them */
};

/* One stack of a track at a time. */
struct export_sample {
	uint64_t weight[TREE_COLUMNS]; /* units of 10^-scale */
	uint64_t time;		       /* ns, if TIMED */
	uint32_t stack;		       /* a node of the tree */
	uint32_t rank;		       /* of the stack among all, siblings by name */
	uint32_t track;
	bool timed;
};

/* The values of the dimensions but time, each ended by ';'; there may be fewer than dimensions. */
struct export_track {
	struct str values; /* borrowed from the names */
	uint64_t sum;	   /* of the last column */
};

struct export
{
	struct profile *profile;
	const struct export_settings *set;
	const struct export_target *target;
	struct output *out;
	struct buf b; /* written, and not yet in OUT */

	const struct tree *tree; /* the stacks: OWN, or the profile's */
	struct tree own;
	const struct dimensions *by; /* of the tracks: without any when they are frames */
	size_t time;		     /* the place of time among them; by->n: none */
	struct intern track_names;
	struct export_track *tracks; /* the heaviest first */
	uint32_t track_n;

	struct export_sample *samples; /* by track, time and stack; none weighs nothing */
	size_t n;
	int columns; /* of the samples */
	int first;   /* the column of the profile that is the samples' first */
	uint64_t sum[TREE_COLUMNS];
	unsigned scale;
	uint32_t *path; /* of export_path */
	size_t path_cap;
	struct str
		unit; /* borrowed from the profile's header; "ns" when times were made whole */
	enum export_kind kind;
};

struct export_target {
	unsigned needs;			 /* of enum export_needs */
	bool (*write)(struct export *x); /* false after a message */
};

/* Whether TARGET has a place for all dimensions. */
bool export_has_place(const struct export_target *target);

/* Makes X ready for TARGET, of PROFILE, which has stacks; ARGUMENTS must outlive X. False, after a
 * message, when TARGET cannot have it. The caller releases X in any case. */
bool export_init(struct export *x, struct profile *profile,
	const struct export_settings *set, const struct export_target *target);
void export_release(struct export *x);

/* Writes X->b out when it has become large; all but its last byte, which json.h looks at. */
void export_flush(struct export *x);

/* The value of dimension I of TRACK; s is NULL where it has none. */
struct str export_value(const struct export *x, uint32_t track, size_t i);

/* Whether dimension I is one that a target with threads and times of its own still has to be told,
 * as a label; *NAME is then its name without "label:". */
bool export_is_label(const struct export *x, size_t i, struct str *name);

/* Whether the value of a label is a whole number of 63 bits above 0, as it would be printed. */
bool export_is_number(struct str value, uint64_t *number);

/* A person's name for TRACK: its values with a blank between. */
void export_put_track(struct buf *b, const struct export *x, uint32_t track);

/* Who TRACK is, as far as the dimensions comm, pid and tid say it ("comm-PID/TID"). */
struct export_thread {
	struct str comm, pid, tid; /* s is NULL: not said */
};
struct export_thread export_thread(const struct export *x, uint32_t track);

/* Adds a name for TRACK as a thread: its comm and values that are no thread, or all of them. */
void export_put_thread(struct buf *b, const struct export *x, uint32_t track);

/* What a frame is made of: the name of a function and its place, if it is "name:file.c:12". */
struct export_place {
	struct str name, file;
	uint64_t line; /* 0: not known, and then there is no file */
};
struct export_place export_place(struct str frame);

/* The name of column I of the samples, of two: "before", "after", or those of a ratio; of one: what
 * was counted, or the unit. */
struct str export_column(const struct export *x, int i);

/* A name for the whole: the command, the file or "profile". */
struct str export_title(const struct export *x);

/* When the recording began, ns since 1970; 0: not known. */
uint64_t export_start(const struct export *x);

/* Adds VALUE units of 10^-SCALE, which may be any number, as JSON and people write it. */
void export_put_decimal(struct buf *b, uint64_t value, int scale);

/* Adds the weight VALUE as a number of units of 10^-POWER seconds, of weights of time. */
void export_put_seconds(struct buf *b, const struct export *x, uint64_t value, int power);

/* Adds TEXT as UTF-8, with U+FFFD for what is not. For binary formats: in a text people and their
 * terminals read, use buf_visible. */
void export_put_utf8(struct buf *b, struct str text);

/* The steps from the root to NODE, outermost first; *N of them. Borrowed until the next call. */
const uint32_t *export_path(struct export *x, uint32_t node, size_t *n);

#endif
