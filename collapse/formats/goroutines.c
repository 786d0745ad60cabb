/* SPDX-License-Identifier: ISC */
/*
 * Goroutine dumps of a panic, SIGQUIT, /debug/pprof/goroutine?debug=2 and runtime.Stack
 * (runtime/traceback.go):
 *
 *	goroutine 33 gp=0xc000 m=0 mp=0x5d [chan receive, 5 minutes, locked to thread]:
 *	main.(*Pool).wait(0xc0003521f0, {0x508ee0, 0xc0})
 *		/opt/demo/main.go:27 +0x31 fp=0xc0 sp=0xc0 pc=0x4bf3ba
 *	created by main.main in goroutine 1
 *		/opt/demo/main.go:27 +0x674
 *
 * gp, m, mp, fp, sp and pc appear with GOTRACEBACK=system, "in goroutine" since Go 1.21. Each
 * goroutine is a sample, whatever its state; the number is its tid, the state its label "state",
 * the function after "created by" its label "created_by". "...additional frames elided..." ends a
 * stack; since Go 1.21 "...23 frames elided..." may be in its middle. Other lines are skipped.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/thread-dump.h"

struct reader {
	struct collapse *c;
	struct thread_dump dump;
	struct buf name; /* of the frame that waits for its place */
};

/* LINE: "goroutine 33 [chan receive, 5 minutes]:". Returns false if it is not of that form. */
static bool
cut_header(struct str line, struct str *number, struct str *state)
{
	uint64_t n;

	if (!str_starts(line, STR("goroutine ")))
		return false;
	line = str_trim(str_from(line, 10));
	*number = str_word(&line);
	if (!str_to_u64(*number, &n) || !str_ends(line, STR("]:")))
		return false;
	line.n -= 2;
	*state = str_from(line, str_find(line, '[') + 1);
	*state = str_head(*state, str_find(*state, ','));
	return state->n > 0;
}

/* Adds the current frame, if any; PLACE may be empty. */
static void
add_frame(struct reader *r, struct str place)
{
	struct frame_names_symbol s = { 0 };
	size_t n = r->name.n;

	if (!n)
		return;
	if (collapse_options(r->c)->srcline) {
		s.srcline = str_head(place, str_search(place, STR(" +0x")));
		buf_char(&r->name, '\n');
		buf_str(&r->name, s.srcline);
	}
	if (!thread_dump_recall(&r->dump, buf_view(&r->name))) {
		s.name = str_head(buf_view(&r->name), n);
		frame_names_add(&r->dump.stack, &s);
		thread_dump_keep(&r->dump);
	}
	buf_clear(&r->name);
}

static void
close_goroutine(struct reader *r)
{
	add_frame(r, STR(""));
	thread_dump_close(&r->dump);
}

/* LINE: "...additional frames elided..." or "...23 frames elided...". */
static void
parse_elided(struct reader *r, struct str line)
{
	struct str text = STR("[elided]");

	if (str_starts(line, STR("...additional")))
		r->dump.thread.end = COLLAPSE_CUT;
	else
		frame_names_push(&r->dump.stack, collapse_frame(r->c, text, 0));
}

/* LINE: "created by main.main in goroutine 1". */
static void
parse_creator(struct reader *r, struct str line)
{
	struct str name = str_from(line, 11);

	name = str_head(name, str_search(name, STR(" in goroutine ")));
	thread_dump_label(&r->dump, STR("created_by"), name);
}

/* LINE: of the current goroutine, not indented. */
static void
parse_call(struct reader *r, struct str line)
{
	add_frame(r, STR(""));
	if (str_starts(line, STR("...")) && str_search(line, STR("elided")) < line.n)
		parse_elided(r, line);
	else if (str_starts(line, STR("created by ")))
		parse_creator(r, line);
	else if (str_ends(line, STR(")")) || str_eq(line, STR("non-Go function")))
		buf_str(&r->name, thread_dump_cut_values(line));
	else if (!str_starts(line, STR("[originating from ")) &&
		!str_starts(line, STR("exit status ")))
		collapse_lose(r->c, COLLAPSE_MALFORMED);
}

static void
parse_line(struct reader *r, struct str line)
{
	struct collapse_sample s = { 0 };
	struct str state, text = str_trim(line);

	if (cut_header(line, &s.tid, &state)) {
		close_goroutine(r);
		thread_dump_open(&r->dump, &s);
		thread_dump_label(&r->dump, STR("state"), state);
	} else if (!r->dump.open) {
		return;
	} else if (!text.n) {
		close_goroutine(r);
	} else if (str_is_blank(line.s[0])) {
		/* "goroutine running on other thread; stack unavailable", "pc=0x4bf3ba" */
		add_frame(r, text);
	} else {
		parse_call(r, text);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .c = c, .dump.stack.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&r, line);
	close_goroutine(&r);
	thread_dump_release(&r.dump);
	buf_release(&r.name);
	return true;
}

/* Looks for a header followed by a call or its place. */
static int
probe(struct str head)
{
	struct str line, number, state;

	if (!thread_dump_is_text(head))
		return 0;
	while (head.n) {
		line = str_cut(&head, '\n');
		if (!cut_header(line, &number, &state))
			continue;
		line = str_cut(&head, '\n');
		if (str_starts(line, STR("\t")) || str_search(line, STR("(")) < line.n)
			return 95;
	}
	return 0;
}

const struct collapse_format collapse_goroutines = {
	.probe = probe,
	.signs = SIGNS(SIGN(ANYWHERE, "goroutine ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_FULL_NAMES,
};
