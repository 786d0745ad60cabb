/* SPDX-License-Identifier: ISC */
/* The bump allocator: arena.h. */
#include "arena.h"
#include "unit.h"

UNIT(blocks_stay_and_are_aligned)
{
	struct arena a = { 0 };
	enum { N = 2000 };
	unsigned char *p[N];
	size_t i, j, size;

	for (i = 0; i < N; i++) {
		size = i % 97 == 0 ? 70000 : i % 61;
		p[i] = arena_alloc(&a, size);
		CHECK((uintptr_t)p[i] % sizeof(void *) == 0);
		memset(p[i], (int)(i & 0xff), size);
	}
	for (i = 0; i < N; i++)
		for (j = 0; j < (i % 97 == 0 ? 70000 : i % 61); j++)
			if (p[i][j] != (i & 0xff)) {
				CHECK(!"a block was written over");
				break;
			}
	arena_release(&a);
	CHECK(a.blocks == NULL);
}

UNIT(strings_are_copies)
{
	struct arena a = { 0 };
	char text[] = "abc";
	struct str s = arena_str(&a, (struct str){ text, 3 });
	struct str none = arena_str(&a, (struct str){ 0 });

	text[0] = 'x';
	CHECK_STR(s, STR("abc"));
	CHECK_U64(none.n, 0);
	arena_release(&a);
}

UNIT(a_large_one_does_not_lose_the_rest)
{
	struct arena a = { 0 };
	struct str first = arena_str(&a, STR("first"));
	char *big = arena_alloc(&a, 10u << 20);
	struct str last = arena_str(&a, STR("last"));

	memset(big, 'x', 10u << 20);
	CHECK_STR(first, STR("first"));
	CHECK_STR(last, STR("last"));
	arena_release(&a);
}

UNIT(release_of_nothing)
{
	struct arena a = { 0 };

	arena_release(&a);
	CHECK(a.blocks == NULL);
}

UNIT_MAIN
