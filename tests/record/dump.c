/* SPDX-License-Identifier: ISC */
/*
 * Prints a recording as fg-record writes it, a line a record, and "whole" at the end if
 * it ends where a record does:
 *
 *	attr 1 0 2			type, config, how many ids
 *	name cpu-clock
 *	comm 71/71 busy exec
 *	mmap2 71 r-x /usr/bin/busy 93ac61ec...
 *	sample 71/72 user period 1003009 chain 5
 *	sample 71/72 user period 1003009 chain 5 stack 4408 4400	its size, what was copied
 *	round
 *
 * A record that is older than what the round before the last one had is "late": readers
 * that sort by rounds would put it in the wrong place. All events have one sample_type
 * but for CALLCHAIN and what follows it.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 8, MOST = 65536, ATTR_SIZE_AT = 4 };
enum { MMAP = 1, LOST, COMM, EXIT, FORK = 7, SAMPLE = 9, MMAP2, LOST_SAMPLES = 13 };
enum { SWITCH = 14, SWITCH_WIDE, KSYMBOL = 17, BPF };
enum { READ = 1 << 4, STACK_USER = 1 << 13 };
enum { ATTR = 64, BUILD_ID = 67, ROUND, UPDATE = 78, FEATURE = 80 };
enum { TRAILER = 32 }; /* pid, tid; time; cpu; id */

struct record {
	uint32_t type;
	uint16_t misc, size;
	unsigned char body[MOST];
};

static struct {
	uint64_t newest, before[2]; /* times: of this round, and of the two before */
} order;

static uint64_t
u64(const struct record *r, size_t at)
{
	uint64_t v = 0;

	if (at + sizeof v <= r->size)
		memcpy(&v, r->body + at, sizeof v);
	return v;
}

static uint32_t
u32(const struct record *r, size_t at)
{
	return (uint32_t)u64(r, at);
}

/* Whether events have copies of stacks, without counters. */
static struct {
	uint64_t type, regs;
} attr;

static void
look_at_time(uint64_t time)
{
	if (time < order.before[1])
		printf("late\n");
	if (time > order.newest)
		order.newest = time;
}

static void
print_hex(const unsigned char *bytes, unsigned n)
{
	unsigned i;

	for (i = 0; i < n && i < 20; i++)
		printf("%02x", bytes[i]);
}

static void
print_mmap2(const struct record *r)
{
	unsigned rights = u32(r, 56);

	printf("mmap2 %d %c%c%c %s ", (int)u32(r, 0), rights & 1 ? 'r' : '-',
		rights & 2 ? 'w' : '-', rights & 4 ? 'x' : '-',
		(const char *)r->body + 64);
	if (r->misc & 1 << 14)
		print_hex(r->body + 36, r->body[32]);
	putchar('\n');
}

/* What follows the chain of a sample at AT: registers and the copy of a stack. */
static void
print_stack(const struct record *r, uint64_t at)
{
	uint64_t size;

	if ((attr.type & STACK_USER) == 0 || attr.type & READ)
		return;
	if (u64(r, at))
		at += 8 * (uint64_t)__builtin_popcountll(attr.regs);
	size = u64(r, at + 8);
	if (size && at + 24 + size != r->size)
		printf(" nonsense");
	else if (size)
		printf(" stack %llu %llu", (unsigned long long)size,
			(unsigned long long)u64(r, at + 16 + size));
}

static void
print_sample(const struct record *r)
{
	static const char *const modes[] = { "unknown", "kernel", "user", "hypervisor",
		"guest-kernel", "guest-user" };
	unsigned mode = r->misc & 7;

	look_at_time(u64(r, 24));
	printf("sample %u/%u %s period %llu chain %llu", u32(r, 16), u32(r, 20),
		mode < 6 ? modes[mode] : "?", (unsigned long long)u64(r, 40),
		(unsigned long long)u64(r, 48));
	print_stack(r, 56 + 8 * u64(r, 48));
	putchar('\n');
}

static void
end_round(void)
{
	printf("round\n");
	order.before[1] = order.before[0];
	order.before[0] = order.newest;
}

/* What is no record of the kernel. */
static void
print_own(const struct record *r)
{
	switch (r->type) {
	case ATTR:
		attr.type = u64(r, 24);
		attr.regs = u64(r, 80);
		printf("attr %u %llu %u\n", u32(r, 0), (unsigned long long)u64(r, 8),
			(r->size - u32(r, ATTR_SIZE_AT)) / 8);
		break;
	case UPDATE: printf("name %s\n", (const char *)r->body + 16); break;
	case FEATURE: printf("feature %u\n", u32(r, 0)); break;
	case BUILD_ID:
		printf("build-id %s ", (const char *)r->body + 28);
		print_hex(r->body + 4, r->body[24]);
		putchar('\n');
		break;
	case ROUND: end_round(); break;
	default: printf("type %u\n", r->type);
	}
}

static void
print_record(const struct record *r)
{
	if (r->type >= ATTR || r->type == SAMPLE) {
		r->type == SAMPLE ? print_sample(r) : print_own(r);
		return;
	}
	if (r->size >= TRAILER)
		look_at_time(u64(r, r->size - TRAILER + 8u));
	switch (r->type) {
	case MMAP:
		printf("mmap %d %s\n", (int)u32(r, 0), (const char *)r->body + 32);
		break;
	case MMAP2: print_mmap2(r); break;
	case COMM:
		printf("comm %u/%u %s%s\n", u32(r, 0), u32(r, 4),
			(const char *)r->body + 8, r->misc & 1 << 13 ? " exec" : "");
		break;
	case FORK:
	case EXIT:
		printf("%s %u/%u of %u/%u\n", r->type == FORK ? "fork" : "exit",
			u32(r, 0), u32(r, 8), u32(r, 4), u32(r, 12));
		break;
	case LOST: printf("lost %llu\n", (unsigned long long)u64(r, 8)); break;
	case LOST_SAMPLES:
		printf("lost-samples %llu\n", (unsigned long long)u64(r, 0));
		break;
	case SWITCH:
	case SWITCH_WIDE: printf("switch\n"); break;
	case KSYMBOL:
	case BPF: break;
	default: printf("type %u\n", r->type);
	}
}

int
main(void)
{
	static struct record r;
	char magic[16];
	size_t got;

	if (fread(magic, 1, sizeof magic, stdin) != sizeof magic ||
		memcmp(magic, "PERFILE2\20\0\0\0\0\0\0", sizeof magic) != 0) {
		printf("no recording\n");
		return 1;
	}
	while ((got = fread(&r, 1, HEADER, stdin)) == HEADER) {
		if (r.size < HEADER || r.size % 8)
			break;
		r.size = (uint16_t)(r.size - HEADER);
		memset(r.body + r.size, 0, 1);
		if (fread(r.body, 1, r.size, stdin) != r.size)
			break;
		print_record(&r);
	}
	printf(got ? "cut\n" : "whole\n");
	return 0;
}
