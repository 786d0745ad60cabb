/* SPDX-License-Identifier: ISC */
/* Growable bytes and their allocation: buf.h, mem.h. */
#include "buf.h"
#include "unit.h"

UNIT(grows_and_keeps)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < 100000; i++)
		buf_char(&b, (char)('a' + i % 26));
	CHECK_U64(b.n, 100000);
	for (i = 0; i < b.n; i++)
		if (b.s[i] != (char)('a' + i % 26))
			CHECK(!"a byte was lost");
	buf_clear(&b);
	CHECK_U64(b.n, 0);
	buf_release(&b);
	CHECK(b.s == NULL && b.n == 0 && b.cap == 0);
}

UNIT(adds_text_and_numbers)
{
	struct buf b = { 0 };

	buf_str(&b, (struct str){ 0 });
	buf_str(&b, STR("a\0b "));
	buf_u64(&b, 0);
	buf_char(&b, ' ');
	buf_u64(&b, UINT64_MAX);
	buf_fmt(&b, " %s-%d", "x", 1);
	CHECK_STR(buf_view(&b), STR("a\0b 0 18446744073709551615 x-1"));
	buf_release(&b);
}

UNIT(bytes_are_two_digits_each)
{
	struct buf b = { 0 };

	buf_hex(&b, STR("\0\x0f\xa5\xff"));
	buf_hex(&b, (struct str){ 0 });
	CHECK_STR(buf_view(&b), STR("000fa5ff"));
	buf_release(&b);
}

UNIT(long_formats_are_not_cut)
{
	struct buf b = { 0 };

	buf_char(&b, '<');
	buf_fmt(&b, "%5000d", 7);
	CHECK_U64(b.n, 5001);
	CHECK(b.s[5000] == '7' && b.s[4999] == ' ');
	buf_release(&b);
}

UNIT(invisible_characters_become_a_mark)
{
	struct buf b = { 0 };

	buf_visible(
		&b, STR("a\033[1m<\xff\xe4\xb8\xad\xe2\x80\xae&\n"), BUF_MARK, BUF_MOST);
	CHECK_STR(buf_view(&b),
		STR("a\xef\xbf\xbd[1m<\xef\xbf\xbd\xe4\xb8\xad\xef\xbf\xbd&\xef\xbf\xbd"));
	buf_clear(&b);
	buf_visible(&b, STR("a\xe4\xb8\xad\x7f~"), STR("?"), 0x7f);
	CHECK_STR(buf_view(&b), STR("a??~"));
	buf_release(&b);
}

UNIT(cstr_ends_and_does_not_count_the_end)
{
	struct buf b = { 0 };

	CHECK(strcmp(buf_cstr(&b), "") == 0);
	buf_str(&b, STR("abc"));
	CHECK(strcmp(buf_cstr(&b), "abc") == 0);
	CHECK_U64(b.n, 3);
	buf_release(&b);
}

UNIT(mem_grow_makes_room_and_keeps_content)
{
	size_t cap = 0;
	uint32_t *p = mem_grow(NULL, &cap, 1, sizeof *p);
	size_t had = cap;

	CHECK(cap >= 1);
	p[0] = 7;
	CHECK(mem_grow(p, &cap, had, sizeof *p) == p && cap == had);
	p = mem_grow(p, &cap, had + 1, sizeof *p);
	CHECK(cap > had);
	CHECK_U64(p[0], 7);
	free(p);
}

/* Checks that a child that runs FUNCTION ends with MSG_TROUBLE. */
static bool
ends_in_trouble(void (*function)(void))
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		function();
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
		WEXITSTATUS(status) == MSG_TROUBLE;
}

static void
overflow_resize(void)
{
	free(mem_resize(NULL, SIZE_MAX / 2, 3));
}

static void
overflow_grow(void)
{
	size_t cap = 10;

	free(mem_grow(NULL, &cap, SIZE_MAX / 2, 16));
}

UNIT(sizes_that_overflow_end_the_program)
{
	CHECK(ends_in_trouble(overflow_resize));
	CHECK(ends_in_trouble(overflow_grow));
}

UNIT(nothing_may_be_asked_for)
{
	void *p = mem_alloc(0), *q = mem_zero(0, 4);

	CHECK(p && q);
	free(p);
	free(q);
}

UNIT_MAIN
