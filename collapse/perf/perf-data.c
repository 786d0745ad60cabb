/* SPDX-License-Identifier: ISC */
/*
 * perf.data, as perf record and fg-record write it: a file, or a stream from a pipe.
 * reader.c cuts it into records; in short,
 *
 *	PERFILE2  events  records                  build ids, host, command ...
 *
 *	COMM 2349 work
 *	MMAP2 2349 [0x55be899f2000 +0x3000 at 0x2000] /opt/demo/work
 *	SAMPLE 2349/2349 2022.392930 period 2004008 chain KERNEL ffffffff813a4413
 *		... USER 55be899f2f25 55be899f2eab ...
 *
 * Samples have addresses. The records before them give the file and offset (process.h,
 * callchain.h), and the files, which have to be present, give the names
 * (symbols/dso.h).
 *
 * A stack usually shares its outer frames with the previous stack of its thread
 * (stack-cache.h). Each other place is looked up, and only new places are named
 * (frames.h).
 */
#include "collapse.h"
#include "buf.h"
#include "callchain.h"
#include "elf.h"
#include "event.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "frames.h"
#include "mem.h"
#include "msg.h"
#include "process.h"
#include "reader.h"
#include "regular.h"
#include "stack-cache.h"
#include "symbols/dso.h"
#include "symbols/kallsyms.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

/* Caches for threads that take turns. */
enum { TURNS = 16 };

/*
 * Time that threads did not run. The event "off-cpu" of fg-record has a sample with a
 * stack whenever a thread leaves a processor; the SWITCH record of its return says how
 * long that stack waited. A runnable thread that had to make room for another gets a
 * leaf "[preempted]".
 */

/* A stack that waits, or waited. */
struct wait {
	uint32_t node; /* TREE_ROOT: the thread runs */
	uint64_t since;
	enum collapse_end end;
	bool preempted;
};

/* A zeroed struct offcpu with its collapse set has no waits. */
struct offcpu {
	struct collapse *c; /* not owned */
	struct wait *waits;
	size_t n, cap;
	struct buf event; /* its name */
	uint64_t endless; /* waits that no record ended */
};

static void
release_waits(struct offcpu *o)
{
	free(o->waits);
	buf_release(&o->event);
	*o = (struct offcpu){ 0 };
}

/* Whether samples of EVENT begin a wait. */
static bool
is_offcpu(const struct recording_event *event)
{
	return str_eq(event_plain(event->name), STR("off-cpu"));
}

/* T leaves its processor with the stack NODE, at the sample S. */
static void
begin_wait(struct offcpu *o, struct process_thread *t, uint32_t node,
	const struct collapse_sample *s)
{
	struct wait *w;

	if (!o->event.n)
		buf_str(&o->event, s->event);
	if (!t->wait) {
		*MEM_ADD(o->waits, o->n, o->cap) = (struct wait){ 0 };
		t->wait = (uint32_t)o->n;
	}
	w = &o->waits[t->wait - 1];
	o->endless += w->node != TREE_ROOT;
	*w = (struct wait){ node, s->time, s->end, false };
	/* A thread that ended never returns. */
	if (t->ended)
		w->node = TREE_ROOT;
}

/* T leaves or returns: adds the wait that ends. */
static void
switch_thread(struct offcpu *o, const struct process_thread *t,
	const struct recording_switch *s)
{
	struct wait *w = t->wait ? &o->waits[t->wait - 1] : NULL;
	struct collapse_sample add = { .event = buf_view(&o->event), .has_period = true };
	uint32_t node, id;

	if (!w || w->node == TREE_ROOT)
		return;
	if (s->out) {
		w->preempted = s->preempted;
		return;
	}
	node = w->node;
	add.end = w->end;
	w->node = TREE_ROOT;
	if (w->preempted) {
		id = collapse_frame(o->c, STR("[preempted]"), COLLAPSE_KERNEL);
		node = collapse_path(o->c, node, &id, 1);
	}
	add.period = s->time > w->since ? s->time - w->since : 0;
	collapse_add(o->c, node, &add);
}

/* Forgets all waits, including their number. */
static void
forget_waits(struct offcpu *o)
{
	size_t i;

	for (i = 0; i < o->n; i++)
		o->waits[i].node = TREE_ROOT;
	o->endless = 0;
}

/* Warns about waits that had not ended with the recording, if any. */
static void
warn_waits(const struct offcpu *o, const char *input)
{
	uint64_t n = o->endless;
	size_t i;

	for (i = 0; i < o->n; i++)
		n += o->waits[i].node != TREE_ROOT;
	if (n)
		msg_warn("%s: %" PRIu64
			 " %s did not end within the recording and %s left "
			 "out",
			input, n, n == 1 ? "wait" : "waits", n == 1 ? "is" : "are");
}

/*
 * How a stack ends: unwinding shows it; in a chain that the kernel walked, the names of
 * the two outermost frames do. The next stack of a thread usually has the same two, and
 * ends alike (stack-cache.h).
 */

/* How the stack of CH ends, by the recording alone. */
static enum collapse_end
end_of(const struct callchain *ch)
{
	static const enum collapse_end ends[UNWIND_ENDS] = {
		[UNWIND_WHOLE] = COLLAPSE_ENTRY,
		[UNWIND_CUT] = COLLAPSE_CUT,
		[UNWIND_SWITCHED] = COLLAPSE_SWITCHED,
		[UNWIND_ABSENT] = COLLAPSE_GONE,
		[UNWIND_NO_RULE] = COLLAPSE_NO_RULES,
		[UNWIND_NO_FILE] = COLLAPSE_NO_FILE,
		[UNWIND_NO_MAP] = COLLAPSE_BROKEN,
		[UNWIND_BROKEN] = COLLAPSE_BROKEN,
		[UNWIND_DEEP] = COLLAPSE_BROKEN,
		[UNWIND_FOREIGN] = COLLAPSE_FOREIGN,
	};

	if (ch->steps[0].how & CALLCHAIN_BARE)
		return COLLAPSE_ALONE;
	if (ch->unwound)
		return ends[ch->end];
	return ch->n < RECORDING_DEEPEST ? COLLAPSE_NO_POINTERS : COLLAPSE_DEEP;
}

/* How the stack ends by the names of its two outermost frames, or OTHERWISE. */
static enum collapse_end
judge_names(struct frames *f, struct callchain *ch, enum collapse_end otherwise)
{
	uint32_t outer[2]; /* innermost first */
	size_t at = ch->n, n = 0, count;
	const uint32_t *ids;

	while (at > 0 && n < 2) {
		ids = frames_names(f, ch, --at, &count);
		while (count > 0 && n < 2)
			outer[1 - n++] = ids[--count];
	}
	return collapse_judge_end(f->stack.c, outer + 2 - n, n, otherwise);
}

/* How the stack of CH, which has at least one frame, ends: OTHERWISE, unless names show
 * more. Sets *MODULE to the outermost frame's file if that is missing. */
static enum collapse_end
judge(struct frames *f, struct callchain *ch, enum collapse_end otherwise,
	struct str *module)
{
	enum collapse_end end = otherwise;
	struct dso *dso;

	*module = (struct str){ 0 };
	if (otherwise != COLLAPSE_ALONE && otherwise != COLLAPSE_ENTRY)
		end = judge_names(f, ch, otherwise);
	if (end != COLLAPSE_NO_POINTERS)
		return end;
	dso = callchain_place(ch, ch->n - 1).dso;
	if (!dso || dso_kind(dso) != DSO_FILE || dso_code(dso))
		return end;
	*module = dso_name(dso);
	return COLLAPSE_NO_FILE;
}

/* The root of a thread's last sample: without numbers, it depends only on these two. */
struct root {
	const struct recording_event *event;
	uint32_t comm, node;
};

struct job {
	struct input *in;
	struct collapse *c;
	struct dso_set *dsos;
	struct process_set processes;
	struct callchain chain;
	struct frames frames;
	struct stack_cache stacks[TURNS]; /* by thread */
	struct root roots[TURNS];
	struct offcpu offcpu;
	unsigned restarts; /* of the sink, when counting began */
	struct dso_clock clock;
	bool begun, local, remote, kernel_set;
	bool by_number; /* root frames have numbers */
};

/* Fields of a sample as text. */
struct texts {
	char comm[PROCESS_COMM], pid[16], tid[16], cpu[16];
};

static int
probe(struct str head)
{
	return reader_knows(head) ? 100 : 0;
}

/* Announces the events; dummies have records, not samples. */
static void
expect(struct collapse *c, const struct recording_about *about)
{
	enum { SOFTWARE = 1, DUMMY = 9 };
	const struct recording_event *e;
	size_t i;

	for (i = 0; i < about->event_n; i++) {
		e = about->events[i];
		if (e->type != SOFTWARE || e->config != DUMMY)
			collapse_expect(c, e->name);
	}
}

/* Whether the first line of the file PATH is LINE. */
static bool
says(const char *path, struct str line)
{
	char text[256];
	FILE *file = fopen(path, "r");
	bool same = file && fgets(text, sizeof text, file) &&
		str_eq(str_trim(str_of(text)), line);

	if (file)
		fclose(file);
	return same;
}

/* Whether the recording was made on this machine with this kernel. */
static bool
is_local(const struct recording_about *about)
{
	return about->host.n && about->release.n &&
		says("/proc/sys/kernel/hostname", about->host) &&
		says("/proc/sys/kernel/osrelease", about->release);
}

/* Whether the recording was made on another machine. */
static bool
is_remote(const struct recording_about *about)
{
	return about->host.n && !says("/proc/sys/kernel/hostname", about->host);
}

/* Whether the clock CLOCK - 1 counts from boot, as the kernel's own, 0, does. */
static bool
is_since_start(uint64_t clock)
{
	enum { MONOTONIC = 1, MONOTONIC_RAW = 4, BOOTTIME = 7 };

	return !clock || clock - 1 == MONOTONIC || clock - 1 == MONOTONIC_RAW ||
		clock - 1 == BOOTTIME;
}

static void
begin(void *context, const struct recording_about *about)
{
	struct job *job = context;

	if (job->begun)
		return;
	job->begun = true;
	expect(job->c, about);
	callchain_init(&job->chain, &job->processes, about->arch);
	job->chain.show = collapse_options(job->c)->addrs;
	job->local = is_local(about);
	job->remote = is_remote(about);
	if (job->remote)
		dso_set_remote(job->dsos);
	dso_set_ended(job->dsos, input_modified(job->in));
	job->clock.since_start = is_since_start(about->clock);
	collapse_info(job->c, "host", about->host);
	collapse_info(job->c, "command", about->command);
	collapse_start(job->c, about->start);
}

static void
handle_mmap(void *context, const struct recording_mmap *m)
{
	struct job *job = context;

	process_take_mmap(&job->processes, m);
}

static void
handle_comm(void *context, const struct recording_comm *c)
{
	struct job *job = context;

	process_take_comm(&job->processes, c);
}

static void
handle_fork(void *context, const struct recording_task *t)
{
	struct job *job = context;

	process_take_fork(&job->processes, t);
}

static void
handle_exit(void *context, const struct recording_task *t)
{
	struct job *job = context;

	process_take_exit(&job->processes, t);
}

static void
handle_ksymbol(void *context, const struct recording_ksymbol *k)
{
	struct job *job = context;

	process_take_ksymbol(&job->processes, k);
}

static void
handle_build_id(void *context, struct str path, struct str id, bool kernel)
{
	struct job *job = context;

	process_take_build_id(&job->processes, path, id, kernel);
}

static void
handle_lost(void *context, uint64_t n)
{
	struct job *job = context;

	collapse_lose_recorded(job->c, n);
}

static void
handle_bad(void *context, uint64_t offset, const char *why)
{
	struct job *job = context;

	if (collapse_lose_quietly(job->c, COLLAPSE_DAMAGED, 1))
		msg_warn("%s: byte %llu: skipping a record: %s", input_name(job->in),
			(unsigned long long)offset, why);
}

static void
handle_switch(void *context, const struct recording_switch *s)
{
	struct job *job = context;

	if (job->offcpu.n)
		switch_thread(
			&job->offcpu, process_find(&job->processes, s->pid, s->tid), s);
}

/* The node of the stack in job->chain below ROOT. Sets in TO how it ends. */
static uint32_t
descend(struct job *job, struct stack_cache *t, uint32_t root, struct collapse_sample *to)
{
	struct frames *f = &job->frames;
	struct callchain *ch = &job->chain;
	enum collapse_end otherwise = end_of(ch);
	struct stack_cache_context context = { .image = ch->image->space.version,
		.kernel = job->processes.kernel.space.version,
		.root = root,
		.flags = (uint32_t)(f->inlines | f->stack.java << 1 | otherwise << 2) };
	uint32_t node;
	size_t i;

	if (!f->steady)
		stack_cache_forget(t);
	stack_cache_begin(t, &context,
		(struct str){ (const char *)ch->steps, ch->n * sizeof *ch->steps });
	if (!t->n)
		stack_cache_end(t, job->c, judge(f, ch, otherwise, &t->end_module));
	to->end = t->end;
	to->end_module = t->end_module;
	if ((to->end == COLLAPSE_NO_RULES || to->end == COLLAPSE_NO_FILE) && ch->end_dso)
		to->end_module = dso_name(ch->end_dso);
	node = stack_cache_node(t);
	for (i = ch->n - t->n; i-- > 0;) {
		node = frames_descend(f, ch, i, node);
		stack_cache_push(t, (ch->n - i) * sizeof *ch->steps, node);
	}
	return node;
}

/* The node of the stack of S below ROOT, TREE_ROOT without a stack. Sets in TO how it
 * ends. */
static uint32_t
find_node(struct job *job, const struct recording_sample *s, struct process_image *image,
	uint32_t root, struct collapse_sample *to)
{
	const struct collapse_options *o = collapse_options(job->c);
	struct frames *f = &job->frames;
	struct callchain *ch = &job->chain;

	callchain_take(ch, s, image);
	if (!ch->n)
		return TREE_ROOT;
	f->time = s->has_time ? s->time : 0;
	f->inlines =
		!o->no_inlines && (o->inlines || o->srcline || callchain_is_snapshot(s));
	f->steady = image->jitdump == NULL;
	if (ch->unwound)
		collapse_snapshot(job->c, s->event->stack_bytes);
	return descend(job, &job->stacks[s->tid % TURNS], root, to);
}

/* Formats the numbers of S for root frames. */
static void
put_numbers(
	struct collapse_sample *to, const struct recording_sample *s, struct texts *texts)
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

/* S without its stack. */
static struct collapse_sample
describe(const struct recording_sample *s)
{
	const struct recording_event *event = s->event;
	struct collapse_sample to = {
		.event = event->name, .time = s->time, .has_time = s->has_time
	};

	/* A tracepoint's hits count one each, as in perf script's text. */
	if (event->tracepoint)
		return to;
	to.has_period = s->has_period || event->fixed_period;
	to.period = s->has_period ? s->period : event->fixed_period;
	return to;
}

/* Kernel names have to wait until its build id is known. */
static void
set_kernel(struct job *job)
{
	struct recording_about nothing = { 0 };

	if (!job->begun)
		begin(job, &nothing);
	dso_set_kernel(job->dsos, job->processes.kernel_id, job->local);
	job->kernel_set = true;
}

static uint32_t
find_root(struct job *job, const struct recording_sample *s,
	const struct process_thread *thread, const struct collapse_sample *to)
{
	struct root *r = &job->roots[s->tid % TURNS];

	if (job->by_number || !thread->comm)
		return collapse_root(job->c, to);
	if (r->event != s->event || r->comm != thread->comm)
		*r = (struct root){ s->event, thread->comm, collapse_root(job->c, to) };
	return r->node;
}

/* Resets the counts, which include samples that became unwanted. */
static void
start_over(struct job *job)
{
	job->restarts = collapse_restarts(job->c);
	job->chain.strays = 0;
	forget_waits(&job->offcpu);
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
handle_sample(void *context, const struct recording_sample *s)
{
	struct job *job = context;
	struct collapse_sample to = describe(s);
	struct process_thread *thread;
	struct texts texts;
	uint32_t node;

	note_time(job, s->time);
	if (!collapse_wants(job->c, &to))
		return;
	if (job->restarts != collapse_restarts(job->c))
		start_over(job);
	if (!job->kernel_set)
		set_kernel(job);
	thread = process_find(&job->processes, s->has_tid ? s->pid : UINT32_MAX,
		s->has_tid ? s->tid : UINT32_MAX);
	to.comm = str_trim(process_comm(&job->processes, thread, texts.comm));
	if (job->by_number)
		put_numbers(&to, s, &texts);
	job->frames.stack.java = frame_names_is_java(to.comm);
	node = find_node(
		job, s, thread->process->image, find_root(job, s, thread, &to), &to);
	if (node != TREE_ROOT && is_offcpu(s->event))
		begin_wait(&job->offcpu, thread, node, &to);
	else
		collapse_add(job->c, node, &to);
}

/* Advice about WHY, the reason in dso_trouble for a file without names: static text, or
 * WHY itself. */
static struct str
find_advice(const char *why)
{
	static const struct {
		const char *why, *advice;
	} known[] = {
		{ "does not exist", "the file is not here; copy it and use --elf FILE" },
		{ "not found", "not found here; copy it and use --elf FILE" },
		{ "is not the recorded file (its build id differs)",
			"the file here is another build; give the recorded one with --elf FILE" },
		{ "is not the file given with --elf (its build id differs)",
			"the file given with --elf is another build" },
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (str_eq(str_of(why), str_of(known[i].why)))
			return str_of(known[i].advice);
	return str_of(why);
}

/* Warns about STRAYS values in the chains of INPUT that were left out, if any. */
static void
warn_strays(uint64_t strays, const char *input)
{
	struct buf b = { 0 };

	units_put_count(&b, strays);
	if (strays)
		msg_warn("%s: left out %s %s in call chains that %s not an address",
			input, buf_cstr(&b), strays == 1 ? "value" : "values",
			strays == 1 ? "is" : "are");
	buf_release(&b);
}

static void
explain(void *context, struct str name, uint64_t asked, const char *why)
{
	(void)asked;
	/* The diagnosis gives advice on these. */
	if (why != jit_no_map &&
		!str_eq(str_of(why), STR("no symbols at those addresses")))
		collapse_explain(context, name, find_advice(why));
}

/* Files that changed after the recording. */
struct changes {
	struct str first; /* the most requested one */
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

/* Warns about names that may belong to another process. */
static void
warn_doubts(struct job *job)
{
	struct changes doubts = { .n = 0 };
	char more[64] = "";

	dso_doubts(job->dsos, &job->clock, note_change, &doubts);
	if (doubts.n > 1)
		snprintf(more, sizeof more, " (and %zu more)", doubts.n - 1);
	if (doubts.n)
		msg_warn(
			"%s: %.*s %s%s: its names may belong to another process with the "
			"same PID; record again, or use --perf-maps",
			input_name(job->in), (int)doubts.first.n, doubts.first.s,
			doubts.why, more);
}

/* Warns about files that cannot be the recorded ones. */
static void
warn_changes(struct job *job)
{
	struct changes changes = { .n = 0 };
	char more[64] = "";

	if (!job->remote)
		dso_changes(job->dsos, &job->clock, note_change, &changes);
	if (changes.n > 1)
		snprintf(more, sizeof more, " (and %zu more)", changes.n - 1);
	if (changes.n)
		msg_warn("%s: %.*s%s was rebuilt after the recording, which has no build "
			 "id for it: names may be wrong; record again",
			input_name(job->in), (int)changes.first.n, changes.first.s, more);
}

/* Whether the file at PATH, given with OPTION, can be read as ELF; prints an error if
 * not. */
static bool
check_elf(const char *option, const char *path)
{
	const char *why = NULL;
	struct elf *e = elf_open(path, &why);

	if (!e)
		msg_error("%s %s: %s", option, path, why);
	elf_close(e);
	return e != NULL;
}

/* Whether FILE, given with --kallsyms, is a list of symbols; prints an error if not. */
static bool
check_kallsyms(const char *file)
{
	struct buf text = { 0 };
	bool there = regular_read(file, &text);
	struct kallsyms *list = there ? kallsyms_parse(buf_view(&text)) : NULL;

	if (!list)
		msg_error("--kallsyms %s: %s", file,
			there ? "no line has the address of a symbol" : "cannot be read");
	kallsyms_free(list);
	buf_release(&text);
	return list != NULL;
}

/* Whether the files given by the user can be used; prints errors for others. */
static bool
check_files(const struct collapse_options *o)
{
	bool good = true;
	size_t i;

	for (i = 0; i < o->elfs.n; i++)
		good &= check_elf("--elf", o->elfs.items[i]);
	if (o->vmlinux)
		good &= check_elf("--vmlinux", o->vmlinux);
	if (o->kallsyms)
		good &= check_kallsyms(o->kallsyms);
	return good;
}

static void
job_init(struct job *job, struct input *in, struct collapse *c)
{
	const struct collapse_options *o = collapse_options(c);
	struct dso_options options = { .full_names = o->full_names,
		.inlines = !o->no_inlines,
		.lines = o->srcline,
		.codes = o->code,
		.any_maps = o->any_maps,
		.elfs = &o->elfs,
		.vmlinux = o->vmlinux,
		.kallsyms = o->kallsyms,
		.servers = o->servers };
	int i;

	_Static_assert(sizeof(struct callchain_step) % 8 == 0, "whole words");
	*job = (struct job){ .in = in, .c = c, .offcpu.c = c };
	job->dsos = dso_set_new(&options);
	job->frames.stack.c = c;
	process_init(&job->processes, job->dsos);
	for (i = 0; i < TURNS; i++)
		job->stacks[i].width = sizeof(struct callchain_step);
	for (i = 0; i < COLLAPSE_BY_MAX; i++)
		job->by_number |= o->by[i] > COLLAPSE_COMM;
}

static void
job_release(struct job *job)
{
	size_t i;

	callchain_release(&job->chain);
	frames_release(&job->frames);
	release_waits(&job->offcpu);
	process_release(&job->processes);
	for (i = 0; i < TURNS; i++)
		stack_cache_release(&job->stacks[i]);
	dso_set_free(job->dsos);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct recording_handler functions = {
		.sample = handle_sample,
		.mmap = handle_mmap,
		.comm = handle_comm,
		.fork = handle_fork,
		.exit = handle_exit,
		.switched = handle_switch,
		.ksymbol = handle_ksymbol,
		.lost = handle_lost,
		.build_id = handle_build_id,
		.begin = begin,
		.bad = handle_bad,
	};
	struct recording_handler handler = functions;
	struct dso_program program;
	struct job job;
	size_t at = 0;
	bool done;

	if (!check_files(collapse_options(c)))
		return false;
	collapse_perf(c);
	job_init(&job, in, c);
	handler.context = &job;
	done = reader_run(in, &handler);
	warn_strays(job.chain.strays, input_name(in));
	warn_waits(&job.offcpu, input_name(in));
	frames_settle(&job.frames);
	job.clock.end = input_modified(in);
	if (!job.clock.end)
		job.clock.end = (uint64_t)time(NULL);
	warn_changes(&job);
	warn_doubts(&job);
	dso_trouble(job.dsos, explain, c);
	dso_tell_lines(job.dsos, input_name(in));
	while (dso_next_program(job.dsos, &at, &program))
		collapse_program(c, program.name, program.build_id, program.path);
	job_release(&job);
	return done;
}

const struct collapse_format collapse_perf_data = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "PERF"), SIGN(MAGIC, "2ELIFREP")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_PERF_MAPS |
		COLLAPSE_USES_SRCLINE | COLLAPSE_USES_VMLINUX | COLLAPSE_USES_KALLSYMS,
	.for_times = "record with perf record --timestamp",
};
