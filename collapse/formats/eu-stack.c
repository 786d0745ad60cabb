/* SPDX-License-Identifier: ISC */
/*
 * Stacks of elfutils' eu-stack -p PID or --core, one or many runs, with any options (stack.c in
 * elfutils). With -v, which is -a -d -i -m -s, and -b:
 *
 *	PID 13055 - process
 *	TID 13055:
 *	#0  0x00007f2dfc535f5a     do_cos - /usr/lib/libm.so.6
 *	    [d6e6f9e3af1243eed9bf5efd366dd015a9f22c13]@0x7f2dfc500000+0x35f5a
 *	    ../sysdeps/ieee754/dbl-64/s_sin.c:107:13
 *	#1  0x00007f2dfc535f5a     __cos_fma - /usr/lib/libm.so.6
 *	#2  0x000055b7e9d5b486 - 1 main - /opt/demo/work
 *	#3  0x00007f2dfc2d44a3 - 1 - /usr/lib/libstdc++.so.6
 *
 * " - 1" (-a) marks a return address. Frames may lack a name. A frame at the same address as the
 * next one is inlined in it (-i), unless the two have the same name, which is recursion.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/thread-dump.h"

struct reader {
	struct collapse *c;
	struct thread_dump dump;
	struct buf pid;
	struct buf frame;   /* last frame, without number and address */
	struct buf address; /* of that frame */
	struct buf srcline; /* place of that frame, with --srcline */
};

/* TEXT: " - 1 main - /opt/demo/work". */
static void
parse_frame(struct str text, struct frame_names_symbol *s)
{
	struct str call = STR(" - 1"), dash = STR(" - ");
	size_t at;

	if (str_starts(text, call) && (text.n == call.n || text.s[call.n] == ' '))
		text = str_from(text, call.n);
	else if (str_starts(text, STR("    ")))
		text = str_from(text, call.n);
	if (str_starts(text, dash)) {
		s->module = str_from(text, dash.n);
		return;
	}
	s->name = str_trim(text);
	for (at = s->name.n; at > dash.n; at--)
		if (str_starts(str_from(s->name, at - dash.n), dash)) {
			s->module = str_from(s->name, at);
			s->name.n = at - dash.n;
			return;
		}
}

/* Adds the held frame. */
static void
add_frame(struct reader *r, bool inlined)
{
	const struct collapse_options *o = collapse_options(r->c);
	struct frame_names_symbol s = { .inlined = inlined && o->inlined };
	struct str text = buf_view(&r->frame);
	size_t n = text.n;

	if (!r->dump.open || !r->address.n)
		return;
	buf_char(&r->frame, s.inlined ? 'i' : 'f');
	buf_str(&r->frame, buf_view(&r->srcline));
	if (o->addrs)
		buf_str(&r->frame, buf_view(&r->address));
	text = buf_view(&r->frame);
	if (!thread_dump_recall(&r->dump, text)) {
		parse_frame(str_head(text, n), &s);
		s.address = buf_view(&r->address);
		s.srcline = buf_view(&r->srcline);
		frame_names_add(&r->dump.stack, &s);
		thread_dump_keep(&r->dump);
	}
	buf_clear(&r->address);
}

static void
close_thread(struct reader *r)
{
	add_frame(r, false);
	thread_dump_close(&r->dump);
}

/* TEXT: a frame, after its number. Returns false if malformed. */
static bool
hold_frame(struct reader *r, struct str text)
{
	struct str address;

	if (!r->dump.open || !thread_dump_cut_address(&text, &address))
		return false;
	add_frame(r,
		str_eq(address, buf_view(&r->address)) &&
			!str_eq(text, buf_view(&r->frame)));
	buf_clear(&r->frame);
	buf_clear(&r->address);
	buf_clear(&r->srcline);
	buf_str(&r->frame, text);
	buf_str(&r->address, address);
	return true;
}

/* LINE: "TID 13055:". Returns false if malformed. */
static bool
parse_thread(struct reader *r, struct str line)
{
	struct collapse_sample s = { .pid = buf_view(&r->pid) };
	uint64_t tid;

	(void)str_word(&line);
	s.tid = str_word(&line);
	if (!str_ends(s.tid, STR(":")) || !str_to_u64(str_head(s.tid, s.tid.n - 1), &tid))
		return false;
	s.tid.n--;
	close_thread(r);
	thread_dump_open(&r->dump, &s);
	return true;
}

/* LINE: "PID 13055 - process". Returns false if malformed. */
static bool
parse_process(struct reader *r, struct str line)
{
	struct str pid;
	uint64_t number;

	(void)str_word(&line);
	pid = str_word(&line);
	if (!str_to_u64(pid, &number))
		return false;
	close_thread(r);
	buf_clear(&r->pid);
	buf_str(&r->pid, pid);
	return true;
}

/* LINE: "    work.cpp:22:101", the place of the last frame. The column is dropped. */
static void
parse_place(struct reader *r, struct str line)
{
	struct str text = str_trim(line);
	size_t colon = str_rfind(text, ':'), first = str_find(text, ':');

	if (!collapse_options(r->c)->srcline || str_starts(text, STR("[")) ||
		colon == text.n)
		return;
	buf_clear(&r->srcline);
	buf_str(&r->srcline, str_head(text, first < colon ? colon : text.n));
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str text = line;
	uint64_t number;
	bool known = true;

	if (thread_dump_cut_number(&text, &number)) {
		known = hold_frame(r, text);
	} else if (str_starts(line, STR("TID "))) {
		known = parse_thread(r, line);
	} else if (str_starts(line, STR("PID "))) {
		known = parse_process(r, line);
	} else if (str_starts(line, STR("    "))) {
		parse_place(r, line);
	} else if (str_search(line, STR(": shown max number of frames")) < line.n) {
		r->dump.thread.end = COLLAPSE_CUT;
	} else if (str_starts(line, STR("eu-stack: ")) &&
		str_search(line, STR("thread_getframes")) < line.n) {
		r->dump.thread.end = COLLAPSE_BROKEN;
	}
	if (!known)
		collapse_lose(r->c, COLLAPSE_MALFORMED);
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
	buf_release(&r.pid);
	buf_release(&r.frame);
	buf_release(&r.address);
	buf_release(&r.srcline);
	return true;
}

/* Looks for "TID 13055:" followed by "#0  0x00007f2dfc535f5a". */
static int
probe(struct str head)
{
	struct str line, frame = STR("#0  0x"), thread = STR("TID ");
	bool open = false;

	while (head.n) {
		line = str_trim(str_cut(&head, '\n'));
		if (open && str_starts(line, frame))
			return 95;
		open = str_starts(line, thread) && str_ends(line, STR(":"));
	}
	return 0;
}

const struct collapse_format collapse_eu_stack = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "TID ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_SRCLINE,
};
