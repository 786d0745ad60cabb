/* SPDX-License-Identifier: ISC */
/*
 * What jstack, jcmd PID Thread.print and kill -3 print of a Java program (HotSpot, thread.cpp),
 * once or many times:
 *
 *	24095:					(jcmd: the process)
 *	2026-11-21 03:34:28
 *	Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):
 *
 *	"main" #1 [5] prio=5 os_prio=0 cpu=638.97ms tid=0x00007f3fd8017ed0 nid=0x5e21 runnable
 *	   java.lang.Thread.State: RUNNABLE
 *		at java.util.ArrayList.grow(java.base@17.0.15/ArrayList.java:682)
 *		- locked <0x0000000687400748> (a java.lang.Object)
 *		at Demo.main(Demo.java:8)
 *
 * Before JDK 9 there is no module, before JDK 8 no number after the name; from JDK 19 on nid is
 * decimal. jhsdb jstack prints " - Demo.fib(int) @bci=4, line=4 (Interpreted frame)" in the place
 * of "at", and with --mixed
 *
 *	----------------- 29372 -----------------
 *	0x00007f62e82f072f	__GI_accept + 0x4f
 *	0x00007f62d0941260	* java.net.ServerSocket.accept() bci:48 line:532 (Interpreted frame)
 *
 * jcmd PID Thread.dump_to_file FILE, from JDK 21 on, prints virtual threads too; the state, and
 * "at" before frames, stand there since JDK 24 (jdk.internal.vm.ThreadDumper):
 *
 *	#22 "spinner" virtual RUNNABLE 2026-11-23T07:35:10.335951050Z
 *	    at java.base/java.lang.Thread.run(Thread.java:1474)
 *
 * Other lines, of locks, deadlocks, the heap, or what the program printed in between, are passed
 * over. A thread whose frames are shown again below "Java stack information" counts once.
 *
 * The state is the event, and RUNNABLE is folded by default. Threads that wait in native code are
 * RUNNABLE too, and threads of the JVM itself: like stackcollapse-jstack.pl this gives them states
 * of their own.
 */
#include "collapse.h"
#include "formats.h"
#include "java-frame.h"
#include "stacks/thread-dump.h"

#include <inttypes.h>

/* States that jstack has, and those that are made here. */
#define RUNNABLE   STR("RUNNABLE")
#define BACKGROUND STR("BACKGROUND")

/* What a dump is read with. */
struct reader {
	struct collapse *c;
	struct thread_dump dump;
	struct buf pid;	      /* of the dump under way */
	struct str state;     /* of the thread under way, static; empty: not known yet */
	struct str innermost; /* what its innermost method makes of RUNNABLE */
	bool sure;	      /* the state stays */
	bool again;	      /* frames follow that were shown before */
	bool lost;	      /* so do those of a thread without its header */
};

/* What follows the name of a thread. */
static bool
follows_name(struct str rest)
{
	static const struct str words[] = { { "#", 1 }, { "prio=", 5 }, { "os_prio=", 8 },
		{ "daemon ", 7 }, { "cpu=", 4 }, { "tid=", 4 } };
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++)
		if (str_starts(rest, words[i]))
			return true;
	return false;
}

/* Cuts the name, in which may be quotes, off LINE, the header of a thread. */
static bool
cut_name(struct str *line, struct str *name)
{
	struct str rest = str_from(*line, 1);
	size_t quote;

	if (!str_starts(*line, STR("\"")))
		return false;
	while ((quote = str_search(rest, STR("\" "))) < rest.n) {
		rest = str_from(rest, quote + 2);
		if (!follows_name(rest))
			continue;
		*name = str_from(str_head(*line, line->n - rest.n - 2), 1);
		*line = rest;
		return true;
	}
	return false;
}

/* NAME without the number of a thread of a pool, "pool-1-thread-12". */
static struct str
cut_count(struct str name)
{
	size_t dash = str_rfind(name, '-');
	uint64_t number;

	return dash > 0 && str_to_u64(str_from(name, dash + 1), &number)
		? str_head(name, dash)
		: name;
}

/* The number after "nid=" in LINE, in decimal as other tools have it: in TEXT, where it is not. */
static struct str
find_tid(struct str line, char text[24])
{
	struct str word = thread_dump_between(line, STR(" nid="), STR(" "));
	uint64_t tid;

	if (!str_starts(word, STR("0x")) || !str_hex_to_u64(str_from(word, 2), &tid))
		return word;
	return (struct str){ text, (size_t)snprintf(text, 24, "%" PRIu64, tid) };
}

/* Whether a thread called NAME runs nothing of the program. */
static bool
is_background(struct str name)
{
	static const struct str names[] = { { "CompilerThread", 14 },
		{ "Signal Dispatcher", 17 }, { "Service Thread", 14 },
		{ "Attach Listener", 15 } };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (str_search(name, names[i]) < name.n)
			return true;
	return false;
}

/* The state that TEXT begins with; empty when it is none. */
static struct str
find_state(struct str text)
{
	static const struct str states[] = { { "RUNNABLE", 8 }, { "BLOCKED", 7 },
		{ "WAITING", 7 }, { "TIMED_WAITING", 13 }, { "NEW", 3 },
		{ "TERMINATED", 10 } };
	struct str word = str_word(&text);
	size_t i;

	for (i = 0; i < sizeof states / sizeof *states; i++)
		if (str_eq(word, states[i]))
			return states[i];
	return (struct str){ 0 };
}

/* Ends the thread under way. Without a frame it is one of the JVM. */
static void
close_thread(struct reader *r)
{
	struct thread_dump *d = &r->dump;
	struct str state = r->state.n ? r->state : RUNNABLE;

	if (!d->stack.n)
		state = BACKGROUND;
	else if (!r->sure && str_eq(state, RUNNABLE))
		state = r->innermost;
	d->thread.event = state;
	thread_dump_close(d);
	r->again = r->lost = false;
}

/* Opens a thread called NAME. */
static void
open_thread(struct reader *r, struct str name, struct str tid)
{
	struct collapse_sample s = r->dump.thread;

	s.comm = cut_count(name);
	s.pid = buf_view(&r->pid);
	s.tid = tid;
	s.event = STR("");
	close_thread(r);
	thread_dump_open(&r->dump, &s);
	r->sure = is_background(name);
	r->state = r->sure ? BACKGROUND : STR("");
}

/* Takes LINE as the header of a thread, which begins with its name. */
static bool
take_header(struct reader *r, struct str line)
{
	struct str name, tid;
	char text[24];

	if (!cut_name(&line, &name))
		return false;
	tid = find_tid(line, text);
	/* Below "----- 29372 -----" the same thread has a name. */
	if (r->dump.open && !r->dump.stack.n && !r->dump.thread.comm.n)
		thread_dump_drop(&r->dump);
	open_thread(r, name, tid);
	return true;
}

/* Takes LINE, "#22 "spinner" virtual RUNNABLE", as the header of a thread. */
static bool
take_numbered(struct reader *r, struct str line)
{
	struct str name, last = line, word, state = STR("");
	size_t quote = str_rfind(line, '"');
	uint64_t number;

	if (!thread_dump_cut_number(&line, &number) || !str_starts(line, STR("\"")))
		return false;
	last = str_from(last, quote + 1);
	line = str_from(line, 1);
	name = str_head(line, line.n - last.n - (line.n > last.n));
	while ((word = str_word(&last)).n && !state.n)
		state = find_state(word);
	open_thread(r, name.n ? name : STR("virtual"), STR(""));
	if (!r->sure)
		r->state = state;
	return true;
}

/* Takes LINE, "----------------- 29372 -----------------", as the header of a thread. */
static bool
take_ruler(struct reader *r, struct str line)
{
	struct str word;
	uint64_t tid;

	(void)str_word(&line);
	word = str_word(&line);
	if (!str_to_u64(word, &tid) || !str_starts(str_trim(line), STR("----")))
		return false;
	open_thread(r, STR(""), word);
	return true;
}

/* Notes what the method NAME, if it is the innermost one, makes of the state. */
static void
note_method(struct reader *r, struct str name)
{
	if (!r->dump.stack.n)
		r->innermost = java_frame_state(name);
}

/* Whether frames are wanted here: counts those that belong to no thread, once a run. */
static bool
has_thread(struct reader *r)
{
	if (!r->dump.open && !r->again && !r->lost) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		r->lost = true;
	}
	return r->dump.open;
}

/* Adds the frame of TEXT, "Demo.fib(int) @bci=4, line=4 (Interpreted frame)" too. */
static void
take_frame(struct reader *r, struct str text)
{
	struct java_frame f;

	if (!has_thread(r))
		return;
	note_method(r, str_head(text, str_find(text, '(')));
	if (thread_dump_recall(&r->dump, text))
		return;
	if (!java_frame_parse(text, &f)) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	if (!java_frame_is_sure(&f))
		f.place.n = 0;
	java_frame_add(&r->dump, &f);
	thread_dump_keep(&r->dump);
}

/* Adds the frame of LINE, "0x00007f62e82f072f	__GI_accept + 0x4f". */
static void
take_native(struct reader *r, struct str line)
{
	struct frame_names_symbol s = { 0 };

	if (!thread_dump_cut_address(&line, &s.address) || !str_starts(line, STR("\t")) ||
		!has_thread(r))
		return;
	line = str_trim(line);
	if (str_starts(line, STR("* "))) {
		take_frame(r, str_from(line, 2));
		return;
	}
	s.name = str_head(line, str_search(line, STR(" + 0x")));
	if (str_starts(s.name, STR("????")))
		s.name.n = 0;
	note_method(r, s.name);
	if (thread_dump_recall(&r->dump, s.name.n ? s.name : line))
		return;
	frame_names_add(&r->dump.stack, &s);
	thread_dump_keep(&r->dump);
}

/* Takes LINE, which is indented: TEXT without the blanks. */
static void
take_indented(struct reader *r, struct str line, struct str text)
{
	struct str state = STR("java.lang.Thread.State: ");
	struct java_frame f;

	if (str_starts(text, STR("at "))) {
		take_frame(r, str_from(text, 3));
	} else if (str_starts(text, STR("- "))) {
		if (str_search(text, STR(") @bci=")) < text.n)
			take_frame(r, str_from(text, 2));
	} else if (str_starts(text, state)) {
		if (!r->sure)
			r->state = find_state(str_from(text, state.n));
	} else if (str_starts(text, STR("JavaThread state: _thread_blocked"))) {
		if (str_eq(r->state, RUNNABLE))
			r->state = STR("WAITING");
	} else if (str_starts(text, STR("Carrying virtual thread"))) {
		r->sure = true;
		r->state = RUNNABLE;
	} else if (str_starts(text, STR("Mounted virtual thread"))) {
		/* Its carrier, whose frames were before, waits for it. */
		r->dump.stack.n = 0;
		r->sure = false;
		r->state = RUNNABLE;
	} else if (str_starts(line, STR("      ")) && r->dump.open &&
		java_frame_parse(text, &f) && java_frame_is_sure(&f)) {
		take_frame(r, text); /* of JDK 21, without "at" */
	}
}

/* Takes LINE, which stands between threads. */
static void
take_other(struct reader *r, struct str line)
{
	struct collapse_sample *s = &r->dump.thread;
	struct str pid = str_head(line, line.n - str_ends(line, STR(":")));
	uint64_t number;

	if (str_to_u64(pid, &number)) {
		buf_clear(&r->pid);
		buf_str(&r->pid, pid);
	} else if (line.n >= 19 && thread_dump_time(line, &s->time)) {
		s->has_time = true;
		if (str_ends(line, STR("Z")))
			collapse_start(r->c, s->time);
		else
			thread_dump_start(r->c, s->time);
	}
}

static void
take_line(struct reader *r, struct str line)
{
	struct str text = str_trim(line);
	char first = line.n ? line.s[0] : 0;

	if (!text.n) {
		close_thread(r);
	} else if (first == '"') {
		if (!take_header(r, line)) {
			/* "Thread-1": in what jstack says of a deadlock. */
			close_thread(r);
			r->again = str_ends(line, STR(":"));
		}
	} else if (str_is_blank(first)) {
		take_indented(r, line, text);
	} else if (first == '0') {
		take_native(r, line);
	} else if (!(first == '#' && take_numbered(r, line)) &&
		!(first == '-' && take_ruler(r, line)) && !r->dump.open) {
		take_other(r, line);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .dump.stack.c = c };
	struct str line;

	java_frame_expect(c);
	while (input_line(in, &line))
		take_line(&r, line);
	close_thread(&r);
	thread_dump_release(&r.dump);
	buf_release(&r.pid);
	return true;
}

/* Whether HEAD begins as Thread.dump_to_file does: process, time, version, blank, thread. */
static bool
is_dump_to_file(struct str head)
{
	struct str line = str_cut(&head, '\n');
	uint64_t pid, time;

	if (!str_to_u64(str_trim(line), &pid))
		return false;
	line = str_trim(str_cut(&head, '\n'));
	if (!thread_dump_time(line, &time) || !str_ends(line, STR("Z")))
		return false;
	(void)str_cut(&head, '\n');
	(void)str_cut(&head, '\n');
	return str_starts(head, STR("#"));
}

static int
probe(struct str head)
{
	struct str line;

	if (is_dump_to_file(head))
		return 95;
	if (!thread_dump_is_text(head) ||
		(str_search(head, STR("Full thread dump ")) == head.n &&
			str_search(head, STR("\n   java.lang.Thread.State: ")) == head.n))
		return 0;
	while (head.n) {
		line = str_cut(&head, '\n');
		if (str_starts(line, STR("Full thread dump ")))
			return 95;
		if (str_starts(line, STR("   java.lang.Thread.State: ")))
			return 90;
	}
	return 0;
}

const struct collapse_format collapse_jstack = {
	.probe = probe,
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_ADDRS | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_FULL_NAMES,
};
