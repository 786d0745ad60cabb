/* SPDX-License-Identifier: ISC */
/* Tests of json: scripts read exactly the intended values. */
#include "unit.h"
#include "json.h"

static struct buf b;

UNIT(an_object_has_commas_between)
{
	const uint64_t exact[] = { 0, UINT64_MAX };

	json_begin(&b, NULL);
	json_str(&b, "a", STR("x"));
	json_u64(&b, "b", 7);
	json_bool(&b, "c", true);
	json_exact(&b, "d", exact, 2);
	json_array(&b, "e");
	json_element_u64(&b, 1);
	json_element_str(&b, STR("y"));
	json_array_end(&b);
	json_begin(&b, "f");
	json_double(&b, "g", 0.1);
	json_end(&b);
	json_double(&b, "h", 12);
	json_end(&b);
	CHECK_STR(buf_view(&b),
		STR("{\"a\":\"x\",\"b\":7,\"c\":true,\"d\":[\"0\",\"18446744073709551615\"],"
		    "\"e\":[1,\"y\"],\"f\":{\"g\":0.1},\"h\":12}"));
}

UNIT(a_written_number_stays_as_it_is)
{
	json_begin(&b, NULL);
	json_number(&b, "a", STR("18446744073709551615"));
	json_number(&b, "b", STR("0.10"));
	json_end(&b);
	CHECK_STR(buf_view(&b), STR("{\"a\":18446744073709551615,\"b\":0.10}"));
}

UNIT(text_is_ascii_without_markup)
{
	json_begin(&b, NULL);
	json_str(&b, "k", STR("</x>&]]>\"\\\n\x7f\xc3\xa9\xf0\x9f\x94\xa5\xff"));
	json_end(&b);
	CHECK_STR(buf_view(&b),
		STR("{\"k\":\"\\u003c/x\\u003e\\u0026]]\\u003e\\\"\\\\\\u000a\\u007f\\u00e9"
		    "\\ud83d\\udd25\\ufffd\"}"));
}

UNIT(objects_in_an_array)
{
	int i;

	json_begin(&b, NULL);
	json_array(&b, "a");
	for (i = 0; i < 2; i++) {
		json_element_begin(&b);
		json_bool(&b, "x", i);
		json_end(&b);
	}
	json_array_end(&b);
	json_end(&b);
	CHECK_STR(buf_view(&b), STR("{\"a\":[{\"x\":false},{\"x\":true}]}"));
}

UNIT(a_text_that_ends_like_json_needs_its_comma)
{
	json_begin(&b, NULL);
	json_str(&b, "a", STR("{"));
	json_str(&b, "b", STR("["));
	json_end(&b);
	CHECK_STR(buf_view(&b), STR("{\"a\":\"{\",\"b\":\"[\"}"));
}

UNIT(elements_may_be_written_by_the_caller)
{
	json_begin(&b, NULL);
	json_array(&b, "a");
	json_element_number(&b, STR("1.50"));
	json_element_number(&b, STR(""));
	buf_str(&b, STR("null"));
	json_array_end(&b);
	json_end(&b);
	CHECK_STR(buf_view(&b), STR("{\"a\":[1.50,null]}"));
}

UNIT_MAIN
