/* SPDX-License-Identifier: ISC */
/* Sorted runs of stacks in temporary files; see spill.h. */
#include "spill.h"
#include "folded.h"
#include "mem.h"
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

/* A reader of a sorted run, line by line. */
struct reading {
	struct spill_form form; /* the form of the weights */
	const char *folder;	/* for messages */
	int fd;
	bool failed;
	struct buf text;
	size_t at;	  /* where the next line begins in text */
	struct str stack; /* of the current line */
	uint64_t weight[TREE_COLUMNS];
};

enum { CHUNK = 32 * 1024 };

/* Starts reading the file FD, which stays open. */
static void
begin_reading(
	struct reading *r, int fd, const char *folder, const struct spill_form *form)
{
	*r = (struct reading){ .fd = fd, .folder = folder, .form = *form };
	if (lseek(fd, 0, SEEK_SET) != 0) {
		msg_error("%s: cannot read a temporary file:", folder);
		r->failed = true;
	}
}

static void
end_reading(struct reading *r)
{
	buf_release(&r->text);
}

/* Reads the next part of the file. */
static bool
read_more(struct reading *r)
{
	char *to;
	ssize_t n;

	if (r->at) {
		memmove(r->text.s, r->text.s + r->at, r->text.n - r->at);
		r->text.n -= r->at;
		r->at = 0;
	}
	to = buf_room(&r->text, CHUNK);
	while ((n = read(r->fd, to, CHUNK)) < 0 && errno == EINTR)
		;
	if (n > 0)
		r->text.n += (size_t)n;
	else if (n < 0 || r->text.n) {
		msg_error("%s: cannot read a temporary file%s", r->folder,
			n < 0 ? ":" : ": it was truncated");
		r->failed = true;
	}
	return n > 0;
}

/* Parses and cuts the weights off LINE. */
static void
cut_weights(struct reading *r, struct str line)
{
	bool rounded = false;
	size_t at;
	int c;

	for (c = r->form.columns; c-- > 0;) {
		at = str_rfind(line, ' ');
		if (!folded_weight(str_from(line, at + 1), r->form.scale, &r->weight[c],
			    &rounded))
			r->failed = true;
		line = str_head(line, at);
	}
	r->stack = line;
	if (r->failed)
		msg_error("%s: a temporary file has changed", r->folder);
}

/* Advances to the next line. False at the end, or after a message. */
static bool
next_stack(struct reading *r)
{
	size_t seen = 0, n;
	struct str rest;

	for (;;) {
		if (r->failed)
			return false;
		rest = str_from(buf_view(&r->text), r->at);
		n = seen + str_find(str_from(rest, seen), '\n');
		if (n < rest.n)
			break;
		seen = rest.n;
		if (!read_more(r))
			return false;
	}
	r->at += n + 1;
	cut_weights(r, str_head(rest, n));
	return !r->failed;
}

/* Runs of one level that are merged into a run of the next level: this limits open files, and
 * writes each stack once per level. Merging needs space for the runs and their sum, so the first
 * level is merged early, while that is little. */
enum { FAN = 16, FAN_MOST = 256 };

/* The number of runs of LEVEL to merge: as many as a part of the memory can buffer. */
static size_t
fan_of(const struct spill *s, unsigned level)
{
	size_t fan = s->memory / FAN / CHUNK;

	if (level == 0 || fan < FAN)
		return FAN;
	return fan < FAN_MOST ? fan : FAN_MOST;
}

uint64_t
spill_most(const struct spill *s, uint64_t text, uint64_t run)
{
	/* Runs differ in size: there may be twice as many, or some twice as large. */
	uint64_t runs = run ? text / run * 2 + 2 : 0, merged = 0;

	if (runs >= FAN)
		merged = runs / FAN < fan_of(s, 1) && run < text / FAN / 2 ? 2 * FAN * run
									   : text;
	return text > UINT64_MAX - merged ? UINT64_MAX : text + merged;
}

struct spill_run {
	int fd;
	unsigned level, scale;
	uint64_t bytes;
};

void
spill_release(struct spill *s)
{
	while (s->n)
		close(s->runs[--s->n].fd);
	free(s->runs);
	*s = (struct spill){ .folder = NULL };
}

void
spill_put_line(struct buf *b, const struct spill_form *form, struct str stack,
	const uint64_t weight[TREE_COLUMNS])
{
	int c;

	buf_str(b, stack);
	for (c = 0; c < form->columns; c++) {
		buf_char(b, ' ');
		weight_put_scaled(b, weight[c], form->scale);
	}
	buf_char(b, '\n');
}

/* Creates a file and removes its name, with signals blocked. */
static int
open_unnamed(char *path)
{
	sigset_t all, before;
	int fd, error;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	fd = mkstemp(path);
	error = errno;
	if (fd >= 0 && unlink(path) != 0)
		msg_warn("%s: cannot remove:", path);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return fd;
}

/* A file in FOLDER; -1 after a message. */
static int
open_file(const char *folder)
{
	struct buf path = { 0 };
	int fd;

	buf_fmt(&path, "%s/fg-merge.XXXXXX", folder);
	buf_cstr(&path);
	fd = open_unnamed(path.s);
	if (fd < 0)
		msg_error("%s: cannot make a temporary file:", folder);
	buf_release(&path);
	return fd;
}

/* Writes a run to a file. */
struct writer {
	struct output out;
	struct buf name, line;
	struct spill_form form;
	struct spill_run run;
};

static bool
writer_init(struct writer *w, const struct spill *s, unsigned level, unsigned scale)
{
	*w = (struct writer){ .run = { open_file(s->folder), level, scale, 0 },
		.form = { s->columns, scale } };
	if (w->run.fd < 0)
		return false;
	buf_fmt(&w->name, "%s: a temporary file", s->folder);
	output_init(&w->out, w->run.fd, buf_cstr(&w->name));
	return true;
}

/* Adds the run to S if writing succeeded. */
static bool
writer_close(struct writer *w, struct spill *s)
{
	bool written = output_close(&w->out);

	off_t size = written ? lseek(w->run.fd, 0, SEEK_END) : 0;

	if (written) {
		w->run.bytes = size > 0 ? (uint64_t)size : 0;
		s->bytes += w->run.bytes;
		s->most = s->bytes > s->most ? s->bytes : s->most;
		s->runs = mem_grow(s->runs, &s->cap, s->n + 1, sizeof *s->runs);
		s->runs[s->n++] = w->run;
	} else {
		close(w->run.fd);
	}
	buf_release(&w->name);
	buf_release(&w->line);
	return written;
}

static void
write_line(void *to, struct str stack, const uint64_t weight[TREE_COLUMNS])
{
	struct writer *w = to;

	buf_clear(&w->line);
	spill_put_line(&w->line, &w->form, stack, weight);
	output_str(&w->out, buf_view(&w->line));
}

/* The runs to merge: a heap, the least stack first. */
struct heap {
	struct reading *all, **at;
	size_t n, count;
	bool failed;
};

/* Sifts the run at I down. */
static void
sink(struct heap *h, size_t i)
{
	struct reading *this = h->at[i];
	size_t child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n &&
			str_cmp(h->at[child + 1]->stack, h->at[child]->stack) < 0)
			child++;
		if (str_cmp(this->stack, h->at[child]->stack) <= 0)
			break;
		h->at[i] = h->at[child];
		i = child;
	}
	h->at[i] = this;
}

/* Advances the first run to its next line, or removes it at its end. */
static void
advance(struct heap *h)
{
	if (!next_stack(h->at[0])) {
		h->failed |= h->at[0]->failed;
		h->at[0] = h->at[--h->n];
	}
	if (h->n)
		sink(h, 0);
}

/* Opens the runs of S from FIRST on. */
static void
heap_init(struct heap *h, const struct spill *s, size_t first, unsigned scale)
{
	const struct spill_form form = { s->columns, scale };
	struct reading *r;
	size_t i;

	*h = (struct heap){ .count = s->n - first };
	h->all = mem_zero(h->count, sizeof *h->all);
	h->at = mem_zero(h->count, sizeof *h->at);
	for (i = 0; i < h->count; i++) {
		r = &h->all[i];
		begin_reading(r, s->runs[first + i].fd, s->folder, &form);
		if (next_stack(r))
			h->at[h->n++] = r;
		h->failed |= r->failed;
	}
	for (i = h->n / 2; i-- > 0;)
		sink(h, i);
}

static void
heap_release(struct heap *h)
{
	size_t i;

	for (i = 0; i < h->count; i++)
		end_reading(&h->all[i]);
	free(h->all);
	free(h->at);
}

/* Passes on each stack of H once, with its weights added up. */
static void
drain(struct heap *h, spill_take *take, void *to)
{
	uint64_t weight[TREE_COLUMNS];
	struct buf stack = { 0 };
	int c;

	while (h->n && !h->failed) {
		buf_clear(&stack);
		buf_str(&stack, h->at[0]->stack);
		memset(weight, 0, sizeof weight);
		do {
			for (c = 0; c < TREE_COLUMNS; c++)
				weight[c] += h->at[0]->weight[c];
			advance(h);
		} while (h->n && str_eq(h->at[0]->stack, buf_view(&stack)));
		take(to, buf_view(&stack), weight);
	}
	buf_release(&stack);
}

/* Merges the runs from FIRST on. */
static bool
merge_from(struct spill *s, size_t first, unsigned scale, struct writer *w)
{
	struct heap h;

	heap_init(&h, s, first, scale);
	drain(&h, write_line, w);
	heap_release(&h);
	while (s->n > first)
		close(s->runs[--s->n].fd);
	return !h.failed;
}

/* Merges the last runs into one if there are enough of one level. */
static bool
climb(struct spill *s)
{
	const struct spill_run *last = &s->runs[s->n - 1];
	size_t fan = fan_of(s, last->level);
	struct writer w;
	uint64_t old = 0;
	size_t i;
	bool good;

	if (s->n < fan || s->runs[s->n - fan].level != last->level)
		return true;
	if (!writer_init(&w, s, last->level + 1, last->scale))
		return false;
	for (i = s->n - fan; i < s->n; i++)
		old += s->runs[i].bytes;
	good = merge_from(s, s->n - fan, last->scale, &w);
	/* For a moment, both the runs and their sum exist. */
	good &= writer_close(&w, s);
	s->bytes -= old;
	return good && climb(s);
}

bool
spill_add(struct spill *s, const struct tree *t)
{
	struct writer w;

	s->columns = t->columns;
	if (!writer_init(&w, s, 0, t->scale))
		return false;
	folded_write(&w.out, t);
	return writer_close(&w, s) && climb(s);
}

bool
spill_merge(struct spill *s, unsigned scale, spill_take *take, void *to)
{
	struct heap h;

	heap_init(&h, s, 0, scale);
	drain(&h, take, to);
	heap_release(&h);
	return !h.failed;
}
