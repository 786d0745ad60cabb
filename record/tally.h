/* SPDX-License-Identifier: ISC */
/* What passes through the rings: samples, lost records, files without a build id, new processes. */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "buildid.h"
#include "ring.h"

struct tally {
	uint64_t samples;
	uint64_t lost; /* records, as the kernel told between others */
	struct buildids *buildids;
	struct runtimes *runtimes; /* gets the processes; or NULL */
};

/* Counts record R. */
void tally_add(struct tally *t, const struct ring_record *r);

#endif
