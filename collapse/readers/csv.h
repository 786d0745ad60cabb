/* SPDX-License-Identifier: ISC */
/* Comma-separated values, which may be quoted. */
#ifndef CSV_H
#define CSV_H

#include "str.h"

/* Cuts the next field, which ends at SEPARATOR, off *ROW, without its quotes. Doubled
 * quotes within it stay doubled. */
static inline struct str
csv_field(struct str *row, char separator)
{
	struct str field;
	size_t i = 1;

	if (!row->n || row->s[0] != '"')
		return str_cut(row, separator);
	while (i < row->n &&
		(row->s[i] != '"' || (i + 1 < row->n && row->s[i + 1] == '"')))
		i += row->s[i] == '"' ? 2 : 1;
	field = str_from(str_head(*row, i), 1);
	*row = str_from(*row, i);
	(void)str_cut(row, separator);
	return field;
}

#endif
