/* SPDX-License-Identifier: ISC */
/*
 * fg-export: folded stacks in the formats of other viewers and stores.
 */
#include "mem.h"
#include "msg.h"
#include "options.h"
#include "profile.h"
#include "start.h"
#include "suggest.h"
#include "targets.h"

#include <inttypes.h>
#include <unistd.h>

static struct export_settings set = { .min_share = 0.5 };
static struct folded_given given;
static bool list;

/* The argument of an option, for opt_usage. */
static const char *
take_target(const char *arg)
{
	static char text[400];
	struct suggest near = { .want = str_of(arg) };
	struct buf b = { 0 };
	const struct target *t;

	set.target = arg;
	if (targets_find(str_of(arg)))
		return NULL;
	for (t = targets; t->name; t++)
		suggest_offer(&near, str_of(t->name));
	buf_str(&b, STR("is not a target"));
	suggest_put(&near, &b);
	buf_str(&b, STR("; --list-targets prints all"));
	snprintf(text, sizeof text, "%s", buf_cstr(&b));
	suggest_release(&near);
	buf_release(&b);
	return text;
}

static const char *
take_keep(const char *arg)
{
	return dimensions_add_list(&set.keep, str_of(arg))
		? NULL
		: "is not a list of dimensions";
}

static struct opt_shared shared;

static const struct opt options[] = {
#include "options/fg-export.def"
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "--to TARGET [options] [FILE...]",
	.about = "Writes folded stacks in the format of another viewer or store.\n"
		 "Reads stdin when no FILE is given.",
	.options = options,
	.shared = &shared,
};

static int
list_targets(void)
{
	const struct target *t;
	struct output out;

	output_open(&out, shared.output);
	for (t = targets; t->name; t++)
		output_fmt(&out, "%-12s %s\n", t->name, t->about);
	return output_close(&out) ? MSG_DONE : MSG_TROUBLE;
}

/* Writes P. Returns false, after a message, when some of it could not be written. */
static bool
write_out(struct profile *p, const struct export_target *target)
{
	struct output out;
	struct export x;
	bool good = export_init(&x, p, &set, target);

	if (good) {
		output_open(&out, shared.output);
		x.out = &out;
		good = target->write(&x);
		output_str(&out, buf_view(&x.b));
		out.failed |= !good;
		good = output_close(&out) && good;
	}
	export_release(&x);
	return good;
}

int
main(int argc, char **argv)
{
	static const struct folded_options how = { .given = &given };
	const struct target *t;
	struct profile p;
	bool good;
	int i;

	start_program(argv[0]);
	i = opt_parse(&program, argc, argv);
	if (list)
		return list_targets();
	if (!set.target)
		opt_usage("name a target, as in --to pprof; --list-targets prints all");
	t = targets_find(str_of(set.target));
	if (set.keep.n && export_has_place(t->target))
		opt_usage("--keep-by: --to %s keeps all dimensions, not as frames",
			t->name);
	if (t->target->needs & EXPORT_BINARY && output_is_terminal(shared.output))
		msg_die("stdout is a terminal; name a file, as in fg-export --to %s -o FILE",
			t->name);
	profile_init(&p);
	good = profile_read(&p, argv + i, &how);
	if (shared.verbose)
		msg_warn("%" PRIu64 " stack%s read", p.count.lines, msg_s(p.count.lines));
	if (!profile_has_stacks(&p)) {
		if (good)
			msg_error("no folded stacks in the input: nothing to export");
		good = false;
	} else {
		good &= dimensions_has(&p.by.now, &set.keep, "--keep-by") &&
			write_out(&p, t->target);
	}
	profile_release(&p);
	dimensions_release(&set.keep);
	return good ? MSG_DONE : MSG_TROUBLE;
}
