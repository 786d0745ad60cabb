/* SPDX-License-Identifier: ISC */
/* Tests of package. */
#include "unit.h"
#include "package.h"

#include "buf.h"

struct row {
	const char *name, *module;
	enum origin origin;
};

static const struct row ROWS[] = {
	{ "f_[k]", "kernel", ORIGIN_KERNEL },
	{ "/usr/lib/libc.so`read", "libc.so", ORIGIN_NATIVE },
	{ "[libc.so.6]", "libc.so.6", ORIGIN_NATIVE },
	{ "[/opt/x/libz.so]", "libz.so", ORIGIN_NATIVE },
	{ "main", "", ORIGIN_NATIVE },
	{ "[unknown]", "", ORIGIN_UNKNOWN },
	{ "0x12", "", ORIGIN_UNKNOWN },
	{ "org/apache/spark/sql/Row.get", "org/apache/spark", ORIGIN_SCRIPT },
	{ "Ljava/util/HashMap:::put", "java/util", ORIGIN_SCRIPT },
	{ "java.util.HashMap.put", "java.util", ORIGIN_SCRIPT },
	{ "Interpreter", "", ORIGIN_SCRIPT },
	{ "json.dumps", "json", ORIGIN_SCRIPT },
	{ "JS:*f /a/node_modules/b/node_modules/@s/c/d.js:1", "@s/c", ORIGIN_SCRIPT },
	{ "f /a/node_modules/b-c/d.js:1", "b-c", ORIGIN_SCRIPT },
	{ "x /a/node_modules/", "", ORIGIN_SCRIPT },
	{ "x /a/node_modules/@", "@", ORIGIN_SCRIPT },
	{ "f (/v/site-packages/numpy/core.py:3)", "numpy", ORIGIN_SCRIPT },
	{ "f (/usr/lib/python3.11/json/decoder.py:9)", "json", ORIGIN_SCRIPT },
	{ "f (/srv/web/app.py:1)", "web", ORIGIN_SCRIPT },
	{ "f (app.py:1)", "app.py", ORIGIN_SCRIPT },
	{ "<frozen importlib._bootstrap>:x:1", "importlib", ORIGIN_SCRIPT },
	{ "JS:^f node:internal/a:1:2", "node", ORIGIN_SCRIPT },
	{ "Builtins_JSEntry", "built in", ORIGIN_SCRIPT },
	{ "<&mut alloc::vec::Vec<T> as a::B>::f", "alloc", ORIGIN_RUST },
	{ "hashbrown::raw::f", "hashbrown", ORIGIN_RUST },
	{ "__rustc::f", "__rustc", ORIGIN_RUST },
	{ "_$LT$alloc..vec..Vec$LT$T$GT$$GT$::f", "alloc", ORIGIN_RUST },
	{ "_ZN4core3ptr17h0123456789abcdefE", "core", ORIGIN_RUST },
	{ "<T as x::Y>::f", "", ORIGIN_RUST },
	{ "github.com/a/b.(*T).M", "github.com/a/b", ORIGIN_GO },
	{ "net/http.(*conn).serve", "net/http", ORIGIN_GO },
	{ "runtime.mallocgc", "runtime", ORIGIN_GO },
	{ "void llvm::f<x::y>()", "llvm", ORIGIN_CXX },
	{ "operator new(unsigned long)", "", ORIGIN_CXX },
	{ "_ZN4llvm1fEv", "llvm", ORIGIN_CXX },
	{ "_ZNSt6vectorE", "std", ORIGIN_CXX },
	{ "_ZN99999999999999999999a", "", ORIGIN_CXX },
	{ "_ZN", "", ORIGIN_CXX },
};

UNIT(names_tell_their_module)
{
	size_t i;

	for (i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++)
		CHECK_STR(package_of(str_of(ROWS[i].name), ROWS[i].origin),
			str_of(ROWS[i].module));
}

UNIT(the_heaviest_are_listed)
{
	struct tree t;
	struct package_list m;
	struct origin_how how = { 0 };
	struct buf name = { 0 };
	uint64_t *totals;
	uint32_t node;
	size_t i;

	tree_init(&t, 1);
	for (i = 0; i < 20; i++) {
		buf_clear(&name);
		buf_fmt(&name, "lib%zu`f", i);
		node = tree_child(&t, TREE_ROOT, buf_view(&name));
		/* what a module calls in itself does not count twice */
		tree_add(&t, tree_child_id(&t, node, t.nodes[node].name), 0, 10 + i);
	}
	totals = tree_totals(&t, 0);
	how.totals = totals;
	package_list_init(&m, &how, &t);
	CHECK_U64(m.n, PACKAGE_MOST);
	CHECK_STR(m.names[0], STR("lib19"));
	CHECK_STR(m.names[10], STR("lib9"));
	CHECK_U64(m.of[19], 0);
	CHECK_U64(m.of[0], PACKAGE_MOST);
	package_list_release(&m);
	free(totals);
	buf_release(&name);
	tree_release(&t);
}

UNIT_MAIN
