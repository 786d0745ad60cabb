/* SPDX-License-Identifier: ISC */
/*
 * Compares the rows of call frame information that we find with libdw's.
 *
 *	cfi [-n ROWS] FILE...
 *
 * Walks from row to row over all executable segments of each FILE, or in runs
 * from places chosen at random when it has more than ROWS of them: at the first
 * and the last address of each row, the row's bounds, the CFA and the rules of
 * all registers must be the same, and where one finds nothing the other must
 * not either. Prints a line a file and ends with "N passed, N failed".
 */
#include <dwarf.h>
#include "elf.h"
#include <elfutils/libdw.h>
#include <gelf.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "symbols/cfi.h"
#include "mem.h"

enum { RUN = 32, SHOWN = 5 };

struct file {
	const char *path;
	Elf *elf;
	Dwarf *dwarf;
	Dwarf_CFI *tables[2];
	struct elf *ours;
	struct cfi *cfi;
	unsigned registers;
	uint64_t rows, none, wrong, random;
};

static void
disagree(struct file *f, uint64_t address, const char *what, int reg)
{
	if (++f->wrong <= SHOWN)
		printf("%s: %#" PRIx64 ": %s %d\n", f->path, address, what, reg);
}

/* libdw's row at ADDRESS, or NULL. */
static Dwarf_Frame *
their_row(const struct file *f, uint64_t address)
{
	Dwarf_Frame *row;
	size_t i;

	for (i = 0; i < 2; i++)
		if (f->tables[i] && dwarf_cfi_addrframe(f->tables[i], address, &row) == 0)
			return row;
	return NULL;
}

/* Whether the bytes of X are the N operations at OPS. */
static bool
is_expression(const struct cfi_rule *x, const Dwarf_Op *ops, size_t n)
{
	struct bytes b = cfi_rule_expression(x);
	uint64_t number;
	unsigned op;
	size_t i;

	for (i = 0; i < n; i++) {
		op = bytes_u8(&b);
		if (op != ops[i].atom)
			return false;
		number = ops[i].number;
		if ((op >= DW_OP_breg0 && op <= DW_OP_breg31) || op == DW_OP_consts)
			number = (uint64_t)bytes_sleb(&b);
		else if (op == DW_OP_plus_uconst || op == DW_OP_constu)
			number = bytes_uleb(&b);
		else if (op >= DW_OP_const1u && op <= DW_OP_const8s)
			bytes_skip(&b, (uint64_t)1 << (op - DW_OP_const1u) / 2);
		else if (op == DW_OP_bra || op == DW_OP_skip)
			bytes_skip(&b, 2);
		else if (op == DW_OP_deref_size || op == DW_OP_pick)
			number = bytes_u8(&b);
		if (b.bad || number != ops[i].number)
			return false;
	}
	return bytes_left(&b) == 0;
}

static bool
is_same_cfa(const struct cfi_rule *cfa, Dwarf_Frame *row)
{
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(row, &ops, &n) != 0)
		return false;
	if (cfa->kind == CFI_VALUE_EXPRESSION)
		return is_expression(cfa, ops, n);
	return n == 1 && ops->atom == DW_OP_bregx && ops->number == cfa->reg &&
		(int64_t)ops->number2 == cfa->n;
}

/* "call_frame_cfa[, plus_uconst N][, stack_value]" */
static bool
is_offset(int64_t offset, bool value, const Dwarf_Op *ops, size_t n)
{
	size_t want = 1u + (offset != 0) + value;

	if (n != want || ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	if (offset &&
		(ops[1].atom != DW_OP_plus_uconst || (int64_t)ops[1].number != offset))
		return false;
	return !value || ops[n - 1].atom == DW_OP_stack_value;
}

/* What the ABI says of the stack pointer, and of rip, where the tables are silent. */
static bool
is_abi(const struct file *f, int reg, const Dwarf_Op *ops, size_t n)
{
	bool x86 = f->ours->machine == ELF_X86_64;

	if (reg == (x86 ? 7 : 31))
		return is_offset(0, true, ops, n);
	return x86 && reg == 16 && is_offset(-8, false, ops, n);
}

static bool
is_same_rule(const struct file *f, const struct cfi_rule *rule, Dwarf_Frame *row, int reg)
{
	Dwarf_Op memory[3], *ops;
	size_t n;
	bool value = rule->kind == CFI_VALUE_EXPRESSION;

	if (dwarf_frame_register(row, reg, memory, &ops, &n) != 0)
		return false;
	switch (rule->kind) {
	case CFI_UNSPECIFIED: return n == 0 || is_abi(f, reg, ops, n);
	case CFI_UNDEFINED: return n == 0 && ops;
	case CFI_SAME: return n == 0 && !ops;
	case CFI_OFFSET: return is_offset(rule->n, false, ops, n);
	case CFI_VALUE_OFFSET: return is_offset(rule->n, true, ops, n);
	case CFI_REGISTER:
		return n == 1 && ops->atom == DW_OP_regx && ops->number == rule->reg;
	default:
		return n > 1u + value && ops[0].atom == DW_OP_call_frame_cfa &&
			(!value || ops[n - 1].atom == DW_OP_stack_value) &&
			is_expression(rule, ops + 1, n - 1 - value);
	}
}

/* Compares both rows at ADDRESS; returns where the next one begins. */
static uint64_t
compare(struct file *f, uint64_t address)
{
	struct cfi_row row;
	Dwarf_Frame *theirs = their_row(f, address);
	bool found = cfi_find(f->cfi, address, &row), signal;
	Dwarf_Addr start, end;
	int ra;

	if (!found || !theirs) {
		if (found != (theirs != NULL))
			disagree(f, address,
				found ? "they have no row" : "we have no row", 0);
		free(theirs);
		f->none++;
		return address + 1;
	}
	ra = dwarf_frame_info(theirs, &start, &end, &signal);
	if (ra != (int)row.return_register || signal != row.signal)
		disagree(f, address, "return column or signal, theirs", ra);
	/* After restore_state libdw calls the row before the start of this one. */
	if (start > row.start || end != row.end)
		disagree(f, address, "bounds of the row", 0);
	if (!is_same_cfa(&row.cfa, theirs))
		disagree(f, address, "CFA", 0);
	for (unsigned i = 0; i < f->registers; i++)
		if (!is_same_rule(f, &row.rules[i], theirs, (int)i))
			disagree(f, address, "register", (int)i);
	f->rows++;
	free(theirs);
	return row.end > address ? row.end : address + 1;
}

/* Row by row from FROM to TO, MAX steps at most; also the last byte of each. */
static uint64_t
walk(struct file *f, uint64_t from, uint64_t to, uint64_t max)
{
	uint64_t next;

	for (; from < to && max > 0; max--, from = next) {
		next = compare(f, from);
		if (next - 1 > from)
			(void)compare(f, next - 1);
	}
	return from;
}

static uint64_t
next_random(struct file *f)
{
	f->random ^= f->random << 13;
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	return f->random;
}

static void
compare_segment(struct file *f, const GElf_Phdr *p, uint64_t rows)
{
	uint64_t end = p->p_vaddr + p->p_filesz, at;

	if (p->p_filesz / 8 <= rows) {
		(void)walk(f, p->p_vaddr, end, UINT64_MAX);
		return;
	}
	for (uint64_t i = 0; i < rows / RUN; i++) {
		at = p->p_vaddr + next_random(f) % p->p_filesz;
		(void)walk(f, at, end, RUN);
	}
}

static bool
open_both(struct file *f, int fd)
{
	const char *why;

	f->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	f->ours = elf_open(f->path, &why);
	if (!f->elf || !f->ours)
		return false;
	f->dwarf = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	f->tables[0] = dwarf_getcfi_elf(f->elf);
	f->tables[1] = f->dwarf ? dwarf_getcfi(f->dwarf) : NULL;
	f->cfi = cfi_new(f->ours, NULL);
	f->registers = f->ours->machine == ELF_X86_64 ? 17 : 32;
	return f->cfi != NULL;
}

static bool
compare_file(const char *path, uint64_t rows)
{
	struct file f = { .path = path, .random = 88172645463325252 };
	int fd = open(path, O_RDONLY);
	GElf_Phdr p;
	size_t n, i;

	if (fd < 0 || !open_both(&f, fd) || elf_getphdrnum(f.elf, &n) != 0) {
		printf("%s: cannot be read, or has no call frame information\n", path);
		return false;
	}
	for (i = 0; i < n; i++)
		if (gelf_getphdr(f.elf, (int)i, &p) && p.p_type == PT_LOAD &&
			p.p_flags & PF_X)
			compare_segment(&f, &p, rows);
	printf("%s: %" PRIu64 " rows, %" PRIu64 " places without one, %" PRIu64
	       " differ\n",
		path, f.rows, f.none, f.wrong);
	cfi_free(f.cfi);
	elf_close(f.ours);
	if (f.tables[0])
		dwarf_cfi_end(f.tables[0]);
	dwarf_end(f.dwarf);
	(void)elf_end(f.elf);
	close(fd);
	return f.wrong == 0 && f.rows > 0;
}

int
main(int argc, char **argv)
{
	uint64_t rows = 100000, passed = 0, failed = 0;
	int i = 1;

	elf_version(EV_CURRENT);
	if (argc > 2 && strcmp(argv[1], "-n") == 0) {
		if (!str_to_u64(str_of(argv[2]), &rows))
			return 2;
		i = 3;
	}
	for (; i < argc; i++)
		if (compare_file(argv[i], rows))
			passed++;
		else
			failed++;
	printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed);
	return failed != 0;
}
