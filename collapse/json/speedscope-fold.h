/* SPDX-License-Identifier: ISC */
/* What was read of a file of speedscope (speedscope.c), and how it is folded. */
#ifndef SPEEDSCOPE_FOLD_H
#define SPEEDSCOPE_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "collapse.h"
#include "json-profile.h"
#include "tree.h"

/* A stack that is none, of the sink or of one whose frames are not there. */
#define SPEEDSCOPE_NONE UINT32_MAX

/* A sample and its weight; or a moment, and the stack from then on. */
struct speedscope_mark {
	double value;
	uint32_t stack;
};

struct speedscope_profile {
	struct buf name;
	struct str unit; /* of the table, or empty */
	double factor;	 /* from its unit to ns; 0: no time */
	double start;
	bool evented;
	struct speedscope_mark *marks;
	size_t n, cap;
	struct json_doubles weights; /* of samples */
	uint64_t broken;	     /* events that do not fit */
};

/* The node of a stack in the sink, below the root of profile TURN. */
struct speedscope_path {
	uint32_t node, turn;
};

struct speedscope {
	struct input *in;
	struct collapse *c;
	struct json_profile file;
	struct tree stacks;	       /* frames are the four bytes of their number */
	struct speedscope_path *paths; /* of stacks */
	uint32_t *climb;
	size_t climb_cap;
	uint32_t *frames; /* names in the sink */
	size_t frame_n, frame_cap;
	struct speedscope_profile *profiles;
	size_t n, cap;
	bool several_units;
};

/* The number of the innermost frame of STACK. */
uint32_t speedscope_frame(const struct speedscope *r, uint32_t stack);

/* Pours profile NUMBER into the sink. */
void speedscope_fold(struct speedscope *r, size_t number);

#endif
