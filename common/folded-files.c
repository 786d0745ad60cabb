/* SPDX-License-Identifier: ISC */
/* Files of folded text; see folded.h. */
#include "folded.h"

#include <sys/stat.h>
#include <unistd.h>

struct str
folded_info_unit(const struct folded_info *info)
{
	struct str unit = folded_info_get(info, "unit");

	return unit.n ? unit : STR("units");
}

const char *
folded_given_read(struct folded_given *given, const char *arg)
{
	struct str after = str_of(arg), before = str_cut(&after, ',');

	if (!after.n)
		after = before;
	return str_to_u64(before, &given->samples[0]) && given->samples[0] &&
			str_to_u64(after, &given->samples[1]) && given->samples[1]
		? NULL
		: "is not a number of samples; use N, or BEFORE,AFTER";
}

void
folded_given_put(const struct folded_given *given, struct folded_info *info, int columns)
{
	if (given->unit.n)
		folded_info_set(info, "unit", given->unit);
	info->said |= given->columns != 0;
	folded_info_settle(info, given->keep && !given->samples[1]);
	if (given->samples[1])
		folded_info_set_u64(info, "samples", given->samples[1]);
	if (given->samples[0] && columns > 1)
		folded_info_set_u64(info, "samples-before", given->samples[0]);
}

/* The shape of the file at PATH, when one can look at it twice. */
static struct folded_shape
look_at_file(const char *path)
{
	struct folded_shape shape = { 0 };
	struct input *in;
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || access(path, R_OK) != 0)
		return shape;
	in = input_open(path);
	if (in)
		shape = folded_shape(in);
	input_close(in);
	return shape;
}

int
folded_columns(struct folded_columns *columns, struct input *in, char **paths)
{
	struct folded_shape shape = folded_shape(in);

	if (shape.known && !columns->known)
		columns->known = shape.columns;
	if (columns->known || columns->looked || shape.columns != 2)
		return columns->known;
	for (columns->looked = true; *paths && !columns->known; paths++) {
		shape = look_at_file(*paths);
		if (shape.known)
			columns->known = shape.columns;
	}
	return columns->known;
}

/* Where files are read to, and what they say of the columns of each other. */
struct reading {
	struct tree *t;
	struct folded_info *info;
	const struct folded_options *options;
	struct folded_count *count;
	struct folded_columns columns;
};

/* Reads the file at PATH, before those at REST. */
static bool
read_file(struct reading *r, const char *path, char **rest)
{
	struct folded_options own = *r->options;
	struct input *in = input_open(path);
	uint64_t refused = r->count->refused;
	bool good;

	if (!in)
		return false;
	own.columns = folded_columns(&r->columns, in, rest);
	folded_read(in, r->t, r->info, &own, r->count);
	good = !input_failed(in) && r->count->refused == refused;
	input_close(in);
	return good;
}

bool
folded_read_file(const char *path, struct tree *t, struct folded_info *info,
	const struct folded_options *options, struct folded_count *count)
{
	struct reading r = { t, info, options, count, { .known = options->columns } };
	char *none = NULL;

	return read_file(&r, path, &none);
}

bool
folded_read_files(char **paths, struct tree *t, struct folded_info *info,
	const struct folded_options *options, struct folded_count *count)
{
	const struct folded_given *given = options->given;
	struct reading r = { t, info, options, count,
		{ .known = given ? (int)given->columns : 0 } };
	bool good = true;

	if (!*paths)
		good = read_file(&r, "-", paths);
	for (; *paths; paths++)
		good &= read_file(&r, *paths, paths + 1);
	count->rounded += tree_settle(t);
	if (given)
		folded_given_put(given, info, t->columns);
	else
		folded_info_settle(info, false);
	return good;
}
