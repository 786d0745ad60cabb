/* SPDX-License-Identifier: ISC */
/*
 * What the header of a recording says besides its events: sections at the end
 * of a file, HEADER_FEATURE and EVENT_UPDATE records of a pipe.
 * (tools/perf/Documentation/perf.data-file-format.txt)
 */
#ifndef FEATURE_H
#define FEATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "event-attr.h"
#include "bytes.h"
#include "reader.h"

enum {
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_PARTS = 24,
	FEATURE_COMPRESSED = 27
};

/* Whether feature_take does something with feature ID. */
bool feature_is_wanted(uint64_t id);

/* Takes feature ID, with the content B, to ABOUT and the names and ids of SET.
 * Text of ABOUT is owned by SET. Damaged content gives what can be read. */
void feature_take(struct event_attr_set *set, struct reader_about *about, uint64_t id,
	struct bytes b);

/* Takes an EVENT_UPDATE with the body B: the name of an event. False when it is
 * damaged. */
bool feature_update(struct event_attr_set *set, struct bytes b);

#endif
