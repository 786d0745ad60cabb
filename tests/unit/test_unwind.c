/* SPDX-License-Identifier: ISC */
/* Call chains of hand-made stacks (unwind.h), on x86-64. */
#include "unwind_walk.h"

/* The functions of the x86-64 file, by the address of their code. */
enum {
	LEAF = CODE,		  /* nothing pushed */
	FRAME = CODE + 0x100,	  /* rbp at cfa - 16, CFA rbp + 16 */
	PUSHED = CODE + 0x200,	  /* rbx at cfa - 16, CFA rsp + 16 */
	LAST = CODE + 0x300,	  /* the return address is undefined */
	EPILOGUE = CODE + 0x400,  /* rbp was at cfa - 16, now CFA rsp + 8 */
	BY_RBX = CODE + 0x500,	  /* CFA rbx + 16 */
	REALIGNED = CODE + 0x600, /* CFA in memory at rbp - 8, rbp at rbp */
	SIGNAL = CODE + 0x700,	  /* CFA, rip, rbp, rbx in memory at rsp + 0, 8, 16, 24 */
	IN_RDI = CODE + 0x800,	  /* the return address is in rdi, CFA rsp */
	STUB = CODE + 0x900,	  /* as GNU ld's, by expression */
	BACK = CODE + 0xa00	  /* CFA rsp - 8 */
};

static void
open_x86_64(struct dso *d)
{
	size_t plain, signal;

	*d = (struct dso){ .parts = { .wide = true, .machine = ELF_X86_64 } };
	plain = add_cie(d, "zR", STR(INITIAL));
	signal = add_cie(d, "zRS",
		STR("\x0f\x03\x77\0\x06\x10\x10\x02\x77\x08\x10\x06\x02\x77\x10"
		    "\x10\x03\x02\x77\x18"));
	add(d, plain, LEAF, STR(""));
	add(d, plain, FRAME, STR("\x86\x02\x0c\x06\x10"));
	add(d, plain, PUSHED, STR("\x83\x02\x0e\x10"));
	add(d, plain, LAST, STR("\x07\x10"));
	add(d, plain, EPILOGUE, STR("\x86\x02"));
	add(d, plain, BY_RBX, STR("\x0c\x03\x10"));
	add(d, plain, REALIGNED, STR("\x0f\x03\x76\x78\x06\x10\x06\x02\x76\0"));
	add(d, signal, SIGNAL, STR(""));
	add(d, plain, IN_RDI, STR("\x0e\0\x09\x10\x05"));
	add(d, plain, STUB, STR("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22"));
	add(d, plain, BACK, STR("\x13\x01"));
	open_dso(d);
}

static void
begin_x86_64(struct walk *w, uint64_t ip)
{
	begin(w, UNWIND_X86_64);
	open_x86_64(&w->dso);
	w->start.regs[IP] = MAPPED + ip;
	w->start.regs[SP] = TOP;
}

UNIT(frames_by_both_pointers)
{
	struct walk w;

	begin_x86_64(&w, LEAF + 5);
	push(&w, MAPPED + PUSHED + 9);
	push(&w, 0xb0b);
	push(&w, MAPPED + FRAME + 7);
	push(&w, 1);
	push(&w, 0xbbb);
	push(&w, MAPPED + LAST + 3);
	w.start.regs[BP] = TOP + 32;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, LEAF + 5, PUSHED + 9, FRAME + 7, LAST + 3);
	/* Names are looked up within the call instruction, the first one at the
	 * address itself. */
	CHECK_U64(w.frames[0].address, FRAMES_BASE + LEAF + 5);
	CHECK_U64(w.frames[1].address, FRAMES_BASE + PUSHED + 8);
	CHECK(w.frames[1].has_address && w.frames[1].dso == &w.dso);
	end(&w);
}

UNIT(a_call_that_ends_its_function_is_still_in_it)
{
	struct walk w;

	begin_x86_64(&w, LEAF);
	push(&w, MAPPED + PUSHED + 0x100); /* LAST begins there */
	push(&w, 0);
	push(&w, MAPPED + LAST + 1);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, LEAF, PUSHED + 0x100, LAST + 1);
	end(&w);
}

UNIT(a_saved_register_below_the_stack_pointer_is_back)
{
	struct walk w;

	begin_x86_64(&w, EPILOGUE + 1);
	push(&w, MAPPED + FRAME + 7);
	push(&w, 2);
	push(&w, 3);
	push(&w, MAPPED + LAST + 1);
	w.start.regs[BP] = TOP + 16;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, EPILOGUE + 1, FRAME + 7, LAST + 1);
	end(&w);
}

UNIT(without_entries_by_the_frame_pointer)
{
	struct walk w;

	begin_x86_64(&w, UNTOLD);
	push(&w, 9);
	push(&w, TOP + 24);
	push(&w, MAPPED + UNTOLD + 0x40);
	push(&w, 0);
	push(&w, MAPPED + FRAME + 1);
	w.start.regs[BP] = TOP + 8;
	go(&w);
	/* The last of them would need a frame pointer. */
	CHECK_CHAIN(&w, UNWIND_BROKEN, UNTOLD, UNTOLD + 0x40, FRAME + 1);
	w.start.regs[BP] = 0; /* for anything, in a leaf */
	go(&w);
	CHECK_CHAIN(&w, UNWIND_NO_RULE, UNTOLD);
	w.start.regs[BP] = TOP - 8;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_NO_RULE, UNTOLD);
	w.start.regs[BP] = TOP; /* "return address" 0x7018, not code */
	go(&w);
	CHECK_CHAIN(&w, UNWIND_NO_RULE, UNTOLD);
	w.start.regs[BP] = TOP + 0x1000; /* beyond a complete snapshot */
	go(&w);
	CHECK_CHAIN(&w, UNWIND_CUT, UNTOLD);
	w.start.full = false;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_NO_RULE, UNTOLD);
	end(&w);
}

UNIT(stubs_without_entries)
{
	static const struct {
		uint64_t at, skipped;
	} kinds[] = { { PLT, 1 }, { PLT + 6, 2 }, { PLT + 16, 0 }, { PLT + 16 + 10, 0 },
		{ PLT + 16 + 11, 1 }, { PLT + 64 + 11, 0 } };
	struct walk w;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		begin_x86_64(&w, kinds[i].at);
		for (uint64_t k = 0; k < kinds[i].skipped; k++)
			push(&w, 12345);
		push(&w, MAPPED + LAST + 1);
		go(&w);
		CHECK_CHAIN(&w, UNWIND_WHOLE, kinds[i].at, LAST + 1);
		end(&w);
	}
}

UNIT(stubs_that_say_so_by_expression)
{
	struct walk w;

	for (uint64_t at = 0; at < 16; at++) {
		begin_x86_64(&w, STUB + at);
		if (at >= 11)
			push(&w, 12345);
		push(&w, MAPPED + LAST + 1);
		go(&w);
		CHECK_CHAIN(&w, UNWIND_WHOLE, STUB + at, LAST + 1);
		end(&w);
	}
}

UNIT(registers_that_few_rules_need_are_kept_for_those)
{
	struct walk w;

	begin_x86_64(&w, PUSHED + 1); /* saves rbx for its caller */
	push(&w, TOP + 40);
	push(&w, MAPPED + BY_RBX + 1);
	push(&w, 1);
	push(&w, 2);
	push(&w, 3);
	push(&w, 4);
	push(&w, MAPPED + LAST + 1);
	w.start.regs[BX] = 1;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, PUSHED + 1, BY_RBX + 1, LAST + 1);
	/* Unknown from the start. */
	w.start.regs[IP] = MAPPED + BY_RBX;
	w.start.mask &= ~((uint64_t)1 << BX);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_NO_RULE, BY_RBX);
	end(&w);
}

/* As in vfork, which pops it off the stack that parent and child share. */
UNIT(a_return_address_in_a_register)
{
	struct walk w;

	begin_x86_64(&w, IN_RDI + 1);
	push(&w, 1);
	push(&w, MAPPED + LAST + 1);
	w.start.regs[DI] = MAPPED + PUSHED + 1;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, IN_RDI + 1, PUSHED + 1, LAST + 1);
	/* Only the innermost frame can have it there. */
	w.start.regs[DI] = MAPPED + IN_RDI + 1;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_BROKEN, IN_RDI + 1);
	end(&w);
}

UNIT(realigned_frames)
{
	struct walk w;

	begin_x86_64(&w, REALIGNED + 1);
	push(&w, 0);
	push(&w, TOP + 56); /* at rbp - 8: the CFA */
	push(&w, TOP + 64); /* at rbp: the caller's */
	push(&w, 0);
	push(&w, 0);
	push(&w, 0);
	push(&w, MAPPED + FRAME + 1);
	push(&w, 0);
	push(&w, 1);
	push(&w, MAPPED + LAST + 1);
	w.start.regs[BP] = TOP + 16;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, REALIGNED + 1, FRAME + 1, LAST + 1);
	end(&w);
}

UNIT(signals_interrupt_at_the_address_itself)
{
	struct walk w;

	/* A handler returns to the start of SIGNAL's code: its entry also covers the
	 * byte before, here by a caller one byte further. */
	begin_x86_64(&w, LEAF);
	push(&w, MAPPED + SIGNAL + 1);
	push(&w, TOP + 48);	 /* the stack pointer of the interrupted */
	push(&w, MAPPED + LEAF); /* which had just been called */
	push(&w, 5);
	push(&w, 6);
	push(&w, 7);
	push(&w, MAPPED + LAST + 1);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, LEAF, SIGNAL + 1, LEAF, LAST + 1);
	CHECK_U64(w.frames[1].address, FRAMES_BASE + SIGNAL + 1);
	CHECK_U64(w.frames[2].address, FRAMES_BASE + LEAF);
	CHECK_U64(w.frames[3].address, FRAMES_BASE + LAST);
	end(&w);
}

/* A signal that interrupted PUSHED, whose stack pointer was SP. */
static void
begin_signal(struct walk *w, uint64_t sp)
{
	begin_x86_64(w, LEAF);
	push(w, MAPPED + SIGNAL + 1);
	push(w, sp);
	push(w, MAPPED + PUSHED + 4);
	push(w, 5);
	push(w, 6);
	go(w);
}

UNIT(a_signal_on_a_stack_of_its_own_ends_where_the_snapshot_does)
{
	struct walk w;

	begin_signal(&w, 0x1000);
	CHECK_CHAIN(&w, UNWIND_SWITCHED, LEAF, SIGNAL + 1, PUSHED + 4);
	end(&w);
}

/* An address a little further up may be missing even from a full snapshot. */
UNIT(a_signal_s_stack_may_be_near_the_one_it_interrupted)
{
	struct walk w;

	begin_signal(&w, TOP + 0x1000);
	CHECK_CHAIN(&w, UNWIND_CUT, LEAF, SIGNAL + 1, PUSHED + 4);
	w.start.full = false;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_SWITCHED, LEAF, SIGNAL + 1, PUSHED + 4);
	end(&w);
}

UNIT(a_signal_s_stack_may_be_one_of_its_own_near_by)
{
	struct walk w;

	/* Further away than the kernel's signal frame reaches. */
	begin_signal(&w, TOP + 0x20000);
	CHECK_CHAIN(&w, UNWIND_SWITCHED, LEAF, SIGNAL + 1, PUSHED + 4);
	end(&w);
}

UNIT(a_stack_goes_on_on_another_one)
{
	struct walk w;

	begin_x86_64(&w, LEAF);
	push(&w, MAPPED + FRAME + 1);
	w.start.regs[BP] = 0x7fff00001000;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_SWITCHED, LEAF, FRAME + 1);
	end(&w);
}

UNIT(unmapped_memory_does_not_ask_for_more_stack)
{
	struct walk w;

	begin_x86_64(&w, LEAF);
	w.start.full = false;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_ABSENT, LEAF);
	push(&w, MAPPED + PUSHED + 1);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_ABSENT, LEAF, PUSHED + 1);
	w.start.full = true;
	go(&w);
	CHECK_CHAIN(&w, UNWIND_CUT, LEAF, PUSHED + 1);
	end(&w);
}

UNIT(code_of_a_missing_file_says_so)
{
	struct dso gone = { .kind = DSO_FILE };
	struct address_space_map m = { 0x1000, 0x2000, 0, &gone };
	struct walk w;

	begin_x86_64(&w, LEAF);
	address_space_add(&w.space, &m);
	push(&w, 0x1234);
	w.start.regs[BP] = 3;
	go(&w);
	CHECK_U64(w.n, 2);
	CHECK_U64(w.end, UNWIND_NO_FILE);
	CHECK(w.frames[1].dso == &gone);
	end(&w);
}

UNIT(a_signal_that_interrupted_itself_ends)
{
	struct walk w;

	begin_x86_64(&w, SIGNAL);
	push(&w, TOP);
	push(&w, MAPPED + SIGNAL);
	push(&w, 0);
	push(&w, 0);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_BROKEN, SIGNAL);
	end(&w);
}

UNIT(ends)
{
	struct walk w;

	begin_x86_64(&w, LEAF);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_ABSENT, LEAF);
	push(&w, 0);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, LEAF);
	w.start.regs[IP] = MAPPED + BACK;
	w.start.regs[SP] -= 16;
	push(&w, 0);
	push(&w, 0);
	go(&w);
	CHECK_U64(w.n, 1);
	CHECK_U64(w.end, UNWIND_BROKEN);
	w.start.mask = 0;
	go(&w);
	CHECK_U64(w.n, 0);
	CHECK_U64(w.end, UNWIND_NO_RULE);
	w.start.mask = (uint64_t)1 << IP;
	go(&w);
	CHECK_U64(w.n, 1);
	end(&w);
}

UNIT(frames_are_limited)
{
	struct walk w;

	begin_x86_64(&w, LEAF);
	for (int i = 0; i < 100; i++)
		push(&w, MAPPED + LEAF + 1);
	go(&w);
	CHECK_U64(w.n, CAP);
	CHECK_U64(w.end, UNWIND_DEEP);
	end(&w);
}

UNIT(an_address_without_a_map_is_still_a_frame)
{
	struct walk w;

	begin_x86_64(&w, LEAF);
	push(&w, 0x1234567);
	push(&w, TOP + 24);
	push(&w, 0);
	push(&w, 0);
	push(&w, MAPPED + LAST + 1);
	w.start.regs[BP] = 3;
	go(&w);
	CHECK_U64(w.n, 2);
	CHECK_U64(w.end, UNWIND_NO_MAP);
	CHECK(!w.frames[1].dso && !w.frames[1].has_address &&
		w.frames[1].pc == 0x1234567);
	/* Generated code keeps a frame pointer. */
	w.start.regs[BP] = TOP + 24;
	go(&w);
	CHECK_U64(w.n, 3);
	CHECK_U64(w.end, UNWIND_WHOLE);
	end(&w);
}

UNIT(results_of_one_space_are_not_used_in_another)
{
	struct dso jit = { .kind = DSO_JIT };
	struct address_space_map m = { MAPPED, MAPPED + FRAMES_SIZE, 0, &jit };
	struct address_space other = { 0 };
	struct unwind_frame frames[CAP];
	struct unwind_chain chain = { frames, CAP, 0, UNWIND_WHOLE };
	struct walk w;

	begin_x86_64(&w, LEAF);
	push(&w, MAPPED + LAST + 1);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, LEAF, LAST + 1);
	address_space_add(&other, &m);
	unwind_stack(w.u, &other, &w.start, &chain);
	CHECK_U64(chain.n, 1);
	CHECK(frames[0].dso == &jit && frames[0].address == MAPPED + LEAF);
	/* The same file, half of it mapped elsewhere. */
	m.dso = &w.dso;
	m.offset = 0x100;
	address_space_add(&other, &m);
	unwind_stack(w.u, &other, &w.start, &chain);
	CHECK(chain.n > 0);
	CHECK_U64(frames[0].address, FRAMES_BASE + LEAF + 0x100);
	go(&w);
	CHECK_CHAIN(&w, UNWIND_WHOLE, LEAF, LAST + 1);
	address_space_release(&other);
	end(&w);
}

/* Generated code, with sub, call, add and ret; the map begins before it. */
static void
begin_made(struct walk *w, struct dso *jit, uint64_t size, uint64_t offset)
{
	struct address_space_map m = { 0x1000, 0x3000, 0, jit };

	begin_x86_64(w, LEAF);
	*jit = (struct dso){ .kind = DSO_JIT,
		.made = { .name = STR("py::f:x.py"),
			.start = 0x2000,
			.end = 0x2000 + size } };
	address_space_add(&w->space, &m);
	w->start.time = 77;
	w->start.regs[IP] = 0x2000 + offset;
	w->start.regs[BP] = 3;
}

UNIT(trampolines_of_cpython_by_their_name)
{
	/* For each instruction: the words pushed. */
	static const struct {
		uint64_t size, offset, pushed;
	} kinds[] = { { 11, 0, 0 }, { 11, 4, 1 }, { 11, 6, 1 }, { 11, 10, 0 },
		{ 15, 0, 0 }, { 15, 4, 0 }, { 15, 8, 1 }, { 15, 10, 1 }, { 15, 14, 0 } };
	struct dso jit;
	struct walk w;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		begin_made(&w, &jit, kinds[i].size, kinds[i].offset);
		for (uint64_t k = 0; k < kinds[i].pushed; k++)
			push(&w, 12345);
		push(&w, MAPPED + LAST + 1);
		go(&w);
		CHECK_U64(w.n, 2);
		CHECK_U64(w.end, UNWIND_WHOLE);
		end(&w);
	}
	/* As a caller, with others below and above it. */
	begin_made(&w, &jit, 11, 0);
	w.start.regs[IP] = MAPPED + LEAF;
	push(&w, 0x2006);
	push(&w, 1);
	push(&w, MAPPED + PUSHED + 4);
	push(&w, 2);
	push(&w, 0x2006);
	push(&w, 3);
	push(&w, MAPPED + LAST + 1);
	go(&w);
	CHECK_U64(w.n, 5);
	CHECK_U64(w.end, UNWIND_WHOLE);
	/* The code at an earlier time is unknown. */
	w.start.time = 78;
	go(&w);
	CHECK_U64(w.n, 2);
	CHECK_U64(w.end, UNWIND_NO_RULE);
	w.start.time = 77;
	jit.made.name = STR("pyx");
	go(&w);
	CHECK_U64(w.n, 2);
	end(&w);
}

UNIT(code_made_at_run_time_has_entries_of_its_own)
{
	struct walk w;
	struct address_space_map file = { MAPPED, MAPPED + FRAMES_SIZE, 0, &w.dso };
	struct buf eh = { 0 };
	struct dso jit, dump;
	size_t cie;

	cie = eh.n;
	frames_cie(&eh, STR("zR"), STR("\x1b"), 16, STR(INITIAL));
	/* rsp + 24 from byte 5 on; the addresses are wrong and ignored. */
	frames_fde(&eh, cie, 0x123456, 0x20, STR("\x45\x0e\x18"));
	frames_put(&eh, 0, 4, false);
	begin_made(&w, &jit, 0x20, 2);
	jit.made.frames = buf_view(&eh);
	push(&w, 0x2010);
	push(&w, 1);
	push(&w, 2);
	push(&w, MAPPED + LAST + 1);
	go(&w);
	CHECK_U64(w.n, 3);
	CHECK_U64(w.end, UNWIND_WHOLE);
	/* A jitdump takes precedence over the map, and also covers unmapped code. */
	dump = jit;
	jit.made.frames = (struct str){ 0 };
	jit.made.name = STR("f");
	go(&w);
	CHECK_U64(w.n, 1);
	w.start.made = &dump;
	go(&w);
	CHECK_U64(w.n, 3);
	address_space_release(&w.space);
	address_space_add(&w.space, &file);
	go(&w);
	CHECK_U64(w.n, 3);
	/* A terminator alone: unwound by the frame pointer. */
	dump.made.frames = STR("\0\0\0\0");
	dump.made.name = STR("f");
	w.start.regs[BP] = TOP + 16;
	go(&w);
	CHECK_U64(w.n, 2);
	buf_release(&eh);
	end(&w);
}

UNIT(code_made_at_run_time_may_need_all_registers)
{
	struct buf eh = { 0 };
	struct dso jit;
	struct walk w;

	frames_cie(&eh, STR("zR"), STR("\x1b"), 16, STR(INITIAL));
	frames_fde(&eh, 0, 0, 0x20, STR("\x0c\x03\x10")); /* CFA rbx + 16 */
	begin_made(&w, &jit, 0x20, 2);
	jit.made.frames = buf_view(&eh);
	w.start.regs[BX] = TOP + 8;
	push(&w, 1);
	push(&w, 2);
	push(&w, MAPPED + LAST + 1);
	go(&w);
	CHECK_U64(w.n, 2);
	CHECK_U64(w.end, UNWIND_WHOLE);
	buf_release(&eh);
	end(&w);
}

/* aarch64: the return address is in the link register, or saved with fp. */

UNIT_MAIN
