/* SPDX-License-Identifier: ISC */
/*
 * Exceptions in the log of a Java program (Throwable.printStackTrace; log4j, logback, logcat):
 *
 *	Exception in thread "main" java.lang.IllegalStateException: bad state
 *		at Demo.fail(Demo.java:6) ~[demo.jar:1.0]
 *		at java.base/java.lang.Thread.run(Thread.java:840)
 *		Suppressed: java.io.IOException: close
 *			at Demo.close(Demo.java:9)
 *			... 1 more
 *	Caused by: java.io.IOException: inner cause
 *		at Demo.read(Demo.java:12)
 *		... 2 more
 *
 * Each throwable is a sample. "... 2 more" are the outermost frames of the throwable that it
 * caused, or was suppressed in; stackcollapse-java-exceptions.pl drops them, and throwables without
 * other frames. A log's prefix, up to a tab, may come before "at". Other lines are skipped. If
 * several threads write at once, their stacks are mixed up.
 */
#include "collapse.h"
#include "formats.h"
#include "java-frame.h"
#include "mem.h"
#include "stacks/thread-dump.h"

/* The deepest nesting of suppressed throwables. */
enum { DEEPEST = 16 };

/* The frames of a throwable, innermost first. */
struct trace {
	uint32_t *ids;
	size_t n, cap;
};

struct reader {
	struct collapse *c;
	struct thread_dump dump;
	struct trace outer[DEEPEST]; /* last throwable at each indentation */
	size_t outer_n;		     /* known ones in outer */
	size_t level, around;	     /* of the current throwable; of its owner */
	bool within;		     /* the current throwable belongs to another one */
	struct buf comm;	     /* thread of the next throwable */
};

/* Returns the number of tabs at the start of LINE; without tabs, four blanks count as one. */
static size_t
find_level(struct str line)
{
	size_t tabs = 0, blanks = 0;

	for (; line.n && str_is_blank(line.s[0]); line = str_from(line, 1)) {
		tabs += line.s[0] == '\t';
		blanks += line.s[0] == ' ';
	}
	return tabs ? tabs : blanks / 4;
}

/* Returns LINE from its first word on, or from the last tab on if a log's prefix comes before
 * "at". */
static struct str
cut_prefix(struct str line)
{
	struct str text = str_trim(line);
	size_t tab;

	if (str_starts(text, STR("at ")) || str_starts(text, STR("...")))
		return text;
	tab = str_rfind(text, '\t');
	return tab < text.n && str_starts(str_from(text, tab + 1), STR("at "))
		? str_from(text, tab + 1)
		: text;
}

static void
close_trace(struct reader *r)
{
	struct thread_dump *d = &r->dump;
	struct trace *t = &r->outer[r->level];

	if (d->open) {
		t->ids = mem_grow(t->ids, &t->cap, d->stack.n + 1, sizeof *t->ids);
		if (d->stack.n)
			memcpy(t->ids, d->stack.ids, d->stack.n * sizeof *t->ids);
		t->n = d->stack.n;
		r->outer_n = r->level + 1;
	}
	thread_dump_close(d);
}

/* Begins a throwable at LEVEL that belongs to the last one at level AROUND. */
static void
begin_inner(struct reader *r, size_t level, size_t around)
{
	close_trace(r);
	r->within = level < DEEPEST;
	r->level = r->within ? level : DEEPEST - 1;
	r->around = around;
}

/* LINE: not a frame; TEXT: the same, trimmed. */
static void
parse_header(struct reader *r, struct str line, struct str text)
{
	struct str thread = STR("Exception in thread \"");
	size_t level = find_level(line);

	if (str_starts(text, STR("Caused by: ")) ||
		str_starts(text, STR("Wrapped by: "))) {
		begin_inner(r, level, level);
	} else if (str_starts(text, STR("Suppressed: "))) {
		begin_inner(r, level, level ? level - 1 : 0);
	} else if (!str_starts(text, STR("- ")) && (r->dump.open || !r->within)) {
		/* Other lines after "Caused by:" belong to its message. */
		close_trace(r);
		r->within = false;
		r->level = 0;
		buf_clear(&r->comm);
		if (str_starts(text, thread))
			buf_str(&r->comm, thread_dump_between(text, thread, STR("\" ")));
	}
}

/* Opens the current throwable, unless it is open. */
static void
open_trace(struct reader *r)
{
	struct collapse_sample s = { .comm = buf_view(&r->comm) };

	if (!r->dump.open)
		thread_dump_open(&r->dump, &s);
}

static void
parse_frame(struct reader *r, struct str text)
{
	struct java_frame f;

	open_trace(r);
	if (thread_dump_recall(&r->dump, text))
		return;
	if (!java_frame_parse(text, &f) || !java_frame_is_sure(&f)) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	java_frame_add(&r->dump, &f);
	thread_dump_keep(&r->dump);
}

/* TEXT: "... 8 more", "... 8 common frames omitted". */
static void
parse_more(struct reader *r, struct str text)
{
	bool known = r->within && r->around < r->outer_n &&
		str_search(text, STR("truncated")) == text.n &&
		str_search(text, STR("excluded")) == text.n;
	const struct trace *t = &r->outer[known ? r->around : 0];
	struct str word;
	uint64_t n;
	size_t i;

	(void)str_word(&text);
	word = str_word(&text);
	if (!str_to_u64(word, &n))
		return;
	open_trace(r);
	if (!known || n > t->n) {
		r->dump.thread.end = COLLAPSE_CUT;
		return;
	}
	for (i = t->n - (size_t)n; i < t->n; i++)
		frame_names_push(&r->dump.stack, t->ids[i]);
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str text = cut_prefix(line);

	if (str_starts(text, STR("at ")))
		parse_frame(r, str_from(text, 3));
	else if (str_starts(text, STR("... ")))
		parse_more(r, text);
	else
		parse_header(r, line, text);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .dump.stack.c = c };
	struct str line;
	size_t i;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	close_trace(&r);
	for (i = 0; i < DEEPEST; i++)
		free(r.outer[i].ids);
	thread_dump_release(&r.dump);
	buf_release(&r.comm);
	return true;
}

/* Looks for two consecutive frames in Java's own notation. */
static int
probe(struct str head)
{
	struct java_frame f;
	struct str text;
	int n = 0;

	if (!thread_dump_is_text(head) ||
		str_search(head, STR("Full thread dump ")) < head.n ||
		str_search(head, STR("java.lang.Thread.State: ")) < head.n)
		return 0;
	while (head.n && n < 2) {
		text = cut_prefix(str_cut(&head, '\n'));
		/* A thread of a dump that jcmd wrote to a file. */
		if (str_starts(text, STR("#")) && str_search(text, STR(" \"")) < text.n)
			return 0;
		if (str_starts(text, STR("at ")) &&
			java_frame_parse(str_from(text, 3), &f) && java_frame_is_sure(&f))
			n++;
		else if (text.n && !str_starts(text, STR("- ")))
			n = 0;
	}
	return n == 2 ? 70 : 0;
}

const struct collapse_format collapse_java_exceptions = {
	.probe = probe,
	.signs = SIGNS(SIGN(START, "at "), SIGN(ANYWHERE, " at "),
		SIGN(ANYWHERE, "\tat "), SIGN(ANYWHERE, "\nat ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES,
};
