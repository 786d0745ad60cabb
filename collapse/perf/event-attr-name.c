/* SPDX-License-Identifier: ISC */
/*
 * Names of events that a recording does not name, as perf makes them from the
 * numbers: "cycles:u", "L1-dcache-load-misses", "raw 0x1a8", "mem:0x4010:rw".
 * (tools/perf/util/evsel.c, evsel__name)
 */
#include "event-attr.h"
#include "buf.h"

#include <inttypes.h>

enum { HARDWARE, SOFTWARE, TRACEPOINT, CACHE, RAW, BREAKPOINT };

static const char *const hardware[] = { "cycles", "instructions", "cache-references",
	"cache-misses", "branches", "branch-misses", "bus-cycles",
	"stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles" };

static const char *const software[] = { "cpu-clock", "task-clock", "page-faults",
	"context-switches", "cpu-migrations", "minor-faults", "major-faults",
	"alignment-faults", "emulation-faults", "dummy", "bpf-output",
	"cgroup-switches" };

static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB",
	"branch", "node" };

static const struct {
	const char *one, *many;
} accesses[] = { { "load", "loads" }, { "store", "stores" },
	{ "prefetch", "prefetches" } };

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void
put_hardware(struct buf *b, const struct event_attr *a)
{
	/* The upper half tells kinds of cores apart. */
	uint32_t n = (uint32_t)a->event.config;

	buf_str(b, str_of(n < COUNT(hardware) ? hardware[n] : "unknown-hardware"));
}

static void
put_software(struct buf *b, const struct event_attr *a)
{
	uint64_t n = a->event.config;

	buf_str(b, str_of(n < COUNT(software) ? software[n] : "unknown-software"));
}

static void
put_cache(struct buf *b, const struct event_attr *a)
{
	uint8_t cache = (uint8_t)a->event.config;
	uint8_t access = (uint8_t)(a->event.config >> 8);
	uint8_t result = (uint8_t)(a->event.config >> 16);

	if (cache >= COUNT(caches) || access >= COUNT(accesses) || result > 1)
		buf_str(b, STR("invalid-cache"));
	else if (result)
		buf_fmt(b, "%s-%s-misses", caches[cache], accesses[access].one);
	else
		buf_fmt(b, "%s-%s", caches[cache], accesses[access].many);
}

static void
put_raw(struct buf *b, const struct event_attr *a)
{
	buf_fmt(b, "raw 0x%" PRIx64, a->event.config);
}

static void
put_breakpoint(struct buf *b, const struct event_attr *a)
{
	buf_fmt(b, "mem:0x%" PRIx64 ":", a->address);
	if (a->breakpoint & 1)
		buf_char(b, 'r');
	if (a->breakpoint & 2)
		buf_char(b, 'w');
	if (a->breakpoint & 4)
		buf_char(b, 'x');
}

static void (*const kinds[])(struct buf *b, const struct event_attr *a) = {
	[HARDWARE] = put_hardware,
	[SOFTWARE] = put_software,
	[CACHE] = put_cache,
	[RAW] = put_raw,
	[BREAKPOINT] = put_breakpoint,
};

/* What is counted when something is left out, how precise a place has to be,
 * and the host or guests when that is not what perf would ask. */
static void
put_modifiers(struct buf *b, const struct event_attr *a)
{
	bool kernel = event_attr_flag(a, EVENT_ATTR_EXCLUDE_KERNEL);
	bool user = event_attr_flag(a, EVENT_ATTR_EXCLUDE_USER);
	bool hv = event_attr_flag(a, EVENT_ATTR_EXCLUDE_HV);
	bool host = event_attr_flag(a, EVENT_ATTR_EXCLUDE_HOST);
	bool guest = event_attr_flag(a, EVENT_ATTR_EXCLUDE_GUEST);
	int precise = (int)(a->flags >> EVENT_ATTR_PRECISE & 3);
	bool some = kernel || user || hv;
	size_t colon = b->n;

	buf_char(b, ':');
	if (some && !kernel)
		buf_char(b, 'k');
	if (some && !user)
		buf_char(b, 'u');
	if (some && !hv)
		buf_char(b, 'h');
	buf_fmt(b, "%.*s", precise, "ppp");
	if (host || guest == (some || precise)) {
		if (!host)
			buf_char(b, 'H');
		if (!guest)
			buf_char(b, 'G');
	}
	if (b->n == colon + 1)
		b->n = colon;
}

struct str
event_attr_default_name(struct event_attr_set *set, const struct event_attr *a)
{
	struct buf b = { 0 };
	struct str name;

	if (a->event.tracepoint) {
		buf_str(&b, STR("unknown tracepoint"));
	} else if (a->event.type < COUNT(kinds)) {
		kinds[a->event.type](&b, a);
		put_modifiers(&b, a);
	} else {
		buf_fmt(&b, "unknown attr type: %" PRIu32, a->event.type);
	}
	name = arena_str(&set->arena, buf_view(&b));
	buf_release(&b);
	return name;
}
