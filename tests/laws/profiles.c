/* SPDX-License-Identifier: ISC */
/* Laws of fg-collapse and of the stacks it folds from a profile; see laws.h. */
#include "laws.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>
#if HAVE_ZSTD
#include <zstd.h>
#endif

static struct verdict
stacks_are_sorted_and_there_once(void)
{
	return verdict(is_sorted(FOLDED));
}

/* Whether the input is detected as format NAME. */
static bool
is_of(struct str name)
{
	struct buf b = { 0 };
	bool found;

	run(A, "fg-collapse -q --list-formats %s", now.input);
	buf_fmt(&b, ": %.*s (", STR_ARG(name));
	found = says(A, buf_cstr(&b));
	buf_release(&b);
	return found;
}

/* The header counts exactly the samples that were folded. */
static struct verdict
samples_are_counted(void)
{
	uint64_t samples = 0;
	struct str said;

	if (is_of(STR("folded")) || is_of(STR("fg-svg")))
		return vacuous("folded text and pictures bring their header along");
	run(A, "fg-collapse -q --weight samples %s", now.input);
	said = header_of(A, "samples");
	if (!said.n)
		return vacuous("its header counts no samples");
	return verdict(
		str_to_u64(said, &samples) && weight_of(A, 1) == (wide)samples * UNIT);
}

/* Whether a file exists whose name is the first N bytes of the input's plus BEHIND. */
static bool
is_beside(size_t n, const char *behind)
{
	struct buf b = { 0 };
	bool found;

	buf_str(&b, str_head(str_of(now.input), n));
	buf_str(&b, str_of(behind));
	found = access(buf_cstr(&b), F_OK) == 0;
	buf_release(&b);
	return found;
}

/* A file, a pipe and a compressed copy fold alike; but a list of names, and the other parts of
 * a folder of perf record --threads, are only found beside a file. */
static struct verdict
any_way_in_gives_the_same(void)
{
	struct str name = str_of(now.input), text;
	struct buf packed = { 0 };
	bool good;

	if (is_beside(name.n, ".0") ||
		is_beside(name.n - (str_ends(name, STR(".json")) ? 5 : 0), ".syms.json"))
		return vacuous("files beside it belong to it");
	if (!read_input())
		return verdict(false);
	text = text_of(TEXT);
	run_piped(A, text, "fg-collapse -q");
	pack(&packed, text);
	put_text(B, buf_view(&packed));
	good = same(A, FOLDED) && alike("fg-collapse -q <$B", "$FOLDED");
#if HAVE_ZSTD
	buf_clear(&packed);
	packed.n = ZSTD_compress(buf_room(&packed, ZSTD_compressBound(text.n)),
		ZSTD_compressBound(text.n), text.s, text.n, 1);
	put_text(B, buf_view(&packed));
	good = good && alike("fg-collapse -q <$B", "$FOLDED");
#endif
	buf_release(&packed);
	return verdict(good);
}

static struct verdict
guessing_gives_the_same(void)
{
	struct str rest = str_of(now.input), format;

	str_cut(&rest, '/');
	str_cut(&rest, '/');
	format = str_cut(&rest, '/');
	if (!is_of(format))
		return vacuous("its folder has another name than its format");
	run(A, "fg-collapse -q -f %.*s %s", STR_ARG(format), now.input);
	return verdict(same(A, FOLDED));
}

/* Merging a profile with itself doubles each weight and keeps the stacks. */
static struct verdict
twice_is_double(void)
{
	struct lines once = lines_of(text_of(FOLDED), 1), twice;
	bool fits, good;

	run(A, "fg-collapse -q %s %s", now.input, now.input);
	twice = lines_of(text_of(A), 1);
	for (size_t i = 0; i < once.n; i++)
		once.at[i].weight *= 2;
	fits = !lines_overflow(&once);
	good = !fits || same_lines(&twice, &once);
	lines_release(&once);
	lines_release(&twice);
	return fits ? verdict(good) : vacuous("twice its weights overflow 64 bits");
}

/* Time order only changes the order: merged, the lines are the same. */
static struct verdict
time_order_is_the_same_in_all(void)
{
	run(A, "fg-collapse -q --weight samples --no-merge %s", now.input);
	run(B, "fg-collapse -q --weight samples %s", now.input);
	return verdict(same_sums(lines_of(text_of(A), 1), lines_of(text_of(B), 1)));
}

/* --by time without its time frames equals --by none. */
static struct verdict
times_can_be_taken_away(void)
{
	struct lines lines;
	bool good = true;

	if (run(A, "fg-collapse -v --weight samples --by time:7ms %s", now.input) != 0)
		return vacuous("its format or recording has no times");
	if (says(ERR, "without a time"))
		return vacuous("some of its samples have no time");
	lines = lines_of(text_of(A), 1);
	for (size_t i = 0; i < lines.n; i++)
		good &= matches(
			"^[0-9]+\\.[0-9]+s$", BYTES, str_cut(&lines.at[i].stack, ';'));
	run(B, "fg-collapse -q --weight samples --by none %s", now.input);
	return verdict(same_sums(lines, lines_of(text_of(B), 1)) && good);
}

/* Summing dimensions away equals folding without them. */
static struct verdict
dropped_is_folded_without(void)
{
	struct str by;

	if (run(A, "fg-collapse -q --by pid,cpu,label:a %s", now.input) != 0)
		return vacuous("it cannot be folded by process, CPU and label");
	by = header_of(A, "by");
	if (!str_starts(by, STR("pid,")))
		return vacuous("its header says no process, or nothing else");
	if (run(B, "fg-filter -q --drop-by %.*s $A", STR_ARG(str_from(by, 4))) != 0)
		return vacuous("nothing is left");
	run(C, "fg-collapse -q --by pid %s", now.input);
	return verdict(same(C, B));
}

/* A sum of dimensions, in any order and grouping. */
static struct verdict
dimensions_add_up(void)
{
	if (run(A, "fg-collapse -q --by comm,pid %s", now.input) != 0)
		return vacuous("it has no processes");
	run(B, "fg-collapse -q --by cpu,comm %s", now.input);
	run(C, "fg-collapse -q --by tid,comm %s", now.input);
	if (!header_of(A, "by").n || !header_of(B, "by").n || !header_of(C, "by").n)
		return vacuous("its header says no dimensions");
	if (run(D, "fg-merge -q $A $B $C") != 0)
		return vacuous("they cannot be added up");
	return verdict(alike("fg-merge -q $B $A $C", "$D") &&
		alike("fg-merge -q $C $B $A", "$D") &&
		alike("fg-merge -q $A $C $B", "$D") &&
		alike("fg-merge -q $A $C | fg-merge -q $B -", "$D") &&
		alike("fg-merge -q $B $A | fg-merge -q $C -", "$D") &&
		alike("fg-merge -q $C $B | fg-merge -q $A -", "$D"));
}

/* The stacks in another order make the same picture. */
static struct verdict
order_does_not_show(void)
{
	put_in_another_order(A, text_of(FOLDED));
	return verdict(alike("fg-svg -q <$A", "fg-svg -q <$FOLDED"));
}

/* Whether both weights of each line of A equal the one of B. */
static bool
both_columns_are_of_B(void)
{
	struct lines after = lines_of(text_of(A), 1), one = lines_of(text_of(B), 1),
		     before;
	struct buf b = { 0 };
	bool good;

	for (size_t i = 0; i < after.n; i++)
		add_line(&b, after.at[i].stack, STR(""));
	before = lines_of(buf_view(&b), 1);
	for (size_t i = 0; i < after.n && i < before.n; i++)
		after.at[i].stack = before.at[i].stack;
	good = same_lines(&after, &one) && same_lines(&before, &one);
	lines_release(&after);
	lines_release(&before);
	lines_release(&one);
	buf_release(&b);
	return good;
}

/* A profile compared with itself: each column is the profile, and nothing changed or grew.
 * fg-diff compares without times. */
static struct verdict
with_itself_there_is_no_difference(void)
{
	struct str by = header_of(FOLDED, "by");

	run(A, "fg-diff -q --no-header --exact-names $FOLDED $FOLDED");
	put_text(B, text_of(FOLDED));
	if (str_search(by, STR("time")) < by.n)
		run(B, "fg-filter -q --drop-by time $FOLDED");
	return verdict(both_columns_are_of_B() && nothing_changed("$FOLDED $FOLDED"));
}

/* A profile scaled to a part of itself has that part's weight, and no new stacks. */
static struct verdict
a_scaled_side_adds_up(void)
{
	bool good;

	put_part(A, text_of(FOLDED));
	if (run(B, "fg-diff -q -n --exact-names $FOLDED $A") != 0)
		return verdict(differs("fg-diff: %.*s", STR_ARG(text_of(ERR))));
	good = header_of(B, "total-before").n &&
		str_eq(header_of(B, "total-before"), header_of(B, "total"));
	return verdict(
		good && !matches("^[^#\\n].* 0(?:\\.0*)? [0-9.]+$", BYTES, text_of(B)));
}

void
try_profile(void)
{
	static const struct law of_profile[] = {
		LAW(stacks_are_sorted_and_there_once),
		LAW(samples_are_counted),
		LAW(any_way_in_gives_the_same),
		LAW(guessing_gives_the_same),
		LAW(twice_is_double),
		LAW(time_order_is_the_same_in_all),
		LAW(times_can_be_taken_away),
		LAW(dropped_is_folded_without),
		LAW(dimensions_add_up),
		{ 0 },
	};
	static const struct law of_stacks[] = {
		ALIKE(a_picture_is_the_same_twice, "fg-svg -q $FOLDED",
			"fg-svg -q <$FOLDED"),
		LAW(order_does_not_show),
		LAW(with_itself_there_is_no_difference),
		LAW(a_scaled_side_adds_up),
		ALIKE(a_sum_of_one_is_itself, "fg-merge -q --no-header $FOLDED", "$BARE"),
		{ 0 },
	};

	if (run(FOLDED, "fg-collapse -q %s", now.input) != 0)
		return;
	try_laws(of_profile);
	if (!text_of(FOLDED).n)
		return;
	put_bare(BARE, text_of(FOLDED));
	try_laws(of_stacks);
	put_text(TEXT, text_of(FOLDED));
	try_text();
}
