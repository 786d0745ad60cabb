/* SPDX-License-Identifier: ISC */
/*
 * Buffered input; see input.h. Below the buffer is a chain of byte sources: a descriptor or memory
 * at the bottom, and a decoder for each encoding recognised: RFC 1952 (gzip), RFC 8878 (zstd), the
 * xz file format, the Unicode Standard 23.8 (byte order mark).
 */
#ifdef __linux__
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#endif
#include "input.h"
#include "budget.h"
#include "buf.h"
#include "inflate.h"
#include "mem.h"
#include "msg.h"
#include "utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 128 * 1024, START = 256 * 1024, LAYERS = 4, LEAST = 4 };

/* A descriptor or memory, or a decoder (gzip, zstd, UTF-16) of BELOW. */
struct source {
	size_t (*read)(struct source *s, char *to, size_t size);
	void (*release)(struct source *s);
	struct source *below;
	const char *name;
	bool failed;
	/* a decoder's input, from below and not yet consumed */
	char *in;
	size_t in_at, in_n, in_cap;
	bool in_end;
	bool counted; /* counted as a whole for the budget */
	/* inside a member or frame; it filled its room */
	bool open, full;
	const struct encoding *encoding;
	union {
		int fd;
		struct str bytes;
		struct inflate *unpack;
		struct {
			bool big_endian, held;
			unsigned unit; /* a unit read ahead, if held */
		} utf16;
	} u;
};

/* Encodings by their first bytes; NAME is also the program that reads it. */
struct encoding {
	struct str mark;
	void (*start)(struct source *s);
	const char *name;
	enum inflate_kind kind;
};

static size_t
fail(struct source *s, const char *what)
{
	if (!s->failed)
		msg_error("%s: %s", s->name, what);
	s->failed = true;
	return 0;
}

static size_t
read_fd(struct source *s, char *to, size_t size)
{
	ssize_t n;

	do
		n = read(s->u.fd, to, size);
	while (n < 0 && errno == EINTR);
	if (n >= 0) {
		budget_read(s->counted ? 0 : (uint64_t)n);
		return (size_t)n;
	}
	msg_error("%s: cannot read:", s->name);
	s->failed = true;
	return 0;
}

static void
release_fd(struct source *s)
{
	close(s->u.fd);
}

static size_t
read_bytes(struct source *s, char *to, size_t size)
{
	struct str head = str_head(s->u.bytes, size);

	if (head.n)
		memcpy(to, head.s, head.n);
	s->u.bytes = str_from(s->u.bytes, head.n);
	return head.n;
}

/* A source of the bytes of FD, which it closes, or of BYTES if FD is -1. NAME is for messages and
 * must outlive the source. */
static struct source *
new_source(const char *name, int fd, struct str bytes)
{
	struct source *s = mem_zero(1, sizeof *s);

	s->name = name;
	if (fd < 0) {
		s->read = read_bytes;
		s->u.bytes = bytes;
	} else {
		s->read = read_fd;
		s->release = release_fd;
		s->u.fd = fd;
	}
	return s;
}

/* Frees the whole chain. */
static void
free_sources(struct source *s)
{
	struct source *below;

	for (; s; s = below) {
		below = s->below;
		if (s->release)
			s->release(s);
		free(s->in);
		free(s);
	}
}

/* Reads up to SIZE bytes, at least LEAST, to TO and returns their number; 0 at the end or after an
 * error, which has been printed and sets has_failed. */
static size_t
read_source(struct source *s, char *to, size_t size)
{
	return s->failed || !size ? 0 : s->read(s, to, size);
}

static bool
has_failed(const struct source *s)
{
	for (; s; s = s->below)
		if (s->failed)
			return true;
	return false;
}

/* Reads more from below if the input is used up. False at the end. */
static bool
refill(struct source *s)
{
	if (s->in_at < s->in_n)
		return true;
	if (s->in_end)
		return false;
	if (s->in_cap < CHUNK)
		s->in = mem_grow(s->in, &s->in_cap, CHUNK, 1);
	s->in_at = 0;
	s->in_n = read_source(s->below, s->in, CHUNK);
	s->in_end = s->in_n == 0;
	return !s->in_end;
}

/* Whether a member begins here. Other bytes after one are padding, as for gzip(1); xz allows
 * padding between members as well. */
static bool
start_member(struct source *s)
{
	const struct encoding *e = s->encoding;

	while (e->kind == INFLATE_XZ && refill(s) && !s->in[s->in_at])
		s->in_at++;
	if (!refill(s))
		return false;
	if (e->kind == INFLATE_ZSTD || s->in[s->in_at] == e->mark.s[0])
		return true;
	if (s->in[s->in_at])
		msg_warn("%s: ignoring data after the end of the %s data", s->name,
			e->name);
	s->in_at = s->in_n;
	s->in_end = true;
	return false;
}

static size_t
fail_cut(struct source *s)
{
	if (!s->failed)
		msg_error("%s: the %s data is truncated", s->name, s->encoding->name);
	s->failed = true;
	return 0;
}

static size_t
read_packed(struct source *s, char *to, size_t size)
{
	enum inflate_state state;
	struct str in;
	size_t got = 0;

	while (!got) {
		if (!s->open && !start_member(s))
			return 0;
		if (!s->full && !refill(s))
			return fail_cut(s);
		in = (struct str){ s->in + s->in_at, s->in_n - s->in_at };
		state = inflate_run(s->u.unpack, &in, to, size, &got);
		s->in_at = s->in_n - in.n;
		s->open = state != INFLATE_END;
		s->full = state == INFLATE_MORE && got == size;
		if (state == INFLATE_BAD && !got)
			return fail(s, inflate_why(s->u.unpack));
		/* Deliver the data before the damage first. */
		s->full = s->full || state == INFLATE_BAD;
	}
	return got;
}

static void
release_packed(struct source *s)
{
	inflate_free(s->u.unpack);
}

static void
start_packed(struct source *s)
{
	const struct encoding *e = s->encoding;

	if (inflate_knows(e->kind)) {
		s->u.unpack = inflate_new(e->kind);
		s->read = read_packed;
		s->release = release_packed;
		return;
	}
	msg_error(
		"%s: is %s-compressed, and fg was built without %s; decompress it first: %s -dc",
		s->name, e->name, e->name, e->name);
	s->failed = true;
}

/* The next 16-bit unit of UTF-16; false at the end. */
static bool
read_unit(struct source *s, unsigned *unit)
{
	unsigned char b[2];
	int i;

	if (s->u.utf16.held) {
		s->u.utf16.held = false;
		*unit = s->u.utf16.unit;
		return true;
	}
	for (i = 0; i < 2; i++) {
		if (!refill(s)) {
			if (i)
				fail(s, "the UTF-16 text ends within a character");
			return false;
		}
		b[i] = (unsigned char)s->in[s->in_at++];
	}
	*unit = s->u.utf16.big_endian ? b[0] << 8 | b[1] : b[1] << 8 | b[0];
	return true;
}

/* The next character; an unpaired surrogate becomes U+FFFD. */
static bool
read_character(struct source *s, unsigned long *c)
{
	unsigned unit, low;

	if (!read_unit(s, &unit))
		return false;
	*c = unit;
	if (unit < 0xd800 || unit > 0xdfff)
		return true;
	*c = 0xfffd;
	if (unit >= 0xdc00 || !read_unit(s, &low))
		return true;
	if (low >= 0xdc00 && low <= 0xdfff) {
		*c = 0x10000 + ((unsigned long)(unit - 0xd800) << 10) + (low - 0xdc00);
	} else {
		s->u.utf16.held = true;
		s->u.utf16.unit = low;
	}
	return true;
}

static size_t
read_utf16(struct source *s, char *to, size_t size)
{
	unsigned long c;
	size_t n = 0;

	while (n + 4 <= size && read_character(s, &c))
		n += utf8_put(to + n, (uint32_t)c);
	return n;
}

static void
start_utf16(struct source *s)
{
	s->u.utf16.big_endian = (unsigned char)s->in[0] == 0xfe;
	s->in_at = 2;
	s->read = read_utf16;
}

static void
start_after_mark(struct source *s)
{
	s->in_at = 3;
}

/* Passes bytes through: a decoder that decodes nothing. */
static size_t
read_plain(struct source *s, char *to, size_t size)
{
	size_t n;

	if (!refill(s))
		return 0;
	n = s->in_n - s->in_at < size ? s->in_n - s->in_at : size;
	memcpy(to, s->in + s->in_at, n);
	s->in_at += n;
	return n;
}

static void
refuse_lz4(struct source *s)
{
	fail(s, "is lz4-compressed; decompress it first: lz4 -dc FILE");
}

static void
refuse_zip(struct source *s)
{
	fail(s, "is a zip archive; unpack it first: unzip -p FILE");
}

static const struct encoding encodings[] = {
	{ { "\x1f\x8b", 2 }, start_packed, "gzip", INFLATE_GZIP },
	{ { "\x28\xb5\x2f\xfd", 4 }, start_packed, "zstd", INFLATE_ZSTD },
	{ { "\xfd\x37zXZ\0", 6 }, start_packed, "xz", INFLATE_XZ },
	{ { "BZh", 3 }, start_packed, "bzip2", INFLATE_BZIP2 },
	{ .mark = { "\xef\xbb\xbf", 3 }, .start = start_after_mark },
	{ .mark = { "\xff\xfe", 2 }, .start = start_utf16 },
	{ .mark = { "\xfe\xff", 2 }, .start = start_utf16 },
	{ .mark = { "\x04\x22\x4d\x18", 4 }, .start = refuse_lz4 },
	{ .mark = { "PK\x03\x04", 4 }, .start = refuse_zip },
};

/* If SEEN, the first bytes from *TOP (up to some hundred thousand), begin a known encoding, puts a
 * decoder on *TOP, with SEEN as its first input, and returns true: the caller reads again from the
 * start. For known encodings that cannot be read, prints an error and makes the source fail. */
static bool
push_decoder(struct source **top, struct str seen)
{
	const struct encoding *e = encodings;
	const struct encoding *end = e + sizeof encodings / sizeof *encodings;
	struct source *s;

	while (e < end && !str_starts(seen, e->mark))
		e++;
	if (e == end)
		return false;
	s = mem_zero(1, sizeof *s);
	s->name = (*top)->name;
	s->encoding = e;
	s->below = *top;
	s->read = read_plain;
	s->in = mem_grow(NULL, &s->in_cap, seen.n, 1);
	memcpy(s->in, seen.s, seen.n);
	s->in_n = seen.n;
	*top = s;
	e->start(s);
	return true;
}

struct input {
	const char *name;
	struct source *source;
	int fd;		 /* of an uncompressed seekable file, else -1 */
	uint64_t base;	 /* offset in the file where the input begins */
	time_t modified; /* 0: not a regular file */
	bool end, started;
	bool failed; /* truncated while mapped, or with a line that is too long */
	char *buf;
	size_t at, n, cap; /* buf[at..n) is not consumed yet */
	uint64_t line;
	int file;      /* the descriptor read, compressed or not; -1: memory */
	uint64_t size; /* of a regular file, else 0 */
	uint64_t taken;
	const uint64_t *stacks; /* for progress, or NULL */
};

static struct input *
make(const char *name, int fd, struct str bytes)
{
	struct input *in = mem_zero(1, sizeof *in);

	in->name = name;
	in->source = new_source(name, fd, bytes);
	in->fd = -1;
	in->file = fd;
	in->buf = mem_grow(NULL, &in->cap, START, 1);
	return in;
}

/* Sets the fields for input_read_at of the file FD. */
static void
find_place(struct input *in, int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);

	if (at < 0)
		return;
	in->fd = fd;
	in->base = (uint64_t)at;
}

/* Linux pipes hold 64 KiB by default; four times as much halves the time to read 140 MB from cat.
 * Failure is harmless. */
static void
widen_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	(void)fcntl(fd, F_SETPIPE_SZ, (int)START);
#else
	(void)fd;
#endif
}

static void
let_it_end(int signal)
{
	(void)signal;
}

/* Ctrl-C reaches all programs of a pipe. A reader continues until the writer has ended, so that
 * `fg-record -a | fg-collapse | fg-svg` produces a picture; a second Ctrl-C ends it at once. An
 * ignored signal stays ignored. */
static void
outlive_interrupt(void)
{
	struct sigaction once = { .sa_handler = let_it_end }, had;

	once.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
	sigemptyset(&once.sa_mask);
	if (sigaction(SIGINT, NULL, &had) == 0 && had.sa_handler == SIG_DFL)
		sigaction(SIGINT, &once, NULL);
}

struct input *
input_open(const char *path)
{
	struct str none = { 0 };
	struct input *in;
	struct stat st;
	int fd;

	if (strcmp(path, "-") == 0) {
		if (isatty(STDIN_FILENO))
			msg_warn("reading from the terminal; give a file or a pipe");
		fd = dup(STDIN_FILENO);
		path = "<stdin>";
	} else {
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0) {
		msg_error("%s: cannot open:", path);
		return NULL;
	}
	if (fstat(fd, &st) != 0)
		st.st_mode = 0;
	if (S_ISDIR(st.st_mode)) {
		msg_error("%s: is a folder, not a file", path);
		close(fd);
		return NULL;
	}
	widen_pipe(fd);
	if (S_ISFIFO(st.st_mode))
		outlive_interrupt();
	in = make(path, fd, none);
	if (S_ISREG(st.st_mode)) {
		in->modified = st.st_mtime;
		in->size = (uint64_t)st.st_size;
		in->source->counted = true;
		budget_read_file(&st);
		find_place(in, fd);
	}
	return in;
}

struct input *
input_open_early(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
		access(path, R_OK) != 0)
		return NULL;
	return input_open(path);
}

struct input *
input_of_memory(const char *name, struct str bytes)
{
	return make(name, -1, bytes);
}

void
input_close(struct input *in)
{
	if (!in)
		return;
	msg_progress_end();
	free_sources(in->source);
	free(in->buf);
	free(in);
}

uint64_t
input_modified(const struct input *in)
{
	return in->modified > 0 ? (uint64_t)in->modified : 0;
}

uint64_t
input_taken(const struct input *in)
{
	return in->taken;
}

bool
input_knows_size(const struct input *in, uint64_t *bytes)
{
	*bytes = in->fd >= 0 && in->size > in->base ? in->size - in->base : 0;
	return in->fd >= 0;
}

const char *
input_name(const struct input *in)
{
	return in->name;
}

uint64_t
input_line_number(const struct input *in)
{
	return in->line;
}

void
input_count_lines(struct input *in, uint64_t lines)
{
	in->line += lines;
}

bool
input_failed(const struct input *in)
{
	return in->failed || has_failed(in->source);
}

void
input_fail(struct input *in)
{
	in->failed = true;
}

void
input_stacks(struct input *in, const uint64_t *stacks)
{
	in->stacks = stacks;
}

/* Shows that IN has delivered TAKEN bytes and was read up to AT, -1: unknown. */
static void
show_progress(struct input *in, uint64_t taken, off_t at)
{
	struct buf text = { 0 };

	if (in->stacks)
		buf_fmt(&text, "%" PRIu64 " stack%s, ", *in->stacks, msg_s(*in->stacks));
	buf_fmt(&text, "%" PRIu64 " MB", taken >> 20);
	if (in->size && at >= 0)
		buf_fmt(&text, ", %.0f %%",
			fmin(100, (double)at * 100 / (double)in->size));
	msg_progress("%s of %s", buf_cstr(&text), in->name);
	buf_release(&text);
}

/* Reads up to N bytes to TO. */
static size_t
read_counted(struct input *in, char *to, size_t n)
{
	size_t got = read_source(in->source, to, n);

	in->taken += got;
	if (in->file >= 0 && got && msg_progress_due())
		show_progress(in, in->taken, lseek(in->file, 0, SEEK_CUR));
	return got;
}

/* Reads until N bytes are buffered or the source ends. */
static void
fill(struct input *in, size_t min)
{
	size_t got;

	while (!in->end && in->n - in->at < min) {
		if (in->at == in->n)
			in->at = in->n = 0;
		/* Makes room at the end: moves the rest to the front if it is the smaller part,
		 * else grows. */
		if (in->cap - in->n < in->cap / 4 && in->at > in->cap / 2) {
			memmove(in->buf, in->buf + in->at, in->n - in->at);
			in->n -= in->at;
			in->at = 0;
		} else if (in->cap - in->n < LEAST) {
			in->buf = mem_grow(in->buf, &in->cap, in->cap * 2, 1);
		}
		got = read_counted(in, in->buf + in->n, in->cap - in->n);
		in->end = got == 0;
		in->n += got;
	}
}

/* Puts decoders on the source as long as its first bytes match an encoding. */
static void
start(struct input *in)
{
	int i;

	in->started = true;
	for (i = 0; i < LAYERS; i++) {
		fill(in, 6);
		if (!push_decoder(&in->source, (struct str){ in->buf, in->n }))
			break;
		in->fd = -1;
		in->n = 0;
		in->taken = 0;
		in->end = false;
	}
}

struct str
input_window(struct input *in, size_t min)
{
	if (!in->started)
		start(in);
	if (in->n - in->at < min)
		fill(in, min);
	return (struct str){ in->buf + in->at, in->n - in->at };
}

void
input_skip(struct input *in, size_t n)
{
	in->at += n < in->n - in->at ? n : in->n - in->at;
}

/* Ends the input at a line that is too long. */
static void
refuse_line(struct input *in)
{
	msg_error("%s:%" PRIu64
		  ": a line is longer than %d MB; this is not a text profile",
		in->name, in->line + 1, INPUT_LINE_LONGEST >> 20);
	in->failed = in->end = true;
	in->at = in->n;
}

bool
input_line(struct input *in, struct str *line)
{
	struct str w = input_window(in, 1);
	size_t seen = 0;
	const char *nl;

	while (!(nl = seen < w.n ? memchr(w.s + seen, '\n', w.n - seen) : NULL)) {
		seen = w.n;
		if (seen > INPUT_LINE_LONGEST)
			break;
		w = input_window(in, seen + 1);
		if (w.n == seen)
			break;
	}
	*line = str_head(w, nl ? (size_t)(nl - w.s) : w.n);
	if (line->n > INPUT_LINE_LONGEST)
		refuse_line(in);
	if (!w.n || in->failed)
		return false;
	in->line++;
	input_skip(in, line->n + (nl != NULL));
	if (line->n && line->s[line->n - 1] == '\r')
		line->n--;
	return true;
}

struct str
input_rest(struct input *in)
{
	return input_window(in, SIZE_MAX);
}

size_t
input_read(struct input *in, void *to, size_t n)
{
	struct str w;

	if (!in->started)
		start(in);
	if (in->at == in->n && !in->end && n >= LEAST) {
		n = read_counted(in, to, n);
		in->end = n == 0;
		return n;
	}
	w = str_head(input_window(in, 1), n);
	if (w.n)
		memcpy(to, w.s, w.n);
	input_skip(in, w.n);
	return w.n;
}

bool
input_read_at(struct input *in, uint64_t offset, void *to, size_t n)
{
	char *at = to;
	ssize_t got;

	if (!in->started)
		start(in);
	if (in->fd < 0 || n > INT32_MAX || offset > (uint64_t)INT64_MAX - in->base - n)
		return false;
	for (offset += in->base; n;
		n -= (size_t)got, at += got, offset += (uint64_t)got) {
		do
			got = pread(in->fd, at, n, (off_t)offset);
		while (got < 0 && errno == EINTR);
		if (got <= 0)
			return false;
	}
	return true;
}

bool
input_map(struct input *in, uint64_t offset, size_t n, struct input_piece *piece)
{
	struct stat st;

	if (!in->started)
		start(in);
	if (in->fd < 0 || fstat(in->fd, &st) != 0 || offset > UINT64_MAX - in->base)
		return false;
	offset += in->base;
	if (st.st_size <= 0 || offset >= (uint64_t)st.st_size)
		return false;
	if (n > (uint64_t)st.st_size - offset)
		n = (size_t)((uint64_t)st.st_size - offset);
	if (msg_progress_due())
		show_progress(in, offset, (off_t)offset);
	piece->in = in;
	return map_init(&piece->map, in->fd, offset, n);
}

void
input_unmap(struct input_piece *piece)
{
	if (map_was_cut(&piece->map) && !piece->in->failed) {
		piece->in->failed = true;
		msg_error("%s: was truncated while it was read", piece->in->name);
	}
	map_release(&piece->map);
}
