/* SPDX-License-Identifier: ISC */
/* Converts any profile to folded stacks: options, choice of format, run, report. */
#include "collapse.h"
#include "debuginfod.h"
#include "folded.h"
#include "formats.h"
#include "header.h"
#include "losses.h"
#include "msg.h"
#include "options.h"
#include "output.h"
#include "start.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

static struct collapse_options fold = { .by = { COLLAPSE_COMM } };
static const char *format_name;
static int weight; /* period, samples */
static bool strict, no_header, list_formats, list_costs, by_pid, by_tid, all, fetch;

/* Parses the length of the buckets of "time:10ms"; "sample": each moment is separate. */
static bool
cut_bucket(struct str text, uint64_t *bucket)
{
	*bucket = 0;
	if (str_eq(text, STR("sample")))
		return true;
	if (str_eq(text, STR("auto"))) {
		*bucket = COLLAPSE_AUTO;
		return true;
	}
	return folded_time(text, bucket) && *bucket > 0;
}

/* Adds the key BY, unless it is there. Returns an error text, or NULL. */
static const char *
add_key(enum collapse_by by)
{
	size_t n = 0;

	for (; n < COLLAPSE_BY_MAX && fold.by[n]; n++)
		if (fold.by[n] == by && by != COLLAPSE_LABEL)
			return "has a key twice";
	if (n == COLLAPSE_BY_MAX)
		return "has too many keys";
	fold.by[n] = by;
	return NULL;
}

static const char *
add_label(struct str key)
{
	size_t n = 0;

	for (; n < COLLAPSE_BY_MAX && fold.labels[n].n; n++)
		if (str_eq(fold.labels[n], key))
			return "has a label twice";
	if (n < COLLAPSE_BY_MAX)
		fold.labels[n] = key;
	return add_key(COLLAPSE_LABEL);
}

/* Parses KEY, "pid", "time:10ms", "label:endpoint". Returns an error text, or NULL. */
static const char *
read_key(struct str key)
{
	static const struct {
		const char *name;
		enum collapse_by by;
	} keys[] = { { "comm", COLLAPSE_COMM }, { "pid", COLLAPSE_PID },
		{ "tid", COLLAPSE_TID }, { "cpu", COLLAPSE_CPU } };
	struct str label = STR("label:"), time = STR("time:");
	size_t i;

	if (str_starts(key, label) && key.n > label.n)
		return add_label(str_from(key, label.n));
	if (str_starts(key, time))
		return cut_bucket(str_from(key, time.n), &fold.bucket)
			? add_key(COLLAPSE_TIME)
			: "has no length of time; use a key such as time:10ms, "
			  "time:auto or time:sample";
	for (i = 0; i < sizeof keys / sizeof *keys; i++)
		if (str_eq(key, str_of(keys[i].name)))
			return add_key(keys[i].by);
	return "is not a list of root frames; use comm, pid, tid, cpu, "
	       "time:LENGTH or label:KEY, separated by commas, or none";
}

static const char *
set_by(const char *arg)
{
	struct str rest = str_of(arg);
	const char *wrong = rest.n ? NULL : "is empty";

	memset(fold.by, 0, sizeof fold.by);
	memset(fold.labels, 0, sizeof fold.labels);
	if (str_eq(rest, STR("none")))
		return NULL;
	while (rest.n && !wrong)
		wrong = read_key(str_cut(&rest, ','));
	return wrong;
}

static const char *
set_columns(const char *arg)
{
	struct str rest = str_of(arg);
	int i;

	for (i = 0; i < TREE_COLUMNS; i++)
		fold.columns[i] = str_cut(&rest, ',');
	return rest.n || !fold.columns[0].n || !fold.columns[1].n
		? "is not two events; use a pair such as cycles,instructions"
		: NULL;
}

/* Seconds with decimals; a leading '@' means the input's own clock. */
static const char *
set_moment(const struct opt *o, const char *arg)
{
	struct collapse_moment *m = o->value;
	struct str text = str_of(arg);
	bool rounded = false;

	m->given = true;
	m->absolute = str_starts(text, STR("@"));
	if (!folded_weight(str_from(text, m->absolute), 9, &m->ns, &rounded))
		return "is not a time in seconds; use a number such as 1.5, or @ and a "
		       "time stamp";
	return NULL;
}

/* Whether threads are root frames, as in stackcollapse-jstack.pl: by name, which is the
 * default, or with their numbers. */
static const char *
set_names(const struct opt *o, const char *arg)
{
	(void)arg;
	return set_by(str_starts(str_of(o->name), STR("no")) ? "none" : "comm");
}

static const char *
take_no_numbers(const char *arg)
{
	(void)arg;
	by_tid = false;
	return NULL;
}

/* The metric after which the option is named. */
static const char *
set_cost(const struct opt *o, const char *arg)
{
	(void)arg;
	fold.cost = o->name;
	return NULL;
}

static struct opt_shared shared;

static const struct opt options[] = {
#include "options/fg-collapse.def"
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "[options] [FILE...]",
	.about =
		"Turns a profile into folded stacks.\nReads stdin when no FILE is given.",
	.options = options,
	.shared = &shared,
};

static int
print_formats(void)
{
	const struct formats_row *f;
	struct output out;
	size_t i;

	output_open(&out, shared.output);
	for (i = 0; (f = formats_at(i)); i++)
		output_fmt(&out, "%-18s%s\n", f->name, f->about);
	return output_close(&out) ? MSG_DONE : MSG_TROUBLE;
}

/* Writes the formats that HEAD, the beginning of the input NAME, may have, with the confidence
 * of each; or a guess at other contents. */
static void
put_claims(struct output *out, const char *name, struct str head)
{
	const struct formats_row *f;
	struct buf what = { 0 };
	size_t i;
	int sure;

	for (i = 0; (f = formats_at(i)); i++) {
		sure = formats_claim(f->format, head);
		if (sure)
			buf_fmt(&what, "%s%s (%d %% sure)", what.n ? ", " : "", f->name,
				sure);
	}
	if (!what.n)
		formats_describe(&what, head);
	output_fmt(out, "%s: %s\n", name, buf_cstr(&what));
	buf_release(&what);
}

/* Writes the format of each of PATHS. */
static int
print_claims(char **paths)
{
	bool good = true;
	struct input *in;
	struct output out;
	struct str head;

	output_open(&out, shared.output);
	for (; *paths; paths++) {
		in = input_open(*paths);
		if (in) {
			(void)formats_guess(in, &head);
			put_claims(&out, input_name(in), head);
		}
		good &= in && !input_failed(in);
		input_close(in);
	}
	return output_close(&out) && good ? MSG_DONE : MSG_TROUBLE;
}

/* The format of IN, or NULL after a message. */
static const struct formats_row *
choose(struct input *in)
{
	const struct formats_row *f =
		format_name ? formats_find(str_of(format_name)) : NULL;
	struct buf why = { 0 };
	struct str head;

	if (!input_window(in, 1).n) {
		if (!input_failed(in))
			msg_error("%s: is empty; did the command that wrote it fail?",
				input_name(in));
		return NULL;
	}
	if (!f)
		f = formats_guess(in, &head);
	if (!f && !input_failed(in)) {
		formats_describe(&why, head);
		msg_error("%s: %s", input_name(in), buf_cstr(&why));
		buf_release(&why);
	}
	return f;
}

/* Whether PATH is a folder made by perf record --threads: DATA gets the path of the file in it
 * that begins the recording. */
static bool
is_divided(const char *path, struct buf *data)
{
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return false;
	buf_fmt(data, "%s/data", path);
	return stat(buf_cstr(data), &st) == 0 && S_ISREG(st.st_mode);
}

/* Whether O has non-default root frames other than times, which samples of any format may have. */
static bool
has_keys(const struct collapse_options *o)
{
	bool found = false;
	size_t i;

	for (i = 0; i < COLLAPSE_BY_MAX && o->by[i]; i++) {
		if (o->by[i] == COLLAPSE_TIME)
			return false;
		found |= o->by[i] != COLLAPSE_COMM;
	}
	return found;
}

/* The names of the options whose .uses are in IDLE, as a list in a sentence. */
static void
put_idle(struct buf *b, unsigned idle)
{
	const struct opt *o;

	for (; idle; idle &= idle - 1) {
		o = options;
		while (o->uses != (idle & -idle))
			o++;
		if (b->n)
			buf_str(b, idle & (idle - 1) ? STR(", ") : STR(" and "));
		buf_fmt(b, "--%s", o->name);
	}
}

/* Warns about options without effect on the input NAME, of the format F. Returns false, after
 * an error, when they ask for weights that inputs of F never have. */
static bool
check_options(const struct formats_row *f, const char *name)
{
	const unsigned marks = COLLAPSE_USES_KERNEL | COLLAPSE_USES_JIT;
	unsigned asked = has_keys(&fold) ? shared.uses | COLLAPSE_USES_BY
					 : shared.uses & ~(unsigned)COLLAPSE_USES_BY,
		 idle = asked & ~f->format->uses;
	struct buf list = { 0 };

	if (fold.cost && !(f->format->uses & COLLAPSE_USES_COST)) {
		msg_error(
			"%s: is %s, which has no metrics for --cost; choose an event with "
			"--event-filter",
			name, f->name);
		return false;
	}
	/* --all asks for both; one is enough. */
	if ((asked & marks) == marks && (f->format->uses & marks))
		idle &= ~marks;
	if (!idle)
		return true;
	put_idle(&list, idle);
	msg_warn("%s: %s %s no effect on %s", name, buf_cstr(&list),
		idle & (idle - 1) ? "have" : "has", f->name);
	buf_release(&list);
	return true;
}

/* Folds the file PATH. Returns false when it could not be opened or is not a profile; a read
 * error later only sets *FAILED, so that earlier stacks are kept. */
static bool
fold_file(struct collapse *c, const char *path, bool *failed)
{
	const struct formats_row *f;
	struct buf data = { 0 };
	struct input *in;
	bool done;

	in = input_open(is_divided(path, &data) ? buf_cstr(&data) : path);
	f = in ? choose(in) : NULL;
	if (f && shared.verbose)
		msg_warn("%s: reading %s", path, f->name);
	if (f)
		collapse_begin(c, in);
	done = f && check_options(f, input_name(in)) && f->format->run(in, c) &&
		losses_check_times(c, f->name, f->format->for_times);
	if (done && !list_costs)
		collapse_tell_costs(c);
	*failed |= in && input_failed(in);
	input_close(in);
	buf_release(&data);
	return done;
}

/* Writes nothing if an input was not a profile. */
static int
fold_files(char **paths, struct collapse *c)
{
	bool good = true, failed = false;
	struct output out;
	int status;

	for (; *paths; paths++)
		good &= fold_file(c, *paths, &failed);
	if (!good)
		return MSG_TROUBLE;
	collapse_settle_times(c);
	collapse_settle_roots(c);
	status = losses_report(c, strict);
	header_complete(c);
	if (shared.verbose)
		msg_warn("folded %" PRIu64 " sample%s", collapse_samples(c),
			msg_s(collapse_samples(c)));
	output_open(&out, shared.output);
	collapse_write(c, &out, !no_header);
	return output_close(&out) && !failed ? status : MSG_TROUBLE;
}

/* Writes the metrics of each of PATHS. */
static int
print_costs(char **paths)
{
	bool several = paths[0] && paths[1], good = true, failed = false;
	struct collapse *c;
	struct output out;

	output_open(&out, shared.output);
	for (; *paths; paths++) {
		c = collapse_new(&fold);
		if (several)
			output_fmt(&out, "%s:\n", *paths);
		if (fold_file(c, *paths, &failed))
			collapse_list_costs(c, &out);
		else
			good = false;
		collapse_free(c);
	}
	return output_close(&out) && good && !failed ? MSG_DONE : MSG_TROUBLE;
}

int
main(int argc, char **argv)
{
	static char stdin_path[] = "-";
	char *only_stdin[] = { stdin_path, NULL };
	char **paths = only_stdin;
	struct collapse *c;
	int first, status;

	start_program(argv[0]);
	first = opt_parse(&program, argc, argv);
	if (list_formats)
		return first < argc ? print_claims(argv + first) : print_formats();
	if (format_name && !formats_find(str_of(format_name)))
		opt_usage("-f: '%s' is not a format; see --list-formats", format_name);
	if (fold.columns[1].n && (fold.event || fold.in_order))
		opt_usage(
			"--columns cannot be combined with --event-filter or --no-merge");
	if (fold.inlines && fold.no_inlines)
		opt_usage("--inline and --no-inline cannot be combined");
	if (by_pid || by_tid)
		set_by(by_tid ? "tid" : "pid");
	fold.count = weight == 1;
	fold.kernel |= all;
	fold.jit |= all;
	if (first < argc)
		paths = argv + first;
	if (list_costs)
		return print_costs(paths);
	if (fetch)
		fold.servers = debuginfod_new();
	c = collapse_new(&fold);
	status = fold_files(paths, c);
	collapse_free(c);
	debuginfod_free(fold.servers);
	opt_list_release(&fold.skip_after);
	opt_list_release(&fold.elfs);
	return msg_status(status);
}
