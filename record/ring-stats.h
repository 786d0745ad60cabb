/* SPDX-License-Identifier: ISC */
/* What passes through the rings: samples, lost records, files without a build id, new processes. */
#ifndef RING_STATS_H
#define RING_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "buildid.h"
#include "ring.h"

struct ring_stats {
	uint64_t samples;
	uint64_t lost; /* records, as the kernel told between others */
	struct buildids *buildids;
	struct runtimes *runtimes; /* gets the processes; or NULL */
};

/* Counts record R. */
void ring_stats_add(struct ring_stats *t, const struct ring_record *r);

#endif
