/* SPDX-License-Identifier: ISC */
/* What each kind of step does to one stack. Only filter.c uses it. */
#ifndef FILTER_STEP_H
#define FILTER_STEP_H

#include "filter.h"

/* The frame of a stack of which a step has left none. */
#define FILTER_HIDDEN "[hidden]"

/* A stack on its way through the steps. */
struct filter_stack {
	uint32_t *frames; /* ids of NAMES, root first */
	size_t n;
	struct intern *names;
};

/* Changes ST as the step S of F does, which is none of FILTER_SHARE. False when it is
 * filtered out. A stack never becomes longer. */
bool filter_step_take(struct filter *f, struct filter_step *s, struct filter_stack *st);

#endif
