/* SPDX-License-Identifier: ISC */
/* What becomes of JSON that is damaged: what came before the damage counts. */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse.h"
#include "pull.h"

/* What the run of a format returns when P has come to its end and C had BEFORE
 * samples when it began: false when the text is damaged and gave no sample. That
 * it ends too soon is told here, and counted as a loss. */
bool verdict_of(const struct pull *p, struct collapse *c, uint64_t before);

#endif
