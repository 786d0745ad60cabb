/* SPDX-License-Identifier: ISC */
/* Checks for output text, which must hold for any input. */
#ifndef TEXT_CHECK_H
#define TEXT_CHECK_H

#include <stdbool.h>

#include "str.h"

/* Whether TEXT is UTF-8 without terminal controls, except line feeds and, with TABS,
 * tabs. */
bool text_check_harmless(struct str text, bool tabs);

/* Whether TEXT is exactly one JSON object. */
bool text_check_json(struct str text);

#endif
