/* SPDX-License-Identifier: ISC */
/* Reading and decompressing input: input.h. */
#include "input.h"
#include "buf.h"
#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#if HAVE_ZSTD
#include <zstd.h>
#endif

/* Opens the bytes of B through memory, a file or a pipe, as set by VIA. */
enum via { VIA_MEMORY, VIA_FILE, VIA_PIPE, VIA_END };

static char path[] = "/tmp/fg-test-input-XXXXXX";

/* Forks a child that writes S to a pipe in pieces of various sizes; stdin becomes the
 * other end. */
static void
feed_stdin(struct str s)
{
	int fd[2];
	size_t piece = 1;

	CHECK(pipe(fd) == 0);
	if (fork() == 0) {
		close(fd[0]);
		for (; s.n; s = str_from(s, piece)) {
			piece = piece * 7 % 50021;
			if (write(fd[1], s.s, s.n < piece ? s.n : piece) < 0)
				break;
		}
		_exit(0);
	}
	close(fd[1]);
	dup2(fd[0], 0);
	close(fd[0]);
}

static struct input *
open_via(enum via via, struct str s)
{
	int fd;

	if (via == VIA_MEMORY)
		return input_of_memory("memory", s);
	if (via == VIA_PIPE) {
		feed_stdin(s);
		return input_open("-");
	}
	memcpy(path + sizeof path - 7, "XXXXXX", 6);
	fd = mkstemp(path);
	CHECK(fd >= 0 && write(fd, s.s ? s.s : "", s.n) == (ssize_t)s.n);
	close(fd);
	return input_open(path);
}

static void
close_via(enum via via, struct input *in)
{
	input_close(in);
	if (via == VIA_FILE)
		unlink(path);
	if (via == VIA_PIPE) {
		CHECK(freopen("/dev/null", "r", stdin) != NULL);
		wait(NULL);
	}
}

/* Checks that S, read to its end through each VIA, is EXPECTED. */
static void
check_reads(struct str s, struct str expected, bool failed)
{
	struct input *in;

	for (enum via via = 0; via < VIA_END; via++) {
		in = open_via(via, s);
		CHECK(in != NULL);
		CHECK_STR(input_rest(in), expected);
		CHECK(input_failed(in) == failed);
		close_via(via, in);
	}
}

static void
add_gzip(struct buf *to, struct str s)
{
	z_stream z = { 0 };

	CHECK(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	z.avail_out = (unsigned)deflateBound(&z, s.n) + 64;
	z.next_out = (unsigned char *)buf_room(to, z.avail_out);
	z.next_in = (unsigned char *)(uintptr_t)s.s;
	z.avail_in = (unsigned)s.n;
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	to->n += z.total_out;
	deflateEnd(&z);
}

/* Poorly compressible lines of varying length, about SIZE bytes. */
static void
add_lines(struct buf *b, size_t size)
{
	uint32_t x = 1;

	while (b->n < size) {
		x = x * 1103515245 + 12345;
		buf_fmt(b, "%u frame %x;%x\n", x >> 8, x, x * x);
	}
}

UNIT(plain_text_comes_as_it_is)
{
	check_reads(STR("a\nb\n"), STR("a\nb\n"), false);
	check_reads(STR(""), STR(""), false);
	check_reads(STR("\0\1\2"), STR("\0\1\2"), false);
}

UNIT(gzip_is_unpacked)
{
	struct buf text = { 0 }, packed = { 0 };

	add_lines(&text, 3000000);
	add_gzip(&packed, buf_view(&text));
	check_reads(buf_view(&packed), buf_view(&text), false);
	buf_release(&text);
	buf_release(&packed);
}

UNIT(gzip_of_nothing_is_nothing)
{
	struct buf packed = { 0 };

	add_gzip(&packed, STR(""));
	check_reads(buf_view(&packed), STR(""), false);
	buf_release(&packed);
}

UNIT(gzip_members_follow_each_other)
{
	struct buf packed = { 0 };

	add_gzip(&packed, STR("one\n"));
	add_gzip(&packed, STR(""));
	add_gzip(&packed, STR("two\n"));
	check_reads(buf_view(&packed), STR("one\ntwo\n"), false);
	buf_str(&packed, STR("\0\0\0\0"));
	check_reads(buf_view(&packed), STR("one\ntwo\n"), false);
	buf_release(&packed);
}

/* The output of a truncated stream is a prefix of the text, and the truncation is
 * reported. */
UNIT(gzip_cut_anywhere_fails_and_keeps_its_beginning)
{
	struct buf packed = { 0 };
	struct input *in;
	struct str got, text = STR("main;parse;read 42\nmain;parse;write 7\n");
	size_t n;

	add_gzip(&packed, text);
	for (n = 3; n < packed.n; n++) {
		in = input_of_memory("cut", str_head(buf_view(&packed), n));
		got = input_rest(in);
		CHECK(str_starts(text, got));
		CHECK(input_failed(in));
		input_close(in);
	}
	buf_release(&packed);
}

UNIT(gzip_damage_fails)
{
	struct buf text = { 0 }, packed = { 0 };
	struct input *in;

	add_lines(&text, 100000);
	add_gzip(&packed, buf_view(&text));
	packed.s[packed.n / 2] ^= 0x55;
	in = input_of_memory("damaged", buf_view(&packed));
	input_rest(in);
	CHECK(input_failed(in));
	input_close(in);
	buf_release(&text);
	buf_release(&packed);
}

UNIT(gzip_in_gzip_four_deep)
{
	struct buf b[6] = { { 0 } };
	size_t i;

	buf_str(&b[0], STR("deep\n"));
	for (i = 1; i < 6; i++)
		add_gzip(&b[i], buf_view(&b[i - 1]));
	check_reads(buf_view(&b[4]), STR("deep\n"), false);
	check_reads(buf_view(&b[5]), buf_view(&b[1]), false);
	for (i = 0; i < 6; i++)
		buf_release(&b[i]);
}

#if HAVE_ZSTD
static void
add_zstd(struct buf *to, struct str s)
{
	size_t bound = ZSTD_compressBound(s.n), n;

	n = ZSTD_compress(buf_room(to, bound), bound, s.s, s.n, 3);
	CHECK(!ZSTD_isError(n));
	to->n += n;
}

UNIT(zstd_is_unpacked)
{
	struct buf text = { 0 }, packed = { 0 };

	add_lines(&text, 3000000);
	add_zstd(&packed, buf_view(&text));
	check_reads(buf_view(&packed), buf_view(&text), false);
	buf_clear(&packed);
	add_zstd(&packed, STR("one\n"));
	add_zstd(&packed, STR("two\n"));
	check_reads(buf_view(&packed), STR("one\ntwo\n"), false);
	buf_release(&text);
	buf_release(&packed);
}

UNIT(zstd_cut_anywhere_fails)
{
	struct buf packed = { 0 };
	struct input *in;
	struct str text = STR("main;parse;read 42\nmain;parse;write 7\n");
	size_t n;

	add_zstd(&packed, text);
	for (n = 5; n < packed.n; n++) {
		in = input_of_memory("cut", str_head(buf_view(&packed), n));
		CHECK(str_starts(text, input_rest(in)));
		CHECK(input_failed(in));
		input_close(in);
	}
	buf_release(&packed);
}

UNIT(zstd_in_gzip)
{
	struct buf inner = { 0 }, packed = { 0 };

	add_zstd(&inner, STR("nested\n"));
	add_gzip(&packed, buf_view(&inner));
	check_reads(buf_view(&packed), STR("nested\n"), false);
	buf_release(&inner);
	buf_release(&packed);
}
#endif

UNIT(unsupported_compression_fails)
{
	check_reads(STR("BZh91AY&SY"), STR(""), true);
	check_reads(STR("\xfd"
			"7zXZ\0\0\4"),
		STR(""), true);
	check_reads(STR("PK\3\4\24\0"), STR(""), true);
}

UNIT(byte_order_marks)
{
	check_reads(STR("\xef\xbb\xbf"
			"a 1\n"),
		STR("a 1\n"), false);
	check_reads(STR("\xff\xfe"
			"a\0\n\0"),
		STR("a\n"), false);
	check_reads(STR("\xfe\xff"
			"\0a\0\n"),
		STR("a\n"), false);
	check_reads(STR("\xff\xfe"), STR(""), false);
}

UNIT(utf16_beyond_the_first_plane)
{
	check_reads(STR("\xfe\xff\xd8\x3d\xde\x00\x20\xac\x00\xe9"),
		STR("\xf0\x9f\x98\x80\xe2\x82\xac\xc3\xa9"), false);
	/* A lone surrogate is invalid, and the next character is valid. */
	check_reads(STR("\xfe\xff\xdc\x00\0a"),
		STR("\xef\xbf\xbd"
		    "a"),
		false);
	check_reads(STR("\xfe\xff\xd8\x00\0a"),
		STR("\xef\xbf\xbd"
		    "a"),
		false);
	check_reads(STR("\xfe\xff\0a\0"), STR("a"), true);
}

/* More than any buffer, with characters of one to three bytes. */
UNIT(utf16_of_any_length)
{
	struct buf wide = { 0 }, plain = { 0 };
	size_t i;

	buf_str(&wide, STR("\xff\xfe"));
	for (i = 0; i < 700000; i++) {
		buf_str(&wide, i % 3 ? STR("\xac\x20") : STR("a\0"));
		buf_str(&plain, i % 3 ? STR("\xe2\x82\xac") : STR("a"));
	}
	check_reads(buf_view(&wide), buf_view(&plain), false);
	buf_release(&wide);
	buf_release(&plain);
}
UNIT(utf16_in_gzip)
{
	struct buf packed = { 0 };

	add_gzip(&packed,
		STR("\xff\xfe"
		    "a\0 \0001\0\n\0"));
	check_reads(buf_view(&packed), STR("a 1\n"), false);
	buf_release(&packed);
}

UNIT(lines_end_in_lf_or_crlf_or_the_end)
{
	struct input *in = input_of_memory("lines", STR("a\r\n\n\rb\r\r\nlast"));
	struct str line;

	CHECK(input_line(in, &line));
	CHECK_STR(line, STR("a"));
	CHECK_U64(input_line_number(in), 1);
	CHECK(input_line(in, &line));
	CHECK_STR(line, STR(""));
	CHECK(input_line(in, &line));
	CHECK_STR(line, STR("\rb\r"));
	CHECK(input_line(in, &line));
	CHECK_STR(line, STR("last"));
	CHECK_U64(input_line_number(in), 4);
	CHECK(!input_line(in, &line));
	CHECK(!input_line(in, &line));
	CHECK(!input_failed(in));
	input_close(in);
}

UNIT(a_newline_at_the_end_begins_no_line)
{
	struct input *in = input_of_memory("lines", STR("a\n"));
	struct str line;

	CHECK(input_line(in, &line));
	CHECK(!input_line(in, &line));
	input_close(in);
}

UNIT(a_line_may_be_longer_than_any_buffer)
{
	struct buf text = { 0 };
	struct str line;
	struct input *in;

	memset(buf_room(&text, 5000000), 'x', 5000000);
	text.n = 5000000;
	buf_str(&text, STR("\ny\n"));
	for (enum via via = 0; via < VIA_END; via++) {
		in = open_via(via, buf_view(&text));
		CHECK(input_line(in, &line));
		CHECK_U64(line.n, 5000000);
		CHECK(input_line(in, &line));
		CHECK_STR(line, STR("y"));
		CHECK(!input_line(in, &line));
		close_via(via, in);
	}
	buf_release(&text);
}

/* Windows of many sizes see the text in order, each byte once. */
UNIT(windows_go_over_the_whole_text)
{
	struct buf text = { 0 };
	struct str w;
	struct input *in;
	size_t at, min;

	add_lines(&text, 4000000);
	for (enum via via = 0; via < VIA_END; via++) {
		in = open_via(via, buf_view(&text));
		for (at = 0, min = 1; at < text.n; min = min * 5 % 1000003) {
			w = input_window(in, min);
			CHECK(w.n >= min || at + w.n == text.n);
			CHECK(w.n && memcmp(w.s, text.s + at, w.n) == 0);
			input_skip(in, min < w.n ? min : w.n);
			at += min < w.n ? min : w.n;
		}
		CHECK_U64(input_window(in, 1).n, 0);
		close_via(via, in);
	}
	buf_release(&text);
}

UNIT(lines_and_windows_may_be_mixed)
{
	struct input *in = input_of_memory("mixed", STR("one\ntwo\nthree"));
	struct str line;

	CHECK(str_starts(input_window(in, 3), STR("one")));
	CHECK(input_line(in, &line));
	CHECK_STR(line, STR("one"));
	input_skip(in, (input_window(in, 2), 2));
	input_count_lines(in, 5);
	CHECK(input_line(in, &line));
	CHECK_STR(line, STR("o"));
	CHECK_U64(input_line_number(in), 7);
	CHECK_STR(input_rest(in), STR("three"));
	input_close(in);
}

UNIT(reading_goes_on_from_the_window)
{
	struct input *in;
	char got[16];

	for (enum via via = VIA_MEMORY; via < VIA_END; via++) {
		in = open_via(via, STR("0123456789"));
		CHECK_U64(input_read(in, got, 1), 1);
		CHECK_STR(str_head(input_window(in, 4), 4), STR("1234"));
		input_skip(in, 4);
		CHECK_STR(input_window(in, 5), STR("56789"));
		CHECK_U64(input_read(in, got, sizeof got), 5);
		CHECK(memcmp(got, "56789", 5) == 0);
		CHECK_U64(input_read(in, got, sizeof got), 0);
		CHECK_U64(input_read(in, got, 1), 0);
		CHECK(!input_failed(in));
		close_via(via, in);
	}
}

/* Beyond the buffer, which is never refilled. */
UNIT(reading_moves_all_in_order)
{
	struct buf text = { 0 }, got = { 0 };
	struct input *in;
	size_t n;

	add_lines(&text, 3000000);
	for (enum via via = VIA_MEMORY; via < VIA_END; via++) {
		in = open_via(via, buf_view(&text));
		buf_clear(&got);
		while ((n = input_read(in, buf_room(&got, 99991), 99991)) > 0)
			got.n += n;
		CHECK_STR(buf_view(&got), buf_view(&text));
		close_via(via, in);
	}
	buf_release(&text);
	buf_release(&got);
}

UNIT(a_file_can_be_read_at_any_place)
{
	struct input *in = open_via(VIA_FILE, STR("0123456789"));
	char got[16];

	CHECK(input_read_at(in, 6, got, 4));
	CHECK(memcmp(got, "6789", 4) == 0);
	CHECK(!input_read_at(in, 7, got, 4));
	CHECK(!input_read_at(in, UINT64_MAX - 2, got, 4));
	CHECK_STR(input_rest(in), STR("0123456789"));
	CHECK(input_read_at(in, 0, got, 1));
	close_via(VIA_FILE, in);
}

UNIT(a_file_can_be_mapped_at_any_place)
{
	struct input *in = open_via(VIA_FILE, STR("0123456789"));
	struct input_piece piece, other;

	CHECK(input_map(in, 6, 100, &piece));
	CHECK_STR(((struct str){ piece.map.bytes, piece.map.n }), STR("6789"));
	CHECK(input_map(in, 0, 3, &other));
	CHECK_STR(((struct str){ other.map.bytes, other.map.n }), STR("012"));
	CHECK_STR(input_rest(in), STR("0123456789"));
	input_unmap(&piece);
	CHECK_STR(((struct str){ other.map.bytes, other.map.n }), STR("012"));
	input_unmap(&other);
	CHECK(!input_map(in, 10, 1, &piece));
	CHECK(!input_map(in, UINT64_MAX, 1, &piece));
	close_via(VIA_FILE, in);
}

/* A file as stdin counts from its current offset. */
UNIT(places_count_from_where_the_input_begins)
{
	struct input *in = open_via(VIA_FILE, STR("0123456789"));
	int fd = open(path, O_RDONLY);
	struct input_piece piece;
	char got[16];

	close_via(VIA_FILE, in);
	CHECK(fd >= 0 && lseek(fd, 4, SEEK_SET) == 4 && dup2(fd, 0) == 0);
	in = input_open("-");
	CHECK(input_read_at(in, 2, got, 4));
	CHECK(memcmp(got, "6789", 4) == 0);
	CHECK(!input_read_at(in, 3, got, 4));
	CHECK(input_map(in, 2, 100, &piece));
	CHECK_STR(((struct str){ piece.map.bytes, piece.map.n }), STR("6789"));
	input_unmap(&piece);
	CHECK_STR(input_rest(in), STR("456789"));
	input_close(in);
}

UNIT(packed_input_and_pipes_have_no_random_access)
{
	struct buf packed = { 0 };
	struct input_piece piece;
	struct input *in;
	char got[16];

	add_gzip(&packed, STR("0123456789"));
	in = open_via(VIA_FILE, buf_view(&packed));
	CHECK(!input_read_at(in, 0, got, 1));
	CHECK(!input_map(in, 0, 1, &piece));
	CHECK_STR(input_rest(in), STR("0123456789"));
	close_via(VIA_FILE, in);
	in = open_via(VIA_PIPE, STR("0123456789"));
	CHECK(!input_read_at(in, 0, got, 1));
	CHECK(!input_map(in, 0, 1, &piece));
	close_via(VIA_PIPE, in);
	in = input_of_memory("memory", STR("0123456789"));
	CHECK(!input_read_at(in, 0, got, 1));
	input_close(in);
	buf_release(&packed);
}

UNIT(unreadable_files_are_null)
{
	CHECK(input_open("/nonexistent/file") == NULL);
	CHECK(input_open("/") == NULL);
}

UNIT(a_read_error_ends_the_input_and_shows)
{
	int fd = open("/", O_RDONLY);
	struct input *in;
	struct str line;

	/* Reading a folder fails, whether or not it passed input_open as stdin. */
	CHECK(fd >= 0 && dup2(fd, 0) == 0);
	in = input_open("-");
	if (in) {
		CHECK(!input_line(in, &line));
		CHECK(input_failed(in));
	}
	input_close(in);
}

UNIT(names_for_messages)
{
	struct input *in = input_of_memory("name", STR(""));

	CHECK(strcmp(input_name(in), "name") == 0);
	input_close(in);
	feed_stdin(STR(""));
	in = input_open("-");
	CHECK(strcmp(input_name(in), "<stdin>") == 0);
	input_close(in);
	wait(NULL);
	input_close(NULL);
}

UNIT_MAIN
