/* SPDX-License-Identifier: ISC */
/* Bytes in, through one buffer; see input.h. */
#ifdef __linux__
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#endif
#include "input.h"
#include "buf.h"
#include "decode.h"
#include "mem.h"
#include "msg.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { START = 256 * 1024, LAYERS = 4 };

struct input {
	const char *name;
	struct decode *source;
	int fd;		 /* of a plain file that can be read anywhere, else -1 */
	uint64_t base;	 /* where in the file the input begins */
	time_t modified; /* 0: not a regular file */
	bool end, started;
	bool failed; /* truncated while it was mapped, or a line was too long */
	char *buf;
	size_t at, n, cap; /* buf[at..n) is what has not been given out */
	uint64_t line;
	int file;      /* that is read, packed or not; -1: memory */
	uint64_t size; /* of a regular file, else 0 */
	uint64_t taken;
	const uint64_t *stacks; /* for progress, or NULL */
};

static struct input *
make(const char *name, int fd, struct str bytes)
{
	struct input *in = mem_zero(1, sizeof *in);

	in->name = name;
	in->source = decode_new(name, fd, bytes);
	in->fd = -1;
	in->file = fd;
	in->buf = mem_grow(NULL, &in->cap, START, 1);
	return in;
}

/* Sets what input_read_at needs of the file FD. */
static void
find_place(struct input *in, int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);

	if (at < 0)
		return;
	in->fd = fd;
	in->base = (uint64_t)at;
}

/* A pipe of Linux holds 64 KiB unless asked for more; four times that halves
 * the time to take 140 MB from cat. A refusal does no harm. */
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

/* Ctrl-C goes to all programs of a pipe. One that reads from it is to end when the
 * one that writes has ended, so that `fg-record -a | fg-collapse | fg-svg` leaves
 * a picture; a second Ctrl-C ends it at once. Whoever ignores the signal goes on
 * to do so. */
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
		find_place(in, fd);
	}
	return in;
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
	decode_free(in->source);
	free(in->buf);
	free(in);
}

uint64_t
input_modified(const struct input *in)
{
	return in->modified > 0 ? (uint64_t)in->modified : 0;
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
	return in->failed || decode_failed(in->source);
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

/* Shows that IN has given TAKEN bytes and been read up to AT, -1: not known. */
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
take(struct input *in, char *to, size_t n)
{
	size_t got = decode_read(in->source, to, n);

	in->taken += got;
	if (in->file >= 0 && got && msg_progress_due())
		show_progress(in, in->taken, lseek(in->file, 0, SEEK_CUR));
	return got;
}

/* Reads until N bytes wait or the source ends. */
static void
fill(struct input *in, size_t min)
{
	size_t got;

	while (!in->end && in->n - in->at < min) {
		if (in->at == in->n)
			in->at = in->n = 0;
		/* Make room at the end: by moving what is left to the front when
		 * it is the smaller part, else by growing. */
		if (in->cap - in->n < in->cap / 4 && in->at > in->cap / 2) {
			memmove(in->buf, in->buf + in->at, in->n - in->at);
			in->n -= in->at;
			in->at = 0;
		} else if (in->cap - in->n < DECODE_LEAST) {
			in->buf = mem_grow(in->buf, &in->cap, in->cap * 2, 1);
		}
		got = take(in, in->buf + in->n, in->cap - in->n);
		in->end = got == 0;
		in->n += got;
	}
}

/* Puts decoders on the source for as long as its first bytes are the mark of an
 * encoding. */
static void
start(struct input *in)
{
	int i;

	in->started = true;
	for (i = 0; i < LAYERS; i++) {
		fill(in, 6);
		if (!decode_push(&in->source, (struct str){ in->buf, in->n }))
			break;
		in->fd = -1;
		in->n = 0;
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
		  ": a line is longer than %d MB: not the text of a profile",
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
	if (in->at == in->n && !in->end && n >= DECODE_LEAST) {
		n = take(in, to, n);
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
