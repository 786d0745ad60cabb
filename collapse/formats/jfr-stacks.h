/* SPDX-License-Identifier: ISC */
/*
 * Stacks of a chunk of Java Flight Recorder to nodes of the sink. Each stack is decoded
 * once a chunk, and found by its frames where a chunk before had it; what comes for
 * each event is one look.
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
#include "stacks/idmap.h"

/* Where an event happened: keys of the chunk's constants. */
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

/* A stack of the chunk that was decoded. */
struct jfr_decoded {
	struct str_digest digest; /* of its frames */
	size_t first;		  /* of jfr_stacks.ids */
	uint32_t n;
	bool truncated, bad;
};

struct jfr_stacks {
	struct collapse *c;	  /* not owned */
	struct jfr_chunk *k;	  /* not owned */
	struct frame_names stack; /* under way */
	struct buf pid;		  /* of the program; empty: not known */
	struct buf tid, name;
	struct jfr_found *found;
	unsigned restarts;  /* of the sink, when the nodes were found */
	struct cache nodes; /* of the digest of a stack, and a root */

	/* Of one chunk. */
	struct idmap frames; /* of a method, how it ran and a line: to a name and 1 */
	struct idmap roots;  /* of a thread: to a node and 1 */
	struct jfr_decoded *decoded;
	size_t decoded_n, decoded_cap;
	uint32_t *ids;
	size_t id_n, id_cap;
	bool native_is_c;    /* native frames are no methods of Java: async-profiler */
	uint32_t frame_type; /* of the frames of a stack; and places of fields */
	uint32_t truncated_at, frames_at, method_at, code_at, line_at;
};

/* Prepares T for stacks of chunks that are read into K. */
void jfr_stacks_init(struct jfr_stacks *t, struct collapse *c, struct jfr_chunk *k);
void jfr_stacks_release(struct jfr_stacks *t);

/* Begins a chunk, which was read. */
void jfr_stacks_begin(struct jfr_stacks *t);

/* The node for a sample at PLACE, and whether its stack is truncated: borrowed until the
 * next call. The node is TREE_ROOT when there is no frame, COLLAPSE_NOWHERE when they cannot
 * be known. */
const struct jfr_found *jfr_stacks_find(
	struct jfr_stacks *t, const struct jfr_place *place, struct collapse_sample *s);

#endif
