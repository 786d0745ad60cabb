/* SPDX-License-Identifier: ISC */
/* Tests of frame: the positions of a name's parts. */
#include "unit.h"
#include "frame.h"

UNIT(annotations_are_removed)
{
	struct str name = STR("run_[0]");

	CHECK_STR(frame_bare(STR("read_[k]")), STR("read"));
	CHECK_STR(frame_bare(STR("read_[x]")), STR("read_[x]"));
	CHECK_STR(frame_bare(STR("_[j]")), STR(""));
	CHECK_STR(frame_bare(STR("[k]")), STR("[k]"));
	CHECK_U64((uint64_t)frame_annotation(STR("f_[w]")), 'w');
	CHECK_U64((uint64_t)frame_annotation(STR("f_[w] ")), 0);
	CHECK_U64((uint64_t)frame_annotation(STR("run_[0]")), 0);
	CHECK_U64((uint64_t)frame_cut_annotation(&name), '0');
	CHECK_STR(name, STR("run"));
	CHECK_U64((uint64_t)frame_cut_annotation(&name), 0);
	CHECK_STR(name, STR("run"));
}

UNIT(an_annotation_that_is_added_is_known)
{
	struct buf b = { 0 };

	buf_str(&b, STR("read"));
	frame_annotate(&b, 'k');
	CHECK_STR(buf_view(&b), STR("read_[k]"));
	CHECK_U64((uint64_t)frame_annotation(buf_view(&b)), 'k');
	buf_release(&b);
}

UNIT(a_symbol_has_nothing_around_it)
{
	CHECK_STR(frame_symbol(STR("a`b+0x1f_[k]")), STR("b"));
	CHECK_STR(frame_symbol(STR("a+b")), STR("a+b"));
	CHECK_STR(frame_symbol(STR("`b")), STR("`b"));
	CHECK_STR(frame_symbol(STR("a`+0x1f")), STR("+0x1f"));
	CHECK_STR(frame_symbol(STR("")), STR(""));
}

static struct str
place(const char *name, struct frame_place *p)
{
	*p = (struct frame_place){ .line = 0 };
	return frame_find_place(str_of(name), p) ? p->file : STR("-");
}

UNIT(a_place_is_a_file_and_a_line)
{
	struct frame_place p;

	CHECK_STR(place("work:/src/spin.c:18", &p), STR("/src/spin.c"));
	CHECK_STR(p.name, STR("work"));
	CHECK_U64(p.line, 18);
	CHECK_STR(place("a::f:atomic:7", &p), STR("atomic"));
	CHECK_STR(p.name, STR("a::f"));
	CHECK_STR(place("f:C:\\src\\a.c:9", &p), STR("C:\\src\\a.c"));
	CHECK_STR(p.name, STR("f"));
	CHECK_STR(place("a::b:12", &p), STR("-"));
	CHECK_STR(place("a::12", &p), STR("-"));
	CHECK_STR(place("f:a.c:0", &p), STR("-"));
	CHECK_STR(place("f:a.c:012", &p), STR("-"));
	CHECK_STR(place("f:a.c:99999999999999999999", &p), STR("-"));
	CHECK_STR(place("f:a.c:4294967296", &p), STR("-"));
	CHECK_STR(place("12:30:59", &p), STR("-"));
	CHECK_STR(place("http://host:80", &p), STR("-"));
	CHECK_STR(place(":a.c:1", &p), STR("-"));
	CHECK_STR(place("f::1", &p), STR("-"));
	CHECK_STR(place("run (app.py:3)", &p), STR("-"));
	CHECK_STR(place("JS:f /opt/b.js:2", &p), STR("-"));
	CHECK_STR(place("JS:f b.js:2", &p), STR("-"));
	CHECK_STR(place("f:/my sources/a.c:2", &p), STR("/my sources/a.c"));
	CHECK_STR(place("", &p), STR("-"));
	CHECK_STR(frame_cut_place(STR("f:a.c:1")), STR("f"));
	CHECK_STR(frame_cut_place(STR("f:1")), STR("f:1"));
}

UNIT(code_is_a_program_and_an_address)
{
	struct frame_code c;
	struct frame_place p;

	CHECK(frame_find_code(STR("f:a.c:1 <spin@5f0c7d1e+0x1149>"), &c));
	CHECK_STR(c.name, STR("f:a.c:1"));
	CHECK_STR(c.program, STR("spin@5f0c7d1e"));
	CHECK_U64(c.address, 0x1149);
	CHECK(frame_find_code(STR("operator< <a+0x1>"), &c));
	CHECK_STR(c.name, STR("operator<"));
	CHECK(!frame_find_code(STR("f<a+0x1>"), &c));
	CHECK(!frame_find_code(STR(" <a+0x1>"), &c));
	CHECK(!frame_find_code(STR("f <+0x1>"), &c));
	CHECK(!frame_find_code(STR("f <a+0x>"), &c));
	CHECK(!frame_find_code(STR("f <a+0x11111111111111111>"), &c));
	CHECK(!frame_find_code(STR("f <a+1>"), &c));
	CHECK(!frame_find_code(STR("<a>"), &c));
	CHECK(!frame_find_code(STR(">"), &c));
	CHECK(!frame_find_code(STR(""), &c));
	CHECK_STR(place("f:a.c:1 <a+0x1>", &p), STR("a.c"));
	CHECK_STR(frame_cut_place(STR("f:a.c:1 <a+0x1>")), STR("f"));
	CHECK_STR(frame_cut_place(STR("f <a+0x1>")), STR("f"));
	CHECK_STR(frame_cut_code(STR("f <a>")), STR("f <a>"));
}

UNIT(written_code_reads_back)
{
	struct buf program = { 0 }, b = { 0 };
	struct frame_code c;

	frame_put_program(&program, STR("a <b>@;\x7f.so"), STR("\x01\xff\x10\x00\x55"));
	CHECK_STR(buf_view(&program), STR("a__b____.so@01ff1000"));
	buf_str(&b, STR("f"));
	frame_put_code(&b, buf_view(&program), UINT64_MAX);
	CHECK(frame_find_code(buf_view(&b), &c));
	CHECK_STR(c.program, buf_view(&program));
	CHECK_U64(c.address, UINT64_MAX);
	buf_clear(&program);
	frame_put_program(&program, STR("a"), STR("\x01"));
	CHECK_STR(buf_view(&program), STR("a"));
	buf_release(&program);
	buf_release(&b);
}

UNIT(a_module_stands_before_the_first_tick)
{
	CHECK_STR(frame_module(STR("libc.so`read`x")), STR("libc.so"));
	CHECK_STR(frame_module(STR("`read")), STR(""));
	CHECK_STR(frame_module(STR("read")), STR(""));
	CHECK_STR(frame_cut_module(STR("libc.so`read`x")), STR("read`x"));
	CHECK_STR(frame_cut_module(STR("`read")), STR("read"));
	CHECK_STR(frame_cut_module(STR("read")), STR("read"));
}

UNIT(offsets_are_hexadecimal)
{
	CHECK_STR(frame_cut_offset(STR("f+0x1F")), STR("f"));
	CHECK_STR(frame_cut_offset(STR("operator++0x1")), STR("operator+"));
	CHECK_STR(frame_cut_offset(STR("f+31")), STR("f+31"));
	CHECK_STR(frame_cut_offset(STR("f+0x")), STR("f+0x"));
	CHECK_STR(frame_cut_offset(STR("f+0xg")), STR("f+0xg"));
	CHECK_STR(frame_cut_offset(STR("f+0x1ffffffffffffffff")),
		STR("f+0x1ffffffffffffffff"));
	CHECK_STR(frame_cut_offset(STR("")), STR(""));
}

UNIT(versions_begin_with_an_at)
{
	CHECK_STR(frame_cut_version(STR("read@@GLIBC_2.2.5")), STR("read"));
	CHECK_STR(frame_cut_version(STR("read@plt")), STR("read"));
	CHECK_STR(frame_cut_version(STR("read")), STR("read"));
	CHECK_STR(frame_cut_version(STR("@")), STR(""));
	CHECK_STR(frame_cut_symbol_version(STR("main@@GLIBC_2.34")), STR("main"));
	CHECK_STR(frame_cut_symbol_version(STR("read@GLIBC_2.2.5")), STR("read"));
	CHECK_STR(frame_cut_symbol_version(STR("read@plt")), STR("read@plt"));
	CHECK_STR(frame_cut_symbol_version(STR("f@Bar (x)")), STR("f@Bar (x)"));
	CHECK_STR(frame_cut_symbol_version(STR("@GLIBC_2.0")), STR("@GLIBC_2.0"));
	CHECK_STR(frame_cut_symbol_version(STR("f@@")), STR("f@@"));
}

UNIT(brackets_hold_a_module)
{
	CHECK_STR(frame_in_brackets(STR("[libc.so.6 <2601>]")), STR("libc.so.6 <2601>"));
	CHECK_STR(frame_in_brackets(STR("[[vdso]]")), STR("[vdso]"));
	CHECK_STR(frame_in_brackets(STR("[]")), STR(""));
	CHECK_STR(frame_in_brackets(STR("[")), STR(""));
	CHECK_STR(frame_in_brackets(STR("[a]b")), STR(""));
}

UNIT(addresses_stand_for_names)
{
	uint64_t address = 0;

	CHECK(frame_is_address(STR("0x12aB"), &address) && address == 0x12ab);
	CHECK(!frame_is_address(STR("0x"), &address));
	CHECK(!frame_is_address(STR("12ab"), &address));
	CHECK(!frame_is_address(STR("0x12 f"), &address));
}

UNIT(suffixes_begin_with_a_dot)
{
	CHECK_U64(frame_find_suffix(STR("f.constprop.0.isra.1"), FRAME_CLONE), 1);
	CHECK_U64(frame_find_suffix(STR("f.x.part.3"), FRAME_CLONE), 3);
	CHECK_U64(frame_find_suffix(STR("f.isra"), FRAME_CLONE), 6);
	CHECK_U64(frame_find_suffix(STR("f.cold"), FRAME_CLONE), 6);
	CHECK_U64(frame_find_suffix(STR("f.cold"), FRAME_CLONE | FRAME_SPLIT), 1);
	CHECK_U64(frame_find_suffix(STR("f.llvm"), FRAME_SPLIT), 6);
	CHECK_U64(frame_find_suffix(STR("f.llvm.1"), FRAME_SPLIT), 1);
	CHECK_U64(frame_find_suffix(STR(""), FRAME_CLONE), 0);
	CHECK_U64(frame_find_suffix(STR("f.__part.1"), FRAME_SPLIT), 1);
	CHECK(frame_is_suffix(STR("lto_priv")));
	CHECK(frame_is_suffix(STR("__uniq")));
	CHECK(!frame_is_suffix(STR("lto")));
}

static struct str
put_rust(struct str name)
{
	static struct buf b;

	buf_clear(&b);
	frame_put_rust(&b, name);
	return buf_view(&b);
}

UNIT(hashes_of_rust_are_removed)
{
	CHECK_STR(put_rust(STR("app::run::h0123456789abcdef")), STR("app::run"));
	CHECK_STR(put_rust(STR("app::run::h0123456789abcdeg")),
		STR("app::run::h0123456789abcdeg"));
	CHECK_STR(put_rust(STR("::h0123456789abcdef")), STR("::h0123456789abcdef"));
	CHECK_STR(put_rust(STR("_$LT$a..B$u20$as$u20$C$GT$::f::h0123456789abcdef")),
		STR("<a::B as C>::f"));
	CHECK_STR(put_rust(STR("_$LT$a..B$GT$")), STR("_$LT$a..B$GT$"));
	CHECK(frame_has_hash(STR("::h0123456789abcdef")));
	CHECK(!frame_has_hash(STR("f::h123")));
}

UNIT(argument_lists_at_the_end_are_cut)
{
	static const char *const rows[][2] = {
		{ "std::function<void (int)>::operator()(int) const",
			"std::function<void (int)>::operator()" },
		{ "main::{lambda(int)#1}::operator()(int) const [clone .isra.0]",
			"main::{lambda(int)#1}::operator()" },
		{ "f(int)::'lambda'(int)::operator()(int) const",
			"f(int)::'lambda'(int)::operator()" },
		{ "(anonymous namespace)::Hidden::spin(double)",
			"(anonymous namespace)::Hidden::spin" },
		{ "net/http.(*conn).serve", "net/http.(*conn).serve" },
		{ "Lorg/demo/Main;.run(Ljava/lang/Object;)V", "Lorg/demo/Main;.run" },
		{ "operator<<(A, B)", "operator<<" },
		{ "f)(x)", "f)" },
		{ "(x)", "(x)" },
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK_STR(frame_cut_arguments(str_of(rows[i][0])), str_of(rows[i][1]));
}

UNIT(arrows_join_methods)
{
	CHECK_U64(frame_find_arrow(STR("LA;::f->LB;::g")), 6);
	CHECK_U64(frame_find_arrow(STR("A::operator->")), 13);
	CHECK_U64(frame_find_arrow(STR("f(int (*)() -> int)")), 19);
	CHECK_U64(frame_find_arrow(STR("->f")), 3);
	CHECK_U64(frame_find_arrow(STR("")), 0);
}

UNIT(modules_are_called_by_their_files)
{
	CHECK_STR(frame_module_base(STR("/lib/libc.so.6")), STR("libc.so.6"));
	CHECK_STR(frame_module_base(STR("/lib/libc.so+0x1234")), STR("libc.so"));
	CHECK_STR(frame_module_base(STR("/lib/x (deleted)")), STR("x"));
	CHECK_STR(frame_module_base(STR("[vdso]")), STR("[vdso]"));
	CHECK_STR(frame_module_base(STR("/a/")), STR("/a/"));
	CHECK_STR(frame_module_base(STR("")), STR(""));
}

UNIT(modules_are_of_the_kernel_a_jit_or_a_file)
{
	static const struct row {
		const char *module;
		bool kernel, jit, file;
	} rows[] = {
		{ "[kernel.kallsyms]", true, false, false },
		{ "[nf_tables]", true, false, false },
		{ "/lib/modules/6.1/kernel/fs/ext4.ko.xz", true, false, true },
		{ "[vdso]", false, false, false },
		{ "[anon:libc_malloc]", false, false, false },
		{ "//anon", false, false, false },
		{ "/memfd:x (deleted)", false, false, false },
		{ "/tmp/perf-123.map", false, true, false },
		{ "/tmp/jitted-123-4.so", false, true, false },
		{ "/usr/bin/app", false, false, true },
		{ "", false, false, false },
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK(frame_module_is_kernel(str_of(rows[i].module)) == rows[i].kernel);
		CHECK(frame_module_is_jit(str_of(rows[i].module)) == rows[i].jit);
		CHECK(frame_module_is_file(str_of(rows[i].module)) == rows[i].file);
	}
}

UNIT_MAIN
