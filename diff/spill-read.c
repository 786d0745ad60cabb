/* SPDX-License-Identifier: ISC */
/* A sorted run of stacks, read line by line; see spill-read.h. */
#include "spill-read.h"
#include "folded.h"
#include "mem.h"

#include <errno.h>
#include <unistd.h>

enum { CHUNK = 32 * 1024 };

void
spill_read_init(
	struct spill_read *r, int fd, const char *folder, const struct spill_form *form)
{
	*r = (struct spill_read){ .fd = fd, .folder = folder, .form = *form };
	if (lseek(fd, 0, SEEK_SET) != 0) {
		msg_error("%s: cannot read a temporary file:", folder);
		r->failed = true;
	}
}

void
spill_read_release(struct spill_read *r)
{
	buf_release(&r->text);
}

/* Adds what comes next in the file to the text. */
static bool
read_more(struct spill_read *r)
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
			n < 0 ? ":" : ": it has become shorter");
		r->failed = true;
	}
	return n > 0;
}

/* Cuts the weights off LINE. */
static void
cut_weights(struct spill_read *r, struct str line)
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

bool
spill_read_next(struct spill_read *r)
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
