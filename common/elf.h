/* SPDX-License-Identifier: ISC */
/*
 * ELF files: 32 and 64 bits, both byte orders, and nothing in them trusted: each
 * offset, size and index is checked against the file. (System V ABI, chapters
 * 4 and 5; the GNU additions for build ids and compressed sections.)
 *
 * Tables of sections and segments are read when the file is opened; the data
 * of sections is borrowed from the mapped file, or decompressed once when it is
 * first asked for.
 */
#ifndef ELF_H
#define ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "map.h"
#include "str.h"

/* The numbers used here, as in the specifications; <elf.h> is not everywhere. */
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
	ELF_NOTE = 7,
	ELF_NOBITS,
	ELF_DYNSYM = 11
};
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
enum { ELF_SEGMENT_EXEC = 1 };	/* flags of a segment */
enum { ELF_NOTE_BUILD_ID = 3 }; /* of "GNU" */

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
	uint16_t section; /* index, 0: undefined, from 0xff00 on: reserved */
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
	struct str build_id;	 /* its bytes, empty when there is none */
	struct elf_plain *plain; /* decompressed sections, by number, or NULL */
	uint64_t plain_size;	 /* how much was decompressed */
	struct map map;		 /* bytes are its, or it is of nothing */
	char *owned;		 /* bytes to be freed, or NULL */
	char *path;		 /* that was opened, or NULL */
};

/* Opens the file PATH. NULL when it cannot be opened or is no ELF file: *WHY says so
 * in a few words, static ("does not exist"). A damaged table of sections leaves that
 * table empty. */
struct elf *elf_open(const char *path, const char **why);

/* The same with a block from malloc of N bytes, which the result owns (it is
 * freed at once on failure). */
struct elf *elf_of_block(char *block, size_t n, const char **why);

/* After msg_lost when the file could not be read, or was truncated, since it was opened: what was
 * read of it then may be zeroes. */
void elf_close(struct elf *e);

/* The first section called NAME, or NULL. ".debug_x" also finds ".zdebug_x". */
const struct elf_section *elf_section(const struct elf *e, const char *name);

/* The bytes of S, decompressed when they are compressed; empty when S is NULL,
 * has none in the file, lies outside it, or cannot be decompressed. Borrowed
 * for the life of E. */
struct str elf_data(struct elf *e, const struct elf_section *s);

/* The same as a cursor in the byte order of E. */
struct bytes elf_bytes(struct elf *e, const struct elf_section *s);

/* Between places in the file and addresses, by the PT_LOAD segments. False
 * when no segment has it; executable segments come first where several do. A file
 * with debug information alone may have the segments of another. */
bool elf_address(const struct elf *e, uint64_t offset, uint64_t *address);
bool elf_offset(const struct elf *e, uint64_t address, uint64_t *offset);

/* What the file has of memory from ADDRESS on, to the end of its segment. */
struct str elf_from(const struct elf *e, uint64_t address);

/* How many symbols the table S has, and the Ith of them; false when its entry
 * or name lies outside of the tables. Names are borrowed for the life of E. */
size_t elf_symbol_count(const struct elf *e, const struct elf_section *s);
bool elf_symbol(
	struct elf *e, const struct elf_section *s, size_t i, struct elf_symbol *sym);

/* The text at place AT of TABLE, up to its NUL; false when there is none within
 * MAX bytes: a table without terminators must not be read anew to its end for
 * each name. */
bool elf_text(struct str table, uint64_t at, size_t max, struct str *text);

/* The payload of the note TYPE of OWNER ("GNU" and 3 is the build id) among NOTES, a run
 * of them with alignment ALIGN; empty when there is none. Borrowed. */
struct str elf_note(struct bytes notes, uint64_t align, struct str owner, uint32_t type);

#endif
