/* SPDX-License-Identifier: ISC */
/*
 * pprof's profile (google/pprof, proto/profile.proto), one message in gzip:
 *
 *	sample_type { type: "cpu" unit: "nanoseconds" }
 *	sample { location_id: [3, 2, 1] value: [20000000] label { key: "tid" num: 7 } }
 *	mapping { id: 1 filename: "/bin/x" has_functions: true ... }
 *	location { id: 1 mapping_id: 1 line { function_id: 1 line: 7 } }
 *	function { id: 1 name: "work" filename: "x.c" }
 *	string_table: ""
 *
 * Locations are innermost first. Names are demangled already: system_name stays empty, since
 * pprof shortens a name equal to it. Without a mapping, pprof asks for the program. Dimensions
 * are labels, for -tagfocus and -tagroot.
 */
#include "deflate.h"
#include "export.h"
#include "mem.h"
#include "wire.h"

enum {
	SAMPLE_TYPE = 1,
	SAMPLE,
	MAPPING,
	LOCATION,
	FUNCTION,
	STRING,
	TIME = 9,
	DURATION,
	PERIOD_TYPE,
	PERIOD,
	COMMENT,
	DEFAULT_TYPE
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM, LABEL_NUM_UNIT };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_FIRST_FLAG = 7, MAPPING_LAST_FLAG = 10 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_FILE = 4 };

struct writer {
	struct export *x;
	struct buf all;		 /* the message */
	struct buf part, inner;	 /* a message in it, and one nested in that */
	struct buf labels, text; /* of the current track */
	struct intern strings;	 /* string_table: the first is empty */
	struct intern functions; /* "name\0file" */
};

/* The index of TEXT in the table. */
static uint64_t
string_id(struct writer *w, struct str text)
{
	uint64_t id;

	buf_clear(&w->text);
	export_put_utf8(&w->text, text);
	id = intern_id(&w->strings, buf_view(&w->text));
	return id;
}

static void
put_type(struct writer *w, unsigned field, struct str type, struct str unit)
{
	buf_clear(&w->part);
	wire_number(&w->part, TYPE_TYPE, string_id(w, type));
	wire_number(&w->part, TYPE_UNIT, string_id(w, unit));
	wire_bytes(&w->all, field, buf_view(&w->part));
}

/* The sample type of column I. */
static struct str
type_of(const struct export *x, int i)
{
	struct str event = export_column(x, i);

	if (x->profile->tree.columns > 1)
		return event;
	if (x->kind == EXPORT_TIME &&
		(str_eq(event, x->unit) || str_starts(event, STR("cpu")) ||
			str_starts(event, STR("cycles")) ||
			str_starts(event, STR("task-clock"))))
		return STR("cpu");
	return x->kind == EXPORT_BYTES && str_eq(event, x->unit) ? STR("space") : event;
}

static struct str
unit_of(const struct export *x)
{
	return x->kind == EXPORT_TIME	  ? STR("nanoseconds")
		: x->kind == EXPORT_BYTES ? STR("bytes")
					  : STR("count");
}

/* Adds the label KEY, as a number if VALUE is one, except 0, the default. */
static void
put_label(struct writer *w, struct str key, struct str value)
{
	uint64_t number;

	if (!value.s || str_eq(value, DIMENSIONS_NO_VALUE))
		return;
	buf_clear(&w->inner);
	wire_number(&w->inner, LABEL_KEY, string_id(w, key));
	if (export_is_number(value, &number))
		wire_number(&w->inner, LABEL_NUM, number);
	else
		wire_number(&w->inner, LABEL_STR, string_id(w, value));
	wire_bytes(&w->labels, SAMPLE_LABEL, buf_view(&w->inner));
}

/* Sets the labels to those in TRACK. */
static void
make_labels(struct writer *w, uint32_t track)
{
	const struct export *x = w->x;
	struct export_thread thread = export_thread(x, track);
	struct str name;
	size_t i;

	buf_clear(&w->labels);
	put_label(w, STR("comm"), thread.comm);
	put_label(w, STR("pid"), thread.pid);
	put_label(w, STR("tid"), thread.tid);
	for (i = 0; i < x->by->n; i++)
		if (export_is_label(x, i, &name))
			put_label(w, name, export_value(x, track, i));
}

static void
put_time(struct writer *w, uint64_t time)
{
	buf_clear(&w->inner);
	wire_number(&w->inner, LABEL_KEY, string_id(w, STR("time")));
	wire_number(&w->inner, LABEL_NUM, time);
	wire_number(&w->inner, LABEL_NUM_UNIT, string_id(w, STR("nanoseconds")));
	wire_bytes(&w->part, SAMPLE_LABEL, buf_view(&w->inner));
}

static void
put_sample(struct writer *w, const struct export_sample *s)
{
	struct export *x = w->x;
	size_t n;
	const uint32_t *path = export_path(x, s->stack, &n);
	int c;

	buf_clear(&w->inner);
	while (n > 0)
		wire_varint(&w->inner, (uint64_t)x->tree->nodes[path[--n]].name + 1);
	buf_clear(&w->part);
	wire_bytes(&w->part, SAMPLE_LOCATIONS, buf_view(&w->inner));
	buf_clear(&w->inner);
	for (c = 0; c < x->columns; c++)
		wire_varint(&w->inner, s->weight[c]);
	wire_bytes(&w->part, SAMPLE_VALUES, buf_view(&w->inner));
	buf_str(&w->part, buf_view(&w->labels));
	if (s->timed)
		put_time(w, s->time);
	wire_bytes(&w->all, SAMPLE, buf_view(&w->part));
}

static void
put_samples(struct writer *w)
{
	const struct export *x = w->x;
	size_t i;

	for (i = 0; i < x->n; i++) {
		if (!i || x->samples[i].track != x->samples[i - 1].track)
			make_labels(w, x->samples[i].track);
		put_sample(w, &x->samples[i]);
	}
}

static void
put_mapping(struct writer *w)
{
	struct str command = folded_info_get(&w->x->profile->info, "command");
	unsigned flag;

	buf_clear(&w->part);
	wire_number(&w->part, MAPPING_ID, 1);
	wire_number(&w->part, MAPPING_FILE, string_id(w, str_word(&command)));
	for (flag = MAPPING_FIRST_FLAG; flag <= MAPPING_LAST_FLAG; flag++)
		wire_number(&w->part, flag, 1);
	wire_bytes(&w->all, MAPPING, buf_view(&w->part));
}

static void
put_function(struct writer *w, uint32_t id, const struct export_place *place)
{
	buf_clear(&w->part);
	wire_number(&w->part, FUNCTION_ID, (uint64_t)id + 1);
	wire_number(&w->part, FUNCTION_NAME, string_id(w, place->name));
	wire_number(&w->part, FUNCTION_FILE, string_id(w, place->file));
	wire_bytes(&w->all, FUNCTION, buf_view(&w->part));
}

/* Writes the location of the name ID, and its function on first use. */
static void
put_location(struct writer *w, uint32_t id)
{
	struct export_place place = export_place(intern_str(&w->x->tree->names, id));
	uint32_t known = w->functions.n, function;

	buf_clear(&w->text);
	buf_str(&w->text, place.name);
	buf_char(&w->text, '\0');
	buf_str(&w->text, place.file);
	function = intern_id(&w->functions, buf_view(&w->text));
	buf_clear(&w->inner);
	wire_number(&w->inner, LINE_FUNCTION, (uint64_t)function + 1);
	wire_number(&w->inner, LINE_LINE, place.line);
	buf_clear(&w->part);
	wire_number(&w->part, LOCATION_ID, (uint64_t)id + 1);
	wire_number(&w->part, LOCATION_MAPPING, 1);
	wire_bytes(&w->part, LOCATION_LINE, buf_view(&w->inner));
	wire_bytes(&w->all, LOCATION, buf_view(&w->part));
	if (function == known)
		put_function(w, function, &place);
}

/* Adds the header of the folded text as comments. */
static void
put_comment(struct writer *w)
{
	const struct profile *p = w->x->profile;
	struct buf header = { 0 };

	folded_put_header(&header, &p->info, folded_sums_of(&p->tree));
	buf_clear(&w->part);
	wire_varint(&w->part, string_id(w, buf_view(&header)));
	wire_bytes(&w->all, COMMENT, buf_view(&w->part));
	buf_release(&header);
}

static void
put_rest(struct writer *w)
{
	const struct export *x = w->x;
	uint64_t samples, duration;
	struct str length = folded_info_get(&x->profile->info, "duration");

	samples = folded_info_samples(
		&x->profile->info, &x->profile->tree, x->first + x->columns - 1);
	wire_number(&w->all, TIME, export_start(x));
	if (folded_time(length, &duration))
		wire_number(&w->all, DURATION, duration);
	if (samples) {
		put_type(w, PERIOD_TYPE, type_of(x, x->columns - 1), unit_of(x));
		wire_number(&w->all, PERIOD, x->sum[x->columns - 1] / samples);
	}
	put_comment(w);
	wire_number(&w->all, DEFAULT_TYPE, string_id(w, type_of(x, x->columns - 1)));
}

static void
release(struct writer *w)
{
	buf_release(&w->all);
	buf_release(&w->part);
	buf_release(&w->inner);
	buf_release(&w->labels);
	buf_release(&w->text);
	intern_release(&w->strings);
	intern_release(&w->functions);
}

static bool
write_profile(struct export *x)
{
	struct writer w = { .x = x };
	uint32_t i;
	int c;

	(void)string_id(&w, STR(""));
	for (c = 0; c < x->columns; c++)
		put_type(&w, SAMPLE_TYPE, type_of(x, c), unit_of(x));
	put_samples(&w);
	put_mapping(&w);
	for (i = 0; i < x->tree->names.n; i++)
		put_location(&w, i);
	put_rest(&w);
	for (i = 0; i < w.strings.n; i++)
		wire_bytes(&w.all, STRING, intern_str(&w.strings, i));
	deflate_gzip(buf_view(&w.all), &x->b);
	release(&w);
	return true;
}

const struct export_target export_pprof = {
	.needs = EXPORT_TRACKS | EXPORT_WHOLE | EXPORT_BOTH | EXPORT_BINARY,
	.write = write_profile,
};
