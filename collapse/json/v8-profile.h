/* SPDX-License-Identifier: ISC */
/*
 * A profile of V8: a tree of calls, and samples that name nodes of it.
 *
 *	{"nodes":[...],"startTime":1000,"endTime":9000,
 *	 "samples":[5,5,4],"timeDeltas":[1200,1050,1100]}
 *
 * The first delta is the time from the start to the first sample, the second
 * that from the first to the second: a sample lasts until the next one, the
 * last one until the end. All are us.
 */
#ifndef V8_PROFILE_H
#define V8_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "collapse.h"
#include "json-read.h"
#include "v8-tree.h"

/* A part of a profile, as timelines have them: so many samples and deltas. */
struct v8_part {
	double time; /* parts come in any order */
	size_t order, samples, deltas;
};

/* A zeroed profile is empty. */
struct v8_profile {
	struct v8_tree tree;
	struct json_ints samples;
	struct json_doubles deltas;
	struct v8_part *parts; /* in the order of samples and deltas; may be none */
	size_t part_n, part_cap;
	double start, end; /* us */
	bool has_start, has_end;
	bool moments; /* deltas are moments, as V8 wrote them until 2016 */
};

void v8_profile_release(struct v8_profile *v);

/* Empties V and keeps its memory. */
void v8_profile_clear(struct v8_profile *v);

/* Whether KEY is one that a profile has; if so its value is taken. */
bool v8_profile_take(
	struct v8_profile *v, struct json_reader *p, struct collapse *c, struct str key);

/* Moves what MORE has, which was recorded at TIME, to V. */
void v8_profile_move(struct v8_profile *v, struct v8_profile *more, double time);

/* Pours the samples of V into C: S says who ran. To be called once, when V has
 * all that it will have. */
void v8_profile_fold(struct v8_profile *v, struct input *in, struct collapse *c,
	struct collapse_sample s);

#endif
