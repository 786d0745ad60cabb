/* SPDX-License-Identifier: ISC */
/* Registers and stacks by ptrace and process_vm_readv; see ptrace-stack.h. */
#define _GNU_SOURCE
#include "ptrace-stack.h"
#include "banned.h"

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

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
