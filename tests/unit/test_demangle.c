/* SPDX-License-Identifier: ISC */
/* Demangled names: demangle.h. */
#include "symbols/demangle.h"
#include "unit.h"

static const struct {
	const char *name, *cut, *full; /* NULL: not mangled */
} names[] = {
	{ "_ZN3app5outerEi", "app::outer", "app::outer(int)" },
	{ "_ZN3app5outerEi.isra.0", "app::outer", "app::outer(int) [clone .isra.0]" },
	{ "_ZN3app5outerEi.part.0.cold", "app::outer",
		"app::outer(int) [clone .part.0] [clone .cold]" },
	{ "_ZNK3app5outerEi.llvm.123", "app::outer",
		"app::outer(int) const [clone .llvm.123]" },
	{ "_Z3fooILi1EEvv.constprop.0", "foo<1>", "void foo<1>() [clone .constprop.0]" },
	{ "_Z3fooIiEvT_", "foo<int>", "void foo<int>(int)" },
	{ "_ZZ1fiENKUlvE_clEv", "f(int)::{lambda()#1}::operator()",
		"f(int)::{lambda()#1}::operator()() const" },
	{ "_ZN12_GLOBAL__N_16Hidden4spinEd", "(anonymous namespace)::Hidden::spin",
		"(anonymous namespace)::Hidden::spin(double)" },
	{ "_ZNSt8functionIFviEEclEi", "std::function<void (int)>::operator()",
		"std::function<void (int)>::operator()(int)" },
	{ "_ZNSolsEi@plt", "std::ostream::operator<<@plt",
		"std::ostream::operator<<(int)@plt" },
	{ "_ZNSolsEi@@GLIBCXX_3.4", "std::ostream::operator<<",
		"std::ostream::operator<<(int)" },
	{ "_ZN4core3ptr4read17h0123456789abcdefE", "core::ptr::read", "core::ptr::read" },
	{ "_ZN4core3ptr4read17h0123456789abcdefE.llvm.9", "core::ptr::read",
		"core::ptr::read" },
	{ "_ZN58_$LT$alloc..string..String$u20$as$u20$core..fmt..Debug$GT$3fmt17h"
	  "0123456789abcdefE",
		"<alloc::string::String as core::fmt::Debug>::fmt",
		"<alloc::string::String as core::fmt::Debug>::fmt" },
	{ "_RNvCs1234_5hello4main.llvm.55", "hello::main", "hello::main" },
	{ "_D3std5stdio7writelnFZv", "std.stdio.writeln", "std.stdio.writeln()" },
	{ "_Dmain", "D main", "D main" },
	{ "camlStdlib__List__map_42", "Stdlib.List.map_42", "Stdlib.List.map_42" },
	{ "camlFoo__$3e$3e$g_1", "Foo.>>$g_1", "Foo.>>$g_1" },
	{ "camlin", NULL, NULL },
	{ "main", NULL, NULL },
	{ "foo.cold", NULL, NULL },
	{ "foo.isra.0", NULL, NULL },
	{ "_start", NULL, NULL },
	{ "_Z", NULL, NULL },
	{ "_ZN", NULL, NULL },
	{ "_R", NULL, NULL },
	{ "_D", NULL, NULL },
	{ "memcpy@plt", NULL, NULL },
	{ "", NULL, NULL },
};

UNIT(names_are_cut_as_the_text_of_perf_script_is)
{
	struct buf b = { 0 };
	bool done;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (int full = 0; full < 2; full++) {
			const char *want = full ? names[i].full : names[i].cut;

			if (!demangle_works() && names[i].name[0] == '_')
				continue;
			buf_clear(&b);
			buf_str(&b, STR("x"));
			done = demangle(&b, str_of(names[i].name), full);
			CHECK(done == (want != NULL));
			CHECK_STR(str_from(buf_view(&b), 1), str_of(want ? want : ""));
		}
	buf_release(&b);
}

UNIT(as_perf_keeps_the_lists_within_names)
{
	struct buf b = { 0 };

	if (!demangle_works())
		return;
	CHECK(demangle_as_perf(&b, STR("_D3std5stdio7writelnFZv")));
	CHECK_STR(buf_view(&b), STR("std.stdio.writeln()"));
	buf_release(&b);
}

/* HEAD, UNIT so many times, TAIL. */
static void
repeat(struct buf *b, const char *head, const char *unit, const char *tail, int times)
{
	buf_clear(b);
	buf_str(b, str_of(head));
	for (int i = 0; i < times; i++)
		buf_str(b, str_of(unit));
	buf_str(b, str_of(tail));
}

/* Types that are pairs of the previous one: 2^TIMES names. */
static void
put_pairs(struct buf *b, int times)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	buf_clear(b);
	buf_str(b, STR("_Z1fI1A1PIS_S_E"));
	for (int i = 0; i < times; i++)
		buf_fmt(b, "S0_IS%c_S%c_E", digits[i + 1], digits[i + 1]);
	buf_str(b, STR("Evv"));
}

UNIT(hostile_names_end)
{
	struct buf name = { 0 }, b = { 0 };

	for (int times = 1; times < 36; times++) {
		put_pairs(&name, times < 30 ? times : 30);
		buf_clear(&b);
		demangle(&b, buf_view(&name), times & 1);
		CHECK(b.n <= 64 * 1024);
	}
	repeat(&name, "_Z1f", "P", "v", 1000);
	demangle(&b, buf_view(&name), true);
	repeat(&name, "_Z1fI", "N1aI", "iEvT_", 200);
	demangle(&b, buf_view(&name), true);
	repeat(&name, "_RNvC1a", "INtC1a1b", "4main", 10000);
	demangle(&b, buf_view(&name), true);
	repeat(&name, "_D1a1bFS", "QcQe", "Zv", 2000);
	demangle(&b, buf_view(&name), true);
	repeat(&name, "_Z", "1a", "", 100000);
	CHECK(!demangle(&b, buf_view(&name), true));
	buf_release(&name);
	buf_release(&b);
}

UNIT(any_bytes_do_no_harm)
{
	static const char *const heads[] = { "_ZN", "_ZZ", "_R", "_D", "caml", "_ZNK" };
	static const char letters[] = "1234SIEQ_$.@NvibPTtLRC0uKhFZgB";
	char text[80];
	struct buf b = { 0 };
	uint32_t x = 7;
	size_t n, i;

	for (int round = 0; round < 60000; round++) {
		n = strlen(heads[round % 6]);
		memcpy(text, heads[round % 6], n);
		for (i = n; i < n + 8 + round % 60; i++) {
			x = x * 1664525 + 1013904223;
			text[i] = round % 97 ? letters[(x >> 12) % (sizeof letters - 1)]
					     : (char)(x >> 16);
		}
		buf_clear(&b);
		demangle(&b, (struct str){ text, i }, round & 1);
		CHECK(b.n <= 64 * 1024 || text[1] == 'D');
	}
	buf_release(&b);
}

UNIT_MAIN
