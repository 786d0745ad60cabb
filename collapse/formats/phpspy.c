/* SPDX-License-Identifier: ISC */
/*
 * Output of phpspy (adsr/phpspy, event_fout.c): a sample is its frames, innermost first,
 * then a line with '#', or an empty one. Other lines with '#', of --peek-global and
 * --request-info, are labels.
 *
 *	0 sleep <internal>:-1
 *	1 App\Jobs::run /srv/app/jobs.php:5
 *	2 <main> /srv/app/index.php:25
 *	# uri = /jobs/run
 *	# - - -
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/thread-dump.h"

struct frame {
	uint64_t depth;
	struct str name, place;
};

/* Parses "1 App\Jobs::run /srv/app/jobs.php:5"; only the place may contain blanks. */
static bool
parse_frame(struct str line, struct frame *f)
{
	struct str rest = line, word = str_word(&rest);
	uint64_t number;
	size_t colon;

	f->name = str_word(&rest);
	f->place = str_trim(rest);
	if (!str_to_u64(word, &f->depth) || !f->name.n)
		return false;
	colon = str_rfind(f->place, ':');
	rest = str_from(f->place, colon + 1);
	if (str_eq(rest, STR("-1")))
		f->place.n = colon;
	return colon > 0 && (str_eq(rest, STR("-1")) || str_to_u64(rest, &number));
}

static void
add_frame(struct thread_dump *d, struct str line)
{
	struct collapse_sample s = { 0 };
	struct collapse *c = d->stack.c;
	struct frame_names_symbol symbol = { 0 };
	struct frame f;

	if (!parse_frame(line, &f)) {
		collapse_lose(c, COLLAPSE_MALFORMED);
		return;
	}
	if (f.depth == 0 || !d->open)
		thread_dump_open(d, &s);
	if (f.depth != d->stack.n)
		collapse_lose(c, COLLAPSE_MALFORMED);
	/* Recall by name, as the line contains the depth, which varies. */
	symbol.name = f.name;
	symbol.srcline = f.place;
	line = collapse_options(c)->srcline
		? (struct str){ f.name.s, (size_t)(f.place.s + f.place.n - f.name.s) }
		: f.name;
	if (thread_dump_recall(d, line))
		return;
	frame_names_add(&d->stack, &symbol);
	thread_dump_keep(d);
}

/* Parses "# uri = /jobs/run", or the end of a sample. */
static void
parse_note(struct thread_dump *d, struct str line)
{
	struct str value = str_from(line, 1), is = STR(" = "), key;
	size_t at = str_search(value, is);

	if (at == value.n) {
		thread_dump_close(d);
		return;
	}
	key = str_trim(str_head(value, at));
	if (d->open)
		thread_dump_label(d, key, str_trim(str_from(value, at + is.n)));
}

static bool
run(struct input *in, struct collapse *c)
{
	struct thread_dump d = { .stack.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line)) {
		if (!str_trim(line).n)
			thread_dump_close(&d);
		else if (line.s[0] == '#')
			parse_note(&d, line);
		else
			add_frame(&d, line);
	}
	thread_dump_close(&d);
	thread_dump_release(&d);
	return true;
}

/* Frames 0, 1 ... up to a line that ends a sample. */
static int
probe(struct str head)
{
	uint64_t depth = 0;
	struct frame f;
	struct str line;

	for (;;) {
		line = str_trim(str_cut(&head, '\n'));
		if (!line.n || line.s[0] == '#')
			return depth == 0 ? 0 : line.n ? 90 : 70;
		if (!parse_frame(line, &f) || f.depth != depth++)
			return 0;
	}
}

const struct collapse_format collapse_phpspy = {
	.probe = probe,
	.signs = SIGNS(SIGN(START, "0")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_SRCLINE,
};
