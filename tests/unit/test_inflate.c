/* SPDX-License-Identifier: ISC */
/* Decompression: inflate.h. */
#include "inflate.h"
#include "input.h"
#include "unit.h"

#include <zlib.h>
/* The supported formats of this build; set by the Makefile, but not for other tools
 * that read this file. */
#ifndef HAVE_ZSTD
#define HAVE_ZSTD  0
#define HAVE_LZMA  0
#define HAVE_BZIP2 0
#endif
#if HAVE_ZSTD
#include <zstd.h>
#endif
#if HAVE_LZMA
#include <lzma.h>
#endif
#if HAVE_BZIP2
#include <bzlib.h>
#endif

enum { KINDS = INFLATE_BZIP2 + 1 };

static void
add_deflated(struct buf *to, struct str s, int window)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)s.s, .avail_in = (uInt)s.n };
	size_t bound = s.n + s.n / 100 + 100;

	CHECK(deflateInit2(&z, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	z.next_out = (Bytef *)buf_room(to, bound);
	z.avail_out = (uInt)bound;
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	to->n += bound - z.avail_out;
	deflateEnd(&z);
}

/* Appends S as a whole member to a stream of KIND. */
static void
add(struct buf *to, enum inflate_kind kind, struct str s)
{
	size_t bound = s.n + s.n / 100 + 4096;

	if (kind == INFLATE_GZIP)
		add_deflated(to, s, 15 + 16);
	if (kind == INFLATE_ZLIB)
		add_deflated(to, s, 15);
#if HAVE_ZSTD
	if (kind == INFLATE_ZSTD)
		to->n += ZSTD_compress(buf_room(to, bound), bound, s.s, s.n, 3);
#endif
#if HAVE_LZMA
	if (kind == INFLATE_XZ) {
		size_t at = 0;

		CHECK(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL,
			      (const uint8_t *)s.s, s.n, (uint8_t *)buf_room(to, bound),
			      &at, bound) == LZMA_OK);
		to->n += at;
	}
#endif
#if HAVE_BZIP2
	if (kind == INFLATE_BZIP2) {
		unsigned got = (unsigned)bound;

		CHECK(BZ2_bzBuffToBuffCompress(buf_room(to, bound), &got,
			      (char *)(uintptr_t)s.s, (unsigned)s.n, 1, 0, 0) == BZ_OK);
		to->n += got;
	}
#endif
	(void)bound;
}

/* Text that compresses to about a fifth. */
static void
add_lines(struct buf *to, size_t n)
{
	uint64_t seed = 42;

	while (to->n < n) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		buf_fmt(to, "main;parse;read_%u %u\n", (unsigned)(seed >> 61),
			(unsigned)(seed >> 52));
	}
}

/* Unpacks IN in pieces of IN_PIECE bytes through buffers of ROOM bytes. Members may
 * follow one another. Returns the last state. */
static enum inflate_state
run_pieces(enum inflate_kind kind, struct str in, size_t in_piece, size_t room,
	struct buf *to)
{
	struct inflate *u = inflate_new(kind);
	enum inflate_state state = INFLATE_MORE;
	struct str piece;
	size_t got;

	while (in.n && state != INFLATE_BAD) {
		piece = str_head(in, in_piece);
		in = str_from(in, in_piece);
		do {
			state = inflate_run(u, &piece, buf_room(to, room), room, &got);
			CHECK(got <= room);
			to->n += got;
		} while (state != INFLATE_BAD &&
			(piece.n || (state == INFLATE_MORE && got == room)));
	}
	CHECK((state == INFLATE_BAD) == (inflate_why(u) != NULL));
	inflate_free(u);
	return state;
}

UNIT(pieces_of_any_size_make_the_whole)
{
	static const size_t sizes[] = { 1, 7, 1000, 1 << 20 };
	struct buf text = { 0 }, packed = { 0 }, out = { 0 };

	add_lines(&text, 50000);
	for (int kind = 0; kind < KINDS; kind++) {
		if (!inflate_knows(kind))
			continue;
		buf_clear(&packed);
		add(&packed, kind, buf_view(&text));
		CHECK(packed.n < text.n / 2);
		for (size_t i = 0; i < 16; i++) {
			buf_clear(&out);
			CHECK(run_pieces(kind, buf_view(&packed), sizes[i / 4],
				      sizes[i % 4], &out) == INFLATE_END);
			CHECK(str_eq(buf_view(&out), buf_view(&text)));
		}
	}
	buf_release(&text);
	buf_release(&packed);
	buf_release(&out);
}

UNIT(members_follow_one_another)
{
	struct buf packed = { 0 }, out = { 0 };

	for (int kind = 0; kind < KINDS; kind++) {
		if (!inflate_knows(kind) || kind == INFLATE_ZLIB)
			continue;
		buf_clear(&packed);
		add(&packed, kind, STR("one,"));
		add(&packed, kind, STR(""));
		add(&packed, kind, STR("three"));
		for (size_t piece = 1; piece < 100; piece += 33) {
			buf_clear(&out);
			CHECK(run_pieces(kind, buf_view(&packed), piece, 3, &out) ==
				INFLATE_END);
			CHECK_STR(buf_view(&out), STR("one,three"));
		}
		buf_clear(&out);
		CHECK(inflate_all(kind, buf_view(&packed), &out, 9));
		CHECK_STR(buf_view(&out), STR("one,three"));
		buf_clear(&out);
		CHECK(!inflate_all(kind, buf_view(&packed), &out, 8));
	}
	buf_release(&packed);
	buf_release(&out);
}

UNIT(all_at_once_with_a_limit)
{
	static const size_t sizes[] = { 0, 1, 2, 5000, 300000 };
	struct buf text = { 0 }, packed = { 0 }, out = { 0 };

	for (int kind = 0; kind < KINDS; kind++) {
		for (size_t i = 0; inflate_knows(kind) && i < 5; i++) {
			buf_clear(&text);
			buf_clear(&packed);
			add_lines(&text, sizes[i]);
			text.n = sizes[i];
			add(&packed, kind, buf_view(&text));
			buf_clear(&out);
			buf_str(&out, STR("before"));
			CHECK(inflate_all(kind, buf_view(&packed), &out, SIZE_MAX));
			CHECK(str_eq(str_from(buf_view(&out), 6), buf_view(&text)));
			buf_clear(&out);
			CHECK(inflate_all(kind, buf_view(&packed), &out, text.n));
			CHECK(str_eq(buf_view(&out), buf_view(&text)));
			buf_clear(&out);
			CHECK(!text.n ||
				!inflate_all(kind, buf_view(&packed), &out, text.n - 1));
			CHECK(out.n < text.n + !text.n);
		}
	}
	buf_release(&text);
	buf_release(&packed);
	buf_release(&out);
}

UNIT(truncated_input_fails)
{
	struct buf text = { 0 }, packed = { 0 }, out = { 0 };

	add_lines(&text, 300);
	for (int kind = 0; kind < KINDS; kind++) {
		if (!inflate_knows(kind))
			continue;
		buf_clear(&packed);
		add(&packed, kind, buf_view(&text));
		for (size_t n = 0; n < packed.n; n++) {
			buf_clear(&out);
			CHECK(!inflate_all(
				kind, str_head(buf_view(&packed), n), &out, SIZE_MAX));
			CHECK(str_starts(buf_view(&text), buf_view(&out)));
			if (n)
				CHECK(run_pieces(kind, str_head(buf_view(&packed), n), 7,
					      9, &out) == INFLATE_MORE);
		}
	}
	buf_release(&text);
	buf_release(&packed);
	buf_release(&out);
}

/* Bytes behind a stream do not belong to it. */
UNIT(bytes_behind_a_stream_are_left)
{
	struct buf packed = { 0 }, out = { 0 };

	for (int kind = 0; kind < KINDS; kind++) {
		if (!inflate_knows(kind))
			continue;
		buf_clear(&packed);
		buf_clear(&out);
		add(&packed, kind, STR("text"));
		buf_str(&packed, STR("padding"));
		CHECK(inflate_all(kind, buf_view(&packed), &out, 4));
		CHECK_STR(buf_view(&out), STR("text"));
	}
	buf_release(&packed);
	buf_release(&out);
}

UNIT(damage_stays)
{
	struct buf text = { 0 }, packed = { 0 };
	char room[4096];
	size_t got;

	add_lines(&text, 3000);
	for (int kind = 0; kind < KINDS; kind++) {
		if (!inflate_knows(kind))
			continue;
		buf_clear(&packed);
		add(&packed, kind, buf_view(&text));
		memset(packed.s, '!', packed.n / 2);

		struct inflate *u = inflate_new(kind);
		struct str in = buf_view(&packed);

		CHECK(inflate_why(u) == NULL);
		CHECK(inflate_run(u, &in, room, sizeof room, &got) == INFLATE_BAD);
		CHECK(inflate_why(u) != NULL);
		in = buf_view(&packed);
		CHECK(inflate_run(u, &in, room, sizeof room, &got) == INFLATE_BAD);
		CHECK(got == 0 && in.n == packed.n);
		inflate_free(u);
	}
	buf_release(&text);
	buf_release(&packed);
}

UNIT(calls_without_progress_are_not_damage)
{
	struct buf packed = { 0 };
	char room[16];
	size_t got;

	for (int kind = 0; kind < KINDS; kind++) {
		if (!inflate_knows(kind))
			continue;
		buf_clear(&packed);
		add(&packed, kind, STR("text"));

		struct inflate *u = inflate_new(kind);
		struct str in = buf_view(&packed), none = { 0 };

		for (int i = 0; i < 100; i++)
			CHECK(inflate_run(u, &none, room, sizeof room, &got) ==
				INFLATE_MORE);
		for (int i = 0; i < 100; i++)
			CHECK(inflate_run(u, &in, room, 0, &got) == INFLATE_MORE);
		CHECK(in.n == packed.n);
		CHECK(inflate_run(u, &in, room, sizeof room, &got) == INFLATE_END);
		CHECK_STR(((struct str){ room, got }), STR("text"));
		CHECK(inflate_run(u, &none, room, sizeof room, &got) == INFLATE_MORE);
		CHECK(got == 0);
		inflate_free(u);
	}
	inflate_free(NULL);
	buf_release(&packed);
}

#if HAVE_ZSTD
/* As perf record -z writes: one endless frame, flushed after each block of records.
 * Bytes before a flush are available at once. */
UNIT(an_endless_stream_gives_all_its_bytes)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	struct inflate *u = inflate_new(INFLATE_ZSTD);
	enum { ROOM = 5000 };
	struct buf text = { 0 }, plain = { 0 };
	static char block[1 << 20];

	for (size_t n = 1; n < 600000; n = n * 3 + 1) {
		buf_clear(&text);
		add_lines(&text, n);
		text.n = n;

		ZSTD_inBuffer from = { text.s, text.n, 0 };
		ZSTD_outBuffer to = { block, sizeof block, 0 };
		struct str in;
		size_t got = ROOM;

		CHECK(ZSTD_compressStream2(c, &to, &from, ZSTD_e_flush) == 0);
		in = (struct str){ block, to.pos };
		for (buf_clear(&plain); got == ROOM; plain.n += got)
			CHECK(inflate_run(u, &in, buf_room(&plain, ROOM), ROOM, &got) ==
				INFLATE_MORE);
		CHECK(in.n == 0);
		CHECK(str_eq(buf_view(&plain), buf_view(&text)));
	}
	ZSTD_freeCCtx(c);
	inflate_free(u);
	buf_release(&text);
	buf_release(&plain);
}
#endif

#if HAVE_LZMA
/* Checks the bytes that input.h reads from S. */
static void
check_input(struct str s, struct str expected, bool fails)
{
	struct input *in = input_of_memory("memory", s);

	CHECK_STR(input_rest(in), expected);
	CHECK(input_failed(in) == fails);
	input_close(in);
}

/* As in xz(1): concatenated streams, with zeroes between and behind them. */
UNIT(input_unpacks_xz)
{
	struct buf packed = { 0 };
	size_t one;

	add(&packed, INFLATE_XZ, STR("main;parse 1\n"));
	one = packed.n;
	check_input(buf_view(&packed), STR("main;parse 1\n"), false);
	for (size_t n = 6; n < one; n += 3) {
		struct input *in = input_of_memory("cut", str_head(buf_view(&packed), n));

		CHECK(str_starts(STR("main;parse 1\n"), input_rest(in)));
		CHECK(input_failed(in));
		input_close(in);
	}
	buf_str(&packed, (struct str){ "\0\0\0\0", 4 });
	add(&packed, INFLATE_XZ, STR("main;read 2\n"));
	buf_str(&packed, (struct str){ "\0\0\0\0", 4 });
	check_input(buf_view(&packed), STR("main;parse 1\nmain;read 2\n"), false);
	buf_str(&packed, STR("something else"));
	check_input(buf_view(&packed), STR("main;parse 1\nmain;read 2\n"), false);
	packed.s[one - 20] ^= 0x55;
	check_input(str_head(buf_view(&packed), one), STR("main;parse 1\n"), true);
	buf_release(&packed);
}
#endif

/* Formats that this build's libraries support. */
static const bool known[KINDS] = {
#if HAVE_ZSTD
	[INFLATE_ZSTD] = true,
#endif
#if HAVE_LZMA
	[INFLATE_XZ] = true,
#endif
#if HAVE_BZIP2
	[INFLATE_BZIP2] = true,
#endif
	[INFLATE_GZIP] = true,
	[INFLATE_ZLIB] = true,
};

UNIT(unknown_kinds_fail)
{
	struct buf out = { 0 };

	for (int kind = 0; kind < KINDS; kind++)
		CHECK(inflate_knows((enum inflate_kind)kind) == known[kind]);
	CHECK(!inflate_knows((enum inflate_kind)KINDS));
	for (int kind = 0; kind <= KINDS; kind++)
		CHECK(!inflate_all(kind, STR("\x1f\x8b plain text"), &out, 100));
	CHECK_U64(out.n, 0);
	buf_release(&out);
}

UNIT_MAIN
