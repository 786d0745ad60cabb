/* SPDX-License-Identifier: ISC */
/* What a picture shows, in words. */
#ifndef CAPTIONS_H
#define CAPTIONS_H

#include "picture.h"

/* Adds the line under the title: total, samples, and where they come from. */
void captions_put_line(struct buf *b, const struct picture *p);

/* Adds sentences for who does not see the picture. */
void captions_put_description(struct buf *b, const struct picture *p);

/* Adds how much of the weight before belongs to frames that are not drawn since
 * they have none after; nothing when there is no such frame. */
void captions_put_vanished(struct buf *b, const struct picture *p);

/* Whether the line under the title says that the stacks are poor. */
bool captions_are_poor(const struct picture *p);

#endif
