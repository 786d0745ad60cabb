/* SPDX-License-Identifier: ISC */
/*
 * Maps the stacks of a Java Flight Recorder chunk to nodes of the sink. Each stack is
 * decoded once per chunk, and found by its frames if an earlier chunk had it, so that an
 * event costs one lookup.
 */
#ifndef JFR_STACKS_H
#define JFR_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "stacks/cache.h"
#include "collapse.h"
#include "stacks/frame-names.h"
#include "jfr-chunk.h"
#include "idmap.h"

/* Where an event happened: constant-pool keys of the chunk. */
struct jfr_place {
	uint64_t stack, thread, of_class;
};

static inline uint64_t
jfr_stacks_hash(const struct jfr_place *p)
{
	return p->stack * 0x9e3779b97f4a7c15 ^
		(p->thread + p->of_class * 31) * 0xbf58476d1ce4e5b9;
}

/* A place whose node is known. */
struct jfr_found {
	struct jfr_place place;
	uint32_t node;
	bool known, truncated;
};

/* A decoded stack of the chunk. */
struct jfr_decoded {
	struct str_digest digest; /* of its frames */
	size_t first;		  /* in jfr_stacks.ids */
	uint32_t n;
	bool truncated, bad;
};

struct jfr_stacks {
	struct collapse *c;	  /* not owned */
	struct jfr_chunk *k;	  /* not owned */
	struct frame_names stack; /* current */
	struct buf pid;		  /* the program's; empty: unknown */
	struct buf tid, name;
	struct jfr_found *found;
	struct cache nodes; /* by the digest of a stack and its root */

	/* Of one chunk. */
	struct idmap frames; /* method, frame type and line to a name + 1 */
	struct idmap roots;  /* thread to a node + 1 */
	struct jfr_decoded *decoded;
	size_t decoded_n, decoded_cap;
	uint32_t *ids;
	size_t id_n, id_cap;
	bool native_is_c;    /* native frames are not Java methods: async-profiler */
	uint32_t frame_type; /* of a stack's frames; then places of fields */
	uint32_t truncated_at, frames_at, method_at, code_at, line_at;
};

/* Prepares T for stacks of the chunks that are read into K. */
void jfr_stacks_init(struct jfr_stacks *t, struct collapse *c, struct jfr_chunk *k);
void jfr_stacks_release(struct jfr_stacks *t);

/* Begins with the chunk that was read into K. */
void jfr_stacks_begin(struct jfr_stacks *t);

/* Returns the node for a sample at PLACE, and whether its stack is truncated; borrowed
 * until the next call. The node is TREE_ROOT without frames, COLLAPSE_NOWHERE if the
 * frames cannot be known. */
const struct jfr_found *jfr_stacks_find(
	struct jfr_stacks *t, const struct jfr_place *place, struct collapse_sample *s);

#endif
