/* SPDX-License-Identifier: ISC */
/*
 * The library, package, crate or namespace that a name belongs to, as far as the
 * name tells, and the heaviest of a profile.
 */
#ifndef PACKAGE_H
#define PACKAGE_H

#include "origin.h"

enum { PACKAGE_MOST = 11 };

/* The module of NAME, whose code is of ORIGIN; n is 0 when it tells none. A part
 * of NAME, or static. */
struct str package_of(struct str name, enum origin origin);

struct package_list {
	struct str names[PACKAGE_MOST]; /* the heaviest first */
	unsigned n;
	unsigned char *of; /* by name id: an index into names, or PACKAGE_MOST */
	struct intern all;
};

/* Lists the modules of T by the weight of all that they were called for. The
 * caller releases M. */
void package_list_init(
	struct package_list *m, const struct origin_how *how, const struct tree *t);
void package_list_release(struct package_list *m);

#endif
