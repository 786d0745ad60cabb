/* SPDX-License-Identifier: ISC */
/* Files of folded text; see folded.h. */
#include "folded.h"

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
		: "is not a number of samples: use N, or BEFORE,AFTER";
}

void
folded_given_put(const struct folded_given *given, struct folded_info *info, int columns)
{
	if (given->unit.n)
		folded_info_set(info, "unit", given->unit);
	folded_info_settle(info, given->keep && !given->samples[1]);
	if (given->samples[1])
		folded_info_set_u64(info, "samples", given->samples[1]);
	if (given->samples[0] && columns > 1)
		folded_info_set_u64(info, "samples-before", given->samples[0]);
}

bool
folded_read_file(const char *path, struct tree *t, struct folded_info *info,
	const struct folded_options *options, struct folded_count *count)
{
	struct input *in = input_open(path);
	uint64_t refused = count->refused;
	bool good;

	if (!in)
		return false;
	folded_read(in, t, info, options, count);
	good = !input_failed(in) && count->refused == refused;
	input_close(in);
	return good;
}

bool
folded_read_files(char **paths, struct tree *t, struct folded_info *info,
	const struct folded_options *options, struct folded_count *count)
{
	bool good = true;

	if (!*paths)
		good = folded_read_file("-", t, info, options, count);
	for (; *paths; paths++)
		good &= folded_read_file(*paths, t, info, options, count);
	count->rounded += tree_settle(t);
	if (options->given)
		folded_given_put(options->given, info, t->columns);
	else
		folded_info_settle(info, false);
	return good;
}
