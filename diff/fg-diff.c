/* SPDX-License-Identifier: ISC */
/*
 * fg-diff: two profiles to one text with two columns, which fg-svg draws, or to a
 * verdict on what changed and not by chance, with an exit status for a gate.
 */
#include "compare.h"
#include "msg.h"
#include "opt.h"
#include "start.h"
#include "diff-report.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

typedef void write_verdict(struct output *out, const struct diff_report *v);

static struct compare_options set = { .confidence = 0.95 };
static struct opt_list sides[COMPARE_SIDES];
static write_verdict *report;
static const char *norm, *only, *ignore;
static struct folded_given given;
static bool normalise, strip, no_header;
static long top = 20;

static const char *
take_report(const char *arg)
{
	static const struct {
		const char *name;
		write_verdict *write;
	} forms[] = { { "text", diff_report_write_text },
		{ "markdown", diff_report_write_markdown },
		{ "json", diff_report_write_json } };
	size_t i;

	for (i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (strcmp(forms[i].name, arg) == 0) {
			report = forms[i].write;
			return NULL;
		}
	}
	return "is not a report format; use text, markdown or json";
}

/* Reads ARG, "5" or "5%", into *PART, 0.05. */
static bool
take_percent(const char *arg, double most, double *part)
{
	char *end;
	double v = strtod(arg, &end);

	*part = v / 100;
	if (end == arg || !(v >= 0 && v <= most))
		return false;
	return !*end || strcmp(end, "%") == 0;
}

static const char *
take_fail_over(const char *arg)
{
	set.gate = true;
	return take_percent(arg, 1e6, &set.limit)
		? NULL
		: "is not a valid limit; use a number of percentage points, or "
		  "with --relative of percent";
}

static const char *
take_min_share(const char *arg)
{
	return take_percent(arg, 100, &set.min_share)
		? NULL
		: "is not a percentage from 0 to 100";
}

static const char *
take_samples(const char *arg)
{
	return folded_given_read(&given, arg);
}

static struct opt_shared shared;

static const struct opt options[] = {
	{ .kind = OPT_GROUP, .help = "Input" },
	{ 'a', "before", "FILE...", OPT_MANY, &sides[COMPARE_BEFORE],
		"runs before the change, instead of BEFORE", 0, 0, NULL },
	{ 'b', "after", "FILE...", OPT_MANY, &sides[COMPARE_AFTER],
		"runs after the change, instead of AFTER", 0, 0, NULL },
	{ 's', "strip-hex", NULL, OPT_FLAG, &strip, "replace addresses in names by 0x...",
		0, 0, NULL },
	{ 'n', "normalize", NULL, OPT_FLAG, &normalise, "same as --norm total", 0, 0,
		NULL },
	{ 0, "norm", "none|total|FRAME", OPT_STR, &norm,
		"scale before to after: none, total, or one steady FRAME", 0, 0, NULL },
	{ 0, "samples", "N[,M]", OPT_CALL, NULL, "number of samples: N before, M after",
		0, 0, take_samples },
	{ .kind = OPT_GROUP, .help = "Report" },
	{ 0, "report", "FORM", OPT_CALL, NULL,
		"print significant changes as text, markdown or json", 0, 0,
		take_report },
	{ 0, "top", "N", OPT_INT, &top, "rows of each table; 0 prints all (default: 20)",
		0, 1e9, NULL },
	{ 0, "confidence", "P", OPT_NUM, &set.confidence,
		"confidence level of tests and intervals (default: 0.95)", 0.5,
		0.999999999, NULL },
	{ 0, "exact", NULL, OPT_FLAG, &set.exact,
		"weights are exact, not sampled: any change counts", 0, 0, NULL },
	{ 0, "only", "RE", OPT_STR, &only, "test only frames that match RE", 0, 0, NULL },
	{ 0, "ignore", "RE", OPT_STR, &ignore, "do not test frames that match RE", 0, 0,
		NULL },
	{ 0, "min-share", "PCT", OPT_CALL, NULL, "do not test frames below PCT percent",
		0, 0, take_min_share },
	{ .kind = OPT_GROUP,
		.help = "Gate: exit with status 1 if a frame grew significantly" },
	{ 0, "fail-over", "N", OPT_CALL, NULL, "by more than N percentage points", 0, 0,
		take_fail_over },
	{ 0, "relative", NULL, OPT_FLAG, &set.relative,
		"N is percent of the frame's share before", 0, 0, NULL },
	{ .kind = OPT_GROUP, .help = "Output" },
	{ 0, "no-header", NULL, OPT_FLAG, &no_header, "do not write the #fg line", 0, 0,
		NULL },
	{ 0 },
};

static const struct opt_program program = { "[options] [BEFORE AFTER]",
	"Compares two profiles of folded stacks, or several runs of each.", options,
	&shared };

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

/* What follows from several options together. */
static void
settle(void)
{
	if (set.relative && !set.gate)
		opt_usage("--relative needs --fail-over");
	if (set.gate && !report)
		report = diff_report_write_text;
	if (normalise && norm && strcmp(norm, "total") != 0)
		opt_usage("-n and --norm %s cannot be combined", norm);
	if (!norm)
		norm = normalise || report ? "total" : "none";
	set.norms = significance_read_norm(str_of(norm));
	set.only = compile("only", only);
	set.ignore = compile("ignore", ignore);
}

/* Makes the operands the sides. Returns the one file that has both, or NULL. */
static const char *
take_operands(int n, char **files)
{
	static const char *two[COMPARE_SIDES];
	int i;

	if (sides[0].n || sides[1].n) {
		if (n || !sides[0].n || !sides[1].n)
			opt_usage("-a and -b must both be given, and take all files");
		return NULL;
	}
	if (n > 2)
		opt_usage("more than two files; use -a FILE... -b FILE...");
	if (n < 2) {
		two[0] = n ? files[0] : "-";
		return two[0];
	}
	for (i = 0; i < COMPARE_SIDES; i++) {
		two[i] = files[i];
		sides[i] = (struct opt_list){ &two[i], 1, 0 };
	}
	return NULL;
}

static void
report_reading(const struct compare *c)
{
	static const char *const name[] = { "before", "after" };
	struct buf b = { 0 };
	int i;

	for (i = 0; i < COMPARE_SIDES; i++) {
		folded_count_report(&c->side[i].count);
		buf_clear(&b);
		diff_report_put_samples(&b, c, i);
		if (shared.verbose)
			msg_warn("%s: %" PRIu64 " stack%s, samples: %s", name[i],
				c->side[i].count.lines, msg_s(c->side[i].count.lines),
				buf_cstr(&b));
	}
	buf_release(&b);
}

/* Reads all files. False when one could not be read, or there is nothing. */
static bool
read_files(struct compare *c, const char *both)
{
	bool good = true;
	size_t i;
	int s;

	if (both)
		good = compare_read_both(c, both);
	for (s = 0; s < COMPARE_SIDES && !both; s++)
		for (i = 0; i < sides[s].n; i++)
			good &= compare_read(c, s, sides[s].items[i]);
	compare_settle(c, &given);
	report_reading(c);
	if (!good || c->tree.sum[0] || c->tree.sum[1])
		return good;
	msg_error("no folded stacks in the input: nothing to compare");
	return false;
}

static void
warn_of_units(const struct compare *c)
{
	if (!str_eq(folded_info_get(&c->side[0].info, "unit"),
		    folded_info_get(&c->side[1].info, "unit")))
		msg_warn("the two sides have different units");
}

/* Writes the text with two columns. */
static int
write_columns(struct compare *c, const struct compare_files *files)
{
	const char *wrong = set.norms.norm == SIGNIFICANCE_NONE ? NULL : compare_scale(c);
	struct profile both;
	bool written;

	if (wrong) {
		msg_error("%s", wrong);
		return MSG_TROUBLE;
	}
	both = (struct profile){ .tree = c->tree };
	compare_put_info(c, files, &both.info);
	written = profile_write(&both, shared.output, !no_header);
	folded_info_release(&both.info);
	return written ? MSG_DONE : MSG_TROUBLE;
}

static int
write_report(struct compare *c, const struct compare_files *files)
{
	struct diff_report v = { .compare = c, .top = (size_t)top };
	const char *wrong = compare_test(c);
	struct output out;
	int i;

	if (wrong) {
		msg_error("cannot test: %s", wrong);
		return MSG_TROUBLE;
	}
	for (i = 0; i < COMPARE_SIDES; i++) {
		v.file[i] = files->one ? &files->one : files->path[i];
		v.files[i] = files->one ? 1 : files->n[i];
	}
	if (diff_report_is_soft(c))
		msg_warn(
			"fewer than %d samples on one side: only large changes can be detected",
			STATS_SOFT);
	output_open(&out, shared.output);
	report(&out, &v);
	if (!output_close(&out))
		return MSG_TROUBLE;
	return c->failed ? MSG_NO : MSG_DONE;
}

int
main(int argc, char **argv)
{
	struct compare_files files;
	struct compare c;
	const char *both;
	int i, status = MSG_TROUBLE;

	start_program(argv[0]);
	i = opt_parse(&program, argc, argv);
	settle();
	both = take_operands(argc - i, argv + i);
	files = (struct compare_files){ { sides[0].items, sides[1].items },
		{ sides[0].n, sides[1].n }, both };
	compare_init(&c, &set, both ? 1 : sides[0].n + sides[1].n, strip);
	if (read_files(&c, both)) {
		warn_of_units(&c);
		status = report ? write_report(&c, &files) : write_columns(&c, &files);
	}
	compare_release(&c);
	match_free(set.only);
	match_free(set.ignore);
	for (i = 0; i < COMPARE_SIDES; i++)
		if (sides[i].cap)
			opt_list_release(&sides[i]);
	return status;
}
