/* SPDX-License-Identifier: ISC */
/*
 * Compressed and UTF-16 input made plain; see decode.h. Marks: RFC 1952 (gzip),
 * RFC 8878 (zstd), the xz file format, the Unicode Standard 23.8 (byte order mark).
 */
#include "decode.h"
#include "mem.h"
#include "msg.h"
#include "inflate.h"
#include "utf8.h"

#include <errno.h>
#include <unistd.h>

enum { CHUNK = 128 * 1024 };

struct decode {
	size_t (*read)(struct decode *d, char *to, size_t size);
	void (*release)(struct decode *d);
	struct decode *below;
	const char *name;
	bool failed;
	/* a decoder's input: what it took from below and has not used */
	char *in;
	size_t in_at, in_n, in_cap;
	bool in_end;
	/* one member or frame is under way; it filled the room it was given */
	bool open, full;
	const struct encoding *encoding;
	union {
		int fd;
		struct str bytes;
		struct inflate *unpack;
		struct {
			bool big_endian, held;
			unsigned unit; /* taken and not yet used, when held */
		} utf16;
	} u;
};

/* What is known by its first bytes; NAME is also that of the program that reads it. */
struct encoding {
	struct str mark;
	void (*start)(struct decode *d);
	const char *name;
	enum inflate_kind kind;
};

static size_t
fail(struct decode *d, const char *what)
{
	if (!d->failed)
		msg_error("%s: %s", d->name, what);
	d->failed = true;
	return 0;
}

static size_t
read_fd(struct decode *d, char *to, size_t size)
{
	ssize_t n;

	do
		n = read(d->u.fd, to, size);
	while (n < 0 && errno == EINTR);
	if (n >= 0)
		return (size_t)n;
	msg_error("%s: cannot read:", d->name);
	d->failed = true;
	return 0;
}

static void
release_fd(struct decode *d)
{
	close(d->u.fd);
}

static size_t
read_bytes(struct decode *d, char *to, size_t size)
{
	struct str head = str_head(d->u.bytes, size);

	if (head.n)
		memcpy(to, head.s, head.n);
	d->u.bytes = str_from(d->u.bytes, head.n);
	return head.n;
}

struct decode *
decode_new(const char *name, int fd, struct str bytes)
{
	struct decode *d = mem_zero(1, sizeof *d);

	d->name = name;
	if (fd < 0) {
		d->read = read_bytes;
		d->u.bytes = bytes;
	} else {
		d->read = read_fd;
		d->release = release_fd;
		d->u.fd = fd;
	}
	return d;
}

void
decode_free(struct decode *d)
{
	struct decode *below;

	for (; d; d = below) {
		below = d->below;
		if (d->release)
			d->release(d);
		free(d->in);
		free(d);
	}
}

size_t
decode_read(struct decode *d, char *to, size_t size)
{
	return d->failed || !size ? 0 : d->read(d, to, size);
}

bool
decode_failed(const struct decode *d)
{
	for (; d; d = d->below)
		if (d->failed)
			return true;
	return false;
}

/* Takes more from below when nothing is left. False at the end. */
static bool
refill(struct decode *d)
{
	if (d->in_at < d->in_n)
		return true;
	if (d->in_end)
		return false;
	if (d->in_cap < CHUNK)
		d->in = mem_grow(d->in, &d->in_cap, CHUNK, 1);
	d->in_at = 0;
	d->in_n = decode_read(d->below, d->in, CHUNK);
	d->in_end = d->in_n == 0;
	return !d->in_end;
}

/* Whether a member begins here. What else stands behind one is padding, as
 * gzip(1) sees it too; xz allows that between members as well. */
static bool
start_member(struct decode *d)
{
	const struct encoding *e = d->encoding;

	while (e->kind == INFLATE_XZ && refill(d) && !d->in[d->in_at])
		d->in_at++;
	if (!refill(d))
		return false;
	if (e->kind == INFLATE_ZSTD || d->in[d->in_at] == e->mark.s[0])
		return true;
	if (d->in[d->in_at])
		msg_warn("%s: ignoring what follows the %s data", d->name, e->name);
	d->in_at = d->in_n;
	d->in_end = true;
	return false;
}

static size_t
fail_cut(struct decode *d)
{
	if (!d->failed)
		msg_error("%s: the %s data is cut short", d->name, d->encoding->name);
	d->failed = true;
	return 0;
}

static size_t
read_packed(struct decode *d, char *to, size_t size)
{
	enum inflate_state state;
	struct str in;
	size_t got = 0;

	while (!got) {
		if (!d->open && !start_member(d))
			return 0;
		if (!d->full && !refill(d))
			return fail_cut(d);
		in = (struct str){ d->in + d->in_at, d->in_n - d->in_at };
		state = inflate_run(d->u.unpack, &in, to, size, &got);
		d->in_at = d->in_n - in.n;
		d->open = state != INFLATE_END;
		d->full = state == INFLATE_MORE && got == size;
		if (state == INFLATE_BAD && !got)
			return fail(d, inflate_why(d->u.unpack));
		/* What came before the damage is given first. */
		d->full = d->full || state == INFLATE_BAD;
	}
	return got;
}

static void
release_packed(struct decode *d)
{
	inflate_free(d->u.unpack);
}

static void
start_packed(struct decode *d)
{
	const struct encoding *e = d->encoding;

	if (inflate_knows(e->kind)) {
		d->u.unpack = inflate_new(e->kind);
		d->read = read_packed;
		d->release = release_packed;
		return;
	}
	msg_error(
		"%s: is %s-compressed, and fg was built without %s; decompress it first: %s -dc",
		d->name, e->name, e->name, e->name);
	d->failed = true;
}

/* The next 16-bit unit of UTF-16; false at the end. */
static bool
take_unit(struct decode *d, unsigned *unit)
{
	unsigned char b[2];
	int i;

	if (d->u.utf16.held) {
		d->u.utf16.held = false;
		*unit = d->u.utf16.unit;
		return true;
	}
	for (i = 0; i < 2; i++) {
		if (!refill(d)) {
			if (i)
				fail(d, "the UTF-16 text ends within a character");
			return false;
		}
		b[i] = (unsigned char)d->in[d->in_at++];
	}
	*unit = d->u.utf16.big_endian ? b[0] << 8 | b[1] : b[1] << 8 | b[0];
	return true;
}

/* The next character; an unpaired surrogate becomes U+FFFD. */
static bool
take_character(struct decode *d, unsigned long *c)
{
	unsigned unit, low;

	if (!take_unit(d, &unit))
		return false;
	*c = unit;
	if (unit < 0xd800 || unit > 0xdfff)
		return true;
	*c = 0xfffd;
	if (unit >= 0xdc00 || !take_unit(d, &low))
		return true;
	if (low >= 0xdc00 && low <= 0xdfff) {
		*c = 0x10000 + ((unsigned long)(unit - 0xd800) << 10) + (low - 0xdc00);
	} else {
		d->u.utf16.held = true;
		d->u.utf16.unit = low;
	}
	return true;
}

static size_t
read_utf16(struct decode *d, char *to, size_t size)
{
	unsigned long c;
	size_t n = 0;

	while (n + 4 <= size && take_character(d, &c))
		n += utf8_put(to + n, (uint32_t)c);
	return n;
}

static void
start_utf16(struct decode *d)
{
	d->u.utf16.big_endian = (unsigned char)d->in[0] == 0xfe;
	d->in_at = 2;
	d->read = read_utf16;
}

static void
start_after_mark(struct decode *d)
{
	d->in_at = 3;
}

/* What a source gives as it is: a decoder that decodes nothing. */
static size_t
read_plain(struct decode *d, char *to, size_t size)
{
	size_t n;

	if (!refill(d))
		return 0;
	n = d->in_n - d->in_at < size ? d->in_n - d->in_at : size;
	memcpy(to, d->in + d->in_at, n);
	d->in_at += n;
	return n;
}

static void
refuse_bzip2(struct decode *d)
{
	fail(d, "is bzip2-compressed; decompress it first: bzip2 -dc FILE");
}

static void
refuse_zip(struct decode *d)
{
	fail(d, "is a zip archive; unpack it first: unzip -p FILE");
}

static const struct encoding encodings[] = {
	{ { "\x1f\x8b", 2 }, start_packed, "gzip", INFLATE_GZIP },
	{ { "\x28\xb5\x2f\xfd", 4 }, start_packed, "zstd", INFLATE_ZSTD },
	{ { "\xfd\x37zXZ\0", 6 }, start_packed, "xz", INFLATE_XZ },
	{ .mark = { "\xef\xbb\xbf", 3 }, .start = start_after_mark },
	{ .mark = { "\xff\xfe", 2 }, .start = start_utf16 },
	{ .mark = { "\xfe\xff", 2 }, .start = start_utf16 },
	{ .mark = { "BZh", 3 }, .start = refuse_bzip2 },
	{ .mark = { "PK\x03\x04", 4 }, .start = refuse_zip },
};

bool
decode_push(struct decode **top, struct str seen)
{
	const struct encoding *e = encodings;
	const struct encoding *end = e + sizeof encodings / sizeof *encodings;
	struct decode *d;

	while (e < end && !str_starts(seen, e->mark))
		e++;
	if (e == end)
		return false;
	d = mem_zero(1, sizeof *d);
	d->name = (*top)->name;
	d->encoding = e;
	d->below = *top;
	d->read = read_plain;
	d->in = mem_grow(NULL, &d->in_cap, seen.n, 1);
	memcpy(d->in, seen.s, seen.n);
	d->in_n = seen.n;
	*top = d;
	e->start(d);
	return true;
}
