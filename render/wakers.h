/* SPDX-License-Identifier: ISC */
/*
 * Chain graphs: stacks of a blocked thread with, after a frame "--", those of
 * the thread that woke it, and so on. So that a waker looks like one, its
 * frames get the annotation _[w], as flamegraph.pl gives it to them.
 */
#ifndef WAKERS_H
#define WAKERS_H

#include "tree.h"

/* Annotates every frame of T above a "--". Paths stay distinct, but tree_child
 * does not find those of T afterwards. */
void wakers_annotate(struct tree *t);

#endif
