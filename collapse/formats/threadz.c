/* SPDX-License-Identifier: ISC */
/*
 * Output of /threadz of servers built with Google's libraries, which pprof reads: each
 * thread's stack, innermost frame first, and the stack that created it.
 *
 *	--- threadz 1 ---
 *
 *	--- Thread 7f794ab90940 (name: main/14748) stack: ---
 *	  PC:  0x00bc8f1c: helper(arg *)
 *	  0x0040be31: main
 *	      creator: 0xa45b96 0xa460b4
 *	--- Thread 7f7948978700 (name: thread3/14759) stack: ---
 *	  [same as previous thread]
 *	--- Memory map: ---
 *	  00400000-00fcb000: /opt/demo/server
 *
 * Names may be missing. Each thread counts once.
 *
 * google/pprof, profile/legacy_profile.go, parseThread.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/late-stacks.h"
#include "stacks/mapped-code.h"

#include <stdlib.h>

struct profile {
	struct input *in;
	struct collapse *c;
	struct late_stacks stacks;
	struct mapped_code code;
	bool has_thread, has_maps;
	struct buf name;  /* of the current thread: "main/14748" */
	uint64_t *frames; /* of the current thread, or the previous one's */
	size_t n, cap;
	bool has_own; /* has_own: the thread has frames; is_same: it shares the previous
	               * one's */
	bool is_same;
};

/* Cuts the name out of "--- Thread 7f79 (name: main/14748) stack: ---". */
static bool
cut_name(struct str line, struct str *name)
{
	struct str mark = STR("(name: "), end = STR(") stack: ---");
	size_t at = str_search(line, mark);

	if (!str_starts(line, STR("--- Thread ")) || at == line.n || !str_ends(line, end))
		return false;
	*name = str_from(line, at + mark.n);
	name->n -= end.n;
	return true;
}

static bool
is_header(struct str line)
{
	struct str name;

	return str_starts(line, STR("--- threadz ")) || cut_name(line, &name);
}

static int
probe(struct str head)
{
	struct str line;

	do
		line = str_trim(str_cut(&head, '\n'));
	while (head.n && !line.n);
	return is_header(line) ? 95 : 0;
}

/* Ends the current thread. */
static void
end_thread(struct profile *p)
{
	size_t i;

	if (!p->has_thread)
		return;
	p->has_thread = false;
	for (i = 0; i < p->n && (p->has_own || p->is_same); i++)
		late_stacks_push(&p->stacks, p->frames[i]);
	late_stacks_add(&p->stacks, 1, 1, buf_view(&p->name));
}

static void
begin_thread(struct profile *p, struct str name)
{
	end_thread(p);
	p->has_thread = true;
	p->has_own = p->is_same = false;
	buf_clear(&p->name);
	buf_str(&p->name, name);
}

/* Adds a frame at ADDRESS; NAME may be empty. */
static void
add_frame(struct profile *p, uint64_t address, struct str name)
{
	struct mapped_code_known known = { .name = name };

	/* The innermost one may be repeated; the others are return addresses. */
	if (p->n == 1 && address == p->frames[0])
		return;
	known.address = address - (p->n > 0 && address > 0);
	if (name.n)
		mapped_code_tell(&p->code, &known);
	*MEM_ADD(p->frames, p->n, p->cap) = known.address;
}

/* Parses a line below a thread: addresses, or one address and its name. */
static bool
parse_frames(struct profile *p, struct str line)
{
	struct str rest = line, word = str_word(&rest);
	uint64_t address;
	bool named;

	if (str_search(line, STR("same as previous thread")) < line.n) {
		p->is_same = true;
		return true;
	}
	/* So far, the frames are the previous thread's. */
	if (!p->has_own)
		p->n = 0;
	p->has_own = true;
	if (str_eq(word, STR("PC:")) || str_eq(word, STR("creator:")))
		word = str_word(&rest);
	while (word.n) {
		named = str_ends(word, STR(":"));
		word.n -= named;
		if (!str_starts(word, STR("0x")) ||
			!str_hex_to_u64(str_from(word, 2), &address))
			return false;
		add_frame(p, address, named ? str_trim(rest) : (struct str){ 0 });
		if (named)
			break;
		word = str_word(&rest);
	}
	return true;
}

static void
parse_line(struct profile *p, struct str line)
{
	struct str name;
	bool good = true;

	if (p->has_maps) {
		good = !line.n || mapped_code_take_line(&p->code, line);
	} else if (cut_name(line, &name)) {
		begin_thread(p, name);
	} else if (str_starts(line, STR("--- Memory map: ---")) ||
		str_starts(line, STR("MAPPED_LIBRARIES:"))) {
		p->has_maps = true;
	} else if (str_starts(line, STR("---- no stack trace for"))) {
		collapse_lose(p->c, COLLAPSE_NO_STACK);
	} else if (line.n && p->has_thread) {
		good = parse_frames(p, line);
	}
	if (!good)
		collapse_lose(p->c, COLLAPSE_MALFORMED);
}

static void
name_frame(void *context, struct frame_names *stack, uint64_t frame)
{
	struct profile *p = context;

	mapped_code_name(&p->code, frame, stack);
}

/* Splits "main/14748" into name and number. */
static void
describe(void *context, struct collapse_sample *s, struct str about)
{
	size_t slash = str_rfind(about, '/');

	(void)context;
	s->comm = str_head(about, slash);
	s->tid = str_from(about, slash + 1);
}

/* Folds all threads. */
static bool
finish(struct profile *p)
{
	end_thread(p);
	late_stacks_fold(&p->stacks, name_frame, describe, p);
	libraries_explain(&p->code.libraries);
	return p->has_maps || collapse_damage(p->c, 0, true);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct profile p = { .in = in, .c = c, .stacks.c = c };
	struct str line = { 0 };
	bool good;

	mapped_code_init(&p.code, c, in);
	while (input_line(in, &line) && !str_trim(line).n)
		;
	good = is_header(str_trim(line));
	if (!good)
		msg_error("%s: does not begin like output of threadz", input_name(in));
	while (good && (parse_line(&p, str_trim(line)), input_line(in, &line)))
		;
	good = good && finish(&p);
	late_stacks_release(&p.stacks);
	mapped_code_release(&p.code);
	buf_release(&p.name);
	free(p.frames);
	return good;
}

const struct collapse_format collapse_threadz = {
	.probe = probe,
	.signs = SIGNS(SIGN(START, "--- T"), SIGN(START, "--- threadz ")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE,
};
