/* SPDX-License-Identifier: ISC */
/*
 * Profiles of stackprof, a sampling profiler for Ruby, in JSON: from stackprof --json
 * FILE, or JSON.generate(StackProf.run(raw: true) { ... }).
 *
 *	{"version":1.2,"mode":"cpu","interval":1000,"samples":3,
 *	 "frames":{"140279474744720":{"name":"A#b","file":"/opt/sp.rb","line":2},
 *	  "1":{"name":"(garbage collection)","file":""}},
 *	 "raw":[2,140279530618240,140279474744720,2, 1,1,1],
 *	 "raw_sample_timestamps":[4284632046,4284636049,4284640047],
 *	 "raw_timestamp_deltas":[4720,3988,3992]}
 *
 * A frame's line is where its method begins. stackprof-raw.h describes the fields.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "readers/json-profile.h"
#include "stackprof-raw.h"

/* Reads an array of integers; invalid ones become STACKPROF_NONE. */
static void
read_numbers(struct json_reader *p, struct stackprof_raw *r, struct stackprof_numbers *v)
{
	enum { PIECE = 512 };
	int64_t plain[PIECE];
	uint64_t values[PIECE + 1];
	size_t n, i;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		n = json_take_wholes(p, plain, PIECE);
		for (i = 0; i < n; i++) {
			values[i] = plain[i] < 0 ? STACKPROF_NONE : (uint64_t)plain[i];
			p->wrong += plain[i] < 0;
		}
		if (!json_read_u64(p, &values[n]))
			values[n] = STACKPROF_NONE;
		stackprof_raw_add(r, v, values, n + 1);
	}
}

static void
read_frame(struct json_reader *p, struct stackprof_raw *r, uint64_t id)
{
	struct frame_names_script f = { .line = 0 };
	struct buf name = { 0 }, file = { 0 };
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")))
			json_read_text(p, &name);
		else if (str_eq(key, STR("file")))
			json_read_text(p, &file);
		else if (str_eq(key, STR("line")) && !json_read_null(p))
			(void)json_read_u64(p, &f.line);
	f.name = buf_view(&name);
	f.file = buf_view(&file);
	stackprof_raw_frame(r, id, &f);
	buf_release(&name);
	buf_release(&file);
}

static void
read_frames(struct json_reader *p, struct stackprof_raw *r)
{
	struct str key;
	uint64_t id;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_to_u64(key, &id))
			read_frame(p, r, id);
		else
			collapse_lose(r->c, COLLAPSE_MALFORMED);
}

static void
read_file(struct json_reader *p, struct stackprof_raw *r)
{
	struct stackprof_numbers *column;
	struct str key, mode;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		column = stackprof_raw_column(r, key);
		if (column) {
			read_numbers(p, r, column);
		} else if (str_eq(key, STR("mode"))) {
			(void)json_read_string(p, &mode);
			stackprof_raw_set_mode(r, mode);
		} else if (str_eq(key, STR("interval"))) {
			if (!json_read_null(p) && !json_read_u64(p, &r->interval))
				r->interval = STACKPROF_NONE;
		} else if (str_eq(key, STR("missed_samples"))) {
			(void)json_read_u64(p, &r->missed);
		} else if (str_eq(key, STR("frames"))) {
			read_frames(p, r);
		}
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct stackprof_raw r;
	struct json_profile f;
	bool good;

	stackprof_raw_init(&r, c);
	json_profile_begin(&f, in, c);
	read_file(&f.p, &r);
	good = stackprof_raw_fold(&r, in, !json_failed(&f.p));
	stackprof_raw_release(&r);
	if (good)
		return json_profile_end(&f, true);
	json_reader_release(&f.p);
	return false;
}

static int
probe(struct str head)
{
	bool modes = json_has_text(head, "mode", STR("cpu")) ||
		json_has_text(head, "mode", STR("wall")) ||
		json_has_text(head, "mode", STR("object")) ||
		json_has_text(head, "mode", STR("custom"));

	if (!modes || !json_has(head, "interval"))
		return 0;
	return json_has(head, "frames") ? 90 : 60;
}

const struct collapse_format collapse_stackprof = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("interval")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE,
};
