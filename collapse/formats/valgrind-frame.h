/* SPDX-License-Identifier: ISC */
/* Frames in the output of valgrind's tools. */
#ifndef VALGRIND_FRAME_H
#define VALGRIND_FRAME_H

#include "stacks/frame-names.h"

/* Splits "0x109366: store::make_list(int) (heap.cpp:11)", or "0x49047B9: ??? (in
 * /usr/lib/libstdc++.so.6)". */
struct frame_names_symbol valgrind_frame_cut(struct str text);

#endif
