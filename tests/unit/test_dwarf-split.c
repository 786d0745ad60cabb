/* SPDX-License-Identifier: ISC */
/* Hand-made split DWARF: dwarf-split.h. */
#include "dwarf-image.h"
#include "symbols/dwarf-names.h"
#include "symbols/dwarf-split.h"
#include "folder.h"
#include "symbols/inlines.h"
#include "unit.h"

#include <unistd.h>

enum { CAP = 8 };

/* A variant of a test. */
struct way {
	unsigned version, word, offset;
	bool big;
	bool packed;
};

static const struct way ways[] = { { 5, 8, 4, false, false }, { 5, 8, 8, false, true },
	{ 5, 4, 4, true, true }, { 4, 8, 4, false, false }, { 4, 8, 4, false, true },
	{ 4, 4, 8, true, true } };

static void
pair(struct image *m, unsigned name, unsigned form)
{
	image_uleb(&m->abbrev, name);
	image_uleb(&m->abbrev, form);
}

static void
begin(struct image *m, unsigned code, unsigned tag, bool children)
{
	image_uleb(&m->abbrev, code);
	image_uleb(&m->abbrev, tag);
	buf_char(&m->abbrev, children);
}

static struct image
image(const struct way *w, bool split)
{
	struct image m = { .version = w->version,
		.word = w->word,
		.offset = w->offset,
		.big = w->big,
		.split = split };

	m.unit_type = split ? DWARF_UT_SPLIT_COMPILE : DWARF_UT_SKELETON;
	return m;
}

static void
put_id(struct image *m, uint64_t id)
{
	image_put(&m->info, m->big, 8, id);
}

/* A skeleton of the unit ID at [LOW, LOW + 0x100), whose addresses begin at entry
 * FIRST of the table and whose ranges at RANGES. */
static void
put_skeleton(struct image *m, uint64_t id, uint64_t low, size_t first, size_t ranges)
{
	bool gnu = m->version < 5;
	size_t abbrevs = m->abbrev.n;

	begin(m, 1, gnu ? DWARF_TAG_COMPILE_UNIT : DWARF_TAG_SKELETON_UNIT, false);
	pair(m, gnu ? DWARF_AT_GNU_DWO_NAME : DWARF_AT_DWO_NAME, DWARF_FORM_STRING);
	pair(m, DWARF_AT_COMP_DIR, DWARF_FORM_STRING);
	pair(m, DWARF_AT_LOW_PC, DWARF_FORM_ADDR);
	pair(m, DWARF_AT_HIGH_PC, DWARF_FORM_DATA4);
	pair(m, gnu ? DWARF_AT_GNU_ADDR_BASE : DWARF_AT_ADDR_BASE, DWARF_FORM_SEC_OFFSET);
	if (gnu) {
		pair(m, DWARF_AT_GNU_DWO_ID, DWARF_FORM_DATA8);
		pair(m, DWARF_AT_GNU_RANGES_BASE, DWARF_FORM_SEC_OFFSET);
	}
	pair(m, 0, 0);
	image_uleb(&m->abbrev, 0);
	image_unit(m, abbrevs);
	if (!gnu)
		put_id(m, id);
	image_uleb(&m->info, 1);
	image_cstr(&m->info, "unit.dwo");
	image_cstr(&m->info, "/no/such/folder");
	image_put(&m->info, m->big, m->word, low);
	image_put(&m->info, m->big, 4, 0x100);
	image_put(&m->info, m->big, m->offset, first * m->word);
	if (gnu) {
		put_id(m, id);
		image_put(&m->info, m->big, m->offset, ranges);
	}
	image_end(m);
}

/* The abbreviations of a split unit: unit, function, inlined function. */
static void
put_abbrevs(struct image *m)
{
	bool gnu = m->version < 5;
	unsigned string = gnu ? DWARF_FORM_GNU_STR_INDEX : DWARF_FORM_STRX1;
	unsigned address = gnu ? DWARF_FORM_GNU_ADDR_INDEX : DWARF_FORM_ADDRX;

	begin(m, 3, DWARF_TAG_SUBPROGRAM, false);
	pair(m, DWARF_AT_NAME, string);
	pair(m, 0, 0);
	begin(m, 1, DWARF_TAG_SUBPROGRAM, true);
	pair(m, DWARF_AT_NAME, string);
	pair(m, DWARF_AT_LOW_PC, address);
	pair(m, DWARF_AT_HIGH_PC, DWARF_FORM_DATA1);
	pair(m, 0, 0);
	begin(m, 2, DWARF_TAG_INLINED_SUBROUTINE, false);
	pair(m, DWARF_AT_ABSTRACT_ORIGIN, DWARF_FORM_REF4);
	pair(m, DWARF_AT_RANGES, gnu ? DWARF_FORM_SEC_OFFSET : DWARF_FORM_RNGLISTX);
	pair(m, 0, 0);
	/* Not the first: GCC sorts them. */
	begin(m, 4, DWARF_TAG_COMPILE_UNIT, true);
	if (gnu)
		pair(m, DWARF_AT_GNU_DWO_ID, DWARF_FORM_DATA8);
	pair(m, DWARF_AT_NAME, string);
	pair(m, 0, 0);
	image_uleb(&m->abbrev, 0);
}

/* A unit ID: the function OUTER at address 0 of the table, 0xf0 bytes long, with INNER
 * inlined into it. */
static void
put_unit(struct image *m, uint64_t id)
{
	bool gnu = m->version < 5;
	size_t start = m->info.n, inner;

	image_unit(m, 0);
	if (!gnu)
		put_id(m, id);
	image_uleb(&m->info, 4);
	if (gnu)
		put_id(m, id);
	buf_char(&m->info, 0);
	inner = m->info.n - start;
	image_uleb(&m->info, 3);
	buf_char(&m->info, 2);
	image_uleb(&m->info, 1);
	buf_char(&m->info, 1);
	image_uleb(&m->info, 0);
	buf_char(&m->info, (char)0xf0);
	image_uleb(&m->info, 2);
	image_put(&m->info, m->big, 4, inner);
	if (gnu)
		image_put(&m->info, m->big, m->offset, 0);
	else
		image_uleb(&m->info, 0);
	image_uleb(&m->info, 0);
	image_uleb(&m->info, 0);
	image_end(m);
}

static void
put_strings(struct image *m, const char *outer, const char *inner)
{
	const char *const all[] = { "unit.c", outer, inner };
	size_t i;

	if (m->version >= 5) {
		if (m->offset == 8)
			image_put(&m->str_offsets, m->big, 4, 0xffffffff);
		image_put(&m->str_offsets, m->big, m->offset, 4 + 3 * m->offset);
		image_put(&m->str_offsets, m->big, 2, 5);
		image_put(&m->str_offsets, m->big, 2, 0);
	}
	for (i = 0; i < 3; i++)
		image_put(
			&m->str_offsets, m->big, m->offset, image_cstr(&m->str, all[i]));
}

/* A list of one range, FROM to END from the start of the unit. */
static void
put_list(struct image *m, unsigned from, unsigned end)
{
	struct buf *b = &m->rnglists;

	if (m->offset == 8)
		image_put(b, m->big, 4, 0xffffffff);
	image_put(b, m->big, m->offset, 8 + m->offset + 4);
	image_put(b, m->big, 2, 5);
	buf_char(b, (char)m->word);
	buf_char(b, 0);
	image_put(b, m->big, 4, 1);
	image_put(b, m->big, m->offset, m->offset);
	buf_char(b, DWARF_RLE_OFFSET_PAIR);
	image_uleb(b, from);
	image_uleb(b, end);
	buf_char(b, DWARF_RLE_END_OF_LIST);
}

/* The same in .debug_ranges. */
static void
put_old_list(struct image *m, unsigned from, unsigned end)
{
	const unsigned numbers[] = { from, end, 0, 0 };

	for (size_t i = 0; i < 4; i++)
		image_put(&m->ranges, m->big, m->word, numbers[i]);
}

/* The offsets of two units' parts in a package. */
struct parts {
	size_t info[2], abbrev[2], offsets[2], rnglists[2];
};

/* The index of a package with the units IDS, whose hash slots collide. */
static void
put_index(struct image *m, const uint64_t ids[2], const struct parts *p)
{
	static const unsigned columns[] = { 1, 3, 6, 8 };
	struct buf *b = &m->cu_index;
	size_t i, k;

	if (m->version >= 5) {
		image_put(b, m->big, 2, 5);
		image_put(b, m->big, 2, 0);
	} else {
		image_put(b, m->big, 4, 2);
	}
	image_put(b, m->big, 4, 4);
	image_put(b, m->big, 4, 2);
	image_put(b, m->big, 4, 4);
	/* Ids 1 and 5 of a table of 4: the second one goes on to slot 2. */
	for (i = 0; i < 4; i++)
		image_put(b, m->big, 8, i == 1 ? ids[0] : i == 2 ? ids[1] : 0);
	for (i = 0; i < 4; i++)
		image_put(b, m->big, 4, i == 1 ? 1 : i == 2 ? 2 : 0);
	for (i = 0; i < 4; i++)
		image_put(b, m->big, 4, columns[i]);
	for (i = 0; i < 2; i++) {
		image_put(b, m->big, 4, p->info[i]);
		image_put(b, m->big, 4, p->abbrev[i]);
		image_put(b, m->big, 4, p->offsets[i]);
		image_put(b, m->big, 4, p->rnglists[i]);
	}
	for (k = 0; k < 8; k++)
		image_put(b, m->big, 4, 64);
}

/* Unit ID for file M. */
static void
put_whole_unit(struct image *m, uint64_t id, const char *outer, const char *inner)
{
	put_abbrevs(m);
	put_unit(m, id);
	put_strings(m, outer, inner);
	if (m->version >= 5)
		put_list(m, 0x10, 0x20);
}

static struct image
make_program(const struct way *w)
{
	struct image m = image(w, false);
	size_t ranges;

	image_put(&m.addr, m.big, m.word, 0x1000);
	image_put(&m.addr, m.big, m.word, 0x2000);
	put_old_list(&m, 0x10, 0x20);
	ranges = m.ranges.n;
	put_old_list(&m, 0x10, 0x20);
	put_skeleton(&m, 1, 0x1000, 0, 0);
	put_skeleton(&m, 5, 0x2000, 1, ranges);
	return m;
}

/* A package of both units, or a file for each. */
static size_t
make_files(const struct way *w, struct image files[2])
{
	static const char *const names[][2] = { { "f", "g" }, { "h", "i" } };
	static const uint64_t ids[] = { 1, 5 };
	struct parts p;
	size_t i, n = w->packed ? 1 : 2;
	struct image *m;

	for (i = 0; i < n; i++)
		files[i] = image(w, true);
	for (i = 0; i < 2; i++) {
		m = &files[w->packed ? 0 : i];
		p.info[i] = m->info.n;
		p.abbrev[i] = m->abbrev.n;
		p.offsets[i] = m->str_offsets.n;
		p.rnglists[i] = m->rnglists.n;
		put_whole_unit(m, ids[i], names[i][0], names[i][1]);
	}
	if (w->packed)
		put_index(&files[0], ids, &p);
	return n;
}

/* The chain at ADDRESS, "inner<outer", borrowed from B. */
static struct str
chain(struct inlines *x, struct buf *b, uint64_t address)
{
	struct inlines_frame frames[CAP];
	size_t n = inlines_find(x, address, frames, CAP), i;

	buf_clear(b);
	for (i = 0; i < n; i++) {
		if (i)
			buf_char(b, '<');
		buf_str(b, frames[i].name);
	}
	return buf_view(b);
}

static void
check_found(const struct way *w)
{
	struct image program = make_program(w), files[2];
	size_t n = make_files(w, files), i;
	struct elf *e = image_open(&program);
	struct inlines *x = inlines_new(e, NULL);
	struct buf b = { 0 };
	struct str first;

	for (i = 0; i < n; i++)
		inlines_add_split(x, image_open(&files[i]));
	CHECK_STR(chain(x, &b, 0x1000), STR("f"));
	CHECK_STR(chain(x, &b, 0x1010), STR("g<f"));
	CHECK_STR(chain(x, &b, 0x1020), STR("f"));
	CHECK_STR(chain(x, &b, 0x10f0), STR(""));
	CHECK_STR(chain(x, &b, 0x200f), STR("h"));
	CHECK_STR(chain(x, &b, 0x201f), STR("i<h"));
	CHECK_U64(inlines_missing(x, &first), 0);
	CHECK_U64(inlines_bad(x), 0);
	inlines_free(x);
	elf_close(e);
	image_release(&program);
	for (i = 0; i < n; i++)
		image_release(&files[i]);
	buf_release(&b);
}

UNIT(units_are_found_by_their_ids)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		check_found(&ways[i]);
}

UNIT(units_that_are_not_found_are_counted)
{
	struct image program = make_program(&ways[0]);
	struct elf *e = image_open(&program);
	struct inlines *x = inlines_new(e, NULL);
	struct buf b = { 0 };
	struct str first;

	CHECK_U64(inlines_missing(x, &first), 0);
	CHECK_STR(chain(x, &b, 0x1000), STR(""));
	CHECK_STR(chain(x, &b, 0x1001), STR(""));
	CHECK_U64(inlines_missing(x, &first), 1);
	CHECK_STR(first, STR("unit.dwo"));
	inlines_free(x);
	elf_close(e);
	image_release(&program);
	buf_release(&b);
}

/* Checks that a package with VALUE at offset AT of its index is rejected. */
static void
check_damaged(const struct way *w, size_t at, uint64_t value)
{
	struct image program = make_program(w), files[2], *file = files;
	struct buf b = { 0 }, field = { 0 };
	struct elf *e = image_open(&program);
	struct inlines *x = inlines_new(e, NULL);
	struct str first;

	make_files(w, files);
	image_put(&field, file->big, 4, value);
	memcpy(file->cu_index.s + at, field.s, 4);
	inlines_add_split(x, image_open(file));
	CHECK_STR(chain(x, &b, 0x2010), STR(""));
	CHECK_U64(inlines_missing(x, &first), 1);
	inlines_free(x);
	elf_close(e);
	image_release(&program);
	image_release(file);
	buf_release(&field);
	buf_release(&b);
}

UNIT(damaged_indexes_are_refused)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (!ways[i].packed)
			continue;
		check_damaged(&ways[i], 4, 17); /* columns */
		check_damaged(&ways[i], 4, UINT32_MAX);
		check_damaged(&ways[i], 8, UINT32_MAX); /* units */
		check_damaged(&ways[i], 12, 3);		/* slots */
		check_damaged(&ways[i], 12, 0);
		check_damaged(&ways[i], 12, 1u << 31);
		check_damaged(&ways[i], 16 + 32 + 8, 3);	    /* the row of 5 */
		check_damaged(&ways[i], 16 + 32 + 16 + 16 + 16, 7); /* its unit */
	}
}

/* A unit that two skeletons claim belongs to the first. */
UNIT(a_unit_has_one_skeleton)
{
	struct way w = ways[0];
	struct image program = image(&w, false), file = image(&w, true);
	struct elf *e;
	struct inlines *x;
	struct buf b = { 0 };
	struct str first;

	image_put(&program.addr, false, 8, 0x1000);
	put_skeleton(&program, 1, 0x1000, 0, 0);
	put_skeleton(&program, 1, 0x2000, 0, 0);
	put_whole_unit(&file, 1, "f", "g");
	e = image_open(&program);
	x = inlines_new(e, NULL);
	inlines_add_split(x, image_open(&file));
	CHECK_STR(chain(x, &b, 0x1010), STR("g<f"));
	CHECK_STR(chain(x, &b, 0x2010), STR(""));
	CHECK_U64(inlines_missing(x, &first), 1);
	inlines_free(x);
	elf_close(e);
	image_release(&program);
	image_release(&file);
	buf_release(&b);
}

/* The chain at 0x1010 when FILE is at PATH below a folder with the program PROGRAM. */
static void
check_place(
	const struct way *w, const char *path, const char *program, const char *expect)
{
	struct image main = make_program(w), files[2];
	size_t n = make_files(w, files);
	char root[] = "/tmp/test_split.XXXXXX", full[128];
	struct elf *e = image_open(&main);
	struct inlines *x = inlines_new(e, NULL);
	struct buf b = { 0 };

	CHECK(mkdtemp(root) != NULL);
	folder_put(root, path, image_file(&files[0]));
	snprintf(full, sizeof full, "%s/%s", root, program);
	inlines_beside(x, full);
	CHECK_STR(chain(x, &b, 0x1010), str_of(expect));
	inlines_free(x);
	elf_close(e);
	image_release(&main);
	for (size_t i = 0; i < n; i++)
		image_release(&files[i]);
	buf_release(&b);
	folder_remove(root);
}

UNIT(files_are_found_beside_the_program)
{
	check_place(&ways[0], "unit.dwo", "prog", "g<f");
	check_place(&ways[0], "another.dwo", "prog", "");
	check_place(&ways[1], "prog.dwp", "prog", "g<f");
	check_place(&ways[1], "prog.debug.dwp", "prog.debug", "g<f");
	check_place(&ways[1], "prog.dwp", "prog.debug", "g<f");
	check_place(&ways[1], "other.dwp", "prog", "");
	check_place(&ways[4], "prog.dwp", "prog", "g<f");
}

UNIT_MAIN
