/* SPDX-License-Identifier: ISC */
/* Any bytes as folded text, drawn: the document is well-formed UTF-8 XML for any
 * names. The first byte chooses options. */
#include "profile.h"
#include "fuzz.h"
#include "mem.h"
#include "svg.h"
#include "xml-check.h"

static void
choose(struct picture_settings *set, unsigned byte)
{
	static const char *const palettes[] = { "hot", "java", "js", "auto", "mem",
		"module", "rust", "python" };

	*set = (struct picture_settings){ .nametype = "Function:",
		.colors = palettes[byte & 7],
		.uicolor = "#000000",
		.searchcolor = "#e600e6",
		.stroke = "",
		.frameheight = 16,
		.minwidth = byte & 8 ? 0 : 0.1,
		.fontsize = 12,
		.confidence = 0.95,
		.factor = 1 };
	set->inverted = byte & 16;
	set->reverse = byte & 32;
	set->flamechart = byte & 64;
	set->by_spelling = set->no_vanished = byte & 128;
}

/* Draws PROFILE; its names may also be used in the picture's texts. */
static void
draw(const struct picture_settings *set, struct profile *profile)
{
	struct timeline timeline = { .n = 0 };
	bool has_times =
		!set->reverse && !set->flamechart && timeline_init(&timeline, profile);
	struct buf b = { 0 };
	struct output out;
	FILE *f = fuzz_output(&out);
	const char *wrong;
	struct picture p;

	picture_init(&p, set, profile, has_times ? &timeline : NULL);
	svg_write(&out, &p);
	picture_release(&p);
	timeline_release(&timeline);
	fuzz_written(&out, f, &b);
	wrong = xml_check(buf_view(&b));
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	LAW(!wrong);
	buf_release(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct folded_options how;
	struct picture_settings set;
	struct input *in;
	struct buf title = { 0 };
	struct profile p;

	if (!size)
		return 0;
	choose(&set, data[0]);
	how = (struct folded_options){ .reverse = set.reverse,
		.in_order = set.flamechart };
	text = str_from(text, 1);
	buf_str(&title, str_head(text, 40));
	set.title = set.notes = set.fonttype = buf_cstr(&title);
	in = input_of_memory("fuzz", text);
	profile_init(&p);
	profile_add(&p, in, &how);
	(void)tree_settle(&p.tree);
	input_close(in);
	if (picture_has_width(&set, &p))
		draw(&set, &p);
	profile_release(&p);
	buf_release(&title);
	return 0;
}
