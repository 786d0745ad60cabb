/* SPDX-License-Identifier: ISC */
/* Tests of origin: what a name alone tells. */
#include "unit.h"
#include "origin.h"

struct row {
	const char *name;
	unsigned sign;
};

static void
check(const struct row *rows, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (origin_sign(str_of(rows[i].name)) != rows[i].sign) {
			fprintf(stderr, "%s\n", rows[i].name);
			CHECK_U64(origin_sign(str_of(rows[i].name)), rows[i].sign);
		}
}

#define CHECK_ROWS(...)                                           \
	do {                                                      \
		static const struct row rows[] = { __VA_ARGS__ }; \
		check(rows, sizeof rows / sizeof rows[0]);        \
	} while (0)

UNIT(plain_names_are_native)
{
	CHECK_ROWS({ "main", ORIGIN_NATIVE }, { "_start", ORIGIN_NATIVE },
		{ "copy.constprop.0", ORIGIN_NATIVE }, { "f.part.3.cold", ORIGIN_NATIVE },
		{ "__default_morecore@GLIBC_2.2.5", ORIGIN_NATIVE },
		{ "[libc.so.6]", ORIGIN_NATIVE },
		{ "ld-linux-x86-64.so.2", ORIGIN_NATIVE },
		{ "libc`read+0x1c", ORIGIN_NATIVE }, { "GC Thread#0", ORIGIN_NATIVE },
		{ "kworker/0:1", ORIGIN_NATIVE }, { "decade", ORIGIN_NATIVE },
		{ "PyObject_Call", ORIGIN_NATIVE }, { "malloc@plt", ORIGIN_NATIVE });
}

UNIT(kernel_frames_are_known_by_mark_module_and_entry)
{
	CHECK_ROWS({ "f_[k]", ORIGIN_KERNEL }, { "a::b_[k]", ORIGIN_KERNEL },
		{ "[kernel.kallsyms]", ORIGIN_KERNEL },
		{ "[[kernel.kallsyms]]", ORIGIN_KERNEL }, { "[nf.ko]", ORIGIN_KERNEL },
		{ "genunix`read", ORIGIN_KERNEL }, { "do_syscall_64", ORIGIN_KERNEL },
		{ "el0_svc", ORIGIN_KERNEL }, { "asm_exc_page_fault", ORIGIN_KERNEL });
}

UNIT(addresses_are_unknown)
{
	CHECK_ROWS({ "[unknown]", ORIGIN_UNKNOWN }, { "0x7f00", ORIGIN_UNKNOWN },
		{ "00007f0012ab", ORIGIN_UNKNOWN }, { "??", ORIGIN_UNKNOWN },
		{ "prog`0x12", ORIGIN_UNKNOWN }, { "", ORIGIN_UNKNOWN });
}

UNIT(cxx_names)
{
	CHECK_ROWS({ "std::vector<int>::size", ORIGIN_SIGN_PATH },
		{ "A::~A", ORIGIN_CXX }, { "(anonymous namespace)::f", ORIGIN_CXX },
		{ "fib(unsigned int)", ORIGIN_CXX }, { "idle()", ORIGIN_CXX },
		{ "operator new(unsigned long)", ORIGIN_CXX },
		{ "_ZN1a1bEv", ORIGIN_CXX }, { "-[NSObject init]", ORIGIN_CXX },
		{ "max<int>", ORIGIN_CXX }, { "A::B::run", ORIGIN_SIGN_PATH },
		{ "a::b", ORIGIN_SIGN_PATH });
}

UNIT(rust_names)
{
	CHECK_ROWS({ "app::run::h0123456789abcdef", ORIGIN_RUST },
		{ "<T as core::fmt::Debug>::fmt", ORIGIN_RUST },
		{ "<alloc::vec::Vec<u8>>::push", ORIGIN_RUST },
		{ "rg`<tokio::future::poll_fn::PollFn", ORIGIN_RUST },
		{ "app::main::{{closure}}", ORIGIN_RUST },
		{ "app::main::{closure#0}", ORIGIN_RUST },
		{ "core::ptr::drop_in_place", ORIGIN_RUST },
		{ "alloc::slice::<impl [T]>::sort", ORIGIN_RUST },
		{ "std::sys::unix::read", ORIGIN_RUST },
		{ "rg`<F as alloc::boxed::FnBox<A>>::call_box", ORIGIN_RUST },
		{ "_$LT$T$u20$as$u20$U$GT$::f", ORIGIN_RUST },
		{ "_ZN4core3ptr17h0123456789abcdefE", ORIGIN_RUST },
		{ "_RNvC3app4main", ORIGIN_RUST });
}

UNIT(go_names)
{
	CHECK_ROWS({ "runtime.goexit", ORIGIN_GO }, { "main.main", ORIGIN_GO },
		{ "net/http.(*conn).serve", ORIGIN_GO },
		{ "pd`github.com/a/b.(*T).M+0x4d", ORIGIN_GO },
		{ "fmt.newPrinter", ORIGIN_SIGN_DOTS },
		{ "github.com/a/b.F", ORIGIN_SIGN_DOTS });
}

UNIT(names_of_scripts)
{
	CHECK_ROWS({ "f_[j]", ORIGIN_SCRIPT }, { "JS:*f /a/b.js:1:2", ORIGIN_SCRIPT },
		{ "LazyCompile:~f node:fs:3", ORIGIN_SCRIPT },
		{ "Builtins_JSEntry", ORIGIN_SCRIPT }, { "[perf-12.map]", ORIGIN_SCRIPT },
		{ "main (app.py:3)", ORIGIN_SCRIPT }, { "<module>", ORIGIN_SCRIPT },
		{ "py::f:/a/b.py", ORIGIN_SCRIPT }, { "A#b", ORIGIN_SCRIPT },
		{ "block in A#b", ORIGIN_SCRIPT }, { "(anonymous)", ORIGIN_SCRIPT },
		{ "java/lang/Thread.run", ORIGIN_SCRIPT },
		{ "Ljava/lang/Thread:::run", ORIGIN_SCRIPT },
		{ "Interpreter", ORIGIN_SCRIPT },
		{ "f (http://a.org/b:1)", ORIGIN_SCRIPT },
		{ "node::Start", ORIGIN_SIGN_PATH });
}

/* The origin of NAME among the names of LINE, which it is one of. */
static unsigned
among(const char *line, const char *name)
{
	struct origin_how how = { 0 };
	struct str rest = str_of(line);
	unsigned char *origins;
	uint64_t *totals;
	unsigned origin;
	struct tree t;

	tree_init(&t, 1);
	while (rest.n)
		tree_add(&t, tree_child(&t, TREE_ROOT, str_cut(&rest, ';')), 0, 1);
	totals = tree_totals(&t, 0);
	how.totals = totals;
	origins = origin_of_names(&how, &t);
	origin = origins[intern_id(&t.names, str_of(name))];
	free(origins);
	free(totals);
	tree_release(&t);
	return origin;
}

UNIT(a_path_is_what_its_namesakes_are)
{
	CHECK_U64(among("a::b", "a::b"), ORIGIN_CXX);
	CHECK_U64(among("a::b;<x::Y as core::Z>::f", "a::b"), ORIGIN_RUST);
	CHECK_U64(among("a::b;A::~A;c::{{closure}};d::{{closure}}", "a::b"), ORIGIN_RUST);
	CHECK_U64(among("a::b;a::~a;c::{{closure}};d::{{closure}}", "a::b"), ORIGIN_CXX);
	CHECK_U64(among("a::Run;A::~A;c::{{closure}};d::{{closure}}", "a::Run"),
		ORIGIN_CXX);
	CHECK_U64(among("a::Run;c::{{closure}}", "a::Run"), ORIGIN_RUST);
	CHECK_U64(among("a.b", "a.b"), ORIGIN_SCRIPT);
	CHECK_U64(among("a.b;runtime.goexit", "a.b"), ORIGIN_GO);
}

UNIT(a_symbol_has_nothing_around_it)
{
	CHECK_STR(origin_symbol(STR("a`b+0x1f_[k]")), STR("b"));
	CHECK_STR(origin_symbol(STR("a+b")), STR("a+b"));
	CHECK_STR(origin_symbol(STR("`b")), STR("`b"));
	CHECK_STR(origin_symbol(STR("")), STR(""));
}

UNIT(a_namespace_is_the_first)
{
	CHECK_STR(origin_namespace(STR("a::b::c")), STR("a"));
	CHECK_STR(origin_namespace(STR("void std::sort<x::y>")), STR("std"));
	CHECK_STR(origin_namespace(STR("<T as x::y>::f")), STR("x"));
	CHECK_STR(origin_namespace(STR("plain")), STR(""));
	CHECK_STR(origin_namespace(STR("::a")), STR(""));
}

UNIT_MAIN
