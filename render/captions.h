/* SPDX-License-Identifier: ISC */
/* A description of the picture in words. */
#ifndef CAPTIONS_H
#define CAPTIONS_H

#include "picture.h"

/* Adds the line under the title: total, samples, and their source. */
void captions_put_line(struct buf *b, const struct picture *p);

/* Adds sentences for people who cannot see the picture. */
void captions_put_description(struct buf *b, const struct picture *p);

/* Adds how much of the weight before belongs to removed frames that are not drawn; nothing when
 * there are none. */
void captions_put_vanished(struct buf *b, const struct picture *p);

/* Whether the line under the title says that the stacks are poor. */
bool captions_are_poor(const struct picture *p);

#endif
