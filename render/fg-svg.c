/* SPDX-License-Identifier: ISC */
/*
 * fg-svg: draws folded stacks as a flame graph: one SVG file that is a picture without script,
 * and a viewer with it.
 */
#include "hot-lines.h"
#include "background.h"
#include "captions.h"
#include "frame.h"
#include "layout.h"
#include "mem.h"
#include "msg.h"
#include "nameattr.h"
#include "options.h"
#include "output.h"
#include "palette.h"
#include "profile.h"
#include "start.h"
#include "svg.h"
#include "units.h"

#include <inttypes.h>
#include <unistd.h>

enum {
	SAMPLES_SOFT = 100,
	SHARES = 10000 /* shares are rounded to this many parts */
};

static struct picture_settings set = PICTURE_DEFAULTS;
static struct folded_given given;
static struct opt_list bases, folders;
static bool fetch;
static int truncate_right;
static const char *rules_file, *map_file, *nameattr_file; /* NULL: none */

static const char *
take_palette(const struct opt *o, const char *arg)
{
	struct palette p;

	set.colors = arg;
	if (!palette_init(&p, str_of(arg), false))
		opt_refuse(o, arg, "is not a palette");
	return NULL;
}

static const char *
take_map(const char *arg)
{
	map_file = arg ? arg : PALETTE_MAP_FILE;
	return *map_file ? NULL : "is not a file name";
}

static const char *
take_background(const struct opt *o, const char *arg)
{
	set.background = arg;
	if (!background_is_known(str_of(arg)))
		opt_refuse(o, arg, "is not a background");
	return NULL;
}

static const char *
take_colour(const struct opt *o, const char *arg)
{
	struct colour c;

	*(const char **)o->value = arg;
	return colour_parse(str_of(arg), &c) ? NULL
					     : "is not a colour; use #rgb or #rrggbb";
}

static const char *
take_stroke(const struct opt *o, const char *arg)
{
	if (!str_eq(str_of(arg), STR("none")))
		return take_colour(o, arg);
	set.stroke = "";
	return NULL;
}

static const char *
take_minwidth(const char *arg)
{
	char *end;

	set.minwidth = strtod(arg, &end);
	set.minwidth_is_percent = *end == '%';
	end += set.minwidth_is_percent;
	if (end == arg || *end || !(set.minwidth >= 0 && set.minwidth <= 100000))
		return "is not a width; use pixels, or percent as in 0.1%";
	return NULL;
}

static const char *
take_total(const char *arg)
{
	uint64_t total;
	bool rounded;

	set.total = arg;
	return folded_weight(str_of(arg), 0, &total, &rounded)
		? NULL
		: "is not a weight; use a number such as 5000 or 2.5";
}

static struct opt_shared shared;

static const struct opt options[] = {
#include "options/fg-svg.def"
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "[options] [FILE...]",
	.about = "Draws folded stacks as an interactive flame graph in SVG.\n"
		 "Reads stdin when no FILE is given.",
	.options = options,
	.shared = &shared,
};

/* --base: stacks begin at one of the named frames; stacks without one are left out. If a stack
 * has several, the one nearest to the root counts. */

/* Whether FRAME is one of them, with or without an annotation. */
static bool
is_base(const struct opt_list *list, struct str frame)
{
	struct str bare = frame_bare(frame), name;
	size_t i;

	for (i = 0; i < list->n; i++) {
		name = str_of(list->items[i]);
		if (str_eq(name, frame) || str_eq(name, bare))
			return true;
	}
	return false;
}

/* A folded_keep; LIST, a struct opt_list, has the frame names. */
static bool
keep_from_base(void *list, struct str *stack, bool turned)
{
	size_t at = 0, end, found = SIZE_MAX;

	for (; at <= stack->n; at = end + 1) {
		end = at + str_find(str_from(*stack, at), ';');
		if (!is_base(list, (struct str){ stack->s + at, end - at }))
			continue;
		found = turned ? end : at;
		if (!turned)
			break;
	}
	if (found == SIZE_MAX)
		return false;
	*stack = turned ? str_head(*stack, found) : str_from(*stack, found);
	return true;
}

/* The names, "a, b". */
static void
put_bases(struct buf *b)
{
	size_t i;

	for (i = 0; i < bases.n; i++) {
		buf_str(b, i ? STR(", ") : STR(""));
		buf_str(b, str_of(bases.items[i]));
	}
}

static void
put_left_out(struct buf *b, const struct folded_count *count)
{
	buf_str(b, STR(": left out "));
	units_put_count(b, count->left_out);
	buf_str(b, count->left_out == 1 ? STR(" stack without") : STR(" stacks without"));
	buf_str(b, STR(" such a frame, "));
}

/* The weight of column C including the stacks that were left out. */
static struct weight
find_whole(const struct profile *p, int c)
{
	struct weight whole = weight_of(p->tree.sum[c], p->tree.scale);

	(void)weight_add(&whole, p->count.left_weight[c]);
	return whole;
}

/* Reports the stacks left out of P, and stores in the header how many samples remain, and of
 * which frames. */
static void
report_base(struct profile *p)
{
	const struct folded_count *count = &p->count;
	const struct tree *t = &p->tree;
	struct weight whole[TREE_COLUMNS] = { { 0 } };
	int c, last = t->columns - 1;
	struct buf b = { 0 };

	for (c = 0; c < t->columns; c++)
		whole[c] = find_whole(p, c);
	folded_info_keep(&p->info, t, whole);
	put_bases(&b);
	folded_info_set(&p->info, "base", buf_view(&b));
	if (count->left_out && t->sum[last]) {
		put_left_out(&b, count);
		units_put_share(&b,
			weight_share(SHARES, count->left_weight[last], whole[last]),
			SHARES);
		msg_warn("--base %s of the weight", buf_cstr(&b));
	}
	buf_release(&b);
}

/* Chain graphs: stacks of a blocked thread followed by a frame "--", the stack of the thread
 * that woke it, and so on. Frames of wakers get the annotation _[w], as in flamegraph.pl, so
 * that they look different. */

/* The id of the name with the id NAME, annotated. */
static uint32_t
annotated(struct tree *t, uint32_t name)
{
	struct str plain = intern_str(&t->names, name);
	struct buf b = { 0 };

	if (frame_annotation(plain) == 'w')
		return name;
	buf_str(&b, plain);
	frame_annotate(&b, 'w');
	name = intern_id(&t->names, buf_view(&b));
	buf_release(&b);
	return name;
}

/* Annotates every frame of T above a "--". Paths stay distinct, but tree_child does not find
 * the frames of T afterwards. */
static void
annotate_wakers(struct tree *t)
{
	bool *above = mem_zero(t->n, sizeof *above);
	struct tree_node *node;
	uint32_t i;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		node = &t->nodes[i];
		above[i] = above[node->parent];
		if (node->name == TREE_GAP)
			continue;
		if (str_eq(intern_str(&t->names, node->name), STR("--")))
			above[i] = true;
		else if (above[i])
			node->name = annotated(t, node->name);
	}
	free(above);
}

/* Warns about problems that the picture does not show. */
static void
report_picture(const struct picture *p)
{
	struct buf b = { 0 };

	captions_put_vanished(&b, p);
	if (b.n)
		msg_warn("%s", buf_cstr(&b));
	buf_release(&b);
	if (p->samples && p->samples < SAMPLES_SOFT)
		msg_warn("only %" PRIu64 " sample%s: the widths are approximate",
			p->samples, msg_s(p->samples));
}

/* The reason why P cannot be drawn, or NULL. */
static const char *
why_nothing(const struct profile *p)
{
	const struct folded_count *count = &p->count;
	const struct tree *t = &p->tree;

	if (picture_has_width(&set, p) && !count->unusable)
		return NULL;
	if (count->left_out)
		return "no stack with a weight has a frame of --base";
	if (!count->lines)
		return "no folded stacks in the input (fg-collapse makes them from profiles)";
	return t->columns > 1 && t->sum[0] ? "no stack has a weight in the second column"
					   : "no stack has a weight";
}

/* Prints the statistics of --verbose. */
static void
print_statistics(const struct picture *p, uint64_t stacks)
{
	uint32_t drawn = 0;
	size_t i;

	for (i = 0; i < p->layout.n; i++)
		drawn += p->layout.boxes[i].node != LAYOUT_STRIP &&
			p->layout.boxes[i].depth > p->rows;
	msg_warn("%" PRIu64 " stack%s read: %" PRIu32 " frame%s of %" PRIu32
		 " name%s, %" PRIu32 " of them %g pixels wide or more",
		stacks, msg_s(stacks), p->frames, msg_s(p->frames), p->names,
		msg_s(p->names), drawn, p->minwidth);
}

/* Draws PROFILE with TIMELINE. Returns false when the picture could not be written. */
static bool
draw(struct profile *profile, const struct timeline *timeline)
{
	struct picture p;
	struct output out;
	bool written;

	if (str_eq(str_of(set.colors), STR("chain")))
		annotate_wakers(&profile->tree);
	picture_init(&p, &set, profile, timeline);
	if (set.rules && palette_rules_failed(set.rules)) {
		picture_release(&p);
		return false;
	}
	report_picture(&p);
	if (shared.verbose)
		print_statistics(&p, profile->count.lines);
	output_open(&out, shared.output);
	svg_write(&out, &p);
	written = output_close(&out);
	if (set.map && !palette_map_write(set.map))
		written = false;
	picture_release(&p);
	return written;
}

/* Sums away the dimensions of PROFILE that its picture cannot show: in time order, times follow
 * from the order; two recordings share neither times nor threads. */
static void
drop_dimensions(struct profile *profile)
{
	const struct dimensions *d = &profile->by.now;
	struct dimensions drop = { .n = 0 };
	struct buf list = { 0 };
	size_t i;

	for (i = 0; i < d->n; i++)
		if (profile->tree.columns > 1
				? folded_by_is_apart(d->name[i])
				: set.flamechart && str_eq(d->name[i], STR("time")))
			(void)dimensions_add(&drop, d->name[i]);
	if (drop.n) {
		dimensions_put(&list, &drop);
		msg_warn("summing %s away: %s", buf_cstr(&list),
			set.flamechart ? "the order of lines is the time"
				       : "two recordings do not share them");
		profile_drop_dimensions(profile, &drop, set.flamechart);
	}
	dimensions_release(&drop);
	buf_release(&list);
}

/* Stores the hottest lines of PROFILE in LINES. */
static bool
read_lines(struct hot_lines *lines, struct profile *profile)
{
	struct debuginfod *servers = fetch ? debuginfod_new() : NULL;
	bool good = hot_lines_init(lines, profile, &folders, servers);

	debuginfod_free(servers);
	return good;
}

/* Splits off when and where the stacks of PROFILE ran, and draws them. */
static bool
draw_profile(struct profile *profile)
{
	struct timeline timeline = { .n = 0 };
	struct hot_lines lines = { .texts = NULL };
	bool has_times, good;

	drop_dimensions(profile);
	if ((folders.n || fetch) && !read_lines(&lines, profile))
		return false;
	set.lines = folders.n || fetch ? &lines : NULL;
	has_times = timeline_init(&timeline, profile);
	good = draw(profile, has_times ? &timeline : NULL);
	timeline_release(&timeline);
	hot_lines_release(&lines);
	return good;
}

/* The files that describe names. */
struct about {
	struct palette_rules rules;
	struct palette_map map;
	struct nameattr_list attrs;
};

/* Reads them. Returns false, after a message, when one is unusable. */
static bool
read_about(struct about *about)
{
	set.rules = rules_file ? &about->rules : NULL;
	set.map = map_file ? &about->map : NULL;
	set.attrs = nameattr_file ? &about->attrs : NULL;
	return (!set.rules || palette_rules_init(set.rules, rules_file)) &&
		(!set.map || palette_map_init(set.map, map_file)) &&
		(!set.attrs || nameattr_list_init(set.attrs, nameattr_file));
}

/* Reads PATHS and draws them. Returns the exit status. */
static int
run(char **paths, const struct folded_options *how)
{
	struct profile p;
	const char *nothing;
	bool good, absent;

	profile_init(&p);
	good = profile_read(&p, paths, how);
	if (bases.n)
		report_base(&p);
	nothing = why_nothing(&p);
	if (nothing && good)
		msg_error("%s: nothing to draw", nothing);
	absent = good && nothing && p.count.left_out;
	good &= !nothing && draw_profile(&p);
	profile_release(&p);
	return msg_status(good ? MSG_DONE : absent ? MSG_NO : MSG_TROUBLE);
}

int
main(int argc, char **argv)
{
	struct folded_options how;
	struct about about = { 0 };
	int i, status;

	start_program(argv[0]);
	i = opt_parse(&program, argc, argv);
	set.truncate_right |= truncate_right;
	if ((folders.n || fetch) && (set.reverse || set.flamechart))
		opt_usage("--%s cannot be combined with --reverse or --flamechart",
			folders.n ? "source" : "debuginfod");
	if (output_is_terminal(shared.output))
		msg_die("stdout is a terminal; name a file, as in fg-svg -o flame.svg");
	how = (struct folded_options){ .reverse = set.reverse,
		.in_order = set.flamechart,
		.keep = bases.n ? keep_from_base : NULL,
		.with = &bases,
		.given = &given };
	status = read_about(&about) ? run(argv + i, &how) : MSG_TROUBLE;
	palette_rules_release(&about.rules);
	palette_map_release(&about.map);
	nameattr_list_release(&about.attrs);
	opt_list_release(&bases);
	opt_list_release(&folders);
	return status;
}
