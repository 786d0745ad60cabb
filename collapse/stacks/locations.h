/* SPDX-License-Identifier: ISC */
/*
 * Places in programs, as in pprof's profile.proto and in OpenTelemetry, which adopted
 * them: a location is an address in a mapping, with a line for each function there,
 * innermost first, as functions may be inlined. Mappings, functions and texts have tables
 * of their own. A location without lines gets its names from the mapped file.
 *
 * Items refer to others by index; an index out of range means unknown.
 */
#ifndef LOCATIONS_H
#define LOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "input.h"
#include "readers/json-columns.h"
#include "libraries.h"

/* file and build_id are indices in texts, whose element 0 is empty. */
struct location_mapping {
	uint64_t start, limit; /* in memory */
	uint64_t offset;       /* of START in the file */
	uint64_t file, build_id;
	bool nameless; /* used by locations.c: a function there has no name */
};

struct location_function {
	uint64_t name, system_name, file;
};

struct location_line {
	uint64_t function, line;
};

struct location {
	uint64_t address, mapping;
	size_t line, line_n;
	unsigned kind; /* COLLAPSE_KERNEL, COLLAPSE_JIT */

	/* Used by locations.c. */
	bool named;
	size_t id, id_n;
};

/* A place on a path, and the node of the stack up to it. */
struct location_step {
	uint64_t place;
	uint32_t node;
};

/* Prepared by locations_init; formats append to the tables. */
struct locations {
	struct collapse *c; /* not owned */
	struct libraries libraries;
	struct json_texts texts;
	struct location_mapping *mappings;
	size_t mapping_n, mapping_cap;
	struct location_function *functions;
	size_t function_n, function_cap;
	struct location_line *lines;
	size_t line_n, line_cap;
	struct location *items;
	size_t n, cap;
	uint32_t *ids; /* names of frames, contiguous for each item */
	size_t id_n, id_cap;
	struct location_step *steps; /* of the last path, outermost first */
	size_t step_n, step_cap;
	uint32_t *path, *nodes; /* names, innermost first, and their nodes */
	size_t path_n, path_cap, node_cap;
	uint32_t root;
};

void locations_init(struct locations *l, struct collapse *c, struct input *in);
void locations_release(struct locations *l);

/* Each appends an element; elements it refers to may be added later. */
void locations_add_mapping(struct locations *l, const struct location_mapping *m);
void locations_add_function(struct locations *l, const struct location_function *f);
void locations_add(struct locations *l, const struct location *location);

/* Appends a line for the location that is added next; that location's line is the line_n
 * before its first one. */
void locations_add_line(struct locations *l, const struct location_line *line);

/* Text I; empty if out of range. Borrowed until the next one is added. */
struct str locations_text(const struct locations *l, uint64_t i);

/* The node below ROOT of the stack of the N PLACES (locations), innermost first;
 * COLLAPSE_NOWHERE if one is undefined, TREE_ROOT without any. Call when all tables are
 * complete. */
uint32_t locations_path(
	struct locations *l, uint32_t root, const uint64_t *places, size_t n);

/* Names S, a process or thread without a name, after the program, which is the first
 * mapping, if --by asks for processes or threads. */
void locations_name_thread(const struct locations *l, struct collapse_sample *s);

/* Passes the reasons for missing names to the sink. Call once, at the end. */
void locations_explain(struct locations *l);

#endif
