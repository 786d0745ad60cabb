/* SPDX-License-Identifier: ISC */
/* Any bytes as an ELF file: calls every accessor; results lie within the file, or were
 * decompressed from it. */
#include "elf.h"
#include "elf-memory.h"
#include "fuzz.h"

/* Whether S lies within ALL. */
static bool
is_within(struct str s, struct str all)
{
	return !s.n || (s.s >= all.s && s.s + s.n <= all.s + all.n);
}

/* Reads each byte of S, so that a sanitizer checks it. */
static unsigned
read_all(struct str s)
{
	unsigned sum = 0;

	for (size_t i = 0; i < s.n; i++)
		sum += (unsigned char)s.s[i];
	return sum;
}

static void
ask_symbols(struct elf *e, const struct elf_section *s)
{
	size_t n = elf_symbol_count(e, s);
	struct elf_symbol sym;

	LAW(n <= e->bytes.n / 16);
	for (size_t i = 0; i <= n; i++) {
		if (!elf_symbol(e, s, i, &sym))
			continue;
		LAW(i < n);
		LAW(is_within(sym.name, elf_data(e, &e->sections[s->link])));
		read_all(sym.name);
	}
}

static void
ask_sections(struct elf *e)
{
	uint64_t plain = 0;

	for (size_t i = 0; i < e->section_n; i++) {
		const struct elf_section *s = &e->sections[i];
		struct str data = elf_data(e, s), again = elf_data(e, s);

		LAW(data.s == again.s && data.n == again.n);
		if (!is_within(data, e->bytes))
			plain += data.n;
		read_all(data);
		read_all(s->name);
		if (s->name.n && !memchr(s->name.s, '\0', s->name.n))
			LAW(elf_section(e, s->name.s) != NULL);
		read_all(elf_note(elf_bytes(e, s), s->align, STR("Xen"), 1));
		ask_symbols(e, s);
	}
	LAW(plain <= e->bytes.n * 1032 + (1 << 20));
}

/* Converts segment addresses to offsets and back. */
static void
ask_segments(struct elf *e)
{
	uint64_t offset, address;

	for (size_t i = 0; i < e->segment_n; i++) {
		const struct elf_segment *s = &e->segments[i];
		struct str memory = elf_from(e, s->address);

		LAW(is_within(memory, e->bytes));
		read_all(memory);
		if (s->type != ELF_LOAD || !s->file_size)
			continue;
		LAW(elf_address(e, s->offset, &address));
		LAW(elf_offset(e, s->address, &offset));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *why = NULL;
	struct elf *e = elf_of_memory((struct str){ (const char *)data, size }, &why);

	LAW((e == NULL) == (why != NULL));
	if (!e)
		return 0;
	read_all(e->build_id);
	ask_sections(e);
	ask_segments(e);
	elf_close(e);
	return 0;
}
