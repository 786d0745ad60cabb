/* SPDX-License-Identifier: ISC */
/*
 * Javacores of IBM's JVM and Eclipse OpenJ9 (javadump.cpp; OpenJ9's documentation, "Java dump"):
 * each line begins with a tag.
 *
 *	1TIDATETIME    Date: 2020/02/29 at 14:36:29:123
 *	1CIPROCESSID   Process ID: 24095 (0x5e1f)
 *	1XMCURTHDINFO  Current thread
 *	1XMTHDINFO     Thread Details
 *	3XMTHREADINFO      "main" J9VMThread:0x124D00, omrthread_t:0x..., state:R, prio=5
 *	3XMTHREADINFO1            (native thread ID:0x6199, native priority:0x5, ...)
 *	3XMTHREADINFO3           Java callstack:
 *	4XESTACKTRACE                at java/lang/Thread.sleep(Thread.java:983(Compiled Code))
 *	5XESTACKTRACE                   (entered lock: java/lang/Object@0xFFF61C90, entry count: 1)
 *	3XMTHREADINFO3           Native callstack:
 *	4XENATIVESTACK               usleep+0x12 (0x00007F3F8D0B5A2E [libc.so.6+0x4aa2e])
 *
 * The current thread comes again below "Thread Details" and counts once. The native stack of a
 * thread with a Java stack is dropped: their frames cannot be matched. Threads without a Java stack
 * are the JVM's: BACKGROUND. stackcollapse-ibmjava.pl needs native stacks and folds every thread;
 * here states are named as in jstack: running threads are folded, or waiting ones if none is
 * running.
 */
#include "collapse.h"
#include "date.h"
#include "formats.h"
#include "java-frame.h"
#include "stacks/thread-dump.h"

#include <inttypes.h>

struct reader {
	struct collapse *c;
	struct thread_dump dump;
	struct buf pid, name;
	struct buf current; /* address of the current thread, or empty */
	bool all;	    /* inside "Thread Details" */
	bool native;	    /* the stack being read is native */
	bool known;	    /* the thread being read was read before */
};

static struct str
find_state(struct str line)
{
	static const struct {
		struct str code, state;
	} states[] = { { { "R", 1 }, { "RUNNABLE", 8 } },
		{ { "B", 1 }, { "BLOCKED", 7 } }, { { "CW", 2 }, { "WAITING", 7 } },
		{ { "P", 1 }, { "WAITING", 7 } }, { { "S", 1 }, { "SUSPENDED", 9 } },
		{ { "Z", 1 }, { "TERMINATED", 10 } } };
	struct str code = thread_dump_between(line, STR(" state:"), STR(","));
	size_t i;

	for (i = 0; i < sizeof states / sizeof *states; i++)
		if (str_eq(code, states[i].code))
			return states[i].state;
	return STR("RUNNABLE");
}

static void
close_thread(struct reader *r)
{
	if (!r->dump.stack.n || r->native)
		r->dump.thread.event = STR("BACKGROUND");
	thread_dump_close(&r->dump);
	r->native = r->known = false;
}

/* TEXT: follows 3XMTHREADINFO. Begins a thread. */
static void
parse_header(struct reader *r, struct str text)
{
	struct collapse_sample s = { .pid = buf_view(&r->pid), .comm = text };
	struct str address = thread_dump_between(text, STR("J9VMThread:"), STR(","));
	struct str rest = str_from(text, 1);
	size_t quote = str_search(rest, STR("\" J9VMThread:"));

	close_thread(r);
	if (str_starts(text, STR("\"")))
		s.comm = str_head(rest, quote < rest.n ? quote : str_rfind(rest, '"'));
	s.time = r->dump.thread.time;
	s.has_time = r->dump.thread.has_time;
	r->known = r->all && address.n && str_eq(address, buf_view(&r->current));
	if (!r->all) {
		buf_clear(&r->current);
		buf_str(&r->current, address);
	}
	if (r->known)
		return;
	thread_dump_open(&r->dump, &s);
	r->dump.thread.event = find_state(text);
}

/* TEXT: "(native thread ID:0x6199, native priority:0x5, ...)". Sets the thread's id. */
static void
parse_id(struct reader *r, struct str text)
{
	struct str word = thread_dump_between(text, STR("native thread ID:0x"), STR(","));
	struct collapse_sample s = r->dump.thread;
	struct buf tid = { 0 };
	uint64_t id;

	if (!r->dump.open || r->dump.stack.n || !str_hex_to_u64(word, &id))
		return;
	buf_u64(&tid, id);
	s.tid = buf_view(&tid);
	buf_clear(&r->name);
	buf_str(&r->name, s.comm);
	s.comm = buf_view(&r->name);
	s.pid = buf_view(&r->pid);
	thread_dump_drop(&r->dump);
	thread_dump_open(&r->dump, &s);
	r->dump.thread.event = s.event;
	buf_release(&tid);
}

static void
parse_frame(struct reader *r, struct str text)
{
	struct java_frame f;

	if (!r->dump.open || !str_starts(text, STR("at "))) {
		if (!r->known)
			collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	text = str_from(text, 3);
	if (!r->dump.stack.n && str_eq(r->dump.thread.event, STR("RUNNABLE")))
		r->dump.thread.event =
			java_frame_state(str_head(text, str_find(text, '(')));
	if (thread_dump_recall(&r->dump, text))
		return;
	if (!java_frame_parse(text, &f)) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	f.slashes = true;
	java_frame_add(&r->dump, &f);
	thread_dump_keep(&r->dump);
}

/* TEXT: "usleep+0x12 (0x00007F3F [libc.so.6+0x4aa2e])". Frames after a Java stack are dropped. */
static void
parse_native(struct reader *r, struct str text)
{
	struct frame_names_symbol s = { 0 };
	struct str place = str_from(text, str_search(text, STR(" (")) + 2), address;

	if (!r->dump.open || (r->dump.stack.n && !r->native))
		return;
	r->native = true;
	if (str_starts(text, STR("(")))
		place = str_from(text, 1);
	else
		s.name = str_head(text, str_search(text, STR(" (")));
	s.name = str_head(s.name, str_search(s.name, STR("+0x")));
	s.module = thread_dump_between(place, STR("["), STR("]"));
	s.module = str_head(s.module, str_search(s.module, STR("+0x")));
	address = str_from(place, str_search(place, STR("0x")));
	(void)thread_dump_cut_address(&address, &s.address);
	if (!s.name.n && !s.address.n) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	frame_names_add(&r->dump.stack, &s);
}

/* TEXT: "Date: 2020/02/29 at 14:36:29:123". */
static void
parse_date(struct reader *r, struct str text)
{
	struct str date = str_from(text, str_search(text, STR("Date: ")) + 6);
	bool zoned;

	collapse_start_text(r->c, date);
	if (date_cut(&date, &r->dump.thread.time, &zoned))
		r->dump.thread.has_time = true;
}

static void
parse_process(struct reader *r, struct str text)
{
	struct str rest = str_from(text, str_find(text, ':') + 1);

	buf_clear(&r->pid);
	buf_str(&r->pid, str_word(&rest));
}

static void
parse_host(struct reader *r, struct str text)
{
	struct str rest = str_from(text, str_find(text, ':') + 1);

	collapse_info(r->c, "host", str_trim(str_cut(&rest, ':')));
}

static void
parse_command(struct reader *r, struct str text)
{
	collapse_info(r->c, "command", text);
}

static void
begin_current(struct reader *r, struct str text)
{
	(void)text;
	close_thread(r);
	r->all = false;
	buf_clear(&r->current);
}

static void
begin_all(struct reader *r, struct str text)
{
	(void)text;
	close_thread(r);
	r->all = true;
}

static const struct tag {
	struct str name;
	void (*parse)(struct reader *r, struct str text);
} tags[] = {
	{ { "4XESTACKTRACE", 13 }, parse_frame },
	{ { "4XENATIVESTACK", 14 }, parse_native },
	{ { "3XMTHREADINFO", 13 }, parse_header },
	{ { "3XMTHREADINFO1", 14 }, parse_id },
	{ { "1XMCURTHDINFO", 13 }, begin_current },
	{ { "1XECTHTYPE", 10 }, begin_current },
	{ { "1XMTHDINFO", 10 }, begin_all },
	{ { "1TIDATETIME", 11 }, parse_date },
	{ { "1CIPROCESSID", 12 }, parse_process },
	{ { "1CICMDLINE", 10 }, parse_command },
	{ { "2XHHOSTNAME", 11 }, parse_host },
};

static void
parse_line(struct reader *r, struct str line)
{
	struct str rest = line, tag = str_word(&rest);
	size_t i;

	for (i = 0; i < sizeof tags / sizeof *tags; i++)
		if (str_eq(tag, tags[i].name)) {
			tags[i].parse(r, str_trim(rest));
			return;
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
	buf_release(&r.name);
	buf_release(&r.current);
	return true;
}

static int
probe(struct str head)
{
	struct str line, tag;
	bool lines = false;

	while (head.n) {
		line = str_cut(&head, '\n');
		tag = str_word(&line);
		if (str_eq(tag, STR("1TISIGINFO")) || str_eq(tag, STR("3XMTHREADINFO")))
			return 100;
		lines |= str_eq(tag, STR("0SECTION"));
	}
	return lines ? 95 : 0;
}

const struct collapse_format collapse_javacore = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "0SECTION"), SIGN(ANYWHERE, "3XMTHREADINFO")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_JIT | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_FULL_NAMES | COLLAPSE_USES_ADDRS,
};
