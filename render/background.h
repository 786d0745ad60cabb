/* SPDX-License-Identifier: ISC */
/* The background of a picture: a colour, or one of FlameGraph's gradients. */
#ifndef BACKGROUND_H
#define BACKGROUND_H

#include "xml.h"

/* Whether NAME is a background: a gradient or a colour. */
bool background_is_known(struct str name);

/* Writes the element class="fg-bg". NAME is a background; NULL: the plain one. */
void background_write(struct xml *x, const char *name);

#endif
