/* SPDX-License-Identifier: ISC */
/* What lies behind the boxes of a picture: a colour, or a gradient of FlameGraph's. */
#ifndef BACKGROUND_H
#define BACKGROUND_H

#include "xml.h"

/* Whether NAME is a background: a gradient or a colour. */
bool background_is_known(struct str name);

/* Writes the element class="fg-bg". NAME is a background, or NULL for a plain one. */
void background_write(struct xml *x, const char *name);

#endif
