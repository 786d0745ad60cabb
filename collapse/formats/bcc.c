/* SPDX-License-Identifier: ISC */
/*
 * Text of bcc's profile, offcputime, stackcount, offwaketime and wakeuptime without -f
 * (iovisor/bcc, tools/): a stack, the thread that ran, and a number.
 *
 *	Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.
 *	    vfs_read
 *	    --					with -d: the kernel's frames are above
 *	    read
 *	    -                dd (25036)
 *	        4
 *
 *	Tracing 1 functions for "submit_bio"... Hit Ctrl-C to end.
 *	  ffffffff8137897c submit_bio+0x1		with -v and -s
 *	    java [4996]				with -P
 *	    36
 *
 *	    target:          vmstat
 *	    ffffffff810df082 hrtimer_wakeup
 *	    waker:           swapper/1
 *	        4000415
 *
 *	    waker:           swapper/0 0
 *	    blk_mq_complete_request
 *	    --               --
 *	    schedule
 *	    target:          cksum 1234
 *	        56529
 *
 * Innermost frames come first, except in a waker's stack, which is outermost first. As with -f, the
 * waker's stack goes on top of the woken thread's, upside down, and the waker's name above both.
 * Older versions of offcputime end with the name alone.
 */
#include "stacks/counted-stack.h"
#include "formats.h"
#include "frame.h"
#include "mem.h"

enum tool {
	OTHER,	    /* profile, or unknown without a heading */
	OFF_CPU,    /* last line may be a name */
	STACKCOUNT, /* counts calls */
	WAKEUPS	    /* wakeuptime, offwaketime */
};

/* A line of the current block: AT, N: its place in reader.text; INDENT: blanks before it. */
struct line {
	size_t at, n;
	size_t indent;
};

struct reader {
	struct counted_stack stack;
	struct collapse *c;
	enum tool tool;
	struct buf text;
	struct line *lines;
	size_t n, cap;
};

/* Returns the address at the start of TEXT, empty if there is none; *NAME is the rest. */
static struct str
cut_address(struct str text, struct str *name)
{
	enum { SHORTEST = 8 };
	struct str rest = text, word = str_word(&rest);
	uint64_t value;

	*name = text;
	if (word.n < SHORTEST || !rest.n || !str_hex_to_u64(word, &value))
		return (struct str){ 0 };
	*name = str_trim(rest);
	return word;
}

static void
cut_frame(struct str line, struct frame_names_symbol *s)
{
	s->address = cut_address(line, &s->name);
	s->name = frame_cut_offset(s->name);
	if (str_eq(s->name, STR("[unknown]")))
		s->name.n = 0;
}

/* A frame above "--". */
static void
cut_kernel_frame(struct str line, struct frame_names_symbol *s)
{
	cut_frame(str_trim(line), s);
	s->module = STR("[kernel.kallsyms]");
}

static struct str
text_at(const struct reader *r, size_t i)
{
	return (struct str){ r->text.s + r->lines[i].at, r->lines[i].n };
}

/* Like text_at, with the blanks before the text. */
static struct str
line_at(const struct reader *r, size_t i)
{
	const struct line *l = &r->lines[i];

	return (struct str){ r->text.s + l->at - l->indent, l->indent + l->n };
}

/* Adds the lines from I to END as frames; those before SEPARATOR, if it is below END, are the
 * kernel's. */
static void
add_frames(struct reader *r, size_t i, size_t end, size_t separator)
{
	for (; i < end; i++)
		if (i == separator)
			continue;
		else if (separator < end && i < separator)
			/* The blanks make it another key in the cache of frames. */
			frame_names_line(
				&r->stack.names, line_at(r, i), cut_kernel_frame);
		else
			frame_names_line(&r->stack.names, text_at(r, i), cut_frame);
}

static void
add_name(struct reader *r, struct str name)
{
	frame_names_push(&r->stack.names, collapse_frame(r->c, name, 0));
}

/* Returns the first line from I on that equals MARK or OTHER, or END. */
static size_t
find_line(const struct reader *r, size_t i, size_t end, struct str mark, struct str other)
{
	for (; i < end; i++)
		if (str_eq(text_at(r, i), mark) || str_eq(text_at(r, i), other))
			break;
	return i;
}

/* TEXT: "dd (25036)", with OPEN for the bracket. Returns false if it is not of that form. */
static bool
cut_thread(struct str text, char open, struct collapse_sample *s)
{
	size_t at = str_rfind(text, open);
	struct str pid = str_from(text, at + 1);

	if (at == text.n || at < 1 || !pid.n)
		return false;
	pid.n--;
	if (!counted_stack_is_number(pid))
		return false;
	s->comm = str_trim(str_head(text, at));
	s->pid = pid;
	return true;
}

/* Whether TEXT is "KEY    value"; sets *VALUE. */
static bool
has_key(struct str text, struct str key, struct str *value)
{
	if (!str_starts(text, key))
		return false;
	*value = str_trim(str_from(text, key.n));
	return true;
}

/* Cuts the PID off *NAME, "cksum 1234"; returns empty if there is none. */
static struct str
cut_pid(struct str *name)
{
	size_t blank = str_rfind(*name, ' ');
	struct str pid = str_from(*name, blank + 1);

	if (blank == name->n || !counted_stack_is_number(pid))
		return (struct str){ 0 };
	name->n = blank;
	return pid;
}

/* Whether the frames from line I on are outermost first. */
static bool
is_outermost_first(const struct reader *r, size_t i)
{
	struct frame_names_symbol s = { 0 };

	cut_frame(text_at(r, i), &s);
	return frame_enters_kernel(s.name);
}

/* wakeuptime: "target:", the waker's stack, "waker:". This and the next two return false if the
 * block is incomplete. */
static bool
add_wakeup(struct reader *r, struct str target)
{
	struct collapse_sample *s = &r->stack.sample;
	size_t i, last = r->n - 1;

	if (!has_key(text_at(r, last), STR("waker:"), &s->comm)) {
		return false;
	}
	add_name(r, target);
	if (last > 1 && is_outermost_first(r, 1))
		for (i = last; --i > 0;)
			add_frames(r, i, i + 1, last);
	else
		add_frames(r, 1, last, last);
	return true;
}

/* offwaketime: "waker:", its stack, "--   --", the target's stack, "target:". */
static bool
add_blocked(struct reader *r, struct str waker)
{
	struct collapse_sample *s = &r->stack.sample;
	size_t last = r->n - 1, i = 1, middle, user;
	struct str mark;

	while (i < last && !str_starts(text_at(r, i), STR("--  ")) &&
		!str_starts(text_at(r, i), STR("-   ")))
		i++;
	if (i >= last || !has_key(text_at(r, last), STR("target:"), &s->comm)) {
		return false;
	}
	s->pid = cut_pid(&s->comm);
	(void)cut_pid(&waker);
	add_name(r, waker);
	middle = i;
	user = find_line(r, 1, middle, STR("-"), STR("--"));
	add_frames(r, 1, user, middle);
	add_frames(r, user < middle ? user + 1 : middle, middle, middle);
	mark = text_at(r, middle);
	add_name(r, str_word(&mark));
	add_frames(
		r, middle + 1, last, find_line(r, middle + 1, last, STR("-"), STR("--")));
	return true;
}

/* profile, offcputime, stackcount: frames, and the thread. */
static bool
add_stack(struct reader *r)
{
	struct collapse_sample *s = &r->stack.sample;
	size_t end = r->n, last = r->n - 1;
	struct str text = text_at(r, last);
	enum { OF_COMM = 4 };

	if (str_starts(text, STR("-  ")) &&
		cut_thread(str_trim(str_from(text, 1)), '(', s))
		end = last;
	else if (r->tool == STACKCOUNT && r->lines[last].indent == OF_COMM &&
		cut_thread(text, '[', s))
		end = last;
	else if (r->tool == OFF_CPU) {
		s->comm = text;
		end = last;
	}
	add_frames(r, 0, end, find_line(r, 0, end, STR("--"), STR("--")));
	return true;
}

static void
clear_lines(struct reader *r)
{
	r->n = 0;
	buf_clear(&r->text);
	r->stack.names.n = 0;
}

/* These tools trace every wait, in us. */
static void
weigh_by_time(struct reader *r)
{
	enum { NS_PER_US = 1000 };

	r->stack.unit = NS_PER_US;
	collapse_unit(r->c, STR("ns"));
	collapse_exact(r->c);
}

static void
end_block(struct reader *r, struct str number)
{
	struct str value;
	bool good;

	r->stack.sample = (struct collapse_sample){ 0 };
	if (!r->n) {
		collapse_lose(r->c, COLLAPSE_NO_STACK);
		return;
	}
	if (has_key(text_at(r, 0), STR("target:"), &value))
		good = add_wakeup(r, value);
	else if (has_key(text_at(r, 0), STR("waker:"), &value))
		good = add_blocked(r, value);
	else
		good = add_stack(r);
	if (good)
		counted_stack_end(&r->stack, number);
	else
		collapse_lose(r->c, COLLAPSE_MALFORMED);
	clear_lines(r);
}

/* LINE: the first line of a tool's output. */
static void
parse_heading(struct reader *r, struct str line)
{
	if (str_starts(line, STR("Tracing off-CPU time"))) {
		r->tool = OFF_CPU;
		weigh_by_time(r);
	} else if (str_starts(line, STR("Tracing blocked time"))) {
		r->tool = WAKEUPS;
		weigh_by_time(r);
	} else if (str_starts(line, STR("Tracing ")) &&
		str_search(line, STR(" functions for \"")) < line.n) {
		r->tool = STACKCOUNT;
		collapse_exact(r->c);
	}
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str text = str_trim(line);
	size_t indent;

	if (!text.n) {
		if (r->n)
			collapse_lose(r->c, COLLAPSE_MALFORMED);
		clear_lines(r);
	} else if (line.s[0] != ' ') {
		parse_heading(r, line);
	} else if (counted_stack_is_number(text)) {
		end_block(r, text);
	} else {
		r->lines = mem_grow(r->lines, &r->cap, r->n + 1, sizeof *r->lines);
		indent = (size_t)(text.s - line.s);
		r->lines[r->n++] = (struct line){ r->text.n + indent, text.n, indent };
		buf_str(&r->text, str_head(line, indent + text.n));
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .stack.names.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	if (r.n)
		collapse_lose(c, COLLAPSE_MALFORMED);
	collapse_explain(c, (struct str){ 0 }, STR("bcc found no symbol"));
	counted_stack_release(&r.stack);
	buf_release(&r.text);
	free(r.lines);
	return true;
}

static int
probe(struct str head)
{
	static const char *const headings[] = { "Tracing off-CPU time (us)",
		"Tracing blocked time (us)", "Sampling at " };
	struct str rest = head, line, last = { 0 }, value,
		   functions = STR(" functions for \"");
	struct collapse_sample s;
	size_t i;

	line = str_cut(&rest, '\n');
	for (i = 0; i < sizeof headings / sizeof *headings; i++)
		if (str_starts(line, str_of(headings[i])))
			return 95;
	if (str_starts(line, STR("Tracing ")) && str_search(line, functions) < line.n)
		return 95;
	for (rest = head; rest.n; last = str_trim(line)) {
		line = str_cut(&rest, '\n');
		if (!str_starts(line, STR("        ")) ||
			!counted_stack_is_number(str_trim(line)))
			continue;
		if (has_key(last, STR("waker: "), &value) ||
			has_key(last, STR("target: "), &value) ||
			(str_starts(last, STR("-  ")) && cut_thread(last, '(', &s)))
			return 92;
	}
	return 0;
}

const struct collapse_format collapse_bcc = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "Tracing "), SIGN(MAGIC, "Sampling at "),
		SIGN(ANYWHERE, "waker: "), SIGN(ANYWHERE, "target: "),
		SIGN(ANYWHERE, "-  ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_KERNEL | COLLAPSE_USES_ADDRS |
		COLLAPSE_USES_FULL_NAMES,
};
