/* SPDX-License-Identifier: ISC */
/* Frames as valgrind's tools write them. */
#ifndef VALGRIND_FRAME_H
#define VALGRIND_FRAME_H

#include <stdbool.h>

#include "stacks/frame-names.h"

/* The parts of "0x109366: store::make_list(int) (heap.cpp:11)", or "0x49047B9: ??? (in
 * /usr/lib/libstdc++.so.6)"; the source line with SRCLINE only. */
struct frame_names_symbol valgrind_frame_cut(struct str text, bool srcline);

#endif
