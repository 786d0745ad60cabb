/* SPDX-License-Identifier: ISC */
/* Tests of off-cpu. */
#include "perf/off-cpu.h"
#include "unit.h"

UNIT(switches_say_who_leaves_and_who_is_back)
{
	struct str event = STR("sched:sched_switch");
	struct off_cpu_news news;

	CHECK(off_cpu_read(event,
		STR("prev_comm=a prev_pid=3 b prev_pid=7 prev_prio=120 prev_state=S ==> "
		    "next_comm=next_pid=1 next_pid=9 next_prio=120"),
		&news));
	CHECK(str_eq(news.left, STR("7")) && str_eq(news.back, STR("9")));
	CHECK(news.waits && !news.has_delay);
	CHECK(off_cpu_read(event, STR("a:b:7 [120] R+ ==> swapper/1:0 [120]"), &news));
	CHECK(str_eq(news.left, STR("7")) && str_eq(news.back, STR("0")) && !news.waits);
	CHECK(off_cpu_read(event, STR("a:7 [120] D ==> b:8 [120]"), &news) && news.waits);
}

UNIT(statistics_say_how_long)
{
	struct off_cpu_news news;

	CHECK(off_cpu_read(STR("sched:sched_stat_iowait"),
		STR("comm=x pid=1 y pid=27235 delay=100078421 [ns]"), &news));
	CHECK(str_eq(news.back, STR("27235")) && !news.left.n);
	CHECK(news.has_delay && news.delay == 100078421);
}

UNIT(other_events_and_damaged_ones_are_refused)
{
	struct off_cpu_news news;

	CHECK(!off_cpu_read(STR("sched:sched_wakeup"), STR("pid=7 delay=1"), &news));
	CHECK(!off_cpu_read(STR("sched:sched_switch"), STR(""), &news));
	CHECK(!off_cpu_read(STR("sched:sched_switch"), STR("prev_pid=7 ==> "), &news));
	CHECK(!off_cpu_read(STR("sched:sched_switch"), STR("[ ==> ["), &news));
	CHECK(!off_cpu_read(STR("sched:sched_stat_sleep"), STR("comm=x pid=7"), &news));
	CHECK(!off_cpu_read(
		STR("sched:sched_stat_sleep"), STR(" pid=-1 delay=5"), &news));
}

UNIT(threads_wait_until_they_are_back)
{
	struct off_cpu o = { .cap = 0 };
	int i;
	char name[12];

	for (i = 0; i < 1000; i++) {
		snprintf(name, sizeof name, "%d", i);
		*off_cpu_of(&o, str_of(name)) =
			(struct off_cpu_wait){ .node = (uint32_t)i + 1 };
	}
	CHECK(off_cpu_count(&o) == 1000);
	CHECK(off_cpu_of(&o, STR("500"))->node == 501);
	off_cpu_of(&o, STR("500"))->node = 0;
	CHECK(off_cpu_count(&o) == 999 && off_cpu_of(&o, STR("new"))->node == 0);
	off_cpu_release(&o);
}

UNIT_MAIN
