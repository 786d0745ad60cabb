/* SPDX-License-Identifier: ISC */
/*
 * Maps of stacks as bpftrace prints them:
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
 * bpftrace-key.h says what is between the brackets. Each map is an event. Values are
 * taken for counts of samples: a histogram for the sum of its rows, statistics for their
 * total. Maps without stacks, and what a program prints, are passed over; maps that are printed
 * several times add up. (bpftrace, src/output.cpp, TextOutput)
 */
#include "bpftrace-key.h"
#include "collapse.h"
#include "formats.h"

struct reader {
	struct collapse *c;
	struct bpftrace_key key; /* the entry under way */
	struct buf map;		 /* its map */
	bool open;		 /* in its key */
	bool in_rows;		 /* of its histogram */
	uint64_t rows;		 /* what these sum up to */
	uint64_t empty, whole;	 /* entries of the map without a stack, and with one */
};

/* The place of "]: " that ends a key in LINE, or LINE.n: a name may hold one too. */
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

/* An entry without a stack is a sample when others of the map have one, else the map is of
 * something else. */
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

/* Ends the entry whose histogram is over. */
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

/* Adds the row "[512, 1K)   4 |@@@|" of a histogram. False when LINE is none. */
static bool
take_row(struct reader *r, struct str line)
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

/* What stands behind "]: " of the entry. */
static void
take_value(struct reader *r, struct str value)
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

/* A line within a key. */
static void
take_key_line(struct reader *r, struct str line)
{
	size_t end = find_end(line);

	if (bpftrace_key_is_frame(line)) {
		bpftrace_key_line(&r->key, line);
	} else if (end < line.n) {
		bpftrace_key_line(&r->key, str_head(line, end));
		r->open = false;
		take_value(r, str_trim(str_from(line, end + 2)));
	} else if (str_starts(line, STR(","))) {
		bpftrace_key_line(&r->key, line);
	} else {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		r->open = false;
	}
}

/* The length of the name, "@lat", of the map that LINE begins an entry of; 0 when it does not. */
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

/* Begins an entry with LINE, whose map has a name of N bytes. */
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
take_line(struct reader *r, struct str line)
{
	struct str lost = STR("Lost ");
	uint64_t n;
	size_t key;

	if (r->open) {
		take_key_line(r, line);
		return;
	}
	if (r->in_rows) {
		if (take_row(r, line))
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
		take_line(&r, line);
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

/* Sure with a map of stacks; what else bpftrace prints is its as well. */
/* "Attaching 3 probes..." */
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
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES,
};
