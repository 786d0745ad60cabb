/* SPDX-License-Identifier: ISC */
/*
 * A profile of V8: a tree of calls whose nodes have numbers, and samples that name
 * nodes of it. Nodes name their parent, or their children, or hold them.
 *
 *	{"nodes":[{"id":4,"callFrame":{"functionName":"f","url":"file:///a/b.js",
 *	  "lineNumber":12},"hitCount":3,"children":[5,6]},...],
 *	 "startTime":1000,"endTime":9000,"samples":[5,5,4],"timeDeltas":[1200,1050,1100]}
 *
 * The first delta is the time from the start to the first sample, the second
 * that from the first to the second: a sample lasts until the next one, the
 * last one until the end. All are us.
 *
 * https://chromedevtools.github.io/devtools-protocol/tot/Profiler/
 */
#ifndef V8_PROFILE_H
#define V8_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "intern.h"
#include "readers/json-columns.h"
#include "readers/json-read.h"
#include "stacks/stack-table.h"

/* No node, and no number of a node. */
#define V8_NONE	 STACK_EMPTY /* where a parent is meant */
#define V8_NO_ID INT32_MIN

/* What a node is. */
enum v8_kind {
	V8_CALL,
	V8_NOTHING,  /* (root), (idle): no frame */
	V8_PROGRAM,  /* (program): something that is not JavaScript */
	V8_COLLECTOR /* (garbage collector) */
};

struct v8_node {
	uint32_t name;	    /* of the frame: an id of the sink */
	uint32_t parent;    /* a node or V8_NONE */
	int32_t parent_id;  /* or V8_NO_ID; before v8_tree_link */
	int32_t id;	    /* or V8_NO_ID */
	unsigned char kind; /* enum v8_kind */
	uint64_t weight;    /* hitCount, or bytes */
	uint64_t count;	    /* samples of these bytes; 0: not told */
};

/* The node NODE has a child with the number ID. */
struct v8_link {
	uint32_t node;
	int32_t id;
};

/* A zeroed tree is empty. */
struct v8_tree {
	struct v8_node *nodes;
	size_t n, cap;
	struct v8_link *links;
	size_t link_n, link_cap;
	uint32_t *small; /* nodes or V8_NONE of the numbers below small_n */
	int32_t small_n;
	struct intern ids; /* the bytes of an int32_t: the numbers that are not small */
	uint32_t *by_id;   /* nodes or V8_NONE, in the order of ids */
	size_t by_id_cap;
	struct stack_table stacks; /* of the nodes, after v8_tree_link */
};

void v8_tree_release(struct v8_tree *t);

/* Takes the node that P comes to, and those below it. */
void v8_tree_read(struct v8_tree *t, struct json_reader *p, struct collapse *c);

/* Adds a node with the frame NAME. */
void v8_tree_add(struct v8_tree *t, uint32_t name, int32_t id, int32_t parent_id);

/* Finds parents and children by their numbers; to be called once, when T has
 * all of its nodes. How many were not found. */
uint64_t v8_tree_link(struct v8_tree *t);

/* The node with ID, or V8_NONE. */
uint32_t v8_tree_find(struct v8_tree *t, int32_t id);

/* The node of the sink that is the stack of NODE below ROOT; STACK_NOWHERE when the
 * callers go in a circle. For a node that is no frame, the stack of its caller. */
uint32_t v8_tree_path(
	struct v8_tree *t, struct collapse *c, uint32_t root, uint32_t node);

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
void v8_profile_fold(struct v8_profile *v, struct collapse *c, struct collapse_sample s);

#endif
