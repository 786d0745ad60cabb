/* SPDX-License-Identifier: ISC */
/* What an input is that no format wants. */
#ifndef REFUSAL_H
#define REFUSAL_H

#include "str.h"

/* A text that says what HEAD, the beginning of an input, is and what to do
 * ("is an ELF program, not a profile; ..."). Static. */
const char *refusal_text(struct str head);

#endif
