/* SPDX-License-Identifier: ISC */
/* Tests of merge: labels, and exact means. */
#include "unit.h"
#include "buf.h"
#include "folded.h"
#include "merge.h"

static struct buf text;

static struct str
label(const char *operand, bool labelled)
{
	const char *path;
	struct str name = merge_label(operand, labelled, &path);

	buf_clear(&text);
	buf_str(&text, name);
	buf_char(&text, ' ');
	buf_str(&text, str_of(path));
	return buf_view(&text);
}

UNIT(labels_are_bare_names_or_given)
{
	CHECK_STR(label("/a/b/web1.folded.gz", true), STR("web1 /a/b/web1.folded.gz"));
	CHECK_STR(label("x.svg", true), STR("x x.svg"));
	CHECK_STR(label(".folded", true), STR(".folded .folded"));
	CHECK_STR(label("-", true), STR("stdin -"));
	CHECK_STR(label("a=-", true), STR("a -"));
	CHECK_STR(label("a=b=c", true), STR("a b=c"));
	CHECK_STR(label("./a=b", true), STR("a=b ./a=b"));
	CHECK_STR(label("a=/b", true), STR("a /b"));
	CHECK_STR(label("=b", true), STR(" b"));
	CHECK_STR(label("a=b", false), STR("a=b a=b"));
}

/* WEIGHT of a sum of SUM, in units of 10^-SCALE, divided by FILES. */
static struct str
mean(uint64_t files, uint64_t sum, unsigned scale, uint64_t weight)
{
	const uint64_t sums[TREE_COLUMNS] = { sum, 0 };
	struct merge_mean m;
	uint64_t value;

	merge_mean_init(&m, files, sums, &scale);
	value = merge_mean_of(&m, weight);
	buf_clear(&text);
	weight_put_scaled(&text, value, scale);
	if (m.rounded)
		buf_char(&text, '~');
	return buf_view(&text);
}

UNIT(means_are_exact_where_they_can_be)
{
	CHECK_STR(mean(1, 7, 0, 7), STR("7"));
	CHECK_STR(mean(2, 7, 0, 7), STR("3.5"));
	CHECK_STR(mean(8, 7, 0, 7), STR("0.875"));
	CHECK_STR(mean(512, 7, 0, 7), STR("0.013671875"));
	CHECK_STR(mean(3, 9, 0, 9), STR("3"));
	CHECK_STR(mean(3, 7, 0, 1), STR("0.333333333~"));
	CHECK_STR(mean(3, 7, 0, 2), STR("0.666666667~"));
	CHECK_STR(mean(1024, 1, 0, 1), STR("0.000976563~"));
	CHECK_STR(mean(2, 125, 3, 125), STR("0.0625"));
	CHECK_STR(mean(2, 1, 9, 1), STR("0.000000001~"));
}

UNIT(large_means_lose_decimals_not_weight)
{
	CHECK_STR(mean(1, UINT64_MAX, 0, UINT64_MAX), STR("18446744073709551615"));
	CHECK_STR(mean(2, UINT64_MAX, 0, UINT64_MAX), STR("9223372036854775808~"));
	CHECK_STR(
		mean(2, UINT64_MAX / 9, 0, UINT64_MAX / 9), STR("1024819115206086200.5"));
	CHECK_STR(mean(3, 2999999999999997, 0, 1), STR("0.3~"));
	CHECK_STR(mean(1000000, 1000000, 0, 999999), STR("0.999999"));
}

UNIT_MAIN
