/* SPDX-License-Identifier: ISC */
/*
 * Maps of stacks from bpftrace -f json, one object per line.
 *
 *	{"type": "attached_probes", "data": {"probes": 2}}
 *	{"type": "map", "data": {"@": {"\n    app::fib(int)+56\n    0x7fb0d14d44a3\n,work": 3}}}
 *	{"type": "lost_events", "data": {"events": 5}}
 *
 * A key holds the values of @[kstack, ustack, comm], joined by commas (bpftrace-key.h). A stack
 * begins and ends with a line break. Maps without stacks, and the program's own output, are
 * skipped. Values count as samples: a histogram, [{"min": 4, "max": 7, "count": 1}], as the sum of
 * its rows; statistics, {"count": 3, "average": 2, "total": 6}, as their total. Maps printed
 * several times add up. Each map is an event.
 *
 * bpftrace, src/output.cpp (JsonOutput).
 */
#include "collapse.h"
#include "formats.h"
#include "bpftrace-key.h"
#include "readers/json-profile.h"

#include <inttypes.h>

struct reader {
	struct collapse *c;
	struct buf map, text;	 /* name and key of the current entry */
	struct bpftrace_key key; /* text, parsed */
	uint64_t empty, whole;	 /* entries without and with a stack */
};

/* Parses text into key. */
static void
parse_key(struct reader *r)
{
	struct str rest = buf_view(&r->text);

	bpftrace_key_begin(&r->key);
	while (rest.n)
		bpftrace_key_line(&r->key, str_cut(&rest, '\n'));
	bpftrace_key_end(&r->key, buf_view(&r->map));
}

/* Folds the current entry, which weighs VALUE. */
static void
fold_entry(struct reader *r, int64_t value)
{
	struct buf number = { 0 };

	if (str_find(buf_view(&r->text), '\n') == r->text.n) {
		r->empty++;
		return;
	}
	r->whole++;
	parse_key(r);
	buf_fmt(&number, "%" PRId64, value);
	counted_stack_end(&r->key.stack, buf_view(&number));
	buf_release(&number);
}

/* Adds the field NAME of the next object to *SUM, if the sum stays within 63 bits. Returns false if
 * the field is missing or invalid. */
static bool
add_field(struct json_reader *p, struct str name, int64_t *sum)
{
	struct str key;
	int64_t value;
	bool found = false;

	if (!json_read_object(p))
		return false;
	while (json_next_key(p, &key)) {
		if (!str_eq(key, name)) {
			json_skip(p);
		} else if (json_read_i64(p, &value) && value >= 0 &&
			*sum <= INT64_MAX - value) {
			*sum += value;
			found = true;
		}
	}
	return found;
}

/* Reads an entry's weight: a number, the sum of a histogram's rows, or the total of statistics.
 * Returns false for other values. */
static bool
read_value(struct json_reader *p, int64_t *value)
{
	bool good = true;

	*value = 0;
	switch (json_peek(p)) {
	case JSON_NUMBER: return json_read_i64(p, value);
	case JSON_OBJECT: return add_field(p, STR("total"), value);
	case JSON_ARRAY: break;
	default: json_skip(p); return false;
	}
	if (!json_read_array(p))
		return false;
	while (json_next_element(p))
		if (json_peek(p) == JSON_OBJECT) {
			good &= add_field(p, STR("count"), value);
		} else {
			good = false;
			json_skip(p);
		}
	return good;
}

/* Folds the entries of a map. Entries without a stack are samples if others have one; otherwise the
 * map is not about stacks. */
static void
read_map(struct json_reader *p, struct reader *r)
{
	struct str key;
	int64_t value;

	r->empty = r->whole = 0;
	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		buf_clear(&r->text);
		buf_str(&r->text, key);
		if (read_value(p, &value))
			fold_entry(r, value);
		else if (str_find(buf_view(&r->text), '\n') < r->text.n)
			collapse_lose(r->c, COLLAPSE_MALFORMED);
	}
	while (r->whole && r->empty-- > 0)
		collapse_lose(r->c, COLLAPSE_NO_STACK);
}

/* Reads the data of a map, or of lost events. */
static void
read_data(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct str key;
	uint64_t lost;

	if (json_peek(p) != JSON_OBJECT || !json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		buf_clear(&r->map);
		buf_str(&r->map, key);
		if (str_eq(key, STR("events"))) {
			if (json_read_u64(p, &lost))
				collapse_lose_recorded(r->c, lost);
		} else if (str_starts(key, STR("@")) && json_peek(p) == JSON_OBJECT) {
			read_map(p, r);
		}
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_KEY("data", read_data) };
	struct reader r = { .c = c, .key.stack.names.c = c };
	struct json_profile f;

	collapse_threadless(c);
	json_profile_begin(&f, in, c);
	while (json_more(&f.p))
		json_walk(&f.p, keys, 1, &r);
	collapse_explain(c, (struct str){ 0 }, STR("bpftrace found no symbol"));
	bpftrace_key_release(&r.key);
	buf_release(&r.map);
	buf_release(&r.text);
	return json_profile_end(&f, true);
}

static int
probe(struct str head)
{
	static const char *const types[] = { "attached_probes", "map", "hist", "stats",
		"value", "printf", "time", "lost_events" };
	size_t i;

	if (!json_has(head, "data"))
		return 0;
	for (i = 0; i < sizeof types / sizeof *types; i++)
		if (json_has_text(head, "type", str_of(types[i])))
			return i < 2 ? 85 : 60;
	return 0;
}

const struct collapse_format collapse_bpftrace_json = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("data")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES,
};
