/* SPDX-License-Identifier: ISC */
/*
 * Text printed by jfr print from a Java Flight Recorder recording:
 *
 *	jdk.ExecutionSample {
 *	  startTime = 07:46:08.863
 *	  sampledThread = "worker 1" (javaThreadId = 13)
 *	  state = "STATE_RUNNABLE"
 *	  stackTrace = [
 *	    Work.deep(int) line: 17
 *	    java.lang.Thread.run() line: 840
 *	    ...
 *	  ]
 *	}
 *
 * "..." replaces callers beyond --stack-depth, by default 5. Names have dots where the
 * recording has slashes; sizes and durations are rounded.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "jfr-printed.h"
#include "msg.h"

struct reader {
	struct input *in;
	struct jfr_printed to;
	bool within;   /* in an event */
	bool in_stack; /* in the event's stack */
	bool cut;      /* a stack was not printed completely */
};

/* The event's name in "jdk.ExecutionSample {", else empty. */
static struct str
find_event(struct str line)
{
	struct str name = str_head(line, line.n - 2);

	if (!str_ends(line, STR(" {")) || !name.n || str_is_blank(*name.s) ||
		str_find(name, ' ') < name.n || str_find(name, '.') == name.n)
		return (struct str){ 0 };
	return name;
}

/* Cuts "java.lang.Object (classLoader = bootstrap)" to "java.lang.Object". */
static struct str
cut_class(struct str text)
{
	return str_head(text, str_search(text, STR(" (classLoader")));
}

/* Parses "\"worker 1\" (javaThreadId = 13)". */
static void
parse_thread(struct jfr_printed *to, struct str text)
{
	size_t end = str_rfind(text, '"'), id = str_rfind(text, '=');

	if (!str_starts(text, STR("\"")) || end == 0)
		return;
	jfr_printed_value(to, STR("javaName"), (struct str){ text.s + 1, end - 1 });
	if (id < text.n && id > end && str_ends(text, STR(")")))
		jfr_printed_value(to, STR("javaThreadId"),
			str_trim((struct str){ text.s + id + 1, text.n - id - 2 }));
}

/* Parses "  weight = 24 bytes". */
static void
parse_field(struct reader *r, struct str line)
{
	struct str rest = str_from(line, 2), name = str_word(&rest);

	rest = str_trim(rest);
	if (!str_starts(line, STR("  ")) || str_starts(line, STR("   ")) ||
		!str_starts(rest, STR("= ")))
		return; /* in a nested struct or a text that samples do not need */
	rest = str_from(rest, 2);
	if (str_eq(name, STR("stackTrace"))) {
		r->in_stack = str_eq(rest, STR("["));
		return;
	}
	/* A thread or a class fits on one line here. */
	if (!jfr_printed_open(&r->to, name)) {
		jfr_printed_close(&r->to);
		jfr_printed_value(&r->to, name, rest);
		return;
	}
	if (str_ends(name, STR("Thread")))
		parse_thread(&r->to, rest);
	else if (!str_eq(rest, STR("N/A")))
		jfr_printed_value(&r->to, STR("name"), cut_class(rest));
	jfr_printed_close(&r->to);
}

/* Parses "Work.deep(int) line: 17". */
static void
cut_frame(struct str text, struct frame_names_symbol *s)
{
	struct str mark = STR(" line: ");

	s->name = str_head(text, str_search(text, mark));
	s->srcline = str_from(text, s->name.n + mark.n);
}

static void
parse_frame(struct reader *r, struct str text)
{
	if (str_eq(text, STR("...")))
		r->to.truncated = r->cut = true;
	else
		frame_names_line(&r->to.stack, text, cut_frame);
}

/* Parses a line within an event. */
static void
parse_line(struct reader *r, struct str line)
{
	if (r->in_stack && str_starts(line, STR("    ")))
		parse_frame(r, str_trim(line));
	else if (r->in_stack)
		r->in_stack = !str_eq(line, STR("  ]"));
	else if (!str_eq(line, STR("}")))
		parse_field(r, line);
	else {
		jfr_printed_end(&r->to);
		r->within = false;
	}
}

static void
warn_cut(const struct reader *r)
{
	if (r->cut)
		msg_warn(
			"%s: callers beyond the depth of jfr print are missing; print with "
			"--stack-depth 2048, or give the recording itself",
			input_name(r->in));
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in };
	struct str line, event;
	bool good;

	jfr_printed_init(&r.to, c);
	while (input_line(in, &line)) {
		event = find_event(line);
		if (event.n) {
			if (r.within)
				collapse_lose(c, COLLAPSE_MALFORMED);
			jfr_printed_begin(&r.to, event);
			r.within = true;
			r.in_stack = false;
		} else if (r.within) {
			parse_line(&r, line);
		} else if (str_trim(line).n) {
			collapse_lose(c, COLLAPSE_MALFORMED);
		}
	}
	if (r.within)
		collapse_lose(c, COLLAPSE_MALFORMED);
	warn_cut(&r);
	good = jfr_printed_done(&r.to);
	jfr_printed_release(&r.to);
	return good;
}

static int
probe(struct str head)
{
	struct str line = { 0 }, event;

	while (head.n && !str_trim(line).n)
		line = str_trim(str_cut(&head, '\n'));
	event = find_event(line);
	if (!event.n || !str_starts(head, STR("  ")))
		return 0;
	line = str_cut(&head, '\n');
	if (str_search(line, STR(" = ")) == line.n)
		return 0;
	return str_starts(event, STR("jdk.")) || str_starts(event, STR("profiler.")) ? 95
										     : 70;
}

const struct collapse_format collapse_jfr_print = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, " {")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FULL_NAMES | COLLAPSE_USES_SRCLINE |
		COLLAPSE_USES_COST,
};
