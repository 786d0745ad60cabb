/* SPDX-License-Identifier: ISC */
/*
 * fg-diff: compares two profiles. Writes one text with two columns, which fg-svg draws, or a report
 * on significant changes, with an exit status for a gate.
 */
#include "compare.h"
#include "msg.h"
#include "options.h"
#include "start.h"
#include "tested.h"
#include "diff-report.h"
#include "trend-report.h"

#include <inttypes.h>
#include <math.h>

/* A format of reports. */
struct form {
	const char *name;
	void (*write)(struct output *out, const struct diff_report *v);
	void (*write_trend)(struct output *out, const struct trend_report *v);
};

#define CONFIDENCE 0.95
static struct compare_options set = { .confidence = CONFIDENCE, .min_share = 0.01 };
static struct runs_options reading;
static struct opt_list sides[RUNS_GROUPS];
static struct where parts[RUNS_SIDES] = { { .option = "--where-before" },
	{ .option = "--where-after" } };
static struct opt_list series;
static const char *at;
static int form = -1; /* index in FORMS */
static const struct form *report;
static const char *norm, *given_norm, *only, *ignore;
static struct folded_given given;
static const char *samples, *min_share, *per;
static struct str names[RUNS_SIDES]; /* empty: from file names */
static bool normalise, no_header;
static long top = 20, each = 1;

static const struct form forms[] = {
	{ "text", diff_report_write_text, trend_report_write_text },
	{ "markdown", diff_report_write_markdown, trend_report_write_markdown },
	{ "json", diff_report_write_json, trend_report_write_json },
};

/* Parses ARG, "5" or "5%", into *PART, 0.05. */
static bool
parse_percent(const char *arg, double most, double *part)
{
	char *end;
	double v = strtod(arg, &end);

	*part = v / 100;
	if (end == arg || !(v >= 0 && v <= most))
		return false;
	return !*end || strcmp(end, "%") == 0;
}

static const char *
take_where(const struct opt *o, const char *arg)
{
	return where_add(o->value, arg);
}

static const char *
take_fail_over(const char *arg)
{
	set.gate = true;
	return parse_percent(arg, 1e6, &set.limit)
		? NULL
		: "is not a valid limit; use a number of percentage points, or "
		  "with --relative of percent";
}

static const char *
take_min_share(const char *arg)
{
	min_share = arg;
	return parse_percent(arg, 100, &set.min_share)
		? NULL
		: "is not a percentage from 0 to 100";
}

/* Parses "N", or "N,M" for both sides. */
static const char *
take_per(const char *arg)
{
	static const char wrong[] =
		"is not a number above 0, or two with a comma between";
	char *end;
	int i;

	per = arg;
	for (i = 0; i < RUNS_SIDES; i++) {
		set.per[i] = strtod(arg, &end);
		if (end == arg || !(set.per[i] > 0) || !(set.per[i] < 1e18) ||
			(*end && (i || *end != ',')))
			return wrong;
		if (!*end && !i) {
			set.per[1] = set.per[0];
			return NULL;
		}
		arg = end + 1;
	}
	return NULL;
}

static const char *
take_samples(const struct opt *o, const char *arg)
{
	samples = arg;
	return folded_given_samples(o, arg);
}

static const char *
take_names(const char *arg)
{
	names[RUNS_AFTER] = str_of(arg);
	names[RUNS_BEFORE] = str_cut(&names[RUNS_AFTER], ',');
	return names[RUNS_BEFORE].n && names[RUNS_AFTER].n
		? NULL
		: "is not two names; use a pair such as old,new";
}

static struct opt_shared shared;

static const struct opt options[] = {
#include "options/fg-diff.def"
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "[options] [BEFORE AFTER]",
	.about = "Compares two profiles of folded stacks, or several runs of each.",
	.options = options,
	.shared = &shared,
};

static struct match *
compile(const char *name, const char *pattern)
{
	struct buf why = { 0 };
	struct match *m = pattern ? match_new(str_of(pattern), 0, &why) : NULL;

	if (pattern && !m)
		opt_usage("--%s: %s", name, buf_cstr(&why));
	buf_release(&why);
	return m;
}

/* Applies and checks options that depend on each other. */
static void
settle(void)
{
	if ((set.relative || set.no_total || set.strict) && !set.gate)
		opt_usage("--%s needs --fail-over",
			set.relative	     ? "relative"
				: set.strict ? "strict"
					     : "no-total");
	if (form >= 0 || set.gate)
		report = &forms[form >= 0 ? form : 0];
	if (!series.n && (at || each > 1))
		opt_usage("--%s needs --trend", at ? "at" : "each");
	if (normalise && norm && strcmp(norm, "total") != 0)
		opt_usage("-n and --norm %s cannot be combined", norm);
	given_norm = normalise ? "total" : norm;
	if (!norm)
		norm = normalise ? "total" : set.exact ? "none" : "steady";
	set.norms = changes_read_norm(str_of(norm));
	set.only = compile("only", only);
	set.ignore = compile("ignore", ignore);
}

/* Selects the sides from the only operand. */
static struct runs_files
select_parts(int n, char **files)
{
	if (sides[0].n || sides[1].n || sides[RUNS_OLDER].n || series.n || n > 1)
		opt_usage("--where-before and --where-after compare parts of one file");
	if (!parts[0].n || !parts[1].n)
		opt_usage("--where-before and --where-after must both be given");
	return (struct runs_files){ .one = n ? files[0] : "-", .select = parts };
}

/* Assigns the operands to the sides. */
static struct runs_files
assign_operands(int n, char **files)
{
	static const char *two[RUNS_SIDES];
	struct runs_files f = { .one = NULL };
	int i;

	if (parts[0].n || parts[1].n)
		return select_parts(n, files);
	if (sides[0].n || sides[1].n) {
		if (n || !sides[0].n || !sides[1].n)
			opt_usage("-a and -b must both be given, and take all files");
	} else if (n > 2) {
		opt_usage("more than two files; use -a FILE... -b FILE...");
	} else if (n < 2) {
		f.one = n ? files[0] : "-";
	}
	for (i = 0; i < RUNS_SIDES && n == 2; i++) {
		two[i] = files[i];
		sides[i] = (struct opt_list){ &two[i], 1, 0 };
	}
	if (f.one && sides[RUNS_OLDER].n)
		opt_usage("--noise needs a file for each side");
	for (i = 0; i < RUNS_GROUPS; i++) {
		f.path[i] = sides[i].items;
		f.n[i] = sides[i].n;
	}
	return f;
}

static const char *const GROUPS[] = { "before", "after", "noise" };

static void
report_reading(const struct runs *r)
{
	struct buf b = { 0 };
	int i;

	for (i = 0; i < RUNS_GROUPS; i++) {
		folded_count_report(&r->side[i].count);
		buf_clear(&b);
		diff_report_put_samples(&b, r, i);
		if (shared.verbose && r->side[i].n)
			msg_warn("%s: %" PRIu64 " stack%s, samples: %s", GROUPS[i],
				r->side[i].count.lines, msg_s(r->side[i].count.lines),
				buf_cstr(&b));
	}
	buf_release(&b);
}

/* Reads all files. False when one could not be read, or there is no stack. */
static bool
read_files(struct runs *r, const struct runs_files *files)
{
	bool good = runs_read(r, files);

	runs_settle(r, &given);
	report_reading(r);
	if (!good || series.n || r->tree.sum[0] || r->tree.sum[1])
		return good;
	msg_error("no folded stacks in the input: nothing to compare");
	return false;
}

/* Whether all groups with KEY have the same value; else *A and *B are two that differ. */
static bool
agree(const struct runs *r, const char *key, int *a, int *b)
{
	struct str first, second;

	for (*a = 0; *a < RUNS_GROUPS; ++*a)
		for (*b = *a + 1; *b < RUNS_GROUPS; ++*b) {
			first = folded_info_get(&r->side[*a].info, key);
			second = folded_info_get(&r->side[*b].info, key);
			if (first.n && second.n && !str_eq(first, second))
				return false;
		}
	return true;
}

/* Refuses sides with different units, and copies a unit to a side without one; warns about
 * different events. */
static bool
check_headers(struct runs *r)
{
	struct runs_side *s = r->side;
	int a, b;

	if (!agree(r, "unit", &a, &b)) {
		msg_error("cannot compare: %s is in %.*s, %s in %.*s", GROUPS[a],
			STR_ARG(folded_info_unit(&s[a].info)), GROUPS[b],
			STR_ARG(folded_info_unit(&s[b].info)));
		return false;
	}
	if (!agree(r, "event", &a, &b))
		msg_warn("different events: %s counts %.*s, %s %.*s", GROUPS[a],
			STR_ARG(folded_info_get(&s[a].info, "event")), GROUPS[b],
			STR_ARG(folded_info_get(&s[b].info, "event")));
	for (a = 0; a < RUNS_SIDES; a++) {
		if (!s[!a].count.lines || folded_info_get(&s[a].info, "unit").n ||
			!folded_info_get(&s[!a].info, "unit").n)
			continue;
		folded_info_set(&s[a].info, "unit", folded_info_get(&s[!a].info, "unit"));
		if (s[a].count.lines)
			msg_warn("%s has no unit in its header: assuming %.*s", GROUPS[a],
				STR_ARG(folded_info_unit(&s[a].info)));
	}
	return true;
}

/* Reports a side without weight: an error for a report, which would be empty. False if there is
 * such a side. */
static bool
check_sides(const struct runs *r, const struct runs_files *files)
{
	int side = r->tree.sum[RUNS_BEFORE] ? RUNS_AFTER : RUNS_BEFORE;
	const char *name =
		!files->one && files->n[side] == 1 ? files->path[side][0] : files->one;

	if (r->tree.sum[side])
		return true;
	if (report)
		msg_error("%s: no stacks %s: nothing to compare",
			name ? name : "all files", GROUPS[side]);
	else
		msg_warn("%s: no stacks %s: all of the other side is %s",
			name ? name : "all files", GROUPS[side],
			side == RUNS_BEFORE ? "new" : "gone");
	return false;
}

/* By name, total before self. */
static int
by_test_name(const void *a, const void *b)
{
	const struct folded_test *x = a, *y = b;
	int c = str_cmp(x->name, y->name);

	return c ? c : x->is_self - y->is_self;
}

/* Adds the test results to INFO for pictures and reports. */
static void
put_tests(const struct compare *c, struct folded_info *info)
{
	const struct compare_test *test;
	size_t i;

	folded_info_forget_tests(info);
	if (set.exact)
		tested_put_exact(info);
	if (!c->is_known)
		return;
	tested_put_design(info, &c->design, set.confidence);
	for (i = 0; i < c->n_tests; i++) {
		test = &c->tests[i];
		tested_put(info, intern_str(&c->runs->tree.names, test->name),
			test->is_self, (struct tested_metric){ test->phi, test->p },
			set.confidence);
	}
	folded_info_set_u64(info, "runs-before", c->runs->side[RUNS_BEFORE].n);
	folded_info_set_u64(info, "runs", c->runs->side[RUNS_AFTER].n);
	if (info->n_tests)
		qsort(info->tests, info->n_tests, sizeof *info->tests, by_test_name);
}

/* Adds the verdict: the header's, if it was made with the runs, else that of C. */
static void
put_verdict(struct buf *b, const struct runs *r, const struct compare *c)
{
	struct str known = folded_info_get(&r->side[RUNS_AFTER].info, "verdict");

	if (known.n)
		buf_str(b, known);
	else if (c && (c->is_known || set.exact))
		diff_report_put_findings(b, c);
}

/* Writes the text with two columns. C is NULL when a side has no weight to scale. */
static int
write_columns(struct runs *r, const struct compare *c, const struct runs_files *files)
{
	const char *wrong;
	bool keeps_norm = files->one && set.norms.norm == CHANGES_NONE;
	struct str norm_name = c ? compare_norm(c) : STR("none");
	struct buf verdict = { 0 };
	struct profile both;
	bool written;

	/* The verdict is about the original weights. */
	put_verdict(&verdict, r, c);
	wrong = c ? compare_scale(c, r) : NULL;
	if (wrong) {
		msg_error("%s", wrong);
		buf_release(&verdict);
		return MSG_TROUBLE;
	}
	both = (struct profile){ .tree = r->tree };
	runs_put_info(r, files, keeps_norm ? STR("") : norm_name, &both.info);
	if (names[RUNS_BEFORE].n) {
		folded_info_set(&both.info, "name-before", names[RUNS_BEFORE]);
		folded_info_set(&both.info, "name", names[RUNS_AFTER]);
	}
	if (c)
		put_tests(c, &both.info);
	folded_info_set(&both.info, "verdict", buf_view(&verdict));
	buf_release(&verdict);
	written = profile_write(&both, shared.output, !no_header);
	folded_info_release(&both.info);
	return written ? MSG_DONE : MSG_TROUBLE;
}

/* Adds the options of the conditions W. */
static void
put_parts(struct buf *b, const struct where *w)
{
	const struct where_condition *c = w->conditions;
	struct buf word = { 0 };

	for (; c < w->conditions + w->n; c++) {
		buf_clear(&word);
		buf_str(&word, c->name);
		buf_char(&word, '=');
		buf_str(&word, c->value);
		buf_fmt(b, " %s ", w->option);
		diff_report_put_quoted(b, buf_view(&word));
	}
	buf_release(&word);
}

/* Adds the options for a picture of the same comparison. */
static void
put_options(struct buf *b)
{
	const struct {
		const char *name, *value;
	} with[] = { { "norm", given_norm }, { "samples", samples }, { "only", only },
		{ "ignore", ignore }, { "min-share", min_share }, { "per", per } };
	size_t i;

	if (reading.strip)
		buf_str(b, STR(" -s"));
	if (reading.exact_names)
		buf_str(b, STR(" --exact-names"));
	if (set.exact)
		buf_str(b, STR(" --exact"));
	if (set.confidence != CONFIDENCE)
		buf_fmt(b, " --confidence %.10g", set.confidence);
	for (i = 0; i < sizeof with / sizeof *with; i++) {
		if (!with[i].value)
			continue;
		buf_fmt(b, " --%s ", with[i].name);
		diff_report_put_quoted(b, str_of(with[i].value));
	}
	for (i = 0; i < RUNS_SIDES; i++)
		put_parts(b, &parts[i]);
}

static int
write_report(const struct compare *c, const struct runs_files *files)
{
	struct diff_report v = { .compare = c, .files = files, .top = (size_t)top };
	struct buf picture = { 0 };
	struct output out;

	if (!c->is_known && !set.exact) {
		msg_error("cannot test: no samples= in the header; use --samples N, or "
			  "--exact where weights are not samples");
		return MSG_TROUBLE;
	}
	if (c->is_single && !set.exact)
		msg_warn(
			"one run a side: only large changes can be detected; record three, "
			"interleaved");
	put_options(&picture);
	v.options = buf_cstr(&picture);
	output_open(&out, shared.output);
	report->write(&out, &v);
	buf_release(&picture);
	if (!output_close(&out))
		return MSG_TROUBLE;
	return c->gate == COMPARE_FAILED ||
			(c->gate == COMPARE_CANNOT_TELL && set.gate && set.strict)
		? MSG_NO
		: MSG_DONE;
}

/* Trends. */

static struct runs_files
check_series(int n)
{
	if (n || sides[0].n || sides[1].n || sides[RUNS_OLDER].n)
		opt_usage("--trend takes all files");
	if (set.exact || set.strict || set.per[0] > 0 || given.samples[0])
		opt_usage("--trend and --%s cannot be combined",
			set.exact		 ? "exact"
				: set.strict	 ? "strict"
				: set.per[0] > 0 ? "per"
						 : "samples");
	if (at && report)
		opt_usage("--at is for output without --report");
	return (struct runs_files){ .path[RUNS_OLDER] = series.items,
		.n[RUNS_OLDER] = series.n };
}

/* The change for the picture; NULL, after a message, if there is none. */
static const struct trend_point *
choose_point(const struct trend_report *v)
{
	const struct trend *t = v->trend;
	size_t revision, i;

	if (!at && !t->n)
		msg_error("nothing changed: no difference to write");
	if (!at)
		return trend_largest(t);
	revision = trend_report_find(v, str_of(at));
	for (i = 0; i < t->n; i++)
		if (t->points[i].at == revision)
			return &t->points[i];
	msg_error(revision < t->revisions ? "--at %s: nothing changed there"
					  : "--at %s: is not a revision",
		at);
	return NULL;
}

/* Writes the text with two columns, before and after a change. */
static int
write_point(struct runs *r, const struct trend_report *v)
{
	const struct trend_point *p = choose_point(v);
	struct runs_files files = { .one = NULL };
	struct buf b = { 0 };

	if (!p)
		return MSG_TROUBLE;
	trend_report_put_revision(&b, v, p->at);
	if (v->trend->n > 1 && !at)
		msg_warn("the largest of %zu changes is at %s; --at FILE chooses another",
			v->trend->n, buf_cstr(&b));
	buf_release(&b);
	trend_select(v->trend, p);
	files.path[RUNS_BEFORE] = v->files + p->first * v->trend->each;
	files.n[RUNS_BEFORE] = (p->at - p->first) * v->trend->each;
	files.path[RUNS_AFTER] = v->files + p->at * v->trend->each;
	files.n[RUNS_AFTER] = (p->end - p->at) * v->trend->each;
	return write_columns(r, &p->compare, &files);
}

static int
write_trend_report(const struct trend_report *v)
{
	struct output out;
	size_t i;

	output_open(&out, shared.output);
	report->write_trend(&out, v);
	if (!output_close(&out))
		return MSG_TROUBLE;
	for (i = 0; i < v->trend->n && set.gate; i++)
		if (v->trend->points[i].compare.gate == COMPARE_FAILED)
			return MSG_NO;
	return MSG_DONE;
}

/* Divides the series R, and writes the requested output. */
static int
write_trend(struct runs *r)
{
	struct trend t;
	const struct trend_report v = { &t, series.items, (size_t)top };
	int status = MSG_TROUBLE;
	const char *wrong;

	runs_make_series(r);
	wrong = trend_init(&t, r, &set, (size_t)each);
	if (wrong)
		msg_error("cannot find a trend: %s", wrong);
	else
		status = report ? write_trend_report(&v) : write_point(r, &v);
	trend_release(&t);
	return status;
}

/* Compares R, and writes the requested output. */
static int
write_comparison(struct runs *r, const struct runs_files *files)
{
	struct compare c;
	const char *wrong;
	int status = MSG_TROUBLE;

	if (!check_sides(r, files))
		return report ? MSG_TROUBLE : write_columns(r, NULL, files);
	wrong = compare_init(&c, r, &set);
	if (wrong)
		msg_error("cannot compare: %s", wrong);
	else if (report)
		status = write_report(&c, files);
	else
		status = write_columns(r, &c, files);
	compare_release(&c);
	return status;
}

int
main(int argc, char **argv)
{
	struct runs_files files;
	struct runs r;
	int i, status = MSG_TROUBLE;

	start_program(argv[0]);
	i = opt_parse(&program, argc, argv);
	settle();
	files = series.n ? check_series(argc - i) : assign_operands(argc - i, argv + i);
	runs_init(&r, &reading);
	if (read_files(&r, &files) && check_headers(&r))
		status = series.n ? write_trend(&r) : write_comparison(&r, &files);
	runs_release(&r);
	match_free(set.only);
	match_free(set.ignore);
	opt_list_release(&series);
	for (i = 0; i < RUNS_SIDES; i++)
		where_release(&parts[i]);
	for (i = 0; i < RUNS_GROUPS; i++)
		if (sides[i].cap)
			opt_list_release(&sides[i]);
	return status;
}
