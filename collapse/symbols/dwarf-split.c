/* SPDX-License-Identifier: ISC */
/*
 * Units of .dwo and .dwp files; see dwarf-split.h. A package has an index of its units
 * (.debug_cu_index; DWARF 5, section 7.3.5), a hash table of ids, and the part of each
 * section that a unit has:
 *
 *	version, columns, units, slots
 *	slots of 8 bytes: ids
 *	slots of 4 bytes: rows, counted from 1
 *	columns of 4 bytes: sections
 *	units times columns of 4 bytes: offsets, then as many sizes
 *
 * Types that several units share (.debug_types.dwo, .debug_tu_index) are not needed for
 * functions.
 */
#include "dwarf-split.h"
#include "arena.h"
#include "dwarf-names.h"
#include "mem.h"
#include "search.h"

/* Sections of the index. */
enum {
	COLUMN_INFO = 1,
	COLUMN_ABBREV = 3,
	COLUMN_STR_OFFSETS = 6,
	COLUMN_RNGLISTS = 8,
	COLUMNS_MOST = 16
};

/* A .dwo or .dwp file. */
struct file {
	struct elf *elf;
	struct dwarf *dwarf;
};

struct dwarf_split {
	struct file *files;
	size_t n, cap;
	struct str *programs; /* paths */
	size_t program_n, program_cap;
	size_t shared; /* the first files, which may contain any unit */
	bool opened;   /* packages were searched for */
	struct arena names;
	size_t missing;
	struct str first;
};

struct dwarf_split *
dwarf_split_new(void)
{
	return mem_zero(1, sizeof(struct dwarf_split));
}

void
dwarf_split_free(struct dwarf_split *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++) {
		dwarf_free(s->files[i].dwarf);
		elf_close(s->files[i].elf);
	}
	arena_release(&s->names);
	free(s->programs);
	free(s->files);
	free(s);
}

void
dwarf_split_beside(struct dwarf_split *s, const char *path)
{
	*MEM_ADD(s->programs, s->program_n, s->program_cap) =
		arena_str(&s->names, str_of(path));
}

bool
dwarf_split_add(struct dwarf_split *s, struct elf *e)
{
	struct dwarf *d = dwarf_new_split(e);

	if (!d) {
		elf_close(e);
		return false;
	}
	*MEM_ADD(s->files, s->n, s->cap) = (struct file){ e, d };
	return true;
}

size_t
dwarf_split_missing(const struct dwarf_split *s, struct str *first)
{
	*first = s->first;
	return s->missing;
}

/* Attributes of a unit's first entry: of a skeleton about its split unit, or of that
 * itself. */
struct root {
	struct dwarf_value name, folder, id, ranges_base;
};

/* The field for attribute NAME, or NULL. */
static struct dwarf_value *
place_of(struct root *r, uint64_t name)
{
	switch (name) {
	case DWARF_AT_DWO_NAME:
	case DWARF_AT_GNU_DWO_NAME: return &r->name;
	case DWARF_AT_COMP_DIR: return &r->folder;
	case DWARF_AT_GNU_DWO_ID: return &r->id;
	case DWARF_AT_GNU_RANGES_BASE: return &r->ranges_base;
	default: return NULL;
	}
}

/* Reads the first entry of U. */
static bool
read_root(struct root *r, struct dwarf_unit *u)
{
	struct str info = str_head(dwarf_bytes(u->of, DWARF_INFO), u->end);
	struct bytes b = bytes_of(str_from(info, u->die), u->of->elf->swap);
	struct bytes abbrev = dwarf_abbrev_at(u, bytes_uleb(&b));
	struct dwarf_value value, *place;
	uint64_t name, form;

	*r = (struct root){ .name = { 0 } };
	bytes_uleb(&abbrev);
	bytes_u8(&abbrev);
	while (!abbrev.bad && !b.bad) {
		name = bytes_uleb(&abbrev);
		form = bytes_uleb(&abbrev);
		if ((!name && !form) || form > UINT16_MAX)
			break;
		if (form == DWARF_FORM_IMPLICIT_CONST)
			bytes_sleb(&abbrev);
		dwarf_value(u, &b, (uint16_t)form, &value);
		place = place_of(r, name);
		if (place && !b.bad)
			*place = value;
	}
	return !abbrev.bad && !b.bad;
}

/* The id of U, whose first entry has R. */
static uint64_t
id_of(const struct dwarf_unit *u, const struct root *r)
{
	uint64_t id;

	if (u->version >= 5)
		return u->id;
	return dwarf_constant(&r->id, &id) ? id : 0;
}

/* Packages. */
struct index {
	uint32_t columns, units, slots;
	struct bytes ids, rows, sections, offsets;
};

static bool
read_index(struct index *x, struct elf *e)
{
	struct bytes b = elf_bytes(e, elf_section(e, ".debug_cu_index"));
	struct bytes version = b;
	uint64_t cells;

	/* 2 in 4 bytes, or 5 in 2 bytes and 2 of padding. */
	if (bytes_u32(&b) != 2 && bytes_u16(&version) != 5)
		return false;
	x->columns = bytes_u32(&b);
	x->units = bytes_u32(&b);
	x->slots = bytes_u32(&b);
	if (b.bad || !x->slots || x->slots & (x->slots - 1) || x->columns > COLUMNS_MOST)
		return false;
	x->ids = b;
	bytes_skip(&b, (uint64_t)x->slots * 8);
	x->rows = b;
	bytes_skip(&b, (uint64_t)x->slots * 4);
	x->sections = b;
	bytes_skip(&b, (uint64_t)x->columns * 4);
	x->offsets = b;
	cells = (uint64_t)x->units * x->columns;
	bytes_skip(&b, cells * 4);
	return !b.bad;
}

/* Element I of the table B, of SIZE bytes each. */
static uint64_t
cell(struct bytes b, uint64_t i, unsigned size)
{
	bytes_skip(&b, i * size);
	return bytes_uint(&b, size);
}

/* The row of ID, counted from 1, or 0. */
static uint32_t
find_row(const struct index *x, uint64_t id)
{
	uint32_t mask = x->slots - 1, i = (uint32_t)id & mask, n, row;
	uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;

	for (n = 0; n < x->slots; n++, i = (i + step) & mask) {
		row = (uint32_t)cell(x->rows, i, 4);
		if (!row)
			return 0;
		if (cell(x->ids, i, 8) == id)
			return row <= x->units ? row : 0;
	}
	return 0;
}

/* The offsets of the parts of the unit in ROW, by column of the index. */
static void
read_row(const struct index *x, uint32_t row, uint64_t parts[COLUMN_RNGLISTS + 1])
{
	uint64_t section;
	uint32_t i;

	memset(parts, 0, (COLUMN_RNGLISTS + 1) * sizeof *parts);
	for (i = 0; i < x->columns; i++) {
		section = cell(x->sections, i, 4);
		if (section <= COLUMN_RNGLISTS)
			parts[section] =
				cell(x->offsets, (uint64_t)(row - 1) * x->columns + i, 4);
	}
}

/* The unit with ID of the package F, or NULL. */
static struct dwarf_unit *
find_packed(struct file *f, const struct index *x, uint64_t id)
{
	uint64_t parts[COLUMN_RNGLISTS + 1];
	uint32_t row = find_row(x, id);
	struct dwarf_unit *u;

	if (!row)
		return NULL;
	read_row(x, row, parts);
	u = dwarf_unit_at(f->dwarf, parts[COLUMN_INFO]);
	if (!u || u->skeleton)
		return NULL;
	u->abbrevs += parts[COLUMN_ABBREV];
	u->str_base = parts[COLUMN_STR_OFFSETS];
	u->rnglists_base = parts[COLUMN_RNGLISTS];
	return u;
}

/* The unit with ID of the .dwo file F, or NULL. */
static struct dwarf_unit *
find_single(struct file *f, uint64_t id)
{
	struct dwarf_unit *u;
	struct root root;
	size_t i;

	dwarf_walk(f->dwarf);
	for (i = 0; i < f->dwarf->walked_n; i++) {
		u = f->dwarf->walked[i].unit;
		if (u->skeleton || u->type == DWARF_UT_SPLIT_TYPE)
			continue;
		if (u->version >= 5 ? u->id == id
				    : read_root(&root, u) && id_of(u, &root) == id)
			return u;
	}
	return NULL;
}

static struct dwarf_unit *
find_in_file(struct file *f, uint64_t id)
{
	struct index x;

	if (!elf_section(f->elf, ".debug_cu_index"))
		return find_single(f, id);
	return read_index(&x, f->elf) ? find_packed(f, &x, id) : NULL;
}

/* The unit with ID among the files with an index in [I, END). */
static struct dwarf_unit *
find_in_files(struct dwarf_split *s, size_t i, size_t end, uint64_t id)
{
	struct dwarf_unit *u = NULL;

	for (; i < end && !u; i++)
		u = find_in_file(&s->files[i], id);
	return u;
}

/* Adds the file PATH, and empties the buffer. */
static bool
try_path(struct dwarf_split *s, struct buf *path)
{
	const char *why;
	struct elf *e = NULL;

	if (str_find(buf_view(path), '\0') == path->n)
		e = elf_open(buf_cstr(path), &why);
	buf_clear(path);
	return e && dwarf_split_add(s, e);
}

/* Opens the packages: prog.dwp for prog; for prog.debug also that. */
static void
open_packages(struct dwarf_split *s)
{
	const struct str debug = STR(".debug");
	struct buf path = { 0 };
	struct str program;
	size_t i;

	for (i = 0; i < s->program_n; i++) {
		program = s->programs[i];
		buf_str(&path, program);
		buf_str(&path, STR(".dwp"));
		if (try_path(s, &path) || !str_ends(program, debug))
			continue;
		buf_str(&path, str_head(program, program.n - debug.n));
		buf_str(&path, STR(".dwp"));
		try_path(s, &path);
	}
	s->opened = true;
	s->shared = s->n;
	buf_release(&path);
}

/* Opens the file NAME with the unit ID, compiled in FOLDER; or beside a program, under
 * its whole name or its last part. */
static struct dwarf_unit *
open_single(struct dwarf_split *s, struct str name, struct str folder, uint64_t id)
{
	struct buf path = { 0 };
	struct dwarf_unit *u = NULL;
	size_t before = s->n, i;
	struct str own;

	if (name.s[0] != '/' && folder.n) {
		buf_str(&path, folder);
		buf_char(&path, '/');
	}
	buf_str(&path, name);
	if (path.s[0] == '/' && try_path(s, &path))
		u = find_in_files(s, before, s->n, id);
	for (i = 0; i < 2 * s->program_n && !u; i++) {
		own = s->programs[i / 2];
		before = s->n;
		buf_clear(&path);
		buf_str(&path, str_head(own, own.n - str_base(own).n));
		buf_str(&path, i % 2 ? str_base(name) : name);
		if (name.s[0] != '/' || i % 2)
			u = try_path(s, &path) ? find_in_files(s, before, s->n, id)
					       : NULL;
	}
	buf_release(&path);
	return u;
}

static void
miss(struct dwarf_split *s, struct str name)
{
	if (!s->missing++)
		s->first = arena_str(&s->names, name);
}

struct dwarf_unit *
dwarf_split_find(struct dwarf_split *s, struct dwarf_unit *skeleton)
{
	struct dwarf_entry entry;
	struct dwarf_unit *u;
	struct root root;
	struct str name;
	uint64_t id;

	if (!read_root(&root, skeleton))
		return NULL;
	name = dwarf_text(skeleton, &root.name);
	id = id_of(skeleton, &root);
	if (!s->opened)
		open_packages(s);
	u = find_in_files(s, 0, s->shared, id);
	if (!u && name.n)
		u = open_single(s, name, dwarf_text(skeleton, &root.folder), id);
	if (!u) {
		miss(s, name);
		return NULL;
	}
	u->skeleton = skeleton;
	u->base = skeleton->base;
	u->ranges_base = root.ranges_base.u;
	return dwarf_root(u, &entry) ? u : NULL;
}
