/* SPDX-License-Identifier: ISC */
/*
 * Exceptions that a Java program left in a log (Throwable.printStackTrace; log4j, logback,
 * logcat):
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
 * Each throwable is a sample. "... 2 more" are the outermost frames of the one that it caused, or
 * that it was suppressed in; stackcollapse-java-exceptions.pl leaves them out, and counts no
 * throwable all of whose frames are so. Before "at" may stand what a log puts there, up to a tab.
 * Other lines are passed over; where several threads write at once, their stacks are mixed.
 */
#include "collapse.h"
#include "formats.h"
#include "java-frame.h"
#include "mem.h"
#include "stacks/thread-dump.h"

/* How deep throwables suppressed in throwables are followed. */
enum { DEEPEST = 16 };

/* The frames of a throwable, innermost first. */
struct trace {
	uint32_t *ids;
	size_t n, cap;
};

struct reader {
	struct collapse *c;
	struct thread_dump dump;
	struct trace outer[DEEPEST]; /* the last throwable at each indentation */
	size_t outer_n;		     /* how many are known */
	size_t level, around; /* of the throwable under way, and of what it belongs to */
	bool within;	      /* it belongs to one */
	struct buf comm;      /* of the throwable that comes */
};

/* How many tabs LINE begins with, or as many as so many blanks are. */
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

/* LINE from its first word on, or what follows its last tab when a log puts something before it.
 * */
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

/* Ends the throwable under way. */
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

/* Takes LINE, which is no frame: TEXT without blanks. */
static void
take_header(struct reader *r, struct str line, struct str text)
{
	struct str thread = STR("Exception in thread \"");
	size_t level = find_level(line);

	if (str_starts(text, STR("Caused by: ")) ||
		str_starts(text, STR("Wrapped by: "))) {
		begin_inner(r, level, level);
	} else if (str_starts(text, STR("Suppressed: "))) {
		begin_inner(r, level, level ? level - 1 : 0);
	} else if (!str_starts(text, STR("- ")) && (r->dump.open || !r->within)) {
		/* What follows "Caused by:" otherwise is a message of several lines. */
		close_trace(r);
		r->within = false;
		r->level = 0;
		buf_clear(&r->comm);
		if (str_starts(text, thread))
			buf_str(&r->comm, thread_dump_between(text, thread, STR("\" ")));
	}
}

/* Opens the throwable whose first line this is. */
static void
open_trace(struct reader *r)
{
	struct collapse_sample s = { .comm = buf_view(&r->comm) };

	if (!r->dump.open)
		thread_dump_open(&r->dump, &s);
}

static void
take_frame(struct reader *r, struct str text)
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

/* Takes "... 8 more", "... 8 common frames omitted". */
static void
take_more(struct reader *r, struct str text)
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
take_line(struct reader *r, struct str line)
{
	struct str text = cut_prefix(line);

	if (str_starts(text, STR("at ")))
		take_frame(r, str_from(text, 3));
	else if (str_starts(text, STR("... ")))
		take_more(r, text);
	else
		take_header(r, line, text);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .dump.stack.c = c };
	struct str line;
	size_t i;

	collapse_threadless(c);
	while (input_line(in, &line))
		take_line(&r, line);
	close_trace(&r);
	for (i = 0; i < DEEPEST; i++)
		free(r.outer[i].ids);
	thread_dump_release(&r.dump);
	buf_release(&r.comm);
	return true;
}

/* Two frames, one below the other, that only Java prints. */
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
		/* A thread, of a dump that jcmd wrote to a file. */
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
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES,
};
