/* SPDX-License-Identifier: ISC */
/* What text that a program wrote must be, whatever it read. */
#ifndef TEXT_CHECK_H
#define TEXT_CHECK_H

#include <stdbool.h>

#include "str.h"

/* Whether TEXT is UTF-8 with nothing that a terminal would obey but line feeds and, if there may be
 * TABS, these. */
bool text_check_harmless(struct str text, bool tabs);

/* Whether TEXT is one object of JSON, and no more. */
bool text_check_json(struct str text);

#endif
