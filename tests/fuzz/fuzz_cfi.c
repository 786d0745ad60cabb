/* SPDX-License-Identifier: ISC */
/*
 * Any bytes as call frame information and as the registers and the stack of a process:
 * rows contain the address that was looked up, and a chain does not depend on cached
 * rules.
 *
 * The first byte chooses class, byte order and whether the bytes are wrapped in
 * entries, as programs and expressions, or are entries themselves; the second one
 * chooses the machine.
 */
#include "symbols/cfi.h"
#include "cfi_file.h"
#include "fuzz.h"
#include "symbols/unwind.h"

enum { CAP = 64, MAPPED = 0x10000000 };
enum { WIDE = 1, SWAP = 2, RAW = 8, NO_TABLE = 16, DEBUG = 32, SIGNAL = 64, FULL = 128 };

/* Replaces dso.c: one file. */
struct dso {
	struct elf *elf;
	struct cfi *cfi;
	struct str made; /* .eh_frame of generated code */
};

enum dso_kind
dso_kind(const struct dso *d)
{
	return d->made.n ? DSO_JIT : DSO_FILE;
}

bool
dso_find_made(struct dso *d, uint64_t address, uint64_t time, struct jit_code *m)
{
	*m = (struct jit_code){ STR("made"), MAPPED, MAPPED + FRAMES_SIZE, d->made, time,
		false };
	return address < m->end;
}

bool
dso_function(struct dso *d, uint64_t address, struct dso_function *f)
{
	*f = (struct dso_function){ address & ~(uint64_t)0xf, STR("f") };
	return !d->made.n;
}

struct elf *
dso_code(struct dso *d)
{
	return d->elf;
}

struct cfi *
dso_cfi(struct dso *d)
{
	return d->cfi;
}

bool
dso_address(struct dso *d, uint64_t offset, uint64_t *address)
{
	(void)d;
	*address = offset + FRAMES_BASE;
	return true;
}

/* The rest of the input. */
struct source {
	const uint8_t *at;
	size_t n;
	enum unwind_machine machine;
};

/* Register numbers of the kernel; elf: e_machine, ra: the column of return addresses. */
static const struct {
	unsigned elf, ra, pc, sp, link;
} machines[UNWIND_MACHINES] = {
	[UNWIND_X86_64] = { ELF_X86_64, 16, 8, 7, 1 },
	[UNWIND_AARCH64] = { ELF_AARCH64, 30, 32, 31, 30 },
	[UNWIND_RISCV64] = { ELF_RISCV, 1, 0, 2, 1 },
	[UNWIND_I386] = { ELF_386, 8, 8, 7, 1 },
};

static unsigned
read_byte(struct source *s)
{
	if (!s->n)
		return 0;
	s->n--;
	return *s->at++;
}

static struct str
read_bytes(struct source *s, size_t n)
{
	struct str part = { (const char *)s->at, n < s->n ? n : s->n };

	s->at += part.n;
	s->n -= part.n;
	return part;
}

static uint64_t
read_word(struct source *s)
{
	struct str part = read_bytes(s, 8);
	uint64_t v = 0;

	memcpy(&v, part.s, part.n);
	return v;
}

/* Wraps two programs in entries. */
static void
make_entries(struct buf *eh, struct source *s, unsigned flags)
{
	const char *letters = flags & SIGNAL ? "zRS" : "zR";
	struct buf first = { 0 };
	unsigned i;

	buf_str(&first,
		flags & FULL ? STR("\x0c\x03\x10\x90\x01") : STR("\x0c\x07\x08\x90\x01"));
	buf_str(&first, read_bytes(s, read_byte(s) % 32));
	frames_cie(eh, str_of(letters), STR("\x1b"), machines[s->machine].ra,
		buf_view(&first));
	for (i = 0; i < 4; i++)
		frames_fde(eh, 0, FRAMES_CODE + i * 0x40, 0x40,
			read_bytes(s, read_byte(s) % 64));
	buf_release(&first);
}

static void
make_file(struct buf *file, struct source *s, unsigned flags)
{
	struct frames f = { .wide = flags & WIDE,
		.swap = flags & SWAP,
		.machine = machines[s->machine].elf,
		.no_segment = flags & NO_TABLE };
	struct buf eh = { 0 };

	if (!(flags & RAW))
		make_entries(&eh, s, flags);
	else
		buf_str(&eh, read_bytes(s, read_byte(s) * 4));
	f.hdr = read_bytes(s, read_byte(s) % 64);
	f.eh = buf_view(&eh);
	if (flags & DEBUG)
		f.debug = read_bytes(s, read_byte(s) * 4);
	frames_file(file, &f);
	buf_release(&eh);
}

static void
check_row(struct cfi *c, uint64_t address, const struct cfi_frame *frame)
{
	struct cfi_row row;
	uint64_t value;
	unsigned i;

	if (!cfi_find(c, address, &row))
		return;
	LAW(row.start <= address && address < row.end);
	LAW(row.cfa.kind == CFI_REGISTER || row.cfa.kind == CFI_VALUE_EXPRESSION);
	LAW(row.return_register < CFI_REGISTERS);
	(void)cfi_rule_value(&row.cfa, frame, NULL, &value);
	for (i = 0; i < CFI_REGISTERS; i++)
		(void)cfi_rule_value(&row.rules[i], frame, &address, &value);
}

static void
check_rows(struct cfi *c, struct source s)
{
	struct cfi_frame frame = { .has = 0xffff, .stack_at = 0x1000, .word = 8 };
	unsigned i;

	frame.stack = (struct str){ (const char *)s.at, s.n };
	for (i = 0; i < 32; i++)
		frame.regs[i] = 0x1000 + i * 8;
	for (i = 0; i < 0x110; i += 9)
		check_row(c, FRAMES_BASE + FRAMES_CODE + i, &frame);
	check_row(c, 0, &frame);
	check_row(c, UINT64_MAX, &frame);
}

static void
check_chain(struct dso *d, struct source *s, unsigned flags)
{
	struct address_space_map map = { MAPPED, MAPPED + FRAMES_SIZE, 0, d };
	struct unwind_start start = { .machine = s->machine };
	struct unwind_frame a[CAP], b[CAP];
	struct unwind_chain first = { a, CAP, 0, UNWIND_WHOLE };
	struct unwind_chain second = { b, CAP, 0, UNWIND_WHOLE };
	struct unwind *u = unwind_new();
	struct address_space space = { 0 };
	size_t i;

	address_space_add(&space, &map);
	start.swap = flags & SWAP;
	start.mask = ~(uint64_t)read_byte(s);
	start.full = start.mask & 1;
	for (i = 0; i < 33; i++)
		start.regs[i] = 0x7000 + (read_byte(s) & 0x3f) * 8;
	start.regs[machines[s->machine].pc] = MAPPED + FRAMES_CODE + read_byte(s);
	start.regs[machines[s->machine].link] = read_word(s);
	start.regs[machines[s->machine].sp] = 0x7000;
	start.stack = (struct str){ (const char *)s->at, s->n };
	unwind_stack(u, &space, &start, &first);
	unwind_stack(u, &space, &start, &second);
	LAW(first.n <= CAP && first.end < UNWIND_ENDS);
	LAW(first.n == second.n && first.end == second.end);
	for (i = 0; i < first.n; i++)
		LAW(a[i].pc == b[i].pc && a[i].address == b[i].address &&
			a[i].dso == b[i].dso);
	address_space_release(&space);
	unwind_free(u);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source s = { data, size, UNWIND_X86_64 }, again;
	unsigned flags = read_byte(&s);
	struct buf file = { 0 }, made = { 0 };
	struct dso d = { NULL, NULL, { 0 } };
	const char *why;

	s.machine = read_byte(&s) % UNWIND_MACHINES;
	again = s;
	make_file(&file, &s, flags);
	d.elf = elf_of_memory(buf_view(&file), &why);
	LAW(d.elf != NULL);
	d.cfi = cfi_new(d.elf, NULL);
	if (d.cfi)
		check_rows(d.cfi, s);
	check_chain(&d, &s, flags);
	make_entries(&made, &again, flags);
	d.made = buf_view(&made);
	check_chain(&d, &s, flags);
	cfi_free(d.cfi);
	elf_close(d.elf);
	buf_release(&file);
	buf_release(&made);
	return 0;
}
