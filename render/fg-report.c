/* SPDX-License-Identifier: ISC */
/*
 * fg-report: reports on folded stacks for a terminal: the hottest functions, the call tree, the
 * callers and callees of a function. JSON and TSV for scripts.
 */
#include "calltree.h"
#include "match.h"
#include "mem.h"
#include "msg.h"
#include "options.h"
#include "profile.h"
#include "report.h"
#include "start.h"
#include "stats.h"
#include "svg-data.h"
#include "terminal.h"
#include "timeline.h"

#include <inttypes.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOP = 30, BRIEF = 4096, BRIEF_LONGEST = 1 << 24 };
static const double MIN_SHARE = 1;

static struct report_settings set;
static const char *callers, *callees, *by;
static bool tree_asked, diff_asked, tsv;
static struct folded_given given;
static long top = -1, depth, width;
static double min_share = -1;
static int sort, colour;	  /* enum report_sort, terminal_colour */
static struct report_brief brief; /* bytes; 0: not requested */

static const char *
take_brief(const char *arg)
{
	uint64_t bytes = BRIEF;

	if (arg && (!str_to_u64(str_of(arg), &bytes) || !bytes || bytes > BRIEF_LONGEST))
		return "is not a size from 1 to 16777216 bytes";
	brief.bytes = (size_t)bytes;
	return NULL;
}

static struct opt_shared shared;

static const struct opt options[] = {
#include "options/fg-report.def"
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "[options] [FILE...]",
	.about = "Prints the hottest functions or the call tree of folded stacks.\n"
		 "Reads stdin when no FILE is given.",
	.options = options,
	.shared = &shared,
};

/* Sets the defaults of options that depend on others. */
static void
settle(void)
{
	int reports = tree_asked + (callers != NULL) + (callees != NULL) + (by != NULL) +
		(brief.bytes > 0);

	if (reports > 1)
		opt_usage(
			"use only one of --tree, --callers, --callees, --by and --brief");
	if (set.json && tsv)
		opt_usage("--json and --tsv cannot be combined");
	if (brief.bytes && (set.json || tsv))
		opt_usage("--brief is plain text: no --json and no --tsv");
	set.kind = tree_asked ? REPORT_TREE
		: callers     ? REPORT_CALLERS
		: callees     ? REPORT_CALLEES
			      : REPORT_TOP;
	set.sort = (enum report_sort)sort;
	set.expression = callers ? callers : callees;
	/* Scripts get every function, unless they ask for fewer. */
	set.top = top >= 0 ? (size_t)top : set.json || tsv ? 0 : TOP;
	set.min_share = min_share >= 0 ? min_share : set.json || tsv ? 0 : MIN_SHARE;
	set.depth = (uint32_t)depth;
}

/* The reason why P cannot be reported, or NULL. */
static const char *
why_nothing(const struct profile *p)
{
	const struct tree *t = &p->tree;

	if (!profile_has_stacks(p))
		return "no folded stacks in the input";
	if (!t->sum[0] && !(t->columns > 1 && t->sum[1]))
		return "no stack has a weight";
	return diff_asked && t->columns < 2
		? "no stack has a second weight (fg-diff writes two)"
		: NULL;
}

static void
warn_of_few(const struct report *s)
{
	struct buf side = { 0 };
	int c;

	for (c = 0; c < s->tree->columns; c++) {
		buf_clear(&side);
		if (report_is_diff(s)) {
			buf_str(&side, report_is_ratio(s) ? STR(" of ") : STR(" "));
			buf_str(&side, report_side(s, c));
		}
		if (s->samples[c] > 0 && s->samples[c] < STATS_SOFT)
			msg_warn("only %.0f sample%s%s: the shares are approximate",
				s->samples[c], msg_s((uint64_t)s->samples[c]),
				buf_cstr(&side));
	}
	buf_release(&side);
}

/* The names of functions that match the expression, by id; NULL after a message, with the exit
 * status in *STATUS. The caller frees it. */
static bool *
choose(const struct report *s, struct match *m, int *status)
{
	bool *chosen = mem_zero(s->tree->names.n, sizeof *chosen);
	uint32_t i, n = 0;

	for (i = 0; i < s->n; i++)
		n += chosen[s->functions[i].name] =
			match_has(m, intern_str(&s->tree->names, s->functions[i].name));
	if (match_failure(m))
		msg_error("giving up on '%s': %s", set.expression, match_failure(m));
	else if (n)
		return chosen;
	else
		msg_error("no function matches '%s'", set.expression);
	*status = match_failure(m) ? MSG_TROUBLE : MSG_NO;
	free(chosen);
	return NULL;
}

static bool
write_out(const struct report *s, struct calltree *ct)
{
	struct terminal terminal;
	struct output out;

	terminal_init(&terminal, output_is_terminal(shared.output) ? STDOUT_FILENO : -1,
		(size_t)width, (enum terminal_colour)colour);
	output_open(&out, shared.output);
	if (set.json || tsv)
		report_write_data(&out, s, ct);
	else if (ct)
		report_write_rows(&out, s, &terminal, ct);
	else
		report_write_top(&out, s, &terminal);
	return output_close(&out);
}

/* Writes the call tree, of PLACES or all. Returns the exit status. */
static int
report_tree(const struct report *s, const bool *places)
{
	struct calltree ct;
	bool written;

	report_make_tree(s, places, &ct);
	written = write_out(s, &ct);
	calltree_release(&ct);
	return written ? MSG_DONE : MSG_TROUBLE;
}

/* Writes the call tree of the places that match the expression. Returns the exit status. */
static int
report_places(const struct report *s, struct match *m)
{
	int status = MSG_DONE;
	bool *chosen = choose(s, m, &status), *places;

	if (!chosen)
		return status;
	places = report_find_places(s, chosen);
	status = report_tree(s, places);
	free(places);
	free(chosen);
	return status;
}

/* Writes the values of the requested dimension. Returns the exit status. */
static int
report_values(const struct report *s)
{
	struct terminal terminal;
	struct output out;

	if (report_is_diff(s)) {
		msg_error(
			"--by: the input has two columns; use it on each of the profiles");
		return MSG_TROUBLE;
	}
	terminal_init(&terminal, output_is_terminal(shared.output) ? STDOUT_FILENO : -1,
		(size_t)width, (enum terminal_colour)colour);
	output_open(&out, shared.output);
	report_write_values(&out, s, set.json || tsv ? NULL : &terminal, str_of(by));
	return output_close(&out) ? MSG_DONE : MSG_TROUBLE;
}

/* Writes the brief report, which contains the caveats. Returns the exit status. */
static int
report_brief(struct report *s)
{
	struct output out;

	report_sort(s);
	output_open(&out, shared.output);
	report_write_brief(&out, s, &brief);
	return output_close(&out) ? MSG_DONE : MSG_TROUBLE;
}

/* Writes the report of P. Returns the exit status. */
static int
report(const struct profile *p, struct match *m)
{
	struct report s;
	int status;

	report_init(&s, &set, p);
	if (!brief.bytes)
		warn_of_few(&s);
	if (brief.bytes) {
		status = report_brief(&s);
	} else if (by) {
		status = report_values(&s);
	} else if (m) {
		status = report_places(&s, m);
	} else if (set.kind == REPORT_TREE) {
		status = report_tree(&s, NULL);
	} else {
		report_sort(&s);
		status = write_out(&s, NULL) ? MSG_DONE : MSG_TROUBLE;
	}
	report_release(&s);
	return status;
}

/* The compiled expression; NULL if none was given. */
static struct match *
compile(void)
{
	struct buf why = { 0 };
	struct match *m;

	if (!set.expression)
		return NULL;
	m = match_new(str_of(set.expression), 0, &why);
	if (!m)
		opt_usage("--%s '%s': %s", callers ? "callers" : "callees",
			set.expression, buf_cstr(&why));
	return m;
}

/* Checks whether PATHS is a single picture whose frames have the same paths as its stacks.
 * Without warnings: it is read again. */
static void
find_picture(char **paths)
{
	struct str header;
	struct input *in;
	struct stat st;

	if (!paths[0] || paths[1] || stat(paths[0], &st) < 0 || !S_ISREG(st.st_mode))
		return;
	in = input_open(paths[0]);
	if (!in)
		return;
	header = input_window(in, 1);
	if (str_starts(header, STR("<")))
		header = svg_data_header(input_rest(in));
	else
		header = STR("");
	header = str_cut(&header, '\n');
	if (header.n && str_search(header, STR(" reversed=1")) == header.n)
		brief.picture = str_of(paths[0]);
	input_close(in);
}

/* Finds the dimension frames above all functions in P's picture. If there are several, lines
 * have no unique place there. */
static void
find_rows(const struct profile *p)
{
	const struct tree *t = &p->tree;
	uint32_t *level = tree_depths(t), i, rows = 0, last = TREE_ROOT;

	for (i = TREE_ROOT + 1; i < t->n; i++) {
		if (level[i] > p->by.now.n)
			continue;
		last = i;
		rows++;
	}
	if (rows > p->by.now.n)
		brief.picture = STR("");
	else if (rows)
		folded_put_stack(&brief.rows, t, last);
	free(level);
}

/* Gives a frame to stacks of T without one. */
static void
name_root(struct tree *t)
{
	uint32_t node;

	if (!t->self[0][TREE_ROOT])
		return;
	node = tree_child(t, TREE_ROOT, DIMENSIONS_NO_FUNCTION);
	t->self[0][node] += t->self[0][TREE_ROOT];
	t->self[0][TREE_ROOT] = 0;
}

/* Collects facts about P that only the brief report shows. */
static void
prepare_brief(struct profile *p, char **paths)
{
	struct timeline timeline;

	brief.malformed = p->count.malformed;
	find_picture(paths);
	if (timeline_init(&timeline, p)) {
		brief.tracks = timeline.n_tracks;
		p->by.now.n = timeline.rows;
		name_root(&p->tree);
	}
	timeline_release(&timeline);
	if (brief.picture.n)
		find_rows(p);
}

/* Sums away the dimensions of P except the requested one. Returns false, after an error, when P
 * does not have it. */
static bool
drop_dimensions(struct profile *p)
{
	struct dimensions kept = { .n = 0 };

	if (by && dimensions_find(&p->by.now, str_of(by)) == p->by.now.n) {
		dimensions_tell_missing(&p->by.now, str_of(by), "--by");
		return false;
	}
	if (by)
		(void)dimensions_add(&kept, str_of(by));
	profile_keep_dimensions(p, &kept);
	dimensions_release(&kept);
	return true;
}

int
main(int argc, char **argv)
{
	static const struct folded_options how = { .given = &given };
	struct match *m;
	struct profile p;
	const char *nothing;
	int i, status = MSG_TROUBLE;
	bool good;

	start_program(argv[0]);
	i = opt_parse(&program, argc, argv);
	settle();
	m = compile();
	profile_init(&p);
	good = profile_read(&p, argv + i, &how);
	if (shared.verbose)
		msg_warn("%" PRIu64 " stack%s read", p.count.lines, msg_s(p.count.lines));
	nothing = why_nothing(&p);
	if (nothing && good)
		msg_error("%s: nothing to report", nothing);
	if (!nothing && brief.bytes)
		prepare_brief(&p, argv + i);
	if (!nothing && drop_dimensions(&p))
		status = report(&p, m);
	buf_release(&brief.rows);
	match_free(m);
	profile_release(&p);
	return good ? status : MSG_TROUBLE;
}
