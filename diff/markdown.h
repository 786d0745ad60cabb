/* SPDX-License-Identifier: ISC */
/* Markdown for GitHub and GitLab. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include "buf.h"

/* Adds TEXT, which may hold any bytes, as code that can stand in a table: invisible characters are
 * replaced by a mark. */
void markdown_put_code(struct buf *b, struct str text);

#endif
