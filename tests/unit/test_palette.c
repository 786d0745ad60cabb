/* SPDX-License-Identifier: ISC */
/* Tests of palette and language. */
#include "unit.h"
#include "classify.h"
#include "language.h"
#include "options.h"
#include "palette.h"

#include <math.h>

/* The colour of NAME in a palette that depends only on names. */
static unsigned
pick(const struct palette *p, struct str name)
{
	return palette_shade(p, palette_family(p, name), name);
}

UNIT(every_colour_stands_off_its_text_and_the_page)
{
	struct palette p;
	size_t i;
	unsigned c;

	for (i = 0; palette_name(i).n; i++) {
		CHECK(palette_init(&p, palette_name(i), false));
		CHECK(p.n > 0 && p.n <= PALETTE_MAX);
		for (c = 0; c < p.n; c++)
			CHECK(colour_contrast(p.colours[c]) >= 7 &&
				colour_contrast_page(p.colours[c]) >= 1.5);
	}
	CHECK(i >= 16);
}

UNIT(the_option_offers_every_palette)
{
	const struct opt *o = options_svg;
	size_t i;

	while (!o->name || strcmp(o->name, "colors") != 0)
		o++;
	for (i = 0; o->words[i]; i++)
		CHECK_STR(palette_name(i), str_of(o->words[i]));
	CHECK_U64(palette_name(i).n, 0);
}

/* And no tint is the colour of what is called. */
UNIT(inlined_functions_are_tints_of_their_origin)
{
	struct palette p;
	unsigned called, tint;

	CHECK(palette_init(&p, STR("auto"), false));
	called = palette_shade(&p, CLASSIFY_RUST, STR("a::b"));
	tint = palette_shade(&p, CLASSIFY_RUST, STR("a::b_[i]"));
	CHECK(memcmp(&p.colours[called], &p.colours[tint], sizeof *p.colours) != 0);
	CHECK(colour_contrast(p.colours[tint]) > colour_contrast(p.colours[called]));
	CHECK_U64(tint - p.tints, called);
	CHECK(palette_init(&p, STR("hot"), false));
	CHECK_U64(palette_shade(&p, 0, STR("f_[i]")), palette_shade(&p, 0, STR("f")));
}

UNIT(contrast_is_as_in_wcag)
{
	CHECK(fabs(colour_contrast((struct colour){ 255, 255, 255 }) - 21) < 1e-9);
	CHECK(fabs(colour_contrast((struct colour){ 0, 0, 0 }) - 1) < 1e-9);
	/* the value of common WCAG checkers for #767676 */
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
		c = pick(&p, str_of(name));
		CHECK(c < p.n);
		CHECK_U64(pick(&p, str_of(name)), c);
		n += !used[c];
		used[c] = true;
	}
	CHECK_U64(n, 24);
}

UNIT(annotations_change_the_family_not_the_shade)
{
	struct palette p;

	CHECK(palette_init(&p, STR("hot"), false));
	CHECK_U64(pick(&p, STR("read_[k]")), pick(&p, STR("read")));
	CHECK(palette_init(&p, STR("java"), false));
	CHECK_U64(pick(&p, STR("read_[k]")) % p.shades, pick(&p, STR("read")) % p.shades);
	CHECK_U64(pick(&p, STR("read_[k]")) / p.shades, LANGUAGE_JAVA_KERNEL);
}

UNIT(names_spelled_alike_look_alike)
{
	struct palette p;

	CHECK(palette_init(&p, STR("hot"), true));
	CHECK_U64(pick(&p, STR("tcp_send_msg")), pick(&p, STR("tcp_recv_msg")));
	CHECK(pick(&p, STR("tcp_send_msg")) != pick(&p, STR("do_idle")));
	CHECK_U64(pick(&p, STR("libc`read")), pick(&p, STR("read")));
	CHECK(pick(&p, STR("")) < p.n);
}

UNIT(dashes_are_grey)
{
	struct palette p;
	struct colour c;
	size_t i;

	for (i = 0; palette_name(i).n; i++) {
		CHECK(palette_init(&p, palette_name(i), i % 2));
		c = p.colours[pick(&p, STR("-"))];
		CHECK(c.r == 200 && c.g == 200 && c.b == 200);
		c = p.colours[pick(&p, STR("--"))];
		CHECK(c.r == 160 && c.g == 160 && c.b == 160);
	}
}

UNIT(unknown_palettes_are_refused)
{
	struct palette p;

	CHECK(!palette_init(&p, STR("purpel"), false));
	CHECK(!palette_init(&p, STR(""), false));
}

/* C as CIE's L*a*b*, for an eye that maps linear light by MIX. */
static void
to_lab(struct colour c, const double mix[3][3], double lab[3])
{
	static const double to_xyz[3][3] = { { 0.4339, 0.3762, 0.1899 },
		{ 0.2126, 0.7152, 0.0722 }, { 0.0178, 0.1095, 0.8730 } };
	double part[3], xyz[3], seen[3], rgb[3] = { c.r, c.g, c.b };
	int i, j;

	for (i = 0; i < 3; i++) {
		part[i] = rgb[i] / 255;
		part[i] = part[i] <= 0.04045 ? part[i] / 12.92
					     : pow((part[i] + 0.055) / 1.055, 2.4);
	}
	for (i = 0; i < 3; i++) {
		for (seen[i] = j = 0; j < 3; j++)
			seen[i] += mix[i][j] * part[j];
		seen[i] = fmin(fmax(seen[i], 0), 1);
	}
	for (i = 0; i < 3; i++) {
		for (xyz[i] = j = 0; j < 3; j++)
			xyz[i] += to_xyz[i][j] * seen[j];
		xyz[i] = xyz[i] > 216.0 / 24389 ? cbrt(xyz[i])
						: (24389.0 / 27 * xyz[i] + 16) / 116;
	}
	lab[0] = 116 * xyz[1] - 16;
	lab[1] = 500 * (xyz[0] - xyz[1]);
	lab[2] = 200 * (xyz[1] - xyz[2]);
}

/* The distance of A and B for that eye (CIE 1976). */
static double
difference(struct colour a, struct colour b, const double mix[3][3])
{
	double x[3], y[3];

	to_lab(a, mix, x);
	to_lab(b, mix, y);
	return sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
}

UNIT(every_eye_distinguishes_origins)
{
	/* Machado, Oliveira and Fernandes 2009, severity 1 */
	static const double eyes[4][3][3] = {
		{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		{ { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
			{ -0.003882, -0.048116, 1.051998 } },
		{ { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
			{ -0.011820, 0.042940, 0.968881 } },
		{ { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 },
			{ 0.004733, 0.691367, 0.303900 } },
	};
	struct colour middle[CLASSIFY_CLASSES];
	struct palette p;
	size_t eye, i, j;

	CHECK(palette_init(&p, STR("auto"), false));
	for (i = 0; i < CLASSIFY_CLASSES; i++) {
		middle[i] = p.colours[i * p.shades + p.shades / 2];
		CHECK(colour_contrast(middle[i]) >= 7);
	}
	for (eye = 0; eye < 4; eye++)
		for (i = 0; i < CLASSIFY_CLASSES; i++)
			for (j = 0; j < i; j++)
				CHECK(difference(middle[i], middle[j], eyes[eye]) >=
					(eye ? 12 : 20));
}

UNIT(heavy_modules_differ_in_hue_and_not_in_lightness)
{
	static const double plain[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	struct colour middle[CLASSIFY_MODULES_MOST];
	struct palette p;
	double lab[3];
	size_t i, j;

	CHECK(palette_init(&p, STR("module"), false));
	for (i = 0; i < CLASSIFY_MODULES_MOST; i++) {
		middle[i] = p.colours[i * p.shades + p.shades / 2];
		to_lab(middle[i], plain, lab);
		CHECK(fabs(lab[0] - 81) < 2);
		for (j = 0; j < i; j++)
			CHECK(difference(middle[i], middle[j], plain) > 10);
	}
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

UNIT(colours_are_read_as_svg_has_them)
{
	struct colour c;

	CHECK(colour_parse_any(STR("rgb(1, 2 ,255)"), &c));
	CHECK(c.r == 1 && c.g == 2 && c.b == 255);
	CHECK(colour_parse_any(STR("steelblue"), &c));
	CHECK(c.r == 0x46 && c.g == 0x82 && c.b == 0xb4);
	CHECK(colour_parse_any(STR("#123"), &c));
	CHECK(!colour_parse_rgb(STR("rgb(1,2,256)"), &c));
	CHECK(!colour_parse_rgb(STR("rgb(1,2)"), &c));
	CHECK(!colour_parse_rgb(STR("rgb(1,2,3,4)"), &c));
	CHECK(!colour_parse_rgb(STR("rgb(1,2,3"), &c));
	CHECK(!colour_parse_rgb(STR("rgb(,,)"), &c));
	CHECK(!colour_parse_any(STR("steel"), &c));
	CHECK(!colour_parse_any(STR(""), &c));
}

UNIT(java_kinds)
{
	CHECK_U64(language_java(STR("Ljava/lang/Thread:::run")), LANGUAGE_JAVA);
	CHECK_U64(language_java(STR("org.app.Main.main")), LANGUAGE_JAVA);
	CHECK_U64(language_java(STR("groovy/lang/Closure.call")), LANGUAGE_JAVA);
	CHECK_U64(language_java(STR("Interpreter")), LANGUAGE_JAVA);
	CHECK_U64(language_java(STR("f_[j]")), LANGUAGE_JAVA);
	CHECK_U64(language_java(STR("f_[i]")), LANGUAGE_JAVA_INLINED);
	CHECK_U64(language_java(STR("f::g_[k]")), LANGUAGE_JAVA_KERNEL);
	CHECK_U64(language_java(STR("JavaThread::run")), LANGUAGE_JAVA_CXX);
	CHECK_U64(language_java(STR("-[NSObject init]")), LANGUAGE_JAVA_CXX);
	CHECK_U64(language_java(STR("start_thread")), LANGUAGE_JAVA_NATIVE);
	CHECK_U64(language_java(STR("/usr/lib/libc.so.6")), LANGUAGE_JAVA_NATIVE);
	CHECK_U64(language_java(STR("[libjvm.so]")), LANGUAGE_JAVA_NATIVE);
	CHECK_U64(language_java(STR("copy.constprop.0")), LANGUAGE_JAVA_NATIVE);
}

UNIT(js_kinds)
{
	CHECK_U64(language_js(STR("LazyCompile:~f /a/b.js:1_[j]")), LANGUAGE_JS);
	CHECK_U64(language_js(STR("JS:~f file:///a/b.mjs:1")), LANGUAGE_JS);
	CHECK_U64(language_js(STR("Builtin:ArrayMap_[j]")), LANGUAGE_JS_BUILTIN);
	CHECK_U64(language_js(STR("/a/node_modules/b/c.js:1_[j]")), LANGUAGE_JS_MODULE);
	CHECK_U64(language_js(STR("v8::internal::Invoke")), LANGUAGE_JS_CXX);
	CHECK_U64(language_js(STR("vfs_read_[k]")), LANGUAGE_JS_KERNEL);
	CHECK_U64(language_js(STR("uv_run")), LANGUAGE_JS_NATIVE);
}

UNIT(other_kinds)
{
	CHECK_U64(language_perl(STR("Perl_pp_entersub")), LANGUAGE_PERL);
	CHECK_U64(language_perl(STR("a::b")), LANGUAGE_PERL_CXX);
	CHECK_U64(language_python(STR("/v/lib/python3.11/site-packages/x.py:f")),
		LANGUAGE_PYTHON_PACKAGE);
	CHECK_U64(language_python(STR("/usr/lib/python3.11/json.py:f")),
		LANGUAGE_PYTHON_LIBRARY);
	CHECK_U64(language_python(STR("<built-in method len>")), LANGUAGE_PYTHON_LIBRARY);
	CHECK_U64(language_python(STR("app.py:main")), LANGUAGE_PYTHON);
	CHECK_U64(language_rust(STR("<alloc::vec::Vec<T> as Drop>::drop")),
		LANGUAGE_RUST_LIBRARY);
	CHECK_U64(language_rust(STR("prog`std::rt::lang_start")), LANGUAGE_RUST_LIBRARY);
	CHECK_U64(language_rust(STR("app::run")), LANGUAGE_RUST);
	CHECK_U64(language_rust(STR("main")), LANGUAGE_RUST_OTHER);
	CHECK_U64(language_chain(STR("wake_[w]")), LANGUAGE_CHAIN_WAKER);
}

UNIT_MAIN
