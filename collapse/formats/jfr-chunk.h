/* SPDX-License-Identifier: ISC */
/*
 * A chunk of a Java Flight Recorder file, version 2: its header, the types in its metadata, its
 * constant pools and its values (OpenJDK,
 * src/hotspot/share/jfr/recorder/repository/jfrChunkWriter.cpp and
 * src/jdk.jfr/share/classes/jdk/jfr/internal/consumer; async-profiler, src/jfrMetadata.cpp):
 *
 *	header		"FLR\0", version, offsets of the metadata and the last checkpoint
 *	events		size, type, fields; one of them is the metadata
 *	checkpoints	events with constants, chained by offsets from the last one on
 *
 * Ids of types and constants are valid within their chunk only. Only the types define the layout of
 * values: writers may add and reorder fields.
 */
#ifndef JFR_CHUNK_H
#define JFR_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "bytes.h"
#include "idmap.h"
#include "str.h"

enum { JFR_HEADER_SIZE = 68 };

struct jfr_header {
	uint16_t major, minor;
	uint64_t size, checkpoint, metadata; /* offsets from the chunk's beginning */
	uint64_t start, start_ticks;	     /* ns since 1970, and ticks */
	uint64_t ticks_per_second;
	uint8_t generation; /* 0: complete */
	bool compressed;    /* integers are compressed */
};

/* Reads the header at the start of BYTES. Returns false if there is none. */
bool jfr_chunk_header(struct str bytes, struct jfr_header *h);

enum jfr_kind { JFR_STRUCT, JFR_BYTE, JFR_INT, JFR_FLOAT, JFR_DOUBLE, JFR_STRING };

/* The unit of a numeric field, from its annotation. */
enum jfr_span { JFR_TICKS, JFR_NS, JFR_US, JFR_MS, JFR_SECONDS };

struct jfr_field {
	struct str name;
	uint32_t type; /* index in jfr_chunk.types */
	bool is_int;   /* a value is one compressed integer */
	bool array;
	bool constant; /* a key into the pool of its type */
	enum jfr_span span;
};

struct jfr_type {
	uint64_t id;
	struct str name;
	uint32_t first, n; /* in jfr_chunk.fields */
	enum jfr_kind kind;
	bool empty;    /* its values take no bytes */
	bool bad;      /* contains itself, or is nested too deep */
	bool ints;     /* each field is one compressed integer */
	uint8_t level; /* depth of nested types; 0: not known yet */
};

/* The pools that are kept; others are skipped. */
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

/* A constant: the offset of its bytes, and a number for the caller. */
struct jfr_constant {
	uint32_t at;
	uint32_t memo; /* 0 at first */
};

struct jfr_chunk {
	struct jfr_header header;
	struct str bytes; /* the whole chunk; borrowed */
	struct jfr_type *types;
	size_t type_n, type_cap;
	struct jfr_field *fields;
	size_t field_n, field_cap;
	struct idmap type_ids;	/* to 1 + index in types */
	uint32_t of[JFR_POOLS]; /* type of each pool's constants */
	bool has[JFR_POOLS];	/* whether the chunk has that type */
	struct jfr_constant *constants;
	size_t constant_n, constant_cap;
	struct idmap keys;  /* by pool: to 1 + index in constants */
	struct arena arena; /* decoded texts */
	const char *why;    /* why the chunk cannot be read, or NULL */
};

void jfr_chunk_release(struct jfr_chunk *k);

/* Reads the types and pools of the chunk BYTES with the header H into K, replacing the previous
 * chunk. K borrows BYTES. Returns false if it is damaged, with the reason in K->why. */
bool jfr_chunk_read(struct jfr_chunk *k, const struct jfr_header *h, struct str bytes);

/* Returns the index of the type ID in K->types, or JFR_NONE. */
#define JFR_NONE UINT32_MAX
uint32_t jfr_chunk_type(const struct jfr_chunk *k, uint64_t id);

/* Returns the constant KEY of POOL, or NULL. K owns it. */
struct jfr_constant *jfr_chunk_constant(
	const struct jfr_chunk *k, enum jfr_pool pool, uint64_t key);

/* Returns a cursor at the value of C. */
struct bytes jfr_chunk_value(const struct jfr_chunk *k, const struct jfr_constant *c);

/* Returns the index of the field NAME in TYPE, or JFR_NONE. */
uint32_t jfr_chunk_field(const struct jfr_chunk *k, uint32_t type, const char *name);

/* Moves B from the start of a value of TYPE to its field at PLACE. B is bad if PLACE is
 * JFR_NONE. */
void jfr_chunk_seek(
	const struct jfr_chunk *k, struct bytes *b, uint32_t type, uint32_t place);

/* Reads a field F that is not a compressed integer: a boolean, or a floating-point number, which is
 * rounded. Any other value is skipped, and gives 0. */
uint64_t jfr_chunk_other(
	const struct jfr_chunk *k, struct bytes *b, const struct jfr_field *f);

/* Reads a string, as UTF-8; empty for null. Borrowed from the chunk or K. */
struct str jfr_chunk_string(struct jfr_chunk *k, struct bytes *b);

/* Returns the string or symbol in the field NAME of the constant KEY of POOL; empty if there is
 * none. Borrowed like jfr_chunk_string's. */
struct str jfr_chunk_text(
	struct jfr_chunk *k, enum jfr_pool pool, uint64_t key, const char *name);

/* Like jfr_chunk_int, for integers of several bytes. */
uint64_t jfr_chunk_long(struct bytes *b);

/* Reads a compressed integer: up to 9 bytes of 7 bits, lowest first; the ninth has 8. */
static inline uint64_t
jfr_chunk_int(struct bytes *b)
{
	int next = bytes_peek(b);

	return next >= 0 && next < 0x80 ? bytes_u8(b) : jfr_chunk_long(b);
}

/* Reads a numeric field F. */
static inline uint64_t
jfr_chunk_number(const struct jfr_chunk *k, struct bytes *b, const struct jfr_field *f)
{
	return f->is_int ? jfr_chunk_int(b) : jfr_chunk_other(k, b, f);
}

#endif
