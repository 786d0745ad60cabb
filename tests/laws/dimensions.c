/* SPDX-License-Identifier: ISC */
/*
 * Laws of dimensions: no program mistakes one for a function, and no target of fg-export shows
 * one that it cannot represent. Options are random. Results for DIMS, a text with dimensions,
 * equal those for FLAT, the same with its dimensions summed away.
 */
#include "laws.h"

#include <inttypes.h>
#include <stdlib.h>

/* The state of a random series, restarted for each text. */
static uint64_t seed;

static size_t
pick(size_t n)
{
	seed = (seed * 1103515245 + 12345) % 2147483648;
	return (size_t)(seed >> 16) % n;
}

static const char *
pick_word(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return words[pick(n)];
}
#define PICK(...) pick_word((const char *const[]){ __VA_ARGS__, NULL })

/* Adds OPTION with an expression; some expressions match values of dimensions too. */
static void
add_matched(struct buf *how, const char *option)
{
	buf_fmt(how, " %s %s", option,
		PICK("[aeiou]", "main", "^f", "[0-9]", "-", "000", "unknown", "s$", "x.c",
			"^.{4}$"));
}

static void
pick_report(struct buf *how)
{
	buf_str(how, STR("fg-report -q"));
	if (pick(2))
		add_matched(how, PICK("--callers", "--callees"));
	else
		buf_fmt(how, " %s", PICK("", "--tree"));
	buf_fmt(how, " %s", PICK("", "--json", "--tsv", "--width 60"));
	buf_fmt(how, " %s", PICK("", "--min-share 0", "--min-share 5", "--min-share 30"));
	buf_fmt(how, " %s",
		PICK("", "", "--depth 1", "--depth 3", "--top 2", "--sort total",
			"--sort name"));
}

/* Adds one to three steps. */
static void
pick_steps(struct buf *how)
{
	buf_str(how, STR("fg-filter -q"));
	for (size_t n = 1 + pick(3); n; n--)
		if (pick(3) == 0)
			add_matched(how,
				PICK("--focus", "--ignore", "--root", "--trim-above",
					"--trim-below", "--hide", "--show"));
		else
			buf_fmt(how, " %s",
				PICK("--depth 1", "--depth 2", "--min-share 1",
					"--min-share 10", "--min-share 40",
					"--stable-names", "--no-lines", "--by-module",
					"--collapse-recursion", "--collapse-cycles",
					"--reverse", "--rename s/[aeiou]/x/",
					"--rename s/^m.*//", "--last", "--keep-total"));
}

static void
pick_picture(struct buf *how)
{
	buf_fmt(how, "fg-svg -q %s",
		PICK("", "--flamechart", "--reverse", "--minwidth 5%", "--base main"));
}

static void
pick_difference(struct buf *how)
{
	buf_fmt(how, "fg-diff -q --report %s %s",
		PICK("text", "markdown", "text --exact", "text --fail-over 1"),
		PICK("", "--norm none", "--norm total", "--norm main", "--only [aeiou]",
			"--exact-names", "--min-share 0"));
}

/* One or two texts, with dimensions and without; the second may be empty. */
struct pair {
	struct str dims, flat;
};

static bool
has_dimensions(enum slot slot)
{
	struct str by = header_of(slot, "by");

	return by.n && !str_eq(by, STR("none"));
}

/* Writes the folded text in A with its dimensions summed away to OUT. */
static void
sum_away(enum slot out)
{
	put_text(out, text_of(A));
	if (has_dimensions(A))
		run(out, "fg-filter -q --drop-by %.*s $A", STR_ARG(header_of(A, "by")));
}

/* Removes WORD from a file that contains it. */
static void
drop(enum slot slot, struct str word)
{
	struct str text = text_of(slot);
	size_t at = str_search(text, word);
	struct buf b = { 0 };

	buf_str(&b, str_head(text, at));
	buf_str(&b, str_from(text, at + word.n));
	put_text(slot, buf_view(&b));
	buf_release(&b);
}

/* Writes the comparable output of the program HOW for A to OUT: the stacks of a picture, the
 * sums of folded text, and of a comparison the part before the names in full, which are in
 * order of first occurrence. Returns its status. */
static int
take(enum slot out, const char *how)
{
	struct str text;
	int status;

	if (strncmp(how, "fg-svg", 6) == 0)
		return run(out, "%s | fg-report -q --tree --tsv", how);
	status = run(out, "%s", how);
	text = text_of(out);
	if (strncmp(how, "fg-filter", 9) == 0) {
		put_text(A, text);
		sum_away(out);
		drop(out, STR(" by=none"));
	} else if (strncmp(how, "fg-diff", 7) == 0) {
		text = str_head(text, str_search(text, STR("ames in full")));
		put_text(C, str_head(text, str_rfind(text, '\n')));
		put_text(out, text_of(C));
	}
	return status;
}

/* Whether a program prints the same for both members of the pairs. */
static struct verdict
takes_alike(struct buf *how, struct pair one, struct pair two)
{
	int left, right;

	buf_str(how, two.dims.n ? STR(" $A $B") : STR(" $A"));
	put_text(A, one.dims);
	put_text(B, two.dims);
	left = take(LEFT, buf_cstr(how));
	put_text(A, one.flat);
	put_text(B, two.flat);
	right = take(RIGHT, buf_cstr(how));
	return verdict((left == right && same(LEFT, RIGHT)) ||
		differs("%s: status %d and %d", buf_cstr(how), left, right));
}

/* Replaces a text by its picture or a compressed copy, or adds another one. */
static void
pick_files(struct pair *one, struct pair *two)
{
	static struct buf packed;

	switch (pick(5)) {
	case 0:
		if (run(P0, "fg-svg -q $DIMS") == 0)
			one->dims = text_of(P0);
		break;
	case 1:
		buf_clear(&packed);
		pack(&packed, one->dims);
		one->dims = buf_view(&packed);
		break;
	case 2:
		if (str_eq(header_of(DIMS, "unit"), header_of(DIMS_BEFORE, "unit")))
			*two = (struct pair){ text_of(DIMS_BEFORE),
				text_of(FLAT_BEFORE) };
	}
}

/* The reason why there is nothing to test, or NULL. */
static const char *
no_use(void)
{
	return !has_dimensions(DIMS) ? "it has no dimensions"
		: str_find(header_of(DIMS, "by"), '%') < header_of(DIMS, "by").n
		? "a dimension has a name that options do not take"
		: NULL;
}

/* The same for programs. */
static const char *
no_use_of_programs(void)
{
	return no_use() ? no_use()
		: says(DIMS, ";#")
		? "a frame that begins with # gets a blank when it is first"
		: NULL;
}

static struct verdict
try_program(void (*pick_options)(struct buf *))
{
	struct pair one = { text_of(DIMS), text_of(FLAT) }, two = { 0 };
	struct buf how = { 0 };
	struct verdict found;

	if (no_use_of_programs())
		return vacuous(no_use_of_programs());
	pick_files(&one, &two);
	pick_options(&how);
	found = takes_alike(&how, one, two);
	buf_release(&how);
	return found;
}

static struct verdict
reports_take_no_dimension_for_a_function(void)
{
	return try_program(pick_report);
}

static struct verdict
filters_take_no_dimension_for_a_function(void)
{
	return try_program(pick_steps);
}

static struct verdict
pictures_take_no_dimension_for_a_function(void)
{
	return try_program(pick_picture);
}

/* Copies FROM to TO, with three times the weight for stacks with LETTER in a function's name.
 * Returns false if weights are not whole, or may overflow. */
static bool
put_heavier(enum slot to, enum slot from, char letter)
{
	struct str text = text_of(from), by = header_of(from, "by"), functions;
	struct lines lines = lines_of(text, 1);
	struct buf b = { 0 };
	bool whole =
		lines_unit(&lines) == UNIT && lines_sum(&lines) / UNIT <= UINT64_MAX / 3;

	text = str_cut(&text, '\n');
	add_line(&b, str_head(text, str_search(text, STR(" total="))), STR(""));
	for (size_t i = 0; i < lines.n; i++) {
		functions = lines.at[i].stack;
		cut_dimensions(&functions, by);
		buf_str(&b, lines.at[i].stack);
		buf_fmt(&b, " %" PRIu64 "\n",
			(uint64_t)(lines.at[i].weight / UNIT) *
				(str_find(functions, letter) < functions.n ? 3 : 1));
	}
	put_text(to, buf_view(&b));
	buf_release(&b);
	lines_release(&lines);
	return whole;
}

static struct verdict
differences_take_no_dimension_for_a_function(void)
{
	struct buf how = { 0 };
	struct verdict found;
	char letter = "aemr"[pick(4)];

	if (no_use_of_programs())
		return vacuous(no_use_of_programs());
	if (!str_eq(header_of(DIMS, "columns"), STR("1")))
		return vacuous("stacks with two weights are not compared");
	if (!put_heavier(P0, DIMS, letter) || !put_heavier(P1, FLAT, letter))
		return vacuous(
			"its weights have decimals, or three times them overflow 64 bits");
	pick_difference(&how);
	found = takes_alike(&how, (struct pair){ text_of(DIMS), text_of(FLAT) },
		(struct pair){ text_of(P0), text_of(P1) });
	buf_release(&how);
	return found;
}

/* A graph without the numbers of its nodes. */
static void
settle_dot(struct buf *b, struct str text)
{
	while (text.n) {
		struct str line = str_cut(&text, '\n'), rest = line;

		if (matches("^n[0-9]", BYTES, line)) {
			str_word(&rest);
			if (str_starts(rest, STR("-> "))) {
				str_word(&rest);
				str_word(&rest);
			}
		}
		add_line(b, rest, STR(""));
	}
}

/* A table of stacks without the columns of dimensions: a line for each row, with its weight
 * after a blank. */
static void
settle_csv(struct buf *b, struct str text)
{
	struct str row = str_cut(&text, '\n');
	size_t first = 0, at;

	for (; row.n && !str_starts(row, STR("stack")); first++)
		str_cut(&row, ',');
	while (text.n) {
		row = str_cut(&text, '\n');
		for (size_t i = 0; i < first; i++)
			str_cut(&row, ',');
		at = str_rfind(row, ',');
		buf_char(b, ',');
		for (size_t i = 0; i < at; i++)
			/* A first frame that begins with # gets a blank before it. */
			if (!str_starts(str_from(row, i), STR(" #")))
				buf_char(b, row.s[i]);
		buf_char(b, ' ');
		add_line(b, str_from(row, at + 1), STR(""));
	}
}

/* The names of a call graph, in the order of their numbers. */
struct names {
	struct str *at;
	size_t n, cap;
};

/* The name with the number at REST, after a parenthesis; the first time the name follows the
 * number. */
static struct str
read_name(struct names *names, struct str rest)
{
	struct str number = str_cut(&rest, ')');
	uint64_t id = 0;

	if (rest.n) {
		if (names->n == names->cap)
			names->at = mem_grow(
				names->at, &names->cap, names->n + 1, sizeof *names->at);
		names->at[names->n++] = str_from(rest, 1);
	}
	return str_to_u64(number, &id) && id && id <= names->n ? names->at[id - 1]
							       : STR("");
}

/* A call graph with names for numbers, each cost with its function or call. */
static void
settle_callgrind(struct buf *b, struct str text)
{
	static const char *const keys[] = { "fl=(", "fn=(", "cfi=(", "cfn=(" };
	enum { FL, FN, CFI, CFN, KEYS };
	struct names names[2] = { 0 };
	struct str at[KEYS] = { 0 }, line;
	bool called = false;
	size_t key;

	while (text.n) {
		line = str_cut(&text, '\n');
		for (key = 0; key < KEYS && !str_starts(line, str_of(keys[key])); key++)
			;
		if (key < KEYS) {
			at[key] = read_name(
				&names[key % 2], str_from(line, strlen(keys[key])));
		} else if (str_starts(line, STR("calls="))) {
			called = true;
		} else if (line.n && str_is_digit(*line.s)) {
			for (size_t i = 0; i < (called ? KEYS : CFI); i++)
				buf_fmt(b, "%.*s ", STR_ARG(at[i]));
			add_line(b, line, STR(""));
			called = false;
		} else {
			add_line(b, line, STR(""));
		}
	}
	free(names[0].at);
	free(names[1].at);
}

static const char *
lost_in_doubles(void)
{
	return header_of(DIMS, "total").n > 15
		? "its weights have too many digits for doubles"
		: NULL;
}

static const char *
lost_in_cells(void)
{
	return says(DIMS, "\"") ? "cells in quotes are not read here" : NULL;
}

/* A target, and the way to compare its output: stacks read BACK, lines in any order with
 * weights added up, or every byte; a reason not to try it. */
struct target {
	const char *name;
	bool back;
	void (*settle)(struct buf *b, struct str text);
	int columns;
	const char *(*lost)(void);
};
static const struct target *target;

static void
show(enum slot out, enum slot from)
{
	struct buf b = { 0 };

	put_text(A, text_of(from));
	run(out, "fg-export -q --to %s $A%s", target->name,
		target->back
			? " | fg-collapse -q --no-header --srcline --full-names --by none"
			: "");
	if (!target->settle)
		return;
	target->settle(&b, text_of(out));
	put_text(out, buf_view(&b));
	buf_release(&b);
}

static struct verdict
shows_no_dimension(void)
{
	const char *lost = no_use();

	if (!lost && target->lost)
		lost = target->lost();
	if (lost)
		return vacuous(lost);
	show(LEFT, DIMS);
	show(RIGHT, FLAT);
	return verdict(target->settle
			? same_sums(lines_of(text_of(LEFT), target->columns),
				  lines_of(text_of(RIGHT), target->columns))
			: same(LEFT, RIGHT));
}

/* Tries one of the targets that keep dimensions, by turns from input to input. */
void
try_targets_for_dimensions(void)
{
	static const struct target plain[] = {
		{ .name = "d3" },
		{ .name = "nodes" },
		{ .name = "folded" },
		{ .name = "dot", .settle = settle_dot },
		{ .name = "callgrind", .settle = settle_callgrind },
	};
	static const struct target keeping[] = {
		{ .name = "pprof", .back = true },
		{ .name = "otlp", .back = true },
		{ .name = "firefox", .back = true, .lost = lost_in_doubles },
		{ .name = "speedscope", .back = true, .lost = lost_in_doubles },
		{ .name = "csv",
			.settle = settle_csv,
			.columns = 1,
			.lost = lost_in_cells },
	};
	static const struct law law = LAW(shows_no_dimension);

	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		target = &plain[i];
		try_law(&law);
	}
	target = &keeping[now.turn % (sizeof keeping / sizeof *keeping)];
	try_law(&law);
}

bool
try_dimensions(const char *line)
{
	static const struct law laws[] = {
		LAW(reports_take_no_dimension_for_a_function),
		LAW(filters_take_no_dimension_for_a_function),
		LAW(pictures_take_no_dimension_for_a_function),
		LAW(reports_take_no_dimension_for_a_function),
		LAW(filters_take_no_dimension_for_a_function),
		LAW(differences_take_no_dimension_for_a_function),
		{ 0 },
	};

	if (run(DIMS, "%s", line) != 0 || !text_of(DIMS).n)
		return false;
	put_text(A, text_of(DIMS));
	sum_away(FLAT);
	seed = str_hash(text_of(DIMS));
	try_laws(laws);
	if (!no_use()) {
		put_text(DIMS_BEFORE, text_of(DIMS));
		put_text(FLAT_BEFORE, text_of(FLAT));
	}
	return true;
}
