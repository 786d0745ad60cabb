/* SPDX-License-Identifier: ISC */
/*
 * A program that takes snapshots of itself, for processors whose recordings nobody here can make:
 * an emulator runs it. A signal's handler on a stack of its own writes what perf would have
 * written of the place that was interrupted, and which functions of the program were active,
 * as these themselves note it.
 *
 *	sampled SAMPLES 3>RECORDING 4>STACKS
 *
 * NO_SORT leaves out what goes through the C library.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { SNAPSHOT = 16384, DEEPEST = 256, REGISTERS = 33 };

static const char *volatile active[DEEPEST];
static volatile unsigned depth;
static volatile unsigned long sum;
static volatile int samples_left;
static const char *top; /* of the stack */

#define ENTER() (active[depth] = __func__, depth = depth + 1)
#define LEAVE() (depth = depth - 1)

/* A record under way. */
static char record[SNAPSHOT + 1024];
static size_t size;

static void
put(const void *bytes, size_t n)
{
	memcpy(record + size, bytes, n);
	size += n;
}

static void
put_u64(uint64_t v)
{
	put(&v, sizeof v);
}

static void
put_pair(uint32_t a, uint32_t b)
{
	put(&a, sizeof a);
	put(&b, sizeof b);
}

static void
begin_record(uint32_t type, uint16_t misc)
{
	uint16_t none = 0;

	size = 0;
	put(&type, sizeof type);
	put(&misc, sizeof misc);
	put(&none, sizeof none);
}

static void
emit(int fd, const void *bytes, size_t n)
{
	if (write(fd, bytes, n) != (ssize_t)n)
		_exit(3);
}

static void
end_record(void)
{
	uint16_t all;

	while (size % 8)
		record[size++] = 0;
	all = (uint16_t)size;
	memcpy(record + 6, &all, sizeof all);
	emit(3, record, size);
}

#if defined __x86_64__
static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
	REG_RBP, REG_RSP, REG_RIP, -1, -1, -1, -1, -1, -1, -1, REG_R8, REG_R9, REG_R10,
	REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
#elif defined __i386__
static const int order[] = { REG_EAX, REG_EBX, REG_ECX, REG_EDX, REG_ESI, REG_EDI,
	REG_EBP, REG_ESP, REG_EIP };
#endif
#if defined __x86_64__ || defined __i386__
enum { SP = 7, PC = 8 };

static uint64_t
take_registers(const ucontext_t *u, uint64_t *regs)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (order[i] >= 0) {
			regs[i] = (unsigned long)u->uc_mcontext.gregs[order[i]];
			mask |= (uint64_t)1 << i;
		}
	return mask;
}
#elif defined __aarch64__
enum { SP = 31, PC = 32 };

static uint64_t
take_registers(const ucontext_t *u, uint64_t *regs)
{
	for (int i = 0; i < 31; i++)
		regs[i] = u->uc_mcontext.regs[i];
	regs[SP] = u->uc_mcontext.sp;
	regs[PC] = u->uc_mcontext.pc;
	return ((uint64_t)1 << 33) - 1;
}
#else
enum { SP = 2, PC = 0 };

static uint64_t
take_registers(const ucontext_t *u, uint64_t *regs)
{
	for (int i = 0; i < 32; i++)
		regs[i] = u->uc_mcontext.__gregs[i];
	return ((uint64_t)1 << 32) - 1;
}
#endif

static const uint32_t pid = 77;

static void
put_stack(const char *sp)
{
	static char bytes[SNAPSHOT];
	size_t n = (size_t)(top - sp) < SNAPSHOT ? (size_t)(top - sp) : SNAPSHOT;

	n &= ~(size_t)7;
	memcpy(bytes, sp, n);
	put_u64(n);
	put(bytes, n);
	put_u64(n);
}

static void
put_active(void)
{
	static char line[DEEPEST * 16];
	size_t n = 0, length;

	for (unsigned i = 0; i < depth; i++) {
		length = strlen(active[i]);
		memcpy(line + n, active[i], length);
		n += length;
		line[n++] = i + 1 < depth ? ';' : '\n';
	}
	emit(4, line, n);
}

static void
on_tick(int number, siginfo_t *info, void *context)
{
	uint64_t regs[REGISTERS] = { 0 }, mask;

	(void)number;
	(void)info;
	if (samples_left <= 0 || !depth)
		return;
	samples_left = samples_left - 1;
	mask = take_registers(context, regs);
	begin_record(9, 2); /* SAMPLE, of user space */
	put_u64(regs[PC]);
	put_pair(pid, pid);
	put_u64(1000);
	put_u64(sizeof(void *) == 8 ? 2 : 1);
	for (int i = 0; i < REGISTERS; i++)
		if (mask >> i & 1)
			put_u64(regs[i]);
	put_stack((const char *)(uintptr_t)regs[SP]);
	end_record();
	put_active();
}

static __attribute__((noinline)) unsigned long
burn(unsigned long n)
{
	ENTER();
	while (n--)
		sum = sum * 33 + n;
	LEAVE();
	return sum;
}

static __attribute__((noinline)) unsigned long
recurse(unsigned n)
{
	unsigned long v;

	ENTER();
	v = n ? recurse(n - 1) + 1 : burn(3000);
	LEAVE();
	return v;
}

/* More of the stack than can be known before. */
static __attribute__((noinline)) unsigned long
varying(unsigned n)
{
	volatile char *room;

	ENTER();
	room = __builtin_alloca(n * 32 + 16);
	room[n] = (char)burn(2000);
	sum += (unsigned long)room[n];
	LEAVE();
	return sum;
}

#ifndef NO_SORT
static int
compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	ENTER();
	for (int i = 0; i < 200; i++)
		sum = sum + (unsigned long)i;
	LEAVE();
	return x < y ? -1 : x > y;
}

static __attribute__((noinline)) unsigned long
sort(void)
{
	static int list[500];

	ENTER();
	for (int i = 0; i < 500; i++)
		list[i] = i * 7919 % 10007;
	qsort(list, 500, sizeof *list, compare);
	LEAVE();
	return (unsigned long)list[250];
}
#endif

static unsigned long (*volatile steps[])(unsigned) = { recurse, varying };

/* What says how the samples look: a recording on a pipe has no header. */
static void
put_event(uint64_t mask)
{
	static const char magic[16] = { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2', 16 };
	enum { ATTR = 64, SIZE = 112, TYPE = 1 | 2 | 4 | 1 << 12 | 1 << 13 };
	size_t at;

	emit(3, magic, sizeof magic);
	begin_record(ATTR, 0);
	at = size;
	put_pair(1, SIZE); /* software, */
	put_u64(0);	   /* cpu-clock */
	put_u64(1000);
	put_u64(TYPE);
	while (size < at + 80)
		put_u64(0);
	put_u64(mask);
	put_pair(SNAPSHOT, 0);
	while (size < at + SIZE)
		put_u64(0);
	end_record();
}

/* Of all code that is mapped; what else there is makes no frames. */
static void
put_maps(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long long start, end, offset;
	char line[512], mode[8], path[400];

	while (f && fgets(line, sizeof line, f)) {
		path[0] = '\0';
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %399s", &start, &end, mode,
			    &offset, path) < 4 ||
			!strchr(mode, 'x') || !path[0])
			continue;
		begin_record(1, 2); /* MMAP */
		put_pair(pid, pid);
		put_u64(start);
		put_u64(end - start);
		put_u64(offset);
		put(path, strlen(path) + 1);
		end_record();
	}
	if (f)
		fclose(f);
}

static void
start_clock(void)
{
	static char own[SNAPSHOT * 4];
	stack_t stack = { .ss_sp = own, .ss_size = sizeof own };
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct itimerval each = { { 0, 1700 }, { 0, 1700 } };

	action.sa_sigaction = on_tick;
	sigaltstack(&stack, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &each, NULL);
}

int
main(int argc, char **argv)
{
	uint64_t regs[REGISTERS];
	ucontext_t u;

	ENTER();
	/* The environment's strings end the stack. */
	top = argv[argc - 1];
	getcontext(&u);
	put_event(take_registers(&u, regs));
	put_maps();
	samples_left = argc > 1 ? atoi(argv[1]) : 100;
	start_clock();
	for (unsigned i = 0; samples_left > 0; i++) {
		steps[i % 2](i % 40);
#ifndef NO_SORT
		sort();
#endif
	}
	LEAVE();
	return 0;
}
