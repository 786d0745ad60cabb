/* SPDX-License-Identifier: ISC */
/* Laws of names: no program prints hostile names unescaped; see laws.h. */
#include "laws.h"

#if HAVE_EXPAT
#include <expat.h>
#endif

/* A profile of one or two columns whose names and header contain terminal controls, changes of
 * text direction, line breaks, characters forbidden in XML, invalid UTF-8, and delimiters of
 * various formats. The stacks of one function have WEIGHT. */
static void
put_odd(enum slot to, int columns, int weight)
{
	const struct str odd[] = { STR("a\033[31m"), STR("b\0c.c"), STR("d\177"),
		STR("e\302\205"), STR("f\302\233m"), STR("g\342\200\250x"),
		STR("h\342\200\251x"), STR("i\342\200\256x"), STR("j\342\201\246x"),
		STR("k\rl"), STR("l\tm"), STR("</script>]]>"), STR("<!--"), STR("-->"),
		STR("\"q\\"), STR("n\377"), STR("o\355\240\200"), STR("p\357\277\276"),
		STR("\357\273\277q"), STR("=HYPERLINK(\"http://x\")"), STR("+a"),
		STR("-b"), STR("@c"), STR("'=d"), STR("`e`|*f*|[x](y)"), STR("%1B"),
		STR("r\363\240\200\201"), STR("\033[2J:x\033[31m.c:3") };
	bool two = columns == 2;
	struct buf b = { 0 };

	buf_str(&b,
		STR("#fg 1 unit=u%1B%22%3C%E2%80%AE command=c%00%0A%1B[31m%22%3C/script%3E%E2%80%A8"
		    " name=n%1B%22%E2%80%A9 verdict=v%1B%C2%9B start=1700000000 by=tid%1B,time "));
	buf_str(&b, two ? STR("samples=10 samples-before=10\n") : STR("samples=20\n"));
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		buf_str(&b, STR("t\033[31m;0.5;main:m\033.c:1;"));
		buf_str(&b, odd[i]);
		buf_fmt(&b, ":n\033.c:2 %d%s\n", weight, two ? " 7" : "");
		buf_str(&b, STR("t\033[31m;1.5;main;"));
		buf_str(&b, odd[i]);
		buf_fmt(&b, ";work 5%s\n", two ? " 4" : "");
	}
	put_text(to, buf_view(&b));
	buf_release(&b);
}

static const char *words; /* of the current program */

/* Whether a file contains only visible text: UTF-8 without control characters, line separators,
 * marks of direction, characters without width, and unassigned ones. */
static bool
is_harmless(enum slot slot)
{
	static const char acting[] =
		"[\\x00-\\x08\\x0b-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]"
		"|\\xe2\\x80[\\x8b\\x8e\\x8f\\xa8-\\xae]|\\xe2\\x81[\\xa0-\\xaf]"
		"|\\xef\\xbb\\xbf|\\xef\\xbf[\\xbe\\xbf]|\\xf3\\xa0[\\x80\\x81]";

	return matches("", UTF8, text_of(slot)) && !matches(acting, BYTES, text_of(slot));
}

static struct verdict
output_shows_what_it_has(void)
{
	int status = run(LEFT, "%s $A", words);

	return verdict((status <= 1 && text_of(LEFT).n && is_harmless(LEFT) &&
			       is_harmless(ERR)) ||
		differs("%s", words));
}

static struct verdict
no_cell_is_a_formula(void)
{
	static const char formula[] =
		"(^|\\t)[=+@-](?![0-9.]+(e[+-]?[0-9]+)?(\\t|$)|\\t|$)";

	run(LEFT, "%s $A", words);
	return verdict(!matches(formula, BYTES, text_of(LEFT)) || differs("%s", words));
}

static struct verdict
pictures_are_xml(void)
{
#if HAVE_EXPAT
	XML_Parser parser = XML_ParserCreateNS(NULL, '|');
	struct str text;
	bool good;

	run(LEFT, "%s $A", words);
	text = text_of(LEFT);
	good = XML_Parse(parser, text.s, (int)text.n, 1) == XML_STATUS_OK ||
		differs("%s: %s", words, XML_ErrorString(XML_GetErrorCode(parser)));
	XML_ParserFree(parser);
	return verdict(good);
#else
	return vacuous("expat is not installed");
#endif
}

/* Tries the law, and another one if it is not NULL, on programs that print the names in A. */
static void
try_programs(const char *const *lines, const struct law *another)
{
	static const struct law shown = LAW(output_shows_what_it_has);

	for (; (words = *lines); lines++) {
		try_law(&shown);
		if (another)
			try_law(another);
	}
}

/* Tries the targets that are text with names for people, except those read by other tools and
 * those that need times. */
static void
try_targets(void)
{
	static const char others[] = "^(?:pprof|otlp|folded|chrome|cpuprofile)$";
	struct buf line = { 0 };
	struct str rows, row, name;

	run(C, "fg-export --list-targets");
	for (rows = text_of(C); rows.n;) {
		row = str_cut(&rows, '\n');
		name = str_word(&row);
		if (matches(others, BYTES, name))
			continue;
		buf_clear(&line);
		buf_fmt(&line, "fg-export --to %.*s", STR_ARG(name));
		try_programs((const char *const[]){ buf_cstr(&line), NULL }, NULL);
	}
	buf_release(&line);
}

void
try_odd_names(void)
{
	static const char *const reports[] = { "fg-report", "fg-report --tree",
		"fg-report --callers main", "fg-report --callees main",
		"fg-report --brief", "fg-report --brief=60000", "fg-report --json",
		"fg-report --json --tree", "fg-report --tree --width 40", "fg-annotate",
		"fg-annotate --json main", "fg-merge --check", NULL };
	static const char *const of_one_column[] = { "fg-report --by time",
		"fg-report --json --by time", "fg-diff --report text $B",
		"fg-diff --report markdown $B", "fg-diff --report json $B", NULL };
	static const char *const tables[] = { "fg-report --tsv", "fg-report --tsv --tree",
		"fg-report --tsv --callers main", NULL };
	static const char *const pictures[] = { "fg-svg", "fg-svg --inverted",
		"fg-svg --flamechart", "fg-svg --reverse", "fg-svg --no-data",
		"fg-svg --colors module", "fg-svg --width 300", NULL };
	static const struct law formulas = LAW(no_cell_is_a_formula);
	static const struct law xml = LAW(pictures_are_xml);

	put_odd(B, 1, 50);
	for (int columns = 1; columns <= 2; columns++) {
		put_odd(A, columns, 5);
		try_programs(reports, NULL);
		if (columns == 1)
			try_programs(of_one_column, NULL);
		try_programs(tables, &formulas);
		try_programs(pictures, &xml);
		try_targets();
	}
}
