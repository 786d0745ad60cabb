/* SPDX-License-Identifier: ISC */
/* Traced threads, by ptrace, process_vm_readv and /proc; see ptrace-task.h. */
#define _GNU_SOURCE
#include "ptrace-task.h"
#include "mem.h"
#include "sysfile.h"

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

/* A key and an item, for bsearch. */
static int
by_tid(const void *key, const void *item)
{
	pid_t tid = *(const pid_t *)key;
	const struct ptrace_task *t = item;

	return (tid > t->tid) - (tid < t->tid);
}

struct ptrace_task *
ptrace_task_find(const struct ptrace_tasks *list, pid_t tid)
{
	return list->n ? bsearch(&tid, list->items, list->n, sizeof *list->items, by_tid)
		       : NULL;
}

struct ptrace_task *
ptrace_task_add(struct ptrace_tasks *list, pid_t tid, pid_t pid)
{
	struct ptrace_task *t = ptrace_task_find(list, tid);

	if (t)
		return t;
	list->items = mem_grow(list->items, &list->cap, list->n + 1, sizeof *list->items);
	for (t = list->items + list->n++; t > list->items && t[-1].tid > tid; t--)
		*t = t[-1];
	*t = (struct ptrace_task){ .tid = tid, .pid = pid };
	return t;
}

void
ptrace_task_remove(struct ptrace_tasks *list, pid_t tid)
{
	struct ptrace_task *t = ptrace_task_find(list, tid);

	if (!t)
		return;
	list->n--;
	memmove(t, t + 1, (size_t)(list->items + list->n - t) * sizeof *t);
}

/* /proc/PID/task/TID/schedstat: "RUN WAIT TURNS", all 0 where nothing is counted. */
bool
ptrace_task_use(pid_t pid, pid_t tid, struct ptrace_use *use)
{
	struct buf b = { 0 };
	struct str rest;
	bool fine;

	*use = (struct ptrace_use){ 0 };
	fine = sysfile_read(&b, "/proc/%ld/task/%ld/schedstat", (long)pid, (long)tid);
	rest = buf_view(&b);
	fine = fine && str_to_u64(str_word(&rest), &use->run) &&
		str_to_u64(str_word(&rest), &use->wait) &&
		str_to_u64(str_trim(rest), &use->turns);
	buf_release(&b);
	return fine;
}

/* <linux/elf.h> */
enum { GENERAL_REGISTERS = 1 };

#if defined(__x86_64__)
/* PERF_REG_X86_* from AX on, as they lie in the kernel's struct; the segments ds, es, fs
 * and gs are not asked for. */
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
	r->link = 0;
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
	r->link = u->regs[30];
}
#define HAS_REGS 1
#else
#define HAS_REGS 0
#endif

bool
ptrace_read_regs(pid_t tid, struct ptrace_regs *r)
{
#if HAS_REGS
	struct user_regs_struct u;
	struct iovec v = { &u, sizeof u };

	memset(r, 0, sizeof *r);
	/* A thread of 32 bits has a smaller set. */
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

size_t
ptrace_read_memory(pid_t tid, uint64_t address, void *to, size_t n)
{
	struct iovec here = { to, n }, there = { 0, n };
	ssize_t got;

	memcpy(&there.iov_base, &(uintptr_t){ (uintptr_t)address },
		sizeof there.iov_base);
	got = process_vm_readv(tid, &here, 1, &there, 1, 0);
	return got > 0 ? (size_t)got : 0;
}

/* A piece of the stack, moved up as the chain goes. */
struct window {
	pid_t tid;
	uint64_t from;
	size_t n;
	uint64_t bytes[2048];
};

/* The frame pointer and the return address at PLACE. */
static bool
read_pair(struct window *w, uint64_t place, uint64_t pair[2])
{
	uint64_t end;

	if (__builtin_add_overflow(place, 16, &end))
		return false;
	if (place < w->from || end > w->from + w->n) {
		w->from = place;
		w->n = ptrace_read_memory(w->tid, place, w->bytes, sizeof w->bytes);
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
