/* SPDX-License-Identifier: ISC */
/* Shortens names to fit; see diff-names.h. */
#include "diff-names.h"
#include "frame.h"
#include "mem.h"
#include "utf8.h"

#include <stdlib.h>

/* How names are cut, from most to least. */
enum { CUT_ARGUMENTS, CUT_MIDDLE, CUT_NOTHING };

static size_t
count_columns(struct str s)
{
	size_t n = 0;
	uint32_t point;

	while (s.n) {
		s = str_from(s, utf8_next(s, &point));
		n += utf8_columns(point);
	}
	return n;
}

/* Whether the '<' at AT of NAME begins template arguments: not in operator<, nor in "<lambda". */
static bool
opens_arguments(struct str name, size_t at)
{
	static const char word[] = "operator";

	return at > 0 && (str_is_word(name.s[at - 1]) || name.s[at - 1] == ':') &&
		!str_ends(str_head(name, at), str_of(word));
}

/* The place after the '>' that ends the arguments at AT of NAME; 0 if there is none. */
static size_t
find_close(struct str name, size_t at)
{
	size_t depth = 0;

	for (; at < name.n; at++) {
		if (name.s[at] == '<')
			depth++;
		else if (name.s[at] == '>' && name.s[at - 1] != '-' && --depth == 0)
			return at + 1;
	}
	return 0;
}

/* Adds NAME with "<...>" and "(...)" for arguments. */
static void
put_without_arguments(struct buf *b, struct str name)
{
	struct str cut = frame_cut_arguments(name);
	size_t i, close;

	for (i = 0; i < cut.n; i++) {
		close = cut.s[i] == '<' && opens_arguments(cut, i) ? find_close(cut, i)
								   : 0;
		if (close) {
			buf_str(b, STR("<...>"));
			i = close - 1;
		} else {
			buf_char(b, cut.s[i]);
		}
	}
	if (cut.n < name.n)
		buf_str(b,
			str_starts(str_from(name, cut.n), STR("()"))
				? str_from(name, cut.n)
				: STR("(...)"));
}

/* The longest prefix of S that is at most COLUMNS wide. */
static struct str
fit(struct str s, size_t columns)
{
	struct str rest = s;
	uint32_t point;
	size_t n, used = 0;

	while (rest.n) {
		n = utf8_next(rest, &point);
		used += utf8_columns(point);
		if (used > columns)
			break;
		rest = str_from(rest, n);
	}
	return str_head(s, s.n - rest.n);
}

/* Adds S with its middle replaced by an ellipsis, so that it is at most COLUMNS wide. */
static void
put_without_middle(struct buf *b, struct str s, size_t columns)
{
	size_t end = (columns - 3) / 2, skip = count_columns(s) - end, n;
	struct str head = fit(s, columns - end - 3), tail;

	/* A wide character at the cut is dropped. */
	n = fit(s, skip).n;
	while (count_columns(str_from(s, n)) > end)
		n = fit(s, ++skip).n;
	tail = str_from(s, n);
	buf_str(b, head);
	buf_str(b, STR("..."));
	buf_str(b, tail);
}

/* Shows NAME, which is visible, cut according to X->step. */
static void
show(struct diff_name *x, struct str name, size_t columns)
{
	struct buf shorter = { 0 };

	buf_clear(&x->text);
	x->is_cut = x->step != CUT_NOTHING && count_columns(name) > columns;
	if (!x->is_cut) {
		buf_str(&x->text, name);
		return;
	}
	if (x->step == CUT_ARGUMENTS)
		put_without_arguments(&shorter, name);
	else
		buf_str(&shorter, name);
	if (count_columns(buf_view(&shorter)) > columns)
		put_without_middle(&x->text, buf_view(&shorter), columns);
	else
		buf_str(&x->text, buf_view(&shorter));
	buf_release(&shorter);
}

static void
show_name(struct diff_name *x, const struct intern *names, size_t columns)
{
	struct buf visible = { 0 };
	struct str name = intern_str(names, x->id);

	/* An empty name would be invisible. */
	buf_visible(&visible, name.n ? name : STR("\"\""), BUF_MARK, BUF_MOST);
	show(x, buf_view(&visible), columns);
	buf_release(&visible);
}

static int
by_id(const void *a, const void *b)
{
	const struct diff_name *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int
by_text(const void *a, const void *b)
{
	const struct diff_name *const *x = a, *const *y = b;

	return str_cmp(buf_view(&(*x)->text), buf_view(&(*y)->text));
}

/* Cuts names less that are equal to another. Returns whether there were any. */
static bool
part_names(struct diff_names *x, const struct intern *names, size_t columns)
{
	struct diff_name **order = mem_alloc((x->n + 1) * sizeof *order), *twin;
	bool *is_same = mem_zero(x->n + 1, sizeof *is_same), any = false;
	size_t i;

	for (i = 0; i < x->n; i++)
		order[i] = &x->all[i];
	if (x->n)
		qsort(order, x->n, sizeof *order, by_text);
	for (i = 1; i < x->n; i++)
		if (!by_text(&order[i - 1], &order[i]))
			is_same[i - 1] = is_same[i] = true;
	for (i = 0; i < x->n; i++) {
		twin = order[i];
		if (!is_same[i] || !twin->is_cut)
			continue;
		twin->step++;
		show_name(twin, names, columns);
		any = true;
	}
	free(order);
	free(is_same);
	return any;
}

/* Removes duplicate IDs. */
static void
drop_repeats(struct diff_names *x)
{
	size_t i, n = 0;

	if (x->n)
		qsort(x->all, x->n, sizeof *x->all, by_id);
	for (i = 0; i < x->n; i++)
		if (!n || x->all[n - 1].id != x->all[i].id)
			x->all[n++] = x->all[i];
	x->n = n;
}

void
diff_names_init(struct diff_names *x, const struct intern *names, const uint32_t *ids,
	size_t n, size_t columns)
{
	size_t i;

	x->all = mem_alloc((n + 1) * sizeof *x->all);
	x->n = n;
	for (i = 0; i < n; i++)
		x->all[i] = (struct diff_name){ .id = ids[i], .step = CUT_ARGUMENTS };
	drop_repeats(x);
	for (i = 0; i < x->n; i++)
		show_name(&x->all[i], names, columns);
	while (part_names(x, names, columns))
		;
}

void
diff_names_release(struct diff_names *x)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		buf_release(&x->all[i].text);
	free(x->all);
	*x = (struct diff_names){ .n = 0 };
}

const struct diff_name *
diff_names_find(const struct diff_names *x, uint32_t id)
{
	const struct diff_name key = { .id = id };

	return x->n ? bsearch(&key, x->all, x->n, sizeof key, by_id) : NULL;
}
