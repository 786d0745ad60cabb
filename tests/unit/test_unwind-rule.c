/* SPDX-License-Identifier: ISC */
/* Chains on other processors, and through code recognised by its instructions
 * (unwind-rule.h). */
#include "unwind_walk.h"

enum {
	ARM_LEAF = CODE,
	ARM_FRAME = CODE + 0x100, /* fp and lr at cfa - 32, cfa - 24 */
	ARM_LAST = CODE + 0x200,
	ARM_SIGNED = CODE + 0x300
};

static void
begin_aarch64(struct walk *w, uint64_t pc)
{
	struct dso *d = &w->dso;
	size_t cie;

	begin(w, UNWIND_AARCH64);
	*d = (struct dso){ .parts = { .wide = true, .machine = ELF_AARCH64 } };
	cie = add_cie(d, "zR", STR("\x0c\x1f\0"));
	add(d, cie, ARM_LEAF, STR(""));
	add(d, cie, ARM_FRAME, STR("\x0e\x20\x9d\x04\x9e\x03"));
	add(d, cie, ARM_LAST, STR("\x07\x1e"));
	add(d, cie, ARM_SIGNED, STR("\x2d\x0e\x10\x9d\x02\x9e\x01"));
	open_dso(d);
	w->start.regs[PC] = MAPPED + pc;
	w->start.regs[ARM_SP] = TOP;
}

UNIT(aarch64_leaves_and_frames)
{
	struct walk w;

	begin_aarch64(&w, ARM_LEAF + 4);
	w.start.regs[LR] = MAPPED + ARM_FRAME + 8;
	push(&w, 0);
	push(&w, MAPPED + ARM_FRAME + 12);
	push(&w, 2);
	push(&w, 3);
	push(&w, 0);
	push(&w, MAPPED + ARM_LAST + 4);
	push(&w, 2);
	push(&w, 3);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, ARM_LEAF + 4, ARM_FRAME + 8, ARM_FRAME + 12,
		ARM_LAST + 4);
	/* A leaf that returns to itself is rejected, and so is a leaf deeper in the
	 * chain. */
	w.start.regs[LR] = MAPPED + ARM_LEAF + 4;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_BROKEN, ARM_LEAF + 4);
	w.start.regs[LR] = MAPPED + ARM_LEAF + 8;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_NO_RULE, ARM_LEAF + 4, ARM_LEAF + 8);
	end(&w);
}

UNIT(aarch64_signatures_are_not_part_of_addresses)
{
	struct walk w;

	begin_aarch64(&w, ARM_SIGNED + 4);
	push(&w, 0);
	push(&w, (MAPPED + ARM_LAST + 4) | 0x003f000000000000);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, ARM_SIGNED + 4, ARM_LAST + 4);
	end(&w);
}

UNIT(aarch64_without_entries_by_the_frame_pointer)
{
	struct walk w;

	begin_aarch64(&w, UNTOLD);
	push(&w, 1);
	push(&w, 2);
	push(&w, TOP + 32);
	push(&w, MAPPED + UNTOLD + 64);
	push(&w, 0);
	push(&w, MAPPED + ARM_LAST + 4);
	w.start.regs[FP] = TOP + 16;
	w.start.regs[LR] = MAPPED + UNTOLD + 4;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, UNTOLD, UNTOLD + 64, ARM_LAST + 4);
	/* A leaf, called from code with entries, to which fp belongs. */
	w.start.regs[LR] = MAPPED + ARM_FRAME + 4;
	memset(w.stack.s, 0, w.stack.n);
	w.stack.n = 0;
	push(&w, 0);
	push(&w, MAPPED + ARM_LAST + 4);
	push(&w, 0);
	push(&w, 0);
	w.start.regs[FP] = TOP;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, UNTOLD, ARM_FRAME + 4, ARM_LAST + 4);
	/* The same, called from another function without entries. */
	w.start.regs[LR] = MAPPED + UNTOLD + 0x104;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, UNTOLD, UNTOLD + 0x104, ARM_LAST + 4);
	w.start.regs[LR] = MAPPED + ARM_FRAME + 4;
	/* Stubs do not move the return address. */
	w.start.regs[PC] = MAPPED + PLT + 32;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, PLT + 32, ARM_FRAME + 4, ARM_LAST + 4);
	end(&w);
}

enum {
	RISCV_LEAF = CODE,
	RISCV_FRAME = CODE + 0x100, /* CFA fp; ra at cfa - 8, fp at cfa - 16 */
	RISCV_LAST = CODE + 0x200,
	RISCV_PC = 0,
	RISCV_RA = 1,
	RISCV_SP = 2,
	RISCV_FP = 8
};

static void
begin_riscv(struct walk *w, uint64_t pc)
{
	struct dso *d = &w->dso;
	size_t cie;

	begin(w, UNWIND_RISCV64);
	*d = (struct dso){ .parts = { .wide = true, .machine = ELF_RISCV } };
	cie = add_cie(d, "zR", STR("\x0c\x02\0"));
	add(d, cie, RISCV_LEAF, STR(""));
	add(d, cie, RISCV_FRAME, STR("\x0c\x08\0\x81\x01\x88\x02"));
	add(d, cie, RISCV_LAST, STR("\x07\x01"));
	open_dso(d);
	w->start.regs[RISCV_PC] = MAPPED + pc;
	w->start.regs[RISCV_SP] = TOP;
}

UNIT(riscv_leaves_and_frames)
{
	struct walk w;

	begin_riscv(&w, RISCV_LEAF + 4);
	w.start.regs[RISCV_RA] = MAPPED + RISCV_FRAME + 8;
	w.start.regs[RISCV_FP] = TOP + 32;
	push(&w, 1);
	push(&w, 2);
	push(&w, TOP + 64);
	push(&w, MAPPED + RISCV_FRAME + 12);
	push(&w, 1);
	push(&w, 2);
	push(&w, 0);
	push(&w, MAPPED + RISCV_LAST + 4);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, RISCV_LEAF + 4, RISCV_FRAME + 8, RISCV_FRAME + 12,
		RISCV_LAST + 4);
	end(&w);
}

UNIT(riscv_without_entries_by_the_frame_pointer)
{
	struct walk w;

	begin_riscv(&w, UNTOLD);
	push(&w, TOP + 32);
	push(&w, MAPPED + UNTOLD + 64);
	push(&w, 0);
	push(&w, MAPPED + RISCV_LAST + 4);
	w.start.regs[RISCV_FP] = TOP + 16;
	w.start.regs[RISCV_RA] = MAPPED + UNTOLD + 4;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, UNTOLD, UNTOLD + 64, RISCV_LAST + 4);
	end(&w);
}

/* The functions of the i386 file. */
enum {
	OLD_LEAF = CODE,
	OLD_FRAME = CODE + 0x100, /* ebp at ebp, CFA ebp + 8 */
	OLD_MAIN = CODE + 0x200,  /* realigned: CFA in memory at ebp - 4, ebp at ebp */
	OLD_LAST = CODE + 0x300
};

static void
begin_i386(struct walk *w, uint64_t ip)
{
	struct dso *d = &w->dso;
	size_t cie;

	begin(w, UNWIND_I386);
	*d = (struct dso){ .parts = { .machine = ELF_386 } };
	cie = add_cie(d, "zR", STR("\x0c\x04\x04"));
	add(d, cie, OLD_LEAF, STR(""));
	add(d, cie, OLD_FRAME, STR("\x0c\x05\x08\x10\x05\x02\x75\0"));
	add(d, cie, OLD_MAIN, STR("\x0f\x03\x75\x7c\x06\x10\x05\x02\x75\0"));
	add(d, cie, OLD_LAST, STR("\x07\x08"));
	open_dso(d);
	/* Bits above 32 are ignored. */
	w->start.regs[IP] = (MAPPED + ip) | (uint64_t)7 << 32;
	w->start.regs[SP] = TOP | (uint64_t)7 << 32;
}

static void
push_half(struct walk *w, uint64_t word)
{
	frames_put(&w->stack, word, 4, w->start.swap);
}

UNIT(i386_leaves_and_frames)
{
	struct walk w;

	begin_i386(&w, OLD_LEAF + 4);
	w.start.regs[BP] = TOP + 8;
	push_half(&w, MAPPED + OLD_FRAME + 9);
	push_half(&w, 1);
	push_half(&w, TOP + 24);
	push_half(&w, MAPPED + OLD_MAIN + 5);
	push_half(&w, 1);
	push_half(&w, TOP + 32);
	push_half(&w, 0xeb0);
	push_half(&w, MAPPED + OLD_LAST + 3);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, OLD_LEAF + 4, OLD_FRAME + 9, OLD_MAIN + 5,
		OLD_LAST + 3);
	end(&w);
}

UNIT(i386_without_entries_by_the_frame_pointer)
{
	struct walk w;

	begin_i386(&w, UNTOLD + 4);
	w.start.regs[BP] = TOP + 4;
	push_half(&w, 1);
	push_half(&w, TOP + 12);
	push_half(&w, MAPPED + UNTOLD + 5);
	push_half(&w, 0);
	push_half(&w, MAPPED + OLD_LAST + 5);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, UNTOLD + 4, UNTOLD + 5, OLD_LAST + 5);
	/* Stubs without an entry. */
	w.start.regs[IP] = MAPPED + PLT + 16 + 11;
	w.start.regs[SP] = TOP + 4;
	w.start.regs[BP] = TOP + 12;
	memmove(w.stack.s, w.stack.s + 4, w.stack.n - 4);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, PLT + 16 + 11, UNTOLD + 5, OLD_LAST + 5);
	end(&w);
}

/* The kernel's code for system calls is in a file of 64 bits, if any. */
UNIT(i386_system_calls)
{
	struct walk w;

	begin_i386(&w, UNTOLD);
	w.dso.kind = DSO_VDSO;
	w.dso.elf->machine = ELF_X86_64;
	push_half(&w, TOP + 40);
	push_half(&w, 2);
	push_half(&w, 3);
	push_half(&w, MAPPED + UNTOLD + 7);
	go(&w);
	CHECK_U64(w.n, 2);
	CHECK_U64(w.frames[1].pc, MAPPED + UNTOLD + 7);
	end(&w);
}

/* Return code of signal handlers in libraries that do not describe it: it is at the
 * place of .eh_frame_hdr. BASE: bytes from the stack pointer to the registers, where
 * PC and SP are the numbers of the interrupted program counter and stack pointer. */
static const struct {
	enum unwind_machine machine;
	unsigned elf;
	struct str code;
	size_t base, pc, sp, fp, step;
} handlers[] = {
	{ UNWIND_X86_64, ELF_X86_64, { "\x48\xc7\xc0\x0f\0\0\0\x0f\x05", 9 }, 40, 16, 15,
		10, 7 },
	{ UNWIND_AARCH64, ELF_AARCH64, { "\x68\x11\x80\xd2\x01\0\0\xd4", 8 }, 312, 32, 31,
		29, 4 },
	{ UNWIND_RISCV64, ELF_RISCV, { "\x93\x08\xb0\x08\x73\0\0\0", 8 }, 304, 0, 2, 8,
		4 },
};

static void
begin_handler(struct walk *w, size_t i, uint64_t at)
{
	struct dso *d = &w->dso;
	const struct unwind_cpu *cpu = unwind_rule_cpu(handlers[i].machine);

	begin(w, handlers[i].machine);
	*d = (struct dso){ .parts = { .wide = true,
				   .machine = handlers[i].elf,
				   .hdr = handlers[i].code,
				   .no_segment = true } };
	add(d, add_cie(d, "zR", STR("")), CODE, STR("\x0c\0\0"));
	open_dso(d);
	w->start.regs[cpu->kernel[cpu->pc]] = MAPPED + FRAMES_HDR + at;
	w->start.regs[cpu->kernel[cpu->sp]] = TOP;
}

UNIT(return_code_of_handlers_is_recognised)
{
	enum { WORDS = 80 };
	uint64_t words[WORDS];
	size_t i, k, base;
	struct walk w;

	for (i = 0; i < sizeof handlers / sizeof *handlers; i++) {
		begin_handler(&w, i, 0);
		memset(words, 0, sizeof words);
		base = handlers[i].base / 8;
		words[base + handlers[i].pc] = MAPPED + UNTOLD;
		words[base + handlers[i].sp] = TOP + 8 * 76;
		words[base + handlers[i].fp] = TOP + 8 * 77 + (i == 2) * 16;
		words[78] = MAPPED + UNTOLD + 9;
		for (k = 0; k < WORDS; k++)
			push(&w, words[k]);
		go(&w);
		CHECK_CHAIN(&w, UNWIND_WHOLE, FRAMES_HDR, UNTOLD, UNTOLD + 9);
		CHECK_U64(w.frames[1].address, FRAMES_BASE + UNTOLD);
		end(&w);
		begin_handler(&w, i, handlers[i].step);
		for (k = 0; k < WORDS; k++)
			push(&w, words[k]);
		go(&w);
		CHECK_U64(w.n, 3);
		end(&w);
	}
}

/* CALLER, code with an entry, calls UNTOLD, which has none. */
static void
begin_bridge(struct walk *w, uint64_t ip)
{
	enum { CALLER = FRAMES_HDR, REL = UNTOLD - CALLER - 5 };
	static char call[] = { (char)0xe8, (char)REL, (char)(REL >> 8), (char)(REL >> 16),
		0, 0 };
	struct dso *d = &w->dso;
	size_t cie;

	begin(w, UNWIND_X86_64);
	*d = (struct dso){ .parts = { .wide = true,
				   .machine = ELF_X86_64,
				   .hdr = { call, sizeof call },
				   .no_segment = true } };
	cie = add_cie(d, "zR", STR("\x0c\x07\x08\x90\x01"));
	frames_fde(&d->eh, cie, CALLER, 0x10, STR("\x0e\x10"));
	frames_fde(&d->eh, cie, CODE, 0x10, STR("\x07\x10"));
	open_dso(d);
	w->start.regs[IP] = MAPPED + ip;
	w->start.regs[SP] = TOP;
}

UNIT(leaves_without_entries_by_the_call_of_them)
{
	enum { AFTER = FRAMES_HDR + 5 };
	struct walk w;
	int i;

	begin_bridge(&w, UNTOLD + 0x23);
	push(&w, 7);
	push(&w, MAPPED + CODE + 2);
	push(&w, MAPPED + AFTER);
	push(&w, 8);
	push(&w, MAPPED + CODE + 4);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, UNTOLD + 0x23, AFTER, CODE + 4);
	/* It is the call of another function. */
	w.start.regs[IP] = MAPPED + UNTOLD + 0x123;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_NO_RULE, UNTOLD + 0x123);
	end(&w);
	/* It is too far away. */
	begin_bridge(&w, UNTOLD + 0x23);
	for (i = 0; i < 64; i++)
		push(&w, 7);
	push(&w, MAPPED + AFTER);
	push(&w, 8);
	push(&w, MAPPED + CODE + 4);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_NO_RULE, UNTOLD + 0x23);
	end(&w);
}

UNIT_MAIN
