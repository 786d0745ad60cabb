/* SPDX-License-Identifier: ISC */
/* Option tables: options.h. */
#include "options.h"
#include "unit.h"

static const struct opt *const tables[] = { options_record, options_collapse, options_svg,
	options_diff, options_run };

UNIT(a_name_or_letter_has_one_row)
{
	const struct opt *o, *other;
	size_t i;

	for (i = 0; i < sizeof tables / sizeof *tables; i++)
		for (o = tables[i]; o->kind != OPT_END; o++)
			for (other = o + 1; other->kind != OPT_END; other++) {
				CHECK(!o->name || !other->name ||
					strcmp(o->name, other->name) != 0);
				CHECK(!o->letter || o->letter != other->letter);
			}
}

UNIT(tables_hold_no_addresses)
{
	const struct opt *o;
	size_t i;

	for (i = 0; i < sizeof tables / sizeof *tables; i++)
		for (o = tables[i]; o->kind != OPT_END; o++)
			CHECK(!o->value && !o->call && !o->read && !o->uses);
}

UNIT(rows_of_words_offer_them)
{
	const struct opt *o;
	size_t i;

	for (i = 0; i < sizeof tables / sizeof *tables; i++)
		for (o = tables[i]; o->kind != OPT_END; o++)
			CHECK((o->kind != OPT_WORD && o->kind != OPT_CHOICE) ||
				(o->arg && o->words));
}

UNIT_MAIN
