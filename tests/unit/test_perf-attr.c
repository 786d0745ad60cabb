/* SPDX-License-Identifier: ISC */
/* The event attributes passed to the kernel: perf-attr.h. */
#include "perf-attr.h"
#include "unit.h"

static const struct event clock_event = { .attr = { .type = PERF_TYPE_SOFTWARE,
						  .config = PERF_COUNT_SW_CPU_CLOCK } };

static struct perf_event_attr
ask(enum record_stacks stacks, uint32_t bytes)
{
	static const struct perf_attr_level level;
	struct record_options set = {
		.stacks = stacks, .stack_bytes = bytes, .frequency = 997
	};
	struct perf_attr_request r = {
		.event = &clock_event, .set = &set, .level = &level, .tracks = true
	};

	return perf_attr_of(&r);
}

enum { COPIES = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER };

UNIT(auto_asks_for_copies_and_for_frame_pointers)
{
	struct perf_event_attr a = ask(RECORD_AUTO, 65528);

	CHECK((a.sample_type & COPIES) == COPIES);
	CHECK(a.sample_type & PERF_SAMPLE_CALLCHAIN);
	CHECK_U64(a.sample_stack_user, 65528);
	CHECK(a.sample_regs_user != 0);
	CHECK(!a.exclude_callchain_user && !a.exclude_callchain_kernel);
	CHECK(a.mmap_data);
}

UNIT(dwarf_asks_for_copies_and_the_chain_of_the_kernel)
{
	struct perf_event_attr a = ask(RECORD_DWARF, 8192);

	CHECK((a.sample_type & COPIES) == COPIES);
	CHECK_U64(a.sample_stack_user, 8192);
	CHECK(a.exclude_callchain_user && !a.exclude_callchain_kernel);
}

UNIT(frame_pointers_alone_have_no_copies)
{
	struct perf_event_attr a = ask(RECORD_FP, 0), none = ask(RECORD_NONE, 0);

	CHECK((a.sample_type & COPIES) == 0 && a.sample_stack_user == 0);
	CHECK(a.sample_type & PERF_SAMPLE_CALLCHAIN);
	CHECK(!(none.sample_type & PERF_SAMPLE_CALLCHAIN));
}

UNIT_MAIN
