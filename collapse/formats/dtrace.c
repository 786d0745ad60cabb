/* SPDX-License-Identifier: ISC */
/*
 * Aggregations of stacks, printed by DTrace at exit or by printa(), on illumos, Solaris, macOS, the
 * BSDs and Linux:
 *
 *	CPU     ID                    FUNCTION:NAME
 *	  0  64091                        :tick-60s
 *
 *	  bash				a key before the stack: @[execname, stack(), ustack()]
 *	              genunix`kmem_cache_free+0xce
 *	              unix`sys_syscall+0x17a
 *						stack() and ustack() are two parts of one stack
 *	              libc.so.1`_read+0x7
 *	              0x104d08831
 *	                1
 *
 * Frames are innermost first, ustack()'s after stack()'s; a line with a number ends the stack. Keys
 * may come before that number ("bash   1"). A distribution counts as the sum of its rows.
 */
#include "stacks/counted-stack.h"
#include "formats.h"
#include "frame.h"

/* Frames without a module, such as jstack()'s, are indented by INDENT; a number that is not a key
 * ends at column NUMBER_ENDS or later. */
enum { INDENT = 14, NUMBER_ENDS = 17 };

struct reader {
	struct counted_stack stack;
	struct collapse *c;
	bool begun;	 /* a frame was seen */
	bool in_rows;	 /* inside a distribution */
	uint64_t rows;	 /* sum of the distribution's rows */
	struct buf keys; /* the keys before the number or above the stack */
};

static void
cut_frame(struct str line, struct frame_names_symbol *s)
{
	struct str text = frame_cut_offset(str_trim(line)), module, plain;
	uint64_t address;

	/* "rg`run::h0123456789abcdef (.llvm.155164754588)" */
	if (str_ends(text, STR(")")))
		text = str_head(text, str_search(text, STR(" (.llvm.")));
	module = frame_module(text);
	plain = module.n ? frame_cut_module(text) : text;

	s->name = text;
	if (!frame_is_address(plain, &address))
		return;
	s->address = str_from(plain, 2);
	s->module = module;
	s->name.n = 0;
}

/* Whether LINE, trimmed to TEXT, is a frame. */
static bool
is_frame(struct str line, struct str text)
{
	uint64_t address;

	return str_find(text, '`') < text.n || frame_is_address(text, &address) ||
		(line.n - text.n >= INDENT && line.s + INDENT <= text.s);
}

/* Whether TEXT is a distribution's heading. */
static bool
is_distribution(struct str text)
{
	return str_search(text, STR("- Distribution -")) < text.n;
}

/* Returns the last word of TEXT if it is a number, else empty; *BEFORE is the text before it. */
static struct str
cut_number(struct str text, struct str *before)
{
	size_t blank = str_rfind(text, ' ');
	struct str number = blank < text.n ? str_from(text, blank + 1) : text;

	if (!counted_stack_is_number(number))
		return (struct str){ 0 };
	*before = str_trim(str_head(text, text.n - number.n));
	return number;
}

/* Sets the sample's thread from the keys: a name and numbers. */
static void
name_thread(struct reader *r)
{
	struct collapse_sample *s = &r->stack.sample;
	struct str rest = buf_view(&r->keys), word;

	*s = (struct collapse_sample){ 0 };
	while ((word = str_word(&rest)).n)
		if (!counted_stack_is_number(word))
			s->comm = word;
		else if (s->pid.n)
			s->tid = word;
		else
			s->pid = word;
}

static void
end_stack(struct reader *r, struct str number)
{
	name_thread(r);
	counted_stack_end(&r->stack, number);
	buf_clear(&r->keys);
	r->in_rows = false;
	r->rows = 0;
}

static void
add_key(struct reader *r, struct str text)
{
	if (r->keys.n)
		buf_char(&r->keys, ' ');
	buf_str(&r->keys, text);
}

/* Adds the row of a distribution, "4 |@@@   12". */
static void
add_row(struct reader *r, struct str text)
{
	struct str before, number = cut_number(text, &before);
	uint64_t n;

	if (number.n && str_to_u64(number, &n) && n <= UINT64_MAX - r->rows)
		r->rows += n;
	else
		collapse_lose(r->c, COLLAPSE_MALFORMED);
}

/* Ends the stack of a distribution. */
static void
end_rows(struct reader *r)
{
	struct buf sum = { 0 };

	buf_u64(&sum, r->stack.names.n ? r->rows : 0);
	end_stack(r, buf_view(&sum));
	buf_release(&sum);
}

/* A line that is neither frame nor number: keys, or DTrace's own messages. */
static void
parse_other(struct reader *r, struct str text)
{
	struct str number, before;

	if (str_starts(text, STR("dtrace:")) || str_starts(text, STR("^C")) ||
		str_starts(text, STR("CPU ")))
		return;
	number = cut_number(text, &before);
	if (!number.n || !before.n) {
		add_key(r, text);
	} else if (r->stack.names.n) {
		add_key(r, before);
		end_stack(r, number);
	} else {
		/* "123 bash", or an entry of an aggregation without stacks. */
		buf_clear(&r->keys);
	}
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str text = str_trim(line);

	if (!text.n) {
		if (r->in_rows)
			end_rows(r);
		else if (!r->stack.names.n)
			buf_clear(&r->keys); /* the keys were a heading */
	} else if (r->in_rows) {
		add_row(r, text);
	} else if (is_distribution(text)) {
		r->in_rows = true;
	} else if (counted_stack_is_number(text) &&
		(r->stack.names.n || line.n >= NUMBER_ENDS)) {
		if (r->begun)
			end_stack(r, text);
	} else if (is_frame(line, text)) {
		frame_names_line(&r->stack.names, text, cut_frame);
		r->begun = true;
	} else {
		parse_other(r, text);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .stack.names.c = c, .c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	if (r.in_rows)
		end_rows(&r);
	counted_stack_drop(&r.stack);
	collapse_explain(c, (struct str){ 0 }, STR("DTrace found no symbol"));
	buf_release(&r.keys);
	counted_stack_release(&r.stack);
	return true;
}

/* Counts frames with a module before the first number. */
static int
count_frames(struct str head)
{
	struct str line, text;
	int frames = 0;

	while (head.n) {
		line = str_cut(&head, '\n');
		text = str_trim(line);
		if (frames && (counted_stack_is_number(text) || is_distribution(text)))
			return frames;
		if (line.n && str_is_blank(line.s[0]) && str_find(text, '`') < text.n &&
			text.s[0] != '`')
			frames++;
	}
	return 0;
}

static int
probe(struct str head)
{
	struct str line = str_cut(&head, '\n');

	if (str_starts(line, STR("CPU     ID  ")))
		return 95;
	return count_frames(head) ? 70 : 0;
}

const struct collapse_format collapse_dtrace = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "CPU     ID  "), SIGN(ANYWHERE, "`")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_ADDRS | COLLAPSE_USES_FULL_NAMES,
};
