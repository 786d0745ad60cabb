/* SPDX-License-Identifier: ISC */
/*
 * fg-filter: focuses, trims, renames and reverses folded stacks, step by step in
 * the order of the options.
 */
#include "units.h"
#include "filter.h"
#include "msg.h"
#include "options.h"
#include "profile.h"
#include "start.h"

#include <unistd.h>

static struct filter filter = { .where.option = "--where" };
static struct folded_given given;
static struct dimensions drop; /* --drop-by */
static bool no_header;

/* Adds the step of the option O. */
static const char *
add(const struct opt *o, const char *arg)
{
	static struct buf why;

	buf_clear(&why);
	return filter_add(&filter, (enum filter_kind)o->which, arg, &why)
		? NULL
		: buf_cstr(&why);
}

static const char *
take_where(const char *arg)
{
	return where_add(&filter.where, arg);
}

static const char *
take_drop(const char *arg)
{
	return dimensions_add_list(&drop, str_of(arg)) ? NULL
						       : "is not a list of dimensions";
}

static struct opt_shared shared;

static const struct opt options[] = {
#include "options/fg-filter.def"
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "[options] [FILE...]",
	.about = "Filters folded stacks, step by step in the order of the options.\n"
		 "Reads stdin when no FILE is given.",
	.options = options,
	.shared = &shared,
};

/* Reports effects of the steps that the output does not show. */
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

/* Whether stacks are left, besides "[filtered]". */
static bool
any_left(const struct tree *t)
{
	int c;

	for (c = 0; c < t->columns; c++)
		if (filter.whole[c] > filter.dropped[c])
			return true;
	return false;
}

/* Applies all steps to P. False after an error. */
static bool
change_profile(struct profile *p)
{
	if (!dimensions_has(&p->by.now, &drop, "--drop-by") ||
		!filter_run(&filter, &p->tree, &p->by.now))
		return false;
	profile_drop_dimensions(p, &drop, false);
	return true;
}

/* Filters P and writes the result; returns the exit status. */
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
