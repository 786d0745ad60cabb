/* SPDX-License-Identifier: ISC */
/* Parsing of -e: events.h. A folder fakes a machine with PMUs and tracepoints. */
#include "events.h"
#include "folder.h"
#include "unit.h"

#include <fcntl.h>

#define DEVICES "/sys/bus/event_source/devices"

static const struct {
	const char *path, *text;
} machine[] = {
	{ DEVICES "/cpu/type", "4\n" },
	{ DEVICES "/cpu/format/event", "config:0-7\n" },
	{ DEVICES "/cpu/format/umask", "config:8-15\n" },
	{ DEVICES "/cpu/format/edge", "config:18\n" },
	{ DEVICES "/cpu/format/offcore_rsp", "config1:0-63\n" },
	{ DEVICES "/cpu/format/split", "config:4-7,32-35\n" },
	{ DEVICES "/cpu/format/ldlat", "config1:0-15\n" },
	{ DEVICES "/cpu/format/deep", "config2:60-63\n" },
	{ DEVICES "/cpu/format/broken", "config:9-3\n" },
	{ DEVICES "/cpu/format/foreign", "config9:0-3\n" },
	{ DEVICES "/cpu/events/cpu-cycles", "event=0x3c\n" },
	{ DEVICES "/cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
	{ DEVICES "/cpu/events/mem-loads.unit", "things\n" },
	{ DEVICES "/cpu/events/alias", "mem-loads,edge\n" },
	{ DEVICES "/cpu/events/loop", "loop\n" },
	{ DEVICES "/cpu/events/asks", "event=?\n" },
	{ DEVICES "/uncore/type", "21\n" },
	{ DEVICES "/uncore/events/bytes", "config=0x2\n" },
	{ DEVICES "/little/type", "9\n" },
	{ DEVICES "/little/cpus", "0-3\n" },
	{ DEVICES "/bad/type", "many\n" },
	{ DEVICES "/uprobe/type", "8\n" },
	{ DEVICES "/uprobe/format/retprobe", "config:0\n" },
	{ DEVICES "/kprobe/type", "7\n" },
	{ DEVICES "/kprobe/format/retprobe", "config:0\n" },
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "316\n" },
	{ "/sys/kernel/tracing/events/sched/sched_wakeup/id", "318\n" },
	{ "/sys/kernel/tracing/events/sched/enable", "0\n" },
	{ "/sys/kernel/tracing/events/enable", "0\n" },
};

static char root[] = "/tmp/test_events.XXXXXX";

static void
remove_machine(void)
{
	folder_remove(root);
}

static void
make_machine(void)
{
	size_t i;

	if (!mkdtemp(root))
		abort();
	atexit(remove_machine);
	for (i = 0; i < sizeof machine / sizeof *machine; i++)
		folder_put(root, machine[i].path, str_of(machine[i].text));
}

/* The bits of an attribute, for tables. */
enum {
	USER = 1,   /* exclude_user */
	KERNEL = 2, /* ... */
	HV = 4,
	GUEST = 8,
	HOST = 16,
	IDLE = 32,
	PINNED = 64,
	ALONE = 128,
	EACH = 256, /* of struct event */
	READ = 512,
	BEST = 1024,
	LEVELS = 2048,
	FREQ = 4096,
	P1 = 1 << 13,
	P2 = 2 << 13,
	P3 = 3 << 13
};

static unsigned
bits_of(const struct event *e)
{
	const struct perf_event_attr *a = &e->attr;

	return a->exclude_user * USER | a->exclude_kernel * KERNEL | a->exclude_hv * HV |
		a->exclude_guest * GUEST | a->exclude_host * HOST |
		a->exclude_idle * IDLE | a->pinned * PINNED | a->exclusive * ALONE |
		a->freq * FREQ | (unsigned)(a->precise_ip * P1) |
		(e->count_each ? EACH : 0) | (e->read_group ? READ : 0) |
		(e->best_skid ? BEST : 0) | (e->levels ? LEVELS : 0);
}

struct row {
	const char *spec, *name; /* NULL: as the spec */
	unsigned type, bits;
	uint64_t config, config1, config2, period;
};

static void
check_row(const struct row *row, const struct event *e)
{
	printf("%s:\n", row->spec);
	CHECK_STR(e->name, str_of(row->name ? row->name : row->spec));
	CHECK_U64(e->attr.type, row->type);
	CHECK_U64(e->attr.config, row->config);
	CHECK_U64(e->attr.config1, row->config1);
	CHECK_U64(e->attr.config2, row->config2);
	CHECK_U64(e->attr.sample_period, row->period);
	CHECK_U64(bits_of(e), row->bits);
}

static void
check_table(const struct row *rows, size_t n)
{
	struct events list;
	size_t i;

	make_machine();
	for (i = 0; i < n; i++) {
		list = (struct events){ .root = root };
		CHECK(events_parse(&list, rows[i].spec));
		CHECK_U64(list.n, 1);
		if (list.n == 1)
			check_row(&rows[i], &list.items[0]);
		events_release(&list);
	}
}

#define CHECK_TABLE(rows) check_table(rows, sizeof(rows) / sizeof *(rows))

UNIT(names_of_hardware)
{
	static const struct row rows[] = {
		{ "cycles", NULL, 0, GUEST, 0, 0, 0, 0 },
		{ "cpu-cycles", NULL, 0, GUEST, 0, 0, 0, 0 },
		{ "instructions", NULL, 0, GUEST, 1, 0, 0, 0 },
		{ "cache-references", NULL, 0, GUEST, 2, 0, 0, 0 },
		{ "cache-misses", NULL, 0, GUEST, 3, 0, 0, 0 },
		{ "branches", NULL, 0, GUEST, 4, 0, 0, 0 },
		{ "branch-instructions", NULL, 0, GUEST, 4, 0, 0, 0 },
		{ "branch-misses", NULL, 0, GUEST, 5, 0, 0, 0 },
		{ "bus-cycles", NULL, 0, GUEST, 6, 0, 0, 0 },
		{ "stalled-cycles-frontend", NULL, 0, GUEST, 7, 0, 0, 0 },
		{ "stalled-cycles-backend", NULL, 0, GUEST, 8, 0, 0, 0 },
		{ "ref-cycles", NULL, 0, GUEST, 9, 0, 0, 0 },
	};
	CHECK_TABLE(rows);
}

UNIT(names_of_software_and_those_that_are_counted_each)
{
	static const struct row rows[] = {
		{ "cpu-clock", NULL, 1, 0, 0, 0, 0, 0 },
		{ "task-clock", NULL, 1, 0, 1, 0, 0, 0 },
		{ "page-faults", NULL, 1, EACH, 2, 0, 0, 0 },
		{ "faults", NULL, 1, EACH, 2, 0, 0, 0 },
		{ "context-switches", NULL, 1, EACH, 3, 0, 0, 0 },
		{ "cs", NULL, 1, EACH, 3, 0, 0, 0 },
		{ "migrations", NULL, 1, EACH, 4, 0, 0, 0 },
		{ "cpu-migrations", NULL, 1, EACH, 4, 0, 0, 0 },
		{ "minor-faults", NULL, 1, EACH, 5, 0, 0, 0 },
		{ "major-faults", NULL, 1, EACH, 6, 0, 0, 0 },
		{ "alignment-faults", NULL, 1, EACH, 7, 0, 0, 0 },
		{ "emulation-faults", NULL, 1, EACH, 8, 0, 0, 0 },
		{ "cgroup-switches", NULL, 1, EACH, 11, 0, 0, 0 },
	};
	CHECK_TABLE(rows);
}

/* config is cache | operation << 8 | result << 16. */
UNIT(names_of_caches)
{
	static const struct row rows[] = {
		{ "L1-dcache-loads", NULL, 3, GUEST, 0, 0, 0, 0 },
		{ "L1-dcache-load-misses", NULL, 3, GUEST, 0x10000, 0, 0, 0 },
		{ "L1-dcache-stores", NULL, 3, GUEST, 0x100, 0, 0, 0 },
		{ "L1-dcache-prefetch-misses", NULL, 3, GUEST, 0x10200, 0, 0, 0 },
		{ "L1-icache-load-misses", NULL, 3, GUEST, 0x10001, 0, 0, 0 },
		{ "LLC-loads", NULL, 3, GUEST, 2, 0, 0, 0 },
		{ "LLC-store-misses", NULL, 3, GUEST, 0x10102, 0, 0, 0 },
		{ "dTLB-load-misses", NULL, 3, GUEST, 0x10003, 0, 0, 0 },
		{ "iTLB-loads", NULL, 3, GUEST, 4, 0, 0, 0 },
		{ "branch-loads", NULL, 3, GUEST, 5, 0, 0, 0 },
		{ "branch-load-misses", NULL, 3, GUEST, 0x10005, 0, 0, 0 },
		{ "node-prefetches", NULL, 3, GUEST, 0x206, 0, 0, 0 },
	};
	CHECK_TABLE(rows);
}

UNIT(raw_numbers_and_terms)
{
	static const struct row rows[] = {
		{ "r1a8", NULL, 4, GUEST, 0x1a8, 0, 0, 0 },
		{ "rffffffffffffffff:u", NULL, 4, GUEST | KERNEL | HV | LEVELS,
			UINT64_MAX, 0, 0, 0 },
		{ "cpu/event=0x3c,umask=0x0/", NULL, 4, GUEST, 0x3c, 0, 0, 0 },
		{ "cpu/event=0xd1,umask=32,edge/k", NULL, 4, GUEST | USER | HV | LEVELS,
			0x420d1, 0, 0, 0 },
		{ "cpu/event=1/:u", "cpu/event=1/u", 4, GUEST | KERNEL | HV | LEVELS, 1,
			0, 0, 0 },
		{ "cpu/split=0xab/", NULL, 4, GUEST, UINT64_C(0xa000000b0), 0, 0, 0 },
		{ "cpu/offcore_rsp=0xffffffffffffffff/", NULL, 4, GUEST, 0, UINT64_MAX, 0,
			0 },
		{ "cpu/deep=9/", NULL, 4, GUEST, 0, 0, UINT64_C(9) << 60, 0 },
		{ "cpu/config=7,config1=8,config2=9/", NULL, 4, GUEST, 7, 8, 9, 0 },
		{ "cpu/event=2,name=mine,period=1000/u", "mine", 4,
			GUEST | KERNEL | HV | LEVELS, 2, 0, 0, 1000 },
		{ "cpu/event=2,freq=99/", NULL, 4, GUEST | FREQ, 2, 0, 0, 99 },
		{ "cpu/event=5,event=6/", NULL, 4, GUEST, 6, 0, 0, 0 },
		{ "cpu//", NULL, 4, GUEST, 0, 0, 0, 0 },
	};
	CHECK_TABLE(rows);
}

UNIT(names_that_a_pmu_gives)
{
	static const struct row rows[] = {
		{ "cpu/cpu-cycles/", NULL, 4, GUEST, 0x3c, 0, 0, 0 },
		{ "cpu/mem-loads/P", NULL, 4, GUEST | P3 | BEST, 0x1cd, 3, 0, 0 },
		{ "cpu/mem-loads,ldlat=30/", NULL, 4, GUEST, 0x1cd, 30, 0, 0 },
		{ "cpu/alias/", NULL, 4, GUEST, 0x401cd, 3, 0, 0 },
		{ "mem-loads", NULL, 4, GUEST, 0x1cd, 3, 0, 0 },
		{ "mem-loads:pp", NULL, 4, GUEST | P2, 0x1cd, 3, 0, 0 },
		{ "uncore/bytes/", NULL, 21, 0, 2, 0, 0, 0 },
		{ "uncore/config=3/", NULL, 21, 0, 3, 0, 0, 0 },
		{ "little/config=3/", NULL, 9, GUEST, 3, 0, 0, 0 },
	};
	CHECK_TABLE(rows);
}

UNIT(modifiers)
{
	static const struct row rows[] = {
		{ "cycles:u", NULL, 0, GUEST | KERNEL | HV | LEVELS, 0, 0, 0, 0 },
		{ "cycles:k", NULL, 0, GUEST | USER | HV | LEVELS, 0, 0, 0, 0 },
		{ "cycles:uk", NULL, 0, GUEST | HV | LEVELS, 0, 0, 0, 0 },
		{ "cycles:h", NULL, 0, GUEST | USER | KERNEL | LEVELS, 0, 0, 0, 0 },
		{ "cycles:G", NULL, 0, HOST, 0, 0, 0, 0 },
		{ "cycles:H", NULL, 0, GUEST, 0, 0, 0, 0 },
		{ "cycles:GH", NULL, 0, 0, 0, 0, 0, 0 },
		{ "cycles:I", NULL, 0, GUEST | IDLE, 0, 0, 0, 0 },
		{ "cycles:p", NULL, 0, GUEST | P1, 0, 0, 0, 0 },
		{ "cycles:pp", NULL, 0, GUEST | P2, 0, 0, 0, 0 },
		{ "cycles:ppp", NULL, 0, GUEST | P3, 0, 0, 0, 0 },
		{ "cycles:Pu", NULL, 0, GUEST | P3 | BEST | KERNEL | HV | LEVELS, 0, 0, 0,
			0 },
		{ "cycles:De", NULL, 0, GUEST | PINNED | ALONE, 0, 0, 0, 0 },
		{ "cycles:S", NULL, 0, GUEST | READ, 0, 0, 0, 0 },
		{ "cpu-clock:u", NULL, 1, KERNEL | HV | LEVELS, 0, 0, 0, 0 },
	};
	CHECK_TABLE(rows);
}

UNIT(tracepoints)
{
	static const struct row rows[] = {
		{ "sched:sched_switch", NULL, 2, EACH, 316, 0, 0, 0 },
		{ "sched:sched_wakeup:u", NULL, 2, EACH | KERNEL | HV | LEVELS, 318, 0, 0,
			0 },
	};
	CHECK_TABLE(rows);
}

UNIT(kernel_probes)
{
	struct events list = { .root = root };

	make_machine();
	CHECK(events_parse(&list,
		"kprobe:vfs_read,kretprobe:vfs_read:k,kprobe:f+0x1c,kprobe:0xffffffff81000000"));
	CHECK_U64(list.n, 4);
	if (list.n != 4)
		return;
	CHECK_U64(list.items[0].attr.type, 7);
	CHECK_U64(list.items[0].attr.config, 0);
	CHECK(list.items[0].count_each);
	CHECK_STR(str_of((const char *)(uintptr_t)list.items[0].attr.kprobe_func),
		STR("vfs_read"));
	CHECK_U64(list.items[1].attr.config, 1);
	CHECK(list.items[1].attr.exclude_user);
	CHECK_STR(list.items[1].name, STR("kretprobe:vfs_read:k"));
	CHECK_U64(list.items[2].attr.probe_offset, 0x1c);
	CHECK_STR(str_of((const char *)(uintptr_t)list.items[2].attr.kprobe_func),
		STR("f"));
	CHECK_U64(list.items[3].attr.kprobe_func, 0);
	CHECK_U64(list.items[3].attr.kprobe_addr, UINT64_C(0xffffffff81000000));
	events_release(&list);
}

UNIT(lists_and_groups)
{
	struct events list = { .root = root };

	make_machine();
	CHECK(events_parse(
		&list, "cpu-clock,{cycles:p,cpu/event=1,umask=2/,faults}:uS,cs"));
	CHECK(events_parse(&list, "{instructions}"));
	CHECK_U64(list.n, 6);
	if (list.n != 6)
		return;
	CHECK_U64(list.items[0].leader, 0);
	CHECK_U64(list.items[1].leader, 1);
	CHECK_U64(list.items[2].leader, 1);
	CHECK_U64(list.items[3].leader, 1);
	CHECK_U64(list.items[4].leader, 4);
	CHECK_U64(list.items[5].leader, 5);
	CHECK_STR(list.items[1].name, STR("cycles:puS"));
	CHECK_STR(list.items[2].name, STR("cpu/event=1,umask=2/uS"));
	CHECK_STR(list.items[3].name, STR("faults:uS"));
	CHECK_U64(bits_of(&list.items[1]), GUEST | KERNEL | HV | LEVELS | READ | P1);
	CHECK(!list.items[0].levels && !list.items[4].read_group);
	events_release(&list);
}

UNIT(default_events_exist_everywhere)
{
	struct events list = { .root = "/nowhere" };

	CHECK(events_parse(&list, "cycles,cpu-clock"));
	CHECK_U64(list.n, 2);
	CHECK_STR(list.items[0].name, STR("cycles"));
	CHECK_STR(list.items[1].name, STR("cpu-clock"));
	CHECK_U64(list.items[1].leader, 1);
	events_release(&list);
}

/* The message on stderr for the refused SPEC. */
static struct str
refusal(const char *spec, char *text, size_t size)
{
	struct events list = { .root = root };
	int saved = dup(2), got;
	FILE *f = tmpfile();

	fflush(stdout);
	dup2(fileno(f), 2);
	CHECK(!events_parse(&list, spec));
	dup2(saved, 2);
	close(saved);
	rewind(f);
	got = (int)fread(text, 1, size - 1, f);
	text[got > 0 ? got : 0] = '\0';
	fclose(f);
	events_release(&list);
	return str_of(text);
}

static void
check_refused(const char *spec, const char *part)
{
	char text[2000];
	struct str said = refusal(spec, text, sizeof text);

	printf("%s: %s", spec, text);
	CHECK(str_search(said, str_of(part)) < said.n);
}

UNIT(missing_events_are_refused_with_the_available_ones)
{
	static const struct {
		const char *spec, *part;
	} rows[] = {
		{ "cylces", "no event 'cylces' here; did you mean cycles?" },
		{ "L1-dcache-laod-misses", "did you mean L1-dcache-load-misses" },
		{ "sched:sched_swich", "did you mean sched:sched_switch" },
		{ "sched:sched_swich", "the group sched has no tracepoint" },
		{ "shed:x", "no tracepoints of a group 'shed'" },
		{ "memloads", "did you mean mem-loads" },
		{ "cpu/cpu-cycels/", "events: alias, asks, cpu-cycles, loop, mem-loads" },
		{ "cpu/cpu-cycels/", "terms: broken, deep, edge, event" },
		{ "xpu/event=1/", "no event 'xpu/event=1/' here" },
		{ "bad/config=1/", "no event 'bad/config=1/' here" },
		{ "../x/config=1/", "no event" },
		{ "cpu/event=0x100/", "term 'event' has a value that is too large" },
		{ "cpu/edge=2/", "term 'edge' has a value that is too large" },
		{ "cpu/event=/", "term 'event' is not a number" },
		{ "cpu/event=1x/", "term 'event' is not a number" },
		{ "cpu/name=/", "term 'name' is empty" },
		{ "cpu/period=0/", "term 'period' is 0" },
		{ "cpu/asks/", "term 'event' needs a value" },
		{ "cpu/broken=1/", "unknown format" },
		{ "cpu/foreign=1/", "does not support" },
		{ "cpu/loop/", "no term or event 'loop'" },
		{ "cpu/../type/", "no term or event '../type'" },
		{ "cpu/,event=1/", "no term or event ''" },
		{ "cpu/event=1", "PMU/TERMS/MODIFIERS" },
		{ "cpu/event=1/z", "PMU/TERMS/MODIFIERS" },
		{ "iTLB-stores", "no event 'iTLB-stores' here" },
		{ "cycles:pppp", "too many p modifiers" },
		{ "{cycles:pp,faults}:pp", "too many p modifiers" },
		{ "cycles:z", "unknown modifiers 'z'" },
		{ "", "an event has no name" },
		{ "cycles,,faults", "an event has no name" },
		{ "{}", "an event has no name" },
		{ "{cycles", "missing '}' after the group {cycles" },
		{ "{cycles}u", "unknown modifiers after '}': u" },
		{ "{cycles}:z", "unknown modifiers after '}': :z" },
		{ "r", "no event 'r' here" },
		{ "r12345678123456781", "no event" },
		{ "kprobe:", "kprobe:FUNCTION" },
		{ "kprobe:f+x", "not followed by a number of bytes" },
		{ "kretprobe:f+4", "a return probe cannot have an offset" },
		{ "uprobe:/bin/sh", "uprobe:PATH:FUNCTION" },
		{ "uprobe:no-such-program-here:f",
			"no program 'no-such-program-here' in PATH" },
	};
	size_t i;

	make_machine();
	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		check_refused(rows[i].spec, rows[i].part);
}

/* A file in place of a folder stands for one without read permission: root, which may
 * run this test, can read everything. */
UNIT(tracefs_that_is_not_mounted_or_closed_is_explained)
{
	if (!mkdtemp(root))
		abort();
	atexit(remove_machine);
	check_refused("sched:sched_switch", "mount -t tracefs nodev /sys/kernel/tracing");
	folder_put(root, "/sys/kernel/tracing/events", str_of(""));
	check_refused("sched:sched_switch", "mount -o remount,mode=755");
}

UNIT(kernels_without_probes_say_so)
{
	if (!mkdtemp(root))
		abort();
	atexit(remove_machine);
	check_refused("kprobe:f", "CONFIG_KPROBE_EVENTS");
	check_refused("uprobe:/bin/sh:main", "CONFIG_UPROBE_EVENTS");
}

/* Every listed name is accepted. */
UNIT(listed_events_can_be_used)
{
	struct events list = { .root = root };
	char line[200];
	struct output out;
	FILE *f = tmpfile();
	unsigned used = 0;
	struct str rest;

	make_machine();
	output_init(&out, fileno(f), "list");
	events_list(root, &out);
	CHECK(output_close(&out));
	rewind(f);
	while (fgets(line, sizeof line, f)) {
		rest = str_trim(str_of(line));
		line[2 + rest.n] = '\0';
		/* The loop and the question of this machine, and formats. */
		if (line[0] != ' ' || strstr(line, "/loop/") || strstr(line, "/asks/") ||
			strpbrk(line, "NP()"))
			continue;
		rest = str_word(&(struct str){ line + 2, strlen(line + 2) });
		line[2 + rest.n] = '\0';
		if (!events_parse(&list, line + 2))
			CHECK(!"listed and refused");
		used++;
	}
	CHECK(used > 30);
	fclose(f);
	events_release(&list);
}

UNIT(the_list_shows_the_events_of_the_machine)
{
	struct output out;
	FILE *f = tmpfile();
	char text[20000];
	size_t n;

	make_machine();
	output_init(&out, fileno(f), "list");
	events_list(root, &out);
	CHECK(output_close(&out));
	rewind(f);
	n = fread(text, 1, sizeof text - 1, f);
	text[n] = '\0';
	CHECK(strstr(text, "Hardware:\n  cycles "));
	CHECK(strstr(text, "  cpu/mem-loads/\n"));
	CHECK(!strstr(text, "mem-loads.unit"));
	CHECK(strstr(text, "  sched:sched_switch\n"));
	CHECK(!strstr(text, "enable"));
	CHECK(strstr(text, "  kprobe:FUNCTION"));
	fclose(f);
}

/* Without kernel probes, the error names the event without its modifiers. */
UNIT(modifiers_and_names_are_distinct)
{
	static const struct {
		const char *spec, *left;
	} rows[] = {
		{ "uprobe:/x:main:u", "uprobe:/x:main" },
		{ "uprobe:/x:p", "uprobe:/x:p" },
		{ "uprobe:/x:Foo::u", "uprobe:/x:Foo::u" },
		{ "uprobe:/x:Foo::u:k", "uprobe:/x:Foo::u" },
		{ "uprobe:/x:main:z", "uprobe:/x:main:z" },
		{ "uprobe:/x:main:", "uprobe:/x:main:" },
		{ "kprobe:u", "kprobe:u" },
		{ "kprobe:f:k", "kprobe:f" },
		{ "uprobe:", "uprobe:" },
	};
	char want[100];
	size_t i;

	if (!mkdtemp(root))
		abort();
	atexit(remove_machine);
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(want, sizeof want, " %s: this kernel has no", rows[i].left);
		check_refused(rows[i].spec, want);
	}
}

/* Values of 64 bits, and in adjacent or overlapping fields. */
UNIT(places_of_values)
{
	struct events list = { .root = root };

	make_machine();
	folder_put(root, DEVICES "/cpu/format/all", str_of("config:0-63\n"));
	folder_put(root, DEVICES "/cpu/format/twice", str_of("config:0-63,0-3\n"));
	folder_put(root, DEVICES "/cpu/format/long", str_of("config:0-64\n"));
	folder_put(root, DEVICES "/cpu/format/word", str_of("config:x\n"));
	folder_put(root, DEVICES "/cpu/format/nowhere", str_of("config\n"));
	folder_put(root, DEVICES "/cpu/format/empty", str_of("\n"));
	CHECK(events_parse(&list, "cpu/all=0xffffffffffffffff/"));
	CHECK(events_parse(&list, "cpu/all=0xffffffffffffffff,umask=0/"));
	CHECK(events_parse(&list, "cpu/twice=0xffffffffffffffff/"));
	CHECK_U64(list.items[0].attr.config, UINT64_MAX);
	CHECK_U64(list.items[1].attr.config, UINT64_MAX - 0xff00);
	check_refused("cpu/long=1/", "unknown format");
	check_refused("cpu/word=1/", "unknown format");
	check_refused("cpu/nowhere=1/", "too large");
	check_refused("cpu/empty=1/", "does not support");
	events_release(&list);
}

UNIT_MAIN
