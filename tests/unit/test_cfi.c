/* SPDX-License-Identifier: ISC */
/* Rows of call frame information: cfi.h, on hand-made files (cfi_file.h). */
#include "cfi_file.h"
#include "symbols/cfi.h"
#include "unit.h"

enum { CODE = FRAMES_BASE + FRAMES_CODE, RA = 16, SP = 7, BP = 6 };

/* A file, its parts, and its rows. */
struct made {
	struct frames parts;
	struct buf eh, hdr, debug, file;
	struct elf *elf;
	struct cfi *cfi;
};

static struct cfi *
open_made(struct made *m)
{
	const char *why;

	m->parts.eh = buf_view(&m->eh);
	m->parts.hdr = buf_view(&m->hdr);
	m->parts.debug = buf_view(&m->debug);
	frames_file(&m->file, &m->parts);
	m->elf = elf_of_memory(buf_view(&m->file), &why);
	CHECK(m->elf != NULL);
	m->cfi = m->elf ? cfi_new(m->elf, NULL) : NULL;
	return m->cfi;
}

static void
release(struct made *m)
{
	cfi_free(m->cfi);
	if (m->elf)
		elf_close(m->elf);
	buf_release(&m->eh);
	buf_release(&m->hdr);
	buf_release(&m->debug);
	buf_release(&m->file);
}

/* def_cfa rsp 8; ra at cfa - 8 */
#define INITIAL "\x0c\x07\x08\x90\x01"
/* push rbp after 1 byte; mov rbp, rsp after 4 */
#define USUAL "\x41\x0e\x10\x86\x02\x43\x0d\x06"

static struct made
make_plain(void)
{
	return (struct made){ .parts = { .wide = true, .machine = ELF_X86_64 } };
}

/* A CIE with AUGMENTATION and its data, and an FDE with PROGRAM. */
static struct made
make_with(struct str augmentation, struct str data, struct str program)
{
	struct made m = make_plain();

	frames_cie(&m.eh, augmentation, data, RA, STR(INITIAL));
	frames_fde(&m.eh, 0, FRAMES_CODE, 100, program);
	return m;
}

static struct made
make(struct str program)
{
	return make_with(STR("zR"), STR("\x1b"), program);
}

/* The row at AT bytes into the code of a file with PROGRAM; false without one. */
static bool
row_of(struct str program, uint64_t at, struct cfi_row *row)
{
	struct made m = make(program);
	bool found = open_made(&m) && cfi_find(m.cfi, CODE + at, row);

	/* Expressions are borrowed: the checks that use them keep the file. */
	release(&m);
	return found;
}

static void
check_usual(struct cfi *c)
{
	struct cfi_row row;

	CHECK(c && cfi_find(c, CODE, &row));
	CHECK_U64(row.start, CODE);
	CHECK_U64(row.end, CODE + 1);
	CHECK(row.cfa.kind == CFI_REGISTER && row.cfa.reg == SP && row.cfa.n == 8);
	CHECK(row.rules[RA].kind == CFI_OFFSET && row.rules[RA].n == -8);
	CHECK(row.rules[BP].kind == CFI_UNSPECIFIED);
	CHECK(row.return_register == RA && !row.signal);
	CHECK(cfi_find(c, CODE + 3, &row));
	CHECK(row.cfa.n == 16 && row.rules[BP].kind == CFI_OFFSET &&
		row.rules[BP].n == -16);
	CHECK(cfi_find(c, CODE + 99, &row));
	CHECK(row.cfa.reg == BP && row.cfa.n == 16);
	CHECK_U64(row.start, CODE + 4);
	CHECK_U64(row.end, CODE + 100);
	CHECK(!cfi_find(c, CODE - 1, &row));
	CHECK(!cfi_find(c, CODE + 100, &row));
}

UNIT(without_a_search_table_entries_are_indexed)
{
	struct made m = make(STR(USUAL));

	check_usual(open_made(&m));
	release(&m);
}

/* A search table with PAIRS up to a zero; its pointers of ENCODING take SIZE bytes and
 * are relative to BASE. */
static void
put_table(struct made *m, unsigned encoding, unsigned size, uint64_t base,
	uint64_t (*pairs)[2])
{
	size_t i;

	frames_put(&m->hdr, 1, 1, false);
	frames_put(&m->hdr, 0x1b, 1, false);
	frames_put(&m->hdr, 3, 1, false);
	frames_put(&m->hdr, encoding, 1, false);
	frames_put(&m->hdr, FRAMES_EH - (FRAMES_HDR + 4), 4, false);
	for (i = 0; pairs[i][0]; i++)
		;
	frames_put(&m->hdr, i, 4, false);
	for (i = 0; pairs[i][0]; i++) {
		frames_put(&m->hdr, pairs[i][0] - base, size, false);
		frames_put(&m->hdr, pairs[i][1] - base, size, false);
	}
}

/* A second function behind the usual one. */
static struct made
make_two(uint64_t (*pairs)[2])
{
	struct made m = make(STR(USUAL));

	pairs[0][0] = CODE;
	pairs[0][1] = FRAMES_BASE + FRAMES_EH + 24;
	pairs[1][0] = CODE + 200;
	pairs[1][1] = FRAMES_BASE + FRAMES_EH + m.eh.n;
	pairs[2][0] = 0;
	frames_fde(&m.eh, 0, FRAMES_CODE + 200, 50, STR("\x0e\x28"));
	return m;
}

static void
check_two(struct made *m)
{
	struct cfi_row row;

	check_usual(open_made(m));
	CHECK(m->cfi && cfi_find(m->cfi, CODE + 249, &row) && row.cfa.n == 0x28);
	CHECK(m->cfi && !cfi_find(m->cfi, CODE + 250, &row));
	CHECK(m->cfi && !cfi_find(m->cfi, CODE + 150, &row));
	release(m);
}

UNIT(search_tables_of_all_encodings)
{
	static const struct {
		unsigned encoding, size;
		uint64_t base;
	} kinds[] = { { 0x3b, 4, FRAMES_BASE + FRAMES_HDR },
		{ 0x3c, 8, FRAMES_BASE + FRAMES_HDR },
		{ 0x33, 4, FRAMES_BASE + FRAMES_HDR }, { 0x00, 8, 0 }, { 0x03, 4, 0 },
		{ 0x04, 8, 0 }, { 0x0b, 4, 0 } };
	uint64_t pairs[3][2];
	struct made m;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		m = make_two(pairs);
		put_table(&m, kinds[i].encoding, kinds[i].size, kinds[i].base, pairs);
		check_two(&m);
	}
}

UNIT(useless_search_tables_are_passed_over)
{
	static const unsigned encodings[] = { 0xff, 0x01, 0x09, 0xbb, 0x0f, 0x4b };
	uint64_t pairs[3][2];
	struct made m;

	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
		m = make_two(pairs);
		put_table(&m, encodings[i], 4, FRAMES_BASE + FRAMES_HDR, pairs);
		check_two(&m);
	}
}

UNIT(an_unsorted_search_table_is_passed_over)
{
	uint64_t pairs[3][2], swapped[3][2] = { { 0 } };
	struct made m = make_two(pairs);

	memcpy(swapped[0], pairs[1], sizeof *swapped);
	memcpy(swapped[1], pairs[0], sizeof *swapped);
	put_table(&m, 0x3b, 4, FRAMES_BASE + FRAMES_HDR, swapped);
	check_two(&m);
}

UNIT(a_table_that_ends_early_or_lies_is_bounded)
{
	uint64_t pairs[3][2] = { { CODE, 1 }, { CODE + 200, UINT64_MAX }, { 0, 0 } };
	struct made m = make(STR(USUAL));
	struct cfi_row row;

	put_table(&m, 0x3b, 4, FRAMES_BASE + FRAMES_HDR, pairs);
	memset(m.hdr.s + 8, 0xff, 3); /* an endless list of pairs */
	open_made(&m);
	CHECK(m.cfi && !cfi_find(m.cfi, CODE, &row));
	CHECK(m.cfi && !cfi_find(m.cfi, CODE + 220, &row));
	release(&m);
}

/* A .debug_frame of the given class and byte order, with absolute addresses. */
static void
put_debug(struct buf *b, bool wide, bool swap, unsigned version, uint64_t start)
{
	unsigned word = wide ? 8 : 4;
	size_t at = b->n;

	frames_put(b, 0, 4, swap);
	frames_put(b, UINT32_MAX, 4, swap);
	frames_put(b, version, 1, swap);
	frames_put(b, 0, 1, swap);
	if (version == 4) {
		frames_put(b, word, 1, swap);
		frames_put(b, 0, 1, swap);
	}
	buf_str(b, STR("\x01\x78\x10" INITIAL));
	frames_end(b, at, swap);
	/* The linker dropped the function, but not its entry. */
	for (int i = 0; i < 2; i++) {
		size_t fde = b->n;

		frames_put(b, 0, 4, swap);
		frames_put(b, at, 4, swap);
		frames_put(b, i ? start : 0, word, swap);
		frames_put(b, i ? 100 : 0x7fffffff, word, swap);
		buf_str(b, STR(USUAL));
		frames_end(b, fde, swap);
	}
}

UNIT(debug_frame_of_both_classes_and_orders)
{
	for (unsigned i = 0; i < 16; i++) {
		struct made m = make_plain();

		m.parts.wide = i & 1;
		m.parts.swap = i & 2;
		put_debug(&m.debug, i & 1, i & 2, i & 4 ? 4 : i & 8 ? 3 : 1, CODE);
		check_usual(open_made(&m));
		release(&m);
	}
}

UNIT(the_debug_file_supplies_missing_entries)
{
	struct made code = make_plain(), debug = make_plain();

	frames_cie(&code.eh, STR("zR"), STR("\x1b"), RA, STR(INITIAL));
	frames_fde(&code.eh, 0, FRAMES_CODE + 500, 10, STR(""));
	put_debug(&debug.debug, true, false, 3, CODE);
	open_made(&code);
	open_made(&debug);
	cfi_free(code.cfi);
	code.cfi = cfi_new(code.elf, debug.elf);
	check_usual(code.cfi);
	release(&code);
	release(&debug);
}

UNIT(a_file_without_tables_has_none)
{
	struct made m = make_plain();

	CHECK(!open_made(&m));
	release(&m);
	CHECK(!cfi_new(NULL, NULL));
}

UNIT(augmentations)
{
	static const struct {
		const char *letters;
		struct str data;
		bool known, signal;
	} kinds[] = {
		{ "zR", { "\x1b", 1 }, true, false },
		{ "zRS", { "\x1b", 1 }, true, true },
		{ "zPLR", { "\x9b\0\0\0\0\x1b\x1b", 7 }, true, false },
		{ "zPLR", { "\x00\0\0\0\0\0\0\0\0\x1b\x1b", 11 }, true, false },
		{ "zRB", { "\x1b", 1 }, true, false },
		{ "zRG", { "\x1b", 1 }, true, false },
		{ "zRx", { "\x1b", 1 }, false, false },
		{ "R", { "\x1b", 1 }, false, false },
		{ "armcc+", { "", 0 }, false, false },
		{ "zPR", { "\xff\x1b", 2 }, true, false },
		{ "zRP", { "\x1b\x1b", 2 }, false, false },
	};
	struct cfi_row row;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct made m =
			make_with(str_of(kinds[i].letters), kinds[i].data, STR(USUAL));
		bool found = open_made(&m) && cfi_find(m.cfi, CODE + 1, &row);

		CHECK_U64(found, kinds[i].known);
		CHECK(!found || row.signal == kinds[i].signal);
		release(&m);
	}
}

/* The usual start in RISC-V assemblers' output: the offset is 0. */
UNIT(the_first_register_of_a_cfa_needs_no_offset)
{
	struct made m = { .parts = { .wide = true, .machine = ELF_RISCV } };
	struct cfi_row row;

	frames_cie(&m.eh, STR("zR"), STR("\x1b"), 1, STR("\x0d\x02"));
	frames_fde(&m.eh, 0, FRAMES_CODE, 100, STR("\x44\x0e\x10"));
	CHECK(open_made(&m) && cfi_find(m.cfi, CODE, &row));
	CHECK(row.cfa.kind == CFI_REGISTER && row.cfa.reg == 2 && row.cfa.n == 0);
	CHECK(cfi_find(m.cfi, CODE + 4, &row));
	CHECK_U64(row.cfa.n, 16);
	release(&m);
}

UNIT(states_are_remembered_to_a_depth)
{
	struct cfi_row row;
	char deep[64];

	CHECK(row_of(STR("\x41\x0e\x10\x86\x02\x0a\x41\x0e\x20\xc6\x0b\x41"), 1, &row));
	CHECK(row.cfa.n == 16 && row.rules[BP].kind == CFI_OFFSET);
	CHECK(row_of(STR("\x41\x0e\x10\x86\x02\x0a\x41\x0e\x20\xc6\x41\x0b"), 2, &row));
	CHECK(row.cfa.n == 32 && row.rules[BP].kind == CFI_UNSPECIFIED);
	CHECK(row_of(STR("\x41\x0e\x10\x86\x02\x0a\x41\x0e\x20\xc6\x41\x0b"), 3, &row));
	CHECK(row.cfa.n == 16 && row.rules[BP].kind == CFI_OFFSET);
	CHECK(!row_of(STR("\x0b"), 1, &row));
	memset(deep, 0x0a, sizeof deep);
	CHECK(row_of((struct str){ deep, 16 }, 1, &row));
	CHECK(!row_of((struct str){ deep, 17 }, 1, &row));
}

UNIT(all_ways_to_go_on)
{
	struct cfi_row row;

	CHECK(row_of(STR("\x02\x05\x0e\x10\x03\x05\0\x0e\x18\x04\x05\0\0\0\x0e\x20"), 5,
		&row));
	CHECK(row.cfa.n == 16 && row.end == CODE + 10);
	CHECK(row_of(STR("\x02\x05\x0e\x10\x03\x05\0\x0e\x18\x04\x05\0\0\0\x0e\x20"), 15,
		&row));
	CHECK(row.cfa.n == 32);
	CHECK(row_of(STR("\x1d\x05\0\0\0\0\0\0\0\x0e\x10"), 5, &row) && row.cfa.n == 16);
	/* Backwards, by set_loc or by wrapping around. */
	CHECK(!row_of(STR("\x45\x1d\xfe\xff\xff\xff\xff\xff\xff\xff\x0e\x10"), 50, &row));
	CHECK(!row_of(STR("\x01\0\0\0\0"), 50, &row));
	/* An unknown and a truncated instruction. */
	CHECK(!row_of(STR("\x3f"), 50, &row));
	CHECK(!row_of(STR("\x0f\x7f"), 50, &row));
	/* Later instructions do not matter. */
	CHECK(row_of(STR("\x45\x3f"), 4, &row));
}

UNIT(rules_of_registers)
{
	struct cfi_row row;

	CHECK(row_of(
		STR("\x07\x10\x08\x03\x09\x06\x05\x14\x0c\x02\x15\x0d\x7f\x11\x0e\x03\x2f\x0f\x02"
		    "\x05\x03\x04"),
		1, &row));
	CHECK(row.rules[16].kind == CFI_UNDEFINED);
	CHECK(row.rules[3].kind == CFI_OFFSET && row.rules[3].n == -32);
	CHECK(row.rules[6].kind == CFI_REGISTER && row.rules[6].reg == 5);
	CHECK(row.rules[12].kind == CFI_VALUE_OFFSET && row.rules[12].n == -16);
	CHECK(row.rules[13].kind == CFI_VALUE_OFFSET && row.rules[13].n == 8);
	CHECK(row.rules[14].kind == CFI_OFFSET && row.rules[14].n == -24);
	CHECK(row.rules[15].kind == CFI_OFFSET && row.rules[15].n == 16);
	/* Vector registers and impossible register numbers are ignored. */
	CHECK(row_of(
		STR("\x05\x21\x02\x05\xff\xff\xff\xff\xff\x7f\x02\x2e\x10"), 1, &row));
	CHECK(!row_of(STR("\x0c\x21\x08"), 1, &row));
	/* An expression as the CFA does not have an offset to change. */
	CHECK(!row_of(STR("\x0f\x02\x77\x08\x0e\x10"), 1, &row));
	CHECK(!row_of(STR("\x0f\x02\x77\x08\x13\x7e\x0c\x06\x10"), 1, &row));
	CHECK(row_of(STR("\x12\x06\x7e"), 1, &row) && row.cfa.n == 16);
	CHECK(row_of(STR("\x13\x7d"), 1, &row) && row.cfa.n == 24);
	CHECK(row_of(STR("\x90\x05\x41\xd0"), 1, &row) && row.rules[RA].n == -8);
	CHECK(row_of(STR("\x90\x05\x41\x06\x10"), 1, &row) && row.rules[RA].n == -8);
}

UNIT(signed_return_addresses_are_of_aarch64_alone)
{
	struct made m = make(STR("\x2d\x41\x2d"));
	struct cfi_row row;

	m.parts.machine = ELF_AARCH64;
	CHECK(open_made(&m) && cfi_find(m.cfi, CODE + 1, &row));
	release(&m);
	CHECK(!row_of(STR("\x2d"), 1, &row));
}

UNIT(entries_that_point_to_themselves_or_outside)
{
	static const uint32_t back[] = { 0, 4, 28, 1000, UINT32_MAX };
	struct cfi_row row;

	for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
		struct made m = make(STR(USUAL));
		struct buf pointer = { 0 };

		frames_put(&pointer, back[i], 4, false);
		memcpy(m.eh.s + 28, pointer.s, 4);
		CHECK(open_made(&m) && cfi_find(m.cfi, CODE, &row) == (back[i] == 28));
		buf_release(&pointer);
		release(&m);
	}
}

static const uint64_t memory[] = { 0x1122334455667788, 77, 0xfffffffffffffffe };

static enum cfi_result
evaluate(struct str x, unsigned size, uint64_t *value)
{
	struct cfi_rule rule = { .kind = CFI_VALUE_EXPRESSION,
		.address_size = (unsigned char)size,
		.n = (int64_t)x.n,
		.expression = x.s };
	struct cfi_frame f = { .has = 1 << SP | 1 << BP, .stack_at = 0x1000, .word = 8 };
	uint64_t first = 0x1010;
	uint64_t one = 1;

	f.regs[SP] = 0x1000;
	f.regs[BP] = 0x1008;
	f.stack = (struct str){ (const char *)memory, sizeof memory };
	f.swap = *(const char *)&one == 0;
	return cfi_rule_value(&rule, &f, &first, value);
}

static void
check_value(struct str x, uint64_t want)
{
	uint64_t value = 0;

	CHECK(evaluate(x, 8, &value) == CFI_DONE);
	CHECK_U64(value, want);
}

static void
check_refused(struct str x, enum cfi_result why)
{
	uint64_t value;

	CHECK(evaluate(x, 8, &value) == why);
}

UNIT(expressions_calculate)
{
	check_value(STR(""), 0x1010);
	check_value(STR("\x77\x08"), 0x1008);
	check_value(STR("\x92\x06\x78"), 0x1000);
	check_value(STR("\x77\x08\x06"), 77);
	check_value(STR("\x77\0\x94\x01"), 0x88);
	check_value(STR("\x77\0\x94\x04"), 0x55667788);
	check_value(STR("\x08\xff"), 255);
	check_value(STR("\x09\xff"), UINT64_MAX);
	check_value(STR("\x0a\xfe\xff"), 0xfffe);
	check_value(STR("\x0b\xfe\xff"), UINT64_MAX - 1);
	check_value(STR("\x0d\xfe\xff\xff\xff"), UINT64_MAX - 1);
	check_value(STR("\x0e\1\0\0\0\0\0\0\x80"), 0x8000000000000001);
	check_value(STR("\x10\x80\x01"), 128);
	check_value(STR("\x11\x7f"), UINT64_MAX);
	check_value(STR("\x35\x33\x1c"), 2);
	check_value(STR("\x35\x33\x14\x1c\x1c"), 7);	      /* over: 5 - (3 - 5) */
	check_value(STR("\x35\x33\x32\x15\x02\x22"), 7);      /* pick */
	check_value(STR("\x35\x33\x16\x1c"), UINT64_MAX - 1); /* swap */
	check_value(STR("\x31\x32\x33\x17\x1c"), UINT64_MAX); /* rot: 3 1 2 */
	check_value(STR("\x35\x12\x1e"), 25);
	check_value(STR("\x35\x36\x13"), 5);
	check_value(STR("\x11\x79\x19"), 7);
	check_value(STR("\x11\x79\x1f"), 7);
	check_value(STR("\x30\x20"), UINT64_MAX);
	check_value(STR("\x11\x79\x32\x1b"), UINT64_MAX - 2);
	check_value(STR("\x37\x33\x1d"), 1);
	check_value(STR("\x3c\x3a\x1a"), 8);
	check_value(STR("\x3c\x3a\x21"), 14);
	check_value(STR("\x3c\x3a\x27"), 6);
	check_value(STR("\x35\x23\x80\x01"), 133);
	check_value(STR("\x31\x33\x24"), 8);
	check_value(STR("\x38\x32\x25"), 2);
	check_value(STR("\x11\x78\x31\x26"), UINT64_MAX - 3);
	check_value(STR("\x31\x08\x40\x24"), 0);
	check_value(STR("\x11\x78\x08\x80\x26"), UINT64_MAX);
	check_value(STR("\x11\x7f\x31\x2d"), 1); /* lt, of signed numbers */
	check_value(STR("\x11\x7f\x31\x2b"), 0);
	check_value(STR("\x31\x31\x29"), 1);
	check_value(STR("\x31\x31\x2e"), 0);
	check_value(STR("\x31\x31\x2a"), 1);
	check_value(STR("\x31\x31\x2c"), 1);
	check_value(STR("\x31\x2f\x01\0\x96\x96"), 1);
	check_value(STR("\x31\x28\x01\0\x35\x36"), 6);
	check_value(STR("\x30\x28\x01\0\x35"), 5);
}

UNIT(expressions_of_32_bits_wrap)
{
	uint64_t value;

	CHECK(evaluate(STR("\x11\x7f"), 4, &value) == CFI_DONE && value == UINT32_MAX);
	CHECK(evaluate(STR("\x11\x7f\x31\x2d"), 4, &value) == CFI_DONE && value == 1);
	CHECK(evaluate(STR("\x77\0\x06"), 4, &value) == CFI_DONE && value == 0x55667788);
	CHECK(evaluate(STR("\x77\0\x94\x08"), 4, &value) == CFI_REFUSED);
}

UNIT(expressions_are_bounded)
{
	char deep[80];

	memset(deep, 0x31, sizeof deep);
	check_value((struct str){ deep, 63 }, 1);
	check_refused((struct str){ deep, 64 }, CFI_REFUSED);
	check_refused(STR("\x13\x13"), CFI_REFUSED);
	check_refused(STR("\x2f\xfd\xff"), CFI_REFUSED); /* endless loop */
	check_refused(STR("\x2f\x05\0"), CFI_REFUSED);
	check_refused(STR("\x2f\xf0\xff"), CFI_REFUSED);
	check_refused(STR("\x15\x05"), CFI_REFUSED);
	check_refused(STR("\x31\x30\x1b"), CFI_REFUSED);
	check_refused(STR("\x31\x30\x1d"), CFI_REFUSED);
	check_value(STR("\x0e\0\0\0\0\0\0\0\x80\x11\x7f\x1b"), 0x8000000000000000);
	check_refused(STR("\x78\0"), CFI_REFUSED);
	check_refused(STR("\x92\x21\0"), CFI_REFUSED);
	check_refused(STR("\x03\0\0\0\0\0\0\0\0"), CFI_REFUSED);
	check_refused(STR("\x0e\0"), CFI_REFUSED);
	check_refused(STR("\xff"), CFI_REFUSED);
	check_refused(STR("\x50"), CFI_REFUSED);
	check_refused(STR("\x77\x11\x06"), CFI_OUTSIDE);
	check_refused(STR("\x77\x7f\x06"), CFI_OUTSIDE);
	check_refused(STR("\x30\x06"), CFI_OUTSIDE);
	check_value(STR("\x77\x10\x06"), UINT64_MAX - 1);
}

UNIT_MAIN
