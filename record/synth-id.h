/* SPDX-License-Identifier: ISC */
/* What all records made here end in. */
#ifndef SYNTH_ID_H
#define SYNTH_ID_H

#include "synth.h"

/* Adds the sample_id of perf_event_open(2): thread, time, processor, event. */
void synth_put_id(struct synth *s, pid_t pid, pid_t tid);

#endif
