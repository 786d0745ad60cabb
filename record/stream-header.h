/* SPDX-License-Identifier: ISC */
/*
 * What stands before the records: the magic of pipe mode, the events with their ids
 * and names, and what is known of the machine and the command.
 * (tools/perf/Documentation/perf.data-file-format.txt of the kernel)
 */
#ifndef STREAM_HEADER_H
#define STREAM_HEADER_H

#include "buf.h"

#include <linux/perf_event.h>

/* An event of a recording; all of it is borrowed. */
struct stream_event {
	const struct perf_event_attr *attr;
	struct str name;
	const uint64_t *ids;
	size_t n;
	size_t members; /* of the group that it leads, itself included; else 0 */
};

struct stream_header {
	const struct stream_event *events;
	size_t n;
	char **argv; /* the command line */
	int argc;
};

/* Adds all of that to B. */
void stream_header_put(struct buf *b, const struct stream_header *h);

#endif
