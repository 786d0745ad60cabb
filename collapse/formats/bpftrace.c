/* SPDX-License-Identifier: ISC */
/*
 * Maps of stacks in bpftrace's text output:
 *
 *	Attaching 2 probes...
 *
 *	@[
 *	    app::fib(int)+56
 *	    0x7fb0d14d44a3
 *	, work, 2349]: 3
 *	@by_pid[2349,
 *	    do_idle+5
 *	]: 7
 *	@lat[
 *	    handle_mm_fault+208
 *	]:
 *	[256, 512)             1 |@@@@@                  |
 *	[512, 1K)              4 |@@@@@@@@@@@@@@@@@@@@@@@|
 *
 *	@bytes[
 *	    vfs_read+1
 *	]: count 3, average 4096, total 12288
 *
 * bpftrace-key.h describes the text between the brackets. Each map is an event. Values count as
 * samples: a histogram as the sum of its rows, statistics as their total. Maps without stacks, and
 * the program's own output, are skipped; maps printed several times add up. (bpftrace,
 * src/output.cpp, TextOutput)
 */
#include "bpftrace-key.h"
#include "collapse.h"
#include "formats.h"

struct reader {
	struct collapse *c;
	struct bpftrace_key key; /* the current entry */
	struct buf map;		 /* name of its map */
	bool open;		 /* inside its key */
	bool in_rows;		 /* inside its histogram */
	uint64_t rows;		 /* sum of the histogram's rows */
	uint64_t empty, whole;	 /* entries without and with a stack */
};

/* Returns the place of the "]: " that ends the key in LINE, or LINE.n. The last one counts: a name
 * may hold one too. */
static size_t
find_end(struct str line)
{
	size_t i;

	for (i = line.n; i-- > 0;)
		if (line.s[i] == ']' && str_starts(str_from(line, i), STR("]:")) &&
			(i + 2 == line.n || line.s[i + 2] == ' '))
			return i;
	return line.n;
}

/* Entries without a stack are samples if others of the map have one; otherwise the map is not about
 * stacks. */
static void
end_map(struct reader *r)
{
	while (r->whole && r->empty-- > 0)
		collapse_lose(r->c, COLLAPSE_NO_STACK);
	r->empty = r->whole = 0;
}

static void
end_entry(struct reader *r, struct str number)
{
	r->whole++;
	bpftrace_key_end(&r->key, buf_view(&r->map));
	counted_stack_end(&r->key.stack, number);
}

static void
end_rows(struct reader *r)
{
	struct buf sum = { 0 };

	buf_u64(&sum, r->rows);
	end_entry(r, buf_view(&sum));
	buf_release(&sum);
	r->in_rows = false;
	r->rows = 0;
}

/* Adds the row "[512, 1K)   4 |@@@|" of a histogram. Returns false if LINE is not one. */
static bool
add_row(struct reader *r, struct str line)
{
	size_t bar = str_find(line, '|'), blank;
	struct str text = str_trim(str_head(line, bar));
	uint64_t n;

	blank = str_rfind(text, ' ');
	if (bar == line.n || blank == text.n ||
		!str_to_u64(str_from(text, blank + 1), &n) || n > UINT64_MAX - r->rows)
		return false;
	r->rows += n;
	return true;
}

/* VALUE: the text after "]: ". */
static void
parse_value(struct reader *r, struct str value)
{
	struct str total = STR(", total ");
	size_t at = str_search(value, total);

	if (!value.n)
		r->in_rows = true;
	else if (counted_stack_is_number(value))
		end_entry(r, value);
	else if (str_starts(value, STR("count ")) && at < value.n)
		end_entry(r, str_from(value, at + total.n));
	else
		collapse_lose(r->c, COLLAPSE_MALFORMED);
}

/* LINE: a line inside a key. */
static void
parse_key_line(struct reader *r, struct str line)
{
	size_t end = find_end(line);

	if (bpftrace_key_is_frame(line)) {
		bpftrace_key_line(&r->key, line);
	} else if (end < line.n) {
		bpftrace_key_line(&r->key, str_head(line, end));
		r->open = false;
		parse_value(r, str_trim(str_from(line, end + 2)));
	} else if (str_starts(line, STR(","))) {
		bpftrace_key_line(&r->key, line);
	} else {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		r->open = false;
	}
}

/* Returns the length of the map's name, "@lat", if LINE begins an entry, else 0. */
static size_t
find_key(struct str line)
{
	size_t i;

	if (!str_starts(line, STR("@")))
		return 0;
	for (i = 1; i < line.n && str_is_word(line.s[i]);)
		i++;
	return i < line.n && line.s[i] == '[' ? i : 0;
}

/* LINE: the start of an entry whose map has a name of N bytes. */
static void
begin_entry(struct reader *r, struct str line, size_t n)
{
	struct str name = str_head(line, n);

	if (!str_eq(name, buf_view(&r->map))) {
		end_map(r);
		buf_clear(&r->map);
		buf_str(&r->map, name);
	}
	if (find_end(line) < line.n) {
		r->empty++;
		return;
	}
	r->open = true;
	bpftrace_key_begin(&r->key);
	bpftrace_key_line(&r->key, str_from(line, n + 1));
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str lost = STR("Lost ");
	uint64_t n;
	size_t key;

	if (r->open) {
		parse_key_line(r, line);
		return;
	}
	if (r->in_rows) {
		if (add_row(r, line))
			return;
		end_rows(r);
	}
	key = find_key(line);
	if (key) {
		begin_entry(r, line, key);
	} else if (str_starts(line, lost) && str_ends(line, STR(" events"))) {
		line = str_from(line, lost.n);
		if (str_to_u64(str_word(&line), &n))
			collapse_lose_recorded(r->c, n);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .key.stack.names.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	if (r.open)
		collapse_lose(c, COLLAPSE_MALFORMED);
	if (r.in_rows)
		end_rows(&r);
	end_map(&r);
	collapse_explain(c, (struct str){ 0 }, STR("bpftrace found no symbol"));
	bpftrace_key_release(&r.key);
	buf_release(&r.map);
	return true;
}

/* LINE: "Attaching 3 probes...". */
static bool
is_attaching(struct str line)
{
	struct str word = STR("Attaching ");

	return str_starts(line, word) &&
		str_search(str_from(line, word.n), STR(" probe")) < line.n - word.n;
}

static int
probe(struct str head)
{
	struct str text = str_trim(head);
	int most = is_attaching(str_head(text, str_find(text, '\n'))) ? 60 : 0;
	struct str line;
	bool open = false;

	while (head.n) {
		line = str_cut(&head, '\n');
		if (open && bpftrace_key_is_frame(line))
			return 90;
		open = find_key(line) && find_end(line) == line.n;
	}
	return most;
}

const struct collapse_format collapse_bpftrace = {
	.probe = probe,
	.signs =
		SIGNS(SIGN(MAGIC, "@"), SIGN(START, "Attaching "), SIGN(ANYWHERE, "\n@")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES,
};
