/* SPDX-License-Identifier: ISC */
/* Tests of json-profile. */
#include "readers/json-profile.h"
#include "unit.h"

UNIT(finds_keys_at_their_place_only)
{
	struct str head =
		STR("{\"a\":1,\"meta\":{\"x\":[],\"v\":55},\"threads\":[{\"name\":\"n\"},"
		    "{\"samples\":{\"schema\":{}}}],\"note\":\"\\\"zz\\\":1\"}");

	CHECK(json_has(head, "a") && json_has(head, "meta.v"));
	CHECK(json_has(head, "threads[].samples.schema"));
	CHECK(!json_has(head, "v") && !json_has(head, "meta.a") &&
		!json_has(head, "schema"));
	CHECK(!json_has(head, "zz") && !json_has(head, "threads.samples"));
}

UNIT(a_head_that_is_cut_has_what_comes_before)
{
	struct str head = STR(" \n{\"traceEvents\":[{\"ph\":\"X\",\"na");

	CHECK(json_has(head, "traceEvents") && json_has(head, "traceEvents[].ph"));
	CHECK(!json_has(head, "traceEvents[].name"));
	CHECK(json_has(STR("[{\"ph\":"), "[].ph") == false);
	CHECK(json_has(STR("[{\"ph\":\"B\""), "[].ph"));
}

UNIT(values_are_compared)
{
	struct str head = STR("{\"$schema\":\"https://x/y.json\",\"n\":5}");

	CHECK(json_has_text(head, "$schema", STR("https://x/y.json")));
	CHECK(!json_has_text(head, "$schema", STR("https://x/")) &&
		!json_has_text(head, "n", STR("5")));
}

UNIT(other_text_has_nothing)
{
	CHECK(!json_has(STR(""), "a") && !json_has(STR("\"a\""), "a"));
	CHECK(!json_has(STR("main;a 5\n"), "a") && !json_has(STR("{\"b\" \"a\"}"), "a"));
}

UNIT_MAIN
