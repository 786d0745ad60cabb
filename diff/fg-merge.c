/* SPDX-License-Identifier: ISC */
/*
 * fg-merge: adds up any number of folded inputs. Nothing is written before all of them are read.
 */
#include "mem.h"
#include "merge.h"
#include "msg.h"
#include "options.h"
#include "start.h"
#include "units.h"

#include <inttypes.h>
#include <unistd.h>

/* The minimum of --memory: an empty tree takes a tenth of it. */
enum { LEAST = 1024 * 1024 };

static struct merge_options set;
static bool check;

/* Parses "64M", "2G"; a plain number is bytes. */
static const char *
take_memory(const char *arg)
{
	uint64_t n;

	if (!str_to_bytes(str_of(arg), &n) || n > SIZE_MAX || n < LEAST)
		return "is not a valid size; use 1M or more, such as 16M, 512M or 2G";
	/* Writing a tree needs about as much again. */
	set.memory = (size_t)n / 2;
	return NULL;
}

static const char *
take_by(const char *arg)
{
	struct str value = str_of(arg), name = str_cut(&value, '=');

	if (name.n == strlen(arg) || !value.n)
		return "is not DIM=VALUE, such as rev=v1.2";
	if (!dimensions_add(&set.by, name))
		return "is there already, has no name, or is one too many";
	if (value.s[0] == '#' && !set.values.n)
		buf_char(&set.values, '_');
	folded_put_frame(&set.values, value);
	buf_char(&set.values, ';');
	return NULL;
}

static struct opt_shared shared;

static const struct opt options[] = {
#include "options/fg-merge.def"
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "[options] [FILE...]",
	.about = "Adds up folded stacks.\nReads stdin when no FILE is given.",
	.options = options,
	.shared = &shared,
};

static void
report_count(const struct merge *m)
{
	struct folded_count count = m->sum.count;

	count.rounded += m->rounded;
	folded_count_report(&count);
}

static void
report_disk(const struct spill *s)
{
	struct buf size = { 0 };

	units_put(&size, s->most, 0, 1, STR("bytes"));
	msg_warn("temporary files in %s took %s", s->folder, buf_cstr(&size));
	buf_release(&size);
}

/* The paths of the N operands ARGV, without labels, and a NULL; the caller frees them. */
static char **
list_paths(int n, char **argv)
{
	char **paths = mem_zero((size_t)n + 1, sizeof *paths);
	const char *path;
	int i;

	for (i = 0; i < n; i++) {
		if (!merge_label(argv[i], set.label, &path).n && set.label)
			opt_usage("the label in '%s' is empty", argv[i]);
		paths[i] = argv[i] + (path - argv[i]);
	}
	return paths;
}

/* Adds up ARGV, whose paths are PATHS. False when the output failed or is incomplete. */
static bool
add_up(int n, char **argv, char **paths)
{
	const char *folder = getenv("TMPDIR");
	struct output out;
	struct merge m;
	bool good = true;
	int i;

	merge_init(&m, &set, folder && *folder ? folder : "/tmp");
	for (i = 0; i < n && good; i++)
		good = merge_read(&m, argv[i], paths + i + 1);
	if (good) {
		output_open(&out, shared.output);
		out.failed |= !merge_write(&m, &out);
		good = output_close(&out);
		if (shared.verbose)
			msg_warn("%d input%s, %" PRIu64 " stack%s", n, msg_s((uint64_t)n),
				m.sum.count.lines, msg_s(m.sum.count.lines));
		if (shared.verbose && m.spill.most)
			report_disk(&m.spill);
		report_count(&m);
	}
	merge_release(&m);
	return good;
}

/* Prints a description of M, one input read from PATH. */
static void
describe(struct output *out, const struct merge *m, const char *path)
{
	static const char *const keys[] = { "unit", "samples" };
	struct buf b = { 0 };
	struct str value;
	size_t i;

	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		value = folded_info_get(&m->sum.info, keys[i]);
		buf_fmt(&b, "%s=", keys[i]);
		buf_visible(&b, value.n ? value : STR("-"), BUF_MARK, BUF_MOST);
		buf_char(&b, '\t');
	}
	buf_fmt(&b, "columns=%d\tstacks=%" PRIu64 "\tsum=", m->columns,
		m->sum.count.lines);
	weight_put_scaled(
		&b, m->sum.tree.sum[m->sum.tree.columns - 1], m->sum.tree.scale);
	buf_char(&b, '\t');
	buf_visible(&b, str_of(path), BUF_MARK, BUF_MOST);
	buf_char(&b, '\n');
	output_str(out, buf_view(&b));
	buf_release(&b);
}

/* Whether M, read from PATH, is compatible with FIRST, the first input with a header or stacks. */
static bool
goes_with(const struct merge *first, const struct merge *m, const char *path)
{
	bool units = str_eq(folded_info_get(&first->sum.info, "unit"),
		folded_info_get(&m->sum.info, "unit"));
	bool columns = !m->columns || !first->columns || m->columns == first->columns;

	if (!units)
		msg_warn("%s: its unit differs from that of the first input", path);
	if (!columns)
		msg_warn("%s: has another number of columns than the first input", path);
	return (units || set.force) && columns;
}

/* Describes ARGV, whose paths are PATHS; returns the exit status. */
static int
describe_all(int n, char **argv, char **paths)
{
	struct merge first = { .columns = 0 }, m;
	struct folded_columns said = { .known = (int)set.given.columns };
	struct output out;
	int i, status = MSG_DONE;

	output_open(&out, shared.output);
	for (i = 0; i < n; i++) {
		merge_init(&m, &set, NULL);
		m.said = said;
		if (!merge_read(&m, argv[i], paths + i + 1))
			status = MSG_TROUBLE;
		else
			describe(&out, &m, paths[i]);
		said = m.said;
		if (m.speaking && first.speaking && !goes_with(&first, &m, paths[i]) &&
			status == MSG_DONE)
			status = MSG_NO;
		if (!first.columns)
			first.columns = m.columns;
		if (m.speaking && !first.speaking)
			first = m;
		else
			merge_release(&m);
	}
	merge_release(&first);
	return output_close(&out) ? status : MSG_TROUBLE;
}

int
main(int argc, char **argv)
{
	static char standard[] = "-", *input[] = { standard };
	char **paths;
	int i, n, status;

	start_program(argv[0]);
	i = opt_parse(&program, argc, argv);
	set.given.keep = !set.mean;
	n = argc - i;
	argv = n ? argv + i : input;
	n = n ? n : 1;
	paths = list_paths(n, argv);
	if (check)
		set.memory = 0;
	status = check			 ? describe_all(n, argv, paths)
		: add_up(n, argv, paths) ? MSG_DONE
					 : MSG_TROUBLE;
	free(paths);
	return status;
}
