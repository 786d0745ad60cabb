/* SPDX-License-Identifier: ISC */
/* Symbols from perf maps: perfmap.h. */
#include "symbols/perfmap.h"
#include "buf.h"
#include "unit.h"

static struct str
name_at(struct symtab *t, uint64_t address)
{
	const struct symtab_symbol *s = symtab_find(t, address);

	return s ? s->name : STR("-");
}

/* The name in a map of one line. */
static void
check_line(struct str line, uint64_t start, uint64_t size, struct str name)
{
	size_t bad = 7;
	struct symtab *t = perfmap_parse(line, &bad);

	CHECK_U64(bad, 0);
	CHECK_STR(name_at(t, start - 1), STR("-"));
	CHECK_STR(name_at(t, start), name);
	CHECK_STR(name_at(t, start + size - 1), name);
	CHECK_STR(name_at(t, start + size), STR("-"));
	symtab_free(t);
}

UNIT(lines_as_runtimes_write_them)
{
	check_line(STR("7f0a3c001000 1a0 LazyCompile:~fib /app/fib.js:1\n"),
		0x7f0a3c001000, 0x1a0, STR("LazyCompile:~fib /app/fib.js:1"));
	check_line(STR("0x7f0a3c002000 0x40 org.demo.Main::run"), 0x7f0a3c002000, 0x40,
		STR("org.demo.Main::run"));
	check_line(STR("0X10 0XA f\r\n"), 0x10, 10, STR("f"));
	check_line(STR("10\ta  a;b [x]  \n"), 0x10, 10, STR("a;b [x]"));
	check_line(STR("  00000010 000a py::main:/app/x.py"), 0x10, 10,
		STR("py::main:/app/x.py"));
	check_line(STR("\n\r\n\n10 1 f\n\n"), 0x10, 1, STR("f"));
}

UNIT(size_0_has_its_first_address)
{
	check_line(STR("10 0 f\n"), 0x10, 1, STR("f"));
}

UNIT(sizes_end_with_the_address_space)
{
	size_t bad;
	struct symtab *t = perfmap_parse(STR("fffffffffffffff0 ffffffffffffffff f\n"
					     "ffffffffffffffff 1 g\n"),
		&bad);

	CHECK_U64(bad, 1);
	CHECK_STR(name_at(t, UINT64_MAX - 1), STR("f"));
	CHECK_STR(name_at(t, 0xfffffffffffffff0), STR("f"));
	symtab_free(t);
}

UNIT(other_lines_are_counted)
{
	size_t bad;
	struct symtab *t = perfmap_parse(STR("10\n"
					     "10 10\n"
					     "10 10 \n"
					     "x 10 f\n"
					     "10 x f\n"
					     "0x 10 f\n"
					     "00000000000000010 10000000000000000 f\n"
					     "-10 10 f\n"
					     "\n"
					     "20 10 good\n"
					     "40 1"),
		&bad);

	CHECK_U64(bad, 9);
	CHECK_STR(name_at(t, 0x10), STR("-"));
	CHECK_STR(name_at(t, 0x20), STR("good"));
	symtab_free(t);
	t = perfmap_parse(STR(""), &bad);
	CHECK_U64(bad, 0);
	CHECK(symtab_find(t, 0) == NULL);
	symtab_free(t);
}

UNIT(a_later_line_cuts_earlier_ones)
{
	size_t bad;
	struct symtab *t = perfmap_parse(STR("100 100 old\n"
					     "140 20 within\n"
					     "180 100 over_the_end\n"
					     "300 10 whole\n"
					     "2f0 40 covers\n"
					     "310 1 point\n"),
		&bad);

	CHECK_U64(bad, 0);
	CHECK_STR(name_at(t, 0x100), STR("old"));
	CHECK_STR(name_at(t, 0x13f), STR("old"));
	CHECK_STR(name_at(t, 0x140), STR("within"));
	CHECK_STR(name_at(t, 0x15f), STR("within"));
	CHECK_STR(name_at(t, 0x160), STR("old"));
	CHECK_STR(name_at(t, 0x17f), STR("old"));
	CHECK_STR(name_at(t, 0x180), STR("over_the_end"));
	CHECK_STR(name_at(t, 0x27f), STR("over_the_end"));
	CHECK_STR(name_at(t, 0x280), STR("-"));
	CHECK_STR(name_at(t, 0x305), STR("covers"));
	CHECK_STR(name_at(t, 0x310), STR("point"));
	CHECK_STR(name_at(t, 0x311), STR("covers"));
	/* A map is not cut where it covers an earlier one. */
	CHECK(symtab_find(t, 0x30f) && symtab_find(t, 0x30f)->start == 0x2f0);
	symtab_free(t);
}

/* Random lines in a small space, compared with an array that each line overwrites. */
UNIT(the_last_line_at_an_address_names_it)
{
	enum { SPACE = 64, ROUNDS = 3000 };
	uint64_t seed = 1;

	for (int round = 0; round < ROUNDS; round++) {
		unsigned lines = 1 + (unsigned)round % 30, model[SPACE] = { 0 };
		struct buf text = { 0 }, want = { 0 };
		struct symtab *t;
		size_t bad;

		for (unsigned i = 1; i <= lines; i++) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			unsigned start = (unsigned)(seed >> 40) % SPACE;
			unsigned size = (unsigned)(seed >> 50) % (SPACE - start);

			buf_fmt(&text, "%x %x f%u\n", start, size, i);
			for (unsigned at = start; at < start + (size ? size : 1); at++)
				model[at] = i;
		}
		t = perfmap_parse(buf_view(&text), &bad);
		CHECK_U64(bad, 0);
		for (unsigned at = 0; at < SPACE; at++) {
			buf_clear(&want);
			buf_fmt(&want, "f%u", model[at]);
			CHECK_STR(name_at(t, at), model[at] ? buf_view(&want) : STR("-"));
		}
		symtab_free(t);
		buf_release(&text);
		buf_release(&want);
	}
}

UNIT_MAIN
