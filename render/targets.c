/* SPDX-License-Identifier: ISC */
/* The targets; see targets.h. */
#include "targets.h"

#define TARGET(symbol, name, about) extern const struct export_target export_##symbol;
#include "targets.def"
#undef TARGET

#define TARGET(symbol, name, about) { name, about, &export_##symbol },
const struct target targets[] = {
#include "targets.def"
	{ NULL, NULL, NULL },
};

const struct target *
targets_find(struct str name)
{
	const struct target *t;

	for (t = targets; t->name; t++)
		if (str_eq(name, str_of(t->name)))
			return t;
	return NULL;
}
