/* SPDX-License-Identifier: ISC */
/* Reads and writes profiles; see profile.h. */
#include "profile.h"

void
profile_init(struct profile *p)
{
	*p = (struct profile){ .count = { 0 } };
	tree_init(&p->tree, 1);
}

void
profile_release(struct profile *p)
{
	tree_release(&p->tree);
	folded_info_release(&p->info);
	folded_by_release(&p->by);
}

void
profile_add(struct profile *p, struct input *in, const struct folded_options *options)
{
	struct folded_options own = *options;

	own.by = &p->by;
	folded_read(in, &p->tree, &p->info, &own, &p->count);
}

/* Adds the file at PATH, before those at REST; COLUMNS is shared by all inputs. */
static bool
add_file(struct profile *p, const char *path, char **rest, struct folded_columns *columns,
	const struct folded_options *options)
{
	struct folded_options own = *options;
	struct input *in = input_open(path);
	uint64_t refused = p->count.refused;
	bool good;

	if (!in)
		return false;
	own.columns = folded_columns(columns, in, rest);
	profile_add(p, in, &own);
	good = !input_failed(in) && p->count.refused == refused;
	input_close(in);
	return good;
}

bool
profile_add_file(
	struct profile *p, const char *path, const struct folded_options *options)
{
	struct folded_columns columns = { .known = options->columns };
	char *none = NULL;

	return add_file(p, path, &none, &columns, options);
}

bool
profile_read(struct profile *p, char **paths, const struct folded_options *options)
{
	static const struct folded_given nothing = { .unit = NULL };
	const struct folded_given *given = options->given ? options->given : &nothing;
	struct folded_columns columns = { .known = (int)given->columns };
	bool good = true;

	if (!*paths)
		good = add_file(p, "-", paths, &columns, options);
	for (; *paths; paths++)
		good &= add_file(p, *paths, paths + 1, &columns, options);
	good &= folded_by_settle(&p->by, &p->info);
	p->count.rounded += tree_settle(&p->tree);
	folded_given_put(given, &p->info, p->tree.columns);
	folded_count_report(&p->count);
	return good;
}

bool
profile_has_stacks(const struct profile *p)
{
	return p->count.lines && !p->count.unusable;
}

/* Reduces the dimensions of P to KEPT, a subset. */
static void
change_dimensions(struct profile *p, const struct dimensions *kept, bool in_order)
{
	struct dimensions_map map = dimensions_map(&p->by.now, kept);
	struct buf key = { 0 };

	if (folded_by_changes(&map)) {
		free(folded_by_change(&p->tree, &map, in_order));
		dimensions_put(&key, kept);
		folded_info_set(&p->info, "by", buf_view(&key));
	}
	dimensions_copy(&p->by.now, kept);
	buf_release(&key);
}

void
profile_drop_dimensions(struct profile *p, const struct dimensions *drop, bool in_order)
{
	struct dimensions kept = { .said = p->by.now.said };
	size_t i;

	for (i = 0; i < p->by.now.n; i++)
		if (dimensions_find(drop, p->by.now.name[i]) == drop->n)
			(void)dimensions_add(&kept, p->by.now.name[i]);
	change_dimensions(p, &kept, in_order);
	dimensions_release(&kept);
}

void
profile_keep_dimensions(struct profile *p, const struct dimensions *keep)
{
	struct dimensions kept = { .said = p->by.now.said };
	size_t i;

	for (i = 0; i < p->by.now.n; i++)
		if (dimensions_find(keep, p->by.now.name[i]) < keep->n)
			(void)dimensions_add(&kept, p->by.now.name[i]);
	change_dimensions(p, &kept, false);
	dimensions_release(&kept);
}

bool
profile_write(const struct profile *p, const char *path, bool headed)
{
	struct output out;

	output_open(&out, path);
	folded_write_header(&out, headed ? &p->info : NULL, folded_sums_of(&p->tree));
	folded_write(&out, &p->tree);
	return output_close(&out);
}
