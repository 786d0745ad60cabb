/* SPDX-License-Identifier: ISC */
/* Laws of programs that read folded text, the one in TEXT; see laws.h. */
#include "laws.h"

#include <inttypes.h>
#include <stdlib.h>

static struct verdict
sums_are_sorted(void)
{
	return now.columns == 1 ? verdict(is_sorted(BARE))
				: vacuous("stacks with two weights have another order");
}

/* Writes to A the first stacks of the sum again, with decimals, truncated if large weights
 * leave little room for them; to B the same in another order. */
static void
put_decimals(void)
{
	struct lines lines = lines_of(text_of(SUM), 1);
	struct buf b = { 0 };

	buf_str(&b, text_of(SUM));
	for (size_t i = 0; i < lines.n && i < 7; i++)
		add_line(&b, lines.at[i].stack, STR(" 0.123456789"));
	put_text(A, buf_view(&b));
	put_in_another_order(B, text_of(A));
	lines_release(&lines);
	buf_release(&b);
}

/* No result of any program depends on the order of lines. */
static struct verdict
the_order_of_lines_does_not_show(void)
{
	put_decimals();
	return verdict(alike("fg-merge -q $A", "fg-merge -q $B") &&
		alike("fg-filter -q $A", "fg-filter -q $B") &&
		alike("fg-filter -q --depth 2 $A", "fg-filter -q --depth 2 $B") &&
		alike("fg-svg -q $A", "fg-svg -q $B") &&
		alike("fg-report -q $A", "fg-report -q $B") &&
		alike("fg-report -q --tree --json $A", "fg-report -q --tree --json $B") &&
		(now.columns == 2 || nothing_changed("$A $B")));
}

/* Cuts the sum into four pieces of equally many lines, of which the last may be empty. Returns
 * false if there are too few lines. */
static bool
cut_to_pieces(void)
{
	struct str text = text_of(SUM), rest = text, piece;
	size_t lines = 0, each;

	for (size_t i = 0; i < text.n; i++)
		lines += text.s[i] == '\n';
	each = lines / 4 + 1;
	for (int n = 0; n < 4; n++) {
		piece = rest;
		for (size_t i = 0; i < each && rest.n; i++)
			str_cut(&rest, '\n');
		piece.n -= rest.n;
		put_text(P0 + n, piece);
	}
	return lines >= 3;
}

/* A sum cut at any line merges to the same bytes, in any order and grouping. The header of one
 * piece, or an option, sets the number of weights per line for all of them. */
static struct verdict
pieces_add_up_to_the_whole(void)
{
	if (!str_starts(text_of(SUM), STR("#fg")))
		return vacuous("its sum has no header");
	if (!cut_to_pieces())
		return vacuous("its sum has less than three lines");
	run(A, "fg-merge -q $P0 $P2");
	run(B, "fg-merge -q --columns %d $P1 $P3", now.columns);
	return verdict(alike("fg-merge -q $P3 $P2 $P1 $P0", "$SUM") &&
		alike("fg-merge -q $B $A", "$SUM"));
}

/* Computes the sum here, without rounding, for texts whose lines have one meaning only: a stack
 * and one weight. */
static struct verdict
a_sum_is_what_is_found_here(void)
{
	static const char plain[] = "\\A(?>(?>#.*|(?!.* [0-9.]+ [0-9.]+$)[^#\" \\t\\n]"
				    "[!-~]*(?:;[!-~]++[!-~ ]*?)*"
				    " [0-9]{1,19}(?:\\.[0-9]{1,9})?|)$\\n?)*+\\z";
	struct lines lines, sum;
	bool fits, good;

	if (!matches(plain, BYTES, text_of(TEXT)))
		return vacuous("some line is not a stack and one plain weight");
	run(A, "fg-merge -q --no-header $TEXT");
	lines = lines_of(text_of(TEXT), 1);
	sum = lines_of(text_of(A), 1);
	fits = !lines_overflow(&lines);
	lines_merge(&lines);
	good = !fits || same_lines(&sum, &lines);
	lines_release(&lines);
	lines_release(&sum);
	return fits ? verdict(good) : vacuous("its sum overflows 64 bits");
}

static struct verdict
turning_round_twice_gives_the_same(void)
{
	if (says(SUM, ";#"))
		return vacuous(
			"a frame that begins with # gets a blank when it is first");
	return verdict(
		alike("fg-filter -q --reverse $TEXT | fg-filter -q --no-header --reverse",
			"$BARE"));
}

/* The stacks kept by a step and by its opposite add up to the profile. */
static struct verdict
focus_and_ignore_are_all(void)
{
	struct buf both = { 0 };

	run(A, "fg-filter -q --focus [aeiou] $TEXT");
	run(B, "fg-filter -q --ignore [aeiou] $TEXT");
	buf_str(&both, text_of(A));
	buf_str(&both, text_of(B));
	put_text(A, buf_view(&both));
	buf_release(&both);
	return verdict(alike("fg-merge -q --no-header <$A", "$BARE"));
}

/* Whether a filter with STEPS keeps all the weight. */
static bool
keeps_weight(const char *steps)
{
	run(A, "fg-filter -q %s $SUM", steps);
	return weight_of(A, now.columns) == weight_of(SUM, now.columns) ||
		differs("not with %s", steps);
}

/* Steps that change frames keep the weight. */
static struct verdict
steps_keep_the_weight(void)
{
	return verdict(keeps_weight("--collapse-cycles --collapse-recursion --by-module "
				    "--rename s/[aeiou]+/x/g --reverse --min-share 10") &&
		keeps_weight("--trim-below [eiou] --hide [aeiou]{2} --trim-above [a] "
			     "--depth 2 --show [aeiou]") &&
		keeps_weight("--root [aeiou] --focus [eiou] --keep-total"));
}

/* The dimensions of the sum, separated by commas, that a picture drawn with OPTIONS cannot
 * show: times in time order, and dimensions that two recordings do not share. */
static const char *
not_drawn(const char *options)
{
	static struct buf drop;
	const char *without = now.columns == 2	? " pid tid cpu time "
		: strstr(options, "flamechart") ? " time "
						: "";
	struct str by = header_of(SUM, "by"), name;
	struct buf word = { 0 };

	buf_clear(&drop);
	while ((name = str_cut(&by, ',')).n) {
		buf_clear(&word);
		buf_fmt(&word, " %.*s ", STR_ARG(name));
		if (strstr(without, buf_cstr(&word)))
			buf_fmt(&drop, " --drop-by %.*s", STR_ARG(name));
	}
	buf_release(&word);
	return buf_cstr(&drop);
}

/* Whether some stack ends within its dimensions: a picture fills in the missing values. */
static bool
is_short(void)
{
	struct str by = header_of(SUM, "by");
	struct lines lines = lines_of(text_of(BARE), now.columns);
	bool any = false;

	for (size_t i = 0; i < lines.n && !any; i++)
		any = !cut_dimensions(&lines.at[i].stack, by);
	lines_release(&lines);
	return any;
}

/* The reason not to draw the text, or NULL. */
static const char *
no_picture(void)
{
	return weight_of(SUM, now.columns) == 0 ? "its sum is 0"
		: is_short()
		? "a stack ends within its dimensions, which a picture fills up"
		: NULL;
}

/* Whether a picture drawn with OPTIONS has the stacks left by a filter with STEPS. */
static bool
draws(const char *options, const char *steps)
{
	run(A, "fg-filter -q --no-header %s %s $TEXT", not_drawn(options), steps);
	run(B, "fg-svg -q %s $TEXT | fg-merge -q --no-header", options);
	return same(B, A) || differs("with %s", options);
}

/* A picture holds the profile that it was drawn from, for all drawing options. Profiles are
 * many and similar, so each tries two options by turns. */
static struct verdict
a_picture_is_read_as_its_stacks(void)
{
	static const char *const ways[] = { "", "--compress", "--reverse --inverted",
		"--flamechart", "--flamechart --reverse --compress",
		"--total 18446744073709551615 --factor 0.001",
		"--minwidth 50% --width 100 --self --negate",
		"--minwidth 50% --colors java" };
	enum { WAYS = sizeof ways / sizeof *ways };
	size_t few = now.is_profile ? 2 : WAYS;
	bool good = true;

	if (no_picture())
		return vacuous(no_picture());
	for (size_t i = 0; i < few && good; i++)
		good = draws(ways[(now.turn * few + i) % WAYS], "");
	return verdict(good);
}

/* Every program prints the same for the picture B as for its stacks, A. */
static struct verdict
all_read_a_picture_alike(void)
{
	if (no_picture())
		return vacuous(no_picture());
	put_text(A, text_of(TEXT));
	if (*not_drawn(""))
		run(A, "fg-filter -q %s $TEXT", not_drawn(""));
	run(B, "fg-svg -q --reverse --compress $TEXT");
	return verdict(
		alike("fg-filter -q --no-header $A", "fg-filter -q --no-header $B") &&
		alike("fg-report -q --tree $A", "fg-report -q --tree $B") &&
		alike("fg-svg -q $A", "fg-svg -q $B") &&
		(now.columns == 2 ||
			(nothing_changed("$B $A") &&
				alike("fg-diff -q --no-header $B $A",
					"fg-diff -q --no-header $A $A"))));
}

/* The last frame of the first stack with a weight that has frames below its dimensions, if the
 * frame is a literal expression; empty without one. */
static struct str
some_frame(const struct lines *lines)
{
	struct str by = header_of(SUM, "by"), rest, frame;

	for (size_t i = 0; i < lines->n; i++) {
		rest = lines->at[i].stack;
		cut_dimensions(&rest, by);
		while (frame = str_cut(&rest, ';'), rest.n)
			;
		if (lines->at[i].weight &&
			matches("\\A[A-Za-z_][A-Za-z0-9_:.]*\\z", BYTES, frame))
			return frame;
	}
	return STR("");
}

/* fg-svg --base and fg-filter --root leave the same stacks of a frame. */
static struct verdict
a_base_is_a_root(void)
{
	static const char *const ways[] = { "", "--reverse --compress", "--flamechart" };
	struct lines lines = lines_of(text_of(BARE), now.columns);
	struct buf frame = { 0 }, steps = { 0 }, options = { 0 };
	struct verdict found = vacuous("no leaf with a weight has a plain name");

	buf_str(&frame, some_frame(&lines));
	lines_release(&lines);
	buf_fmt(&steps, "--root ^\\Q%s\\E(_\\[[kwij]\\])?$", buf_cstr(&frame));
	for (size_t i = 0; i < 3 && frame.n && found.is != FAILS; i++) {
		buf_clear(&options);
		buf_fmt(&options, "--base %s %s", buf_cstr(&frame), ways[i]);
		found = verdict(draws(buf_cstr(&options), buf_cstr(&steps)));
	}
	buf_release(&steps);
	buf_release(&options);
	buf_release(&frame);
	return found;
}

/* (a + b) + c = a + (b + c), headers included. */
static struct verdict
the_grouping_of_inputs_does_not_show(void)
{
	int left, right;

	run(A, "fg-merge -q --force $TEXT $OTHER $THIRD");
	if (says(ERR, "do not say theirs"))
		return vacuous("an input without dimensions gets those in the others");
	left = run(A, "fg-merge -q --force $TEXT $OTHER") ||
		run(B, "fg-merge -q --force $A $THIRD");
	right = run(C, "fg-merge -q --force $OTHER $THIRD") ||
		run(D, "fg-merge -q --force $TEXT $C");
	if (left != right)
		return verdict(differs("one of two groups cannot be added up"));
	return left ? vacuous("the three cannot be added up") : verdict(same(B, D));
}

/* Whether the line of programs writes JSON (RFC 8259), or a message why not. */
static bool
writes_json(const char *line, const char *reason)
{
	static const char json[] =
		"(?(DEFINE)(?<escape>\\\\(?>[\"\\\\/bfnrt]|u[0-9A-Fa-f]{4}))"
		"(?<string>\"(?>[^\"\\\\\\x00-\\x1f]|(?&escape))*+\")"
		"(?<number>-?(?>0|[1-9][0-9]*+)(?>\\.[0-9]++)?(?>[eE][+-]?[0-9]++)?)"
		"(?<blank>[ \\t\\r\\n]*+)"
		"(?<pair>(?&blank)(?&string)(?&blank):(?&value))"
		"(?<value>(?&blank)(?>(?&string)|(?&number)|true|false|null"
		"|\\{(?>(?&pair)(?>,(?&pair))*+|(?&blank))\\}"
		"|\\[(?>(?&value)(?>,(?&value))*+|(?&blank))\\])(?&blank)))"
		"\\A(?&value)\\z";

	if (run(A, "%s", line) != 0)
		return (reason && says(ERR, reason)) ||
			differs("%s: %.*s", line, STR_ARG(text_of(ERR)));
	return matches(json, UTF8, text_of(A)) || differs("%s: this is not JSON", line);
}

/* JSON output is valid. Weight in dimensions alone has no function whose callers could be asked
 * for. Next to very large weights, the one before may be rounded to 0. */
static struct verdict
reports_are_json(void)
{
	return verdict(writes_json("fg-report -q --json $TEXT", NULL) &&
		writes_json("fg-report -q --tree --json $TEXT", NULL) &&
		writes_json("fg-report -q --callers [aeiou]| --json $TEXT",
			"no function matches") &&
		(now.columns == 2 ||
			writes_json("fg-diff -q --exact --report json $SUM $OTHER",
				"compare")));
}

void
try_text(void)
{
	static const struct law laws[] = {
		LAW(sums_are_sorted),
		ALIKE(a_sum_of_sums_is_the_same, "fg-merge -q $SUM", "$SUM"),
		LAW(the_order_of_lines_does_not_show),
		LAW(pieces_add_up_to_the_whole),
		LAW(a_sum_is_what_is_found_here),
		ALIKE(a_filter_without_steps_is_a_sum, "fg-filter -q --no-header $TEXT",
			"$BARE"),
		LAW(turning_round_twice_gives_the_same),
		LAW(focus_and_ignore_are_all),
		LAW(steps_keep_the_weight),
		LAW(a_picture_is_read_as_its_stacks),
		LAW(all_read_a_picture_alike),
		LAW(a_base_is_a_root),
		ALIKE(the_order_of_inputs_does_not_show,
			"fg-merge -q --force $TEXT $OTHER",
			"fg-merge -q --force $OTHER $TEXT"),
		LAW(the_grouping_of_inputs_does_not_show),
		LAW(reports_are_json),
		{ 0 },
	};

	if (run(SUM, "fg-merge -q $TEXT") != 0 || !text_of(SUM).n)
		return;
	put_bare(BARE, text_of(SUM));
	if (!text_of(BARE).n)
		return;
	run(A, "fg-merge --check $SUM");
	now.columns = says(A, "\tcolumns=2\t") ? 2 : 1;
	try_laws(laws);
	if (now.columns == 1) {
		put_text(THIRD, text_of(OTHER));
		put_text(OTHER, text_of(SUM));
	}
}

/* A profile whose stacks are complete, broken or unnamed by turns, with weights up to MOST,
 * generated from SEED on. */
static void
put_stacks(enum slot to, uint64_t seed, wide most)
{
	struct buf b = { 0 };

	for (int i = 0; i < 40; i++) {
		seed = seed * 16807 % 2147483647;
		buf_fmt(&b,
			"work 1 1.%06d: %" PRIu64 " cycles:\n\t10 %s (/bin/work)\n%s\n",
			i, (uint64_t)(1 + most * seed / 2147483647),
			seed % 5 ? "leaf" : "[unknown]",
			seed % 3	   ? "\t20 main (/bin/work)\n"
				: seed % 2 ? "\t20 other (/bin/work)\n"
					   : "");
	}
	put_text(PIPE, buf_view(&b));
	run(to, "fg-collapse -q <$PIPE");
	buf_release(&b);
}

/* Whether the sum by LINE has the stack quality of D, to the last digit. */
static bool
has_quality(const char *line)
{
	struct str found;

	run(LEFT, "%s", line);
	found = header_of(LEFT, "stacks");
	return (found.n && str_eq(found, header_of(D, "stacks"))) || differs("%s", line);
}

/* The stack quality of a sum does not depend on the order and grouping of its parts, whose
 * weights have DIGITS digits. */
static bool
quality_is_one(unsigned digits)
{
	wide most = 1;

	for (unsigned i = 0; i < digits; i++)
		most *= 10;
	for (unsigned i = 1; i <= 3; i++)
		put_stacks(A + i - 1, i * 7919 + digits, most);
	run(D, "fg-merge -q $A $B $C");
	return has_quality("fg-merge -q $A $C $B") &&
		has_quality("fg-merge -q $B $A $C") &&
		has_quality("fg-merge -q $B $C $A") &&
		has_quality("fg-merge -q $C $A $B") &&
		has_quality("fg-merge -q $C $B $A") &&
		has_quality("fg-merge -q $A $B | fg-merge -q - $C") &&
		has_quality("fg-merge -q $B $C | fg-merge -q $A -") &&
		has_quality("fg-merge -q $A $C | fg-merge -q - $B") &&
		has_quality("fg-merge -q $B $A | fg-merge -q $C -") &&
		has_quality("fg-merge -q $C $B | fg-merge -q - $A");
}

static struct verdict
the_quality_of_a_sum_is_one(void)
{
	static const unsigned digits[] = { 1, 3, 6, 9, 12, 15, 17 };
	bool good = true;

	for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
		good = good && quality_is_one(digits[i]);
	return verdict(good);
}

void
try_made_up(void)
{
	static const struct law law = LAW(the_quality_of_a_sum_is_one);

	now.input = "profiles and names that are made up";
	try_law(&law);
	try_odd_names();
}
