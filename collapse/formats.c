/* SPDX-License-Identifier: ISC */
/* The table of formats; see formats.h. */
#include "formats.h"

static const struct collapse_format *const table[] = {
#define FORMAT(name) &collapse_##name,
#include "formats.def"
#undef FORMAT
};

const struct collapse_format *
formats_at(size_t i)
{
	return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const struct collapse_format *
formats_find(struct str name)
{
	const struct collapse_format *f;
	size_t i;

	for (i = 0; (f = formats_at(i)); i++)
		if (str_eq(name, str_of(f->name)))
			return f;
	return NULL;
}

const struct collapse_format *
formats_guess(struct str head)
{
	const struct collapse_format *f, *best = NULL;
	int sure, most = 0;
	size_t i;

	for (i = 0; (f = formats_at(i)); i++) {
		sure = f->probe(head);
		if (sure > most) {
			most = sure;
			best = f;
		}
	}
	return best;
}
