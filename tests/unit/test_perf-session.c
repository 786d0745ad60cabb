/* SPDX-License-Identifier: ISC */
/* Lists of processors: perf-session.h. */
#include "perf-session.h"
#include "folder.h"
#include "unit.h"

#include <fcntl.h>

static char root[] = "/tmp/test_session.XXXXXX";

static void
remove_root(void)
{
	folder_remove(root);
}

/* A fake machine with the processors ONLINE. */
static void
make_root(const char *online)
{
	CHECK(mkdtemp(root) != NULL);
	atexit(remove_root);
	folder_put(root, "sys/devices/system/cpu/online", str_of(online));
}

/* The number of processors in the list TEXT that the machine has. */
static uint64_t
count(const char *text)
{
	struct perf_cpus list = { 0 };
	uint64_t n = perf_cpus_find(&list, root, text) ? list.n : UINT64_MAX;

	free(list.items);
	return n;
}

UNIT(lists_have_numbers_and_ranges)
{
	struct perf_cpus list = { 0 };

	make_root("0-65535\n");
	CHECK(perf_cpus_find(&list, root, "0-2,8,5"));
	CHECK_U64(list.n, 5);
	CHECK(list.items[2].cpu == 2 && list.items[3].cpu == 8 && list.items[4].cpu == 5);
	free(list.items);
	CHECK_U64(count("0-1,1-2,0"), 3);
	CHECK_U64(count("7"), 1);
	CHECK_U64(count(NULL), 65536);
}

UNIT(malformed_lists_are_refused)
{
	static const char *const wrong[] = { "", "a", "1-", "-1", "3-2", "1,,2",
		"0-65536", "0-99999999999999999999", "1 ", "0x1" };
	size_t i;

	make_root("0-9\n");
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK_U64(count(wrong[i]), UINT64_MAX);
}

UNIT(two_kinds_of_processors)
{
	struct perf_event_attr cycles = { .type = PERF_TYPE_HARDWARE, .config = 0 };
	struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE, .config = 1 };
	struct perf_cpus list = { 0 };

	make_root("0-3\n");
	folder_put(root, "sys/bus/event_source/devices/cpu_core/type", str_of("4\n"));
	folder_put(root, "sys/bus/event_source/devices/cpu_core/cpus", str_of("0-1\n"));
	folder_put(root, "sys/bus/event_source/devices/cpu_atom/type", str_of("10\n"));
	folder_put(root, "sys/bus/event_source/devices/cpu_atom/cpus", str_of("2-3\n"));
	CHECK(perf_cpus_find(&list, root, NULL));
	CHECK_U64(list.n, 4);
	CHECK_U64(perf_cpus_config(&list.items[0], &cycles), (uint64_t)4 << 32);
	CHECK_U64(perf_cpus_config(&list.items[3], &cycles), (uint64_t)10 << 32);
	CHECK_U64(perf_cpus_config(&list.items[3], &clock), 1);
	cycles.config = (uint64_t)4 << 32 | 1;
	CHECK_U64(perf_cpus_config(&list.items[3], &cycles), (uint64_t)4 << 32 | 1);
	free(list.items);
	list = (struct perf_cpus){ 0 };
	CHECK(perf_cpus_find(&list, root, "3,1"));
	CHECK(list.n == 2 && list.items[0].cpu == 3 && list.items[0].pmu == 10);
	free(list.items);
	list = (struct perf_cpus){ 0 };
	CHECK(!perf_cpus_find(&list, root, "4"));
	free(list.items);
	list = (struct perf_cpus){ 0 };
	CHECK(!perf_cpus_find(&list, root, "x"));
	free(list.items);
	list = (struct perf_cpus){ 0 };
}

UNIT_MAIN
