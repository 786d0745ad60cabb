/* SPDX-License-Identifier: ISC */
/*
 * Output of jfr print --json for a recording of Java Flight Recorder:
 *
 *	{"recording": {"events": [{"type": "jdk.ExecutionSample", "values": {
 *		"startTime": "2026-11-22T06:43:07.959679339Z",
 *		"sampledThread": {"javaName": "main", "javaThreadId": 1},
 *		"stackTrace": {"truncated": false, "frames": [{
 *			"method": {"type": {"name": "java\/lang\/Thread"}, "name": "run"},
 *			"lineNumber": 840, "type": "Interpreted"}]}}}]}}
 */
#include "collapse.h"
#include "formats.h"
#include "jfr-printed.h"
#include "readers/json-profile.h"

#include <inttypes.h>

static void read_struct(struct json_reader *p, struct jfr_printed *to);

/* Reads the value of the field KEY, which is a copy. */
static void
read_value(struct json_reader *p, struct jfr_printed *to, struct str key)
{
	char digits[24];
	struct str text;
	int64_t number;
	bool truth;

	switch (json_peek(p)) {
	case JSON_STRING:
		if (json_read_string(p, &text))
			jfr_printed_value(to, key, text);
		break;
	case JSON_NUMBER:
		if (json_read_i64(p, &number)) {
			snprintf(digits, sizeof digits, "%" PRId64, number);
			jfr_printed_value(to, key, str_of(digits));
		}
		break;
	case JSON_BOOL:
		if (json_read_bool(p, &truth))
			jfr_printed_value(to, key, truth ? STR("true") : STR("false"));
		break;
	case JSON_OBJECT:
	case JSON_ARRAY:
		if (jfr_printed_open(to, key))
			read_struct(p, to);
		else
			json_skip(p);
		jfr_printed_close(to);
		break;
	default: json_skip(p);
	}
}

/* Reads an object or an array, recursively; jfr_printed_open bounds the depth. */
static void
read_struct(struct json_reader *p, struct jfr_printed *to)
{
	struct buf copy = { 0 };
	struct str key;

	if (json_peek(p) == JSON_ARRAY) {
		(void)json_read_array(p);
		while (json_next_element(p))
			read_value(p, to, (struct str){ 0 });
	} else if (json_read_object(p)) {
		while (json_next_key(p, &key)) {
			buf_clear(&copy);
			buf_str(&copy, key);
			read_value(p, to, buf_view(&copy));
		}
	}
	buf_release(&copy);
}

static void
read_event(struct json_reader *p, void *context)
{
	struct jfr_printed *to = context;
	bool typed = false;
	struct str key, type;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("type")) && json_peek(p) == JSON_STRING) {
			typed = json_read_string(p, &type);
			if (typed)
				jfr_printed_begin(to, type);
		} else if (str_eq(key, STR("values")) && typed) {
			read_struct(p, to);
			if (!json_failed(p))
				jfr_printed_end(to);
		}
}

static void
read_recording(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_EACH("events", read_event) };

	json_walk(p, keys, 1, context);
}

static bool
run(struct input *in, struct collapse *c)
{
	static const struct json_key keys[] = { JSON_KEY("recording", read_recording) };
	struct jfr_printed to;
	struct json_profile f;
	bool good;

	jfr_printed_init(&to, c);
	json_profile_begin(&f, in, c);
	json_walk(&f.p, keys, 1, &to);
	good = jfr_printed_done(&to);
	jfr_printed_release(&to);
	return json_profile_end(&f, true) && good;
}

static int
probe(struct str head)
{
	return json_has(head, "recording.events") ? 90 : 0;
}

const struct collapse_format collapse_jfr_json = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("recording")),
	.run = run,
	.uses = COLLAPSE_USES_BY | COLLAPSE_USES_FRAME_NAMES | COLLAPSE_USES_INLINED |
		COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
