/* SPDX-License-Identifier: ISC */
/* Tests of sniff. */
#include "sniff.h"
#include "unit.h"

UNIT(finds_keys_at_their_place_only)
{
	struct str head =
		STR("{\"a\":1,\"meta\":{\"x\":[],\"v\":55},\"threads\":[{\"name\":\"n\"},"
		    "{\"samples\":{\"schema\":{}}}],\"note\":\"\\\"zz\\\":1\"}");

	CHECK(sniff_has(head, "a") && sniff_has(head, "meta.v"));
	CHECK(sniff_has(head, "threads[].samples.schema"));
	CHECK(!sniff_has(head, "v") && !sniff_has(head, "meta.a") &&
		!sniff_has(head, "schema"));
	CHECK(!sniff_has(head, "zz") && !sniff_has(head, "threads.samples"));
}

UNIT(a_head_that_is_cut_has_what_comes_before)
{
	struct str head = STR(" \n{\"traceEvents\":[{\"ph\":\"X\",\"na");

	CHECK(sniff_has(head, "traceEvents") && sniff_has(head, "traceEvents[].ph"));
	CHECK(!sniff_has(head, "traceEvents[].name"));
	CHECK(sniff_has(STR("[{\"ph\":"), "[].ph") == false);
	CHECK(sniff_has(STR("[{\"ph\":\"B\""), "[].ph"));
}

UNIT(values_are_compared)
{
	struct str head = STR("{\"$schema\":\"https://x/y.json\",\"n\":5}");

	CHECK(sniff_is(head, "$schema", STR("https://x/y.json")));
	CHECK(!sniff_is(head, "$schema", STR("https://x/")) &&
		!sniff_is(head, "n", STR("5")));
}

UNIT(other_text_has_nothing)
{
	CHECK(!sniff_has(STR(""), "a") && !sniff_has(STR("\"a\""), "a"));
	CHECK(!sniff_has(STR("main;a 5\n"), "a") &&
		!sniff_has(STR("{\"b\" \"a\"}"), "a"));
}

UNIT_MAIN
