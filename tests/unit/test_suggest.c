/* SPDX-License-Identifier: ISC */
/* Suggestions for mistyped names: suggest.h. */
#include "suggest.h"
#include "unit.h"

UNIT(near_names_come_nearest_first)
{
	struct suggest near = { .want = STR("cycels") };
	struct buf b = { 0 };

	suggest_offer(&near, STR("ref-cycles"));
	suggest_offer(&near, STR("cycling"));
	suggest_offer(&near, STR("cycles"));
	suggest_offer(&near, STR("cycles"));
	suggest_offer(&near, STR("faults"));
	suggest_offer(&near, STR("cycel"));
	suggest_offer(&near, STR("cels"));
	suggest_put(&near, &b);
	CHECK_STR(buf_view(&b), STR("; did you mean cycles, cycel or cels?"));
	suggest_release(&near);
	buf_release(&b);
}

UNIT(distant_names_are_not_suggested)
{
	struct suggest near = { .want = STR("x") };
	struct buf b = { 0 };

	suggest_offer(&near, STR(""));
	suggest_offer(&near, STR("instructions"));
	suggest_put(&near, &b);
	CHECK_U64(b.n, 0);
	suggest_release(&near);
	buf_release(&b);
}

UNIT(names_are_put_with_a_prefix)
{
	struct suggest near = { .want = STR("titel"), .prefix = STR("--") };
	struct buf b = { 0 };

	suggest_offer(&near, STR("subtitle"));
	suggest_offer(&near, STR("title"));
	suggest_put(&near, &b);
	CHECK_STR(buf_view(&b), STR("; did you mean --title?"));
	suggest_release(&near);
	buf_release(&b);
}

UNIT_MAIN
