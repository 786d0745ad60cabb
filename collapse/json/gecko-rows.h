/* SPDX-License-Identifier: ISC */
/*
 * Tables of Gecko profiles: rows, and a schema that tells the columns.
 *
 *	{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1],[1]]}
 */
#ifndef GECKO_ROWS_H
#define GECKO_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "json-read.h"

/* A column, and where it goes: INTS or NUMBERS. What is missing becomes -1, or 0
 * among numbers. PLACE is where it is in a row when the schema comes too late. */
struct gecko_column {
	const char *name;
	uint64_t place;
	struct json_ints *ints;
	struct json_doubles *numbers;
};

/* At most so many columns are taken of a table. */
enum { GECKO_COLUMNS = 2 };

/* Takes a table to the N columns C, of which each gets one entry for each row. */
void gecko_rows_take(struct gecko_column *c, size_t n, struct json_reader *p);

#endif
