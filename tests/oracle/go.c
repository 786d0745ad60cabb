/* SPDX-License-Identifier: ISC */
/*
 * The table of functions of a stripped Go program against what its unstripped twin says.
 *
 *	go STRIPPED TWIN [COUNT]	the depth of the stack at COUNT random places, as libdw
 *					reads .debug_frame of TWIN, and the function there
 *					by the symbols of TWIN
 *	go -p STRIPPED <ADDRESSES	prints the function and the line as go tool
 *					addr2line does
 */
#include <dwarf.h>
#include "elf.h"
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "symbols/gopclntab.h"
#include "mem.h"

enum { CHAIN = 64, SHOWN = 5, WORD = 8, STACK_POINTER = 7 };

struct tally {
	size_t asked, same, other, outermost, wrong, unnamed;
};

static void
print_places(const struct gopclntab *g)
{
	struct inlines_frame frames[CHAIN];
	struct inlines_place lines[CHAIN];
	uint64_t address;
	char line[64];
	size_t n;

	while (fgets(line, sizeof line, stdin)) {
		if (!str_hex_to_u64(str_trim(str_of(line)), &address))
			continue;
		n = gopclntab_find(g, address, frames, lines, CHAIN);
		if (!n)
			printf("?\n?:0\n");
		else
			printf("%.*s\n%.*s:%" PRIu32 "\n", (int)frames[n - 1].name.n,
				frames[n - 1].name.s, (int)lines[0].file.n,
				lines[0].file.s, lines[0].line);
	}
}

/* Bytes below the return address by libdw's row at ADDRESS; -1 when it has none that counts
 * from the stack pointer. */
static int64_t
their_depth(Dwarf_CFI *table, uint64_t address)
{
	Dwarf_Frame *row;
	Dwarf_Op *ops;
	size_t n;
	int64_t depth = -1;

	if (dwarf_cfi_addrframe(table, address, &row) != 0)
		return -1;
	if (dwarf_frame_cfa(row, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_bregx &&
		ops[0].number == STACK_POINTER)
		depth = (int64_t)ops[0].number2 - WORD;
	free(row);
	return depth;
}

static void
compare(struct tally *t, const struct gopclntab *g, Dwarf_CFI *table, uint64_t address)
{
	struct gopclntab_frame f = { GOPCLNTAB_CALLED, 0 };
	int64_t depth = their_depth(table, address);
	bool found = gopclntab_frame(g, address, &f);

	t->asked++;
	if (found && f.kind == GOPCLNTAB_OUTERMOST)
		t->outermost++;
	else if (found && f.kind == GOPCLNTAB_SWITCHED)
		t->other++;
	else if (found ? depth == (int64_t)f.depth : depth < 0)
		t->same++;
	else if (t->wrong++ < SHOWN)
		printf("%#" PRIx64 ": %d %" PRIu32 ", libdw %" PRId64 "\n", address,
			found, f.depth, depth);
}

/* Whether the outermost function at ADDRESS is S of the twin's. Without one it is padding,
 * which the table counts to the function before. */
static bool
has_name(const struct gopclntab *g, uint64_t address, const struct symtab_symbol *s)
{
	struct inlines_frame frames[CHAIN];
	size_t n = gopclntab_find(g, address, frames, NULL, CHAIN);
	struct str end = STR(".abi0"), name;

	if (!s)
		return true;
	name = s->name;

	if (str_ends(name, end))
		name = str_head(name, name.n - end.n);
	return n && str_eq(frames[n - 1].name, name);
}

static int
compare_all(const struct gopclntab *g, const char *path, uint64_t count)
{
	int fd = open(path, O_RDONLY);
	Dwarf *dw = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CFI *table = dw ? dwarf_getcfi(dw) : NULL;
	struct symtab *symbols = symtab_new();
	struct tally t = { 0 };
	const char *why;
	struct elf *twin = elf_open(path, &why);
	const struct elf_section *text = twin ? elf_section(twin, ".text") : NULL;
	uint64_t seed = 1, at;

	if (!table || !text) {
		printf("%s cannot be read\n", path);
		return 2;
	}
	symtab_add_elf(symbols, twin);
	symtab_seal(symbols, SYMTAB_BEST, true);
	while (count--) {
		seed = seed * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
		at = text->address + (seed >> 16) % text->size;
		compare(&t, g, table, at);
		t.unnamed += !has_name(g, at, symtab_find(symbols, at));
	}
	printf("%zu places: %zu of the same depth, %zu outermost, %zu that change the stack, "
	       "%zu different; %zu of another name\n",
		t.asked, t.same, t.outermost, t.other, t.wrong, t.unnamed);
	symtab_free(symbols);
	elf_close(twin);
	dwarf_end(dw);
	close(fd);
	return t.wrong != 0 || t.unnamed * 200 > t.asked || t.same * 100 < t.asked * 95;
}

int
main(int argc, char **argv)
{
	bool print = argc == 3 && strcmp(argv[1], "-p") == 0;
	uint64_t count = 20000;
	const char *why;
	struct gopclntab *g;
	struct elf *e;
	int status = 0;

	if (argc < 3 || (argc > 3 && !str_to_u64(str_of(argv[3]), &count))) {
		fprintf(stderr, "usage: go [-p] STRIPPED [TWIN [COUNT]]\n");
		return 2;
	}
	e = elf_open(argv[1 + print], &why);
	g = e ? gopclntab_new(e) : NULL;
	if (!g) {
		printf("no table\n");
		return 2;
	}
	if (print)
		print_places(g);
	else
		status = compare_all(g, argv[2], count);
	gopclntab_free(g);
	elf_close(e);
	return status;
}
