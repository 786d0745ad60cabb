/* SPDX-License-Identifier: ISC */
/*
 * The input of fg-export's targets: a profile as a tree of stacks and a list of samples, and
 * the contract of a target. A target declares its needs, by which the samples are prepared, and
 * a function that writes. targets.def lists them all.
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
	/* Dimensions move from the stacks to tracks, which are threads or labels, and to times.
	 * Otherwise they are summed away, except those that users keep as frames. */
	EXPORT_TRACKS = 1,
	EXPORT_WHOLE = 2,   /* weights are whole numbers below 2^63; times are in ns */
	EXPORT_BOTH = 4,    /* takes both of two columns */
	EXPORT_DOUBLES = 8, /* readers keep 53 bits of a weight */
	EXPORT_BINARY = 16, /* not for terminals */
	EXPORT_TIMES = 32,  /* only weights of time */
	EXPORT_ASIS =
		64, /* writes from the profile: neither stacks nor samples are made */
	EXPORT_ONE = 128 /* one track, with times; other dimensions as without TRACKS */
};

enum export_kind { EXPORT_COUNT, EXPORT_TIME, EXPORT_BYTES };

/* The user's settings. */
struct export_settings {
	const char *target;
	bool before;	  /* use the first of two columns, for targets that take one */
	double min_share; /* percent of the total; a dot graph omits smaller functions */
	struct dimensions keep; /* kept as frames, by targets without a place for them */
};

/* One stack of a track at a time. */
struct export_sample {
	uint64_t weight[TREE_COLUMNS]; /* units of 10^-scale */
	uint64_t time;		       /* ns, if TIMED */
	uint32_t stack;		       /* a node of the tree */
	uint32_t rank;		       /* of the stack in the sorted tree */
	uint32_t track;
	bool timed;
};

/* The values of the dimensions except time, each followed by ';'; there may be fewer values
 * than dimensions. */
struct export_track {
	struct str values; /* borrowed from the names */
	uint64_t sum;	   /* in the last column */
};

struct export
{
	struct profile *profile;
	const struct export_settings *set;
	const struct export_target *target;
	struct output *out;
	struct buf b; /* text not yet written to OUT */

	const struct tree *tree; /* the stacks: OWN, or the profile's */
	struct tree own;
	const struct dimensions *by; /* of the tracks; empty when dimensions are frames */
	size_t time;		     /* the index of time among them; by->n: none */
	struct intern track_names;
	struct export_track *tracks; /* the heaviest first */
	uint32_t track_n;

	struct export_sample *samples; /* by track, time and stack; no weight is 0 */
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

/* Whether TARGET can represent all dimensions. */
bool export_has_place(const struct export_target *target);

/* Prepares PROFILE, which has stacks, for TARGET. The arguments must outlive X. Returns false,
 * after a message, when TARGET cannot represent it. The caller releases X in any case. */
bool export_init(struct export *x, struct profile *profile,
	const struct export_settings *set, const struct export_target *target);
void export_release(struct export *x);

/* Writes X->b out when it is large, except its last byte, which json.h looks at. */
void export_flush(struct export *x);

/* The value of dimension I of TRACK; s is NULL without one. */
struct str export_value(const struct export *x, uint32_t track, size_t i);

/* Whether a target with threads and times of its own must write dimension I as a label; *NAME
 * is then its name without "label:". */
bool export_is_label(const struct export *x, size_t i, struct str *name);

/* Whether the value of a label is a number from 1 to 2^63 - 1, in the canonical spelling. */
bool export_is_number(struct str value, uint64_t *number);

/* Adds a readable name for TRACK: its values, separated by blanks. */
void export_put_track(struct buf *b, const struct export *x, uint32_t track);

/* The identity of TRACK, as far as the dimensions comm, pid and tid say ("comm-PID/TID"). */
struct export_thread {
	struct str comm, pid, tid; /* s is NULL: unknown */
};
struct export_thread export_thread(const struct export *x, uint32_t track);

/* Adds a name for TRACK as a thread: its comm and the values that are not a thread; or all
 * values. */
void export_put_thread(struct buf *b, const struct export *x, uint32_t track);

/* The parts of a frame: function and place, if it is "name:file.c:12". */
struct export_place {
	struct str name, file;
	uint64_t line; /* 0: unknown, and then there is no file */
};
struct export_place export_place(struct str frame);

/* The name of column I of the samples. Of two columns: "before" and "after", or the names in a
 * ratio; of one: the event, or the unit. */
struct str export_column(const struct export *x, int i);

/* A title for the profile: the command, the file or "profile". */
struct str export_title(const struct export *x);

/* When the recording began, ns since 1970; 0: unknown. */
uint64_t export_start(const struct export *x);

/* Adds VALUE units of 10^-SCALE, for any SCALE, as a decimal for JSON and people. */
void export_put_decimal(struct buf *b, uint64_t value, int scale);

/* Adds the weight VALUE, a time, as a number of units of 10^-POWER seconds. */
void export_put_seconds(struct buf *b, const struct export *x, uint64_t value, int power);

/* Adds TEXT as UTF-8, with U+FFFD for invalid bytes. For binary formats only: use buf_visible
 * in a text for people and their terminals. */
void export_put_utf8(struct buf *b, struct str text);

/* The nodes from the root to NODE, outermost first; *N of them. Borrowed until the next call. */
const uint32_t *export_path(struct export *x, uint32_t node, size_t *n);

#endif
