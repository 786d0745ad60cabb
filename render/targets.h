/* SPDX-License-Identifier: ISC */
/* The table of fg-export's targets; its rows are in targets.def. */
#ifndef TARGETS_H
#define TARGETS_H

#include "export.h"

struct target {
	const char *name, *about;
	const struct export_target *target;
};

/* All targets; the last row has no name. */
extern const struct target targets[];

/* The target NAME; NULL if there is none. */
const struct target *targets_find(struct str name);

#endif
