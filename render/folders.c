/* SPDX-License-Identifier: ISC */
/* Search paths for files that have moved; see folders.h. */
#include "folders.h"

/* PATH_MAX of Linux. */
enum { LONGEST = 4096 };

/* The longest end of PATH, usually all of it, without ".." and zero bytes. */
static struct str
harmless_end(struct str path)
{
	struct str rest = path, part;

	while (rest.n) {
		part = str_cut(&rest, '/');
		if (str_eq(part, STR("..")) || str_find(part, 0) < part.n)
			path = rest;
	}
	return path;
}

/* Tries REST below FOLDER, which the user named; if REST begins with the last name of FOLDER,
 * also below FOLDER's parent. */
static bool
try_below(struct str folder, struct str rest, folders_is *is, void *with)
{
	struct folders_path at = { .below = true, .top = folder.n };
	bool found;

	if (str_starts(rest, STR("/")))
		at.top++;
	else if (!str_ends(folder, STR("/")))
		at.top -= str_base(folder).n;
	buf_str(&at.path, folder);
	buf_str(&at.path, rest);
	found = is(with, &at);
	buf_release(&at.path);
	return found;
}

/* Tries PATH with its beginning replaced by a matching --map. */
static bool
try_maps(const struct folders *f, struct str path, folders_is *is, void *with)
{
	struct str map, old;
	bool found = false;
	size_t i, equals;

	for (i = 0; f->maps && i < f->maps->n && !found; i++) {
		map = str_of(f->maps->items[i]);
		equals = str_find(map, '=');
		old = str_head(map, equals);
		if (equals < map.n && str_starts(path, old))
			found = try_below(str_from(map, equals + 1),
				str_from(path, old.n), is, with);
	}
	return found;
}

static bool
try_folder(struct str folder, struct str path, folders_is *is, void *with)
{
	struct buf top = { 0 };
	bool found = false;

	buf_str(&top, folder);
	buf_char(&top, '/');
	while (path.n && !found) {
		found = try_below(buf_view(&top), path, is, with);
		(void)str_cut(&path, '/');
	}
	buf_release(&top);
	return found;
}

static bool
try_as_is(struct str path, folders_is *is, void *with)
{
	struct folders_path at = { .top = 0 };
	bool found;

	buf_str(&at.path, path);
	found = is(with, &at);
	buf_release(&at.path);
	return found;
}

bool
folders_try(const struct folders *f, struct str path, folders_is *is, void *with)
{
	struct str end = harmless_end(path);
	const bool harmless = end.n && end.n == path.n;
	bool found = false;
	size_t i;

	if (path.n > LONGEST)
		return false;
	if (harmless)
		found = try_maps(f, path, is, with);
	for (i = 0; f->folders && i < f->folders->n && !found; i++)
		found = try_folder(str_of(f->folders->items[i]),
			str_from(end, str_starts(end, STR("/"))), is, with);
	return found ||
		(harmless && f->as_is && str_starts(path, STR("/")) &&
			try_as_is(path, is, with));
}
