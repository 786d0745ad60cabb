/* SPDX-License-Identifier: ISC */
/*
 * Whether a document is well formed, as far as our writer can get it wrong:
 * UTF-8 of characters that XML allows, tags that nest, quoted attributes with
 * names that do not repeat, entities that are known, comments and CDATA that end where
 * they should. Stricter than XML: no DOCTYPE, no processing instruction but
 * the first line.
 */
#ifndef XML_CHECK_H
#define XML_CHECK_H

#include "str.h"

/* NULL when TEXT is well formed, else what is wrong. Static. */
const char *xml_check(struct str text);

#endif
