/* SPDX-License-Identifier: ISC */
/* One header for two columns; see compare.h. */
#include "compare.h"

static const char BEFORE[] = "-before";

/* Keys that tell of one side only, also when the other is silent. */
static bool
is_own(struct str key)
{
	return str_eq(key, STR("samples")) || str_eq(key, STR("duration")) ||
		str_eq(key, STR("lost")) || str_eq(key, STR("name")) ||
		str_eq(key, STR("stacks"));
}

/* Sets KEY with SUFFIX behind it. */
static void
set_key(struct folded_info *info, struct str key, const char *suffix, struct str value)
{
	struct buf b = { 0 };

	buf_str(&b, key);
	buf_str(&b, str_of(suffix));
	folded_info_set(info, buf_cstr(&b), value);
	buf_release(&b);
}

/* The value of the key of F in INFO. */
static struct str
same_key(const struct folded_info *info, struct str key)
{
	struct buf b = { 0 };
	struct str value;

	buf_str(&b, key);
	value = folded_info_get(info, buf_cstr(&b));
	buf_release(&b);
	return value;
}

/* More files than these are counted, not named. */
enum { NAMED = 3 };

static bool
is_stdin(struct str path)
{
	return str_eq(path, STR("-"));
}

/* How many bytes at the start of PATH, up to a '/', are those of OTHER. */
static size_t
shared_folders(struct str path, struct str other)
{
	size_t i, n = 0;

	for (i = 0; i < path.n && i < other.n && path.s[i] == other.s[i]; i++)
		if (path.s[i] == '/')
			n = i + 1;
	return n;
}

/* The length of the folders that all FILES are in, which say nothing. */
static size_t
common_folders(const struct compare_files *files)
{
	struct str first = { 0 }, path;
	size_t i, n = 0;
	int side;

	for (side = 0; side < COMPARE_SIDES; side++) {
		for (i = 0; i < files->n[side]; i++) {
			path = str_of(files->path[side][i]);
			if (is_stdin(path))
				continue;
			if (!first.n) {
				first = path;
				n = str_rfind(path, '/') < path.n
					? str_rfind(path, '/') + 1
					: 0;
			}
			n = shared_folders(str_head(path, n), first);
		}
	}
	return n;
}

/* Adds the names of the files of SIDE without the first CUT bytes. */
static void
put_name(struct buf *b, const struct compare_files *files, int side, size_t cut)
{
	size_t i, n = files->n[side], named = n > NAMED ? NAMED - 1 : n;
	struct str path;

	for (i = 0; i < named; i++) {
		path = str_of(files->path[side][i]);
		if (i)
			buf_str(b, STR(", "));
		buf_str(b, is_stdin(path) ? STR("stdin") : str_from(path, cut));
	}
	if (named < n)
		buf_fmt(b, " and %zu more", n - named);
}

static struct str
norm_name(const struct chance_norms *norms)
{
	return norms->norm == CHANCE_NONE     ? STR("none")
		: norms->norm == CHANCE_TOTAL ? STR("total")
					      : norms->frame;
}

/* Sets KEY to VALUE, or leaves what it is when that is empty, and makes it the last. */
static void
set_last(struct folded_info *info, const char *key, struct str value)
{
	if (!value.n)
		value = folded_info_get(info, key);
	folded_info_set(info, key, STR(""));
	folded_info_set(info, key, value);
}

/* Sets what the sides have in common, and how they are called. */
static void
set_names(struct folded_info *info, const struct compare *c,
	const struct compare_files *files)
{
	static const char *const keys[] = { "name-before", "name" };
	bool keeps_norm = files->one && c->options->norms.norm == CHANCE_NONE;
	struct buf name = { 0 };
	size_t cut = common_folders(files);
	int i;

	set_last(info, "norm", keeps_norm ? STR("") : norm_name(&c->options->norms));
	for (i = 0; i < COMPARE_SIDES; i++) {
		buf_clear(&name);
		if (!files->one)
			put_name(&name, files, i, cut);
		set_last(info, keys[i], buf_view(&name));
	}
	buf_release(&name);
}

/* What the weights before told of samples, they do not when they have been multiplied; and
 * a reader would take those after for those of both. */
static void
set_samples(struct folded_info *info, const struct compare *c)
{
	double before = c->side[COMPARE_BEFORE].samples;
	bool scaled = c->options->norms.norm != CHANCE_NONE && before > 0;

	if ((scaled || folded_info_get(info, "samples").n) &&
		!folded_info_get(info, "samples-before").n)
		folded_info_set_u64(info, "samples-before", stats_count(before));
}

void
compare_put_info(const struct compare *c, const struct compare_files *files,
	struct folded_info *info)
{
	const struct folded_info *a = &c->side[COMPARE_BEFORE].info,
				 *b = &c->side[COMPARE_AFTER].info;
	struct str key;
	size_t i;

	for (i = 0; i < b->n; i++)
		set_key(info, b->fields[i].key, "", b->fields[i].value);
	for (i = 0; i < a->n; i++) {
		key = a->fields[i].key;
		if (is_own(key) || !str_eq(same_key(b, key), a->fields[i].value))
			set_key(info, key, BEFORE, a->fields[i].value);
	}
	set_samples(info, c);
	set_names(info, c, files);
}

void
compare_take_info(struct compare *c, const struct folded_info *info)
{
	struct folded_info *a = &c->side[COMPARE_BEFORE].info,
			   *b = &c->side[COMPARE_AFTER].info;
	struct str key;
	size_t i;

	for (i = 0; i < info->n; i++) {
		key = info->fields[i].key;
		if (str_ends(key, str_of(BEFORE)))
			continue;
		set_key(b, key, "", info->fields[i].value);
		if (!is_own(key))
			set_key(a, key, "", info->fields[i].value);
	}
	for (i = 0; i < info->n; i++) {
		key = info->fields[i].key;
		if (str_ends(key, str_of(BEFORE)))
			set_key(a, str_head(key, key.n - strlen(BEFORE)), "",
				info->fields[i].value);
	}
}
