/* SPDX-License-Identifier: ISC */
/* Tests of export: profiles prepared for a target. */
#include "export.h"
#include "unit.h"

static const struct export_settings PLAIN = { .target = "test" };

/* TEXT prepared for a target with NEEDS. */
struct ready {
	struct profile p;
	struct export_target target;
	struct export_settings set;
	struct export x;
	bool good;
};

static void
make(struct ready *r, const char *text, unsigned needs)
{
	static const struct folded_options how = { .reverse = false };
	struct input *in = input_of_memory("test", str_of(text));

	r->target = (struct export_target){ .needs = needs };
	r->set = PLAIN;
	profile_init(&r->p);
	profile_add(&r->p, in, &how);
	CHECK(folded_by_settle(&r->p.by, &r->p.info));
	tree_settle(&r->p.tree);
	input_close(in);
	r->good = export_init(&r->x, &r->p, &r->set, &r->target);
}

static void
drop(struct ready *r)
{
	export_release(&r->x);
	profile_release(&r->p);
}

UNIT(dimensions_become_tracks_and_times)
{
	struct export_thread t;
	struct ready r;

	make(&r,
		"#fg by=tid,time\na-1/2;000001.5s;f 1\na-1/2;000000s;f;g 2\n"
		"b c-1/3;-;f 9\n",
		EXPORT_TRACKS);
	CHECK(r.good);
	CHECK_U64(r.x.n, 3);
	CHECK_U64(r.x.track_n, 2);
	CHECK_STR(export_value(&r.x, 0, 0), STR("b c-1/3"));
	CHECK(!r.x.samples[0].timed);
	CHECK_U64(r.x.samples[1].time, 0);
	CHECK_U64(r.x.samples[2].time, 1500000000);
	t = export_thread(&r.x, 0);
	CHECK_STR(t.comm, STR("b c"));
	CHECK_STR(t.pid, STR("1"));
	CHECK_STR(t.tid, STR("3"));
	CHECK_U64(r.x.tree->n, 3);
	drop(&r);
}

UNIT(short_stacks_have_fewer_values)
{
	struct ready r;

	make(&r, "#fg by=comm,cpu,pid\na;cpu1 1\na;cpu1;a-1;f 2\n", EXPORT_TRACKS);
	CHECK(r.good);
	CHECK_STR(export_value(&r.x, 1, 1), STR("cpu1"));
	CHECK(!export_value(&r.x, 1, 2).s);
	CHECK_STR(
		intern_str(&r.x.tree->names, r.x.tree->nodes[r.x.samples[1].stack].name),
		STR("[unknown]"));
	drop(&r);
}

UNIT(other_targets_sum_them_away)
{
	struct ready r;

	make(&r, "#fg by=comm\na;f 1\nb;f 2\n", 0);
	CHECK(r.good);
	CHECK_U64(r.x.track_n, 1);
	CHECK_U64(r.x.n, 1);
	CHECK_U64(r.x.tree->n, 2);
	drop(&r);
}

UNIT(rounding_keeps_the_sum)
{
	struct ready r;

	make(&r, "a 1.4\nb 1.4\nc 1.4\nd 0.1\n", EXPORT_WHOLE);
	CHECK(r.good);
	CHECK_U64(r.x.scale, 0);
	CHECK_U64(r.x.sum[0], 4);
	CHECK_U64(r.x.n, 3);
	drop(&r);
}

UNIT(times_become_nanoseconds)
{
	struct ready r;

	make(&r, "#fg unit=ms\na 1.25\nb 3\n", EXPORT_WHOLE);
	CHECK(r.good);
	CHECK_U64(r.x.samples[0].weight[0], 1250000);
	CHECK_STR(r.x.unit, STR("ns"));
	drop(&r);
	make(&r, "#fg unit=s\na 9223372037\n", EXPORT_WHOLE);
	CHECK(!r.good);
	drop(&r);
	make(&r, "#fg unit=bytes\na 1\n", EXPORT_TIMES);
	CHECK(!r.good);
	drop(&r);
}

UNIT(one_of_two_columns_is_exported)
{
	struct ready r;

	make(&r, "#fg columns=2\na 1 2\nb 3 0\n", 0);
	CHECK(r.good);
	CHECK_U64(r.x.n, 1);
	CHECK_U64(r.x.sum[0], 2);
	CHECK_STR(export_column(&r.x, 0), STR("after"));
	drop(&r);
	make(&r, "#fg columns=2 ratio=x,y\na 1 2\nb 3 0\n", EXPORT_BOTH);
	CHECK_U64(r.x.n, 2);
	CHECK_U64(r.x.sum[0], 4);
	CHECK_STR(export_column(&r.x, 0), STR("x"));
	CHECK_STR(export_column(&r.x, 1), STR("y"));
	drop(&r);
}

UNIT(a_frame_may_have_a_place)
{
	struct export_place p = export_place(STR("std::f:x.c:12"));

	CHECK_STR(p.name, STR("std::f"));
	CHECK_STR(p.file, STR("x.c"));
	CHECK_U64(p.line, 12);
	CHECK_STR(export_place(STR("a::b")).name, STR("a::b"));
	CHECK_STR(export_place(STR("f:x.c:0")).name, STR("f:x.c:0"));
	CHECK_STR(export_place(STR("f:x.c:12_[k]")).name, STR("f:x.c:12_[k]"));
	CHECK_STR(export_place(STR(":x.c:12")).name, STR(":x.c:12"));
	CHECK_STR(export_place(STR("f:x:12")).name, STR("f:x:12"));
}

UNIT(decimals_are_exact)
{
	static const struct {
		uint64_t value;
		int scale;
		const char *text;
	} all[] = { { 0, 9, "0" }, { 0, -3, "0" }, { 12, 0, "12" }, { 12, -2, "1200" },
		{ 12, 1, "1.2" }, { 12, 2, "0.12" }, { 12, 4, "0.0012" },
		{ 1200, 2, "12" }, { 1200, 3, "1.2" }, { 10, 1, "1" },
		{ UINT64_MAX, 9, "18446744073.709551615" },
		{ 5, 15, "0.000000000000005" } };
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++) {
		buf_clear(&b);
		export_put_decimal(&b, all[i].value, all[i].scale);
		CHECK_STR(buf_view(&b), str_of(all[i].text));
	}
	buf_release(&b);
}

UNIT(the_start_is_a_time)
{
	struct ready r;

	make(&r, "#fg start=2026-11-23T05:20:01Z\na 1\n", 0);
	CHECK_U64(export_start(&r.x), 1795411201000000000);
	drop(&r);
	make(&r, "#fg start=2000-02-29T00:00:00Z\na 1\n", 0);
	CHECK_U64(export_start(&r.x), 951782400000000000);
	drop(&r);
	make(&r, "#fg start=2026-11-23T05:20:01\na 1\n", 0);
	CHECK_U64(export_start(&r.x), 1795411201000000000);
	drop(&r);
	make(&r, "#fg start=Mon%20Nov%2023%2005:20:01%202026\na 1\n", 0);
	CHECK_U64(export_start(&r.x), 1795411201000000000);
	drop(&r);
	make(&r, "#fg start=2026-11-23%2005:20:01.5\na 1\n", 0);
	CHECK_U64(export_start(&r.x), 1795411201500000000);
	drop(&r);
	make(&r, "#fg start=2026-13-23T05:20:01Z\na 1\n", 0);
	CHECK_U64(export_start(&r.x), 0);
	drop(&r);
}

UNIT_MAIN
