/* SPDX-License-Identifier: ISC */
/* Files of this folder that the build turns into arrays (see the Makefile). */
#ifndef EMBED_H
#define EMBED_H

#include <stddef.h>

extern const unsigned char embed_viewer_packed[];
extern const size_t embed_viewer_packed_size;
extern const unsigned char embed_unpack_js[];
extern const size_t embed_unpack_js_size;
extern const unsigned char embed_flame_css[];
extern const size_t embed_flame_css_size;

#endif
