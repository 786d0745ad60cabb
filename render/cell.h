/* SPDX-License-Identifier: ISC */
/*
 * Names in the cells of tables, which people open in spreadsheets. A cell is one line of visible
 * characters (utf8_is_visible; U+FFFD stands for others). One that a spreadsheet would take for a
 * formula, since it begins with = + - @ or their wide forms, maybe behind spaces, gets a "'" before
 * it, as OWASP advises (CSV Injection), and so does one that begins with "'" and these: to have the
 * name, take one "'" away where behind it, or behind more of them, such a character stands.
 */
#ifndef CELL_H
#define CELL_H

#include "buf.h"

/* Adds TEXT as a cell of TSV. */
void cell_put_tsv(struct buf *b, struct str text);

/* Adds TEXT as a cell of CSV: RFC 4180, in quotes where it needs them, also where a spreadsheet
 * that separates cells by ';' would find a formula. */
void cell_put_csv(struct buf *b, struct str text);

#endif
