/* SPDX-License-Identifier: ISC */
/* The table of the targets of fg-export; targets.def has the rows. */
#ifndef TARGETS_H
#define TARGETS_H

#include "export.h"

struct target {
	const char *name, *about;
	const struct export_target *target;
};

/* All, up to one without a name. */
extern const struct target targets[];

/* That of NAME; NULL when there is none. */
const struct target *targets_find(struct str name);

#endif
