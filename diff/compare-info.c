/* SPDX-License-Identifier: ISC */
/* One header for two columns; see compare.h. */
#include "compare.h"

static const char BEFORE[] = "-before";

/* Keys that tell of one side only, also when the other is silent. */
static bool
is_own(struct str key)
{
	return str_eq(key, STR("samples")) || str_eq(key, STR("duration")) ||
		str_eq(key, STR("lost"));
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

void
compare_put_info(const struct compare *c, struct folded_info *info)
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
