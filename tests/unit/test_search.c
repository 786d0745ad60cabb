/* SPDX-License-Identifier: ISC */
/* Binary search: search.h. */
#include "search.h"
#include "unit.h"

struct item {
	uint64_t start;
	uint32_t what;
};

UNIT(counts_values_up_to_the_key)
{
	static const uint64_t keys[] = { 0, 1, 2, 2, 2, 5, 1 << 20, UINT64_MAX - 1 };
	struct item items[8];

	for (size_t n = 0; n <= 8; n++) {
		for (size_t i = 0; i < n; i++)
			items[i] = (struct item){ keys[i], 0 };
		for (size_t k = 0; k < 8; k++)
			for (uint64_t key = keys[k] - 1; key != keys[k] + 2; key++) {
				size_t want = 0;

				while (want < n && keys[want] <= key)
					want++;
				CHECK_U64(
					search_upto(items, n, sizeof *items, key), want);
				CHECK_U64(search_upto(keys, n, sizeof *keys, key), want);
			}
	}
}

UNIT(nothing_is_counted_in_nothing)
{
	CHECK_U64(search_upto(NULL, 0, 8, 0), 0);
	CHECK_U64(search_upto(NULL, 0, 8, UINT64_MAX), 0);
}

UNIT_MAIN
