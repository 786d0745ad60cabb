/* SPDX-License-Identifier: ISC */
/*
 * Reads ELF files, 32 and 64 bits, in both byte orders. Nothing in them is trusted: each offset,
 * size and index is checked against the file. (System V ABI, chapters 4 and 5; the GNU additions
 * for build IDs and compressed sections.)
 *
 * The section and segment tables are read on opening; section data is borrowed from the mapped
 * file, or decompressed once on first use.
 */
#ifndef ELF_H
#define ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "map.h"
#include "str.h"

/* The constants used here, from the specifications; not every system has <elf.h>. */
enum {
	ELF_386 = 3,
	ELF_ARM = 40,
	ELF_X86_64 = 62,
	ELF_XTENSA = 94,
	ELF_AARCH64 = 183,
	ELF_RISCV = 243
};
enum { ELF_REL = 1, ELF_EXEC, ELF_DYN, ELF_CORE };
enum {
	ELF_PROGBITS = 1,
	ELF_SYMTAB,
	ELF_STRTAB,
	ELF_SHT_RELA,
	ELF_NOTE = 7,
	ELF_NOBITS,
	ELF_SHT_REL,
	ELF_DYNSYM = 11
};
enum { ELF_RESERVED = 0xff00 }; /* section indices from here on are special */
enum { ELF_FLAG_ALLOC = 2, ELF_FLAG_EXEC = 4, ELF_FLAG_COMPRESSED = 0x800 };
enum { ELF_LOAD = 1, ELF_SEGMENT_NOTE = 4, ELF_EH_FRAME = 0x6474e550 };
enum {
	ELF_NOTYPE,
	ELF_OBJECT,
	ELF_FUNC,
	ELF_SECTION,
	ELF_FILE,
	ELF_TLS = 6,
	ELF_IFUNC = 10
};
enum { ELF_LOCAL, ELF_GLOBAL, ELF_WEAK };
enum { ELF_SEGMENT_EXEC = 1 };	/* segment flags */
enum { ELF_NOTE_BUILD_ID = 3 }; /* of the owner "GNU" */

struct elf_section {
	struct str name;
	uint32_t type, link, info;
	uint64_t flags, address, offset, size, align, entry_size;
};

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, address, file_size, memory_size, align;
};

struct elf_symbol {
	struct str name;
	uint64_t value, size;
	uint16_t section; /* index, 0: undefined, from ELF_RESERVED on: special */
	unsigned char type, binding, visibility;
};

struct elf {
	struct str bytes; /* the whole file */
	bool wide;	  /* 64 bits */
	bool swap;
	uint16_t type, machine;
	uint64_t entry;
	struct elf_section *sections;
	size_t section_n;
	struct elf_segment *segments;
	size_t segment_n;
	struct str build_id;	 /* empty if it has none */
	struct elf_plain *plain; /* decompressed sections by index, or NULL */
	uint64_t plain_size;	 /* bytes decompressed so far */
	struct map map;		 /* holds BYTES, or is empty */
	char *owned;		 /* bytes to be freed, or NULL */
	char *path;		 /* as opened, or NULL */
};

/* Opens the file PATH. NULL when it cannot be opened or is not an ELF file: *WHY gets the reason,
 * static ("does not exist"). A damaged section table counts as empty. */
struct elf *elf_open(const char *path, const char **why);

/* The same for a malloc'ed block of N bytes, which the result owns (it is freed at once on
 * failure). */
struct elf *elf_of_block(char *block, size_t n, const char **why);

/* Calls msg_lost first if the file could not be read, or was truncated, since it was opened: data
 * read from it may then be zeroes. */
void elf_close(struct elf *e);

/* The first section called NAME, or NULL. ".debug_x" also finds ".zdebug_x". */
const struct elf_section *elf_section(const struct elf *e, const char *name);

/* The data of S, decompressed if needed; empty when S is NULL, has no data in the file, exceeds it,
 * or cannot be decompressed. Borrowed for the life of E. */
struct str elf_data(struct elf *e, const struct elf_section *s);

/* The same as a cursor in the byte order of E. */
struct bytes elf_bytes(struct elf *e, const struct elf_section *s);

/* Convert between file offsets and addresses, by the PT_LOAD segments. False when no segment
 * contains it; where several do, an executable one wins. A separate debug file may have the
 * segments of its program. */
bool elf_address(const struct elf *e, uint64_t offset, uint64_t *address);
bool elf_offset(const struct elf *e, uint64_t address, uint64_t *offset);

/* The file's bytes for memory from ADDRESS to the end of its segment. */
struct str elf_from(const struct elf *e, uint64_t address);

/* The number of symbols in the table S, and the Ith of them; false when its entry or name lies
 * outside the tables. Names are borrowed for the life of E. */
size_t elf_symbol_count(const struct elf *e, const struct elf_section *s);
bool elf_symbol(
	struct elf *e, const struct elf_section *s, size_t i, struct elf_symbol *sym);

/* The text at offset AT of TABLE, up to its NUL; false when no NUL comes within MAX bytes: a table
 * without terminators must not be scanned to its end for each name. */
bool elf_text(struct str table, uint64_t at, size_t max, struct str *text);

/* The payload of the note TYPE of OWNER (for the build ID: "GNU" and 3) in NOTES, a run of notes
 * with alignment ALIGN; empty if absent. Borrowed. */
struct str elf_note(struct bytes notes, uint64_t align, struct str owner, uint32_t type);

#endif
