/* SPDX-License-Identifier: ISC */
/*
 * A chunk of a Java Flight Recorder file, version 2: its header, the types that its
 * metadata describes, its pools of constants and the values in it (OpenJDK,
 * src/hotspot/share/jfr/recorder/repository/jfrChunkWriter.cpp and
 * src/jdk.jfr/share/classes/jdk/jfr/internal/consumer; async-profiler,
 * src/jfrMetadata.cpp):
 *
 *	header		"FLR\0", version, offsets of the metadata and the last checkpoint
 *	events		size, type, fields; one of them is the metadata
 *	checkpoints	events that hold constants, chained by offsets from the last on
 *
 * All numbers of a type or a constant hold in one chunk only. What a value looks like
 * the types alone say: writers have fields of their own, in an order of their own.
 */
#ifndef JFR_CHUNK_H
#define JFR_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "bytes.h"
#include "stacks/idmap.h"
#include "str.h"

enum { JFR_HEADER_SIZE = 68 };

/* The header of a chunk. */
struct jfr_header {
	uint16_t major, minor;
	uint64_t size, checkpoint, metadata; /* offsets from the chunk's beginning */
	uint64_t start, start_ticks;	     /* ns since 1970, and in ticks */
	uint64_t ticks_per_second;
	uint8_t generation; /* 0: complete */
	bool compressed;    /* integers are */
};

/* Reads the header that BYTES begin with; false when they are none. */
bool jfr_chunk_header(struct str bytes, struct jfr_header *h);

enum jfr_kind { JFR_STRUCT, JFR_BYTE, JFR_INT, JFR_FLOAT, JFR_DOUBLE, JFR_STRING };

/* What a field of numbers counts in, by its annotation. */
enum jfr_span { JFR_TICKS, JFR_NS, JFR_US, JFR_MS, JFR_SECONDS };

struct jfr_field {
	struct str name;
	uint32_t type; /* a place in jfr_chunk.types */
	bool is_int;   /* a value is one compressed integer */
	bool array;
	bool constant; /* a key of the pool of its type */
	enum jfr_span span;
};

struct jfr_type {
	uint64_t id;
	struct str name;
	uint32_t first, n; /* of jfr_chunk.fields */
	enum jfr_kind kind;
	bool empty;    /* its values take no bytes */
	bool bad;      /* it holds itself, or too many within one another */
	bool ints;     /* each field is one compressed integer */
	uint8_t level; /* how many lie within one another; 0: not known yet */
};

/* The pools that are read; those of other types are passed over. */
enum jfr_pool {
	JFR_STRINGS,
	JFR_SYMBOLS,
	JFR_CLASSES,
	JFR_METHODS,
	JFR_STACKS,
	JFR_THREADS,
	JFR_FRAME_TYPES,
	JFR_STATES,
	JFR_POOLS
};

/* A constant: where its bytes are, and a number that the reader keeps for it. */
struct jfr_constant {
	uint32_t at;
	uint32_t memo; /* 0 at first */
};

struct jfr_chunk {
	struct jfr_header header;
	struct str bytes; /* of all of it; not owned */
	struct jfr_type *types;
	size_t type_n, type_cap;
	struct jfr_field *fields;
	size_t field_n, field_cap;
	struct idmap type_ids;	/* to a place in types, and 1 */
	uint32_t of[JFR_POOLS]; /* the type of each pool's constants */
	bool has[JFR_POOLS];	/* whether there is one */
	struct jfr_constant *constants;
	size_t constant_n, constant_cap;
	struct idmap keys;  /* of a pool: to a place in constants, and 1 */
	struct arena arena; /* texts that had to be decoded */
	const char *why;    /* it cannot be read, or NULL */
};

void jfr_chunk_release(struct jfr_chunk *k);

/* Reads the types and pools of the chunk BYTES with the header H, in place of what K
 * had. False when it is damaged, and K says why. */
bool jfr_chunk_read(struct jfr_chunk *k, const struct jfr_header *h, struct str bytes);

/* The place of the type ID in the types of K, or JFR_NONE. */
#define JFR_NONE UINT32_MAX
uint32_t jfr_chunk_type(const struct jfr_chunk *k, uint64_t id);

/* The constant KEY of POOL, or NULL. */
struct jfr_constant *jfr_chunk_constant(
	const struct jfr_chunk *k, enum jfr_pool pool, uint64_t key);

/* A cursor at the value of CONSTANT. */
struct bytes jfr_chunk_value(const struct jfr_chunk *k, const struct jfr_constant *c);

/* The place of the field NAME in the type TYPE, or JFR_NONE. */
uint32_t jfr_chunk_field(const struct jfr_chunk *k, uint32_t type, const char *name);

/* Moves B, which is at a value of TYPE, to the field at PLACE in it; B is bad when that
 * is JFR_NONE. */
void jfr_chunk_seek(
	const struct jfr_chunk *k, struct bytes *b, uint32_t type, uint32_t place);

/* Takes a number of the field F, which is no compressed integer: a bool, or a fraction, which is
 * rounded. What is none is passed over, and 0. */
uint64_t jfr_chunk_other(
	const struct jfr_chunk *k, struct bytes *b, const struct jfr_field *f);

/* Takes a string, as UTF-8; empty for null. Borrowed from the chunk or K. */
struct str jfr_chunk_string(struct jfr_chunk *k, struct bytes *b);

/* The string or symbol in the field NAME of the constant KEY of POOL; empty when there is
 * none. */
struct str jfr_chunk_text(
	struct jfr_chunk *k, enum jfr_pool pool, uint64_t key, const char *name);

/* The same as jfr_chunk_int for one of several bytes. */
uint64_t jfr_chunk_long(struct bytes *b);

/* A compressed integer: up to 9 bytes of 7 bits, the lowest first; the ninth has 8. */
static inline uint64_t
jfr_chunk_int(struct bytes *b)
{
	int next = bytes_peek(b);

	return next >= 0 && next < 0x80 ? bytes_u8(b) : jfr_chunk_long(b);
}

/* Takes a number of the field F. */
static inline uint64_t
jfr_chunk_number(const struct jfr_chunk *k, struct bytes *b, const struct jfr_field *f)
{
	return f->is_int ? jfr_chunk_int(b) : jfr_chunk_other(k, b, f);
}

#endif
