/* SPDX-License-Identifier: ISC */
/*
 * fg-filter: focuses, trims, renames and reverses folded stacks, step by step in
 * the order of the options.
 */
#include "units.h"
#include "filter.h"
#include "msg.h"
#include "opt.h"
#include "profile.h"
#include "start.h"

#include <unistd.h>

static struct filter filter = { .where.option = "--where" };
static struct folded_given given;
static struct dimensions drop; /* --drop-by */
static bool no_header;

static const char *
add(enum filter_kind kind, const char *arg)
{
	static struct buf why;

	buf_clear(&why);
	return filter_add(&filter, kind, arg, &why) ? NULL : buf_cstr(&why);
}

static const char *
take_focus(const char *arg)
{
	return add(FILTER_FOCUS, arg);
}

static const char *
take_ignore(const char *arg)
{
	return add(FILTER_IGNORE, arg);
}

static const char *
take_idle(const char *arg)
{
	return add(FILTER_IDLE, arg);
}

static const char *
take_root(const char *arg)
{
	return add(FILTER_ROOT, arg);
}

static const char *
take_below(const char *arg)
{
	return add(FILTER_BELOW, arg);
}

static const char *
take_above(const char *arg)
{
	return add(FILTER_ABOVE, arg);
}

static const char *
take_depth(const char *arg)
{
	return add(FILTER_DEPTH, arg);
}

static const char *
take_share(const char *arg)
{
	return add(FILTER_SHARE, arg);
}

static const char *
take_hide(const char *arg)
{
	return add(FILTER_HIDE, arg);
}

static const char *
take_show(const char *arg)
{
	return add(FILTER_SHOW, arg);
}

static const char *
take_rename(const char *arg)
{
	return add(FILTER_RENAME, arg);
}

static const char *
take_stable(const char *arg)
{
	return add(FILTER_STABLE, arg);
}

static const char *
take_lines(const char *arg)
{
	return add(FILTER_LINES, arg);
}

static const char *
take_module(const char *arg)
{
	return add(FILTER_MODULE, arg);
}

static const char *
take_recursion(const char *arg)
{
	return add(FILTER_RECURSION, arg);
}

static const char *
take_cycles(const char *arg)
{
	return add(FILTER_CYCLES, arg);
}

static const char *
take_reverse(const char *arg)
{
	return add(FILTER_REVERSE, arg);
}

static const char *
take_samples(const char *arg)
{
	return folded_given_read(&given, arg);
}

static const char *
take_where(const char *arg)
{
	return where_add(&filter.where, arg);
}

static const char *
take_drop(const char *arg)
{
	struct dimensions more = { .n = 0 };
	bool good = *arg && dimensions_read(&more, str_of(arg));
	size_t i;

	for (i = 0; i < more.n && good; i++)
		good = dimensions_find(&drop, more.name[i]) < drop.n ||
			dimensions_add(&drop, more.name[i]);
	dimensions_release(&more);
	return good ? NULL : "is not a list of dimensions";
}

static struct opt_shared shared;

static const struct opt options[] = {
	{ .kind = OPT_GROUP, .help = "Input" },
	{ 0, "unit", "UNIT", OPT_STR, &given.unit,
		"unit of weights without a header, such as ns", 0, 0, NULL },
	{ 0, "columns", "N", OPT_INT, &given.columns,
		"weights per line without a header, 1 or 2", 1, 2, NULL },
	{ 0, "samples", "N[,M]", OPT_CALL, NULL,
		"number of samples: N, or N before and M after", 0, 0, take_samples },
	{ .kind = OPT_GROUP, .help = "Dimensions" },
	{ 0, "where", "DIM=VALUE", OPT_CALL, NULL,
		"keep stacks of this value, such as tid=42 or time=1s..2.5s; repeatable",
		0, 0, take_where },
	{ 0, "drop-by", "DIM,...", OPT_CALL, NULL,
		"sum these dimensions away: their frames leave the stacks; repeatable", 0,
		0, take_drop },
	{ .kind = OPT_GROUP, .help = "Stacks" },
	{ 0, "focus", "RE", OPT_CALL, NULL, "keep stacks with a frame that matches RE", 0,
		0, take_focus },
	{ 0, "ignore", "RE", OPT_CALL, NULL, "drop stacks with a frame that matches RE",
		0, 0, take_ignore },
	{ 0, "drop-idle", NULL, OPT_CALL, NULL, "drop stacks that wait for work", 0, 0,
		take_idle },
	{ .kind = OPT_GROUP, .help = "Parts of stacks" },
	{ 0, "root", "RE", OPT_CALL, NULL,
		"start stacks at the first frame that matches RE; drop others", 0, 0,
		take_root },
	{ 0, "trim-above", "RE", OPT_CALL, NULL, "same, but keep other stacks", 0, 0,
		take_above },
	{ 0, "trim-below", "RE", OPT_CALL, NULL,
		"end stacks at the first frame that matches RE", 0, 0, take_below },
	{ 0, "depth", "N", OPT_CALL, NULL, "keep N frames from the root", 0, 0,
		take_depth },
	{ 0, "min-share", "PCT", OPT_CALL, NULL,
		"merge frames below PCT percent into their callers", 0, 0, take_share },
	{ .kind = OPT_GROUP, .help = "Frames" },
	{ 0, "hide", "RE", OPT_CALL, NULL, "remove frames that match RE", 0, 0,
		take_hide },
	{ 0, "show", "RE", OPT_CALL, NULL, "remove frames that do not match RE", 0, 0,
		take_show },
	{ 0, "rename", "s/RE/NEW/", OPT_CALL, NULL,
		"replace RE in names by NEW; $1 is the first group", 0, 0, take_rename },
	{ 0, "stable-names", NULL, OPT_CALL, NULL,
		"cut from names what differs between builds: hashes, clones, lines", 0, 0,
		take_stable },
	{ 0, "no-lines", NULL, OPT_CALL, NULL,
		"cut the place in the source, :FILE:LINE, from names", 0, 0, take_lines },
	{ 0, "by-module", NULL, OPT_CALL, NULL, "replace functions by their module", 0, 0,
		take_module },
	{ 0, "collapse-recursion", NULL, OPT_CALL, NULL, "merge A;A into A", 0, 0,
		take_recursion },
	{ 0, "collapse-cycles", NULL, OPT_CALL, NULL, "merge A;B;A;B into A;B", 0, 0,
		take_cycles },
	{ 0, "reverse", NULL, OPT_CALL, NULL, "reverse stacks, leaf first", 0, 0,
		take_reverse },
	{ .kind = OPT_GROUP, .help = "All steps" },
	{ 0, "last", NULL, OPT_FLAG, &filter.last,
		"--root and --trim-* use the last match in each stack", 0, 0, NULL },
	{ 0, "keep-total", NULL, OPT_FLAG, &filter.keep_total,
		"keep the weight of dropped stacks as one frame, [filtered]", 0, 0,
		NULL },
	{ .kind = OPT_GROUP, .help = "Output" },
	{ 0, "no-header", NULL, OPT_FLAG, &no_header, "do not write the #fg line", 0, 0,
		NULL },
	/* Of inferno-collapse-recursive. */
	{ 'n', "nthreads", "N", OPT_IGNORED, NULL, "fg-filter uses one thread", 0, 0,
		NULL },
	{ 0 },
};

static const struct opt_program program = { "[options] [FILE...]",
	"Filters folded stacks, step by step in the order of the options.\n"
	"Reads stdin when no FILE is given.",
	options, &shared };

/* What the steps did that the output does not show. */
static void
report(const struct tree *t)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < filter.n; i++)
		if (filter.steps[i].kind == FILTER_MODULE && !filter.modules) {
			msg_warn(
				"no frame names its module: --by-module changed nothing");
			break;
		}
	if (shared.verbose && filter.whole[t->columns - 1]) {
		units_put_share(
			&b, filter.dropped[t->columns - 1], filter.whole[t->columns - 1]);
		msg_warn("filtered out %s of the weight", buf_cstr(&b));
	}
	buf_release(&b);
}

/* Whether stacks are left besides those that were filtered out. */
static bool
any_left(const struct tree *t)
{
	int c;

	for (c = 0; c < t->columns; c++)
		if (filter.whole[c] > filter.dropped[c])
			return true;
	return false;
}

/* Whether P has the dimensions of --drop-by; an error says that not. */
static bool
has_dimensions(const struct profile *p)
{
	const struct dimensions *d = &p->by.now;
	size_t i;

	for (i = 0; i < drop.n; i++)
		if (dimensions_find(d, drop.name[i]) == d->n) {
			where_tell_missing("--drop-by", drop.name[i], d);
			return false;
		}
	return true;
}

/* Takes all steps on P. False after an error. */
static bool
change_profile(struct profile *p)
{
	if (!has_dimensions(p) || !filter_run(&filter, &p->tree, &p->by.now))
		return false;
	profile_drop_dimensions(p, &drop, false);
	return true;
}

/* Filters P and writes what is left; returns the exit status. */
static int
filter_profile(struct profile *p)
{
	if (!change_profile(p))
		return MSG_TROUBLE;
	report(&p->tree);
	if (!any_left(&p->tree))
		msg_error("no stacks left");
	filter_adjust(&filter, &p->tree, &p->info);
	if ((p->tree.sum[0] || p->tree.sum[1]) &&
		!profile_write(p, shared.output, !no_header))
		return MSG_TROUBLE;
	return any_left(&p->tree) ? MSG_DONE : MSG_NO;
}

int
main(int argc, char **argv)
{
	static const struct folded_options how = { .given = &given };
	struct profile p;
	bool good;
	int i, status = MSG_TROUBLE;

	start_program(argv[0]);
	i = opt_parse(&program, argc, argv);
	profile_init(&p);
	good = profile_read(&p, argv + i, &how);
	if (profile_has_stacks(&p))
		status = filter_profile(&p);
	else if (good)
		msg_error("no folded stacks in the input");
	profile_release(&p);
	filter_release(&filter);
	dimensions_release(&drop);
	return good ? status : MSG_TROUBLE;
}
