/* SPDX-License-Identifier: ISC */
/* Files of folded text; see folded.h. */
#include "folded.h"

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
	folded_info_settle(info);
	return good;
}
