/* SPDX-License-Identifier: ISC */
/* Counting records; see ring-stats.h. */
#include "ring-stats.h"
#include "bytes.h"
#include "runtimes.h"

/* Later than the headers that this may be built with. */
#define MISC_BUILD_ID (1 << 14)

enum { PROT_EXECUTES = 4 };

static void
count_lost(struct ring_stats *t, struct str body)
{
	struct bytes b = bytes_of(body, false);
	uint64_t lost;

	bytes_skip(&b, 8); /* the event */
	lost = bytes_u64(&b);
	t->lost += b.bad ? 0 : lost;
}

static void
want_build_id(struct ring_stats *t, struct str body)
{
	struct bytes b = bytes_of(body, false);
	struct buildid_file file = { 0 };
	uint32_t rights;

	file.pid = (long)bytes_u32(&b);
	bytes_skip(&b, 4 + 3 * 8);
	file.major = bytes_u32(&b);
	file.minor = bytes_u32(&b);
	file.inode = bytes_u64(&b);
	bytes_skip(&b, 8);
	rights = bytes_u32(&b);
	bytes_skip(&b, 4);
	if (b.bad || !file.inode || !(rights & PROT_EXECUTES))
		return;
	file.path = (struct str){ b.at, bytes_left(&b) };
	file.path = str_cut(&file.path, 0);
	if (str_starts(file.path, STR("/")) && !str_starts(file.path, STR("//")))
		buildid_want(t->buildids, &file);
}

static void
note_process(struct ring_stats *t, struct str body)
{
	struct bytes b = bytes_of(body, false);
	pid_t pid = (pid_t)bytes_u32(&b), parent = (pid_t)bytes_u32(&b);

	if (!b.bad)
		runtimes_note(t->runtimes, pid, parent);
}

void
ring_stats_add(struct ring_stats *t, const struct ring_record *r)
{
	if (r->h.type == PERF_RECORD_SAMPLE)
		t->samples++;
	else if (r->h.type == PERF_RECORD_LOST)
		count_lost(t, r->body);
	else if (r->h.type == PERF_RECORD_MMAP2 && !(r->h.misc & MISC_BUILD_ID))
		want_build_id(t, r->body);
	else if (r->h.type == PERF_RECORD_FORK)
		note_process(t, r->body);
}
