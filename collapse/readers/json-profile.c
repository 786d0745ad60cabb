/* SPDX-License-Identifier: ISC */
/* Common parts of JSON formats; see json-profile.h. */
#include "json-profile.h"

/* Follows PATH into the next value, trying each element it may match. Returns whether one
 * exists, and if VALUE is not NULL, is that string. */
static bool
find(struct json_reader *p, struct str path, const struct str *value)
{
	struct str key, rest, step;
	bool found = false;

	if (!path.n) {
		found = json_peek(p) != JSON_NOTHING;
		return found &&
			(!value || (json_read_string(p, &key) && str_eq(key, *value)));
	}
	if (str_starts(path, STR("[]"))) {
		rest = str_from(path, str_starts(path, STR("[].")) ? 3 : 2);
		if (json_peek(p) == JSON_ARRAY && json_read_array(p))
			while (!found && json_next_element(p))
				found = find(p, rest, value);
		return found;
	}
	step = str_head(path, str_find(path, '.'));
	step = str_head(step, str_find(step, '['));
	rest = str_from(path, step.n);
	rest = str_from(rest, str_starts(rest, STR(".")));
	if (json_peek(p) == JSON_OBJECT && json_read_object(p))
		while (!found && json_next_key(p, &key))
			found = str_eq(key, step) && find(p, rest, value);
	return found;
}

/* Whether HEAD contains the last key of PATH in quotes: a cheap check. */
static bool
may_have(struct str head, struct str path)
{
	size_t at = str_rfind(path, '.');
	char quoted[80] = "\"";
	struct str key = str_from(path, at < path.n ? at + 1 : 0);

	key = str_head(key, str_find(key, '['));
	if (!key.n || key.n + 3 > sizeof quoted)
		return true;
	memcpy(quoted + 1, key.s, key.n);
	quoted[key.n + 1] = '"';
	return str_search(head, (struct str){ quoted, key.n + 2 }) < head.n;
}

static bool
probe(struct str head, struct str path, const struct str *value)
{
	struct str text = str_trim(head);
	struct input *in;
	struct json_reader p;
	bool found;

	if (!text.n || (text.s[0] != '{' && text.s[0] != '[') || !may_have(head, path))
		return false;
	in = input_of_memory("head", head);
	json_reader_init(&p, in);
	p.quiet = true;
	found = find(&p, path, value);
	json_reader_release(&p);
	input_close(in);
	return found;
}

bool
json_has(struct str head, const char *path)
{
	return probe(head, str_of(path), NULL);
}

bool
json_has_text(struct str head, const char *path, struct str value)
{
	return probe(head, str_of(path), &value);
}

void
json_profile_begin(struct json_profile *f, struct input *in, struct collapse *c)
{
	f->c = c;
	f->before = collapse_samples(c);
	collapse_threadless(c);
	json_reader_init(&f->p, in);
}

bool
json_profile_end(struct json_profile *f, bool strict)
{
	bool good = true;
	uint64_t i;

	for (i = 0; strict && i < f->p.wrong; i++)
		collapse_lose(f->c, COLLAPSE_MALFORMED);
	if (json_failed(&f->p))
		good = collapse_damage(f->c, f->before, f->p.cut);
	json_reader_release(&f->p);
	return good;
}

void
json_each(struct json_reader *p, json_take *take, void *context)
{
	if (json_read_array(p))
		while (json_next_element(p))
			take(p, context);
}

void
json_walk(struct json_reader *p, const struct json_key *keys, size_t n, void *context)
{
	struct str key;
	size_t i;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		for (i = 0; i < n && !str_eq(key, keys[i].key); i++)
			;
		if (i < n && keys[i].each)
			json_each(p, keys[i].take, context);
		else if (i < n)
			keys[i].take(p, context);
	}
}
