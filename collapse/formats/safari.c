/* SPDX-License-Identifier: ISC */
/*
 * A timeline recording exported by Safari's Web Inspector.
 *
 *	{"version":1,"recording":{"displayName":"Timeline Recording 1",
 *	 "startTime":4.16,"endTime":6.69,"records":[...],
 *	 "sampleStackTraces":[{"timestamp":4.5141,"stackFrames":[
 *	  {"sourceID":"8","name":"gamma","line":20,"column":15,
 *	   "url":"file:///samples/simple.js","expressionLocation":{"line":22,"column":19}},
 *	  {"sourceID":"8","name":"(program)","line":1,"column":1,"url":"..."}]}],
 *	 "sampleDurations":[0.001547111237111191]}}
 *
 * Times are in seconds; stacks begin with the innermost frame. One duration per stack
 * comes after the stacks; without durations each sample weighs 1.
 *
 * WebKit, Source/WebInspectorUI/UserInterface/Models/TimelineRecording.js.
 */
#include "collapse.h"
#include "formats.h"
#include "readers/json-columns.h"
#include "readers/json-profile.h"
#include "stacks/frame-names.h"

#include <math.h>

struct sample {
	double time;   /* seconds, or NAN */
	uint32_t node; /* in the sink; TREE_ROOT: without a stack */
};

struct reader {
	struct collapse *c;
	uint32_t root;
	struct sample *samples;
	size_t sample_n, sample_cap;
	struct json_doubles durations; /* seconds, or NAN */
	struct buf name, url;	       /* of the current frame */
	uint32_t *ids;		       /* the current stack, innermost first */
	size_t id_n, id_cap;
};

static void
read_frame(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct frame_names_script f = { .line = 0 };
	int64_t line = 0;
	struct str key;

	if (!json_read_object(p))
		return;
	buf_clear(&r->name);
	buf_clear(&r->url);
	while (json_next_key(p, &key))
		if (str_eq(key, STR("name")))
			json_read_text(p, &r->name);
		else if (str_eq(key, STR("url")))
			json_read_text(p, &r->url);
		else if (str_eq(key, STR("line")) && !json_read_i64(p, &line))
			line = 0;
	if (json_failed(p))
		return;
	f.line = line > 0 ? (uint64_t)line : 0; /* -1 for native code */
	f.name = buf_view(&r->name);
	f.file = buf_view(&r->url);
	*MEM_ADD(r->ids, r->id_n, r->id_cap) = frame_names_script(r->c, &f);
}

static void
read_sample(struct json_reader *p, void *context)
{
	struct reader *r = context;
	struct sample s = { .time = NAN, .node = TREE_ROOT };
	struct str key;

	if (!json_read_object(p))
		return;
	r->id_n = 0;
	while (json_next_key(p, &key))
		if (str_eq(key, STR("timestamp"))) {
			if (!json_read_double(p, &s.time))
				s.time = NAN;
		} else if (str_eq(key, STR("stackFrames"))) {
			json_each(p, read_frame, r);
		}
	if (json_failed(p))
		return;
	if (r->id_n)
		s.node = collapse_path(r->c, r->root, r->ids, r->id_n);
	*MEM_ADD(r->samples, r->sample_n, r->sample_cap) = s;
}

static void
read_durations(struct json_reader *p, void *context)
{
	struct reader *r = context;

	(void)json_read_doubles(p, &r->durations, NAN);
}

static void
read_recording(struct json_reader *p, void *context)
{
	static const struct json_key keys[] = { JSON_EACH(
							"sampleStackTraces", read_sample),
		JSON_KEY("sampleDurations", read_durations) };

	json_walk(p, keys, sizeof keys / sizeof *keys, context);
}

/* SECONDS in ns. Returns false if out of range. */
static bool
nanoseconds(double seconds, uint64_t *ns)
{
	double value = round(seconds * 1e9);

	if (!(value >= 0 && value < 18446744073709551616.0))
		return false;
	*ns = (uint64_t)value;
	return true;
}

static void
fold_sample(struct reader *r, const struct sample *sample, const double *duration)
{
	struct collapse_sample s = { .has_period = duration != NULL };
	bool good = true;

	s.has_time = nanoseconds(sample->time, &s.time);
	if (duration)
		good = nanoseconds(*duration, &s.period);
	if (!collapse_wants(r->c, &s))
		return;
	if (!good)
		collapse_lose(
			r->c, *duration < 0 ? COLLAPSE_NEGATIVE : COLLAPSE_MALFORMED);
	else
		collapse_add(r->c, sample->node, &s);
}

/* Samples beyond the durations cannot be weighed. */
static void
fold(struct reader *r)
{
	static const double none = NAN;
	const double *duration;
	size_t i;

	for (i = 0; i < r->sample_n; i++) {
		duration = i < r->durations.n ? r->durations.items + i : &none;
		fold_sample(r, &r->samples[i], r->durations.n ? duration : NULL);
	}
}

static bool
run(struct input *in, struct collapse *c)
{
	struct collapse_sample nobody = { .count = 0 };
	struct reader r = { .c = c };
	static const struct json_key keys[] = { JSON_KEY("recording", read_recording) };
	struct json_profile f;

	json_profile_begin(&f, in, c);
	r.root = collapse_root(c, &nobody);
	json_walk(&f.p, keys, 1, &r);
	if (r.durations.n)
		collapse_unit(c, STR("ns"));
	fold(&r);
	free(r.samples);
	json_doubles_release(&r.durations);
	buf_release(&r.name);
	buf_release(&r.url);
	free(r.ids);
	return json_profile_end(&f, true);
}

/* The records may fill all of HEAD; Safari writes their types before them. */
static int
probe(struct str head)
{
	if (json_has(head, "recording.sampleStackTraces"))
		return 95;
	return json_has(head, "recording.displayName") &&
			json_has(head, "recording.instrumentTypes")
		? 80
		: 0;
}

const struct collapse_format collapse_safari = {
	.probe = probe,
	.signs = SIGNS(SIGN_KEY("recording")),
	.run = run,
	.uses = COLLAPSE_USES_SRCLINE,
};
