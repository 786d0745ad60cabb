/* SPDX-License-Identifier: ISC */
/* Tests of palette and kind. */
#include "unit.h"
#include "kind.h"
#include "palette.h"

#include <math.h>

UNIT(black_text_is_readable_on_every_colour)
{
	struct palette p;
	size_t i;
	unsigned c;

	for (i = 0; palette_name(i).n; i++) {
		CHECK(palette_init(&p, palette_name(i), false));
		CHECK(p.n > 0 && p.n <= PALETTE_MAX);
		for (c = 0; c < p.n; c++)
			CHECK(colour_contrast(p.colours[c]) >= COLOUR_READABLE);
	}
	CHECK(i >= 16);
}

UNIT(contrast_is_that_of_wcag)
{
	CHECK(fabs(colour_contrast((struct colour){ 255, 255, 255 }) - 21) < 1e-9);
	CHECK(fabs(colour_contrast((struct colour){ 0, 0, 0 }) - 1) < 1e-9);
	/* a value that WCAG's own checkers give for #767676 */
	CHECK(fabs(colour_contrast((struct colour){ 118, 118, 118 }) - 4.62) < 0.01);
}

UNIT(a_name_has_one_colour_in_its_palette)
{
	struct palette p;
	char name[16];
	bool used[PALETTE_MAX] = { false };
	size_t i, n = 0;
	unsigned c;

	CHECK(palette_init(&p, STR("hot"), false));
	for (i = 0; i < 1000; i++) {
		snprintf(name, sizeof name, "f%zu", i);
		c = palette_pick(&p, str_of(name));
		CHECK(c < p.n);
		CHECK_U64(palette_pick(&p, str_of(name)), c);
		n += !used[c];
		used[c] = true;
	}
	CHECK_U64(n, 24);
}

UNIT(annotations_change_the_family_not_the_shade)
{
	struct palette p;

	CHECK(palette_init(&p, STR("hot"), false));
	CHECK_U64(palette_pick(&p, STR("read_[k]")), palette_pick(&p, STR("read")));
	CHECK(palette_init(&p, STR("java"), false));
	CHECK_U64(palette_pick(&p, STR("read_[k]")) % p.shades,
		palette_pick(&p, STR("read")) % p.shades);
	CHECK_U64(palette_pick(&p, STR("read_[k]")) / p.shades, KIND_JAVA_KERNEL);
}

UNIT(names_spelled_alike_look_alike)
{
	struct palette p;

	CHECK(palette_init(&p, STR("hot"), true));
	CHECK_U64(palette_pick(&p, STR("tcp_send_msg")),
		palette_pick(&p, STR("tcp_recv_msg")));
	CHECK(palette_pick(&p, STR("tcp_send_msg")) != palette_pick(&p, STR("do_idle")));
	CHECK_U64(palette_pick(&p, STR("libc`read")), palette_pick(&p, STR("read")));
	CHECK(palette_pick(&p, STR("")) < p.n);
}

UNIT(dashes_are_grey)
{
	struct palette p;
	struct colour c;
	size_t i;

	for (i = 0; palette_name(i).n; i++) {
		CHECK(palette_init(&p, palette_name(i), i % 2));
		c = p.colours[palette_pick(&p, STR("-"))];
		CHECK(c.r == 200 && c.g == 200 && c.b == 200);
		c = p.colours[palette_pick(&p, STR("--"))];
		CHECK(c.r == 160 && c.g == 160 && c.b == 160);
	}
}

UNIT(unknown_palettes_are_none)
{
	struct palette p;

	CHECK(!palette_init(&p, STR("purpel"), false));
	CHECK(!palette_init(&p, STR(""), false));
}

UNIT(colours_are_read_in_both_forms)
{
	struct colour c;

	CHECK(colour_parse(STR("#1aF"), &c));
	CHECK(c.r == 0x11 && c.g == 0xaa && c.b == 0xff);
	CHECK(colour_parse(STR("#12aBfe"), &c));
	CHECK(c.r == 0x12 && c.g == 0xab && c.b == 0xfe);
	CHECK(!colour_parse(STR("#12"), &c));
	CHECK(!colour_parse(STR("#12345"), &c));
	CHECK(!colour_parse(STR("123"), &c));
	CHECK(!colour_parse(STR("#12g"), &c));
	CHECK(!colour_parse(STR("red"), &c));
	CHECK(!colour_parse(STR(""), &c));
}

UNIT(java_kinds)
{
	CHECK_U64(kind_java(STR("Ljava/lang/Thread:::run")), KIND_JAVA);
	CHECK_U64(kind_java(STR("org.app.Main.main")), KIND_JAVA);
	CHECK_U64(kind_java(STR("groovy/lang/Closure.call")), KIND_JAVA);
	CHECK_U64(kind_java(STR("Interpreter")), KIND_JAVA);
	CHECK_U64(kind_java(STR("f_[j]")), KIND_JAVA);
	CHECK_U64(kind_java(STR("f_[i]")), KIND_JAVA_INLINED);
	CHECK_U64(kind_java(STR("f::g_[k]")), KIND_JAVA_KERNEL);
	CHECK_U64(kind_java(STR("JavaThread::run")), KIND_JAVA_CXX);
	CHECK_U64(kind_java(STR("-[NSObject init]")), KIND_JAVA_CXX);
	CHECK_U64(kind_java(STR("start_thread")), KIND_JAVA_NATIVE);
	CHECK_U64(kind_java(STR("/usr/lib/libc.so.6")), KIND_JAVA_NATIVE);
	CHECK_U64(kind_java(STR("[libjvm.so]")), KIND_JAVA_NATIVE);
	CHECK_U64(kind_java(STR("copy.constprop.0")), KIND_JAVA_NATIVE);
}

UNIT(js_kinds)
{
	CHECK_U64(kind_js(STR("LazyCompile:~f /a/b.js:1_[j]")), KIND_JS);
	CHECK_U64(kind_js(STR("JS:~f file:///a/b.mjs:1")), KIND_JS);
	CHECK_U64(kind_js(STR("Builtin:ArrayMap_[j]")), KIND_JS_BUILTIN);
	CHECK_U64(kind_js(STR("/a/node_modules/b/c.js:1_[j]")), KIND_JS_MODULE);
	CHECK_U64(kind_js(STR("v8::internal::Invoke")), KIND_JS_CXX);
	CHECK_U64(kind_js(STR("vfs_read_[k]")), KIND_JS_KERNEL);
	CHECK_U64(kind_js(STR("uv_run")), KIND_JS_NATIVE);
}

UNIT(other_kinds)
{
	CHECK_U64(kind_perl(STR("Perl_pp_entersub")), KIND_PERL);
	CHECK_U64(kind_perl(STR("a::b")), KIND_PERL_CXX);
	CHECK_U64(kind_python(STR("/v/lib/python3.11/site-packages/x.py:f")),
		KIND_PYTHON_PACKAGE);
	CHECK_U64(kind_python(STR("/usr/lib/python3.11/json.py:f")), KIND_PYTHON_LIBRARY);
	CHECK_U64(kind_python(STR("<built-in method len>")), KIND_PYTHON_LIBRARY);
	CHECK_U64(kind_python(STR("app.py:main")), KIND_PYTHON);
	CHECK_U64(
		kind_rust(STR("<alloc::vec::Vec<T> as Drop>::drop")), KIND_RUST_LIBRARY);
	CHECK_U64(kind_rust(STR("prog`std::rt::lang_start")), KIND_RUST_LIBRARY);
	CHECK_U64(kind_rust(STR("app::run")), KIND_RUST);
	CHECK_U64(kind_rust(STR("main")), KIND_RUST_OTHER);
	CHECK_U64(kind_chain(STR("wake_[w]")), KIND_CHAIN_WAKER);
}

UNIT_MAIN
