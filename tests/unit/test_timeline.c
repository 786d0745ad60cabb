/* SPDX-License-Identifier: ISC */
/* Tests of timeline: splitting times off a profile, and reading everything back. */
#include "timeline.h"
#include "svg-data.h"
#include "unit.h"

/* The profile of TEXT, with its times split off; returns whether there are any. */
static bool
split(struct timeline *tl, struct profile *p, const char *text)
{
	static const struct folded_options plain = { .reverse = false };
	struct input *in = input_of_memory("text", str_of(text));

	profile_init(p);
	profile_add(p, in, &plain);
	input_close(in);
	return timeline_init(tl, p);
}

static const char TEXT[] = "#fg by=comm,tid,time unit=samples\n"
			   "a;1/1;0.0s;main;f 5\n"
			   "a;1/1;0.1s;main;f 4\n"
			   "a;1/2;0.0s;main;f 8\n"
			   "a;1/2;0.3s;main 12\n"
			   "b;3/3;0.3s 2\n";

UNIT(a_stack_stays_once)
{
	struct timeline tl;
	struct profile p;

	CHECK(split(&tl, &p, TEXT));
	CHECK_U64(p.tree.stacks, 3);
	CHECK_U64(p.tree.sum[0], 31);
	CHECK_U64(tl.n, 5);
	CHECK_U64(tl.rows, 1);
	CHECK_U64(tl.n_tracks, 3);
	CHECK_U64(tl.n_times, 3);
	CHECK_STR(tl.tracks[2], STR("3/3;"));
	CHECK_STR(tl.times[1], STR("0.1s"));
	CHECK_U64(tl.unit, 1);
	timeline_release(&tl);
	profile_release(&p);
}

UNIT(profiles_without_time_stay_as_they_are)
{
	static const char *const texts[] = { "a;b 1\n", "#fg by=comm,tid\na;b;c 1\n",
		/* two columns; a time twice */
		"#fg by=time columns=2\na;b 1 2\n", "#fg by=time,time\na;b 1\n" };
	struct timeline tl;
	struct profile p;
	size_t i;

	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		CHECK(!split(&tl, &p, texts[i]));
		CHECK(p.tree.stacks > 0);
		timeline_release(&tl);
		profile_release(&p);
	}
}

UNIT(short_stacks_have_no_value_of_the_others)
{
	struct timeline tl;
	struct profile p;

	CHECK(split(&tl, &p, "#fg by=comm,tid,time\na;1/1;0s;b 1\na 2\n"));
	CHECK_U64(tl.n, 2);
	CHECK_U64(tl.n_tracks, 2);
	CHECK_STR(tl.tracks[0], STR("-;"));
	CHECK_STR(tl.times[0], STR("-"));
	timeline_release(&tl);
	profile_release(&p);
}

UNIT(weights_are_in_units)
{
	struct timeline tl;
	struct profile p;

	CHECK(split(&tl, &p, "#fg by=time\n0s;a 300\n1s;a 500\n1s;b 200\n"));
	CHECK_U64(tl.unit, 100);
	timeline_release(&tl);
	profile_release(&p);
}

UNIT_MAIN
