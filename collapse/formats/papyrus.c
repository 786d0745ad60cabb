/* SPDX-License-Identifier: ISC */
/*
 * Profiles of Papyrus, the scripting language of Skyrim and Fallout 4. They cover a stack
 * (Debug.StartStackProfiling) or a script (StartScriptProfiling), and are in
 * Logs/Script/Profiling:
 *
 *	Stack_3185 log opened (PC)
 *	50002:START:3185
 *	50018:QUEUE_PUSH:3185:4: (00018A56):Location.??.GetFormID
 *	50018:PUSH:3185:3:None:abc_example_mod_quest..exampleFunction1
 *	50035:POP:3185:3:None:abc_example_mod_quest..exampleFunction1
 *	Log closed
 *
 * Fields are milliseconds, event, stack, the function's depth in it, object, and
 * script.state.function. Calls wait in a queue before they begin; this counts as their
 * caller's time. speedscope keeps one stack for all, so it mixes calls of different
 * stacks, and adds a frame for the time between calls.
 */
#include "stacks/calls.h"
#include "collapse.h"
#include "formats.h"

enum { MILLISECONDS = 6 }; /* in ns, as a power of 10 */

struct entry {
	struct str what, stack, function;
	uint64_t time, depth;
};

/* Parses LINE. Returns false if it is not an event. */
static bool
cut_entry(struct str line, struct entry *e)
{
	size_t colon;

	if (!calls_read_time(str_cut(&line, ':'), MILLISECONDS, &e->time))
		return false;
	e->what = str_cut(&line, ':');
	e->stack = str_cut(&line, ':');
	e->depth = 0;
	if (str_eq(e->what, STR("START")) || str_eq(e->what, STR("STOP")))
		return e->stack.n > 0;
	if (!str_to_u64(str_cut(&line, ':'), &e->depth) || e->depth > UINT32_MAX)
		return false;
	/* Names of objects may contain colons, those of functions do not. */
	colon = str_rfind(line, ':');
	e->function = str_from(line, colon + 1);
	return e->stack.n > 0 && e->function.n > 0;
}

/* The thread for the stack NAME. */
static struct calls_thread *
find_stack(struct calls *k, struct str name)
{
	struct calls_thread *t = calls_find(k, name);
	struct buf text = { 0 };

	if (!t->s.comm.n) {
		buf_str(&text, STR("Stack "));
		buf_str(&text, name);
		t->s.comm = calls_copy(k, buf_view(&text));
		t->s.tid = calls_copy(k, name);
		buf_release(&text);
	}
	return t;
}

static void
add_entry(struct calls *k, const struct entry *e)
{
	struct calls_thread *t = find_stack(k, e->stack);

	calls_until(k, t, e->time);
	if (str_eq(e->what, STR("PUSH"))) {
		calls_name_whole(k, e->function);
		calls_open(k, t, (uint32_t)e->depth);
	} else if (str_eq(e->what, STR("POP")) && !calls_close(t, (uint32_t)e->depth)) {
		k->strays++;
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct calls k = { .names = { .c = c } };
	struct entry e;
	struct str line;
	uint64_t before = collapse_samples(c);
	bool closed = false, good = true;

	collapse_threadless(c);
	collapse_exact(c);
	collapse_unit(c, STR("ns"));
	while (input_line(in, &line))
		if (cut_entry(line, &e))
			add_entry(&k, &e);
		else if (str_starts(line, STR("Log closed")))
			closed = true;
		else if (str_trim(line).n &&
			str_search(line, STR(" log opened")) == line.n)
			collapse_lose(c, COLLAPSE_MALFORMED);
	if (!closed)
		good = collapse_damage(c, before, true);
	calls_tell(&k, in, false);
	calls_release(&k);
	return good;
}

static int
probe(struct str head)
{
	struct str first = str_cut(&head, '\n'), second = str_cut(&head, '\n');
	struct entry e;

	if (str_search(first, STR(" log opened")) == first.n)
		return 0;
	return cut_entry(str_trim(second), &e) ? 100 : 60;
}

const struct collapse_format collapse_papyrus = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "Stack_"), SIGN(MAGIC, "Script_")),
	.run = run,
	.uses = COLLAPSE_USES_BY,
};
