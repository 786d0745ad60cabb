/* SPDX-License-Identifier: ISC */
/* Hand-made indexes of addresses, valid and damaged: dwarf-index.h, spans.h. */
#include "symbols/dwarf-index.h"
#include "dwarf-image.h"
#include "symbols/dwarf-names.h"
#include "symbols/inlines.h"
#include "unit.h"

enum { UNITS = 4, CAP = 8 };

/* Abbreviations: a unit with a language and addresses, one without addresses, a
 * function. */
enum { UNIT_CODE = 1, BARE_CODE, FUNCTION_CODE };

/* Programs whose unit I has function fI at 0x1000 * (I + 1), of 0x100 bytes. */
struct program {
	struct image m;
	size_t units[UNITS];
	size_t n;
};

static void
put_pair(struct image *m, bool ends)
{
	static const unsigned pairs[] = { DWARF_AT_LOW_PC, DWARF_FORM_ADDR,
		DWARF_AT_HIGH_PC, DWARF_FORM_DATA4, 0, 0 };

	for (size_t i = ends ? 4 : 0; i < 6; i++)
		image_uleb(&m->abbrev, pairs[i]);
}

static void
begin(struct program *p)
{
	struct image *m = &p->m;
	unsigned code;

	*p = (struct program){ .m = { .version = 4, .word = 8, .offset = 4 } };
	for (code = UNIT_CODE; code <= BARE_CODE; code++) {
		image_uleb(&m->abbrev, code);
		image_uleb(&m->abbrev, DWARF_TAG_COMPILE_UNIT);
		buf_char(&m->abbrev, 1);
		image_uleb(&m->abbrev, DWARF_AT_LANGUAGE);
		image_uleb(&m->abbrev, DWARF_FORM_DATA2);
		put_pair(m, code == BARE_CODE);
	}
	image_uleb(&m->abbrev, FUNCTION_CODE);
	image_uleb(&m->abbrev, DWARF_TAG_SUBPROGRAM);
	buf_char(&m->abbrev, 0);
	image_uleb(&m->abbrev, DWARF_AT_NAME);
	image_uleb(&m->abbrev, DWARF_FORM_STRING);
	put_pair(m, false);
	image_uleb(&m->abbrev, 0);
}

static void
put_range(struct image *m, uint64_t start, uint64_t size)
{
	image_put(&m->info, m->big, m->word, start);
	image_put(&m->info, m->big, 4, size);
}

/* Adds a unit of CODE and LANGUAGE, with a function unless it is assembly. */
static void
add_unit(struct program *p, unsigned code, unsigned language)
{
	struct image *m = &p->m;
	uint64_t start = 0x1000 * (p->n + 1);
	char name[] = { 'f', (char)('0' + p->n), '\0' };

	p->units[p->n++] = m->info.n;
	image_unit(m, 0);
	image_uleb(&m->info, code);
	image_put(&m->info, m->big, 2, language);
	if (code == UNIT_CODE)
		put_range(m, start, 0x100);
	if (language != DWARF_LANG_ASSEMBLER) {
		image_uleb(&m->info, FUNCTION_CODE);
		image_cstr(&m->info, name);
		put_range(m, start, 0x100);
	}
	image_uleb(&m->info, 0);
	image_end(m);
}

static void
add_units(struct program *p)
{
	begin(p);
	for (size_t i = 0; i < UNITS; i++)
		add_unit(p, UNIT_CODE, 12);
}

/* A set of N ranges of UNIT, with addresses of SIZE bytes. */
static void
put_set(struct image *m, uint64_t unit, unsigned size, size_t n, const uint64_t *ranges)
{
	size_t head = m->offset == 8 ? 12 : 4, before = head + 4 + m->offset,
	       pad = (2u * size - before % (2u * size)) % (2u * size), i;
	struct buf *b = &m->aranges;

	if (m->offset == 8)
		image_put(b, m->big, 4, 0xffffffff);
	image_put(b, m->big, m->offset, before - head + pad + (n + 1) * 2 * size);
	image_put(b, m->big, 2, 2);
	image_put(b, m->big, m->offset, unit);
	buf_char(b, (char)size);
	buf_char(b, 0);
	for (i = 0; i < pad; i++)
		buf_char(b, 0);
	for (i = 0; i < 2 * n; i++)
		image_put(b, m->big, size, ranges[i]);
	image_put(b, m->big, size, 0);
	image_put(b, m->big, size, 0);
}

static void
put_one(struct program *p, size_t unit, uint64_t start, uint64_t size)
{
	const uint64_t range[] = { start, size };

	put_set(&p->m, unit, p->m.word, 1, range);
}

/* A .gdb_index with N addresses: start, end, number of the unit. */
static void
put_gdb_index(struct program *p, unsigned version, size_t n, const uint64_t *addresses)
{
	struct buf *b = &p->m.gdb_index;
	uint32_t head = version >= 9 ? 28 : 24, list = head + (uint32_t)p->n * 16,
		 end = list + (uint32_t)n * 20;
	size_t i;

	image_put(b, false, 4, version);
	image_put(b, false, 4, head);
	image_put(b, false, 4, list);
	image_put(b, false, 4, list);
	for (i = 0; i < (version >= 9 ? 3 : 2); i++)
		image_put(b, false, 4, end);
	for (i = 0; i < p->n; i++) {
		image_put(b, false, 8, p->units[i]);
		image_put(b, false, 8, 0x20);
	}
	for (i = 0; i < n; i++) {
		image_put(b, false, 8, addresses[3 * i]);
		image_put(b, false, 8, addresses[3 * i + 1]);
		image_put(b, false, 4, addresses[3 * i + 2]);
	}
}

static void
end(struct program *p)
{
	image_release(&p->m);
}

/* The spans of P's index as "start-end@unit ", into TEXT. */
static struct str
list(struct program *p, struct buf *text)
{
	struct elf *e = image_open(&p->m);
	struct dwarf *d = dwarf_new(e, NULL);
	struct spans s = { 0 };
	char line[80];
	size_t i, u;

	buf_clear(text);
	dwarf_index_read(d, &s);
	for (i = 0; i < s.n; i++) {
		for (u = 0; u < p->n && p->units[u] != s.at[i].unit; u++)
			;
		snprintf(line, sizeof line, "%" PRIx64 "-%" PRIx64 "@%zu ", s.at[i].start,
			s.at[i].end, u);
		buf_str(text, str_of(line));
	}
	spans_release(&s);
	dwarf_free(d);
	elf_close(e);
	return buf_view(text);
}

/* The names at the first byte of each unit's code and at 0x9000, and the number of bad
 * units. */
static struct str
ask(struct program *p, struct buf *text)
{
	struct elf *e = image_open(&p->m);
	struct inlines *x = inlines_new(e, NULL);
	struct inlines_frame frames[CAP];
	size_t i;

	buf_clear(text);
	for (i = 0; x && i <= p->n; i++) {
		size_t n = inlines_find(
			x, i < p->n ? 0x1000 * (i + 1) : 0x9000, frames, CAP);

		if (n)
			buf_str(text, frames[n - 1].name);
		else
			buf_char(text, '-');
		buf_char(text, ' ');
	}
	if (x && inlines_bad(x))
		buf_str(text, STR("bad"));
	inlines_free(x);
	elf_close(e);
	return buf_view(text);
}

UNIT(sets_of_all_sizes_are_read)
{
	static const struct {
		unsigned word, offset;
		bool big;
	} kinds[] = { { 8, 4, false }, { 8, 8, false }, { 4, 4, false }, { 4, 8, true },
		{ 8, 4, true } };
	const uint64_t ranges[] = { 0x3000, 0x100, 0x1000, 0x80 };
	struct buf text = { 0 };
	struct program p;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		begin(&p);
		p.m.word = kinds[i].word;
		p.m.offset = kinds[i].offset;
		p.m.big = kinds[i].big;
		add_unit(&p, UNIT_CODE, 12);
		add_unit(&p, UNIT_CODE, 12);
		put_set(&p.m, p.units[1], p.m.word, 2, ranges);
		put_one(&p, p.units[0], 0x2000, 0x10);
		CHECK_STR(list(&p, &text), STR("1000-1080@1 2000-2010@0 3000-3100@1 "));
		end(&p);
	}
	buf_release(&text);
}

UNIT(ranges_without_code_are_left_out)
{
	/* Dropped by the linker, empty in the middle, and beyond the last address. */
	const uint64_t ranges[] = { 0, 0x100, 0, 0, UINT64_MAX, 5, 0x1000, 0, 0x2000, 1,
		0x3000, UINT64_MAX };
	struct buf text = { 0 };
	struct program p;

	add_units(&p);
	put_set(&p.m, p.units[1], 8, 6, ranges);
	CHECK_STR(list(&p, &text), STR("2000-2001@1 "));
	end(&p);
	buf_release(&text);
}

UNIT(sets_that_cannot_be_read_are_left_out)
{
	struct buf text = { 0 };
	struct program p;
	size_t second;

	add_units(&p);
	put_one(&p, p.units[0], 0x1000, 0x100);
	second = p.m.aranges.n;
	for (int i = 0; i < 3; i++)
		put_one(&p, p.units[1], 0x2000, 0x100);
	p.m.aranges.s[4] = 3;		    /* an unknown version */
	p.m.aranges.s[second + 10] = 3;	    /* addresses of 3 bytes */
	p.m.aranges.s[2 * second + 11] = 1; /* segments */
	CHECK_STR(list(&p, &text), STR("2000-2100@1 "));
	CHECK_STR(ask(&p, &text), STR("f0 f1 f2 f3 - "));
	/* A length beyond the section. */
	p.m.aranges.s[3 * second] = (char)0xff;
	CHECK_STR(list(&p, &text), STR(""));
	CHECK_STR(ask(&p, &text), STR("f0 f1 f2 f3 - "));
	end(&p);
	buf_release(&text);
}

UNIT(units_that_a_set_leads_to_are_found)
{
	struct buf text = { 0 };
	struct program p;

	add_units(&p);
	for (size_t i = 0; i < UNITS; i++)
		put_one(&p, p.units[i], 0x1000 * (i + 1), 0x100);
	CHECK_STR(ask(&p, &text), STR("f0 f1 f2 f3 - "));
	end(&p);
	/* Units without addresses of their own, which the set has. */
	begin(&p);
	add_unit(&p, BARE_CODE, 12);
	add_unit(&p, BARE_CODE, 12);
	put_one(&p, p.units[1], 0x2000, 0x100);
	CHECK_STR(ask(&p, &text), STR("f0 f1 - "));
	end(&p);
	buf_release(&text);
}

UNIT(units_without_a_set_are_found)
{
	struct buf text = { 0 };
	struct program p;

	begin(&p);
	add_unit(&p, UNIT_CODE, 12);
	add_unit(&p, BARE_CODE, 12);
	add_unit(&p, UNIT_CODE, 12);
	put_one(&p, p.units[0], 0x1000, 0x100);
	CHECK_STR(ask(&p, &text), STR("f0 f1 f2 - "));
	end(&p);
	buf_release(&text);
}

UNIT(an_index_that_is_wrong_changes_nothing)
{
	struct buf text = { 0 };
	struct program p;

	add_units(&p);
	put_one(&p, p.units[1], 0x1000, 0x100);	      /* another unit's */
	put_one(&p, p.units[2], 0x2000, 0x1100);      /* more than its own */
	put_one(&p, p.units[3] + 5, 0x3000, 0x100);   /* within a unit */
	put_one(&p, p.m.info.n + 100, 0x4000, 0x100); /* beyond the section */
	put_one(&p, UINT32_MAX, 0x9000, 0x100);
	CHECK_STR(ask(&p, &text), STR("f0 f1 f2 f3 - "));
	end(&p);
	buf_release(&text);
}

UNIT(assembly_has_its_code_alone)
{
	static const char damage[] = "\xff\xff\xff\x7f\x04";
	struct buf text = { 0 };
	struct program p;

	/* Data behind it must not be read, or its damage would be counted. */
	begin(&p);
	add_unit(&p, UNIT_CODE, DWARF_LANG_ASSEMBLER);
	put_one(&p, p.units[0], 0x1000, 0x100);
	p.n--;
	buf_str(&p.m.info, (struct str){ damage, sizeof damage });
	CHECK_STR(ask(&p, &text), STR("- bad"));
	put_one(&p, p.units[0], 0x9000, 0x100); /* outside of the unit */
	CHECK_STR(ask(&p, &text), STR("- bad"));
	p.n++;
	p.m.aranges.n /= 2;
	p.m.info.s[p.units[0] + 14] = 0x10; /* its code is at 0x9000 - 0x10 */
	p.m.info.s[p.units[0] + 15] = (char)0x8f;
	put_one(&p, p.units[0], 0x8f10, 0x100);
	p.n--;
	CHECK_STR(ask(&p, &text), STR("- "));
	end(&p);
	buf_release(&text);
}

UNIT(the_index_of_gdb_is_read)
{
	const uint64_t addresses[] = { 0x3000, 0x3100, 2, 0x1000, 0x1100, 0, 0, 0x100,
		3 };
	struct buf text = { 0 };
	struct program p;

	for (unsigned version = 6; version <= 10; version++) {
		add_units(&p);
		put_gdb_index(&p, version, 3, addresses);
		CHECK_STR(list(&p, &text),
			version >= 7 && version <= 9 ? STR("1000-1100@0 3000-3100@2 ")
						     : STR(""));
		CHECK_STR(ask(&p, &text), STR("f0 f1 f2 f3 - "));
		end(&p);
	}
	/* It takes precedence over sets, which are then not read. */
	add_units(&p);
	put_gdb_index(&p, 8, 3, addresses);
	put_one(&p, p.units[1], 0x2000, 0x100);
	CHECK_STR(list(&p, &text), STR("1000-1100@0 3000-3100@2 "));
	/* Addresses that end beyond it, and an index cut anywhere. */
	p.m.gdb_index.s[16 + 3] = 0x7f;
	CHECK_STR(list(&p, &text), STR("2000-2100@1 "));
	for (size_t n = 0; n < p.m.gdb_index.n; n++) {
		p.m.gdb_index.n = n;
		CHECK_STR(ask(&p, &text), STR("f0 f1 f2 f3 - "));
	}
	end(&p);
	buf_release(&text);
}

UNIT(each_byte_of_an_index_may_be_wrong)
{
	const uint64_t addresses[] = { 0x1000, 0x1100, 0, 0x2000, 0x2100, 1, 0x3000,
		0x3100, 2, 0x4000, 0x4100, 3 };
	struct buf text = { 0 };
	struct program p;
	size_t i, bit;

	add_units(&p);
	put_gdb_index(&p, 8, 4, addresses);
	for (i = 0; i < 8 * p.m.gdb_index.n; i++) {
		bit = (size_t)1 << i % 8;
		p.m.gdb_index.s[i / 8] ^= (char)bit;
		CHECK_STR(ask(&p, &text), STR("f0 f1 f2 f3 - "));
		p.m.gdb_index.s[i / 8] ^= (char)bit;
	}
	buf_clear(&p.m.gdb_index);
	for (i = 0; i < UNITS; i++)
		put_one(&p, p.units[i], 0x1000 * (i + 1), 0x100);
	for (i = 0; i < 8 * p.m.aranges.n; i++) {
		bit = (size_t)1 << i % 8;
		p.m.aranges.s[i / 8] ^= (char)bit;
		CHECK_STR(ask(&p, &text), STR("f0 f1 f2 f3 - "));
		p.m.aranges.s[i / 8] ^= (char)bit;
	}
	end(&p);
	buf_release(&text);
}

UNIT(spans_that_overlap_are_found_from_the_last_start_on)
{
	struct spans s = { 0 };
	const struct span *span;

	spans_add(&s, 0x10, 0x100, 1);
	spans_add(&s, 0x30, 0x40, 3);
	spans_add(&s, 0x20, 0x50, 2);
	spans_add(&s, 0x20, 0x28, 4);
	spans_sort(&s);
	span = spans_find(&s, 0x35, NULL);
	CHECK(span && span->unit == 3);
	span = spans_find(&s, 0x35, span);
	CHECK(span && span->unit == 2);
	span = spans_find(&s, 0x35, span);
	CHECK(span && span->unit == 1);
	CHECK(span && !spans_find(&s, 0x35, span));
	span = spans_find(&s, 0x20, NULL);
	CHECK(span && span->unit == 2);
	span = spans_find(&s, 0x20, span);
	CHECK(span && span->unit == 4);
	CHECK(!spans_find(&s, 0xf, NULL));
	CHECK(!spans_find(&s, 0x100, NULL));
	spans_release(&s);
	CHECK(!spans_find(&s, 0x20, NULL));
}

UNIT_MAIN
