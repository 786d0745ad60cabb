/* SPDX-License-Identifier: ISC */
/*
 * Tracebacks by Python's module faulthandler, at fatal errors, signals and timeouts, and by the
 * interpreter at a fatal error (Python/traceback.c, dump_traceback and _Py_DumpTracebackThreads):
 *
 *	Fatal Python error: Segmentation fault
 *
 *	Thread 0x00007f21bef7b6c0 [worker] (most recent call first):
 *	  File "/opt/demo/fh.py", line 17 in ioish
 *	  File "/usr/lib/python3.11/threading.py", line 975 in run
 *	  ...
 *
 *	Current thread's C stack trace (most recent call first):
 *	  Binary file "/usr/bin/python3.14", at _Py_DumpStack+0x48 [0x55d0c3c1f2a8]
 *
 * Names of threads and C stacks exist since 3.14. The heading of other threads begins with
 * "Thread", and is "Stack" if the thread is unknown. A C stack is of a thread whose Python stack is
 * printed too, so it is another event: "C", beside "Python", the default. "..." and "<truncated"
 * mean that outer frames are missing. Other lines are skipped.
 */
#include "collapse.h"
#include "formats.h"
#include "python-frame.h"
#include "stacks/thread-dump.h"

#define PYTHON STR("Python")
#define NATIVE STR("C")

static const struct str first_line = { " (most recent call first):", 26 };

/* Whether LINE begins a stack; sets its event and thread in *S. */
static bool
cut_header(struct str line, struct collapse_sample *s)
{
	struct str text = str_trim(line), current = STR("Current thread");

	if (!str_ends(text, first_line))
		return false;
	text.n -= first_line.n;
	*s = (struct collapse_sample){ .event = PYTHON };
	if (str_ends(text, STR("C stack trace"))) {
		s->event = NATIVE;
		return true;
	}
	if (str_starts(text, current))
		text = str_from(text, current.n);
	else if (str_starts(text, STR("Thread 0x")))
		text = str_from(text, 6);
	else
		return str_eq(text, STR("Stack"));
	s->tid = str_word(&text);
	text = str_trim(text);
	if (text.n > 2 && text.s[0] == '[' && text.s[text.n - 1] == ']')
		s->comm = str_from(str_head(text, text.n - 1), 1);
	return true;
}

/* Returns the last place of NEEDLE in TEXT, or TEXT.n. The last one counts: a file's name may hold
 * it too. */
static size_t
find_last(struct str text, struct str needle)
{
	size_t at = text.n;

	while (at > 0)
		if (str_starts(str_from(text, --at), needle))
			return at;
	return text.n;
}

/* TEXT: 'File "fh.py", line 17 in work'. Returns false if malformed. */
static bool
add_python(struct thread_dump *d, struct str text)
{
	struct str file, line, name, in = STR("\", line ");
	size_t at;

	if (!str_starts(text, STR("File ")))
		return false;
	text = str_from(text, 5);
	/* File and line are ??? if unknown. */
	if (str_starts(text, STR("??? in ")) || str_starts(text, STR("???, line "))) {
		name = str_from(text, str_search(text, STR(" in ")) + 4);
		python_frame_add(d, name, STR("???"), STR(""));
		return name.n > 0;
	}
	at = find_last(text, in);
	if (!str_starts(text, STR("\"")) || at == text.n)
		return false;
	file = str_from(str_head(text, at), 1);
	text = str_from(text, at + in.n);
	line = str_word(&text);
	name = str_from(text, 4);
	if (!str_starts(text, STR(" in ")) || !name.n)
		return false;
	python_frame_add(d, name, file, str_eq(line, STR("???")) ? STR("") : line);
	return true;
}

/* TEXT: 'Binary file "/usr/bin/python3", at main+0x48 [0x55d0c3c1f2a8]'. Returns false if
 * malformed. */
static bool
add_native(struct thread_dump *d, struct str text)
{
	struct frame_names_symbol s = { 0 };

	if (!str_starts(text, STR("Binary file \"")))
		return false;
	s.module = thread_dump_between(text, STR("Binary file \""), STR("\""));
	s.name = thread_dump_between(text, STR("\", at "), STR("+0x"));
	s.address = thread_dump_between(text, STR("[0x"), STR("]"));
	if (str_starts(s.name, STR("[")))
		s.name.n = 0;
	frame_names_add(&d->stack, &s);
	return true;
}

/* TEXT: an indented line of the current thread. */
static void
parse_indented(struct thread_dump *d, struct str text)
{
	bool known;

	if (str_eq(text, STR("...")) || str_starts(text, STR("<truncated"))) {
		d->thread.end = COLLAPSE_CUT;
		return;
	}
	/* <no Python frame>, <tstate is freed>, <invalid thread id>, ... */
	if (str_starts(text, STR("<")) || thread_dump_recall(d, text))
		return;
	if (str_eq(text, STR("Garbage-collecting"))) {
		frame_names_push(&d->stack, collapse_frame(d->stack.c, text, 0));
		known = true;
	} else if (str_eq(d->thread.event, NATIVE)) {
		known = add_native(d, text);
	} else {
		known = add_python(d, text);
	}
	if (known)
		thread_dump_keep(d);
	else
		collapse_lose(d->stack.c, COLLAPSE_MALFORMED);
}

static bool
is_frame(struct str line)
{
	return str_starts(line, STR("  File \"")) ||
		str_starts(line, STR("  Binary file \""));
}

static bool
run(struct input *in, struct collapse *c)
{
	struct thread_dump d = { .stack.c = c };
	struct collapse_sample s;
	struct str line;

	collapse_threadless(c);
	collapse_expect(c, PYTHON);
	while (input_line(in, &line)) {
		if (cut_header(line, &s))
			thread_dump_open(&d, &s);
		else if (d.open && str_starts(line, STR("  ")))
			parse_indented(&d, str_trim(line));
		else if (is_frame(line))
			collapse_lose(c, COLLAPSE_MALFORMED);
		else
			thread_dump_close(&d);
	}
	thread_dump_close(&d);
	thread_dump_release(&d);
	return true;
}

static int
probe(struct str head)
{
	struct collapse_sample s;
	struct str line;
	bool open = false;

	if (!thread_dump_is_text(head))
		return 0;
	while (head.n) {
		line = str_cut(&head, '\n');
		if (open && (is_frame(line) || str_starts(line, STR("  <"))))
			return 95;
		open = cut_header(line, &s);
	}
	return open ? 80 : 0;
}

const struct collapse_format collapse_faulthandler = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "(most recent call first):")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_ADDRS |
		COLLAPSE_USES_FULL_NAMES,
};
