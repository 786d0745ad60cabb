/* SPDX-License-Identifier: ISC */
/*
 * Whether a document is well formed, as far as our writer can get it wrong: UTF-8 of
 * characters that XML allows, nested tags, quoted attributes with unique names, known
 * entities, terminated comments and CDATA. Stricter than XML: no DOCTYPE, and the first
 * line as the only processing instruction.
 */
#ifndef XML_CHECK_H
#define XML_CHECK_H

#include "str.h"

/* NULL if TEXT is well formed, else a static message. */
const char *xml_check(struct str text);

#endif
