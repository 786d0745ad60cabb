/* SPDX-License-Identifier: ISC */
/*
 * Output of procstack PID on AIX, one or many (its manual page; FlameGraph's aix-perf.pl
 * records this way):
 *
 *	28243: /opt/demo/appl -v
 *	---------- tid# 37421523 (pthread ID:      1) ----------
 *	0xd01d15c4  waitpid(??, ??, ??) + 0xe0
 *	0x100003a8  demo::Pool::wait(int)(??) + 0x144
 *	d0059eb4  _p_nsleep   (?, ?) + 10		(older versions)
 *	0x09000000  [unknown]
 *
 * Single-threaded processes lack the line with "tid#".
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/thread-dump.h"

struct reader {
	struct collapse *c;
	struct thread_dump dump;
	struct buf pid, comm;
};

/* Parses "28243: /opt/demo/appl -v"; older versions have a blank before the colon. */
static bool
cut_process(struct str line, struct str *pid, struct str *command)
{
	uint64_t number;

	*command = line;
	*pid = str_trim(str_cut(command, ':'));
	*command = str_trim(*command);
	return str_to_u64(*pid, &number) && command->n;
}

/* Parses "0xd01d15c4  waitpid(??, ??, ??) + 0xe0". */
static bool
parse_frame(struct str line, struct frame_names_symbol *s)
{
	uint64_t number;
	size_t plus;

	*s = (struct frame_names_symbol){ 0 };
	s->address = str_word(&line);
	if (str_starts(s->address, STR("0x")))
		s->address = str_from(s->address, 2);
	if (s->address.n < 4 || !str_hex_to_u64(s->address, &number))
		return false;
	line = str_trim(line);
	for (plus = line.n; plus > 3; plus--)
		if (str_starts(str_from(line, plus - 3), STR(" + "))) {
			line = str_trim(str_head(line, plus - 3));
			break;
		}
	line = str_trim(thread_dump_cut_values(line));
	/* Placeholders like "[unknown]" are not names. */
	if (!str_starts(line, STR("[")) && !str_starts(line, STR("???")))
		s->name = line;
	return true;
}

static void
add_frame(struct reader *r, struct str text)
{
	struct collapse_sample s = { .comm = buf_view(&r->comm),
		.pid = buf_view(&r->pid) };
	struct str rest = text;
	struct frame_names_symbol symbol;

	if (!r->dump.open && r->pid.n)
		thread_dump_open(&r->dump, &s);
	if (!r->dump.open || !parse_frame(text, &symbol)) {
		collapse_lose(r->c, COLLAPSE_MALFORMED);
		return;
	}
	/* Recall by the rest of the line, without address and offset. */
	(void)str_word(&rest);
	rest = collapse_options(r->c)->addrs ? text : str_trim(rest);
	if (thread_dump_recall(&r->dump, rest))
		return;
	frame_names_add(&r->dump.stack, &symbol);
	thread_dump_keep(&r->dump);
}

/* Begins the process of "28243: /opt/demo/appl -v". */
static void
begin_process(struct reader *r, struct str pid, struct str command)
{
	thread_dump_close(&r->dump);
	collapse_info(r->c, "command", command);
	buf_clear(&r->pid);
	buf_str(&r->pid, pid);
	buf_clear(&r->comm);
	buf_str(&r->comm, str_base(str_word(&command)));
}

/* Parses "---------- tid# 37421523 (pthread ID:      1) ----------". */
static void
parse_thread(struct reader *r, struct str line)
{
	struct collapse_sample s = { .comm = buf_view(&r->comm),
		.pid = buf_view(&r->pid) };
	struct str rest = str_from(line, str_search(line, STR("tid#")) + 4);

	s.tid = str_word(&rest);
	thread_dump_open(&r->dump, &s);
}

static void
parse_line(struct reader *r, struct str line)
{
	struct str text = str_trim(line), pid, command;

	if (!text.n)
		return;
	if (str_starts(text, STR("-----")) && str_search(text, STR(" tid#")) < text.n)
		parse_thread(r, text);
	else if (cut_process(text, &pid, &command))
		begin_process(r, pid, command);
	else
		add_frame(r, text);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .dump.stack.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	thread_dump_close(&r.dump);
	thread_dump_release(&r.dump);
	buf_release(&r.pid);
	buf_release(&r.comm);
	return true;
}

/* A process, then a thread or a frame with its offset. */
static int
probe(struct str head)
{
	struct str line = str_trim(str_cut(&head, '\n')), pid, command;
	struct frame_names_symbol s;
	bool thread;

	if (!cut_process(line, &pid, &command))
		return 0;
	line = str_trim(str_cut(&head, '\n'));
	thread = str_starts(line, STR("---------- tid# "));
	if (thread)
		line = str_trim(str_cut(&head, '\n'));
	if (!parse_frame(line, &s))
		return 0;
	return thread ? 95 : str_search(line, STR(" + ")) < line.n ? 80 : 0;
}

const struct collapse_format collapse_procstack = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "---------- tid# "), SIGN(ANYWHERE, " + ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_ADDRS | COLLAPSE_USES_FULL_NAMES,
};
