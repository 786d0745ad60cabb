/* SPDX-License-Identifier: ISC */
/* The key "by" of the header; see dimensions.h. */
#include "dimensions.h"

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

/* Adds NAME; the comma that ends it, and '%', as %HH. One that is called as what says that there
 * are none begins with such a byte. */
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
