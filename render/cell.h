/* SPDX-License-Identifier: ISC */
/*
 * Names as table cells, which people open in spreadsheets. A cell is one line of visible
 * characters (utf8_is_visible; others become U+FFFD). A cell that a spreadsheet would read as a
 * formula, because it begins with = + - @ or their wide forms, perhaps behind spaces, gets a
 * leading "'", as OWASP advises (CSV Injection); so does one that begins with "'" followed by
 * such a start. To restore the name, remove one leading "'" that is followed by such a
 * character or by more "'" and one.
 */
#ifndef CELL_H
#define CELL_H

#include "buf.h"

void cell_put_tsv(struct buf *b, struct str text);

/* Adds TEXT as a cell of CSV (RFC 4180), quoted if needed, also where a spreadsheet that
 * separates cells by ';' would find a formula. */
void cell_put_csv(struct buf *b, struct str text);

#endif
