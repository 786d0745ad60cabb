/* SPDX-License-Identifier: ISC */
/* Tests of classify: the class of a name's code. */
#include "unit.h"
#include "buf.h"
#include "classify.h"

struct row {
	const char *name;
	unsigned sign;
};

static void
check(const struct row *rows, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (classify_name(str_of(rows[i].name)) != rows[i].sign) {
			fprintf(stderr, "%s\n", rows[i].name);
			CHECK_U64(classify_name(str_of(rows[i].name)), rows[i].sign);
		}
}

#define CHECK_ROWS(...)                                           \
	do {                                                      \
		static const struct row rows[] = { __VA_ARGS__ }; \
		check(rows, sizeof rows / sizeof rows[0]);        \
	} while (0)

UNIT(plain_names_are_native)
{
	CHECK_ROWS({ "main", CLASSIFY_NATIVE }, { "_start", CLASSIFY_NATIVE },
		{ "copy.constprop.0", CLASSIFY_NATIVE },
		{ "f.part.3.cold", CLASSIFY_NATIVE },
		{ "__default_morecore@GLIBC_2.2.5", CLASSIFY_NATIVE },
		{ "[libc.so.6]", CLASSIFY_NATIVE },
		{ "ld-linux-x86-64.so.2", CLASSIFY_NATIVE },
		{ "libc`read+0x1c", CLASSIFY_NATIVE }, { "GC Thread#0", CLASSIFY_NATIVE },
		{ "kworker/0:1", CLASSIFY_NATIVE }, { "decade", CLASSIFY_NATIVE },
		{ "PyObject_Call", CLASSIFY_NATIVE }, { "malloc@plt", CLASSIFY_NATIVE });
}

UNIT(kernel_frames_are_known_by_mark_module_and_entry)
{
	CHECK_ROWS({ "f_[k]", CLASSIFY_KERNEL }, { "a::b_[k]", CLASSIFY_KERNEL },
		{ "[kernel.kallsyms]", CLASSIFY_KERNEL },
		{ "[[kernel.kallsyms]]", CLASSIFY_KERNEL },
		{ "[nf.ko]", CLASSIFY_KERNEL }, { "genunix`read", CLASSIFY_KERNEL },
		{ "do_syscall_64", CLASSIFY_KERNEL }, { "el0_svc", CLASSIFY_KERNEL },
		{ "asm_exc_page_fault", CLASSIFY_KERNEL });
}

UNIT(addresses_are_unknown)
{
	CHECK_ROWS({ "[unknown]", CLASSIFY_UNKNOWN }, { "0x7f00", CLASSIFY_UNKNOWN },
		{ "00007f0012ab", CLASSIFY_UNKNOWN }, { "??", CLASSIFY_UNKNOWN },
		{ "prog`0x12", CLASSIFY_UNKNOWN }, { "", CLASSIFY_UNKNOWN });
}

UNIT(cxx_names)
{
	CHECK_ROWS({ "std::vector<int>::size", CLASSIFY_SIGN_PATH },
		{ "A::~A", CLASSIFY_CXX }, { "(anonymous namespace)::f", CLASSIFY_CXX },
		{ "fib(unsigned int)", CLASSIFY_CXX }, { "idle()", CLASSIFY_CXX },
		{ "operator new(unsigned long)", CLASSIFY_CXX },
		{ "_ZN1a1bEv", CLASSIFY_CXX }, { "-[NSObject init]", CLASSIFY_CXX },
		{ "max<int>", CLASSIFY_CXX }, { "A::B::run", CLASSIFY_SIGN_PATH },
		{ "a::b", CLASSIFY_SIGN_PATH });
}

UNIT(rust_names)
{
	CHECK_ROWS({ "app::run::h0123456789abcdef", CLASSIFY_RUST },
		{ "<T as core::fmt::Debug>::fmt", CLASSIFY_RUST },
		{ "<alloc::vec::Vec<u8>>::push", CLASSIFY_RUST },
		{ "rg`<tokio::future::poll_fn::PollFn", CLASSIFY_RUST },
		{ "app::main::{{closure}}", CLASSIFY_RUST },
		{ "app::main::{closure#0}", CLASSIFY_RUST },
		{ "core::ptr::drop_in_place", CLASSIFY_RUST },
		{ "alloc::slice::<impl [T]>::sort", CLASSIFY_RUST },
		{ "std::sys::unix::read", CLASSIFY_RUST },
		{ "rg`<F as alloc::boxed::FnBox<A>>::call_box", CLASSIFY_RUST },
		{ "_$LT$T$u20$as$u20$U$GT$::f", CLASSIFY_RUST },
		{ "_ZN4core3ptr17h0123456789abcdefE", CLASSIFY_RUST },
		{ "_RNvC3app4main", CLASSIFY_RUST });
}

UNIT(go_names)
{
	CHECK_ROWS({ "runtime.goexit", CLASSIFY_GO }, { "main.main", CLASSIFY_GO },
		{ "net/http.(*conn).serve", CLASSIFY_GO },
		{ "pd`github.com/a/b.(*T).M+0x4d", CLASSIFY_GO },
		{ "fmt.newPrinter", CLASSIFY_SIGN_DOTS },
		{ "github.com/a/b.F", CLASSIFY_SIGN_DOTS });
}

UNIT(names_of_scripts)
{
	CHECK_ROWS({ "f_[j]", CLASSIFY_SCRIPT }, { "JS:*f /a/b.js:1:2", CLASSIFY_SCRIPT },
		{ "LazyCompile:~f node:fs:3", CLASSIFY_SCRIPT },
		{ "Builtins_JSEntry", CLASSIFY_SCRIPT },
		{ "[perf-12.map]", CLASSIFY_SCRIPT },
		{ "main (app.py:3)", CLASSIFY_SCRIPT }, { "<module>", CLASSIFY_SCRIPT },
		{ "py::f:/a/b.py", CLASSIFY_SCRIPT }, { "A#b", CLASSIFY_SCRIPT },
		{ "block in A#b", CLASSIFY_SCRIPT }, { "(anonymous)", CLASSIFY_SCRIPT },
		{ "java/lang/Thread.run", CLASSIFY_SCRIPT },
		{ "Ljava/lang/Thread:::run", CLASSIFY_SCRIPT },
		{ "org/mozilla/javascript/gen/file_js_1:.call", CLASSIFY_SCRIPT },
		{ "Lorg/mozilla/javascript/Interpreter;::interpret", CLASSIFY_SCRIPT },
		{ "io/netty/channel/nio/NioEventLoop.run", CLASSIFY_SCRIPT },
		{ "Interpreter", CLASSIFY_SCRIPT },
		{ "f (http://a.org/b:1)", CLASSIFY_SCRIPT },
		{ "node::Start", CLASSIFY_SIGN_PATH });
}

/* The class of NAME, one of the names in LINE. */
static unsigned
among(const char *line, const char *name)
{
	struct classify_how how = { 0 };
	struct str rest = str_of(line);
	unsigned char *classes;
	uint64_t *totals;
	unsigned class;
	struct tree t;

	tree_init(&t, 1);
	while (rest.n)
		tree_add(&t, tree_child(&t, TREE_ROOT, str_cut(&rest, ';')), 0, 1);
	totals = tree_totals(&t, 0);
	how.totals = totals;
	classes = classify_names(&how, &t);
	class = classes[intern_id(&t.names, str_of(name))];
	free(classes);
	free(totals);
	tree_release(&t);
	return class;
}

UNIT(a_path_is_what_its_namesakes_are)
{
	CHECK_U64(among("a::b", "a::b"), CLASSIFY_CXX);
	CHECK_U64(among("a::b;<x::Y as core::Z>::f", "a::b"), CLASSIFY_RUST);
	CHECK_U64(
		among("a::b;A::~A;c::{{closure}};d::{{closure}}", "a::b"), CLASSIFY_RUST);
	CHECK_U64(
		among("a::b;a::~a;c::{{closure}};d::{{closure}}", "a::b"), CLASSIFY_CXX);
	CHECK_U64(among("a::Run;A::~A;c::{{closure}};d::{{closure}}", "a::Run"),
		CLASSIFY_CXX);
	CHECK_U64(among("a::Run;c::{{closure}}", "a::Run"), CLASSIFY_RUST);
	CHECK_U64(among("a.b", "a.b"), CLASSIFY_SCRIPT);
	CHECK_U64(among("a.b;runtime.goexit", "a.b"), CLASSIFY_GO);
}

UNIT(plain_names_among_scripts_alone_are_a_scripts)
{
	const char *js = "(anonymous a.js:1);run;Module._load;a::b";

	CHECK_U64(among(js, "run"), CLASSIFY_SCRIPT);
	CHECK_U64(among(js, "a::b"), CLASSIFY_SCRIPT);
	CHECK_U64(among("(anonymous a.js:1);run;[libc.so.6]", "run"), CLASSIFY_NATIVE);
	CHECK_U64(among("(anonymous a.js:1);run;__libc_start_main", "run"),
		CLASSIFY_NATIVE);
	CHECK_U64(among("run;walk;parse", "run"), CLASSIFY_NATIVE);
}

UNIT(threads_at_the_root_are_not_code)
{
	CHECK_U64(among("java-12/34;f", "java-12/34"), CLASSIFY_ROW);
	CHECK_U64(among("java-?/7;f", "java-?/7"), CLASSIFY_ROW);
	CHECK_U64(among("f-;-3;f-3x", "f-3x"), CLASSIFY_NATIVE);
	CHECK_U64(among("f-;-3", "f-"), CLASSIFY_NATIVE);
}

UNIT(a_namespace_is_the_first)
{
	CHECK_STR(classify_namespace(STR("a::b::c")), STR("a"));
	CHECK_STR(classify_namespace(STR("void std::sort<x::y>")), STR("std"));
	CHECK_STR(classify_namespace(STR("<T as x::y>::f")), STR("x"));
	CHECK_STR(classify_namespace(STR("plain")), STR(""));
	CHECK_STR(classify_namespace(STR("::a")), STR(""));
}

struct module_row {
	const char *name, *module;
	enum classify_class class;
};

static const struct module_row MODULES[] = {
	{ "f_[k]", "kernel", CLASSIFY_KERNEL },
	{ "/usr/lib/libc.so`read", "libc.so", CLASSIFY_NATIVE },
	{ "[libc.so.6]", "libc.so.6", CLASSIFY_NATIVE },
	{ "[/opt/x/libz.so]", "libz.so", CLASSIFY_NATIVE },
	{ "main", "", CLASSIFY_NATIVE },
	{ "[unknown]", "", CLASSIFY_UNKNOWN },
	{ "0x12", "", CLASSIFY_UNKNOWN },
	{ "org/apache/spark/sql/Row.get", "org/apache/spark", CLASSIFY_SCRIPT },
	{ "Ljava/util/HashMap:::put", "java/util", CLASSIFY_SCRIPT },
	{ "java.util.HashMap.put", "java.util", CLASSIFY_SCRIPT },
	{ "Interpreter", "", CLASSIFY_SCRIPT },
	{ "json.dumps", "json", CLASSIFY_SCRIPT },
	{ "JS:*f /a/node_modules/b/node_modules/@s/c/d.js:1", "@s/c", CLASSIFY_SCRIPT },
	{ "f /a/node_modules/b-c/d.js:1", "b-c", CLASSIFY_SCRIPT },
	{ "x /a/node_modules/", "", CLASSIFY_SCRIPT },
	{ "x /a/node_modules/@", "@", CLASSIFY_SCRIPT },
	{ "f (/v/site-packages/numpy/core.py:3)", "numpy", CLASSIFY_SCRIPT },
	{ "f (/usr/lib/python3.11/json/decoder.py:9)", "json", CLASSIFY_SCRIPT },
	{ "f (/srv/web/app.py:1)", "web", CLASSIFY_SCRIPT },
	{ "f (app.py:1)", "app.py", CLASSIFY_SCRIPT },
	{ "<frozen importlib._bootstrap>:x:1", "importlib", CLASSIFY_SCRIPT },
	{ "JS:^f node:internal/a:1:2", "node", CLASSIFY_SCRIPT },
	{ "Builtins_JSEntry", "built in", CLASSIFY_SCRIPT },
	{ "<&mut alloc::vec::Vec<T> as a::B>::f", "alloc", CLASSIFY_RUST },
	{ "hashbrown::raw::f", "hashbrown", CLASSIFY_RUST },
	{ "__rustc::f", "__rustc", CLASSIFY_RUST },
	{ "_$LT$alloc..vec..Vec$LT$T$GT$$GT$::f", "alloc", CLASSIFY_RUST },
	{ "_ZN4core3ptr17h0123456789abcdefE", "core", CLASSIFY_RUST },
	{ "<T as x::Y>::f", "", CLASSIFY_RUST },
	{ "github.com/a/b.(*T).M", "github.com/a/b", CLASSIFY_GO },
	{ "net/http.(*conn).serve", "net/http", CLASSIFY_GO },
	{ "runtime.mallocgc", "runtime", CLASSIFY_GO },
	{ "void llvm::f<x::y>()", "llvm", CLASSIFY_CXX },
	{ "operator new(unsigned long)", "", CLASSIFY_CXX },
	{ "_ZN4llvm1fEv", "llvm", CLASSIFY_CXX },
	{ "_ZNSt6vectorE", "std", CLASSIFY_CXX },
	{ "_ZN99999999999999999999a", "", CLASSIFY_CXX },
	{ "_ZN", "", CLASSIFY_CXX },
};

UNIT(names_determine_their_module)
{
	size_t i;

	for (i = 0; i < sizeof MODULES / sizeof MODULES[0]; i++)
		CHECK_STR(classify_module(str_of(MODULES[i].name), MODULES[i].class),
			str_of(MODULES[i].module));
}

UNIT(the_heaviest_are_listed)
{
	struct tree t;
	struct classify_modules m;
	struct classify_how how = { 0 };
	struct buf name = { 0 };
	uint64_t *totals;
	uint32_t node;
	size_t i;

	tree_init(&t, 1);
	for (i = 0; i < 20; i++) {
		buf_clear(&name);
		buf_fmt(&name, "lib%zu`f", i);
		node = tree_child(&t, TREE_ROOT, buf_view(&name));
		/* calls within a module do not count twice */
		tree_add(&t, tree_child_id(&t, node, t.nodes[node].name), 0, 10 + i);
	}
	totals = tree_totals(&t, 0);
	how.totals = totals;
	classify_modules_init(&m, &how, &t);
	CHECK_U64(m.n, CLASSIFY_MODULES_MOST);
	CHECK_STR(m.names[0], STR("lib19"));
	CHECK_STR(m.names[10], STR("lib9"));
	CHECK_U64(m.of[19], 0);
	CHECK_U64(m.of[0], CLASSIFY_MODULES_MOST);
	classify_modules_release(&m);
	free(totals);
	buf_release(&name);
	tree_release(&t);
}

UNIT_MAIN
