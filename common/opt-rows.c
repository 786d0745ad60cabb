/* SPDX-License-Identifier: ISC */
/*
 * Rows of options from lines, which other programs print; see opt_rows_read:
 *
 *	F	freq	HZ			sample HZ times per second
 *	g	call-graph	[METHOD]		fp dwarf none	record stacks
 */
#include "opt.h"
#include "input.h"
#include "mem.h"

/* S with a terminator, NULL when it is empty. */
static const char *
keep(struct arena *a, struct str s)
{
	char *text;

	if (!s.n)
		return NULL;
	text = arena_alloc(a, s.n + 1);
	memcpy(text, s.s, s.n);
	text[s.n] = 0;
	return text;
}

/* The words of LIST as OPT_WORD has them, NULL when there are none. */
static void *
keep_words(struct arena *a, struct str list)
{
	const char **words;
	struct str rest = list, word;
	size_t n = 0;

	while (str_word(&rest).n)
		n++;
	if (!n)
		return NULL;
	words = arena_alloc(a, (n + 1) * sizeof *words);
	for (n = 0, rest = list; (word = str_word(&rest)).n; n++)
		words[n] = keep(a, word);
	words[n] = NULL;
	return words;
}

static struct opt
read_row(struct arena *a, struct str line)
{
	struct str rest = line, letter = str_cut(&rest, '\t'), many;
	struct opt o = { .letter = letter.n ? letter.s[0] : 0 };

	o.name = keep(a, str_cut(&rest, '\t'));
	o.arg = keep(a, str_cut(&rest, '\t'));
	many = str_cut(&rest, '\t');
	o.value = keep_words(a, str_cut(&rest, '\t'));
	o.help = keep(a, rest);
	if (!o.help)
		o.help = "";
	o.kind = !o.arg ? OPT_FLAG : o.value ? OPT_WORD : many.n ? OPT_LIST : OPT_STR;
	return o;
}

static void
add(struct opt_row_list *list, struct opt o)
{
	list->items = mem_grow(list->items, &list->cap, list->n + 1, sizeof *list->items);
	list->items[list->n++] = o;
}

void
opt_rows_read(struct opt_rows *to, struct input *in)
{
	struct opt_row_list *list = &to->rows;
	struct str line;

	*to = (struct opt_rows){ 0 };
	while (input_line(in, &line))
		if (line.n)
			add(list, read_row(&to->arena, line));
		else
			list = &to->further;
	add(&to->rows, (struct opt){ .kind = OPT_END });
	add(&to->further, (struct opt){ .kind = OPT_END });
}

void
opt_rows_release(struct opt_rows *rows)
{
	free(rows->rows.items);
	free(rows->further.items);
	arena_release(&rows->arena);
}
