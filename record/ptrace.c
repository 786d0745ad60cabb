/* SPDX-License-Identifier: ISC */
/*
 * Samples without perf events, where they are refused: stops threads by ptrace(2) at
 * each tick, reads their registers and stacks, and resumes them. The stream has the
 * records that the kernel would write (include/uapi/linux/perf_event.h, at enum
 * perf_event_type).
 *
 * A tick samples the threads that run then; with --off-cpu also waiting ones. Samples
 * contain only the user's part of the stack, at intervals of wall-clock time.
 *
 * A thread stops because we asked it to, or it has just started, or for a signal, a
 * stop of the whole process, or an exec.
 */
#define _GNU_SOURCE
#include "ptrace.h"
#include "advice.h"
#include "mem.h"
#include "msg.h"
#include "perf-attr.h"
#include "recorder.h"
#include "runtimes.h"
#include "synth.h"
#include "sysfile.h"
#include "target.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECOND = 1000000000, LETTING_GO = SECOND / 2 };
enum { HZ = 99, HZ_MOST = 999 };
/* Bytes of a snapshot: a record also has to hold the longest chain. */
enum { STACK_MOST = 64000 };

/* A thread that is traced. */
struct task {
	pid_t tid, pid;
	bool asked;    /* to stop, for a sample or to be detached */
	bool stopped;  /* by a signal such as SIGSTOP, until another resumes it */
	bool mapped;   /* the stream has the maps of maps_hash */
	char comm[16]; /* as the stream has it */
	uint64_t maps_hash;
	uint32_t ticks;	       /* that its next sample stands for */
	uint32_t cpu;	       /* where it was at the last look */
	struct target_use use; /* at its last stop */
	uint64_t ran, waited;  /* since the last look, without waits that we caused */
	bool resumed;	       /* since it was seized */
};

/* Sorted by ID. Pointers into it hold until a task is added or removed. */
struct tasks {
	struct task *items;
	size_t n, cap;
};

struct sampler {
	struct recorder *r;
	struct tasks tasks;
	struct synth synth; /* writes records, with its time */
	struct perf_event_attr attr;
	uint64_t period; /* of ticks, in ns */
	uint64_t random; /* not 0 */
	bool by_use;	 /* the kernel counts the processor time of threads */
	bool ending;	 /* threads are detached as they stop */
	struct buf scratch;
};

/* The table of threads. */
/* Compares a key and an item, for bsearch. */
static int
by_tid(const void *key, const void *item)
{
	pid_t tid = *(const pid_t *)key;
	const struct task *t = item;

	return (tid > t->tid) - (tid < t->tid);
}

static struct task *
find_task(const struct tasks *list, pid_t tid)
{
	return list->n ? bsearch(&tid, list->items, list->n, sizeof *list->items, by_tid)
		       : NULL;
}

static struct task *
add_task(struct tasks *list, pid_t tid, pid_t pid)
{
	struct task *t = find_task(list, tid);

	if (t)
		return t;
	list->items = mem_grow(list->items, &list->cap, list->n + 1, sizeof *list->items);
	for (t = list->items + list->n++; t > list->items && t[-1].tid > tid; t--)
		*t = t[-1];
	*t = (struct task){ .tid = tid, .pid = pid };
	return t;
}

static void
remove_task(struct tasks *list, pid_t tid)
{
	struct task *t = find_task(list, tid);

	if (!t)
		return;
	list->n--;
	memmove(t, t + 1, (size_t)(list->items + list->n - t) * sizeof *t);
}

/* Registers and stacks of stopped threads. */
/* NT_PRSTATUS of <linux/elf.h>. */
enum { GENERAL_REGISTERS = 1 };

#if defined(__x86_64__)
/* In the order of PERF_REG_X86_* from AX on; the segments ds, es, fs and gs are not
 * requested. */
static void
sort_regs(const struct user_regs_struct *u, struct ptrace_regs *r)
{
	const uint64_t all[] = { u->rax, u->rbx, u->rcx, u->rdx, u->rsi, u->rdi, u->rbp,
		u->rsp, u->rip, u->eflags, u->cs, u->ss, 0, 0, 0, 0, u->r8, u->r9, u->r10,
		u->r11, u->r12, u->r13, u->r14, u->r15 };

	memcpy(r->all, all, sizeof all);
	r->ip = u->rip;
	r->sp = u->rsp;
	r->fp = u->rbp;
}
#define HAS_REGS 1
#elif defined(__aarch64__)
/* x0 to x30, sp, pc. */
static void
sort_regs(const struct user_regs_struct *u, struct ptrace_regs *r)
{
	size_t i;

	for (i = 0; i < 31; i++)
		r->all[i] = u->regs[i];
	r->all[31] = r->sp = u->sp;
	r->all[32] = r->ip = u->pc;
	r->fp = u->regs[29];
}
#define HAS_REGS 1
#else
#define HAS_REGS 0
#endif

/* Reads the registers of the stopped thread TID. Returns false if it has ended or is
 * not 64-bit. */
static bool
read_regs(pid_t tid, struct ptrace_regs *r)
{
#if HAS_REGS
	struct user_regs_struct u;
	struct iovec v = { &u, sizeof u };

	memset(r, 0, sizeof *r);
	/* A 32-bit thread has a smaller set. */
	if (ptrace(PTRACE_GETREGSET, tid, (void *)(uintptr_t)GENERAL_REGISTERS, &v) !=
			0 ||
		v.iov_len != sizeof u)
		return false;
	sort_regs(&u, r);
	return true;
#else
	(void)tid;
	memset(r, 0, sizeof *r);
	return false;
#endif
}

/* Copies up to N bytes of TID's memory at ADDRESS. Returns the number of bytes. */
static size_t
read_memory(pid_t tid, uint64_t address, void *to, size_t n)
{
	struct iovec here = { to, n }, there = { 0, n };
	ssize_t got;

	memcpy(&there.iov_base, &(uintptr_t){ (uintptr_t)address },
		sizeof there.iov_base);
	got = process_vm_readv(tid, &here, 1, &there, 1, 0);
	return got > 0 ? (size_t)got : 0;
}

/* A piece of the stack, which moves up with the chain. */
struct window {
	pid_t tid;
	uint64_t from;
	size_t n;
	uint64_t bytes[2048];
};

/* Reads the frame pointer and the return address at PLACE. */
static bool
read_pair(struct window *w, uint64_t place, uint64_t pair[2])
{
	uint64_t end;

	if (__builtin_add_overflow(place, 16, &end))
		return false;
	if (place < w->from || end > w->from + w->n) {
		w->from = place;
		w->n = read_memory(w->tid, place, w->bytes, sizeof w->bytes);
	}
	if (w->n < 16 || end > w->from + w->n)
		return false;
	memcpy(pair, (const char *)w->bytes + (place - w->from), 16);
	return true;
}

size_t
ptrace_read_chain(
	pid_t tid, const struct ptrace_regs *r, uint64_t chain[PTRACE_CHAIN_MOST])
{
	struct window w = { .tid = tid };
	uint64_t place = r->fp, low = r->sp, pair[2];
	size_t n = 0;

	chain[n++] = r->ip;
	/* Stacks grow down, so that each frame lies above the one it called. */
	while (n < PTRACE_CHAIN_MOST && place >= low && place % 8 == 0 &&
		read_pair(&w, place, pair) && pair[1]) {
		chain[n++] = pair[1];
		low = place + 16;
		place = pair[0];
	}
	return n;
}

#define _GNU_SOURCE

/* Records. */
static void
put_chain(struct buf *b, pid_t tid, const struct ptrace_regs *r)
{
	uint64_t chain[PTRACE_CHAIN_MOST];
	size_t n = ptrace_read_chain(tid, r, chain), i;

	stream_put_u64(b, n + 1);
	stream_put_u64(b, PERF_CONTEXT_USER);
	for (i = 0; i < n; i++)
		stream_put_u64(b, chain[i]);
}

static void
put_snapshot(struct sampler *s, pid_t tid, const struct ptrace_regs *r)
{
	size_t size = s->attr.sample_stack_user, got, at;
	struct buf *b = s->synth.out;
	unsigned i;

	stream_put_u64(b, PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < PTRACE_REGISTERS; i++)
		if (s->attr.sample_regs_user >> i & 1)
			stream_put_u64(b, r->all[i]);
	at = b->n;
	stream_put_u64(b, size);
	got = read_memory(tid, r->sp, buf_room(b, size), size);
	b->n += got;
	s->r->sum.copies++;
	s->r->sum.full += got == size;
	/* Shortened as in ring.h. */
	if (got < size) {
		size = got / 8 * 8 + 8;
		stream_put_zeroes(b, size - got);
		memcpy(b->s + at, &(uint64_t){ size }, 8);
	}
	stream_put_u64(b, got);
}

/* Adds a sample of the stopped thread T. Returns false if it cannot be read. */
static bool
put_sample(struct sampler *s, const struct task *t)
{
	struct buf *b = s->synth.out;
	struct ptrace_regs r;
	size_t at;

	if (!read_regs(t->tid, &r))
		return false;
	at = stream_put_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	stream_put_u64(b, s->synth.id);
	stream_put_u64(b, r.ip);
	stream_put_u32(b, (uint32_t)t->pid);
	stream_put_u32(b, (uint32_t)t->tid);
	stream_put_u64(b, s->synth.time);
	stream_put_u32(b, t->cpu);
	stream_put_u32(b, 0);
	stream_put_u64(b, s->period * t->ticks);
	if (s->attr.exclude_callchain_user)
		stream_put_u64(b, 0);
	else if (s->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		put_chain(b, t->tid, &r);
	if (s->attr.sample_stack_user)
		put_snapshot(s, t->tid, &r);
	return stream_put_end(b, at);
}

/* Adds the executable maps of T's process if they have changed. */
static void
put_maps(struct sampler *s, struct task *t)
{
	struct str lines;
	uint64_t hash;

	if (!sysfile_read(&s->scratch, "/proc/%ld/maps", (long)t->pid))
		return;
	lines = buf_view(&s->scratch);
	hash = str_hash(lines);
	if (t->mapped && hash == t->maps_hash)
		return;
	t->mapped = true;
	t->maps_hash = hash;
	while (lines.n)
		synth_map(&s->synth, t->pid, str_cut(&lines, '\n'));
}

/* Adds the name of T if it has changed, or in any case for the EXEC of a new program. */
static void
put_comm(struct sampler *s, struct task *t, bool exec)
{
	struct str comm;

	if (!sysfile_read(
		    &s->scratch, "/proc/%ld/task/%ld/comm", (long)t->pid, (long)t->tid))
		return;
	comm = str_head(buf_view(&s->scratch), sizeof t->comm - 1);
	if (!exec && str_eq(comm, str_of(t->comm)))
		return;
	memset(t->comm, 0, sizeof t->comm);
	memcpy(t->comm, comm.s, comm.n);
	synth_comm(&s->synth, (pid_t[]){ t->pid, t->tid }, comm, exec);
}

/* Adds the start of T, created by thread PARENT. */
static void
put_fork(struct sampler *s, const struct task *t, pid_t parent)
{
	pid_t process = target_process(parent);

	synth_task(&s->synth, PERF_RECORD_FORK, 0,
		(pid_t[]){ t->pid, process ? process : parent, t->tid, parent });
}

/* Stops of threads. */
/* Adds up the processor time of T, which has stopped, since it was resumed. We caused
 * its first wait, which is assumed to be as long as the others. */
static void
account(struct sampler *s, struct task *t)
{
	struct target_use use;
	uint64_t turns, wait;

	if (!s->by_use || !target_use_of(&use, t->pid, t->tid))
		return;
	turns = use.turns - t->use.turns;
	wait = use.wait - t->use.wait;
	t->ran += use.run - t->use.run;
	if (turns)
		t->waited += wait - wait / turns;
	t->use = use;
}

/* Resumes thread TID with SIGNAL, 0 for none. */
static void
resume(struct sampler *s, pid_t tid, int signal)
{
	void *data = (void *)(uintptr_t)(unsigned)signal;
	struct task *t = find_task(&s->tasks, tid);

	if (s->ending) {
		(void)ptrace(PTRACE_DETACH, tid, NULL, data);
		remove_task(&s->tasks, tid);
	} else {
		if (t)
			t->resumed = true;
		(void)ptrace(PTRACE_CONT, tid, NULL, data);
	}
}

/* The task that notes the maps: the process's first thread, if it is traced. */
static struct task *
holder(struct sampler *s, struct task *t)
{
	struct task *first = find_task(&s->tasks, t->pid);

	return first ? first : t;
}

/* A random number in [0, 1). (xorshift64) */
static double
draw(struct sampler *s)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return (double)(s->random >> 11) / (double)((uint64_t)1 << 53);
}

/* Reduces T's ticks to the part of the time since the last look in which it ran rather
 * than waited for a processor. Ticks are whole numbers: the fraction is rounded at
 * random. */
static void
keep_run_ticks(struct sampler *s, struct task *t)
{
	double ran = (double)t->ran, waited = (double)t->waited;

	if (t->ran)
		t->ticks = (uint32_t)((double)t->ticks * ran / (ran + waited) + draw(s));
	else
		t->ticks = 0;
	t->ran = t->waited = 0;
}

static void
sample(struct sampler *s, struct task *t)
{
	if (s->by_use && !s->r->set->off_cpu)
		keep_run_ticks(s, t);
	if (!t->ticks)
		return;
	put_comm(s, t, false);
	put_maps(s, holder(s, t));
	/* After the maps, for readers that sort by time. */
	s->synth.time++;
	if (put_sample(s, t))
		s->r->sum.samples++;
	else
		s->r->sum.lost++;
	t->ticks = 0;
}

/* Adds a thread that the kernel traces because its creator is traced. Returns NULL if
 * it has ended already. */
static struct task *
adopt(struct sampler *s, pid_t tid)
{
	pid_t pid = target_process(tid), parent = pid;
	struct target_stat stat;
	struct task *t;

	if (!pid)
		return NULL;
	if (pid == tid)
		parent = target_stat(&stat, "", pid, pid) ? stat.parent : 0;
	t = add_task(&s->tasks, tid, pid);
	put_fork(s, t, parent);
	if (pid == tid)
		runtimes_note(s->r->set->runtimes, pid, parent);
	return t;
}

/* Process T has executed another program, and has one thread now. */
static void
became(struct sampler *s, struct task *t)
{
	pid_t pid = t->pid;
	size_t i;

	for (i = s->tasks.n; i-- > 0;)
		if (s->tasks.items[i].pid == pid && s->tasks.items[i].tid != pid)
			remove_task(&s->tasks, s->tasks.items[i].tid);
	t = find_task(&s->tasks, pid);
	if (!t)
		return;
	t->asked = t->mapped = false;
	put_comm(s, t, true);
	put_maps(s, t);
	if (s->r->due == UINT64_MAX && pid == s->r->child.pid)
		s->r->began = s->r->due = s->synth.time;
}

static void
stopped(struct sampler *s, struct task *t, int signal)
{
	pid_t tid = t->tid;
	bool asked = t->asked;

	t->asked = false;
	t->stopped = signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN ||
		signal == SIGTTOU;
	if (t->stopped && !s->ending) {
		(void)ptrace(PTRACE_LISTEN, tid, NULL, NULL);
		return;
	}
	if (asked && !s->ending)
		sample(s, t);
	resume(s, tid, 0);
}

static void
ended(struct sampler *s, pid_t tid, int status)
{
	struct task *t = find_task(&s->tasks, tid);

	if (t)
		synth_task(&s->synth, PERF_RECORD_EXIT, 0,
			(pid_t[]){ t->pid, t->pid, tid, tid });
	remove_task(&s->tasks, tid);
	if (tid == s->r->child.pid) {
		s->r->child.ended = true;
		s->r->child.wait_status = status;
	}
}

static void
handle_stop(struct sampler *s, pid_t tid, int status)
{
	struct task *t = find_task(&s->tasks, tid);
	int event = status >> 16, signal = WSTOPSIG(status);

	if (!t)
		t = adopt(s, tid);
	if (t)
		account(s, t);
	if (t && event == PTRACE_EVENT_STOP) {
		stopped(s, t, signal);
		return;
	}
	/* Any other stop cancels the requested one. */
	if (t) {
		t->asked = false;
		t->ticks = 0;
	}
	if (t && event == PTRACE_EVENT_EXEC)
		became(s, t);
	resume(s, tid, event ? 0 : signal);
}

/* Handles all changes of threads since the last call. */
static void
reap(struct sampler *s)
{
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
		s->synth.time = stream_now();
		if (WIFSTOPPED(status))
			handle_stop(s, tid, status);
		else
			ended(s, tid, status);
		if (s->r->out.n > RECORDER_CHUNK)
			recorder_flush(s->r);
	}
}

/* Ticks. */
/* Returns the number of ticks that are due, and sets the time of the next one. If a
 * busy machine delays us, the samples stand for the missed ticks too. */
static uint32_t
count_ticks(struct sampler *s)
{
	uint64_t n = (stream_now() - s->r->due) / s->period + 1;

	s->r->due += n * s->period;
	return (uint32_t)n;
}

/* Whether T runs. A thread that has not had a processor since it was resumed waits only
 * because we stopped it. */
static bool
is_running(const struct sampler *s, struct task *t)
{
	struct target_stat stat;
	struct target_use use;

	if (!target_stat(&stat, "", t->pid, t->tid))
		return false;
	t->cpu = stat.cpu;
	if (stat.state != 'R')
		return false;
	if (!s->by_use || !t->resumed || !target_use_of(&use, t->pid, t->tid))
		return true;
	return use.turns != t->use.turns;
}

static void
flush(struct recorder *r)
{
	if (r->out.n) {
		stream_put_round(&r->out);
		recorder_flush(r);
	}
}

/* At a tick, asks running threads to stop. */
static void
tick(struct recorder *r)
{
	struct sampler *s = r->own;
	struct task *t;
	uint32_t ticks;
	size_t i;

	reap(s);
	if (r->due > stream_now())
		return;
	ticks = count_ticks(s);
	flush(r);
	for (i = 0; i < s->tasks.n && r->sampling; i++) {
		t = &s->tasks.items[i];
		if (t->stopped || (!r->set->off_cpu && !is_running(s, t)))
			continue;
		t->ticks += ticks;
		if (!t->asked)
			t->asked = ptrace(PTRACE_INTERRUPT, t->tid, NULL, NULL) == 0;
	}
}

/* An option in SET that ptrace cannot serve, or NULL. */
static const char *
find_impossible(const struct record_options *set)
{
	return set->all			    ? "the whole machine (-a)"
		: set->kernel_only	    ? "the kernel (--kernel)"
		: set->cpus		    ? "single processors (-C)"
		: set->period		    ? "by count (-c)"
		: set->events.n		    ? "events (-e)"
		: set->stacks == RECORD_LBR ? "branches (-g lbr)"
					    : NULL;
}

static bool
can_record(const struct record_options *set)
{
	return !find_impossible(set);
}

/* Explains why tracing is refused. */
static bool
refuse(struct sampler *s)
{
	struct advice_facts facts;
	int error = errno;

	advice_read(&facts, "");
	advice_ptrace(&s->r->refusal, error, !s->r->child.pid, &facts);
	return false;
}

/* Starts to trace thread TID of process PID. Returns false with errno. */
static bool
seize(struct sampler *s, pid_t tid, pid_t pid)
{
	unsigned options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
		PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
	struct task *t;

	if (find_task(&s->tasks, tid))
		return true;
	if (ptrace(PTRACE_SEIZE, tid, NULL, (void *)(uintptr_t)options) != 0)
		return false;
	t = add_task(&s->tasks, tid, pid);
	(void)target_use_of(&t->use, pid, tid);
	return true;
}
/* Seizes all threads of process PID, until there are no new ones. */
static bool
seize_process(struct sampler *s, pid_t pid)
{
	struct record_ids threads = { 0 };
	bool fine = true;
	size_t before, i;

	do {
		before = s->tasks.n;
		threads.n = 0;
		target_threads(&threads, pid);
		for (i = 0; i < threads.n && fine; i++)
			fine = seize(s, threads.items[i], pid) || errno == ESRCH;
	} while (fine && s->tasks.n > before);
	if (!fine)
		(void)refuse(s);
	target_release(&threads);
	return fine;
}

static bool
seize_all(struct sampler *s)
{
	const struct record_options *set = s->r->set;
	struct record_ids processes = { 0 };
	size_t i, before;
	bool fine = true;

	for (i = 0; i < set->pids.n; i++)
		target_add(&processes, set->pids.items[i]);
	/* The kernel also traces processes that a traced one creates. */
	do {
		before = s->tasks.n;
		if (!set->no_children)
			target_descendants(&processes);
		for (i = 0; i < processes.n && fine; i++)
			fine = seize_process(s, processes.items[i]);
	} while (fine && s->tasks.n > before);
	target_release(&processes);
	if (!fine)
		return false;
	for (i = 0; i < set->tids.n; i++)
		if (!seize(s, set->tids.items[i], target_process(set->tids.items[i])) &&
			errno != ESRCH)
			return refuse(s);
	if (!s->tasks.n)
		msg_error("no such process");
	s->r->due = stream_now();
	return s->tasks.n > 0;
}

/* The attributes of a clock that is sampled by stopping threads, as in a recording by
 * perf events. */
static struct perf_event_attr
attr_at(const struct record_options *set)
{
	static const struct perf_attr_level level;
	static const struct event event = { .attr = { .type = PERF_TYPE_SOFTWARE,
						    .config = PERF_COUNT_SW_CPU_CLOCK } };
	struct perf_event_attr a =
		perf_attr_of(&(struct perf_attr_request){ .event = &event,
			.set = set,
			.level = &level,
			.follows = true,
			.tracks = true });

	a.read_format = a.watermark = a.wakeup_watermark = a.mmap_data = a.build_id = 0;
	return a;
}

static void
prepare(struct sampler *s)
{
	struct record_options set = *s->r->set;
	struct target_use use;

	if (!set.frequency_given)
		set.frequency = HZ;
	if (set.frequency > HZ_MOST) {
		msg_warn("ptrace samples at %d Hz at most; using that", HZ_MOST);
		set.frequency = HZ_MOST;
	}
	if (set.stack_bytes > STACK_MOST)
		set.stack_bytes = STACK_MOST;
	if (set.verbose) {
		msg_warn("stopping threads %llu times a second",
			(unsigned long long)set.frequency);
		recorder_print_stacks(&set);
	}
	set.user_only = true;
	s->attr = attr_at(&set);
	s->period = SECOND / set.frequency;
	s->synth = (struct synth){ .root = "",
		.id = 1,
		.id_in_maps = true,
		.data = set.stack_bytes > 0,
		.files = &s->r->files,
		.copies = s->r->copies,
		.out = &s->r->out };
	/* The kernel counts processor time if this program has had some. */
	s->by_use = target_use_of(&use, getpid(), getpid()) && use.turns;
	s->random = stream_now() | 1;
}

static bool
open_ptrace(struct recorder *r)
{
	struct sampler *s = mem_zero(1, sizeof *s);
	const char *what = find_impossible(r->set);
	pid_t pid = r->child.pid;

	r->own = s;
	s->r = r;
	if (what) {
		msg_error("--method ptrace cannot record %s", what);
		return false;
	}
	prepare(s);
	if (r->set->pids.n || r->set->tids.n)
		return seize_all(s);
	return seize(s, pid, pid) || refuse(s);
}

static void
put_head(struct recorder *r)
{
	const struct sampler *s = r->own;
	struct stream_event event = { .attr = &s->attr,
		.name = r->set->off_cpu ? STR("wall-clock:u") : STR("cpu-clock:u"),
		.ids = &s->synth.id,
		.n = 1 };

	stream_put_header(&r->out,
		&(struct stream_header){ &event, 1, r->set->argv, r->set->argc });
}

/* A tick checks whether the delay is over. */
static void
begin_samples(struct recorder *r)
{
	(void)r;
}

static bool
any_lives(struct recorder *r)
{
	struct sampler *s = r->own;

	reap(s);
	return r->child.pid ? !r->child.ended : s->tasks.n > 0;
}

/* Detaches all threads. */
static void
let_go(struct recorder *r)
{
	struct sampler *s = r->own;
	uint64_t due = stream_now() + LETTING_GO;
	size_t i;

	s->ending = true;
	for (i = 0; i < s->tasks.n; i++)
		(void)ptrace(PTRACE_INTERRUPT, s->tasks.items[i].tid, NULL, NULL);
	while (s->tasks.n && stream_now() < due) {
		recorder_wait(r, due);
		reap(s);
	}
}

static void
put_tail(struct recorder *r)
{
	struct sampler *s = r->own;
	uint64_t failed = r->sum.lost;

	flush(r);
	if (!failed)
		return;
	synth_lost(&s->synth, failed);
	msg_warn("cannot read %llu sample%s of threads that are not 64-bit or had "
		 "just ended",
		(unsigned long long)failed, msg_s(failed));
}

static void
close_ptrace(struct recorder *r)
{
	struct sampler *s = r->own;

	buf_release(&s->scratch);
	free(s->tasks.items);
	free(s);
}

const struct recorder_method ptrace_method = {
	.can = can_record,
	.open = open_ptrace,
	.head = put_head,
	.sample = begin_samples,
	.pass = tick,
	.lives = any_lives,
	.stop = let_go,
	.tail = put_tail,
	.close = close_ptrace,
};
