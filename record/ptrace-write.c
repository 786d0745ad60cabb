/* SPDX-License-Identifier: ISC */
/*
 * Records of traced threads; see ptrace-write.h. What a record holds is said in
 * include/uapi/linux/perf_event.h, at enum perf_event_type.
 */
#include "ptrace-write.h"
#include "perf-attr.h"
#include "record-put.h"
#include "synth-id.h"
#include "sysfile.h"
#include "target.h"

#include <time.h>

void
ptrace_write_init(
	struct ptrace_writer *w, const struct perf_event_attr *attr, uint64_t id)
{
	*w = (struct ptrace_writer){ .attr = *attr };
	w->synth = (struct synth){ .root = "",
		.id = id,
		.id_in_maps = true,
		.data = attr->sample_stack_user > 0 };
	w->synth.buildids = &w->buildids;
	w->synth.out = &w->out;
	w->period = 1000000000 / attr->sample_freq;
}

void
ptrace_write_release(struct ptrace_writer *w)
{
	buildid_release(&w->buildids);
	buf_release(&w->out);
	buf_release(&w->scratch);
}

struct perf_event_attr
ptrace_write_attr(const struct ptrace_kind *kind)
{
	static const struct record_options snapshots = { .stack_bytes = 8 };
	static const struct perf_attr_level level;
	static const struct event event = { .attr = { .type = PERF_TYPE_SOFTWARE,
						    .config = PERF_COUNT_SW_CPU_CLOCK } };
	struct perf_attr_request r = {
		.event = &event, .set = &snapshots, .level = &level
	};
	/* The registers are those that a recording by perf events has. */
	struct perf_event_attr a = event.attr, asked = perf_attr_of(&r);

	a.size = PERF_ATTR_SIZE;
	a.freq = 1;
	a.sample_freq = kind->hz;
	a.exclude_kernel = a.exclude_hv = a.exclude_callchain_kernel = 1;
	a.sample_id_all = a.use_clockid = 1;
	a.clockid = CLOCK_MONOTONIC;
	a.mmap = a.mmap2 = a.comm = a.comm_exec = a.task = a.inherit = 1;
	a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	if (kind->chain || kind->stack)
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (kind->stack) {
		a.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a.sample_regs_user = asked.sample_regs_user;
		a.sample_stack_user = kind->stack;
		a.exclude_callchain_user = !kind->chain;
	}
	return a;
}

/* Ends any record but a sample. */
static void
end_record(struct ptrace_writer *w, size_t at, const struct ptrace_task *t)
{
	synth_put_id(&w->synth, t->pid, t->tid);
	record_put_end(&w->out, at);
}

static void
put_chain(struct buf *b, pid_t tid, const struct ptrace_regs *r)
{
	uint64_t chain[PTRACE_CHAIN_MOST];
	size_t n = ptrace_read_chain(tid, r, chain), i;

	record_put_u64(b, n + 1);
	record_put_u64(b, PERF_CONTEXT_USER);
	for (i = 0; i < n; i++)
		record_put_u64(b, chain[i]);
}

static void
put_snapshot(struct ptrace_writer *w, pid_t tid, const struct ptrace_regs *r)
{
	uint64_t regs = w->attr.sample_regs_user;
	size_t size = w->attr.sample_stack_user, got;
	size_t at;
	unsigned i;

	record_put_u64(&w->out, PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < PTRACE_REGS_MOST; i++)
		if (regs >> i & 1)
			record_put_u64(&w->out, r->all[i]);
	at = w->out.n;
	record_put_u64(&w->out, size);
	got = ptrace_read_memory(tid, r->sp, buf_room(&w->out, size), size);
	w->out.n += got;
	w->copies++;
	w->full += got == size;
	/* As snapshot.h has it. */
	if (got < size) {
		size = got / 8 * 8 + 8;
		record_put_zeroes(&w->out, size - got);
		memcpy(w->out.s + at, &(uint64_t){ size }, 8);
	}
	record_put_u64(&w->out, got);
}

bool
ptrace_write_sample(struct ptrace_writer *w, const struct ptrace_task *t)
{
	struct ptrace_regs r;
	size_t at;

	if (!ptrace_read_regs(t->tid, &r))
		return false;
	at = record_put_begin(&w->out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	record_put_u64(&w->out, w->synth.id);
	record_put_u64(&w->out, r.ip);
	record_put_u32(&w->out, (uint32_t)t->pid);
	record_put_u32(&w->out, (uint32_t)t->tid);
	record_put_u64(&w->out, w->synth.time);
	record_put_u32(&w->out, t->cpu);
	record_put_u32(&w->out, 0);
	record_put_u64(&w->out, w->period * t->ticks);
	if (w->attr.exclude_callchain_user)
		record_put_u64(&w->out, 0);
	else if (w->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		put_chain(&w->out, t->tid, &r);
	if (w->attr.sample_stack_user)
		put_snapshot(w, t->tid, &r);
	return record_put_end(&w->out, at);
}

void
ptrace_write_maps(struct ptrace_writer *w, struct ptrace_task *t)
{
	struct str lines;
	uint64_t hash;

	if (!sysfile_read(&w->scratch, "/proc/%ld/maps", (long)t->pid))
		return;
	lines = buf_view(&w->scratch);
	hash = str_hash(lines);
	if (t->mapped && hash == t->maps_hash)
		return;
	t->mapped = true;
	t->maps_hash = hash;
	while (lines.n)
		synth_map(&w->synth, t->pid, str_cut(&lines, '\n'));
}

void
ptrace_write_comm(struct ptrace_writer *w, struct ptrace_task *t, bool exec)
{
	struct str comm;
	size_t at;

	if (!sysfile_read(
		    &w->scratch, "/proc/%ld/task/%ld/comm", (long)t->pid, (long)t->tid))
		return;
	comm = str_head(buf_view(&w->scratch), sizeof t->comm - 1);
	if (!exec && str_eq(comm, str_of(t->comm)))
		return;
	memset(t->comm, 0, sizeof t->comm);
	memcpy(t->comm, comm.s, comm.n);
	at = record_put_begin(
		&w->out, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	record_put_u32(&w->out, (uint32_t)t->pid);
	record_put_u32(&w->out, (uint32_t)t->tid);
	record_put_text(&w->out, comm, 8);
	end_record(w, at, t);
}

static void
put_task(
	struct ptrace_writer *w, const struct ptrace_task *t, uint32_t type, pid_t parent)
{
	size_t at = record_put_begin(&w->out, type, 0);
	pid_t process = parent == t->tid ? t->pid : target_process(parent);

	record_put_u32(&w->out, (uint32_t)t->pid);
	record_put_u32(&w->out, (uint32_t)(process ? process : parent));
	record_put_u32(&w->out, (uint32_t)t->tid);
	record_put_u32(&w->out, (uint32_t)parent);
	record_put_u64(&w->out, w->synth.time);
	end_record(w, at, t);
}

void
ptrace_write_fork(struct ptrace_writer *w, const struct ptrace_task *t, pid_t parent)
{
	put_task(w, t, PERF_RECORD_FORK, parent);
}

void
ptrace_write_exit(struct ptrace_writer *w, const struct ptrace_task *t)
{
	put_task(w, t, PERF_RECORD_EXIT, t->tid);
}

void
ptrace_write_round(struct ptrace_writer *w)
{
	record_put_end(&w->out, record_put_begin(&w->out, RECORD_PUT_FINISHED_ROUND, 0));
}
