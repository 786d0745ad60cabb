/* SPDX-License-Identifier: ISC */
/*
 * Output of py-spy dump --pid PID, one or many, also with --locals and --native
 * (dump.rs):
 *
 *	Process 12345: python3 work.py
 *	Python v3.11.7 (/usr/bin/python3.11)
 *
 *	Thread 12345 (active+gil): "MainThread"
 *	    fib (work.py:4)
 *	        Arguments:
 *	            n: 12
 *	    <module> (work.py:9)
 *	Thread 0x7ED3637AE700 (idle): "worker"
 *	    wait (threading.py:320)
 *	    clone3 (libc.so.6)
 *
 * "active" and "idle" are events; as in py-spy record, active threads are folded by
 * default.
 */
#include "collapse.h"
#include "formats.h"
#include "python-frame.h"
#include "stacks/thread-dump.h"

#define ACTIVE STR("active")
#define IDLE   STR("idle")

/* Parses "Thread 12345 (active+gil): "MainThread"". */
static bool
cut_header(struct str line, struct collapse_sample *s)
{
	struct str state;
	size_t close;

	if (!str_starts(line, STR("Thread ")))
		return false;
	line = str_from(line, 7);
	s->tid = str_word(&line);
	if (!str_starts(line, STR(" (")))
		return false;
	close = str_find(line, ')');
	state = str_from(str_head(line, close), 2);
	line = str_from(line, close + 1);
	if (str_starts(state, ACTIVE))
		s->event = ACTIVE;
	else if (str_eq(state, IDLE))
		s->event = IDLE;
	else
		return false;
	s->comm = (struct str){ 0 };
	if (str_starts(line, STR(": \"")) && str_ends(line, STR("\"")) && line.n > 4)
		s->comm = str_from(str_head(line, line.n - 1), 3);
	return !line.n || s->comm.n;
}

/* Parses "Process 12345: python3 work.py". */
static bool
cut_process(struct str line, struct str *pid, struct str *command)
{
	uint64_t number;

	if (!str_starts(line, STR("Process ")))
		return false;
	*command = str_from(line, 8);
	*pid = str_cut(command, ':');
	*command = str_trim(*command);
	return str_to_u64(*pid, &number);
}

/* Adds the frame in TEXT, "fib (work.py:4)". Returns false if malformed. */
static bool
add_frame(struct thread_dump *d, struct str text)
{
	size_t open = str_rfind(text, '(');
	struct str file, line = { 0 };
	uint64_t number;
	size_t colon;

	if (open < 2 || open == text.n || !str_ends(text, STR(")")))
		return false;
	file = str_from(str_head(text, text.n - 1), open + 1);
	colon = str_rfind(file, ':');
	if (str_to_u64(str_from(file, colon + 1), &number)) {
		line = str_from(file, colon + 1);
		file.n = colon;
	}
	python_frame_add(d, str_head(text, open - 1), file, line);
	return true;
}

/* Parses LINE, which begins with four blanks: a frame; or with more, output of
 * --locals. */
static void
parse_indented(struct thread_dump *d, struct str line)
{
	struct str text = str_trim(line);

	if (str_is_blank(line.s[4]) || (d->open && thread_dump_recall(d, text)))
		return;
	if (d->open && add_frame(d, text))
		thread_dump_keep(d);
	else
		collapse_lose(d->stack.c, COLLAPSE_MALFORMED);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct thread_dump d = { .stack.c = c };
	struct collapse_sample s = { 0 };
	struct str line, pid, command;
	struct buf process = { 0 };

	collapse_threadless(c);
	collapse_expect(c, ACTIVE);
	while (input_line(in, &line)) {
		if (line.n > 4 && str_starts(line, STR("    "))) {
			parse_indented(&d, line);
		} else if (cut_header(line, &s)) {
			s.pid = buf_view(&process);
			thread_dump_open(&d, &s);
		} else if (cut_process(line, &pid, &command)) {
			thread_dump_close(&d);
			collapse_info(c, "command", command);
			buf_clear(&process);
			buf_str(&process, pid);
		}
	}
	thread_dump_close(&d);
	thread_dump_release(&d);
	buf_release(&process);
	return true;
}

static int
probe(struct str head)
{
	struct collapse_sample s;
	struct str line, pid, command;
	bool process = false;

	if (!thread_dump_is_text(head))
		return 0;
	while (head.n) {
		line = str_cut(&head, '\n');
		line.n -= str_ends(line, STR("\r"));
		process |= cut_process(line, &pid, &command);
		if (cut_header(line, &s) && str_starts(head, STR("    ")))
			return process ? 95 : 80;
	}
	return 0;
}

const struct collapse_format collapse_py_spy_dump = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "Thread ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE,
};
