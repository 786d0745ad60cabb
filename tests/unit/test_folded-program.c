/* SPDX-License-Identifier: ISC */
/* The programs of a frame's code: folded.h. */
#include "folded.h"
#include "unit.h"

#include <stdio.h>

/* Adds program NUMBER; returns whether it was kept and no other was dropped. */
static bool
add(struct folded_info *info, unsigned number)
{
	char name[16];
	struct folded_program p = { .build_id = STR("00"), .path = STR("/bin/p") };

	snprintf(name, sizeof name, "p%05u", number);
	p.name = str_of(name);
	return folded_program_add(info, &p);
}

static void
check_first(const struct folded_info *info)
{
	CHECK_U64(info->n_programs, FOLDED_PROGRAMS_MOST);
	CHECK_STR(info->programs[0].name, STR("p00000"));
	CHECK_STR(info->programs[FOLDED_PROGRAMS_MOST - 1].name, STR("p04999"));
}

UNIT(too_many_leave_the_first_whatever_the_order)
{
	struct folded_info up = { .n = 0 }, down = { .n = 0 };
	const unsigned n = FOLDED_PROGRAMS_MOST + 10;
	unsigned i;

	for (i = 0; i < n; i++)
		CHECK(add(&up, i) == (i < FOLDED_PROGRAMS_MOST));
	for (i = n; i-- > 0;)
		CHECK(add(&down, i) == (n - i <= FOLDED_PROGRAMS_MOST));
	check_first(&up);
	check_first(&down);
	CHECK(add(&up, 7));
	folded_program_merge(&up, &down);
	check_first(&up);
	folded_info_release(&up);
	folded_info_release(&down);
}

UNIT(lines_are_read_as_they_are_written)
{
	struct folded_info info = { .n = 0 };
	struct buf b = { 0 };

	CHECK(!folded_program_parse(&info, STR("name=b@5f0c path=/opt/a%20b/b id=5f0c")));
	CHECK(!folded_program_parse(&info, STR("name=a more=1 path=/a")));
	CHECK(!folded_program_parse(&info, STR("name=a path=/a")));
	CHECK(folded_program_parse(&info, STR("name=a")) != NULL);
	CHECK(folded_program_parse(&info, STR("path=/a")) != NULL);
	CHECK(folded_program_parse(&info, STR("name=a path=/a id=5F")) != NULL);
	CHECK(folded_program_parse(&info, STR("name=a path=/a id=5f0")) != NULL);
	folded_program_put(&b, &info);
	CHECK_STR(buf_view(&b),
		STR("#fg-program name=a path=/a\n"
		    "#fg-program name=b@5f0c id=5f0c path=/opt/a%20b/b\n"));
	buf_release(&b);
	folded_info_release(&info);
}

UNIT_MAIN
