/* SPDX-License-Identifier: ISC */
/*
 * Reads a perf.data recording as records in order of time: file or pipe mode, plain or
 * compressed, either byte order. (Linux:
 * tools/perf/Documentation/perf.data-file-format.txt, tools/lib/perf/include/
 * perf/event.h, include/uapi/linux/perf_event.h.)
 *
 * Records are sorted within finished rounds, as perf does: a round is delivered when
 * the next one is finished. So at most two rounds are held, for files and pipes.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>

#include "input.h"
#include "recording.h"
#include "str.h"

/* Whether HEAD begins a perf.data recording, even one that reader_run refuses with a
 * hint. */
bool reader_knows(struct str head);

/* Passes the records of IN to H. Returns false, after a message, if IN is not perf.data
 * at all, or of an unsupported kind (the message suggests a remedy). A truncated or
 * damaged recording yields its intact records, and bad is called. */
bool reader_run(struct input *in, const struct recording_handler *h);

#endif
