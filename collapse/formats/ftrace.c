/* SPDX-License-Identifier: ISC */
/*
 * Text of Linux's ftrace: tracefs' files trace and trace_pipe, and trace-cmd report. Events with
 * stacks (options/stacktrace, or the trigger :stacktrace) are samples of weight 1:
 *
 *	# tracer: nop
 *	       main work-25903   [000] d..2.  4163.504212: sched_switch: prev_comm=work ...
 *	       main work-25903   [000] d..2.  4163.504292: <stack trace>
 *	 => __schedule
 *	 => schedule
 *
 * trace-cmd writes "kernel_stack: <stack trace >", and addresses after the functions. A user stack
 * of addresses or file offsets may follow, and events of other CPUs may come in between. The
 * function tracer prints a function and its caller instead: "f <-g".
 *
 * The function_graph tracer prints calls:
 *
 *	# tracer: function_graph
 *	 0)               |  do_sys_open() {
 *	 0)   0.123 us    |    getname();
 *	 1) + 12.345 us   |  } / * schedule [ext4] * /		(without the blanks)
 *	 ------------------------------------------
 *	 0)    bash-123    =>    sshd-456
 *	 ------------------------------------------
 *
 *	bash-123   [000]  361.123456: funcgraph_entry:        0.123 us   |    getname();
 *
 * Lines of several CPUs, and of several tasks on each, are interleaved. A call belongs to a task,
 * named by the last switch or by a column (funcgraph-proc). A time (funcgraph-abstime) and flags
 * may come before the marks + ! # * @ $ of long durations.
 * Documentation/trace/ftrace.rst, kernel/trace/trace_functions_graph.c, trace_output.c.
 */
#include "stacks/call-blocks.h"
#include "stacks/calls.h"
#include "collapse.h"
#include "formats.h"
#include "mem.h"
#include "msg.h"

#include <inttypes.h>

#define KERNEL STR("[kernel.kallsyms]")

enum { SECONDS = 9, MICROSECONDS = 3 }; /* ns per unit, as powers of 10 */
enum { FUNCTION }; /* the first id in events: the function tracer's */

/* Task, CPU and time of an event, from the columns before it. */
struct where {
	struct str comm, pid, tgid, cpu; /* tgid: the process, or empty */
	uint64_t time;
};

struct reader {
	struct collapse *c;
	struct calls calls;
	struct intern tasks, cpus;
	uint32_t *thread_of; /* by task: the number of its calls, from 1; 0: none yet */
	size_t task_cap;
	uint32_t *running; /* by CPU: the number of its current task's calls */
	size_t cpu_cap;
	uint32_t threads;
	struct intern events;
	uint32_t *last; /* by task: 1 + its last event, 0 once that has a stack */
	size_t last_cap;
	/* The event waiting for its stack. */
	struct where at;
	uint32_t event, task; /* ids in events and tasks */
	struct buf line, key; /* line: the texts of at; key: of a task */
	struct frame_names stack;
	bool pending, has_stack;
	uint64_t bare; /* events without a stack */
};

/* TEXT: "main work-12". Returns false if there is no number. */
static bool
cut_task(struct str text, struct str *comm, struct str *pid)
{
	size_t dash;
	uint64_t number;

	text = str_trim(text);
	dash = str_rfind(text, '-');
	*comm = str_head(text, dash);
	*pid = str_from(text, dash + 1);
	return str_to_u64(*pid, &number);
}

/* Whether TEXT, trimmed, ends like a task: "bash-12", "bash-12 (   12)". */
static bool
ends_as_task(struct str text)
{
	while (text.n && str_is_blank(text.s[text.n - 1]))
		text.n--;
	return text.n && (str_is_digit(text.s[text.n - 1]) || text.s[text.n - 1] == ')');
}

/* Returns the place of "[012]" in LINE, or LINE.n. A task's name may contain brackets too. */
static size_t
find_cpu(struct str line)
{
	enum { DIGITS = 10 };
	size_t at = 0;
	struct str cpu;
	uint64_t number;

	for (;; at++) {
		at += str_find(str_from(line, at), '[');
		if (at >= line.n)
			return line.n;
		cpu = str_head(str_from(line, at + 1), DIGITS);
		cpu = str_head(cpu, str_find(cpu, ']'));
		if (str_to_u64(cpu, &number) && ends_as_task(str_head(line, at)))
			return at;
	}
}

/* Returns the place of "0....", a CPU and flags, in LINE (trace-cmd report -l), or LINE.n. */
static size_t
find_flags(struct str line)
{
	struct str rest = line, word;
	size_t digits;

	while ((word = str_word(&rest)).n) {
		for (digits = 0; digits < word.n && str_is_digit(word.s[digits]);)
			digits++;
		if (digits && digits < word.n && word.s > line.s &&
			str_search(word, STR("..")) < word.n && !str_ends(word, STR(":")))
			return (size_t)(word.s - line.s);
	}
	return line.n;
}

/* Cuts the columns off *LINE, which leaves the event. Returns false if there are none. */
static bool
cut_where(struct str *line, struct where *w)
{
	struct str rest = *line, word;
	size_t at = find_cpu(rest), paren;
	int i;

	w->cpu.n = 0;
	if (at < rest.n) {
		w->cpu = str_from(rest, at + 1);
		w->cpu = str_head(w->cpu, str_find(w->cpu, ']'));
	} else {
		at = find_flags(rest);
	}
	word = str_trim(str_head(rest, at));
	rest = str_from(rest, at + (w->cpu.n ? w->cpu.n + 2 : 0));
	w->tgid.n = 0;
	paren = str_rfind(word, '(');
	if (str_ends(word, STR(")")) && paren > 0) {
		w->tgid =
			str_trim(str_head(str_from(word, paren + 1), word.n - paren - 2));
		word = str_head(word, paren);
	}
	if (!cut_task(word, &w->comm, &w->pid))
		return false;
	/* Flags may come before the time. */
	for (i = 0; i < 2; i++) {
		word = str_word(&rest);
		if (str_ends(word, STR(":")) &&
			calls_read_time(str_head(word, word.n - 1), SECONDS, &w->time)) {
			*line = str_trim(rest);
			return true;
		}
	}
	return false;
}

/* Copies W and its texts, which are borrowed from the line. */
static void
keep_where(struct reader *r, const struct where *w)
{
	struct str *texts[] = { &r->at.comm, &r->at.pid, &r->at.tgid, &r->at.cpu };
	size_t i, at = 0;

	r->at = *w;
	buf_clear(&r->line);
	for (i = 0; i < sizeof texts / sizeof *texts; i++)
		buf_str(&r->line, *texts[i]);
	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		texts[i]->s = r->line.s + at;
		at += texts[i]->n;
	}
}

/* Returns the number for ID in *ITEMS, 0 at first. */
static uint32_t *
find_slot(uint32_t **items, size_t *cap, uint32_t id)
{
	return MEM_AT(*items, *cap, id);
}

/* Returns the id of the task PID; each CPU has its own idle task. */
static uint32_t
find_task(struct reader *r, struct str pid, struct str cpu)
{
	buf_clear(&r->key);
	buf_str(&r->key, pid);
	if (str_eq(pid, STR("0"))) {
		buf_char(&r->key, '/');
		buf_str(&r->key, cpu);
	}
	return intern_id(&r->tasks, buf_view(&r->key));
}

/* Returns where the number of that task's calls is stored. */
static uint32_t *
find_task_calls(struct reader *r, struct str pid, struct str cpu)
{
	return find_slot(&r->thread_of, &r->task_cap, find_task(r, pid, cpu));
}

/* Folds the waiting event. */
static void
flush(struct reader *r)
{
	struct collapse_sample s = { .has_time = true, .time = r->at.time };
	bool folded = r->pending && r->stack.n > 0;

	r->pending = r->has_stack = false;
	if (!folded)
		return;
	s.comm = r->at.comm;
	s.tid = r->at.pid;
	s.pid = r->at.tgid;
	s.cpu = r->at.cpu;
	s.event = intern_str(&r->events, r->event);
	if (collapse_wants(r->c, &s))
		collapse_stack(r->c, &s, r->stack.ids, r->stack.n);
}

/* Begins a stack of the task's last event. A user stack continues the kernel's. Events of other
 * tasks may come between an event and its stack. */
static void
begin_stack(struct reader *r, const struct where *w, bool of_user)
{
	uint32_t task = find_task(r, w->pid, w->cpu);
	uint32_t *last = find_slot(&r->last, &r->last_cap, task);

	if (!r->has_stack || !of_user || r->task != task) {
		if (r->has_stack || r->task != task)
			flush(r);
		if (!r->pending)
			keep_where(r, w);
		r->event = *last ? *last - 1 : intern_id(&r->events, STR("[no event]"));
		r->bare -= *last > FUNCTION + 1;
		r->stack.n = 0;
	}
	*last = 0;
	r->task = task;
	r->pending = r->has_stack = true;
}

/* Returns the name of the event TEXT: "sched_switch" of "sched_switch: prev_comm=a", "sys_openat"
 * of "sys_openat(dfd: 1)". */
static struct str
cut_event(struct str text)
{
	size_t end = str_find(text, ':'), paren = str_find(text, '(');

	return str_trim(str_head(text, paren < end ? paren : end));
}

/* TEXT: of the kernel: "schedule [ext4]", "f+0x1/0x2 <ffff8>", "f (ffff8)"; of a user stack:
 * "/lib/libc.so[+0x2a]", "<7f12>", "??". */
static void
cut_symbol(struct str text, struct frame_names_symbol *s)
{
	size_t at = str_rfind(text, ' ');
	struct str last = at < text.n ? str_from(text, at + 1) : text;

	s->module = KERNEL;
	if (last.n > 2 && (last.s[0] == '<' || last.s[0] == '(')) {
		s->address = str_head(str_from(last, 1), last.n - 2);
		text = str_trim(str_head(text, text.n - last.n));
	}
	at = str_search(text, STR("[+0x"));
	if (at < text.n) {
		s->module = str_head(text, at);
		s->address = str_from(text, at + 4);
		s->address = str_head(s->address, str_find(s->address, ']'));
		return;
	}
	if (!text.n || str_eq(text, STR("??")) || str_is_digit(text.s[0])) {
		s->module.n = 0;
		if (!s->address.n && text.n && str_is_digit(text.s[0]))
			s->address = str_from(text, str_starts(text, STR("0x")) ? 2 : 0);
		return;
	}
	at = str_rfind(text, ' ');
	if (at < text.n && str_ends(text, STR("]"))) {
		s->module = str_from(text, at + 1);
		text = str_head(text, at);
	}
	s->name = str_head(text, str_search(text, STR("+0x")));
}

/* Begins the event TEXT. The function tracer's "f <-g", and trace-cmd's "function: f <-- g", become
 * a stack of both functions. */
static void
begin_event(struct reader *r, const struct where *w, struct str text)
{
	struct str of_trace_cmd = STR("function:"), name = cut_event(text);
	bool function = str_starts(text, of_trace_cmd);
	size_t arrow;

	flush(r);
	keep_where(r, w);
	r->pending = true;
	r->stack.n = 0;
	if (function)
		text = str_trim(str_from(text, of_trace_cmd.n));
	arrow = str_search(text, STR(" <-"));
	function |= arrow < text.n && str_find(text, ':') > arrow;
	r->event = function ? FUNCTION : intern_id(&r->events, name);
	r->task = find_task(r, w->pid, w->cpu);
	*find_slot(&r->last, &r->last_cap, r->task) = r->event + 1;
	r->bare += !function;
	if (!function)
		return;
	frame_names_line(&r->stack, str_trim(str_head(text, arrow)), cut_symbol);
	text = str_from(text, arrow + 3);
	text = str_trim(str_from(text, str_starts(text, STR("-"))));
	if (text.n)
		frame_names_line(&r->stack, text, cut_symbol);
}

/* Returns the calls with *NUMBER; if that is 0, sets it and begins new ones. */
static struct calls_thread *
find_calls(struct reader *r, uint32_t *number)
{
	struct calls_thread *t;

	if (!*number)
		*number = ++r->threads;
	t = calls_find(&r->calls, (struct str){ (const char *)number, sizeof *number });
	t->s.event = STR("function_graph");
	return t;
}

static void
name_task(struct reader *r, struct calls_thread *t, struct str comm, struct str pid)
{
	if (t->s.tid.n)
		return;
	t->s.comm = calls_copy(&r->calls, comm);
	t->s.tid = calls_copy(&r->calls, pid);
	t->has_root = false;
}

static uint32_t *
find_running(struct reader *r, struct str cpu)
{
	return find_slot(&r->running, &r->cpu_cap, intern_id(&r->cpus, cpu));
}

/* TEXT: "bash-123    =>    sshd-456", of CPU. Returns false if it is not of that form. */
static bool
parse_switch(struct reader *r, struct str cpu, struct str text)
{
	size_t arrow = str_search(text, STR(" => "));
	struct str comm, pid;
	uint32_t *running, *task;

	if (arrow == text.n || !cut_task(str_head(text, arrow), &comm, &pid))
		return false;
	/* The task before the first switch is known now. */
	running = find_running(r, cpu);
	task = find_task_calls(r, pid, cpu);
	if (*running && !*task) {
		*task = *running;
		name_task(r, find_calls(r, task), comm, pid);
	}
	if (!cut_task(str_from(text, arrow + 4), &comm, &pid))
		return false;
	task = find_task_calls(r, pid, cpu);
	name_task(r, find_calls(r, task), comm, pid);
	*running = *task;
	return true;
}

/* Cuts the columns before a call, each of which ends in '|', off TEXT. Sets *TASK if a column names
 * it. Returns false if there is no column for the duration, or if that is invalid. */
static bool
cut_graph(struct str text, struct call_block *b, struct str *task)
{
	struct str field, comm, pid;
	size_t bar;

	for (; (bar = str_find(text, '|')) < text.n; text = str_from(text, bar + 1)) {
		field = str_trim(str_head(text, bar));
		b->timed = str_ends(field, STR(" us"));
		if (b->timed || !field.n || str_search(field, STR("=====")) < field.n) {
			b->text = str_from(text, bar + 1);
			if (b->timed && !str_is_digit(field.s[0]))
				(void)str_word(&field);
			return !b->timed ||
				calls_read_time(
					str_word(&field), MICROSECONDS, &b->duration);
		}
		if (cut_task(field, &comm, &pid))
			*task = field;
	}
	return false;
}

/* Adds a call to T. Returns false if it is malformed. */
static bool
add_call(struct reader *r, struct calls_thread *t, struct call_block *b)
{
	size_t blanks = 0;

	while (blanks < b->text.n && b->text.s[blanks] == ' ')
		blanks++;
	b->depth = blanks < 2 ? 0 : (uint32_t)(blanks - 2) / 2;
	b->text = str_trim(b->text);
	b->module = KERNEL;
	if (!b->text.n || str_starts(b->text, STR("/*")))
		return true;
	collapse_unit(r->c, STR("ns"));
	return call_blocks_take(&r->calls, t, b);
}

/* Cuts "361.123456 |   0)" off *LINE; the time may be missing. Returns false without a CPU. */
static bool
cut_processor(struct str *line, struct str *time, struct str *cpu)
{
	size_t paren = str_find(*line, ')'), bar;
	struct str head = str_head(*line, paren);
	uint64_t number;

	*time = (struct str){ 0 };
	bar = str_rfind(head, '|');
	if (bar < head.n) {
		*time = str_trim(str_head(head, bar));
		head = str_from(head, bar + 1);
	}
	*cpu = str_trim(head);
	if (paren == line->n || !str_to_u64(*cpu, &number))
		return false;
	*line = str_from(*line, paren + 1);
	return true;
}

/* LINE: of the function_graph tracer, without its TIME and CPU. Returns false if malformed. */
static bool
parse_graph(struct reader *r, struct str line, struct str time, struct str cpu)
{
	struct call_block b = { .depth = 0 };
	struct str task = { 0 }, comm, pid;
	struct calls_thread *t;

	if (str_find(line, '|') == line.n)
		return parse_switch(r, cpu, line);
	if (!cut_graph(line, &b, &task))
		return false;
	if (cut_task(task, &comm, &pid)) {
		t = find_calls(r, find_task_calls(r, pid, cpu));
		name_task(r, t, comm, pid);
	} else {
		t = find_calls(r, find_running(r, cpu));
	}
	t->s.has_time = calls_read_time(time, SECONDS, &t->s.time);
	return add_call(r, t, &b);
}

/* TEXT: an event, a call or the beginning of a stack; W: its columns. Returns false if
 * malformed. */
static bool
handle_event(struct reader *r, const struct where *w, struct str text)
{
	struct call_block b = { .depth = 0 };
	struct str none = { 0 };
	struct calls_thread *t;

	if (str_starts(text, STR("funcgraph_"))) {
		t = find_calls(r, find_task_calls(r, w->pid, w->cpu));
		name_task(r, t, w->comm, w->pid);
		t->s.time = w->time;
		t->s.has_time = true;
		text = str_from(text, str_find(text, ':') + 1);
		return cut_graph(text, &b, &none) && add_call(r, t, &b);
	}
	if (str_starts(text, STR("<user stack trace")) ||
		str_starts(text, STR("user_stack:"))) {
		begin_stack(r, w, true);
	} else if (str_starts(text, STR("<stack trace")) ||
		str_starts(text, STR("kernel_stack:"))) {
		begin_stack(r, w, false);
	} else {
		begin_event(r, w, text);
	}
	return true;
}

/* TEXT: "CPU:1 [LOST 12 EVENTS]"; from trace-cmd "CPU:1 [EVENTS DROPPED]", "CPU:1 [12 EVENTS
 * DROPPED]". Returns false if it is something else. */
static bool
parse_loss(struct reader *r, struct str text)
{
	uint64_t n = 1;

	if (!str_starts(text, STR("CPU:")))
		return false;
	text = str_from(text, str_find(text, '[') + 1);
	if (str_starts(text, STR("LOST ")))
		text = str_from(text, 5);
	if (!str_to_u64(str_word(&text), &n))
		n = 1;
	collapse_lose_recorded(r->c, n);
	return true;
}

/* Whether TEXT is a line between events: a header of trace-cmd, or around a switch. */
static bool
is_frame_of_trace(struct str text)
{
	return !text.n || text.s[0] == '#' || str_starts(text, STR("-----")) ||
		str_starts(text, STR("cpus=")) || str_starts(text, STR("version = ")) ||
		str_starts(text, STR("CPU "));
}

/* Returns false if LINE is malformed. */
static bool
parse_line(struct reader *r, struct str line)
{
	struct str text = str_trim(line), event = line, time, cpu, none = { 0 };
	struct where w;

	if (str_starts(text, STR("=> "))) {
		if (r->has_stack)
			frame_names_line(
				&r->stack, str_trim(str_from(text, 3)), cut_symbol);
		return r->has_stack;
	}
	if (cut_processor(&line, &time, &cpu))
		return parse_graph(r, line, time, cpu);
	if (cut_where(&event, &w))
		return handle_event(r, &w, event);
	/* Without a column for the CPU. */
	return is_frame_of_trace(text) || parse_loss(r, text) ||
		parse_graph(r, line, none, none);
}

static void
release(struct reader *r)
{
	calls_release(&r->calls);
	intern_release(&r->tasks);
	intern_release(&r->cpus);
	free(r->thread_of);
	free(r->running);
	intern_release(&r->events);
	free(r->last);
	buf_release(&r->line);
	buf_release(&r->key);
	frame_names_release(&r->stack);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = {
		.c = c, .calls = { .names = { .c = c } }, .stack = { .c = c }
	};
	struct str line;

	collapse_threadless(c);
	(void)intern_id(&r.events, STR("function"));
	while (input_line(in, &line))
		if (!parse_line(&r, line))
			collapse_lose(c, COLLAPSE_MALFORMED);
	flush(&r);
	if (r.threads)
		collapse_exact(c);
	if (r.bare)
		msg_warn(
			"%s: %" PRIu64
			" event%s without a stack; record with options/stacktrace set to 1",
			input_name(in), r.bare, msg_s(r.bare));
	calls_tell(&r.calls, in, true);
	release(&r);
	return true;
}

/* Whether LINE is an event that only this format has. */
static bool
is_event(struct str line)
{
	struct where w;

	return cut_where(&line, &w) &&
		(str_starts(line, STR("<stack trace")) ||
			str_starts(line, STR("<user stack trace")) ||
			str_starts(line, STR("kernel_stack:")) ||
			str_starts(line, STR("user_stack:")) ||
			str_starts(line, STR("funcgraph_")));
}

/* Whether LINE is "0)   0.123 us    |  f();" or the like. */
static bool
is_call(struct str line)
{
	struct call_block b = { .depth = 0 };
	size_t paren = str_find(line, ')');
	struct str task = { 0 };
	uint64_t cpu;

	if (!str_to_u64(str_trim(str_head(line, paren)), &cpu) ||
		!cut_graph(str_from(line, paren + 1), &b, &task))
		return false;
	b.text = str_trim(b.text);
	return str_ends(b.text, STR("{")) || str_ends(b.text, STR(";")) ||
		str_starts(b.text, STR("}"));
}

static int
probe(struct str head)
{
	enum { LINES = 200, CALLS = 3 };
	int i, calls = 0;
	struct str line;

	if (str_starts(head, STR("# tracer: ")))
		return 95;
	for (i = 0; i < LINES && head.n; i++) {
		line = str_cut(&head, '\n');
		if (is_event(line))
			return 90;
		calls += is_call(line);
	}
	return calls >= CALLS ? 80 : 0;
}

const struct collapse_format collapse_ftrace = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "# tracer: "), SIGN(ANYWHERE, "stack trace"),
		SIGN(ANYWHERE, "_stack:"), SIGN(ANYWHERE, "funcgraph_"),
		SIGN(ANYWHERE, "|")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES,
	.for_times = "record with options/funcgraph-abstime set to 1",
};
