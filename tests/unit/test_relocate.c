/* SPDX-License-Identifier: ISC */
/* Relocations of debug information, on hand-made objects: relocate.h. */
#include "symbols/relocate.h"
#include "elf-image.h"
#include "unit.h"

enum { RELA = 4, REL = 9, I386 = 3 };

/* An object with code in two sections, one of them freed after start-up, data, and a
 * section with TEXT to be relocated. */
struct object {
	struct image m;
	struct buf *entries;
	uint32_t symbols, target;
	struct elf *elf;
	struct relocate *r;
	struct buf file;
};

static void
code(struct object *o, const char *name, uint64_t size)
{
	struct buf *data;
	uint32_t n = image_section(
		&o->m, name, ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);

	o->m.section[n - 1].size = size;
}

/* Symbols 1 to 4 are at 0x10 of the sections 1 to 4. */
static void
begin(struct object *o, uint16_t machine, bool narrow, uint32_t type, struct str text)
{
	struct buf *data;
	uint32_t n;

	*o = (struct object){
		.m = { .machine = machine, .type = ELF_REL, .narrow = narrow }
	};
	code(o, ".text", 0x21);
	code(o, ".init.text", 0x40);
	code(o, ".text.unlikely", 0x40);
	image_section(&o->m, ".data", ELF_PROGBITS, ELF_FLAG_ALLOC, &data);
	o->symbols = image_symtab(&o->m, ".symtab", ELF_SYMTAB);
	for (uint16_t i = 1; i <= 4; i++)
		image_symbol(&o->m, o->symbols,
			(struct elf_symbol){ .name = STR("x"),
				.value = 0x10,
				.section = i,
				.type = ELF_FUNC });
	o->target = image_section(&o->m, ".debug_info", ELF_PROGBITS, 0, &data);
	buf_str(data, text);
	n = image_section(&o->m, ".rel.debug_info", type, 0, &o->entries);
	o->m.section[n - 1].link = o->symbols;
	o->m.section[n - 1].info = o->target;
}

static void
entry(struct object *o, uint64_t offset, unsigned symbol, unsigned kind, int64_t addend,
	bool has_addend)
{
	unsigned word = o->m.narrow ? 4 : 8;

	image_put(o->entries, word, offset);
	image_put(o->entries, word,
		o->m.narrow ? symbol << 8 | kind : (uint64_t)symbol << 32 | kind);
	if (has_addend)
		image_put(o->entries, word, (uint64_t)addend);
}

/* The bytes of .debug_info, valid until end is called. */
static struct bytes
finish(struct object *o)
{
	const char *why;

	image_end(&o->m, &o->file);
	o->elf = elf_of_memory(buf_view(&o->file), &why);
	o->r = relocate_new(o->elf);
	return bytes_of(
		relocate_data(o->r, elf_section(o->elf, ".debug_info")), o->elf->swap);
}

static void
end(struct object *o)
{
	relocate_free(o->r);
	elf_close(o->elf);
	buf_release(&o->file);
}

#define ZEROES STR("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")

UNIT(addresses_are_as_in_modules)
{
	struct object o;
	struct bytes b;

	begin(&o, ELF_X86_64, false, RELA, ZEROES);
	entry(&o, 0, 1, 1, 2, true);
	entry(&o, 8, 3, 1, -1, true);
	entry(&o, 16, 2, 1, 5, true); /* not loaded */
	entry(&o, 24, 4, 10, 5, true);
	b = finish(&o);
	CHECK_U64(bytes_u64(&b), RELOCATE_BASE + 0x12);
	CHECK_U64(bytes_u64(&b), RELOCATE_BASE + 0x24 + 0xf);
	CHECK_U64(bytes_u64(&b), 1);
	CHECK_U64(bytes_u32(&b), 0x15);
	CHECK_U64(relocate_bad(o.r), 0);
	CHECK_STR(relocate_data(o.r, elf_section(o.elf, ".data")), STR(""));
	CHECK_U64(relocate_data(o.r, NULL).n, 0);
	end(&o);
}

UNIT(addends_may_be_in_place)
{
	struct object o;
	struct bytes b;

	begin(&o, I386, true, REL, STR("\7\0\0\0\377\377\377\377"));
	entry(&o, 0, 1, 1, 0, false);
	entry(&o, 4, 3, 1, 0, false);
	b = finish(&o);
	CHECK_U64(bytes_u32(&b), RELOCATE_BASE + 0x17);
	CHECK_U64(bytes_u32(&b), RELOCATE_BASE + 0x24 + 0xf);
	CHECK_U64(relocate_bad(o.r), 0);
	end(&o);
}

/* A length is the difference of two symbols. */
UNIT(differences_of_riscv)
{
	struct object o;
	struct bytes b;

	begin(&o, ELF_RISCV, false, RELA, ZEROES);
	entry(&o, 0, 3, 35, 8, true);
	entry(&o, 0, 1, 39, 0, true);
	entry(&o, 4, 1, 54, 3, true);
	entry(&o, 5, 3, 53, 4, true);
	entry(&o, 5, 1, 52, 0, true);
	entry(&o, 8, 1, 2, 1, true);
	b = finish(&o);
	CHECK_U64(bytes_u32(&b), 0x24 + 8);
	CHECK_U64(bytes_u8(&b), 0x13);
	CHECK_U64(bytes_u8(&b), 0x28);
	bytes_skip(&b, 2);
	CHECK_U64(bytes_u64(&b), RELOCATE_BASE + 0x11);
	CHECK_U64(relocate_bad(o.r), 0);
	end(&o);
}

/* Those of range lists are numbers in LEB128, which keep their lengths. */
UNIT(differences_of_riscv_in_leb128)
{
	struct object o;
	struct bytes b;

	begin(&o, ELF_RISCV, false, RELA, STR("\0\200\200\0\7\200"));
	entry(&o, 0, 3, 60, 8, true);
	entry(&o, 0, 1, 61, 0, true);
	entry(&o, 1, 3, 60, 0x1000, true);
	entry(&o, 1, 1, 61, 0, true);
	entry(&o, 5, 1, 60, 0, true); /* does not end */
	b = finish(&o);
	CHECK_U64(bytes_uleb(&b), 0x24 + 8);
	CHECK_U64(bytes_left(&b), 5);
	CHECK_U64(bytes_uleb(&b), 0x24 + 0x1000);
	CHECK_U64(bytes_left(&b), 2);
	CHECK_U64(bytes_u8(&b), 7);
	CHECK_U64(relocate_bad(o.r), 1);
	end(&o);
}

UNIT(unsupported_relocations_are_counted)
{
	struct object o;
	struct bytes b;

	begin(&o, ELF_X86_64, false, RELA, ZEROES);
	entry(&o, 25, 1, 1, 0, true); /* beyond the end */
	entry(&o, UINT64_MAX, 1, 1, 0, true);
	entry(&o, 0, 99, 1, 0, true); /* unknown symbol */
	entry(&o, 0, 1, 77, 0, true); /* unknown type */
	entry(&o, 0, 1, 0, 0, true);  /* nothing to do */
	entry(&o, 8, 1, 1, 0, true);
	b = finish(&o);
	CHECK_U64(bytes_u64(&b), 0);
	CHECK_U64(bytes_u64(&b), RELOCATE_BASE + 0x10);
	CHECK_U64(relocate_bad(o.r), 4);
	end(&o);
}

UNIT(sections_of_code_follow_each_other)
{
	struct object o;
	uint64_t at[16];

	begin(&o, ELF_X86_64, false, RELA, ZEROES);
	(void)finish(&o);
	CHECK(o.elf->section_n <= 16);
	relocate_lay_out(o.elf, at);
	CHECK_U64(at[1], 0);
	CHECK_U64(at[2], UINT64_MAX);
	CHECK_U64(at[3], 0x24);
	CHECK_U64(at[4], UINT64_MAX);
	end(&o);
}

UNIT_MAIN
