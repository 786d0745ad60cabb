/* SPDX-License-Identifier: ISC */
/*
 * The file format of speedscope, https://www.speedscope.app/file-format-schema.json:
 *
 *	{"shared":{"frames":[{"name":"main"},{"name":"parse","file":"x.c","line":12}]},
 *	 "profiles":[{"type":"sampled","name":"worker","unit":"nanoseconds","startValue":0,
 *	   "endValue":3,"samples":[[0,1],[0]],"weights":[2,1]}]}
 *
 * Each track is a profile, or two for two columns, the heaviest first. Samples are in time
 * order, if there are times.
 */
#include "export.h"
#include "json.h"

static void
put_frames(struct export *x)
{
	const struct intern *names = &x->tree->names;
	struct export_place place;
	uint32_t i;

	json_begin(&x->b, "shared");
	json_array(&x->b, "frames");
	for (i = 0; i < names->n; i++) {
		place = export_place(intern_str(names, i));
		json_element_begin(&x->b);
		json_str(&x->b, "name", place.name);
		if (place.line) {
			json_str(&x->b, "file", place.file);
			json_u64(&x->b, "line", place.line);
		}
		json_end(&x->b);
		export_flush(x);
	}
	json_array_end(&x->b);
	json_end(&x->b);
}

static struct str
unit_of(const struct export *x)
{
	static const struct {
		struct str unit, name;
	} units[] = { { { "ns", 2 }, { "nanoseconds", 11 } },
		{ { "us", 2 }, { "microseconds", 12 } },
		{ { "ms", 2 }, { "milliseconds", 12 } }, { { "s", 1 }, { "seconds", 7 } },
		{ { "bytes", 5 }, { "bytes", 5 } } };
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (str_eq(x->unit, units[i].unit))
			return units[i].name;
	return STR("none");
}

static void
put_name(struct export *x, uint32_t track, int c)
{
	struct buf name = { 0 };

	export_put_track(&name, x, track);
	if (x->columns > 1) {
		if (name.n)
			buf_char(&name, ' ');
		buf_str(&name, export_column(x, c));
	}
	json_str(&x->b, "name", name.n ? buf_view(&name) : export_title(x));
	buf_release(&name);
}

static void
put_stack(struct export *x, uint32_t stack)
{
	size_t n, i;
	const uint32_t *path = export_path(x, stack, &n);

	json_element_array(&x->b);
	for (i = 0; i < n; i++)
		json_element_u64(&x->b, x->tree->nodes[path[i]].name);
	json_array_end(&x->b);
	export_flush(x);
}

/* Writes column C of the samples from FIRST to END, which belong to one track. */
static void
put_profile(struct export *x, size_t first, size_t end, int c)
{
	uint64_t sum = 0;
	size_t i;

	for (i = first; i < end; i++)
		sum += x->samples[i].weight[c];
	if (!sum)
		return;
	json_element_begin(&x->b);
	json_str(&x->b, "type", STR("sampled"));
	put_name(x, x->samples[first].track, c);
	json_str(&x->b, "unit", unit_of(x));
	json_u64(&x->b, "startValue", 0);
	json_number(&x->b, "endValue", STR(""));
	export_put_decimal(&x->b, sum, (int)x->scale);
	json_array(&x->b, "samples");
	for (i = first; i < end; i++)
		if (x->samples[i].weight[c])
			put_stack(x, x->samples[i].stack);
	json_array_end(&x->b);
	json_array(&x->b, "weights");
	for (i = first; i < end; i++) {
		if (!x->samples[i].weight[c])
			continue;
		json_element_number(&x->b, STR(""));
		export_put_decimal(&x->b, x->samples[i].weight[c], (int)x->scale);
		export_flush(x);
	}
	json_array_end(&x->b);
	json_end(&x->b);
}

static bool
write_file(struct export *x)
{
	size_t first, end;
	int c;

	json_begin(&x->b, NULL);
	json_str(&x->b, "$schema",
		STR("https://www.speedscope.app/file-format-schema.json"));
	json_str(&x->b, "name", export_title(x));
	json_str(&x->b, "exporter", STR("fg-export"));
	json_u64(&x->b, "activeProfileIndex", 0);
	put_frames(x);
	json_array(&x->b, "profiles");
	for (first = 0; first < x->n; first = end) {
		for (end = first; end < x->n; end++)
			if (x->samples[end].track != x->samples[first].track)
				break;
		for (c = 0; c < x->columns; c++)
			put_profile(x, first, end, c);
	}
	json_array_end(&x->b);
	json_end(&x->b);
	buf_char(&x->b, '\n');
	return true;
}

const struct export_target export_speedscope = {
	.needs = EXPORT_TRACKS | EXPORT_BOTH | EXPORT_DOUBLES,
	.write = write_file,
};
