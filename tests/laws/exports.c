/* SPDX-License-Identifier: ISC */
/*
 * Laws of fg-export: fg-collapse reads back the stacks from each target that keeps them.
 * tests/exports/readers tests other tools as readers.
 *
 * TEXT is the current profile without the parts that no target keeps: it has one column,
 * dimensions with a meaning, and no stack of dimensions alone. Those parts have cases of their
 * own.
 */
#include "laws.h"

#include "match.h"

static struct {
	struct buf by;	  /* the dimensions of TEXT, with commas */
	size_t n;	  /* their number */
	struct buf stack; /* an expression for its stacks with frames below them */
	unsigned digits, decimals; /* of its weights, and of their total */
	struct str unit;
} the;

/* An expression for the frame of a dimension that readers find again, as fg-collapse writes it;
 * NULL for any other. FIRST: no process name was before it. Labels only have plain names. */
static const char *
frame_of(struct str dimension, bool timed, bool first)
{
	if (str_eq(dimension, STR("comm")))
		return first ? "(?!-;)(?<comm>[^; \\t]*);" : "\\k<comm>;";
	if (str_eq(dimension, STR("pid")))
		return first ? "(?<comm>[^; \\t]*)-[0-9]+;" : "\\k<comm>-[0-9]+;";
	if (str_eq(dimension, STR("tid")))
		return first ? "(?<comm>[^; \\t]*)-[0-9?]+/[0-9]+;"
			     : "\\k<comm>-[0-9?]+/[0-9]+;";
	if ((timed && str_eq(dimension, STR("time"))) ||
		str_starts(dimension, STR("label:")))
		return "(?!-;)[^; \\t]*;";
	return NULL;
}

/* Makes A from FOLDED without the dimensions that readers do not find again. Returns false if
 * nothing is left, or if readers reject the name of a label. */
static bool
drop_dimensions(bool timed)
{
	struct str by = header_of(FOLDED, "by"), name;
	struct buf drop = { 0 };
	const char *frame;
	bool first = true, good;

	buf_clear(&the.by);
	buf_clear(&the.stack);
	buf_char(&the.stack, '^');
	good = !matches("label:[^,]*[^a-z.,]", BYTES, by);
	for (the.n = 0; (name = str_cut(&by, ',')).n;) {
		if (str_eq(name, STR("none")))
			continue;
		frame = frame_of(name, timed, first);
		buf_fmt(frame ? &the.by : &drop, ",%.*s", STR_ARG(name));
		if (!frame)
			continue;
		buf_str(&the.stack, str_of(frame));
		first = first && !strstr(frame, "comm");
		the.n++;
	}
	put_text(A, text_of(FOLDED));
	if (good && drop.n)
		good = run(A, "fg-filter -q --drop-by %s $FOLDED", buf_cstr(&drop) + 1) ==
			0;
	buf_release(&drop);
	return good;
}

/* Removes the stacks from A that fg-collapse would write differently, or that are dimensions
 * alone. */
static void
keep_readable(void)
{
	struct match *m = match_new(buf_view(&the.stack), 0, NULL);
	struct str rest = text_of(A), line;
	struct buf b = { 0 };

	while (rest.n) {
		line = str_cut(&rest, '\n');
		if (str_starts(line, STR("#")) || match_has(m, line))
			add_line(&b, line, STR(""));
	}
	put_text(A, buf_view(&b));
	buf_release(&b);
	match_free(m);
}

static void
measure(void)
{
	struct lines lines = lines_of(text_of(BARE), 1);
	wide sum = lines_sum(&lines), unit = lines_unit(&lines);

	for (the.decimals = 0; unit < UNIT; unit *= 10)
		the.decimals++;
	for (the.digits = 0, sum /= UNIT; sum; sum /= 10)
		the.digits++;
	the.digits += the.decimals;
	lines_release(&lines);
}

/* Makes TEXT from the profile folded with OPTIONS. Returns false if nothing is left. */
static bool
prepare(const char *options, bool timed)
{
	if (run(FOLDED, "fg-collapse -q %s %s", options, now.input) != 0 ||
		!text_of(FOLDED).n || !drop_dimensions(timed))
		return false;
	keep_readable();
	if (run(TEXT, "fg-merge -q $A") != 0 ||
		!str_eq(header_of(TEXT, "columns"), STR("1")))
		return false;
	put_bare(BARE, text_of(TEXT));
	measure();
	the.unit = header_of(TEXT, "unit");
	return text_of(BARE).n > 0;
}

static bool
fits(unsigned digits, unsigned decimals)
{
	return the.digits <= digits && the.decimals <= decimals;
}

static bool
has_frame(const char *pattern)
{
	return matches(pattern, BYTES, text_of(BARE));
}

static bool
has_label(void)
{
	return str_search(buf_view(&the.by), STR(",label:")) < the.by.n;
}

static bool
is_unit(const char *unit)
{
	return str_eq(the.unit, str_of(unit));
}

/* How readers are asked for the kept dimensions. */
enum by { NOT, IN_FRAMES, ALL, COMM };

/* A target, the reason why its stacks cannot come back, and how they are read. */
struct target {
	const char *name;
	const char *(*lost)(void); /* a reason, or NULL */
	const char *options;
	enum by by;
};
static const struct target *target;

/* Requires whole numbers of at most this many digits. */
static const char *
lost_in_64_bits(void)
{
	return fits(18, 0) ? NULL
			   : "its weights have decimals, or too many digits for 64 bits";
}

static const char *
lost_in_doubles(void)
{
	return fits(15, 0) ? NULL
			   : "its weights have decimals, or too many digits for doubles";
}

static const char *
lost_in_d3(void)
{
	return !fits(15, 1) ? "its weights have too many digits for doubles"
		/* JSON within JSON. */
		: has_frame("^(?:[^;\\n]*;){400}") ? "it is deeper than readers follow"
						   : NULL;
}

static const char *
lost_in_speedscope(void)
{
	return the.n > 1 ? "the target has one dimension" : lost_in_doubles();
}

static const char *
lost_in_firefox(void)
{
	return has_label() ? "the target has no labels"
		: has_frame("(?:^|;)0x[0-9a-f]+(?:;| [0-9.]+$)")
		? "it has frames that are addresses, which get names there"
		: lost_in_doubles();
}

static const char *
lost_in_chrome(void)
{
	return !is_unit("ns") ? "its unit is not time"
		: has_label() ? "the target has no labels"
		: has_frame(":[^;:\\n]+:[0-9]+(?:;| [0-9.]+$)")
		? "its lines are for those who look at it"
		: lost_in_doubles();
}

static const char *
lost_in_cpuprofile(void)
{
	return !is_unit("ns") ? "its unit is not time"
		: has_frame(
			  "(?:^|;)\\((?:idle|program|garbage collector|root)\\)(?:;| [0-9.]+$)")
		? "it has frames that are not functions there"
		: lost_in_doubles();
}

static const char *
lost_in_folded(void)
{
	return !is_unit("samples") ? "its unit is not samples" : lost_in_doubles();
}

static const char *
lost_always(void)
{
	return !matches("", UTF8, text_of(BARE)) ? "its names are not UTF-8"
		: is_unit("us") || is_unit("ms") || is_unit("s")
		? "its times come back in another unit"
		: NULL;
}

/* Whether the stacks read back into A equal those in TEXT. */
static struct verdict
comes_back(const char *reader, const char *options)
{
	/* Dimensions are frames if the target cannot represent them. */
	run(A, "fg-export -q --to %s %s %s $TEXT", target->name,
		target->by == IN_FRAMES && the.n ? "--keep-by" : "",
		target->by == IN_FRAMES && the.n ? buf_cstr(&the.by) + 1 : "");
	run(B, "%s -q %s $A | fg-merge -q --no-header", reader, options);
	return verdict(same(B, BARE));
}

static struct verdict
pages_come_back(void)
{
	target = &(struct target){ .name = "html" };
	return comes_back("fg-merge", "");
}

static struct verdict
stacks_come_back(void)
{
	const char *lost = lost_always(), *by = the.n ? buf_cstr(&the.by) + 1 : "none";
	struct buf options = { 0 };
	struct verdict found;

	lost = lost ? lost : target->lost();
	if (lost)
		return vacuous(lost);
	buf_fmt(&options, "%s ", target->options);
	if (target->by >= ALL)
		buf_fmt(&options, "--by %s", target->by == COMM && the.n ? "comm" : by);
	found = comes_back("fg-collapse", buf_cstr(&options));
	buf_release(&options);
	return found;
}

static void
try_targets(const struct target *targets)
{
	for (target = targets; target->name; target++)
		try_law(&(struct law){ .name = target->name, .holds = stacks_come_back });
}

/* Whether the least time is 0, where readers start to count. */
static bool
begins_at_0(void)
{
	return str_eq(header_of(TEXT, "by"), STR("comm,time")) &&
		matches("^[^;\n]*;[0.]+s;", BYTES, text_of(BARE));
}

/* No target shows the order of lines, of a profile or, by turns, of a comparison with a part of
 * it. */
static struct verdict
no_target_shows_the_order(void)
{
	struct str names;
	bool good = true;

	put_text(A, text_of(FOLDED));
	if (now.turn % 3 == 0) {
		put_part(B, text_of(FOLDED));
		if (run(A, "fg-diff -q $FOLDED $B") != 0)
			return vacuous("it cannot be compared with a part of it");
	}
	put_in_another_order(B, text_of(A));
	run(C, "fg-export --list-targets");
	names = text_of(C);
	while (names.n && good) {
		struct str line = str_cut(&names, '\n'), name = str_word(&line);
		struct buf one = { 0 }, other = { 0 };

		buf_fmt(&one, "fg-export -q --to %.*s $A", STR_ARG(name));
		buf_fmt(&other, "fg-export -q --to %.*s $B", STR_ARG(name));
		good = alike(buf_cstr(&one), buf_cstr(&other));
		buf_release(&one);
		buf_release(&other);
	}
	return verdict(good);
}

void
try_exports(void)
{
	static const char both[] = "--full-names --srcline";
	static const char timed[] = "--srcline --by comm,time:1ms";
	static const char both_timed[] = "--full-names --srcline --by comm,time:1ms";
	static const struct target targets[] = {
		{ "pprof", lost_in_64_bits, both, ALL },
		{ "otlp", lost_in_64_bits, both, ALL },
		{ "d3", lost_in_d3, "", IN_FRAMES },
		{ "speedscope", lost_in_speedscope, "--srcline", COMM },
		{ "firefox", lost_in_firefox, "--srcline", ALL },
		{ "chrome", lost_in_chrome, "", ALL },
		{ "cpuprofile", lost_in_cpuprofile, "--srcline", IN_FRAMES },
		{ "folded", lost_in_folded, "-f folded", IN_FRAMES },
		{ 0 },
	};
	static const struct target timed_targets[] = {
		{ "pprof", lost_in_doubles, both_timed, NOT },
		{ "otlp", lost_in_doubles, both_timed, NOT },
		{ "firefox", lost_in_firefox, timed, NOT },
		{ 0 },
	};

	static const struct law order = LAW(no_target_shows_the_order);

	if (now.turn % 8 == 0 && run(FOLDED, "fg-collapse -q %s", now.input) == 0 &&
		text_of(FOLDED).n)
		try_law(&order);
	if (prepare("", false)) {
		try_law(&(struct law){ .name = "html", .holds = pages_come_back });
		try_targets(targets);
	}
	if (prepare(timed, true) && begins_at_0())
		try_targets(timed_targets);
}
