/* SPDX-License-Identifier: ISC */
/*
 * What stands before the records: the magic of pipe mode, the events with their ids
 * and names, and what is known of the machine and the command.
 * (tools/perf/Documentation/perf.data-file-format.txt of the kernel)
 */
#ifndef STREAM_HEADER_H
#define STREAM_HEADER_H

#include "buf.h"
#include "perf-events.h"

/* Adds all of that to B. */
void stream_header_put(struct buf *b, const struct session *s);

#endif
