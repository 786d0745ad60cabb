/* SPDX-License-Identifier: ISC */
/*
 * A perf.data recording as a run of records in the order of their times:
 * file or pipe mode, plain or compressed, either byte order. (Linux:
 * tools/perf/Documentation/perf.data-file-format.txt, tools/lib/perf/include/
 * perf/event.h, include/uapi/linux/perf_event.h.)
 *
 * Records are put in order within finished rounds, as perf does: what a round
 * has is given out when the round after it is finished. So no more than two
 * rounds are ever held, of a file as of a pipe.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>

#include "input.h"
#include "recording.h"
#include "str.h"

/* Whether HEAD begins a perf.data recording, be it one that reader_run refuses
 * with a hint. */
bool reader_knows(struct str head);

/* Gives the records of IN to H. False, after a message, when IN is not perf.data
 * as a whole, or of a kind that cannot be read (a message says what to do). A
 * cut or damaged recording gives what it has, and bad is called. */
bool reader_run(struct input *in, const struct recording_handler *h);

#endif
