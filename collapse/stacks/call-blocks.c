/* SPDX-License-Identifier: ISC */
/* Calls as blocks of C; see call-blocks.h. */
#include "call-blocks.h"

/* Where the argument list of a call begins: not the parentheses of "operator()",
 * "(anonymous namespace)::f" and "main.(*T).f". */
static size_t
find_arguments(struct str text)
{
	size_t at = 0;
	struct str rest;

	for (;;) {
		at += str_find(str_from(text, at), '(');
		rest = str_from(text, at);
		if (!rest.n)
			return at;
		if (!str_starts(rest, STR("(anonymous ")) &&
			!str_starts(rest, STR("(*")) &&
			!(str_starts(rest, STR("()")) &&
				str_ends(str_head(text, at), STR("operator"))))
			return at;
		at += str_find(rest, ')');
	}
}

/* Sets the function for calls_open: the one in TEXT, of MODULE unless TEXT contains
 * another. */
static void
name_function(struct calls *k, struct str text, struct str module)
{
	struct str name = str_trim(str_head(text, find_arguments(text)));
	size_t at = str_find(name, '@'), bracket;

	if (at && at + 1 < name.n) {
		module = str_from(name, at + 1);
		name = str_head(name, at);
	} else if (str_ends(name, STR("]")) &&
		(bracket = str_rfind(name, ' ')) < name.n) {
		module = str_from(name, bracket + 1);
		name = str_head(name, bracket);
	}
	calls_name(k, name, module);
}

/* Names the function in "} = 0; / * f * /". */
static void
name_end(struct calls *k, const struct call_block *b)
{
	size_t at = str_search(b->text, STR("/* "));
	struct str name = str_from(b->text, at + 3);

	name = str_head(name, str_search(name, STR(" */")));
	/* Linux may append the return value: "f ret=0x0", "f = 0x0". */
	name = str_head(name, str_search(name, STR(" ret=")));
	name = str_head(name, str_search(name, STR(" = ")));
	if (name.n)
		name_function(k, name, b->module);
}

/* Ends the call of B; needs its name if its beginning was not seen. */
static void
handle_end(struct calls *k, struct calls_thread *t, const struct call_block *b)
{
	k->names.n = 0;
	if (calls_depth(t) != b->depth + 1)
		name_end(k, b);
	calls_return(k, t, b->depth, b->duration);
}

/* TEXT without a comment at its end. */
static struct str
cut_comment(struct str text)
{
	return str_ends(text, STR("*/"))
		? str_trim(str_head(text, str_search(text, STR(" /* "))))
		: text;
}

bool
call_blocks_take(struct calls *k, struct calls_thread *t, const struct call_block *b)
{
	struct str text = b->text;

	if (str_starts(text, STR("}"))) {
		if (b->timed)
			handle_end(k, t, b);
		return b->timed;
	}
	text = cut_comment(str_trim(text));
	if (!str_ends(text, b->timed ? STR(";") : STR("{")))
		return false;
	name_function(k, text, b->module);
	calls_open(k, t, b->depth);
	if (b->timed)
		calls_return(k, t, b->depth, b->duration);
	return true;
}
