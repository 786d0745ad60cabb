/* SPDX-License-Identifier: ISC */
/* Markdown, as GitHub and GitLab read it. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include "buf.h"

/* Adds TEXT, which may hold any bytes, as code that may stand in a table: what is not visible has
 * a mark. */
void markdown_put_code(struct buf *b, struct str text);

#endif
