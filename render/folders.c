/* SPDX-License-Identifier: ISC */
/* Where files may be; see folders.h. */
#include "folders.h"

/* Tries PATH with the beginning that some --map names replaced. */
static bool
try_maps(const struct folders *f, struct str path, folders_is *is, void *with)
{
	struct buf b = { 0 };
	struct str map, old;
	bool found = false;
	size_t i, equals;

	for (i = 0; f->maps && i < f->maps->n && !found; i++) {
		map = str_of(f->maps->items[i]);
		equals = str_find(map, '=');
		old = str_head(map, equals);
		if (equals == map.n || !str_starts(path, old))
			continue;
		buf_clear(&b);
		buf_str(&b, str_from(map, equals + 1));
		buf_str(&b, str_from(path, old.n));
		found = is(with, &b);
	}
	buf_release(&b);
	return found;
}

/* Whether some part of PATH goes up. */
static bool
goes_up(struct str path)
{
	struct str part;

	while (path.n) {
		part = str_cut(&path, '/');
		if (str_eq(part, STR("..")))
			return true;
	}
	return false;
}

/* Tries the ends of PATH below FOLDER, the longest first. */
static bool
try_folder(struct str folder, struct str path, folders_is *is, void *with)
{
	struct buf b = { 0 };
	bool found = false;

	while (path.n && !found) {
		buf_clear(&b);
		buf_str(&b, folder);
		buf_char(&b, '/');
		buf_str(&b, path);
		found = !goes_up(path) && is(with, &b);
		(void)str_cut(&path, '/');
	}
	buf_release(&b);
	return found;
}

bool
folders_try(const struct folders *f, struct str path, folders_is *is, void *with)
{
	bool found = try_maps(f, path, is, with);
	struct buf b = { 0 };
	size_t i;

	for (i = 0; f->folders && i < f->folders->n && !found; i++)
		found = try_folder(str_of(f->folders->items[i]),
			str_from(path, str_starts(path, STR("/"))), is, with);
	buf_str(&b, path);
	found = found || (!f->confined && is(with, &b));
	buf_release(&b);
	return found;
}
