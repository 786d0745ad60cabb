/* SPDX-License-Identifier: ISC */
/* Tests of terminal: bars, and names that cannot do harm. */
#include "unit.h"
#include "terminal.h"

static struct buf got;
static const struct terminal UTF8 = { .utf8 = true, .width = 80 };
static const struct terminal PLAIN = { .ascii = true, .width = 80 };

static struct str
bar(const struct terminal *t, double part, size_t columns)
{
	buf_clear(&got);
	terminal_put_bar(&got, t, part, columns);
	return buf_view(&got);
}

static struct str
name(const struct terminal *t, struct str text, size_t columns)
{
	buf_clear(&got);
	terminal_put_name(&got, t, text, columns);
	return buf_view(&got);
}

UNIT(bars_have_eighths_of_a_column)
{
	CHECK_STR(bar(&UTF8, 1, 2), STR("\xe2\x96\x88\xe2\x96\x88"));
	CHECK_STR(bar(&UTF8, 0.5, 2), STR("\xe2\x96\x88 "));
	CHECK_STR(bar(&UTF8, 1 / 16.0, 2), STR("\xe2\x96\x8f "));
	CHECK_STR(bar(&UTF8, 15 / 16.0, 2), STR("\xe2\x96\x88\xe2\x96\x89"));
	CHECK_STR(bar(&UTF8, 0, 2), STR("  "));
}

UNIT(bars_in_ascii_have_whole_columns)
{
	CHECK_STR(bar(&PLAIN, 0.5, 4), STR("##  "));
	CHECK_STR(bar(&PLAIN, 0.6, 4), STR("##  "));
	CHECK_STR(bar(&PLAIN, 0.65, 4), STR("### "));
}

UNIT(bars_keep_to_their_columns)
{
	CHECK_STR(bar(&PLAIN, 7, 3), STR("###"));
	CHECK_STR(bar(&PLAIN, -1, 3), STR("   "));
	CHECK_STR(bar(&PLAIN, 1, 0), STR(""));
}

UNIT(no_control_character_gets_through)
{
	char all[3 * 256], text[2];
	size_t i, n = 0;

	for (i = 0; i < 256; i++) {
		text[0] = (char)i;
		name(&UTF8, (struct str){ text, 1 }, 80);
		memcpy(all + n, got.s, got.n);
		n += got.n;
	}
	for (i = 0; i < n; i++)
		CHECK((unsigned char)all[i] >= ' ' && all[i] != 0x7f);
	/* U+009B is "ESC [" in one character, U+202E reverses text. */
	CHECK_STR(name(&UTF8, STR("a\xc2\x9b\x32J\xe2\x80\xaex"), 80),
		STR("a\xef\xbf\xbd\x32J\xef\xbf\xbdx"));
	CHECK_STR(name(&PLAIN, STR("a\033[2J\xc3\xa9"), 80), STR("a?[2J?"));
}

UNIT(names_are_cut_only_where_lines_are)
{
	struct terminal t = { .utf8 = true };
	const struct str text = STR("a_function_with_a_long_name");

	CHECK_STR(name(&t, text, 9), text);
	t.cut = true;
	CHECK_STR(name(&t, text, 9), STR("a_fu\xe2\x80\xa6name"));
	t.utf8 = false;
	CHECK_STR(name(&t, text, 9), STR("a_fu..ame"));
	CHECK_STR(name(&t, STR("short"), 9), STR("short"));
}

UNIT(cells_are_aligned_by_columns_not_bytes)
{
	buf_clear(&got);
	terminal_put_right(&got, STR("\xc2\xb1\x31"), 4);
	CHECK_STR(buf_view(&got), STR("  \xc2\xb1\x31"));
	buf_clear(&got);
	terminal_put_right(&got, STR("wider"), 2);
	CHECK_STR(buf_view(&got), STR("wider"));
}

UNIT(styles_need_colour)
{
	struct terminal t = { .utf8 = true };

	buf_clear(&got);
	terminal_put_style(&got, &t, TERMINAL_BOLD);
	CHECK_U64(got.n, 0);
	t.colour = true;
	terminal_put_style(&got, &t, TERMINAL_BOLD);
	terminal_put_style(&got, &t, TERMINAL_PLAIN);
	CHECK_STR(buf_view(&got), STR("\033[1m\033[0m"));
}

static bool
is_utf8_in(const char *all, const char *type, const char *lang)
{
	struct terminal t;

	setenv("LC_ALL", all, 1);
	setenv("LC_CTYPE", type, 1);
	setenv("LANG", lang, 1);
	terminal_init(&t, -1, 0, TERMINAL_NEVER);
	return t.utf8;
}

UNIT(the_first_locale_that_is_set_counts)
{
	CHECK(is_utf8_in("", "", "de_DE.UTF-8"));
	CHECK(is_utf8_in("", "C.utf8", "C"));
	CHECK(!is_utf8_in("C", "C.utf8", "C.utf8"));
	CHECK(!is_utf8_in("", "", ""));
	CHECK(!is_utf8_in("", "", "de_DE.UTF"));
}

UNIT(other_outputs_are_80_wide_and_not_cut)
{
	struct terminal t;

	setenv("COLUMNS", "33", 1);
	terminal_init(&t, -1, 0, TERMINAL_AUTO);
	CHECK_U64(t.width, 80);
	CHECK(!t.cut && !t.colour && !t.ascii);
	terminal_init(&t, -1, 40, TERMINAL_ALWAYS);
	CHECK_U64(t.width, 40);
	CHECK(t.cut && t.colour);
}

UNIT_MAIN
