/* SPDX-License-Identifier: ISC */
/* Attributes of events; see perf-attr.h. */
#include "perf-attr.h"

#include <string.h>
#include <time.h>

/* The registers that unwinding may need, as numbers of asm/perf_regs.h. */
#if defined(__x86_64__)
#define SNAPSHOT_REGS 0xff0fffULL /* all but the segments ds, es, fs, gs */
#elif defined(__aarch64__)
#define SNAPSHOT_REGS 0x1ffffffffULL /* x0 to x30, sp, pc */
#elif defined(__riscv)
#define SNAPSHOT_REGS 0xffffffffULL
#elif defined(__arm__)
#define SNAPSHOT_REGS 0xffffULL
#else
#define SNAPSHOT_REGS 0ULL
#endif

/* Abilities that kernels gained, newest first: they are left out in this order. */
enum { ABILITIES = 7 };

static void
drop(struct perf_event_attr *a, unsigned abilities)
{
	if (abilities > 0) /* 6.0 */
		a->read_format &= ~PERF_ATTR_LOST;
	if (abilities > 1) /* 5.12 */
		a->build_id = 0;
	if (abilities > 2) /* 5.1 */
		a->ksymbol = a->bpf_event = 0;
	if (abilities > 3) /* 4.3 */
		a->context_switch = 0;
	if (abilities > 4) /* 4.1 */
		a->use_clockid = 0, a->clockid = 0;
	if (abilities > 5) /* 3.16 */
		a->mmap2 = a->comm_exec = 0;
	if (abilities > 6) /* not every PMU accepts it */
		a->exclude_guest = 0;
}

bool
perf_attr_drop(struct perf_attr_level *level)
{
	if (level->dropped == ABILITIES)
		return false;
	level->dropped++;
	return true;
}

bool
perf_attr_can_snapshot(void)
{
	return SNAPSHOT_REGS != 0;
}

static void
ask_stacks(struct perf_event_attr *a, const struct record_options *set)
{
	if (set->stacks == RECORD_NONE)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (set->stack_bytes) {
		a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a->sample_regs_user = SNAPSHOT_REGS;
		a->sample_stack_user = set->stack_bytes;
		/* With -g dwarf, callchains contain the kernel's part only. */
		a->exclude_callchain_user = set->stacks == RECORD_DWARF;
	} else if (set->stacks == RECORD_LBR) {
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = PERF_SAMPLE_BRANCH_USER |
			PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_NO_FLAGS |
			PERF_SAMPLE_BRANCH_NO_CYCLES;
	}
}

/* Sets the rate: the event's own, the one of the options, or by the event's kind. */
static void
ask_rate(struct perf_event_attr *a, const struct perf_attr_request *r)
{
	const struct record_options *set = r->set;

	if (r->role == PERF_ATTR_MEMBER || r->role == PERF_ATTR_TRACKS)
		return;
	if (r->role == PERF_ATTR_WAITS) {
		a->sample_period = 1;
	} else if (a->sample_period) {
		/* its own, or with freq its own frequency */
	} else if (set->period) {
		a->sample_period = set->period;
	} else if (r->event->count_each && !set->frequency_given) {
		a->sample_period = 1;
	} else {
		a->freq = 1;
		a->sample_freq = set->frequency;
	}
}

static void
ask_levels(struct perf_event_attr *a, const struct perf_attr_request *r)
{
	if (r->set->kernel_only && r->role != PERF_ATTR_TRACKS)
		a->exclude_user = 1;
	if (r->set->user_only && r->role == PERF_ATTR_WAITS && !r->level->no_kernel) {
		/* A switch happens in the kernel: leave out only the kernel's part of
		 * the stack. */
		a->exclude_callchain_kernel = 1;
	} else if (r->set->user_only || r->level->no_kernel) {
		a->exclude_kernel = a->exclude_hv = a->exclude_callchain_kernel = 1;
	}
}

static void
ask_tracking(struct perf_event_attr *a, const struct record_options *set)
{
	a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = a->build_id = 1;
	/* perf looks for call frame information through maps of data. */
	a->mmap_data = set->stack_bytes > 0;
	a->ksymbol = a->bpf_event = !a->exclude_kernel;
}

static void
ask_reading(struct perf_event_attr *a, enum perf_attr_role role)
{
	a->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
		PERF_FORMAT_ID;
	if (role == PERF_ATTR_LEADER || role == PERF_ATTR_MEMBER) {
		/* Without PERF_ATTR_LOST: readers before 6.0 do not know it in
		 * samples. */
		a->read_format |= PERF_FORMAT_GROUP;
		a->sample_type |= PERF_SAMPLE_READ;
	} else {
		a->read_format |= PERF_ATTR_LOST;
	}
}

struct perf_event_attr
perf_attr_of(const struct perf_attr_request *r)
{
	struct perf_event_attr a = r->event->attr;

	a.size = PERF_ATTR_SIZE;
	a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	a.sample_id_all = 1;
	a.use_clockid = 1;
	a.clockid = CLOCK_MONOTONIC;
	a.inherit = !r->whole && !r->level->no_inherit;
	a.disabled = !r->follows;
	a.enable_on_exec = r->on_exec && !r->follows;
	a.watermark = 1;
	a.wakeup_watermark = (uint32_t)(r->set->ring_bytes / 4);
	ask_reading(&a, r->role);
	ask_rate(&a, r);
	ask_levels(&a, r);
	if (r->role != PERF_ATTR_TRACKS)
		ask_stacks(&a, r->set);
	if (r->role == PERF_ATTR_WAITS)
		a.context_switch = 1;
	if (r->tracks)
		ask_tracking(&a, r->set);
	drop(&a, r->level->dropped);
	return a;
}
