/* SPDX-License-Identifier: ISC */
/*
 * Output of jstack, jcmd PID Thread.print or kill -3 for a Java program (HotSpot,
 * thread.cpp), one dump or many:
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
 * Modules appear from JDK 9 on, the number after the name from JDK 8; nid is decimal from
 * JDK 19. Instead of "at", jhsdb jstack prints " - Demo.fib(int) @bci=4, line=4
 * (Interpreted frame)", and with --mixed
 *
 *	----------------- 29372 -----------------
 *	0x00007f62e82f072f	__GI_accept + 0x4f
 *	0x00007f62d0941260	* java.net.ServerSocket.accept() bci:48 line:532 (Interpreted frame)
 *
 * jcmd PID Thread.dump_to_file FILE, from JDK 21 on, includes virtual threads; the state
 * and "at" before frames were added in JDK 24 (jdk.internal.vm.ThreadDumper):
 *
 *	#22 "spinner" virtual RUNNABLE 2026-11-23T07:35:10.335951050Z
 *	    at java.base/java.lang.Thread.run(Thread.java:1474)
 *
 * Other lines are skipped: locks, deadlocks, the heap, output of the program in between.
 * A thread that is repeated below "Java stack information" counts once.
 *
 * The state is the event; RUNNABLE is folded by default. Threads that wait in native code
 * are RUNNABLE too, as are the JVM's own: like stackcollapse-jstack.pl, this gives them
 * states of their own.
 */
#include "collapse.h"
#include "date.h"
#include "formats.h"
#include "java-frame.h"
#include "stacks/thread-dump.h"

#include <inttypes.h>

/* A state of jstack's, and one that is added here. */
#define RUNNABLE   STR("RUNNABLE")
#define BACKGROUND STR("BACKGROUND")

struct reader {
	struct collapse *c;
	struct thread_dump dump;
	struct buf pid;	      /* of the current dump */
	struct str state;     /* of the current thread, static; empty: unknown yet */
	struct str innermost; /* the state that its innermost method turns RUNNABLE
	                       * into */
	bool sure;	      /* the state is final */
	bool again;	      /* the frames that follow are repeated */
	bool lost;	      /* frames without a thread header were counted */
};

/* Whether REST may follow a thread's name. */
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

/* Cuts the name, which may contain quotes, off LINE, the header of a thread. */
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

/* Cuts off the number of a pool's thread: "pool-1-thread-12". */
static struct str
cut_count(struct str name)
{
	size_t dash = str_rfind(name, '-');
	uint64_t number;

	return dash > 0 && str_to_u64(str_from(name, dash + 1), &number)
		? str_head(name, dash)
		: name;
}

/* The number after "nid=" in LINE, in decimal like other tools; converted in TEXT if it
 * is hexadecimal. */
static struct str
find_tid(struct str line, char text[24])
{
	struct str word = thread_dump_between(line, STR(" nid="), STR(" "));
	uint64_t tid;

	if (!str_starts(word, STR("0x")) || !str_hex_to_u64(str_from(word, 2), &tid))
		return word;
	return (struct str){ text, (size_t)snprintf(text, 24, "%" PRIu64, tid) };
}

/* Whether the thread NAME runs no code of the program. */
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

/* The state at the start of TEXT; empty if it is not one. */
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

/* Ends the current thread. One without frames belongs to the JVM. */
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

/* Parses LINE as a thread header that begins with a name. */
static bool
parse_header(struct reader *r, struct str line)
{
	struct str name, tid;
	char text[24];

	if (!cut_name(&line, &name))
		return false;
	tid = find_tid(line, text);
	/* After "----- 29372 -----" comes the same thread's name. */
	if (r->dump.open && !r->dump.stack.n && !r->dump.thread.comm.n)
		thread_dump_drop(&r->dump);
	open_thread(r, name, tid);
	return true;
}

/* Parses LINE as a thread header like "#22 "spinner" virtual RUNNABLE". */
static bool
parse_numbered(struct reader *r, struct str line)
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

/* Parses LINE as a thread header like "----------------- 29372 -----------------". */
static bool
parse_ruler(struct reader *r, struct str line)
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

/* Notes the state that NAME implies if it is the innermost method. */
static void
note_method(struct reader *r, struct str name)
{
	if (!r->dump.stack.n)
		r->innermost = java_frame_state(name);
}

/* Whether a thread is open. Counts frames without a thread, once per run of them. */
static bool
has_thread(struct reader *r)
{
	if (!r->dump.open && !r->again && !r->lost) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		r->lost = true;
	}
	return r->dump.open;
}

/* Adds the frame in TEXT; it may be "Demo.fib(int) @bci=4, line=4 (Interpreted
 * frame)". */
static void
parse_frame(struct reader *r, struct str text)
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

/* Adds the frame in LINE, "0x00007f62e82f072f	__GI_accept + 0x4f". */
static void
parse_native(struct reader *r, struct str line)
{
	struct frame_names_symbol s = { 0 };

	if (!thread_dump_cut_address(&line, &s.address) || !str_starts(line, STR("\t")) ||
		!has_thread(r))
		return;
	line = str_trim(line);
	if (str_starts(line, STR("* "))) {
		parse_frame(r, str_from(line, 2));
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

/* Parses LINE, which is indented; TEXT is LINE without blanks around it. */
static void
parse_indented(struct reader *r, struct str line, struct str text)
{
	struct str state = STR("java.lang.Thread.State: ");
	struct java_frame f;

	if (str_starts(text, STR("at "))) {
		parse_frame(r, str_from(text, 3));
	} else if (str_starts(text, STR("- "))) {
		if (str_search(text, STR(") @bci=")) < text.n)
			parse_frame(r, str_from(text, 2));
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
		/* Its carrier, whose frames came first, waits for it. */
		r->dump.stack.n = 0;
		r->sure = false;
		r->state = RUNNABLE;
	} else if (str_starts(line, STR("      ")) && r->dump.open &&
		java_frame_parse(text, &f) && java_frame_is_sure(&f)) {
		parse_frame(r, text); /* of JDK 21, without "at" */
	}
}

/* Parses LINE, which is outside threads. */
static void
parse_other(struct reader *r, struct str line)
{
	struct collapse_sample *s = &r->dump.thread;
	struct str pid = str_head(line, line.n - str_ends(line, STR(":"))), rest = line;
	uint64_t number;
	bool zoned;

	if (str_to_u64(pid, &number)) {
		buf_clear(&r->pid);
		buf_str(&r->pid, pid);
	} else if (date_cut(&rest, &s->time, &zoned)) {
		s->has_time = true;
		collapse_start_text(r->c, line);
	}
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str text = str_trim(line);
	char first = line.n ? line.s[0] : 0;

	if (!text.n) {
		close_thread(r);
	} else if (first == '"') {
		if (!parse_header(r, line)) {
			/* "Thread-1": begins a description of a deadlock. */
			close_thread(r);
			r->again = str_ends(line, STR(":"));
		}
	} else if (str_is_blank(first)) {
		parse_indented(r, line, text);
	} else if (first == '0') {
		parse_native(r, line);
	} else if (!(first == '#' && parse_numbered(r, line)) &&
		!(first == '-' && parse_ruler(r, line)) && !r->dump.open) {
		parse_other(r, line);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .dump.stack.c = c };
	struct str line;

	java_frame_expect(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	close_thread(&r);
	thread_dump_release(&r.dump);
	buf_release(&r.pid);
	return true;
}

/* Whether HEAD is output of Thread.dump_to_file: process, time, version, blank,
 * thread. */
static bool
is_dump_to_file(struct str head)
{
	struct str line = str_cut(&head, '\n');
	uint64_t pid, time;
	bool zoned;

	if (!str_to_u64(str_trim(line), &pid))
		return false;
	line = str_trim(str_cut(&head, '\n'));
	if (!date_cut(&line, &time, &zoned) || !zoned)
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
	if (!thread_dump_is_text(head))
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
	.signs = SIGNS(SIGN(ANYWHERE, "Full thread dump "),
		SIGN(ANYWHERE, "\n   java.lang.Thread.State: "), SIGN(ANYWHERE, "\n#")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_ADDRS | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_FULL_NAMES,
};
