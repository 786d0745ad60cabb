/* SPDX-License-Identifier: ISC */
/*
 * Tables of lines; see dwarf-lines.h. A table is a header, lists of folders and files,
 * and a program that makes rows:
 *
 *	set_address 0x1139	a sequence begins
 *	special 0x4b		address += 3, line += 2: a row
 *	advance_pc 7
 *	end_sequence		address 0x1150 is behind it
 *
 * Columns, statements, blocks and slots of VLIW words are ignored. Of rows at one
 * address the last counts, and rows that repeat the previous line are left out.
 */
#include "dwarf-lines.h"
#include "arena.h"
#include "dwarf-names.h"
#include "mem.h"
#include "search.h"

enum { OPERANDS = 256, FORMATS = 16 };

/* A C unit has a hundred files, most of them unused: keep this small. */
struct file {
	const char *name;
	const char *path; /* NULL: not built yet */
	uint32_t name_n, dir;
};

/* Rows of ascending address. */
struct sequence {
	uint64_t low, high;
	uint64_t reach; /* the highest end up to this one */
	size_t row, n;
};

struct dwarf_lines {
	struct str comp_dir;
	struct str *dirs;
	struct file *files;
	struct dwarf_lines_row *rows;
	struct sequence *sequences; /* by low */
	size_t dir_n, dir_cap, file_n, file_cap, row_n, row_cap, sequence_n, sequence_cap;
	unsigned version;
	struct arena *paths; /* of the whole file */
};

/* The header of the program. */
struct program {
	struct dwarf_lines *l;
	struct dwarf_unit unit; /* the sizes of this table */
	struct bytes b;
	uint8_t least, special,
		range; /* minimum_instruction_length, opcode_base, line_range */
	int8_t base;   /* line_base */
	uint8_t operands[OPERANDS];

	/* The registers. */
	uint64_t address;
	uint32_t file, line;
	size_t first; /* row of the sequence */
	bool dead;    /* the linker dropped the sequence's code */
};

/* Files and folders. */

static void
add_dir(struct dwarf_lines *l, struct str name)
{
	*MEM_ADD(l->dirs, l->dir_n, l->dir_cap) = name;
}

static void
add_file(struct dwarf_lines *l, struct str name, uint64_t dir)
{
	*MEM_ADD(l->files, l->file_n, l->file_cap) = (struct file){ .name = name.s,
		.name_n = name.n < UINT32_MAX ? (uint32_t)name.n : 0,
		.dir = dir < UINT32_MAX ? (uint32_t)dir : UINT32_MAX };
}

/* Reads the rest of a file of version 2 to 4, called NAME. */
static void
read_file(struct dwarf_lines *l, struct bytes *b, struct str name)
{
	uint64_t dir = bytes_uleb(b);

	(void)bytes_uleb(b); /* time */
	(void)bytes_uleb(b); /* length */
	if (!b->bad)
		add_file(l, name, dir);
}

/* Reads both lists of version 2 to 4; number 0 is the unit's folder, or not a file. */
static void
read_lists(struct program *p)
{
	struct bytes *b = &p->b;
	struct str name;

	add_dir(p->l, p->l->comp_dir);
	add_file(p->l, (struct str){ 0 }, 0);
	while ((name = bytes_cstr(b)).n)
		add_dir(p->l, name);
	while (!b->bad && (name = bytes_cstr(b)).n)
		read_file(p->l, b, name);
}

/* The fields of entries in a list of version 5. */
struct format {
	uint64_t content[FORMATS];
	uint16_t form[FORMATS];
	unsigned n;
};

static void
read_format(struct bytes *b, struct format *f)
{
	unsigned i;
	uint64_t form;

	f->n = bytes_u8(b);
	if (f->n > FORMATS)
		bytes_fail(b);
	for (i = 0; i < f->n && !b->bad; i++) {
		f->content[i] = bytes_uleb(b);
		form = bytes_uleb(b);
		f->form[i] = (uint16_t)form;
		/* Neither has bytes of its own here. */
		if (form > UINT16_MAX || form == DWARF_FORM_IMPLICIT_CONST ||
			form == DWARF_FORM_INDIRECT)
			bytes_fail(b);
	}
}

/* Reads an entry of F: its name and the number of its folder. */
static struct str
read_entry(struct program *p, const struct format *f, uint64_t *dir)
{
	struct str name = { 0 };
	struct dwarf_value v;
	struct str text;
	unsigned i;

	for (i = 0; i < f->n; i++) {
		text = (struct str){ 0 };
		v.u = 0;
		if (f->form[i] == DWARF_FORM_STRING)
			text = bytes_cstr(&p->b);
		else
			dwarf_value(&p->unit, &p->b, f->form[i], &v);
		if (p->b.bad)
			break;
		if (f->content[i] == DWARF_LNCT_DIRECTORY_INDEX)
			*dir = v.u;
		else if (f->content[i] == DWARF_LNCT_PATH)
			name = text.s ? text : dwarf_text(&p->unit, &v);
	}
	return name;
}

/* Reads a list of version 5, of files or folders. */
static void
read_list(struct program *p, bool files)
{
	struct format format;
	struct str name;
	uint64_t n, i, dir;
	size_t left;

	read_format(&p->b, &format);
	n = bytes_uleb(&p->b);
	for (i = 0; i < n && !p->b.bad; i++) {
		left = bytes_left(&p->b);
		dir = 0;
		name = read_entry(p, &format, &dir);
		/* There could be any number of empty entries. */
		if (bytes_left(&p->b) == left)
			bytes_fail(&p->b);
		if (p->b.bad)
			break;
		if (files)
			add_file(p->l, name, dir);
		else
			add_dir(p->l, name);
	}
}

static bool
is_absolute(struct str path)
{
	return path.n && path.s[0] == '/';
}

static void
put_folder(struct buf *b, struct str folder)
{
	buf_str(b, folder);
	if (folder.n && folder.s[folder.n - 1] != '/')
		buf_char(b, '/');
}

struct str
dwarf_lines_path(struct dwarf_lines *l, uint64_t number)
{
	struct str parts[4] = { l->comp_dir };
	struct buf b = { 0 };
	struct file *f;
	size_t i = 3;

	if (number >= l->file_n || !l->files[number].name_n)
		return (struct str){ 0 };
	f = &l->files[number];
	if (f->path)
		return str_of(f->path);
	if (l->dir_n && !str_eq(l->dirs[0], l->comp_dir))
		parts[1] = l->dirs[0];
	if (f->dir && f->dir < l->dir_n)
		parts[2] = l->dirs[f->dir];
	parts[3] = (struct str){ f->name, f->name_n };
	while (i > 0 && !is_absolute(parts[i]))
		i--;
	for (; i < 3; i++)
		put_folder(&b, parts[i]);
	buf_str(&b, parts[3]);
	buf_char(&b, '\0');
	f->path = arena_str(l->paths, buf_view(&b)).s;
	buf_release(&b);
	return str_of(f->path);
}

/* The program. */

static void
add_row(struct program *p)
{
	struct dwarf_lines *l = p->l;
	struct dwarf_lines_row *last =
		l->row_n > p->first ? &l->rows[l->row_n - 1] : NULL;

	if (p->dead || (last && p->address < last->address))
		return;
	if (last && last->address == p->address) {
		last->file = p->file;
		last->line = p->line;
		return;
	}
	if (last && last->file == p->file && last->line == p->line)
		return;
	*MEM_ADD(l->rows, l->row_n, l->row_cap) =
		(struct dwarf_lines_row){ p->address, p->file, p->line };
}

/* Begins a sequence. */
static void
reset(struct program *p)
{
	p->address = 0;
	p->file = p->line = 1;
	p->first = p->l->row_n;
	p->dead = false;
}

/* Ends the sequence at the address. */
static void
end_sequence(struct program *p)
{
	struct dwarf_lines *l = p->l;
	const struct dwarf_lines_row *first = l->rows ? l->rows + p->first : NULL;
	size_t n = l->row_n - p->first;

	if (p->dead || !n || dwarf_is_dead(&p->unit, first->address) ||
		p->address <= l->rows[l->row_n - 1].address) {
		l->row_n = p->first;
	} else {
		*MEM_ADD(l->sequences, l->sequence_n, l->sequence_cap) =
			(struct sequence){ first->address, p->address, 0, p->first, n };
	}
	reset(p);
}

static void
do_extended(struct program *p)
{
	struct bytes b = p->b;
	uint64_t n = bytes_uleb(&p->b);

	b = bytes_of(bytes_take(&p->b, n), p->b.swap);
	if (!n || p->b.bad)
		return;
	switch (bytes_u8(&b)) {
	case DWARF_LNE_END_SEQUENCE: end_sequence(p); break;
	case DWARF_LNE_SET_ADDRESS:
		p->address = bytes_uint(&b, (unsigned)(n - 1 > 8 ? 0 : n - 1));
		p->dead |= b.bad || dwarf_is_dead(&p->unit, p->address);
		break;
	case DWARF_LNE_DEFINE_FILE:
		if (p->l->version < 5)
			read_file(p->l, &b, bytes_cstr(&b));
		break;
	}
}

static void
advance(struct program *p, uint64_t operation)
{
	p->address += operation * p->least;
}

static void
do_special(struct program *p, uint8_t opcode)
{
	uint8_t adjusted = (uint8_t)(opcode - p->special);

	advance(p, adjusted / p->range);
	p->line += (uint32_t)(p->base + adjusted % p->range);
	add_row(p);
}

static void
do_standard(struct program *p, uint8_t opcode)
{
	unsigned i;

	switch (opcode) {
	case DWARF_LNS_COPY: add_row(p); break;
	case DWARF_LNS_ADVANCE_PC: advance(p, bytes_uleb(&p->b)); break;
	case DWARF_LNS_ADVANCE_LINE: p->line += (uint32_t)bytes_sleb(&p->b); break;
	case DWARF_LNS_SET_FILE: p->file = (uint32_t)bytes_uleb(&p->b); break;
	case DWARF_LNS_CONST_ADD_PC:
		advance(p, (uint8_t)(255 - p->special) / p->range);
		break;
	case DWARF_LNS_FIXED_ADVANCE_PC: p->address += bytes_u16(&p->b); break;
	default:
		for (i = 0; i < p->operands[opcode]; i++)
			(void)bytes_uleb(&p->b);
	}
}

static void
run_program(struct program *p)
{
	uint8_t opcode;

	reset(p);
	while (bytes_left(&p->b)) {
		opcode = bytes_u8(&p->b);
		if (!opcode)
			do_extended(p);
		else if (opcode >= p->special)
			do_special(p, opcode);
		else
			do_standard(p, opcode);
	}
	/* A sequence without an end has no last address. */
	p->l->row_n = p->first;
}

/* The header. */

/* Moves P->b behind the header, and sets the rules for registers. */
static bool
read_header(struct program *p)
{
	struct dwarf_lines *l = p->l;
	struct bytes program;
	unsigned i;

	l->version = bytes_u16(&p->b);
	if (l->version < 2 || l->version > 5)
		return false;
	if (l->version >= 5) {
		p->unit.address_size = bytes_u8(&p->b);
		(void)bytes_u8(&p->b); /* bytes of a segment's number */
	}
	if (p->unit.address_size != 2 && p->unit.address_size != 4 &&
		p->unit.address_size != 8)
		return false;
	program = p->b;
	p->b = bytes_part(&program, bytes_uint(&program, p->unit.offset_size));
	p->least = bytes_u8(&p->b);
	if (l->version >= 4)
		(void)bytes_u8(&p->b); /* operations in a word */
	(void)bytes_u8(&p->b);	       /* is_stmt at first */
	p->base = (int8_t)bytes_u8(&p->b);
	p->range = bytes_u8(&p->b);
	p->special = bytes_u8(&p->b);
	for (i = 1; i < p->special; i++)
		p->operands[i] = bytes_u8(&p->b);
	if (p->b.bad || !p->range || !p->special)
		return false;
	if (l->version < 5) {
		read_lists(p);
	} else {
		read_list(p, false);
		read_list(p, true);
	}
	if (p->b.bad)
		return false;
	p->b = program;
	return true;
}

/* Cuts P->b to the table that it begins with. */
static bool
open_table(struct program *p)
{
	uint64_t length = bytes_u32(&p->b);

	p->unit.offset_size = 4;
	if (length == 0xffffffff) {
		p->unit.offset_size = 8;
		length = bytes_u64(&p->b);
	} else if (length >= 0xfffffff0) {
		return false;
	}
	p->b = bytes_part(&p->b, length);
	return !p->b.bad;
}

static int
by_low(const void *a, const void *b)
{
	const struct sequence *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void
sort_sequences(struct dwarf_lines *l)
{
	uint64_t reach = 0;
	size_t i;

	if (l->sequence_n)
		qsort(l->sequences, l->sequence_n, sizeof *l->sequences, by_low);
	for (i = 0; i < l->sequence_n; i++) {
		reach = l->sequences[i].high > reach ? l->sequences[i].high : reach;
		l->sequences[i].reach = reach;
	}
}

/* Shrinks the arrays of L to fit. */
static void
fit(struct dwarf_lines *l)
{
	l->dirs = mem_resize(l->dirs, l->dir_n, sizeof *l->dirs);
	l->files = mem_resize(l->files, l->file_n, sizeof *l->files);
	l->rows = mem_resize(l->rows, l->row_n, sizeof *l->rows);
	l->sequences = mem_resize(l->sequences, l->sequence_n, sizeof *l->sequences);
}

/* Whether N more bytes may be decoded: tables of valid files do not overlap. */
static bool
spend(struct dwarf *d, uint64_t n)
{
	if (d->line_budget == UINT64_MAX)
		d->line_budget = 4 * (uint64_t)dwarf_bytes(d, DWARF_LINE).n;
	if (n > d->line_budget)
		return false;
	d->line_budget -= n;
	return true;
}

struct dwarf_lines *
dwarf_lines_new(struct dwarf_unit *u, uint64_t offset, struct str comp_dir)
{
	struct dwarf_lines *l = mem_zero(1, sizeof *l);
	struct program *p = mem_zero(1, sizeof *p);
	bool good;

	l->comp_dir = comp_dir;
	l->paths = &u->of->arena;
	p->l = l;
	p->unit = *u;
	p->b = dwarf_cursor(u->of, DWARF_LINE, offset);
	good = open_table(p) && spend(u->of, bytes_left(&p->b)) && read_header(p);
	if (good) {
		run_program(p);
		sort_sequences(l);
		fit(l);
	}
	free(p);
	if (good)
		return l;
	dwarf_lines_free(l);
	return NULL;
}

void
dwarf_lines_free(struct dwarf_lines *l)
{
	if (!l)
		return;
	free(l->dirs);
	free(l->files);
	free(l->rows);
	free(l->sequences);
	free(l);
}

const struct dwarf_lines_row *
dwarf_lines_find(const struct dwarf_lines *l, uint64_t address,
	const struct dwarf_lines_row **first)
{
	size_t n =
		search_upto(l->sequences, l->sequence_n, sizeof *l->sequences, address);
	const struct sequence *s;

	for (; n && l->sequences[n - 1].reach > address; n--) {
		s = &l->sequences[n - 1];
		if (s->high <= address)
			continue;
		*first = l->rows + s->row;
		return *first + search_upto(*first, s->n, sizeof **first, address) - 1;
	}
	return NULL;
}
