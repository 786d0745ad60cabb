/* SPDX-License-Identifier: ISC */
/* Tests of pack: what is packed comes back, and is the same each time. */
#include "unit.h"
#include "deflate.h"
#include "inflate.h"

static void
round_trip(struct str text)
{
	struct buf packed = { 0 }, again = { 0 }, back = { 0 };

	deflate_zlib(text, &packed);
	deflate_zlib(text, &again);
	CHECK_STR(buf_view(&packed), buf_view(&again));
	CHECK(inflate_all(INFLATE_ZLIB, buf_view(&packed), &back, text.n + 1));
	CHECK(str_eq(buf_view(&back), text));
	buf_release(&packed);
	buf_release(&again);
	buf_release(&back);
}

UNIT(what_is_packed_comes_back)
{
	struct buf b = { 0 };
	uint64_t state = 7;
	int i;

	round_trip((struct str){ 0 });
	round_trip(STR("a"));
	/* what packs well, and then what does not, more than one step takes */
	for (i = 0; i < 1000000; i++)
		buf_char(&b, 'a');
	round_trip(buf_view(&b));
	for (i = 0; i < 2000000; i++) {
		state = state * 6364136223846793005 + 1442695040888963407;
		buf_char(&b, (char)(state >> 56));
	}
	round_trip(buf_view(&b));
	buf_release(&b);
}

UNIT(packing_adds_to_what_is_there)
{
	struct buf b = { 0 }, back = { 0 };

	buf_str(&b, STR("head"));
	deflate_zlib(STR("text"), &b);
	CHECK(str_starts(buf_view(&b), STR("head\x78")));
	CHECK(inflate_all(INFLATE_ZLIB, str_from(buf_view(&b), 4), &back, 100));
	CHECK_STR(buf_view(&back), STR("text"));
	buf_release(&b);
	buf_release(&back);
}

UNIT_MAIN
