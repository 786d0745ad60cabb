/* SPDX-License-Identifier: ISC */
/*
 * perf.data, as perf record and fg-record write it: a file, or a stream from a
 * pipe. What is in it is perf/reader.h's to tell; in short,
 *
 *	PERFILE2  events  records                  build ids, host, command ...
 *
 *	COMM 2349 work
 *	MMAP2 2349 [0x55be899f2000 +0x3000 at 0x2000] /opt/demo/work
 *	SAMPLE 2349/2349 2022.392930 period 2004008 chain KERNEL ffffffff813a4413
 *		... USER 55be899f2f25 55be899f2eab ...
 *
 * Samples have addresses: which file and place of it they are in follows from
 * the records before them (perf/process.h, callchain.h), and the names from the
 * files, which have to be there (symbols/dso.h).
 *
 * A stack most often has its outer frames from the one that its thread had
 * before (perf/trail.h). Of the others each place is looked up, and only a
 * new place is named (perf/frames.h).
 */
#include "collapse.h"
#include "elf.h"
#include "ending.h"
#include "formats.h"
#include "naming.h"
#include "callchain.h"
#include "frames.h"
#include "offcpu.h"
#include "outcome.h"
#include "process.h"
#include "reader.h"
#include "diagnose.h"
#include "stack-cache.h"

#include <stdio.h>
#include <time.h>

/* Threads take turns. */
enum { TRAILS = 16 };

/* The root of the last sample of a thread: it follows from these two when it has
 * no numbers. */
struct root {
	const struct reader_event *event;
	uint32_t comm, node;
};

struct job {
	struct input *in;
	struct collapse *c;
	struct dso_set *dsos;
	struct process_set processes;
	struct callchain chain;
	struct frames frames;
	struct stack_cache trails[TRAILS]; /* by thread */
	struct root roots[TRAILS];
	struct outcome outcomes[TRAILS];
	struct offcpu offcpu;
	uint32_t chosen; /* the event whose samples are counted here */
	struct dso_clock clock;
	bool begun, local, remote, kernel_told;
	bool by_number; /* root frames have numbers */
};

/* A sample's texts. */
struct texts {
	char comm[PROCESS_COMM], pid[16], tid[16], cpu[16];
};

static int
probe(struct str head)
{
	return reader_knows(head) ? 100 : 0;
}

/* Says which events were asked for; dummies have records, not samples. */
static void
expect(struct collapse *c, const struct reader_about *about)
{
	enum { SOFTWARE = 1, DUMMY = 9 };
	const struct reader_event *e;
	size_t i;

	for (i = 0; i < about->event_n; i++) {
		e = about->events[i];
		if (e->type != SOFTWARE || e->config != DUMMY)
			collapse_expect(c, e->name);
	}
}

/* Whether the clock number CLOCK - 1 counts from the start of the machine, as the kernel's own,
 * which is 0, does. */
static bool
is_since_start(uint64_t clock)
{
	enum { MONOTONIC = 1, MONOTONIC_RAW = 4, BOOTTIME = 7 };

	return !clock || clock - 1 == MONOTONIC || clock - 1 == MONOTONIC_RAW ||
		clock - 1 == BOOTTIME;
}

static void
begin(void *context, const struct reader_about *about)
{
	struct folded_info *info;
	struct job *job = context;

	if (job->begun)
		return;
	job->begun = true;
	expect(job->c, about);
	info = &job->c->info;
	callchain_init(&job->chain, &job->processes, about->arch);
	job->chain.show = job->c->options->addrs;
	job->local = diagnose_is_local(about);
	job->remote = diagnose_is_remote(about);
	if (job->remote)
		dso_set_remote(job->dsos);
	dso_set_ended(job->dsos, input_modified(job->in));
	job->clock.since_start = is_since_start(about->clock);
	if (!folded_info_get(info, "host").n)
		folded_info_set(info, "host", about->host);
	if (!folded_info_get(info, "command").n)
		folded_info_set(info, "command", about->command);
}

static void
take_mmap(void *context, const struct reader_mmap *m)
{
	struct job *job = context;

	process_take_mmap(&job->processes, m);
}

static void
take_comm(void *context, const struct reader_comm *c)
{
	struct job *job = context;

	process_take_comm(&job->processes, c);
}

static void
take_fork(void *context, const struct reader_task *t)
{
	struct job *job = context;

	process_take_fork(&job->processes, t);
}

static void
take_exit(void *context, const struct reader_task *t)
{
	struct job *job = context;

	process_take_exit(&job->processes, t);
}

static void
take_ksymbol(void *context, const struct reader_ksymbol *k)
{
	struct job *job = context;

	process_take_ksymbol(&job->processes, k);
}

static void
take_build_id(void *context, struct str path, struct str id, bool kernel)
{
	struct job *job = context;

	process_take_build_id(&job->processes, path, id, kernel);
}

static void
take_lost(void *context, uint64_t n)
{
	struct job *job = context;

	job->c->lost += n;
}

static void
take_bad(void *context, uint64_t offset, const char *why)
{
	struct job *job = context;

	if (!job->c->losses[COLLAPSE_DAMAGED]++)
		msg_warn("%s: byte %llu: skipping a record: %s", input_name(job->in),
			(unsigned long long)offset, why);
}

static void
take_switch(void *context, const struct reader_switch *s)
{
	struct job *job = context;

	if (job->offcpu.n &&
		!offcpu_switch(
			&job->offcpu, process_find(&job->processes, s->pid, s->tid), s))
		collapse_lose(job->c, job->in, COLLAPSE_OVERFLOW);
}

/* The node of the stack of S below ROOT, TREE_ROOT when it has none. Says in
 * TO how it ends. */
static uint32_t
find_node(struct job *job, const struct reader_sample *s, struct process_image *image,
	uint32_t root, struct collapse_sample *to)
{
	const struct collapse_options *o = job->c->options;
	struct stack_cache *trail = &job->trails[s->tid % TRAILS];
	struct stack_cache_context context = { .root = root };
	struct frames *f = &job->frames;
	struct callchain *ch = &job->chain;
	size_t i;

	callchain_take(ch, s, image);
	if (!ch->n)
		return TREE_ROOT;
	f->time = s->has_time ? s->time : 0;
	f->inlines = !o->no_inlines && (o->inlines || callchain_is_snapshot(s));
	f->steady = image->jitdump == NULL;
	context.image = image->space.version;
	context.kernel = job->processes.kernel.space.version;
	context.flags = f->inlines | f->stack.java << 1;
	if (!f->steady)
		trail->n = 0;
	outcome_judge(&job->outcomes[s->tid % TRAILS],
		&(struct outcome_stack){ f, ch, trail, &context }, to);
	if (ch->unwound && s->event->stack_bytes > job->c->snapshot)
		job->c->snapshot = s->event->stack_bytes;
	context.root = ending_mark(job->c, root, to->end);
	stack_cache_begin(trail, &context, ch->steps, ch->n);
	for (i = ch->n - trail->n; i-- > 0;)
		stack_cache_push(trail, &ch->steps[i],
			frames_descend(f, ch, i, stack_cache_node(trail)));
	return stack_cache_node(trail);
}

/* The texts of S's numbers, for root frames. */
static void
put_numbers(
	struct collapse_sample *to, const struct reader_sample *s, struct texts *texts)
{
	if (s->has_tid) {
		snprintf(texts->pid, sizeof texts->pid, "%d", (int)s->pid);
		snprintf(texts->tid, sizeof texts->tid, "%d", (int)s->tid);
		to->pid = str_of(texts->pid);
		to->tid = str_of(texts->tid);
	}
	if (s->has_cpu) {
		snprintf(texts->cpu, sizeof texts->cpu, "%03u", s->cpu);
		to->cpu = str_of(texts->cpu);
	}
}

/* What of S is not its stack. */
static struct collapse_sample
describe(const struct reader_sample *s)
{
	const struct reader_event *event = s->event;
	struct collapse_sample to = {
		.event = event->name, .time = s->time, .has_time = s->has_time
	};

	/* A tracepoint's hits count one each, as perf script's text has it. */
	if (event->tracepoint)
		return to;
	to.has_period = s->has_period || event->fixed_period;
	to.period = s->has_period ? s->period : event->fixed_period;
	return to;
}

/* Names of the kernel have to wait until its build id is known. */
static void
tell_kernel(struct job *job)
{
	struct reader_about nothing = { 0 };

	if (!job->begun)
		begin(job, &nothing);
	dso_set_kernel(job->dsos, job->processes.kernel_id, job->local);
	job->kernel_told = true;
}

static uint32_t
find_root(struct job *job, const struct reader_sample *s,
	const struct process_thread *thread, const struct collapse_sample *to)
{
	struct root *r = &job->roots[s->tid % TRAILS];

	if (job->by_number || !thread->comm)
		return collapse_root(job->c, to);
	if (r->event != s->event || r->comm != thread->comm)
		*r = (struct root){ s->event, thread->comm, collapse_root(job->c, to) };
	return r->node;
}

/* What was counted was of samples that are not wanted any more. */
static void
start_over(struct job *job)
{
	job->chosen = job->c->chosen;
	job->chain.strays = 0;
	offcpu_forget(&job->offcpu);
}

static void
note_time(struct job *job, uint64_t time)
{
	if (!job->clock.first)
		job->clock.first = time;
	if (time > job->clock.last)
		job->clock.last = time;
}

static void
take_sample(void *context, const struct reader_sample *s)
{
	struct job *job = context;
	struct collapse_sample to = describe(s);
	struct process_thread *thread;
	struct texts texts;
	uint32_t node;

	note_time(job, s->time);
	if (!collapse_wants(job->c, &to))
		return;
	if (job->chosen != job->c->chosen)
		start_over(job);
	if (!job->kernel_told)
		tell_kernel(job);
	thread = process_find(&job->processes, s->has_tid ? s->pid : UINT32_MAX,
		s->has_tid ? s->tid : UINT32_MAX);
	to.comm = str_trim(process_comm(&job->processes, thread, texts.comm));
	if (job->by_number)
		put_numbers(&to, s, &texts);
	job->frames.stack.java = naming_is_java(to.comm);
	node = find_node(
		job, s, thread->process->image, find_root(job, s, thread, &to), &to);
	if (node == TREE_ROOT)
		collapse_lose(job->c, job->in, COLLAPSE_NO_STACK);
	else if (offcpu_is_event(s->event))
		offcpu_begin(&job->offcpu, thread, node, &to);
	else if (!collapse_add(job->c, node, &to))
		collapse_lose(job->c, job->in, COLLAPSE_OVERFLOW);
}

static void
explain(void *context, struct str name, uint64_t asked, const char *why)
{
	(void)asked;
	/* Of these the diagnosis says what helps. */
	if (why != jit_no_map && !str_eq(str_of(why), STR("no symbols there")))
		collapse_explain(context, name, diagnose_advice(why));
}

/* Files that were changed since they were recorded. */
struct changes {
	struct str first; /* the one asked most often */
	const char *why;
	size_t n;
};

static void
note_change(void *context, struct str name, uint64_t asked, const char *why)
{
	struct changes *changes = context;

	(void)asked;
	if (changes->n++)
		return;
	changes->first = name;
	changes->why = why;
}

/* Says which names may be those of another process. */
static void
tell_doubts(struct job *job)
{
	struct changes doubts = { .n = 0 };
	char more[64] = "";

	dso_doubts(job->dsos, &job->clock, note_change, &doubts);
	if (doubts.n > 1)
		snprintf(more, sizeof more, " (and %zu more)", doubts.n - 1);
	if (doubts.n)
		msg_warn(
			"%s: %.*s %s%s: its names may be of another process that had the "
			"same number; record again, or say --perf-maps",
			input_name(job->in), (int)doubts.first.n, doubts.first.s,
			doubts.why, more);
}

/* Says which files cannot be those that were recorded. */
static void
tell_changes(struct job *job)
{
	struct changes changes = { .n = 0 };
	char more[64] = "";

	if (!job->remote)
		dso_changes(job->dsos, &job->clock, note_change, &changes);
	if (changes.n > 1)
		snprintf(more, sizeof more, " (and %zu more)", changes.n - 1);
	if (changes.n)
		msg_warn("%s: %.*s%s was rebuilt since the recording, which has no build "
			 "id of it: names may be wrong; record again",
			input_name(job->in), (int)changes.first.n, changes.first.s, more);
}

/* Whether the files that --elf names are such; says which are not. */
static bool
check_elfs(const struct opt_list *list)
{
	const char *why = NULL;
	bool good = true;
	struct elf *e;
	size_t i;

	for (i = 0; i < list->n; i++) {
		e = elf_open(list->items[i], &why);
		if (!e)
			msg_error("--elf %s: %s", list->items[i], why);
		good &= e != NULL;
		elf_close(e);
	}
	return good;
}

static void
job_init(struct job *job, struct input *in, struct collapse *c)
{
	const struct collapse_options *o = c->options;
	struct dso_options options = { .full_names = o->full_names,
		.inlines = !o->no_inlines,
		.any_maps = o->any_maps,
		.elfs = &o->elfs };
	int i;

	*job = (struct job){ .in = in, .c = c, .offcpu.c = c };
	job->dsos = dso_set_new(&options);
	job->frames.stack.c = c;
	process_init(&job->processes, job->dsos);
	for (i = 0; i < COLLAPSE_BY_MAX; i++)
		job->by_number |= o->by[i] > COLLAPSE_COMM;
}

static void
job_release(struct job *job)
{
	size_t i;

	callchain_release(&job->chain);
	frames_release(&job->frames);
	offcpu_release(&job->offcpu);
	process_release(&job->processes);
	for (i = 0; i < TRAILS; i++)
		stack_cache_release(&job->trails[i]);
	dso_set_free(job->dsos);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct reader_handler functions = {
		.sample = take_sample,
		.mmap = take_mmap,
		.comm = take_comm,
		.fork = take_fork,
		.exit = take_exit,
		.switched = take_switch,
		.ksymbol = take_ksymbol,
		.lost = take_lost,
		.build_id = take_build_id,
		.begin = begin,
		.bad = take_bad,
	};
	struct reader_handler handler = functions;
	struct job job;
	bool done;

	if (!check_elfs(&c->options->elfs))
		return false;
	if (c->options->srcline)
		msg_warn(
			"%s: --srcline has no effect on perf-data: line tables are not read; "
			"use perf script -F +srcline",
			input_name(in));
	c->perf = true;
	job_init(&job, in, c);
	handler.context = &job;
	done = reader_run(in, &handler);
	diagnose_tell(job.chain.strays, input_name(in));
	offcpu_tell(&job.offcpu, input_name(in));
	frames_settle(&job.frames);
	job.clock.end = input_modified(in);
	if (!job.clock.end)
		job.clock.end = (uint64_t)time(NULL);
	tell_changes(&job);
	tell_doubts(&job);
	dso_trouble(job.dsos, explain, c);
	job_release(&job);
	return done;
}

const struct collapse_format collapse_perf_data = {
	.name = "perf-data",
	.about = "perf.data of perf record or fg-record, a file or a stream",
	.probe = probe,
	.run = run,
	/* SRCLINE has none: run says so, and what to do. */
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_NAMING | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_INLINE | COLLAPSE_USES_NO_INLINE | COLLAPSE_USES_ELF |
		COLLAPSE_USES_PERF_MAPS | COLLAPSE_USES_SRCLINE,
	.for_times = "record with perf record --timestamp",
};
