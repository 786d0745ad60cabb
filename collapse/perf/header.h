/* SPDX-License-Identifier: ISC */
/*
 * The header of a recording. A pipe has a magic number and a size of 16, and
 * all else in records. A file:
 *
 *	0   char magic[8]	"PERFILE2", or "2ELIFREP" in the other byte order
 *	8   u64 size		104
 *	16  u64 attr_size	of an attr and its section of ids
 *	24  section attrs	section: u64 offset, u64 size
 *	40  section data	size 0: perf record was killed
 *	56  section event_types
 *	72  u64 features[4]	bits; a section for each that is set follows data
 */
#ifndef HEADER_H
#define HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "event-attr.h"
#include "input.h"
#include "reader.h"
#include "record.h"
#include "str.h"

struct header_section {
	uint64_t offset, size;
};

struct header {
	struct input *in;
	struct str whole; /* of an input that can only be read in order */
	bool swap, pipe;
	uint64_t size, attr_size;
	struct header_section attrs, data;
	uint64_t features[4];
	uint64_t ids; /* bytes of ids that may yet be read: sections may overlap */
};

/* Whether HEAD begins a recording, of any version. */
bool header_is(struct str head);

/* Reads the header of IN, which it stays before. False, after a message, when
 * there is none or it is of a kind that cannot be read. */
bool header_read(struct header *h, struct input *in);

/* Takes events, names and what else a file says of itself. False, after a
 * message, when it has no events. */
bool header_take(
	struct header *h, struct event_attr_set *set, struct reader_about *about);

/* Gives the build ids of a file to RUN's handler. */
void header_build_ids(struct header *h, struct record_run *run);

#endif
