/* SPDX-License-Identifier: ISC */
/* The summary line: recorder.h. */
#include "recorder.h"
#include "unit.h"

static void
check(const struct recorder_summary *c, struct str want)
{
	struct buf b = { 0 };

	recorder_put_summary(&b, c);
	CHECK_STR(buf_view(&b), want);
	buf_release(&b);
}

UNIT(counters_have_instructions_per_cycle)
{
	static struct recorder_total events[] = {
		{ { "cycles:u", 8 }, 12034551090, false },
		{ { "instructions:u", 14 }, 9626881002, false },
	};
	struct recorder_summary c = {
		.ns = 4070000000, .samples = 4274, .events = events, .n = 2
	};

	check(&c,
		STR("4.07 s, 4,274 samples, 0 lost; cycles:u 12,034,551,090, "
		    "instructions:u 9,626,881,002, IPC 0.80"));
}

UNIT(times_are_times_and_nothing_is_divided_by_zero)
{
	static struct recorder_total events[] = {
		{ { "cpu-clock", 9 }, 1511000000, true },
		{ { "cycles", 6 }, 0, false },
		{ { "instructions", 12 }, 5, false },
	};
	struct recorder_summary c = {
		.ns = 1000, .samples = 1, .lost = 7, .events = events, .n = 3
	};

	check(&c,
		STR("1 us, 1 sample, 7 lost; cpu-clock 1.511 s, cycles 0, instructions 5"));
}

UNIT_MAIN
