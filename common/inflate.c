/* SPDX-License-Identifier: ISC */
/*
 * Decompression; see inflate.h. Formats: RFC 1950 (zlib), RFC 1952 (gzip), RFC
 * 8878 (zstd), https://tukaani.org/xz/xz-file-format.txt,
 * https://github.com/dsnet/compress/blob/master/doc/bzip2-format.pdf.
 */
#include "inflate.h"
#include "budget.h"
#include "mem.h"
#include "msg.h"

#include <limits.h>
#define ZLIB_CONST
#include <zlib.h>
#if HAVE_DEFLATE
#include <libdeflate.h>
#endif
#if HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif
#if HAVE_LZMA
#include <lzma.h>
#endif
#if HAVE_BZIP2
#include <bzlib.h>
#endif

/* The memory limit of liblzma; xz -9 needs 65 MiB. */
enum { XZ_MEMORY = 256 << 20 };

struct inflate {
	const struct method *method;
	const char *why;
	bool ended; /* a member is complete; the next one has not begun */
	bool full;  /* the last call filled its room: there may be more */
	union {
		z_stream zlib;
#if HAVE_ZSTD
		ZSTD_DStream *zstd;
#endif
#if HAVE_LZMA
		lzma_stream xz;
#endif
#if HAVE_BZIP2
		bz_stream bzip2;
#endif
	} u;
};

struct method {
	const char *damaged;
	void (*start)(struct inflate *u);
	void (*restart)(struct inflate *u); /* to call before the next member, or NULL */
	void (*release)(struct inflate *u);
	/* Decompresses once into room that is not empty; consumes from *IN. */
	enum inflate_state (*run)(struct inflate *u, struct str *in, struct buf *room);
};

static enum inflate_state
damaged(struct inflate *u, const char *why)
{
	u->why = why;
	return INFLATE_BAD;
}

static void
start_gzip(struct inflate *u)
{
	if (inflateInit2(&u->u.zlib, 15 + 16) != Z_OK)
		msg_die("out of memory for gzip");
}

static void
start_zlib(struct inflate *u)
{
	if (inflateInit(&u->u.zlib) != Z_OK)
		msg_die("out of memory for zlib");
}

static void
restart_zlib(struct inflate *u)
{
	inflateReset(&u->u.zlib);
}

static void
release_zlib(struct inflate *u)
{
	inflateEnd(&u->u.zlib);
}

static enum inflate_state
run_zlib(struct inflate *u, struct str *in, struct buf *room)
{
	z_stream *z = &u->u.zlib;
	unsigned give = in->n < UINT_MAX ? (unsigned)in->n : UINT_MAX;
	size_t left = room->cap - room->n;
	unsigned have = left < UINT_MAX ? (unsigned)left : UINT_MAX;
	int status;

	/* zlib rejects NULL, even for 0 bytes. */
	z->next_in = (const Bytef *)(give ? in->s : "");
	z->avail_in = give;
	z->next_out = (Bytef *)room->s + room->n;
	z->avail_out = have;
	status = inflate(z, Z_NO_FLUSH);
	*in = str_from(*in, give - z->avail_in);
	room->n += have - z->avail_out;
	switch (status) {
	case Z_OK:
	case Z_BUF_ERROR: return INFLATE_MORE;
	case Z_STREAM_END: return INFLATE_END;
	case Z_MEM_ERROR: msg_die("out of memory for zlib");
	default: return damaged(u, u->method->damaged);
	}
}

#if HAVE_ZSTD
static void
start_zstd(struct inflate *u)
{
	u->u.zstd = ZSTD_createDStream();
	if (!u->u.zstd)
		msg_die("out of memory for zstd");
}

static void
release_zstd(struct inflate *u)
{
	ZSTD_freeDStream(u->u.zstd);
}

static enum inflate_state
run_zstd(struct inflate *u, struct str *in, struct buf *room)
{
	ZSTD_outBuffer to = { room->s, room->cap, room->n };
	ZSTD_inBuffer from = { in->s, in->n, 0 };
	size_t left = ZSTD_decompressStream(u->u.zstd, &to, &from);

	*in = str_from(*in, from.pos);
	room->n = to.pos;
	if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
		msg_die("out of memory for zstd");
	if (ZSTD_isError(left))
		return damaged(u, ZSTD_getErrorName(left));
	return left ? INFLATE_MORE : INFLATE_END;
}
#endif

#if HAVE_LZMA
static void
start_xz(struct inflate *u)
{
	if (lzma_stream_decoder(&u->u.xz, XZ_MEMORY, 0) != LZMA_OK)
		msg_die("out of memory for xz");
}

static void
release_xz(struct inflate *u)
{
	lzma_end(&u->u.xz);
}

static enum inflate_state
run_xz(struct inflate *u, struct str *in, struct buf *room)
{
	lzma_stream *x = &u->u.xz;
	lzma_ret status;

	x->next_in = (const uint8_t *)in->s;
	x->avail_in = in->n;
	x->next_out = (uint8_t *)room->s + room->n;
	x->avail_out = room->cap - room->n;
	status = lzma_code(x, LZMA_RUN);
	*in = str_from(*in, in->n - x->avail_in);
	room->n = room->cap - x->avail_out;
	switch (status) {
	case LZMA_OK:
	case LZMA_BUF_ERROR: return INFLATE_MORE;
	case LZMA_STREAM_END: return INFLATE_END;
	case LZMA_MEM_ERROR: msg_die("out of memory for xz");
	case LZMA_MEMLIMIT_ERROR: return damaged(u, "the xz data needs too much memory");
	case LZMA_OPTIONS_ERROR: return damaged(u, "the xz data uses unknown filters");
	default: return damaged(u, u->method->damaged);
	}
}
#endif

#if HAVE_BZIP2
static void
start_bzip2(struct inflate *u)
{
	u->u.bzip2 = (bz_stream){ .next_in = NULL };
	if (BZ2_bzDecompressInit(&u->u.bzip2, 0, 0) != BZ_OK)
		msg_die("out of memory for bzip2");
}

static void
release_bzip2(struct inflate *u)
{
	BZ2_bzDecompressEnd(&u->u.bzip2);
}

static void
restart_bzip2(struct inflate *u)
{
	release_bzip2(u);
	start_bzip2(u);
}

static enum inflate_state
run_bzip2(struct inflate *u, struct str *in, struct buf *room)
{
	bz_stream *z = &u->u.bzip2;
	unsigned give = in->n < UINT_MAX ? (unsigned)in->n : UINT_MAX;
	size_t left = room->cap - room->n;
	unsigned have = left < UINT_MAX ? (unsigned)left : UINT_MAX;
	int status;

	/* bzip2 only reads its input, although the type is not const. */
	z->next_in = (char *)(uintptr_t)in->s;
	z->avail_in = give;
	z->next_out = room->s + room->n;
	z->avail_out = have;
	status = BZ2_bzDecompress(z);
	*in = str_from(*in, give - z->avail_in);
	room->n += have - z->avail_out;
	switch (status) {
	case BZ_OK: return INFLATE_MORE;
	case BZ_STREAM_END: return INFLATE_END;
	case BZ_MEM_ERROR: msg_die("out of memory for bzip2");
	default: return damaged(u, u->method->damaged);
	}
}
#endif

static const struct method methods[] = {
	[INFLATE_GZIP] = { "the gzip data is damaged", start_gzip, restart_zlib,
		release_zlib, run_zlib },
	[INFLATE_ZLIB] = { "the zlib data is damaged", start_zlib, restart_zlib,
		release_zlib, run_zlib },
#if HAVE_ZSTD
	[INFLATE_ZSTD] = { NULL, start_zstd, NULL, release_zstd, run_zstd },
#endif
#if HAVE_LZMA
	[INFLATE_XZ] = { "the xz data is damaged", start_xz, start_xz, release_xz,
		run_xz },
#endif
#if HAVE_BZIP2
	[INFLATE_BZIP2] = { "the bzip2 data is damaged", start_bzip2, restart_bzip2,
		release_bzip2, run_bzip2 },
#endif
};

bool
inflate_knows(enum inflate_kind kind)
{
	return kind < sizeof methods / sizeof *methods && methods[kind].run;
}

struct inflate *
inflate_new(enum inflate_kind kind)
{
	struct inflate *u = mem_zero(1, sizeof *u);

	u->method = &methods[kind];
	u->method->start(u);
	return u;
}

void
inflate_free(struct inflate *u)
{
	if (!u)
		return;
	u->method->release(u);
	free(u);
}

const char *
inflate_why(const struct inflate *u)
{
	return u->why;
}

enum inflate_state
inflate_run(struct inflate *u, struct str *in, char *to, size_t size, size_t *got)
{
	struct buf room = { .s = to, .cap = size };
	enum inflate_state state = INFLATE_MORE;
	size_t had;

	*got = 0;
	if (u->why)
		return INFLATE_BAD;
	/* Some of the libraries treat calls without progress as an error. */
	while (state == INFLATE_MORE && room.n < size && (in->n || u->full)) {
		if (u->ended && u->method->restart)
			u->method->restart(u);
		u->ended = u->full = false;
		had = in->n + (size - room.n);
		state = u->method->run(u, in, &room);
		if (in->n + (size - room.n) == had)
			break;
	}
	if (room.n && !budget_draw(BUDGET_UNPACKED, room.n))
		state = damaged(u, budget_why(BUDGET_UNPACKED));
	u->full = state == INFLATE_MORE && size && room.n == size;
	u->ended = u->ended || state == INFLATE_END;
	*got = room.n;
	return state;
}

/* Whether IN continues with another member of a stream of KIND. */
static bool
is_member(enum inflate_kind kind, struct str in)
{
	if (kind == INFLATE_ZSTD) /* a frame, or a skippable one */
		return str_starts(in, STR("\x28\xb5\x2f\xfd")) ||
			(in.n >= 4 && (in.s[0] & 0xf0) == 0x50 &&
				str_starts(str_from(in, 1), STR("\x2a\x4d\x18")));
	return (kind == INFLATE_GZIP && str_starts(in, STR("\x1f\x8b"))) ||
		(kind == INFLATE_XZ && str_starts(in, STR("\xfd\x37zXZ"))) ||
		(kind == INFLATE_BZIP2 && str_starts(in, STR("BZh")));
}

/* Appends the output of U for *IN to OUT, up to the end of a member or MAX bytes. */
static enum inflate_state
fill(struct inflate *u, struct str *in, struct buf *out, size_t max)
{
	enum inflate_state state;
	size_t room, got;

	/* The room grows with the data, so that a false size costs nothing. */
	do {
		room = in->n < max / 8 ? out->n + in->n * 4 + 4096 : max;
		room = room < max - out->n ? room : max - out->n;
		state = inflate_run(u, in, buf_room(out, room), room, &got);
		out->n += got;
	} while (state == INFLATE_MORE && got == room && out->n < max);
	return state;
}

/* Decompresses a zlib stream in one call to OUT, MAX bytes at most: sections of debug information
 * are such streams, and this halves the time. False, with OUT unchanged, if that fails: then the
 * stream is read in pieces. */
static bool
inflate_whole(struct str in, struct buf *out, size_t max)
{
#if HAVE_DEFLATE
	/* The claimed size is allocated at once, so it is limited. */
	enum { WHOLE_MOST = 256 << 20 };
	struct libdeflate_decompressor *d;
	enum libdeflate_result result;
	size_t got = 0;

	if (!max || max > WHOLE_MOST || max > budget_left(BUDGET_UNPACKED))
		return false;
	d = libdeflate_alloc_decompressor();
	if (!d)
		return false;
	result = libdeflate_zlib_decompress(d, in.s, in.n, buf_room(out, max), max, &got);
	libdeflate_free_decompressor(d);
	out->n += result == LIBDEFLATE_SUCCESS ? got : 0;
	(void)budget_draw(BUDGET_UNPACKED, result == LIBDEFLATE_SUCCESS ? got : 0);
	return result == LIBDEFLATE_SUCCESS;
#else
	(void)in;
	(void)out;
	(void)max;
	return false;
#endif
}

bool
inflate_all(enum inflate_kind kind, struct str in, struct buf *out, size_t max)
{
	struct inflate *u;
	enum inflate_state state;
	size_t more = 0;
	char spare;

	if (!inflate_knows(kind))
		return false;
	if (kind == INFLATE_ZLIB && inflate_whole(in, out, max))
		return true;
	u = inflate_new(kind);
	max = max < SIZE_MAX - out->n ? max + out->n : SIZE_MAX;
	do {
		state = fill(u, &in, out, max);
		/* The checksum of a complete stream may be left to read. */
		if (state == INFLATE_MORE && out->n == max)
			state = inflate_run(u, &in, &spare, 1, &more);
	} while (state == INFLATE_END && !more && is_member(kind, in));
	inflate_free(u);
	return state == INFLATE_END && !more;
}
