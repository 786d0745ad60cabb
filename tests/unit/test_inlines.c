/* SPDX-License-Identifier: ISC */
/* Inlined functions, from hand-made DWARF: inlines.h, dwarf.h. */
#include "symbols/dwarf-names.h"
#include "dwarf-image.h"
#include "symbols/inlines.h"
#include "unit.h"

enum { CAP = 16 };

/* An abbreviation: CODE, TAG, whether it has children; then pairs of attribute and
 * form up to the end of the list. */
static void
abbrev_begin(struct image *m, unsigned code, unsigned tag, bool children)
{
	image_uleb(&m->abbrev, code);
	image_uleb(&m->abbrev, tag);
	buf_char(&m->abbrev, children);
}

static void
pair(struct image *m, unsigned name, unsigned form)
{
	image_uleb(&m->abbrev, name);
	image_uleb(&m->abbrev, form);
}

static void
abbrev_end(struct image *m)
{
	pair(m, 0, 0);
}

/* The abbreviations of most tests:
 *	1 unit		low_pc, high_pc
 *	2 function	name, low_pc, high_pc; children
 *	3 inlined	abstract_origin, low_pc, high_pc; children
 *	4 abstract	name
 *	5 function	name, ranges; children
 *	6 inlined	abstract_origin, ranges
 *	7 unit		ranges
 *	8 block		low_pc, high_pc; children
 *	9 unit		nothing
 */
enum {
	UNIT_PAIR = 1,
	FUNCTION,
	INLINED,
	ABSTRACT,
	FUNCTION_LIST,
	INLINED_LIST,
	UNIT_LIST,
	BLOCK,
	UNIT_BARE
};

static void
usual_pair(struct image *m)
{
	pair(m, DWARF_AT_LOW_PC, DWARF_FORM_ADDR);
	pair(m, DWARF_AT_HIGH_PC, m->version >= 4 ? DWARF_FORM_DATA4 : DWARF_FORM_ADDR);
	abbrev_end(m);
}

static void
usual_list(struct image *m)
{
	pair(m, DWARF_AT_RANGES,
		m->version >= 4 ? DWARF_FORM_SEC_OFFSET : DWARF_FORM_DATA4);
	abbrev_end(m);
}

static void
usual_abbrevs(struct image *m)
{
	abbrev_begin(m, UNIT_PAIR, DWARF_TAG_COMPILE_UNIT, true);
	usual_pair(m);
	abbrev_begin(m, FUNCTION, DWARF_TAG_SUBPROGRAM, true);
	pair(m, DWARF_AT_NAME, DWARF_FORM_STRING);
	usual_pair(m);
	abbrev_begin(m, INLINED, DWARF_TAG_INLINED_SUBROUTINE, true);
	pair(m, DWARF_AT_ABSTRACT_ORIGIN, DWARF_FORM_REF4);
	usual_pair(m);
	abbrev_begin(m, ABSTRACT, DWARF_TAG_SUBPROGRAM, false);
	pair(m, DWARF_AT_NAME, DWARF_FORM_STRING);
	abbrev_end(m);
	abbrev_begin(m, FUNCTION_LIST, DWARF_TAG_SUBPROGRAM, true);
	pair(m, DWARF_AT_NAME, DWARF_FORM_STRING);
	usual_list(m);
	abbrev_begin(m, INLINED_LIST, DWARF_TAG_INLINED_SUBROUTINE, false);
	pair(m, DWARF_AT_ABSTRACT_ORIGIN, DWARF_FORM_REF4);
	usual_list(m);
	abbrev_begin(m, UNIT_LIST, DWARF_TAG_COMPILE_UNIT, true);
	usual_list(m);
	abbrev_begin(m, BLOCK, 0x0b, true);
	usual_pair(m);
	abbrev_begin(m, UNIT_BARE, DWARF_TAG_COMPILE_UNIT, true);
	abbrev_end(m);
	image_uleb(&m->abbrev, 0);
}

static void
put_address(struct image *m, uint64_t a)
{
	image_put(&m->info, m->big, m->word, a);
}

/* The values of usual_pair. */
static void
put_pair(struct image *m, uint64_t start, uint64_t end)
{
	put_address(m, start);
	if (m->version >= 4)
		image_put(&m->info, m->big, 4, end - start);
	else
		put_address(m, end);
}

static void
put_function(struct image *m, const char *name, uint64_t start, uint64_t end)
{
	image_uleb(&m->info, FUNCTION);
	image_cstr(&m->info, name);
	put_pair(m, start, end);
}

/* Returns its offset in the unit. */
static size_t
put_abstract(struct image *m, const char *name)
{
	size_t at = m->info.n - m->unit;

	image_uleb(&m->info, ABSTRACT);
	image_cstr(&m->info, name);
	return at;
}

static void
put_inlined(struct image *m, size_t origin, uint64_t start, uint64_t end)
{
	image_uleb(&m->info, INLINED);
	image_put(&m->info, m->big, 4, origin);
	put_pair(m, start, end);
}

/* The values of usual_list. */
static void
put_offset(struct image *m, uint64_t offset)
{
	image_put(&m->info, m->big, m->version >= 4 ? m->offset : 4, offset);
}

static void
put_end(struct image *m)
{
	image_uleb(&m->info, 0);
}

static struct image
image(unsigned version)
{
	return (struct image){ .version = version, .word = 8, .offset = 4 };
}

/* The lookup of a test: opened and closed once. */
struct asked {
	struct elf *elf, *alt;
	struct inlines *x;
	struct inlines_frame frames[CAP];
};

static void
ask_begin(struct asked *a, struct image *m, struct image *alt)
{
	a->elf = image_open(m);
	a->alt = alt ? image_open(alt) : NULL;
	a->x = inlines_new(a->elf, a->alt);
}

static void
ask_end(struct asked *a, struct image *m)
{
	inlines_free(a->x);
	elf_close(a->elf);
	if (a->alt)
		elf_close(a->alt);
	image_release(m);
}

/* The chain at ADDRESS as "innermost<outer", into TEXT, which is cleared. */
static struct str
chain(struct asked *a, struct buf *text, uint64_t address)
{
	size_t n = a->x ? inlines_find(a->x, address, a->frames, CAP) : 0;

	buf_clear(text);
	for (size_t i = 0; i < n; i++) {
		buf_str(text, a->frames[i].name);
		if (a->frames[i].inlined)
			buf_char(text, '<');
	}
	return buf_view(text);
}

#define CHAIN(address, expected) CHECK_STR(chain(&a, &text, address), STR(expected))

/* main at 0x1000, parse inlined at 0x1010 in a block, skip inlined into parse. */
static void
usual_unit(struct image *m)
{
	size_t parse, skip;

	image_unit(m, 0);
	image_uleb(&m->info, UNIT_PAIR);
	put_pair(m, 0x1000, 0x1100);
	parse = put_abstract(m, "parse");
	skip = put_abstract(m, "skip");
	put_function(m, "main", 0x1000, 0x1100);
	image_uleb(&m->info, BLOCK);
	put_pair(m, 0x1008, 0x1040);
	put_inlined(m, parse, 0x1010, 0x1030);
	put_inlined(m, skip, 0x1018, 0x1020);
	put_end(m);
	put_end(m);
	put_end(m);
	put_end(m);
	put_end(m);
	image_end(m);
}

static void
check_usual(struct image *m)
{
	struct buf text = { 0 };
	struct asked a;
	struct str first;

	usual_abbrevs(m);
	usual_unit(m);
	ask_begin(&a, m, NULL);
	CHECK(a.x != NULL);
	CHAIN(0xfff, "");
	CHAIN(0x1000, "main");
	CHAIN(0x100f, "main");
	CHAIN(0x1010, "parse<main");
	CHAIN(0x1018, "skip<parse<main");
	CHAIN(0x101f, "skip<parse<main");
	CHAIN(0x1020, "parse<main");
	CHAIN(0x1030, "main");
	CHAIN(0x10ff, "main");
	CHAIN(0x1100, "");
	CHAIN(UINT64_MAX, "");
	CHECK_U64(inlines_bad(a.x), 0);
	CHECK_U64(inlines_missing(a.x, &first), 0);
	ask_end(&a, m);
	buf_release(&text);
}

UNIT(all_versions_sizes_and_byte_orders)
{
	struct image m;

	for (unsigned version = 2; version <= 5; version++)
		for (unsigned i = 0; i < 8; i++) {
			m = (struct image){ .version = version,
				.word = i & 1 ? 4 : 8,
				.offset = i & 2 ? 8 : 4,
				.big = i & 4 };
			check_usual(&m);
		}
}

UNIT(a_chain_is_cut_at_the_room_there_is)
{
	struct image m = image(5);
	struct asked a;

	usual_abbrevs(&m);
	usual_unit(&m);
	ask_begin(&a, &m, NULL);
	CHECK_U64(inlines_find(a.x, 0x1018, a.frames, 2), 2);
	CHECK_STR(a.frames[0].name, STR("skip"));
	CHECK(a.frames[1].inlined);
	CHECK_U64(inlines_find(a.x, 0x1018, a.frames, 0), 0);
	ask_end(&a, &m);
}

UNIT(files_without_dwarf_have_no_index)
{
	struct image m = image(5);
	struct asked a;

	usual_abbrevs(&m);
	ask_begin(&a, &m, NULL);
	CHECK(a.x == NULL);
	ask_end(&a, &m);
}

UNIT(an_inlined_range_counts_only_within_its_parent)
{
	struct image m = image(4);
	struct buf text = { 0 };
	struct asked a;
	size_t f;

	usual_abbrevs(&m);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_PAIR);
	put_pair(&m, 0x800, 0x3000);
	f = put_abstract(&m, "f");
	put_function(&m, "zero", 0x800, 0x900);
	put_end(&m);
	put_function(&m, "one", 0x1000, 0x1100);
	put_inlined(&m, f, 0x2010, 0x2020); /* in the other one */
	put_end(&m);
	put_inlined(&m, f, 0x10f0, 0x1200); /* half of it */
	put_end(&m);
	put_end(&m);
	put_function(&m, "two", 0x2000, 0x2100);
	put_end(&m);
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	CHAIN(0x10ef, "one");
	CHAIN(0x10ff, "f<one");
	for (uint64_t at = 0x1100; at < 0x2000; at += 0x10)
		CHAIN(at, "");
	CHAIN(0x2018, "two");
	ask_end(&a, &m);
	buf_release(&text);
}

/* A function at LOW, with an inlined one at addresses of other code. */
static void
check_dead(unsigned word, uint64_t low)
{
	struct image m = { .version = 4, .word = word, .offset = 4 };
	struct buf text = { 0 };
	struct asked a;
	size_t f;

	usual_abbrevs(&m);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_PAIR);
	put_pair(&m, 0x10, 0x3000);
	f = put_abstract(&m, "f");
	put_function(&m, "dead", low, low + 0x1100);
	put_inlined(&m, f, 0x1000, 0x1080);
	put_end(&m);
	put_function(&m, "within", 0x1000, 0x1080);
	put_end(&m);
	put_end(&m);
	put_function(&m, "live", 0x1000, 0x1100);
	put_end(&m);
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	CHAIN(0x20, "");
	CHAIN(0x1000, "live");
	ask_end(&a, &m);
	buf_release(&text);
}

UNIT(nothing_of_a_dropped_function_counts)
{
	check_dead(8, 0);
	check_dead(8, 1);
	check_dead(8, UINT64_MAX);
	check_dead(8, UINT64_MAX - 1);
	check_dead(4, 0);
	check_dead(4, UINT32_MAX);
	check_dead(4, UINT32_MAX - 1);
}

/* A unit and a function, both with the list at offset LIST. */
static void
listed_unit(struct image *m, uint64_t list)
{
	image_unit(m, 0);
	image_uleb(&m->info, UNIT_LIST);
	put_offset(m, list);
	image_uleb(&m->info, FUNCTION_LIST);
	image_cstr(&m->info, "f");
	put_offset(m, list);
	put_end(m);
	put_end(m);
	image_end(m);
}

static void
put_range(struct image *m, uint64_t start, uint64_t end)
{
	image_put(&m->ranges, m->big, m->word, start);
	image_put(&m->ranges, m->big, m->word, end);
}

UNIT(old_lists_of_ranges)
{
	struct image m = image(4);
	struct buf text = { 0 };
	struct asked a;

	usual_abbrevs(&m);
	put_range(&m, 0x5000, 0x5010); /* outside of any function */
	put_range(&m, 0x1000, 0x1010);
	put_range(&m, 0x1018, 0x1018); /* empty */
	put_range(&m, 1, 1);
	put_range(&m, 0x1030, 0x1020); /* backwards */
	put_range(&m, 1, 0x40);	       /* dropped */
	put_range(&m, UINT64_MAX, 0x2000);
	put_range(&m, 0, 0x10); /* from the base */
	put_range(&m, 0x20, 0x30);
	put_range(&m, UINT64_MAX - 1, UINT64_MAX - 1);
	put_range(&m, UINT64_MAX, UINT64_MAX - 1); /* a dropped base */
	put_range(&m, 0x3002, 0x3010);
	put_range(&m, UINT64_MAX, 0);
	put_range(&m, 0x4000, 0x4010);
	put_range(&m, 0, 0);
	put_range(&m, 0x6000, 0x6010); /* behind the end */
	listed_unit(&m, 16);
	ask_begin(&a, &m, NULL);
	CHAIN(0x5000, "");
	CHAIN(0x1000, "f");
	CHAIN(0x1010, "");
	CHAIN(0x20, "");
	CHAIN(0x1028, "");
	CHAIN(0x2000, "f");
	CHAIN(0x2010, "");
	CHAIN(0x2020, "f");
	CHAIN(0x3004, "");
	CHAIN(0x3000, "");
	CHAIN(0x4000, "f");
	CHAIN(0x6000, "");
	CHECK_U64(inlines_bad(a.x), 0);
	ask_end(&a, &m);
	buf_release(&text);
}

static void
put_kind(struct image *m, unsigned kind)
{
	buf_char(&m->rnglists, (char)kind);
}

static void
put_list_address(struct image *m, uint64_t a)
{
	image_put(&m->rnglists, m->big, m->word, a);
}

/* An entry of each kind, and some of dropped code. */
static void
put_all_kinds(struct image *m)
{
	put_kind(m, DWARF_RLE_START_END);
	put_list_address(m, 0x1000);
	put_list_address(m, 0x1010);
	put_kind(m, DWARF_RLE_START_LENGTH);
	put_list_address(m, 0x2000);
	image_uleb(&m->rnglists, 0x90);
	put_kind(m, DWARF_RLE_BASE_ADDRESS);
	put_list_address(m, 0x3000);
	put_kind(m, DWARF_RLE_OFFSET_PAIR);
	image_uleb(&m->rnglists, 0x10);
	image_uleb(&m->rnglists, 0x20);
	put_kind(m, DWARF_RLE_BASE_ADDRESSX);
	image_uleb(&m->rnglists, 1);
	put_kind(m, DWARF_RLE_OFFSET_PAIR);
	image_uleb(&m->rnglists, 0x30);
	image_uleb(&m->rnglists, 0x40);
	put_kind(m, DWARF_RLE_STARTX_ENDX);
	image_uleb(&m->rnglists, 2);
	image_uleb(&m->rnglists, 3);
	put_kind(m, DWARF_RLE_STARTX_LENGTH);
	image_uleb(&m->rnglists, 4);
	image_uleb(&m->rnglists, 8);
	put_kind(m, DWARF_RLE_STARTX_LENGTH); /* invalid index */
	image_uleb(&m->rnglists, 1000);
	image_uleb(&m->rnglists, 0x10000);
	put_kind(m, DWARF_RLE_BASE_ADDRESSX); /* dropped */
	image_uleb(&m->rnglists, 0);
	put_kind(m, DWARF_RLE_OFFSET_PAIR);
	image_uleb(&m->rnglists, 0x8001);
	image_uleb(&m->rnglists, 0x8010);
	put_kind(m, DWARF_RLE_END_OF_LIST);
	put_kind(m, DWARF_RLE_START_LENGTH);
	put_list_address(m, 0x7000);
	image_uleb(&m->rnglists, 0x10);
}

static void
check_kinds(unsigned word, unsigned offset, bool big)
{
	static const uint64_t table[] = { UINT64_MAX, 0x4000, 0x5000, 0x5010, 0x6000 };
	struct image m = { .version = 5, .word = word, .offset = offset, .big = big };
	struct buf text = { 0 };
	struct asked a;

	usual_abbrevs(&m);
	image_put(&m.addr, big, 2 * offset, 0); /* the header, behind which they begin */
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		image_put(&m.addr, big, word, table[i]);
	image_put(&m.rnglists, big, 4, 0);
	put_all_kinds(&m);
	listed_unit(&m, 4);
	ask_begin(&a, &m, NULL);
	CHAIN(0x1000, "f");
	CHAIN(0x1010, "");
	CHAIN(0x208f, "f");
	CHAIN(0x2090, "");
	CHAIN(0x300f, "");
	CHAIN(0x3010, "f");
	CHAIN(0x4030, "f");
	CHAIN(0x4040, "");
	CHAIN(0x500f, "f");
	CHAIN(0x6007, "f");
	CHAIN(0x6008, "");
	CHAIN(0x7000, "");
	CHAIN(0x8004, "");
	CHECK_U64(inlines_bad(a.x), 0);
	ask_end(&a, &m);
	buf_release(&text);
}

UNIT(new_lists_of_ranges_have_all_kinds_of_entries)
{
	check_kinds(8, 4, false);
	check_kinds(8, 8, true);
	check_kinds(4, 8, false);
	check_kinds(4, 4, true);
}

#define BYTES(literal)                         \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}
#define NONE            \
	{               \
		NULL, 0 \
	}

/* A value of each form; the value behind it must be found. */
static const struct {
	unsigned form;
	struct str value,
		narrow; /* with offsets and addresses of 4 bytes, when that differs */
} forms[] = {
	{ DWARF_FORM_ADDR, BYTES("12345678"), BYTES("1234") },
	{ DWARF_FORM_BLOCK2, BYTES("\2\0xy"), NONE },
	{ DWARF_FORM_BLOCK4, BYTES("\2\0\0\0xy"), NONE },
	{ DWARF_FORM_DATA2, BYTES("12"), NONE },
	{ DWARF_FORM_DATA4, BYTES("1234"), NONE },
	{ DWARF_FORM_DATA8, BYTES("12345678"), NONE },
	{ DWARF_FORM_STRING, BYTES("text\0"), NONE },
	{ DWARF_FORM_BLOCK, BYTES("\x82\0xy"), NONE },
	{ DWARF_FORM_BLOCK1, BYTES("\2xy"), NONE },
	{ DWARF_FORM_DATA1, BYTES("1"), NONE },
	{ DWARF_FORM_FLAG, BYTES("1"), NONE },
	{ DWARF_FORM_SDATA, BYTES("\xff\x7f"), NONE },
	{ DWARF_FORM_STRP, BYTES("12345678"), BYTES("1234") },
	{ DWARF_FORM_UDATA, BYTES("\xff\x01"), NONE },
	{ DWARF_FORM_REF_ADDR, BYTES("12345678"), BYTES("1234") },
	{ DWARF_FORM_REF1, BYTES("1"), NONE },
	{ DWARF_FORM_REF2, BYTES("12"), NONE },
	{ DWARF_FORM_REF4, BYTES("1234"), NONE },
	{ DWARF_FORM_REF8, BYTES("12345678"), NONE },
	{ DWARF_FORM_REF_UDATA, BYTES("\xff\x01"), NONE },
	{ DWARF_FORM_INDIRECT,
		BYTES("\x0b"
		      "1"),
		NONE },
	{ DWARF_FORM_INDIRECT,
		BYTES("\x16\x0b"
		      "1"),
		NONE },
	{ DWARF_FORM_INDIRECT, BYTES("\x19"), NONE },
	{ DWARF_FORM_SEC_OFFSET, BYTES("12345678"), BYTES("1234") },
	{ DWARF_FORM_EXPRLOC, BYTES("\3xyz"), NONE },
	{ DWARF_FORM_FLAG_PRESENT, BYTES(""), NONE },
	{ DWARF_FORM_STRX, BYTES("\xff\x01"), NONE },
	{ DWARF_FORM_ADDRX, BYTES("\xff\x01"), NONE },
	{ DWARF_FORM_REF_SUP4, BYTES("1234"), NONE },
	{ DWARF_FORM_STRP_SUP, BYTES("12345678"), BYTES("1234") },
	{ DWARF_FORM_DATA16, BYTES("1234567812345678"), NONE },
	{ DWARF_FORM_LINE_STRP, BYTES("12345678"), BYTES("1234") },
	{ DWARF_FORM_REF_SIG8, BYTES("12345678"), NONE },
	{ DWARF_FORM_LOCLISTX, BYTES("\xff\x01"), NONE },
	{ DWARF_FORM_RNGLISTX, BYTES("\xff\x01"), NONE },
	{ DWARF_FORM_REF_SUP8, BYTES("12345678"), NONE },
	{ DWARF_FORM_STRX1, BYTES("1"), NONE },
	{ DWARF_FORM_STRX2, BYTES("12"), NONE },
	{ DWARF_FORM_STRX3, BYTES("123"), NONE },
	{ DWARF_FORM_STRX4, BYTES("1234"), NONE },
	{ DWARF_FORM_ADDRX1, BYTES("1"), NONE },
	{ DWARF_FORM_ADDRX2, BYTES("12"), NONE },
	{ DWARF_FORM_ADDRX3, BYTES("123"), NONE },
	{ DWARF_FORM_ADDRX4, BYTES("1234"), NONE },
	{ DWARF_FORM_GNU_ADDR_INDEX, BYTES("\xff\x01"), NONE },
	{ DWARF_FORM_GNU_STR_INDEX, BYTES("\xff\x01"), NONE },
	{ DWARF_FORM_GNU_REF_ALT, BYTES("12345678"), BYTES("1234") },
	{ DWARF_FORM_GNU_STRP_ALT, BYTES("12345678"), BYTES("1234") },
};

/* A function whose first attribute has form I and is ignored, or with OWN is its
 * sibling. */
static void
check_form(size_t i, bool narrow, unsigned attribute)
{
	struct image m = {
		.version = 5, .word = narrow ? 4 : 8, .offset = narrow ? 4 : 8
	};
	struct buf text = { 0 };
	struct asked a;

	abbrev_begin(&m, 10, DWARF_TAG_SUBPROGRAM, false);
	pair(&m, attribute, forms[i].form);
	pair(&m, DWARF_AT_NAME, DWARF_FORM_STRING);
	usual_pair(&m);
	usual_abbrevs(&m);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_PAIR);
	put_pair(&m, 0x1000, 0x3000);
	image_uleb(&m.info, 10);
	buf_str(&m.info, narrow && forms[i].narrow.n ? forms[i].narrow : forms[i].value);
	image_cstr(&m.info, "f");
	put_pair(&m, 0x1000, 0x1100);
	put_function(&m, "g", 0x2000, 0x2100);
	put_end(&m);
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	CHAIN(0x10ff, "f");
	CHAIN(0x20ff, "g");
	CHECK_U64(inlines_bad(a.x), 0);
	if (!str_eq(chain(&a, &text, 0x20ff), STR("g")))
		printf("form %#x\n", forms[i].form);
	ask_end(&a, &m);
	buf_release(&text);
}

UNIT(values_of_all_forms_are_passed_over)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		check_form(i, false, 0x3fe1); /* unknown attribute */
		check_form(i, true, 0x3fe1);
		check_form(i, false, DWARF_AT_SIBLING); /* kept, but unused here */
		check_form(i, true, DWARF_AT_SIBLING);
	}
}

/* A unit whose only function has an attribute of FORM with VALUE: it is unreadable and
 * counted as such; the next unit is readable. */
static void
check_bad_form(unsigned form, struct str value)
{
	struct image m = image(5);
	struct buf text = { 0 };
	struct asked a;

	abbrev_begin(&m, 10, DWARF_TAG_SUBPROGRAM, false);
	pair(&m, DWARF_AT_LOW_PC, form);
	abbrev_end(&m);
	usual_abbrevs(&m);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_PAIR);
	put_pair(&m, 0x4000, 0x5000);
	put_function(&m, "before", 0x4000, 0x4100);
	put_end(&m);
	image_uleb(&m.info, 10);
	buf_str(&m.info, value);
	image_end(&m);
	usual_unit(&m);
	ask_begin(&a, &m, NULL);
	CHAIN(0x4000, "before");
	CHAIN(0x4200, "");
	CHAIN(0x1000, "main");
	CHECK_U64(inlines_bad(a.x), 1);
	ask_end(&a, &m);
	buf_release(&text);
}

UNIT(entries_that_cannot_be_read_are_counted)
{
	check_bad_form(0x02, STR("12345678"));
	check_bad_form(0x77, STR("12345678"));
	check_bad_form(0x10001, STR("12345678")); /* not DW_FORM_addr */
	check_bad_form(DWARF_FORM_ADDR, STR("1234"));
	check_bad_form(DWARF_FORM_BLOCK4, STR("\xff\xff\xff\xff"));
	check_bad_form(
		DWARF_FORM_EXPRLOC, STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
	check_bad_form(DWARF_FORM_STRING, STR("no end"));
	check_bad_form(DWARF_FORM_UDATA, STR("\xff\xff"));
	check_bad_form(DWARF_FORM_INDIRECT, STR("\x16\x16\x16\x16\x16\x16\x16\x0b"));
	check_bad_form(DWARF_FORM_INDIRECT, STR("\x21"));
	check_bad_form(DWARF_FORM_INDIRECT, STR("\x77"));
}

/* In these abbreviations, code 10 is a unit, 11 a function. */
static void
indexed_abbrevs(struct image *m, bool gnu)
{
	abbrev_begin(m, 10, gnu ? DWARF_TAG_COMPILE_UNIT : DWARF_TAG_SKELETON_UNIT, true);
	pair(m, DWARF_AT_LOW_PC, gnu ? DWARF_FORM_GNU_ADDR_INDEX : DWARF_FORM_ADDRX);
	pair(m, DWARF_AT_HIGH_PC, DWARF_FORM_IMPLICIT_CONST);
	image_sleb(&m->abbrev, 0x2000);
	pair(m, gnu ? DWARF_AT_GNU_ADDR_BASE : DWARF_AT_ADDR_BASE, DWARF_FORM_SEC_OFFSET);
	if (!gnu) {
		pair(m, DWARF_AT_STR_OFFSETS_BASE, DWARF_FORM_SEC_OFFSET);
		pair(m, DWARF_AT_RNGLISTS_BASE, DWARF_FORM_SEC_OFFSET);
	}
	pair(m, gnu ? DWARF_AT_GNU_DWO_NAME : DWARF_AT_DWO_NAME, DWARF_FORM_STRING);
	abbrev_end(m);
	abbrev_begin(m, 11, DWARF_TAG_SUBPROGRAM, false);
	pair(m, DWARF_AT_NAME, gnu ? DWARF_FORM_GNU_STR_INDEX : DWARF_FORM_STRX3);
	pair(m, DWARF_AT_LOW_PC, gnu ? DWARF_FORM_GNU_ADDR_INDEX : DWARF_FORM_ADDRX2);
	pair(m, DWARF_AT_HIGH_PC, DWARF_FORM_UDATA);
	abbrev_end(m);
	abbrev_begin(m, 12, DWARF_TAG_SUBPROGRAM, false);
	pair(m, DWARF_AT_LINKAGE_NAME, DWARF_FORM_STRX1);
	pair(m, DWARF_AT_RANGES, DWARF_FORM_RNGLISTX);
	abbrev_end(m);
	image_uleb(&m->abbrev, 0);
}

/* Tables with something in front of the bases. */
static void
put_tables(struct image *m)
{
	image_cstr(&m->str, "wrong");
	image_put(&m->addr, m->big, m->word, 0x9999);
	image_put(&m->addr, m->big, m->word, 0x9999);
	image_put(&m->addr, m->big, m->word, 0x1000);
	image_put(&m->addr, m->big, m->word, 0x1800);
	image_put(&m->str_offsets, m->big, m->offset, 0);
	image_put(&m->str_offsets, m->big, m->offset, image_cstr(&m->str, "_Z1gv"));
	image_put(&m->str_offsets, m->big, m->offset, image_cstr(&m->str, "_Z1fv"));
	image_put(&m->rnglists, m->big, m->offset, 0);
	image_put(&m->rnglists, m->big, m->offset, 0);
	image_put(&m->rnglists, m->big, m->offset, 2 * m->offset);
	put_kind(m, DWARF_RLE_OFFSET_PAIR);
	image_uleb(&m->rnglists, 0x900);
	image_uleb(&m->rnglists, 0x910);
	put_kind(m, DWARF_RLE_END_OF_LIST);
}

static void
check_indexed(unsigned version, unsigned word, unsigned offset, bool big)
{
	bool gnu = version < 5;
	struct image m = { .version = version,
		.word = word,
		.offset = offset,
		.big = big,
		.unit_type = DWARF_UT_SKELETON };
	struct buf text = { 0 };
	struct str first;
	struct asked a;

	indexed_abbrevs(&m, gnu);
	put_tables(&m);
	image_unit(&m, 0);
	if (!gnu)
		image_put(&m.info, big, 8, 0x1234);
	image_uleb(&m.info, 10);
	image_uleb(&m.info, 0);
	image_put(&m.info, big, offset, 2 * word);
	if (!gnu) {
		image_put(&m.info, big, offset, offset);
		image_put(&m.info, big, offset, offset);
	}
	image_cstr(&m.info, "x.dwo");
	image_uleb(&m.info, 11);
	image_put(&m.info, big, gnu ? 1 : 3, gnu ? 2 : 1);
	image_put(&m.info, big, gnu ? 1 : 2, 1);
	image_uleb(&m.info, 0x80);
	if (!gnu) {
		image_uleb(&m.info, 12);
		image_uleb(&m.info, 0);
		image_uleb(&m.info, 1);
	}
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	CHAIN(0x17ff, "");
	CHAIN(0x1800, "_Z1fv");
	CHAIN(0x187f, "_Z1fv");
	CHECK_U64(inlines_bad(a.x), 0);
	CHECK_U64(inlines_missing(a.x, &first), 1);
	CHECK_STR(first, STR("x.dwo"));
	CHECK_STR(chain(&a, &text, 0x1900), gnu ? STR("") : STR("_Z1gv"));
	ask_end(&a, &m);
	buf_release(&text);
}

UNIT(indexes_count_from_the_bases_of_the_unit)
{
	check_indexed(5, 8, 4, false);
	check_indexed(5, 8, 8, false);
	check_indexed(5, 4, 4, true);
	check_indexed(5, 8, 8, true);
	check_indexed(4, 8, 4, false);
	check_indexed(4, 4, 4, true);
}

/* Code 10: abstract_origin and specification by FORM, 11: all names. */
static void
naming_abbrevs(struct image *m, unsigned form)
{
	abbrev_begin(m, 10, DWARF_TAG_SUBPROGRAM, false);
	pair(m, DWARF_AT_ABSTRACT_ORIGIN, form);
	usual_pair(m);
	abbrev_begin(m, 11, DWARF_TAG_SUBPROGRAM, false);
	pair(m, DWARF_AT_NAME, DWARF_FORM_STRING);
	pair(m, DWARF_AT_SPECIFICATION, form);
	abbrev_end(m);
	abbrev_begin(m, 12, DWARF_TAG_SUBPROGRAM, false);
	pair(m, DWARF_AT_NAME, DWARF_FORM_STRING);
	pair(m, DWARF_AT_MIPS_LINKAGE_NAME, DWARF_FORM_STRING);
	abbrev_end(m);
	abbrev_begin(m, 13, DWARF_TAG_SUBPROGRAM, false);
	pair(m, DWARF_AT_LINKAGE_NAME, DWARF_FORM_GNU_STRP_ALT);
	usual_pair(m);
	usual_abbrevs(m);
}

UNIT(linkage_names_are_found_in_other_units)
{
	struct image m = image(4);
	struct buf text = { 0 };
	struct asked a;
	size_t declared, abstract;

	naming_abbrevs(&m, DWARF_FORM_REF_ADDR);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_BARE);
	declared = m.info.n;
	image_uleb(&m.info, 12);
	image_cstr(&m.info, "declared");
	image_cstr(&m.info, "_Z8declaredv");
	abstract = m.info.n;
	image_uleb(&m.info, 11);
	image_cstr(&m.info, "abstract");
	image_put(&m.info, false, 4, declared);
	put_end(&m);
	image_end(&m);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_PAIR);
	put_pair(&m, 0x1000, 0x1100);
	image_uleb(&m.info, 10);
	image_put(&m.info, false, 4, abstract);
	put_pair(&m, 0x1000, 0x1100);
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	CHAIN(0x1000, "_Z8declaredv");
	CHECK_U64(inlines_bad(a.x), 0);
	ask_end(&a, &m);
	buf_release(&text);
}

/* A function at 0x1000 whose origin by FORM is FIRST, an entry that names "plain" and
 * is defined by SECOND; 0 is that entry itself. */
static void
check_reference(unsigned form, unsigned size, uint64_t first, uint64_t second,
	struct str expected)
{
	struct image m = image(4);
	struct buf text = { 0 };
	struct asked a;
	size_t at;

	naming_abbrevs(&m, form);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_PAIR);
	put_pair(&m, 0x1000, 0x1100);
	at = m.info.n;
	image_uleb(&m.info, 11);
	image_cstr(&m.info, "plain");
	image_put(&m.info, false, size, second ? second : at);
	image_uleb(&m.info, 10);
	image_put(&m.info, false, size, first ? first : at);
	put_pair(&m, 0x1000, 0x1100);
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	CHECK_U64(inlines_find(a.x, 0x1000, a.frames, CAP), 1);
	CHECK_STR(a.frames[0].name, expected);
	ask_end(&a, &m);
	buf_release(&text);
}

UNIT(references_in_circles_and_out_of_the_file_end)
{
	check_reference(DWARF_FORM_REF4, 4, 0, 0, STR("plain"));
	check_reference(DWARF_FORM_REF_ADDR, 4, 0, 0, STR("plain"));
	check_reference(DWARF_FORM_REF4, 4, 0, 0xffffff, STR("plain"));
	check_reference(DWARF_FORM_REF4, 4, 0xffffffff, 0, STR(""));
	check_reference(DWARF_FORM_REF8, 8, UINT64_MAX, 0, STR(""));
	check_reference(DWARF_FORM_REF8, 8, UINT64_MAX - 8, 0, STR(""));
	check_reference(DWARF_FORM_REF_ADDR, 4, 0xffffffff, 0, STR(""));
	check_reference(DWARF_FORM_REF_ADDR, 4, 3, 0, STR("")); /* in a header */
	check_reference(DWARF_FORM_REF_SIG8, 8, 77, 0, STR(""));
	check_reference(DWARF_FORM_GNU_REF_ALT, 4, 0, 0, STR(""));
	check_reference(DWARF_FORM_REF_SUP4, 4, 0, 0, STR(""));
	check_reference(DWARF_FORM_DATA4, 4, 0, 0, STR(""));
}

/* shapes::<an unnamed class>::NAME, and a global function of the same name, of a unit
 * in LANGUAGE. */
static void
check_scopes(unsigned language, const char *name, struct str expected)
{
	struct image m = image(4);
	struct buf text = { 0 };
	struct asked a;
	size_t member;

	abbrev_begin(&m, 10, DWARF_TAG_COMPILE_UNIT, true);
	pair(&m, DWARF_AT_LANGUAGE, DWARF_FORM_DATA1);
	usual_pair(&m);
	abbrev_begin(&m, 11, DWARF_TAG_NAMESPACE, true);
	pair(&m, DWARF_AT_NAME, DWARF_FORM_STRING);
	abbrev_end(&m);
	abbrev_begin(&m, 12, DWARF_TAG_NAMESPACE, true);
	abbrev_end(&m);
	abbrev_begin(&m, 13, DWARF_TAG_CLASS_TYPE, true);
	abbrev_end(&m);
	usual_abbrevs(&m);
	image_unit(&m, 0);
	image_uleb(&m.info, 10);
	image_uleb(&m.info, language);
	put_pair(&m, 0x1000, 0x3000);
	image_uleb(&m.info, 11);
	image_cstr(&m.info, "shapes");
	image_uleb(&m.info, 12);
	image_uleb(&m.info, 13);
	member = put_abstract(&m, name);
	put_end(&m);
	put_end(&m);
	put_end(&m);
	put_function(&m, name, 0x1000, 0x1100);
	put_inlined(&m, member, 0x1000, 0x1010);
	put_end(&m);
	put_end(&m);
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	CHECK_U64(inlines_find(a.x, 0x1000, a.frames, CAP), 2);
	CHECK_STR(a.frames[0].name, expected);
	CHECK_STR(a.frames[1].name, str_of(name));
	CHECK_U64(inlines_bad(a.x), 0);
	ask_end(&a, &m);
	buf_release(&text);
}

UNIT(plain_names_have_their_scopes_where_the_language_writes_them)
{
	check_scopes(DWARF_LANG_C_PLUS_PLUS_14, "area",
		STR("shapes::(anonymous namespace)::{unnamed}::area"));
	check_scopes(DWARF_LANG_C_PLUS_PLUS, "operator()",
		STR("shapes::(anonymous namespace)::{lambda}::operator()"));
	check_scopes(
		DWARF_LANG_RUST, "f", STR("shapes::(anonymous namespace)::{unnamed}::f"));
	check_scopes(12, "area", STR("area"));
}

UNIT(names_in_a_supplementary_file)
{
	struct image m = image(4), alt = image(4);
	struct buf text = { 0 };
	struct asked a;
	size_t at, there;

	naming_abbrevs(&alt, DWARF_FORM_REF_ADDR);
	image_unit(&alt, 0);
	image_uleb(&alt.info, UNIT_BARE);
	at = alt.info.n;
	image_uleb(&alt.info, 12);
	image_cstr(&alt.info, "f");
	image_cstr(&alt.info, "_Z1fv");
	put_end(&alt);
	image_end(&alt);
	image_cstr(&alt.str, "nothing");
	there = image_cstr(&alt.str, "_Z1gv");
	naming_abbrevs(&m, DWARF_FORM_GNU_REF_ALT);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_PAIR);
	put_pair(&m, 0x1000, 0x1200);
	image_uleb(&m.info, 10);
	image_put(&m.info, false, 4, at);
	put_pair(&m, 0x1000, 0x1100);
	image_uleb(&m.info, 13);
	image_put(&m.info, false, 4, there);
	put_pair(&m, 0x1100, 0x1200);
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, &alt);
	CHAIN(0x1000, "_Z1fv");
	CHAIN(0x1100, "_Z1gv");
	ask_end(&a, &m);
	image_release(&alt);
	buf_release(&text);
}

UNIT(the_supplementary_file_is_named_in_either_way)
{
	struct image m = image(5);
	struct str path, id;
	struct asked a;

	usual_abbrevs(&m);
	usual_unit(&m);
	ask_begin(&a, &m, NULL);
	CHECK(!inlines_alt_link(a.elf, &path, &id));
	inlines_free(a.x);
	elf_close(a.elf);
	buf_str(&m.sup, STR("\5\0\0../shared\0\3abc"));
	ask_begin(&a, &m, NULL);
	CHECK(inlines_alt_link(a.elf, &path, &id));
	CHECK_STR(path, STR("../shared"));
	CHECK_STR(id, STR("abc"));
	inlines_free(a.x);
	elf_close(a.elf);
	buf_str(&m.altlink, STR("x.debug\0\1\2\3\4"));
	ask_begin(&a, &m, NULL);
	CHECK(inlines_alt_link(a.elf, &path, &id));
	CHECK_STR(path, STR("x.debug"));
	CHECK_STR(id, STR("\1\2\3\4"));
	inlines_free(a.x);
	elf_close(a.elf);
	buf_clear(&m.altlink);
	buf_str(&m.altlink, STR("no end"));
	ask_begin(&a, &m, NULL);
	CHECK(!inlines_alt_link(a.elf, &path, &id));
	ask_end(&a, &m);
}

UNIT(units_of_unknown_versions_are_counted_and_passed_over)
{
	static const unsigned versions[] = { 0, 1, 6, 0xffff };
	struct buf text = { 0 };
	struct asked a;
	struct image m;

	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		m = image(5);
		usual_abbrevs(&m);
		m.version = versions[i];
		image_unit(&m, 0);
		image_put(&m.info, false, 8, 0);
		image_end(&m);
		m.version = 5;
		usual_unit(&m);
		image_put(&m.info, false, 4, 0xfffffff5); /* a reserved length */
		ask_begin(&a, &m, NULL);
		CHAIN(0x1018, "skip<parse<main");
		CHECK_U64(inlines_bad(a.x), 2);
		ask_end(&a, &m);
	}
	buf_release(&text);
}

/* A file cut anywhere is read up to the cut. */
UNIT(a_cut_file_does_no_harm)
{
	struct image m = image(5), cut;
	struct buf text = { 0 };
	struct asked a;
	size_t bad = 0;

	usual_abbrevs(&m);
	usual_unit(&m);
	for (size_t n = 0; n < m.info.n; n++) {
		cut = image(5);
		buf_str(&cut.abbrev, buf_view(&m.abbrev));
		buf_str(&cut.info, str_head(buf_view(&m.info), n));
		cut.unit = 0;
		if (n > 4)
			image_end(&cut);
		ask_begin(&a, &cut, NULL);
		chain(&a, &text, 0x1018);
		if (a.x) {
			CHECK(inlines_bad(a.x) <= 1);
			bad += inlines_bad(a.x);
		}
		ask_end(&a, &cut);
	}
	/* Where an entry ends, all that is left of it has been read. */
	CHECK(bad > m.info.n - 20);
	for (size_t n = 0; n < m.abbrev.n; n++) {
		cut = image(5);
		buf_str(&cut.abbrev, str_head(buf_view(&m.abbrev), n));
		buf_str(&cut.info, buf_view(&m.info));
		ask_begin(&a, &cut, NULL);
		chain(&a, &text, 0x1018);
		ask_end(&a, &cut);
	}
	image_release(&m);
	buf_release(&text);
}

UNIT(units_without_ranges_are_searched)
{
	struct image m = image(5);
	struct buf text = { 0 };
	struct asked a;

	usual_abbrevs(&m);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_BARE);
	put_function(&m, "bare", 0x1000, 0x8000); /* over the other one as well */
	put_end(&m);
	put_end(&m);
	image_end(&m);
	usual_unit(&m);
	ask_begin(&a, &m, NULL);
	CHAIN(0x1000, "main");
	CHAIN(0x2000, "bare");
	CHAIN(0x1000, "main");
	CHAIN(0x7fff, "bare");
	CHAIN(0x8000, "");
	ask_end(&a, &m);
	buf_release(&text);
}

UNIT(of_folded_functions_the_first_one_counts)
{
	struct image m = image(5);
	struct buf text = { 0 };
	struct asked a;

	usual_abbrevs(&m);
	for (int i = 0; i < 3; i++) {
		image_unit(&m, 0);
		image_uleb(&m.info, UNIT_PAIR);
		put_pair(&m, 0x1000, 0x1100);
		put_function(&m, i ? "later" : "first", 0x1000, 0x1100);
		put_end(&m);
		put_function(&m, "latest", 0x1000, 0x1100);
		put_end(&m);
		put_end(&m);
		image_end(&m);
	}
	ask_begin(&a, &m, NULL);
	CHAIN(0x1000, "first");
	CHAIN(0x10ff, "first");
	ask_end(&a, &m);
	buf_release(&text);
}

/* Many unsorted functions, over a wide range. */
UNIT(many_functions_are_sorted)
{
	enum { N = 5000 };
	struct image m = image(5);
	struct buf text = { 0 }, expected = { 0 };
	struct asked a;
	uint64_t start, step = UINT64_C(0x123456789ab);
	char name[16];

	usual_abbrevs(&m);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_BARE);
	for (uint64_t i = 0; i < N; i++) {
		start = 0x1000 + (i * 1103 % N) * step;
		snprintf(name, sizeof name, "f%u", (unsigned)(i * 1103 % N));
		put_function(&m, name, start, start + 0x10);
		put_end(&m);
	}
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	for (uint64_t i = 0; i < N; i++) {
		buf_clear(&expected);
		snprintf(name, sizeof name, "f%u", (unsigned)i);
		buf_str(&expected, str_of(name));
		CHECK_STR(chain(&a, &text, 0x1000 + i * step), buf_view(&expected));
		CHECK_STR(chain(&a, &text, 0x100f + i * step), buf_view(&expected));
		CHECK_STR(chain(&a, &text, 0x1010 + i * step), STR(""));
	}
	ask_end(&a, &m);
	buf_release(&text);
	buf_release(&expected);
}

UNIT(entries_nested_without_end_are_given_up)
{
	struct image m = image(5);
	struct buf text = { 0 };
	struct asked a;

	usual_abbrevs(&m);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_PAIR);
	put_pair(&m, 0x1000, 0x1100);
	put_function(&m, "f", 0x1000, 0x1100);
	for (int i = 0; i < 100000; i++)
		image_uleb(&m.info, UNIT_BARE);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	CHAIN(0x1000, "f");
	CHECK_U64(inlines_bad(a.x), 1);
	ask_end(&a, &m);
	buf_release(&text);
}

/* Thousands of functions that share a long list would take millions of steps. */
UNIT(shared_lists_of_ranges_have_an_end)
{
	enum { N = 20000 };
	struct image m = image(4);
	struct buf text = { 0 };
	struct asked a;

	usual_abbrevs(&m);
	for (uint64_t i = 0; i < N; i++)
		put_range(&m, 0x1000 + 16 * i, 0x1008 + 16 * i);
	put_range(&m, 0, 0);
	image_unit(&m, 0);
	image_uleb(&m.info, UNIT_LIST);
	put_offset(&m, 0);
	for (int i = 0; i < N; i++) {
		image_uleb(&m.info, FUNCTION_LIST);
		image_cstr(&m.info, "f");
		put_offset(&m, 0);
		put_end(&m);
	}
	put_end(&m);
	image_end(&m);
	ask_begin(&a, &m, NULL);
	CHAIN(0x1000, "f");
	CHECK_U64(inlines_bad(a.x), 1);
	ask_end(&a, &m);
	buf_release(&text);
}

/* The same for abbreviations: each unit's table begins within the last one's. */
UNIT(overlapping_tables_of_abbreviations_have_an_end)
{
	enum { N = 20000 };
	struct image m = image(4);
	struct buf text = { 0 };
	struct asked a;

	for (int i = 0; i < 4 * N; i++) {
		abbrev_begin(&m, 1, DWARF_TAG_NAMESPACE, false);
		abbrev_end(&m);
	}
	for (uint64_t i = 0; i < N; i++) {
		image_unit(&m, 5 * i);
		image_uleb(&m.info, 2);
		image_end(&m);
	}
	ask_begin(&a, &m, NULL);
	CHAIN(0x1000, "");
	CHECK_U64(inlines_bad(a.x), N);
	ask_end(&a, &m);
	buf_release(&text);
}

/* A sibling may lead anywhere but backwards. */
UNIT(siblings_lead_forward)
{
	static const uint64_t siblings[] = { 0, 1, 12, 0x7fffffff,
		0xffffffff }; /* 12: the unit */
	struct buf text = { 0 };
	struct asked a;
	struct image m;

	for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++) {
		m = image(5);
		abbrev_begin(&m, 10, DWARF_TAG_SUBROUTINE_TYPE, true);
		pair(&m, DWARF_AT_SIBLING, DWARF_FORM_REF4);
		abbrev_end(&m);
		usual_abbrevs(&m);
		image_unit(&m, 0);
		image_uleb(&m.info, UNIT_PAIR);
		put_pair(&m, 0x1000, 0x1100);
		image_uleb(&m.info, 10);
		image_put(&m.info, false, 4, siblings[i]);
		put_end(&m);
		put_function(&m, "f", 0x1000, 0x1100);
		put_end(&m);
		put_end(&m);
		image_end(&m);
		ask_begin(&a, &m, NULL);
		CHAIN(0x1000, "f");
		CHECK_U64(inlines_bad(a.x), 0);
		ask_end(&a, &m);
	}
	buf_release(&text);
}

UNIT_MAIN
