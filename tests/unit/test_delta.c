/* SPDX-License-Identifier: ISC */
/* Tests of delta: changes, their significance, and colours that everyone can
 * distinguish. */
#include "delta.h"
#include "stacks.h"
#include "unit.h"

#include <math.h>

static struct tree tree;
static uint64_t *totals[TREE_COLUMNS];
static struct delta delta;

static uint32_t
add(const char *stack, uint64_t before, uint64_t after)
{
	return stacks_add(&tree, stack, before, after);
}

static void
compare(struct delta_how how)
{
	free(totals[0]);
	free(totals[1]);
	totals[0] = tree_totals(&tree, 0);
	totals[1] = tree_totals(&tree, 1);
	delta_init(&delta, &tree, totals, &how);
}

/* Tests columns scaled by NORM as one run per side, with SAMPLES on each. */
static void
find_sure(const char *norm, uint64_t samples)
{
	struct folded_info info = { .n = 0 };

	folded_info_set(&info, "norm", str_of(norm));
	if (samples) {
		folded_info_set_u64(&info, "samples-before", samples);
		folded_info_set_u64(&info, "samples", samples);
	}
	delta_find_sure(&delta, &info, 0.95);
	folded_info_release(&info);
}

UNIT(without_a_test_all_changes_have_their_colour)
{
	uint32_t more = add("a;more", 10, 18), less = add("a;less", 10, 6);
	uint32_t fresh = add("a;new", 0, 1), gone = add("a;gone", 1, 0);

	compare((struct delta_how){ 0 });
	CHECK_U64(delta.max, 8);
	CHECK_U64(delta_colour(&delta, more), DELTA_STEPS - 1);
	CHECK_U64(delta_colour(&delta, less), DELTA_SAME - 4);
	CHECK_U64(delta_colour(&delta, fresh), DELTA_NEW);
	CHECK_U64(delta_colour(&delta, gone), DELTA_GONE);
	CHECK(!delta_is_hushed(&delta, less));
}

UNIT(insignificant_changes_are_grey)
{
	uint32_t more = add("a;more", 100, 300), chance = add("a;chance", 100, 101);
	uint32_t fresh = add("a;new", 0, 1), gone = add("a;gone", 1, 0);
	uint32_t surely_new = add("a;NEW", 0, 100), surely_gone = add("a;GONE", 300, 0);

	compare((struct delta_how){ 0 });
	find_sure("total", 501);
	CHECK(delta.t > 2.3 && delta.t < 2.4); /* 8 degrees of freedom */
	CHECK_U64(delta_colour(&delta, more), DELTA_SAME + 5);
	CHECK_U64(delta_colour(&delta, chance), DELTA_SAME);
	CHECK(delta_is_hushed(&delta, chance));
	CHECK_U64(delta_colour(&delta, fresh), DELTA_SAME);
	CHECK_U64(delta_colour(&delta, gone), DELTA_GONE_GREY);
	CHECK_U64(delta_colour(&delta, surely_new), DELTA_NEW);
	CHECK_U64(delta_colour(&delta, surely_gone), DELTA_GONE);
}

UNIT(new_and_removed_frames_are_judged_by_their_total)
{
	uint32_t gone = add("a;gone", 0, 0);

	add("a;gone;leaf", 3000, 0);
	add("a;rest", 3000, 6000);
	compare((struct delta_how){ .by_self = true });
	find_sure("none", 6000);
	CHECK_U64(delta_colour(&delta, gone), DELTA_GONE);
}

/* The root is not a function. */
UNIT(a_function_with_nearly_everything_is_the_whole)
{
	add("a", 1000, 3000);
	compare((struct delta_how){ 0 });
	find_sure("none", 1000);
	CHECK(delta.sure[TREE_ROOT]);
}

UNIT(the_whole_of_several_is_grey)
{
	uint32_t grown = add("a", 500, 3000);

	add("b", 500, 500);
	compare((struct delta_how){ 0 });
	find_sure("none", 1000);
	CHECK(delta.sure[grown]);
	CHECK(!delta.sure[TREE_ROOT]);
}

/* No part of it changed significantly on its own. */
UNIT(a_changed_function_has_a_coloured_frame)
{
	static const char *const callers[] = { "c0;f", "c1;f", "c2;f", "c3;f", "c4;f",
		"c5;f", "c6;f", "c7;f" };
	uint32_t frame[8], i;

	for (i = 0; i < 8; i++)
		frame[i] = add(callers[i], 4, 16);
	add("rest", 10000, 10000);
	compare((struct delta_how){ 0 });
	find_sure("none", 10100);
	for (i = 0; i < 8; i++)
		CHECK(delta.sure[frame[i]]);
}

UNIT(unknown_samples_test_nothing)
{
	uint32_t more = add("a;more", 10, 18);

	compare((struct delta_how){ 0 });
	find_sure("total", 0);
	CHECK(!delta.sure && delta.t == 0);
	CHECK_U64(delta_colour(&delta, more), DELTA_STEPS - 1);
}

UNIT(a_ratio_has_no_new_or_removed_frames)
{
	uint32_t first = add("a;first", 10, 0);

	add("a;second", 0, 10);
	compare((struct delta_how){ .ratio = true });
	CHECK(delta_colour(&delta, first) != DELTA_GONE);
	CHECK(delta_colour(&delta, first) < DELTA_STEPS);
}

UNIT(negate_exchanges_the_colours_of_new_and_gone)
{
	struct colour plain[DELTA_COLOURS], negated[DELTA_COLOURS];

	delta_colours(plain, false);
	delta_colours(negated, true);
	CHECK(memcmp(&plain[DELTA_NEW], &negated[DELTA_GONE], sizeof *plain) == 0);
	CHECK(memcmp(&plain[DELTA_GONE], &negated[DELTA_NEW], sizeof *plain) == 0);
	CHECK(memcmp(plain, negated, DELTA_STEPS * sizeof *plain) == 0);
}

UNIT(steps_go_from_blue_over_grey_to_orange)
{
	struct colour c[DELTA_COLOURS];

	delta_colours(c, false);
	CHECK(c[0].b > c[0].r);
	CHECK(c[DELTA_STEPS - 1].r > c[DELTA_STEPS - 1].b);
	CHECK(c[DELTA_SAME].r == c[DELTA_SAME].b);
}

UNIT(every_colour_stands_off_its_text_and_the_page)
{
	struct colour c[DELTA_COLOURS];
	int i;

	delta_colours(c, false);
	for (i = 0; i < DELTA_COLOURS; i++)
		CHECK(colour_contrast(c[i]) >= 7 && colour_contrast_page(c[i]) >= 1.5);
}

/* Kinds of vision: all cones, without red ones, without green ones. */
enum sight { ALL_CONES, PROTANOPIA, DEUTERANOPIA, SIGHTS };

static double
linear(double channel)
{
	double v = channel / 255;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Linear RGB as seen with SIGHT: Vienot, Brettel and Mollon, Color Research and
 * Application 24 (1999), 243. */
static void
see(struct colour c, enum sight sight, double rgb[3])
{
	double r = linear(c.r), g = linear(c.g), b = linear(c.b);
	double l = 17.8824 * r + 43.5161 * g + 4.11935 * b;
	double m = 3.45565 * r + 27.1554 * g + 3.86714 * b;
	double s = 0.0299566 * r + 0.184309 * g + 1.46709 * b;

	if (sight == PROTANOPIA)
		l = 2.02344 * m - 2.52581 * s;
	if (sight == DEUTERANOPIA)
		m = 0.494207 * l + 1.24827 * s;
	rgb[0] = 0.080944 * l - 0.130504 * m + 0.116721 * s;
	rgb[1] = -0.0102485 * l + 0.0540194 * m - 0.113615 * s;
	rgb[2] = -0.000365294 * l - 0.00412163 * m + 0.693513 * s;
}

static double
lab_root(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16 / 116.0;
}

/* CIELAB of 1976 under D65. */
static void
lab(const double rgb[3], double out[3])
{
	double r = fmin(fmax(rgb[0], 0), 1), g = fmin(fmax(rgb[1], 0), 1),
	       b = fmin(fmax(rgb[2], 0), 1);
	double x = lab_root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
	double y = lab_root(0.2126 * r + 0.7152 * g + 0.0722 * b);
	double z = lab_root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);

	out[0] = 116 * y - 16;
	out[1] = 500 * (x - y);
	out[2] = 200 * (y - z);
}

/* The perceived distance of two colours. */
static double
apart(struct colour c, struct colour d, enum sight sight)
{
	double p[3], q[3], x[3], y[3];

	see(c, sight, p);
	see(d, sight, q);
	lab(p, x);
	lab(q, y);
	return sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
}

/* New and removed frames differ from the scale and each other for all eyes, and
 * insignificantly removed frames differ from the scale's grey. */
UNIT(colours_are_distinct_with_any_cones)
{
	struct colour c[DELTA_COLOURS];
	int sight, i;

	delta_colours(c, false);
	for (sight = ALL_CONES; sight < SIGHTS; sight++) {
		CHECK(apart(c[0], c[DELTA_STEPS - 1], sight) > 40);
		CHECK(apart(c[DELTA_NEW], c[DELTA_GONE], sight) > 40);
		for (i = 0; i < DELTA_STEPS; i++) {
			CHECK(apart(c[DELTA_NEW], c[i], sight) > 25);
			CHECK(apart(c[DELTA_GONE], c[i], sight) > 20);
			CHECK(apart(c[DELTA_GONE_GREY], c[i], sight) > 10);
		}
		CHECK(apart(c[DELTA_GONE_GREY], c[DELTA_GONE], sight) > 15);
	}
}

UNIT_MAIN
