/* SPDX-License-Identifier: ISC */
/*
 * Prints the source lines of addresses, innermost first, as ours and as libdw has them:
 *
 *	lines -r FILE COUNT		random addresses of its code
 *	lines -o FILE <ADDRESSES	address, tab, file:line, tab, file:line ...
 *	lines -d FILE <ADDRESSES	the same by libdw, the innermost alone
 */
#include "symbols/inlines.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "buf.h"

enum { CHAIN = 512 };

static void
print_random(struct elf *e, uint64_t count)
{
	uint64_t size = 0, seed = 1, at, i;
	size_t k;

	for (k = 0; k < e->section_n; k++)
		size += e->sections[k].flags & ELF_FLAG_EXEC ? e->sections[k].size : 0;
	for (i = 0; i < count && size; i++) {
		seed = seed * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
		at = (seed >> 16) % size;
		for (k = 0; k < e->section_n; k++) {
			if (!(e->sections[k].flags & ELF_FLAG_EXEC))
				continue;
			if (at < e->sections[k].size)
				break;
			at -= e->sections[k].size;
		}
		printf("%" PRIx64 "\n", e->sections[k].address + at);
	}
}

/* The next address of stdin. */
static bool
next(uint64_t *address)
{
	char line[64];

	while (fgets(line, sizeof line, stdin))
		if (str_hex_to_u64(str_trim(str_of(line)), address))
			return true;
	return false;
}

static void
print_ours(struct inlines *x)
{
	static struct inlines_place places[CHAIN];
	uint64_t address;
	size_t n, i;

	while (next(&address)) {
		printf("%" PRIx64, address);
		n = inlines_places(x, address, places, CHAIN);
		for (i = 0; i < n; i++)
			printf("\t%.*s:%u", (int)places[i].file.n, places[i].file.s,
				(unsigned)places[i].line);
		printf("\n");
	}
}

/* Not every compiler writes the table that dwarf_addrdie needs. */
static Dwarf_Line *
find_line(Dwarf *dw, uint64_t address)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	Dwarf_Line *line = NULL;

	while (!line && dwarf_get_units(dw, cu, &cu, NULL, NULL, &die, NULL) == 0)
		if (dwarf_haspc(&die, address) > 0)
			line = dwarf_getsrc_die(&die, address);
	return line;
}

static void
print_libdw(Dwarf *dw)
{
	Dwarf_Line *line;
	uint64_t address;
	int number;

	while (next(&address)) {
		printf("%" PRIx64, address);
		line = find_line(dw, address);
		if (line && dwarf_lineno(line, &number) == 0)
			printf("\t%s:%d", dwarf_linesrc(line, NULL, NULL), number);
		printf("\n");
	}
}

static int
ask_libdw(const char *path)
{
	int fd = open(path, O_RDONLY);
	Dwarf *dw = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);

	if (!dw)
		return 2;
	print_libdw(dw);
	dwarf_end(dw);
	close(fd);
	return 0;
}

/* The file beside E of PATH that it shares debug information with, or NULL. */
static struct elf *
open_alt(struct elf *e, const char *path)
{
	struct str link, id;
	struct buf b = { 0 };
	struct elf *alt = NULL;
	const char *why;

	if (!inlines_alt_link(e, &link, &id))
		return NULL;
	if (link.s[0] != '/')
		buf_str(&b,
			str_head(
				str_of(path), (size_t)(str_base(str_of(path)).s - path)));
	buf_str(&b, link);
	alt = elf_open(buf_cstr(&b), &why);
	buf_release(&b);
	return alt;
}

int
main(int argc, char **argv)
{
	uint64_t count = 2000;
	struct elf *e, *alt;
	struct inlines *x;
	const char *why;

	if (argc < 3 || (argc > 3 && !str_to_u64(str_of(argv[3]), &count))) {
		fprintf(stderr, "usage: lines -r|-o|-d FILE [COUNT]\n");
		return 2;
	}
	if (!strcmp(argv[1], "-d"))
		return ask_libdw(argv[2]);
	e = elf_open(argv[2], &why);
	if (!e) {
		fprintf(stderr, "%s: %s\n", argv[2], why);
		return 2;
	}
	alt = open_alt(e, argv[2]);
	x = inlines_new(e, alt);
	if (x)
		inlines_beside(x, argv[2]);
	if (!strcmp(argv[1], "-r"))
		print_random(e, count);
	else if (x)
		print_ours(x);
	inlines_free(x);
	if (alt)
		elf_close(alt);
	elf_close(e);
	return x ? 0 : 2;
}
