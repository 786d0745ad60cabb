/* SPDX-License-Identifier: ISC */
/*
 * A tree of calls whose nodes have numbers, as V8 writes it and tools after
 * it: nodes name their parent, or their children, or hold them.
 *
 *	{"id":4,"callFrame":{"functionName":"f","url":"file:///a/b.js",
 *	 "lineNumber":12},"hitCount":3,"children":[5,6]}
 *
 * https://chromedevtools.github.io/devtools-protocol/tot/Profiler/
 */
#ifndef V8_TREE_H
#define V8_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "intern.h"
#include "json-read.h"

/* No node, and no number of a node. */
#define V8_NONE	 UINT32_MAX
#define V8_NO_ID INT32_MIN

/* What a node is. */
enum v8_kind {
	V8_CALL,
	V8_NOTHING,  /* (root), (idle): no frame */
	V8_PROGRAM,  /* (program): something that is not JavaScript */
	V8_COLLECTOR /* (garbage collector) */
};

struct v8_node {
	uint32_t name;	   /* of the frame: an id of the sink */
	uint32_t parent;   /* a node or V8_NONE */
	int32_t parent_id; /* or V8_NO_ID; before v8_tree_link */
	uint32_t path;	   /* its stack, once it was asked for in TURN */
	uint32_t turn;
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
	uint32_t *climb;
	size_t climb_cap;
	uint32_t turn;
};

void v8_tree_release(struct v8_tree *t);

/* Takes the node that P comes to, and those below it. */
void v8_tree_read(struct v8_tree *t, struct json_reader *p, struct collapse *c);

/* Takes an array of nodes. */
void v8_tree_read_all(struct v8_tree *t, struct json_reader *p, struct collapse *c);

/* Adds a node with the frame NAME. */
void v8_tree_add(struct v8_tree *t, uint32_t name, int32_t id, int32_t parent_id);

/* Moves the nodes of MORE to the end of T. */
void v8_tree_move(struct v8_tree *t, struct v8_tree *more);

/* Finds parents and children by their numbers; to be called once, when T has
 * all of its nodes. How many were not found. */
uint64_t v8_tree_link(struct v8_tree *t);

/* The node with ID, or V8_NONE. */
uint32_t v8_tree_find(struct v8_tree *t, int32_t id);

/* To be called when v8_tree_path is to have another ROOT than before. */
void v8_tree_turn(struct v8_tree *t);

/* The node of the sink that is the stack of NODE below ROOT; V8_NONE when the
 * callers go in a circle. For a node that is no frame, the stack of its caller. */
uint32_t v8_tree_path(
	struct v8_tree *t, struct collapse *c, uint32_t root, uint32_t node);

#endif
