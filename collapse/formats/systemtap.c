/* SPDX-License-Identifier: ISC */
/*
 * Stacks with counts, printed by a SystemTap script with print_stack(),
 * print_ubacktrace() or sprint_backtrace(), each followed by its count:
 *
 *	 0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *	 0xffffffff815bf03e : rest_init+0x72/0x74 [kernel] (inexact)
 *	 0x400546 : main+0x10/0x20 [/opt/demo/work]
 *	 0x7f2a60a3ad5d [libc.so.6+0x1ed5d]
 *	 0x7ffd0000
 *		2404
 *
 * Innermost first. "Returning from:" and "Returning to  :" precede kernel functions with
 * a return probe. tapset/uconversions.stp, runtime/stack.c, runtime/sym.c.
 */
#include "stacks/counted-stack.h"
#include "formats.h"
#include "frame.h"

/* Cuts " [module]" off the end of *TEXT, maybe followed by " (inexact)"; drops an offset
 * "+0x12" from the module. */
static struct str
cut_module(struct str *text)
{
	struct str inexact = STR("(inexact)"), module = { 0 };
	size_t open;

	if (str_ends(*text, inexact))
		*text = str_trim(str_head(*text, text->n - inexact.n));
	open = str_rfind(*text, '[');
	if (!str_ends(*text, STR("]")) || open == text->n)
		return module;
	module = str_from(*text, open + 1);
	module.n--;
	*text = str_trim(str_head(*text, open));
	return frame_cut_offset(module);
}

/* Cuts an address, and a colon after it, off the start of *TEXT. Returns false if there
 * is none. */
static bool
cut_address(struct str *text, struct str *address)
{
	struct str rest = *text, word, returning = STR("Returning ");
	uint64_t value;

	if (str_starts(rest, returning)) {
		(void)str_cut(&rest, ':');
		rest = str_trim(rest);
	}
	word = str_word(&rest);
	if (!frame_is_address(word, &value))
		return false;
	*address = str_from(word, 2);
	rest = str_trim(rest);
	*text = str_starts(rest, STR(": ")) ? str_from(rest, 2) : rest;
	return true;
}

static void
cut_frame(struct str line, struct frame_names_symbol *s)
{
	struct str text = line;
	size_t plus;

	(void)cut_address(&text, &s->address);
	s->module = cut_module(&text);
	if (str_eq(s->module, STR("kernel")))
		s->module = STR("[kernel.kallsyms]");
	plus = str_search(text, STR("+0x"));
	s->name = str_head(text, plus);
	if (str_starts(s->name, STR("0x")))
		s->name.n = 0;
}

static void
parse_line(struct counted_stack *stack, struct str line)
{
	struct str text = str_trim(line), rest = text, address;

	if (!text.n)
		return;
	if (cut_address(&rest, &address))
		frame_names_line(&stack->names, text, cut_frame);
	else if (counted_stack_is_number(text) && stack->names.n)
		counted_stack_end(stack, text);
	else
		collapse_lose(stack->names.c, COLLAPSE_MALFORMED);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct counted_stack stack = { .names.c = c };
	struct str line;

	collapse_threadless(c);
	while (input_line(in, &line))
		parse_line(&stack, line);
	counted_stack_drop(&stack);
	collapse_explain(c, (struct str){ 0 }, STR("SystemTap found no symbol"));
	counted_stack_release(&stack);
	return true;
}

/* Whether LINE is like "0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]". */
static bool
is_frame(struct str line)
{
	struct str rest = str_trim(line), address;
	size_t plus;

	if (!cut_address(&rest, &address) || str_find(rest, '[') == rest.n)
		return false;
	plus = str_search(rest, STR("+0x"));
	return plus < rest.n && str_find(str_from(rest, plus), '/') < rest.n - plus;
}

static int
probe(struct str head)
{
	int frames = 0;
	struct str line;

	while (head.n) {
		line = str_cut(&head, '\n');
		if (frames && counted_stack_is_number(str_trim(line)))
			return 90;
		frames += is_frame(line);
	}
	return 0;
}

const struct collapse_format collapse_systemtap = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "0x"), SIGN(ANYWHERE, " 0x"), SIGN(ANYWHERE, "\n0x"),
		SIGN(ANYWHERE, "\t0x")),
	.run = run,
	.uses = COLLAPSE_USES_FRAME_NAMES,
};
