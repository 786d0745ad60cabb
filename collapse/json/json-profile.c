/* SPDX-License-Identifier: ISC */
/* Profiles in JSON from the first byte to the last; see json-profile.h. */
#include "json-profile.h"
#include "msg.h"

void
json_profile_begin(struct json_profile *f, struct input *in, struct collapse *c)
{
	f->c = c;
	f->before = collapse_samples(c);
	collapse_threadless(c);
	json_reader_init(&f->p, in);
}

/* Says how the text ended before its end; FOLDED: something was folded. */
static void
report_damage(const struct json_profile *f, bool folded)
{
	const char *name = input_name(f->p.in);

	/* What follows the damage is one thing that nobody can count. */
	collapse_lose_quietly(f->c, COLLAPSE_DAMAGED, folded);
	if (f->p.cut && folded)
		msg_warn("%s: ends too soon; kept what came before", name);
	else if (f->p.cut)
		msg_error("%s: ends too soon, and nothing could be folded", name);
}

bool
json_profile_end(struct json_profile *f, bool strict)
{
	bool whole = !json_failed(&f->p), folded = collapse_samples(f->c) > f->before;
	uint64_t i;

	for (i = 0; strict && i < f->p.wrong; i++)
		collapse_lose(f->c, COLLAPSE_MALFORMED);
	if (!whole)
		report_damage(f, folded);
	json_reader_release(&f->p);
	return whole || folded;
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
