/* SPDX-License-Identifier: ISC */
/*
 * Backtraces of gdb: gdb -p PID -batch -ex "thread apply all bt", one or many runs, "bt full", or a
 * plain "bt" of a program with one thread (print_frame and thread_apply in GDB's sources).
 *
 *	Thread 2 (Thread 0x7fdd61e1d6c0 (LWP 3330) "fibber"):
 *	#0  0x0000560831a782bb in app::Set<int, long>::add (n=n@entry=2) at work.cpp:13
 *	#1  operator() (__closure=<optimized out>) at work.cpp:14
 *	#2  std::function<double (int)>::operator()(int) const (this=0x7f, __args#0=15) at f.h:591
 *	#3  0x00007fdd61f278ec in ?? () from /lib/x86_64-linux-gnu/libstdc++.so.6
 *	#4  <signal handler called>
 *
 * A frame without an address shares the previous frame's, which is inlined in it; only #0 may lack
 * its address for another reason, at the beginning of a line. On a terminal gdb wraps long lines;
 * the continuation is indented by 3 or 4. Other lines are skipped: gdb's messages, variables, the
 * program's own output, and the single frame printed when the program stops, which is not a
 * backtrace. stackcollapse-gdb.pl cuts names at their first blank.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/thread-dump.h"

/* Frames are cut after LONGEST bytes; at most TRIES places in one are tried as the beginning of its
 * arguments. */
enum { LONGEST = 1 << 20, TRIES = 32 };

struct reader {
	struct collapse *c;
	struct thread_dump dump;
	struct buf thread;  /* description of the next frames' thread, or empty */
	struct buf held;    /* last frame, without number and address */
	struct buf address; /* of the held frame */
	bool more;	    /* indented lines continue the held frame */
	uint64_t number;    /* of the held frame */
	bool stop; /* the next frame may be the one at which the program stopped */
	bool lone; /* the current thread may consist of that frame only */
};

/* Skips a quoted string or character at the start of *REST, in gdb's notation. */
static void
skip_quoted(struct str *rest)
{
	char quote = rest->s[0];
	size_t i = 1;

	while (i < rest->n && rest->s[i] != quote)
		i += rest->s[i] == '\\' ? 2 : 1;
	*rest = str_from(*rest, i + 1);
}

/* TEXT: "(a=1, b=...) at f.c:3". Sets *REST to the text after the arguments. Returns false if they
 * do not end, or no place follows. */
static bool
skip_arguments(struct str text, struct str *rest)
{
	int depth = 0;

	while (text.n) {
		if (text.s[0] == '"' || text.s[0] == '\'') {
			skip_quoted(&text);
			continue;
		}
		depth += text.s[0] == '(' || text.s[0] == '{';
		depth -= text.s[0] == ')' || text.s[0] == '}';
		text = str_from(text, 1);
		if (depth == 0)
			break;
	}
	*rest = text;
	return depth == 0 &&
		(!text.n || str_starts(text, STR(" at ")) ||
			str_starts(text, STR(" from ")));
}

/* Returns the length of the operator's symbol at the start of TEXT, which follows "operator". */
static size_t
measure_operator(struct str text)
{
	size_t n = 0;

	if (str_starts(text, STR("()")) || str_starts(text, STR("[]")))
		return 2;
	while (n < text.n && memchr("<>=-+*/%^&|~!,", text.s[n], 14))
		n++;
	return n;
}

/* Whether NAME[..AT) ends in "operator". */
static bool
is_operator(struct str name, size_t at)
{
	return at >= 8 && memcmp(name.s + at - 8, "operator", 8) == 0;
}

/* Divides TEXT into a function's *NAME and the *REST after its arguments. Returns false if it is
 * not a frame. */
static bool
cut_function(struct str text, struct str *name, struct str *rest)
{
	int depth = 0, tries = 0;
	size_t at;
	char c;

	for (at = 0; at < text.n && tries < TRIES; at++) {
		c = text.s[at];
		if (str_is_word(c) || c == ':') {
			continue;
		} else if (is_operator(text, at)) {
			at += measure_operator(str_from(text, at));
			if (at == text.n)
				break;
			c = text.s[at];
		}
		if (c == ' ' && depth <= 0 && at + 1 < text.n && text.s[at + 1] == '(' &&
			at && tries++ < TRIES &&
			skip_arguments(str_from(text, at + 1), rest)) {
			*name = str_head(text, at);
			return true;
		}
		depth += c == '<' || c == '(' || c == '{' || c == '[';
		depth -= c == ')' || c == '}' || c == ']' ||
			(c == '>' && at && text.s[at - 1] != '-' &&
				text.s[at - 1] != '=');
	}
	return false;
}

/* TEXT: "app::fib (n=3) at work.cpp:13". Returns false if it is not a frame. */
static bool
parse_frame(struct str text, struct frame_names_symbol *s)
{
	struct str rest;

	*s = (struct frame_names_symbol){ 0 };
	if (str_starts(text, STR("<")) && str_ends(text, STR(">"))) {
		s->name = text; /* <signal handler called> */
		return true;
	}
	if (!cut_function(text, &s->name, &rest))
		return false;
	if (str_eq(s->name, STR("??")))
		s->name.n = 0;
	if (str_starts(rest, STR(" at ")))
		s->srcline = str_from(rest, 4);
	else
		s->module = str_from(rest, 6);
	return true;
}

/* Adds the held frame, INLINED in the next one or not. */
static void
add_held(struct reader *r, bool inlined)
{
	const struct collapse_options *o = collapse_options(r->c);
	struct frame_names_symbol s;
	struct str text;

	if (!r->held.n)
		return;
	/* Inlined frames get their own key in the cache. */
	buf_char(&r->held, inlined && o->inlined ? 'i' : 'f');
	if (o->addrs && str_starts(buf_view(&r->held), STR("??")))
		buf_str(&r->held, buf_view(&r->address));
	text = str_head(buf_view(&r->held), r->held.n);
	if (!thread_dump_recall(&r->dump, text)) {
		text.n -= 1;
		if (o->addrs && str_starts(text, STR("??")))
			text.n -= r->address.n;
		if (parse_frame(text, &s)) {
			s.address = buf_view(&r->address);
			s.inlined = inlined && o->inlined;
			frame_names_add(&r->dump.stack, &s);
			thread_dump_keep(&r->dump);
		} else {
			collapse_lose(r->c, COLLAPSE_MALFORMED);
		}
	}
	buf_clear(&r->held);
}

static void
close_thread(struct reader *r)
{
	add_held(r, false);
	if (r->lone && r->dump.stack.n <= 1)
		thread_dump_drop(&r->dump);
	thread_dump_close(&r->dump);
	r->lone = r->more = false;
}

/* Begins the thread described by r->thread, 'Thread 0x7fdd61e1d6c0 (LWP 3330) "fibber"'. */
static void
open_thread(struct reader *r)
{
	struct str text = buf_view(&r->thread), rest = text, word;
	struct collapse_sample s = { 0 };
	size_t quote = str_find(text, '"'), last = str_rfind(text, '"');

	close_thread(r);
	if (quote < last && last < text.n)
		s.comm = str_from(str_head(text, last), quote + 1);
	text = str_head(text, quote);
	s.tid = thread_dump_between(text, STR("LWP "), STR(")"));
	s.pid = thread_dump_between(text, STR("process "), STR(" "));
	/* Windows: "Thread 4321.0x10e1". */
	(void)str_word(&rest);
	word = str_word(&rest);
	if (!s.tid.n && !s.pid.n && str_search(word, STR(".0x")) < word.n) {
		s.pid = str_cut(&word, '.');
		s.tid = word;
	}
	thread_dump_open(&r->dump, &s);
	r->number = 0;
}

/* TEXT: describes the thread of the next frames. */
static void
describe_thread(struct reader *r, struct str text)
{
	close_thread(r);
	buf_clear(&r->thread);
	buf_str(&r->thread, text);
}

/* LINE: 'Thread 2 (Thread 0x7fdd61e1d6c0 (LWP 3330) "fibber"):'. Returns false if it is not of that
 * form. */
static bool
parse_header(struct reader *r, struct str line)
{
	struct str rest = line;
	uint64_t number;

	(void)str_word(&rest);
	if (!str_to_u64(str_word(&rest), &number) || !str_starts(rest, STR(" (")) ||
		str_search(rest, STR("):")) == rest.n)
		return false;
	rest = str_from(rest, 2);
	rest.n = str_rfind(rest, ')');
	describe_thread(r, rest);
	open_thread(r);
	r->stop = false;
	return true;
}

/* TEXT: the frame NUMBER. */
static void
hold_frame(struct reader *r, uint64_t number, struct str text)
{
	struct str address = { 0 };
	bool placed = thread_dump_cut_address(&text, &address);

	if (!r->dump.open || ((r->dump.stack.n || r->held.n) && number <= r->number)) {
		open_thread(r);
		r->lone = r->stop && number == 0;
	}
	r->stop = false;
	/* Without an address the previous frame is inlined in this one. */
	add_held(r, !placed);
	buf_clear(&r->address);
	buf_str(&r->address, address);
	if (placed && str_starts(text, STR(" in ")))
		text = str_from(text, 4);
	buf_str(&r->held, str_head(str_trim(text), LONGEST));
	r->number = number;
	r->more = true;
	if (!r->held.n)
		collapse_lose(r->c, COLLAPSE_MALFORMED);
}

/* Whether LINE is indented like the continuation of a frame. */
static bool
goes_on(struct str line)
{
	size_t n = 0;

	while (n < line.n && line.s[n] == ' ')
		n++;
	return n >= 3 && n <= 4 && n < line.n && line.s[n] != '\t';
}

/* LINE: neither frame nor header. */
static void
parse_message(struct reader *r, struct str line)
{
	struct str core = STR("Core was generated by `"),
		   switched = STR("[Switching to thread ");

	if (r->more && goes_on(line)) {
		if (r->held.n < LONGEST) {
			buf_char(&r->held, ' ');
			buf_str(&r->held, str_trim(line));
		}
		return;
	}
	r->more = false;
	if (str_starts(line, core)) {
		line = str_from(line, core.n);
		collapse_info(r->c, "command", str_head(line, str_rfind(line, '\'')));
		r->stop = true;
	} else if (str_starts(line, switched)) {
		line = str_from(line, str_find(line, '(') + 1);
		describe_thread(r, str_head(line, str_rfind(line, ')')));
		r->stop = true;
	} else if (str_starts(line, STR("Program terminated with signal ")) ||
		str_search(line, STR(" received signal ")) < line.n ||
		str_starts(line, STR("[Current thread is "))) {
		r->stop = true;
	} else if (str_starts(line, STR("(More stack frames follow"))) {
		r->dump.thread.end = COLLAPSE_CUT;
	} else if (str_starts(line, STR("Backtrace stopped: "))) {
		r->dump.thread.end = COLLAPSE_BROKEN;
	}
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str prompt = STR("(gdb) "), text = str_trim(line);
	uint64_t number;

	if (str_starts(text, prompt))
		text = str_trim(str_from(text, prompt.n));
	if (str_starts(text, STR("#")) && thread_dump_cut_number(&text, &number))
		hold_frame(r, number, text);
	else if (!str_starts(text, STR("Thread ")) || !parse_header(r, text))
		parse_message(r, line);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .dump.stack.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	close_thread(&r);
	thread_dump_release(&r.dump);
	buf_release(&r.thread);
	buf_release(&r.held);
	buf_release(&r.address);
	return true;
}

/* Looks for "#0  " and a frame. Other tools that print such lines have one blank, or no
 * arguments. */
static int
probe(struct str head)
{
	struct frame_names_symbol s;
	struct str line, address, first = STR("#0  ");
	bool thread = false;

	while (head.n) {
		line = str_trim(str_cut(&head, '\n'));
		thread |= str_starts(line, STR("Thread ")) && str_ends(line, STR("):"));
		if (str_starts(line, STR("(gdb) ")))
			line = str_from(line, 6);
		if (!str_starts(line, first))
			continue;
		line = str_from(line, first.n);
		if (thread_dump_cut_address(&line, &address)) {
			if (!str_starts(line, STR(" in ")))
				continue;
			line = str_from(line, 4);
		}
		if (parse_frame(line, &s))
			return thread ? 95 : 80;
	}
	return 0;
}

const struct collapse_format collapse_gdb = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "#0  ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_SRCLINE,
};
