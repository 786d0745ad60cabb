/* SPDX-License-Identifier: ISC */
/*
 * Places in programs, as pprof's profile.proto has them and OpenTelemetry took them over: a
 * location is an address in a mapping, and a line for each function there, innermost first, since
 * functions are inlined. Mappings, functions and texts are tables of their own. A location
 * without lines gets its names from the file that was mapped.
 *
 * Items refer to others by place; a place where there is nothing is a thing not known.
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

/* The fields that are texts are places in texts, of which 0 is empty. */
struct location_mapping {
	uint64_t start, limit; /* in memory */
	uint64_t offset;       /* of START in the file */
	uint64_t file, build_id;
	bool nameless; /* locations.c's: a function there has no name */
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

	/* The rest is locations.c's. */
	bool named;
	size_t id, id_n;
};

/* A place on a path, and the node of the stack up to there. */
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
	uint32_t *ids; /* names of frames, those of each item behind one another */
	size_t id_n, id_cap;
	struct location_step *steps; /* of the last path, outermost first */
	size_t step_n, step_cap;
	uint32_t *path, *nodes; /* names, innermost first, and where they lead to */
	size_t path_n, path_cap, node_cap;
	uint32_t root;
};

void locations_init(struct locations *l, struct collapse *c, struct input *in);
void locations_release(struct locations *l);

/* Add a thing; all that it refers to may come later. */
void locations_add_mapping(struct locations *l, const struct location_mapping *m);
void locations_add_function(struct locations *l, const struct location_function *f);
void locations_add(struct locations *l, const struct location *location);

/* Adds a line to the location that is added next, whose line is the line_n of before the first. */
void locations_add_line(struct locations *l, const struct location_line *line);

/* The text at I; empty when there is none. Borrowed until the next is added. */
struct str locations_text(const struct locations *l, uint64_t i);

/* The node below ROOT of the stack of the N PLACES of locations, innermost first; COLLAPSE_NOWHERE
 * when there is none at one of them, TREE_ROOT for an empty one. To be called when all tables are
 * complete. */
uint32_t locations_path(
	struct locations *l, uint32_t root, const uint64_t *places, size_t n);

/* Gives S, of a process or thread without a name, the name of the program, the first mapping,
 * where --by asks for processes or threads. */
void locations_name_thread(const struct locations *l, struct collapse_sample *s);

/* Tells the sink why frames have no names. To be called once, at the end. */
void locations_explain(struct locations *l);

#endif
