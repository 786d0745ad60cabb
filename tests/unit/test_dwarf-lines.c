/* SPDX-License-Identifier: ISC */
/* Hand-made line tables: dwarf-lines.h. */
#include "symbols/dwarf-lines.h"
#include "dwarf-image.h"
#include "symbols/dwarf-names.h"
#include "unit.h"

enum { LEAST = 1, BASE = -3, RANGE = 12, SPECIAL = 13 };

/* The table being written: its length and its header's are set at the end. */
struct table {
	struct image m;
	size_t start, header;
	unsigned version;
};

static void
set(struct table *t, size_t at, uint64_t v)
{
	size_t n = t->m.line.n;

	t->m.line.n = at;
	image_put(&t->m.line, t->m.big, t->m.offset, v);
	t->m.line.n = n;
}

/* The lists of files: a.c in the unit's folder, b.h in inc, c.h in /sys. */
static void
put_old_lists(struct buf *b)
{
	image_cstr(b, "inc");
	image_cstr(b, "/sys");
	buf_char(b, '\0');
	for (unsigned i = 0; i < 3; i++) {
		image_cstr(b, i == 0 ? "a.c" : i == 1 ? "b.h" : "c.h");
		image_uleb(b, i);
		image_uleb(b, 0);
		image_uleb(b, 0);
	}
	buf_char(b, '\0');
}

/* The same in version 5: folder names are in .debug_line_str, and files have a hash. */
static void
put_new_lists(struct table *t)
{
	struct buf *b = &t->m.line;
	const char *names[] = { "/src", "inc", "/sys" };
	const char *files[] = { "a.c", "a.c", "b.h", "c.h" };
	const unsigned dirs[] = { 0, 0, 1, 2 };

	buf_char(b, 1);
	image_uleb(b, DWARF_LNCT_PATH);
	image_uleb(b, DWARF_FORM_LINE_STRP);
	image_uleb(b, 3);
	for (int i = 0; i < 3; i++)
		image_put(b, t->m.big, t->m.offset, image_cstr(&t->m.line_str, names[i]));
	buf_char(b, 3);
	image_uleb(b, DWARF_LNCT_PATH);
	image_uleb(b, DWARF_FORM_STRING);
	image_uleb(b, DWARF_LNCT_DIRECTORY_INDEX);
	image_uleb(b, DWARF_FORM_UDATA);
	image_uleb(b, 5);
	image_uleb(b, DWARF_FORM_DATA16);
	image_uleb(b, 4);
	for (int i = 0; i < 4; i++) {
		image_cstr(b, files[i]);
		image_uleb(b, dirs[i]);
		image_put(b, false, 16, 7);
	}
}

/* Begins a table of VERSION; SPARE additional standard opcodes have two operands each. */
static void
table_begin(struct table *t, unsigned version, unsigned spare)
{
	static const char operands[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	struct buf *b = &t->m.line;

	t->version = version;
	if (t->m.offset == 8)
		image_put(b, t->m.big, 4, 0xffffffff);
	t->start = b->n;
	image_put(b, t->m.big, t->m.offset, 0);
	image_put(b, t->m.big, 2, version);
	if (version >= 5) {
		buf_char(b, (char)t->m.word);
		buf_char(b, 0);
	}
	t->header = b->n;
	image_put(b, t->m.big, t->m.offset, 0);
	buf_char(b, LEAST);
	if (version >= 4)
		buf_char(b, 1);
	buf_char(b, 1);
	buf_char(b, BASE);
	buf_char(b, RANGE);
	buf_char(b, (char)(SPECIAL + spare));
	buf_str(b, (struct str){ operands, sizeof operands });
	for (unsigned i = 0; i < spare; i++)
		buf_char(b, 2);
	if (version >= 5)
		put_new_lists(t);
	else
		put_old_lists(b);
	set(t, t->header, b->n - t->header - t->m.offset);
}

static void
table_end(struct table *t)
{
	set(t, t->start, t->m.line.n - t->start - t->m.offset);
}

static void
set_address(struct table *t, uint64_t address)
{
	buf_char(&t->m.line, 0);
	image_uleb(&t->m.line, 1 + t->m.word);
	buf_char(&t->m.line, DWARF_LNE_SET_ADDRESS);
	image_put(&t->m.line, t->m.big, t->m.word, address);
}

static void
operate(struct table *t, unsigned opcode, int64_t operand)
{
	buf_char(&t->m.line, (char)opcode);
	if (opcode == DWARF_LNS_ADVANCE_LINE)
		image_sleb(&t->m.line, operand);
	else if (opcode != DWARF_LNS_COPY && opcode != DWARF_LNS_CONST_ADD_PC)
		image_uleb(&t->m.line, (uint64_t)operand);
}

/* Adds a row of LINE, BY bytes further. */
static void
row(struct table *t, unsigned by, int64_t lines)
{
	operate(t, DWARF_LNS_ADVANCE_PC, by);
	operate(t, DWARF_LNS_ADVANCE_LINE, lines);
	operate(t, DWARF_LNS_COPY, 0);
}

static void
end_sequence(struct table *t, unsigned by)
{
	operate(t, DWARF_LNS_ADVANCE_PC, by);
	buf_str(&t->m.line, (struct str){ "\0\1\1", 3 });
}

/* The input of a lookup. */
struct asked {
	struct elf *elf;
	struct dwarf *dwarf;
	struct dwarf_lines *lines;
	struct buf text;
};

static void
ask_begin(struct asked *a, struct table *t, uint64_t offset)
{
	static const struct str folder = { "/src", 4 };

	t->m.version = 4;
	image_unit(&t->m, 0);
	image_uleb(&t->m.info, 0);
	image_end(&t->m);
	*a = (struct asked){ .elf = image_open(&t->m) };
	a->dwarf = dwarf_new(a->elf, NULL);
	a->lines = dwarf_lines_new(dwarf_unit_at(a->dwarf, 0), offset, folder);
}

static void
ask_end(struct asked *a, struct table *t)
{
	dwarf_lines_free(a->lines);
	dwarf_free(a->dwarf);
	elf_close(a->elf);
	buf_release(&a->text);
	image_release(&t->m);
}

/* "path:line" at ADDRESS, "-" if unknown. */
static struct str
at(struct asked *a, uint64_t address)
{
	const struct dwarf_lines_row *first,
		*r = a->lines ? dwarf_lines_find(a->lines, address, &first) : NULL;

	if (!r)
		return STR("-");
	CHECK(first <= r && r->address <= address);
	buf_clear(&a->text);
	buf_str(&a->text, dwarf_lines_path(a->lines, r->file));
	buf_fmt(&a->text, ":%u", (unsigned)r->line);
	return buf_view(&a->text);
}

#define AT(address, expected) CHECK_STR(at(&a, address), STR(expected))

/* Rows by all opcodes, of three files. */
static void
put_usual(struct table *t)
{
	set_address(t, 0x1000);
	row(t, 0, 9);					      /* a.c:10 at 0x1000 */
	buf_char(&t->m.line, SPECIAL - BASE + 2 + RANGE * 4); /* + 4, + 2 */
	operate(t, DWARF_LNS_SET_FILE, 2);
	row(t, 4, 0); /* b.h:12 at 0x1008 */
	row(t, 4, 0); /* the same again */
	operate(t, DWARF_LNS_SET_FILE, 3);
	operate(t, DWARF_LNS_CONST_ADD_PC, 0); /* 242 / 12 */
	row(t, 0, -11);			       /* c.h:1 at 0x1020 */
	row(t, 0, 1);			       /* 2 at the same place */
	buf_char(&t->m.line, DWARF_LNS_FIXED_ADVANCE_PC);
	image_put(&t->m.line, t->m.big, 2, 0x10);
	row(t, 0, -2); /* 0 at 0x1030 */
	end_sequence(t, 0x10);
}

static void
check_usual(struct table *t, unsigned version)
{
	struct asked a;

	buf_char(&t->m.line, 'x');
	table_begin(t, version, 0);
	put_usual(t);
	table_end(t);
	ask_begin(&a, t, 1);
	CHECK(a.lines != NULL);
	AT(0xfff, "-");
	AT(0x1000, "/src/a.c:10");
	AT(0x1003, "/src/a.c:10");
	AT(0x1004, "/src/a.c:12");
	AT(0x1008, "/src/inc/b.h:12");
	AT(0x101f, "/src/inc/b.h:12");
	AT(0x1020, "/sys/c.h:2");
	AT(0x102f, "/sys/c.h:2");
	AT(0x1030, "/sys/c.h:0");
	AT(0x103f, "/sys/c.h:0");
	AT(0x1040, "-");
	AT(UINT64_MAX, "-");
	CHECK_STR(dwarf_lines_path(a.lines, 77), STR(""));
	CHECK_STR(dwarf_lines_path(a.lines, 0), version < 5 ? STR("") : STR("/src/a.c"));
	ask_end(&a, t);
}

UNIT(all_versions_sizes_and_byte_orders)
{
	for (unsigned version = 2; version <= 5; version++)
		for (unsigned i = 0; i < 8; i++) {
			struct table t = { .m = { .word = i & 1 ? 8 : 4,
						   .offset = i & 2 ? 8 : 4,
						   .big = i & 4 } };

			check_usual(&t, version);
		}
}

static struct table
usual(void)
{
	return (struct table){ .m = { .word = 8, .offset = 4 } };
}

UNIT(dropped_code_has_no_lines)
{
	static const uint64_t dead[] = { 0, 1, UINT64_MAX, UINT64_MAX - 1 };
	struct table t = usual();
	struct asked a;

	table_begin(&t, 4, 0);
	for (int i = 0; i < 4; i++) {
		set_address(&t, dead[i]);
		row(&t, 0, 5);
		end_sequence(&t, 0x20);
	}
	set_address(&t, 0x10);
	row(&t, 0, 7);
	end_sequence(&t, 4);
	table_end(&t);
	ask_begin(&a, &t, 0);
	AT(0, "-");
	AT(2, "-");
	AT(0x10, "/src/a.c:8");
	AT(0x14, "-");
	AT(UINT64_MAX, "-");
	ask_end(&a, &t);
}

UNIT(sequences_may_come_in_any_order_and_hold_others)
{
	struct table t = usual();
	struct asked a;

	table_begin(&t, 4, 0);
	set_address(&t, 0x3000);
	row(&t, 0, 29);
	end_sequence(&t, 0x10);
	set_address(&t, 0x1000);
	row(&t, 0, 9);
	end_sequence(&t, 0x1000);
	set_address(&t, 0x1100);
	row(&t, 0, 19);
	end_sequence(&t, 0x10);
	table_end(&t);
	ask_begin(&a, &t, 0);
	AT(0x1000, "/src/a.c:10");
	AT(0x1100, "/src/a.c:20");
	AT(0x1110, "/src/a.c:10");
	AT(0x2fff, "-");
	AT(0x3001, "/src/a.c:30");
	ask_end(&a, &t);
}

UNIT(unknown_opcodes_are_passed_over_and_files_defined)
{
	struct table t = usual();
	struct asked a;

	table_begin(&t, 3, 2);
	set_address(&t, 0x1000);
	operate(&t, 14, 200);
	image_uleb(&t.m.line, 300);
	buf_str(&t.m.line, (struct str){ "\0\4\x80zzz", 6 });
	buf_str(&t.m.line, (struct str){ "\0\10\3d.c\0\1\0\0", 10 });
	operate(&t, DWARF_LNS_SET_FILE, 4);
	row(&t, 0, 3);
	end_sequence(&t, 4);
	table_end(&t);
	ask_begin(&a, &t, 0);
	AT(0x1000, "/src/inc/d.c:4");
	ask_end(&a, &t);
}

UNIT(a_sequence_without_an_end_has_no_lines)
{
	struct table t = usual();
	struct asked a;

	table_begin(&t, 4, 0);
	set_address(&t, 0x1000);
	row(&t, 0, 3);
	end_sequence(&t, 4);
	set_address(&t, 0x2000);
	row(&t, 0, 3);
	row(&t, 4, 3);
	table_end(&t);
	ask_begin(&a, &t, 0);
	AT(0x1000, "/src/a.c:4");
	AT(0x2000, "-");
	ask_end(&a, &t);
}

/* Each prefix, and each changed byte of the header, is read safely. */
UNIT(damaged_tables_do_no_harm)
{
	for (unsigned version = 4; version <= 5; version++) {
		struct table whole = usual();
		size_t n;

		table_begin(&whole, version, 0);
		put_usual(&whole);
		table_end(&whole);
		n = whole.m.line.n;
		for (size_t i = 0; i < 2 * n; i++) {
			struct table t = usual();
			struct asked a;

			buf_str(&t.m.line, buf_view(&whole.m.line));
			buf_str(&t.m.line_str, buf_view(&whole.m.line_str));
			if (i < n)
				t.m.line.n = i + 1;
			else
				t.m.line.s[i - n] ^= 0x55;
			ask_begin(&a, &t, 0);
			(void)at(&a, 0x1004);
			CHECK(i >= n - 1 || !a.lines);
			ask_end(&a, &t);
		}
		image_release(&whole.m);
	}
}

/* The header's length may be wrong: neither its lists nor the program go beyond the
 * end. */
UNIT(a_header_of_a_wrong_length_has_no_lines)
{
	static const uint64_t beyond[] = { 0x10000, INT32_MAX, UINT32_MAX };

	for (unsigned version = 2; version <= 5; version++) {
		for (size_t i = 0; i < 24 + sizeof beyond / sizeof *beyond; i++) {
			struct table t = usual();
			struct asked a;

			table_begin(&t, version, 0);
			put_usual(&t);
			set(&t, t.header, i < 24 ? i : beyond[i - 24]);
			table_end(&t);
			ask_begin(&a, &t, 0);
			CHECK(!a.lines);
			ask_end(&a, &t);
		}
	}
}

/* Many units that share bytes of a table take only as much work as these bytes. */
UNIT(tables_that_overlap_are_read_a_few_times)
{
	struct table t = usual();
	struct asked a;
	struct dwarf_lines *more[8];
	int read = 0;

	table_begin(&t, 4, 0);
	put_usual(&t);
	table_end(&t);
	ask_begin(&a, &t, 0);
	for (int i = 0; i < 8; i++) {
		more[i] = dwarf_lines_new(dwarf_unit_at(a.dwarf, 0), 0, STR("/src"));
		read += more[i] != NULL;
		dwarf_lines_free(more[i]);
	}
	CHECK(read > 0 && read < 8);
	ask_end(&a, &t);
}

UNIT_MAIN
