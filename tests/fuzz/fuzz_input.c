/* SPDX-License-Identifier: ISC */
/* Any bytes as an input: lines and windows of any size return the same text. */
#include "fuzz.h"
#include "input.h"
#include "msg.h"

/* The unpacking limit of small files: enough to reach all code. */
enum { MUCH = 4 << 20 };

/* All lines of IN, each ended by a newline. */
static void
put_lines(struct buf *b, struct input *in)
{
	struct str line;
	uint64_t n = 0;

	while (b->n < MUCH && input_line(in, &line)) {
		LAW(input_line_number(in) == ++n);
		LAW(str_find(line, '\n') == line.n);
		buf_str(b, line);
		buf_char(b, '\n');
	}
	LAW(b->n >= MUCH || !input_line(in, &line));
}

/* The same from windows of sizes that depend on STEP. */
static void
put_windows(struct buf *b, struct input *in, size_t step)
{
	struct str w;
	size_t want = 1, i;

	while (b->n < MUCH && (w = input_window(in, want)).n) {
		w = str_head(w, want);
		for (i = 0; i < w.n; i++)
			buf_char(b, w.s[i]);
		input_skip(in, w.n);
		want = want * step % 5003 + 1;
	}
}

/* Removes every CR before a newline and ends the text with a newline, as lines do. */
static void
as_lines(struct buf *b)
{
	size_t i, n = 0;

	if (b->n && b->s[b->n - 1] != '\n')
		buf_char(b, '\n');
	for (i = 0; i < b->n; i++)
		if (b->s[i] != '\r' || i + 1 == b->n || b->s[i + 1] != '\n')
			b->s[n++] = b->s[i];
	b->n = n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct buf lines = { 0 }, windows = { 0 };
	struct input *in = input_of_memory("fuzz", bytes);

	put_lines(&lines, in);
	input_close(in);
	in = input_of_memory("fuzz", bytes);
	put_windows(&windows, in, size % 97 + 2);
	input_close(in);
	as_lines(&windows);
	if (lines.n < MUCH && windows.n < MUCH)
		LAW(str_eq(buf_view(&lines), buf_view(&windows)));
	buf_release(&lines);
	buf_release(&windows);
	return 0;
}
