/* SPDX-License-Identifier: ISC */
/* The key "by" of the header; see dimensions.h. */
#include "dimensions.h"
#include "msg.h"

#include <stdlib.h>

#define NONE STR("none")

void
dimensions_release(struct dimensions *d)
{
	arena_release(&d->arena);
	*d = (struct dimensions){ .n = 0 };
}

size_t
dimensions_find(const struct dimensions *d, struct str name)
{
	size_t i = 0;

	while (i < d->n && !str_eq(d->name[i], name))
		i++;
	return i;
}

bool
dimensions_add(struct dimensions *d, struct str name)
{
	if (!name.n || d->n == DIMENSIONS_MOST || dimensions_find(d, name) < d->n)
		return false;
	d->name[d->n++] = arena_str(&d->arena, name);
	d->said = true;
	return true;
}

/* Adds the names of LIST. */
static bool
read_names(struct dimensions *d, struct str list)
{
	struct buf name = { 0 };
	bool good = true, more = true;
	struct str rest = list;

	while (good && more) {
		more = str_find(rest, ',') < rest.n;
		buf_clear(&name);
		buf_decoded(&name, str_cut(&rest, ','));
		good = dimensions_add(d, buf_view(&name));
	}
	buf_release(&name);
	return good;
}

bool
dimensions_read(struct dimensions *d, struct str by)
{
	d->said = by.n > 0;
	if (!by.n || str_eq(by, NONE) || read_names(d, by))
		return true;
	dimensions_release(d);
	return false;
}

bool
dimensions_add_list(struct dimensions *d, struct str list)
{
	struct dimensions more = { .n = 0 };
	bool good = list.n && dimensions_read(&more, list);
	size_t i;

	for (i = 0; i < more.n && good; i++)
		good = dimensions_find(d, more.name[i]) < d->n ||
			dimensions_add(d, more.name[i]);
	dimensions_release(&more);
	return good;
}

void
dimensions_tell_missing(const struct dimensions *d, struct str name, const char *option)
{
	struct buf asked = { 0 }, list = { 0 };
	size_t i;

	buf_visible(&asked, name, BUF_MARK, BUF_MOST);
	for (i = 0; i < d->n; i++) {
		buf_str(&list, i ? STR(", ") : STR("it has "));
		buf_visible(&list, d->name[i], BUF_MARK, BUF_MOST);
	}
	msg_error("%s: the input has no dimension %s; %s", option, buf_cstr(&asked),
		d->n ? buf_cstr(&list)
		     : "it has none (fg-collapse --by writes them into the header)");
	buf_release(&asked);
	buf_release(&list);
}

bool
dimensions_has(
	const struct dimensions *d, const struct dimensions *asked, const char *option)
{
	size_t i;

	for (i = 0; i < asked->n; i++)
		if (dimensions_find(d, asked->name[i]) == d->n) {
			dimensions_tell_missing(d, asked->name[i], option);
			return false;
		}
	return true;
}

/* Adds NAME with ',' and '%' as %HH. A dimension named "none" gets its first byte escaped. */
static void
put_name(struct buf *b, struct str name)
{
	size_t i;

	for (i = 0; i < name.n; i++)
		if (name.s[i] == ',' || name.s[i] == '%' || (!i && str_eq(name, NONE)))
			buf_fmt(b, "%%%02X", (unsigned char)name.s[i]);
		else
			buf_char(b, name.s[i]);
}

void
dimensions_put(struct buf *b, const struct dimensions *d)
{
	size_t i;

	if (d->said && !d->n)
		buf_str(b, NONE);
	for (i = 0; i < d->n; i++) {
		if (i)
			buf_char(b, ',');
		put_name(b, d->name[i]);
	}
}

bool
dimensions_is_thread(struct str name)
{
	return str_eq(name, STR("comm")) || str_eq(name, STR("pid")) ||
		str_eq(name, STR("tid"));
}

void
dimensions_copy(struct dimensions *d, const struct dimensions *from)
{
	struct dimensions copy = { .said = from->said };
	size_t i;

	for (i = 0; i < from->n; i++)
		(void)dimensions_add(&copy, from->name[i]);
	dimensions_release(d);
	*d = copy;
}

bool
dimensions_equal(const struct dimensions *a, const struct dimensions *b)
{
	size_t i;

	for (i = 0; i < a->n && i < b->n; i++)
		if (!str_eq(a->name[i], b->name[i]))
			return false;
	return a->n == b->n && a->said == b->said;
}

/* The usual order of dimensions, used where two lists differ in order; unknown ones stand between
 * the first and the rest, in byte order. */
static int
rank(struct str name)
{
	static const struct str last[] = { { "comm", 4 }, { "pid", 3 }, { "tid", 3 },
		{ "cpu", 3 }, { "time", 4 } };
	size_t i;

	if (str_eq(name, STR("file")))
		return -1;
	for (i = 0; i < sizeof last / sizeof *last; i++)
		if (str_eq(name, last[i]))
			return (int)i + 1;
	return 0;
}

static int
in_usual_order(const void *a, const void *b)
{
	const struct str *x = a, *y = b;
	int differ = rank(*x) - rank(*y);

	return differ ? differ : str_cmp(*x, *y);
}

void
dimensions_share(
	struct dimensions *d, const struct dimensions *a, const struct dimensions *b)
{
	size_t i;

	d->said = true;
	for (i = 0; i < a->n; i++)
		if (dimensions_find(b, a->name[i]) < b->n)
			(void)dimensions_add(d, a->name[i]);
	if (d->n && !dimensions_equal(a, b))
		qsort(d->name, d->n, sizeof *d->name, in_usual_order);
}

struct dimensions_map
dimensions_map(const struct dimensions *from, const struct dimensions *to)
{
	struct dimensions_map m = { .from = from->n };
	size_t i, at;

	for (i = 0; i < to->n; i++) {
		at = dimensions_find(from, to->name[i]);
		if (at < from->n)
			m.place[m.n++] = at;
	}
	return m;
}

size_t
dimensions_there(const struct dimensions_map *m, size_t have)
{
	size_t n = m->n;

	while (n > 0 && m->place[n - 1] >= have)
		n--;
	return n ? n : m->n > 0;
}

bool
dimensions_cut(const struct dimensions_map *m, struct str *stack, struct buf *b)
{
	struct str value[DIMENSIONS_MOST];
	bool more = true;
	size_t have, n, i;

	for (have = 0; have < m->from && more; have++) {
		more = str_find(*stack, ';') < stack->n;
		value[have] = str_cut(stack, ';');
	}
	n = dimensions_there(m, have);
	for (i = 0; i < n; i++) {
		buf_str(b, m->place[i] < have ? value[m->place[i]] : DIMENSIONS_NO_VALUE);
		buf_char(b, ';');
	}
	return more;
}
