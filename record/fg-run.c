/* SPDX-License-Identifier: ISC */
/*
 * Records a command, folds its stacks and draws them: joins fg-record, fg-collapse and
 * fg-svg, and accepts all their options. With --compare it records two commands for
 * fg-diff; as cargo-fg it builds and runs a program through cargo.
 */
#include "msg.h"
#include "options.h"
#include "run.h"
#include "start.h"
#include "sysfile.h"

#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

static struct run run = { .warmup = -1, .seconds = -1 };
static struct run_side sides[2]; /* of --compare: before, after */
static struct run_cargo cargo = { .release = "--release" };
static bool list_targets, no_time, in_time_order, ignored;
static const char *strict, *of_comparison, *limit; /* as given, or NULL */

/* The programs. An option that several of them have goes to the first. */
static const struct {
	const char *name;
	const struct opt *rows;
} programs[RUN_PROGRAMS] = { [RUN_RECORD] = { "fg-record", options_record },
	[RUN_COLLAPSE] = { "fg-collapse", options_collapse },
	[RUN_SVG] = { "fg-svg", options_svg },
	[RUN_DIFF] = { "fg-diff", options_diff },
	[RUN_EXPORT] = { "fg-export", NULL },
	[RUN_REPORT] = { "fg-report", NULL } };

/* Their options for opt.h: by their own names, and with "svg-" before the name. */
static struct {
	struct opt *rows;
	size_t n, cap;
} passed, further;

static const char *
add_picture(const struct opt *o, const char *arg)
{
	opt_list_add(&run.programs[RUN_SVG],
		run_text(&run, "--%s=%s", strcmp(o->name, "palette") ? "width" : "colors",
			arg));
	return NULL;
}

static void
add_words(struct opt_list *list, const char *text)
{
	struct str rest = str_of(text), word;

	while ((word = str_word(&rest)).n)
		opt_list_add(list, run_text(&run, "%.*s", STR_ARG(word)));
}

/* Whether ARG is a perf command, as cargo-flamegraph's -c accepts. */
static bool
is_command(const char *arg)
{
	return strcmp(arg, "record") == 0 || strncmp(arg, "record ", 7) == 0;
}

/* Adds the options of perf record in ARG, as in "record -F 99 -g", without its -o. */
static const char *
take_command(const char *arg)
{
	struct opt_list words = { 0 };
	size_t i;

	if (!is_command(arg))
		return "is not a command of perf; use options of perf record, as in 'record -F 99 "
		       "-g'";
	add_words(&words, arg);
	for (i = 1; i < words.n; i++)
		if (strcmp(words.items[i], "-o") != 0 || i + 1 == words.n)
			opt_list_add(&run.programs[RUN_RECORD], words.items[i]);
		else
			i++;
	opt_list_release(&words);
	return NULL;
}

static const char *
take_root(const char *flags)
{
	if (geteuid() == 0)
		return NULL;
	opt_list_add(&run.sudo, "sudo");
	add_words(&run.sudo, flags);
	return NULL;
}

static const char *
take_level(const char *level)
{
	(void)level;
	ignored = true;
	return NULL;
}

static const struct opt *
find_row(const struct opt *rows, const char *name)
{
	while (rows->kind != OPT_END && !(rows->name && strcmp(rows->name, name) == 0))
		rows++;
	return rows->kind == OPT_END ? NULL : rows;
}

/* Whether the option NAME or LETTER of fg-diff says how to read files. */
static bool
is_for_reading(const char *name, char letter)
{
	const struct opt *o;
	bool input = false;

	for (o = options_diff; o->kind != OPT_END; o++) {
		if (o->kind == OPT_GROUP)
			input = strcmp(o->help, "Input") == 0;
		else if (name ? o->name && strcmp(o->name, name) == 0
			      : o->letter == letter)
			return input;
	}
	return false;
}

/* Appends the option NAME (NULL: LETTER) to the words of program P, with ARG unless
 * that is NULL. */
static void
add(enum run_program p, const char *name, char letter, const char *arg)
{
	struct opt_list *lists[] = { &run.programs[p],
		p == RUN_DIFF && is_for_reading(name, letter) ? &run.reading : NULL };
	size_t i;

	for (i = 0; i < 2 && lists[i]; i++)
		if (name) {
			opt_list_add(lists[i],
				run_text(&run, "--%s%s%s", name, arg ? "=" : "",
					arg ? arg : ""));
		} else {
			opt_list_add(lists[i], run_text(&run, "-%c", letter));
			if (arg)
				opt_list_add(lists[i], arg);
		}
}

/* fg-record and cargo-flamegraph both have -c and -p; the argument decides. */
static void
pass_letter(char letter, const char *arg)
{
	if (letter == 'c' && is_command(arg))
		(void)take_command(arg);
	else if (letter == 'p' && (isalpha((unsigned char)*arg) || *arg == '_'))
		run_cargo_take(&run, &cargo, "package", arg);
	else
		add(RUN_RECORD, NULL, letter, arg);
}

/* Becomes the program P with NAME, an option that lists something. */
static _Noreturn void
become(enum run_program p, const char *name)
{
	const char *path = run_find(&run, programs[p].name);

	if (!path)
		msg_die("cannot find %s; install it beside fg-run, or add its folder to PATH",
			programs[p].name);
	job_become(&run.jobs,
		&(struct job){ { JOB_WORDS(path, run_text(&run, "--%s", name)) },
			.kind = JOB_ENDS });
}

/* Passes an option on to its program. */
static void
pass(const struct opt *o, const char *arg, bool by_letter)
{
	bool only = o->help && find_row(further.rows, o->name ? o->name : "");
	const char *name = o->name;
	size_t p = 0;

	if (strcmp(o->program, "cargo") == 0) {
		run_cargo_take(&run, &cargo, o->name, arg);
		return;
	}
	if (strcmp(o->program, "fg-run") == 0) {
		pass_letter(o->letter, arg);
		return;
	}
	while (strcmp(o->program, programs[p].name) != 0)
		p++;
	if (only)
		name += strlen(o->program) - strlen("fg-") + 1;
	if (strncmp(name ? name : "", "list-", 5) == 0)
		become((enum run_program)p, name);
	in_time_order |= p == RUN_SVG && name && strcmp(name, "flamechart") == 0;
	if (p == RUN_DIFF)
		of_comparison = by_letter ? run_text(&run, "-%c", o->letter)
					  : run_text(&run, "--%s", o->name);
	/* With --compare, --strict goes to fg-diff, otherwise to fg-collapse. */
	if (!only && name && strcmp(name, "strict") == 0)
		strict = name;
	else if (o->kind != OPT_WORD || arg)
		add((enum run_program)p, by_letter ? NULL : name, o->letter, arg);
	/* Options that fg-svg and fg-diff share, such as the confidence, go to both. */
	if (!only && p == RUN_SVG && !by_letter && find_row(options_diff, name))
		add(RUN_DIFF, name, 0, arg);
}

/* Keeps the words of an option for the fg-run that cargo runs, unless it is cargo's
 * own. */
static void
note_words(char *const *words, int n)
{
	int i;

	for (i = 0; i < n && !cargo.taken; i++)
		opt_list_add(&cargo.passed, words[i]);
	cargo.taken = false;
}

static struct opt options[] = {
#include "options/fg-run.def"
	{ .kind = OPT_END },
};

static struct opt_program program = {
	.synopsis =
		"[options] [--] [COMMAND [ARG...]]\n"
		"       fg-run --compare [options] [--] COMMAND [ARG...] --- COMMAND [ARG...]\n"
		"       fg-run --compare [options] BEFORE AFTER [-- ARG...]",
	.about =
		"Records a command or running processes, and draws a flame graph of them.\n"
		"With --compare, records two commands in turn, and reports what changed.\n"
		"Also takes all options of fg-record, fg-collapse, fg-svg and fg-diff. One that\n"
		"several have goes to the first; --svg-NAME and so on picks another program's.",
	.options = options,
	.pass = pass,
	.taken = note_words,
};

/* Whether --help shows one of ROWS with the letter, or with the name if that is not
 * NULL. */
static bool
is_taken(const struct opt *rows, size_t n, char letter, const char *name)
{
	size_t i;

	for (i = 0; i < n && rows[i].kind != OPT_END; i++)
		if (rows[i].help &&
			(name ? rows[i].name && strcmp(rows[i].name, name) == 0
			      : letter && rows[i].letter == letter))
			return true;
	return false;
}

/* Adds the row O of program P to both tables. */
static void
add_row(const struct opt *o, const char *p)
{
	struct opt row = *o;

	row.program = p;
	passed.rows = mem_grow(passed.rows, &passed.cap, passed.n + 2, sizeof row);
	further.rows = mem_grow(further.rows, &further.cap, further.n + 2, sizeof row);
	if (row.name && strncmp(row.name, "list-", 5) != 0) {
		further.rows[further.n] = row;
		further.rows[further.n].letter = 0;
		further.rows[further.n++].name =
			run_text(&run, "%s-%s", p + strlen("fg-"), row.name);
	}
	if (is_taken(options, SIZE_MAX, row.letter, NULL) ||
		is_taken(passed.rows, passed.n, row.letter, NULL))
		row.letter = 0;
	if (row.name &&
		(is_taken(options, SIZE_MAX, 0, row.name) ||
			is_taken(passed.rows, passed.n, 0, row.name)))
		row.name = NULL;
	if (row.name || row.letter)
		passed.rows[passed.n++] = row;
	passed.rows[passed.n] = further.rows[further.n] = (struct opt){ .kind = OPT_END };
}

/* Whether O is passed on: fg-run itself gives fg-diff its runs. */
static bool
is_joined(const struct opt *o)
{
	static const char *const runs[] = { "before", "after", "trend" };
	size_t i = 0;

	while (i < 3 && !(o->name && strcmp(o->name, runs[i]) == 0))
		i++;
	return i == 3 && o->help && o->kind != OPT_GROUP && o->kind != OPT_IGNORED;
}

/* Joins the option tables of all programs, and finds the programs. */
static void
join_programs(void)
{
	const struct opt *o;
	const char *path;
	size_t p;

	for (p = 0; p < RUN_PROGRAMS; p++) {
		for (o = programs[p].rows; o && o->kind != OPT_END; o++)
			if (is_joined(o))
				add_row(o, programs[p].name);
		path = run_find(&run, programs[p].name);
		if (path || p != RUN_REPORT)
			opt_list_add(&run.programs[p], path ? path : programs[p].name);
	}
	program.passed = passed.rows;
	program.further = further.rows;
}

/* Whether one of the words of program P begins with HEAD. */
static bool
is_given(enum run_program p, const char *head)
{
	size_t i = 1;

	while (i < run.programs[p].n &&
		strncmp(run.programs[p].items[i], head, strlen(head)) != 0)
		i++;
	return i < run.programs[p].n;
}

/* By default, the picture of a recording shows when each thread ran, unless the user
 * chose other root frames or the stacks do not begin with them. A flame chart needs
 * stacks that are not merged, and standard input cannot be read again if it has no times. */
static void
choose_stacks(void)
{
	struct opt_list *words = &run.programs[RUN_COLLAPSE];
	bool is_stdin = run.perfdata && strcmp(run.perfdata, "-") == 0;

	if (in_time_order)
		opt_list_add(words, "--no-merge");
	if (no_time || run.compare || in_time_order || is_stdin || run.post_process ||
		is_given(RUN_SVG, "--reverse") || is_given(RUN_SVG, "--base") ||
		is_given(RUN_COLLAPSE, "--by=") || is_given(RUN_COLLAPSE, "--pid") ||
		is_given(RUN_COLLAPSE, "--tid"))
		return;
	opt_list_add(words, NULL);
	memmove(words->items + 2, words->items + 1,
		(words->n - 2) * sizeof *words->items);
	words->items[1] = RUN_TIMELINE;
}

/* Sets the number of runs to compare. */
static void
choose_runs(void)
{
	const char *given = run.keep ? "--keep"
		: run.show_output    ? "--show-output"
		: run.warmup >= 0    ? "--warmup"
		: run.runs	     ? "--runs"
				     : of_comparison;

	if (given && !run.compare)
		opt_usage("%s needs --compare", given);
	run.runs = run.runs ? run.runs : 5;
	run.warmup = run.warmup < 0 ? 1 : run.warmup;
}

/* The name for %n: the recording's or the command's. */
static struct str
name_of(const char *command)
{
	const char *path = run.perfdata ? run.perfdata : command;

	return path ? str_base(str_of(path)) : STR("running");
}

/* PATH with %p, %n and %% replaced. */
static const char *
expand(const char *path, struct str name)
{
	struct buf b = { 0 };

	for (; *path; path++) {
		if (*path != '%' || !path[1] || !strchr("pn%", path[1])) {
			buf_char(&b, *path);
			continue;
		}
		path++;
		if (*path == 'p')
			buf_u64(&b, (uint64_t)getpid());
		else
			buf_str(&b, *path == 'n' ? name : STR("%"));
	}
	return run_keep(&run, &b);
}

/* Exits with a message if fg-export lacks a target of --export. */
static void
check_targets(void)
{
	struct buf list = { 0 };
	struct str rest, line;
	bool known;
	size_t i;

	(void)job_run(&run.jobs,
		&(struct job){
			{ run.programs[RUN_EXPORT].items, JOB_WORDS("--list-targets") },
			.out = job_file(run_file(&run, "targets")) });
	(void)sysfile_read(&list, "%s/targets", run.folder);
	for (i = 0; i < run.exports.n; i++) {
		for (rest = buf_view(&list), known = false; rest.n && !known;) {
			line = str_cut(&rest, '\n');
			known = str_eq(str_word(&line), str_of(run.exports.items[i]));
		}
		if (!known)
			opt_usage("--export: no target %s; see fg-export --list-targets",
				run.exports.items[i]);
	}
	buf_release(&list);
}

/* Whether the file PATH can be written or created. */
static bool
is_writable(const char *path)
{
	struct str base = str_base(str_of(path));
	size_t folder = strlen(path) - base.n;
	struct stat st;

	if (!*path)
		return false;
	if (stat(path, &st) == 0)
		return !S_ISDIR(st.st_mode) && access(path, W_OK) == 0;
	return access(folder ? run_text(&run, "%.*s", (int)folder, path) : ".", W_OK) ==
		0;
}

/* Exits with a message if the command is a file that is not executable: most likely a
 * recording. */
static void
check_command(const char *const *command)
{
	struct stat st;

	if (*command && !command[1] && !run_which(&run, *command) &&
		stat(*command, &st) == 0 && S_ISREG(st.st_mode) && !(st.st_mode & 0111))
		opt_usage("%s is not a program; to draw a recording, use --perfdata %s",
			*command, *command);
}

/* Exits, before anything runs, if options exclude each other or something needed is
 * missing. */
static void
check(const char *const *command)
{
	size_t p;

	if (run.perfdata && *command)
		opt_usage(
			"--perfdata draws a recording and cannot be combined with a command");
	if (run.perfdata && run.programs[RUN_RECORD].n > 1)
		opt_usage("--perfdata and options of fg-record cannot be combined");
	if (run.open && run_is_stdout(&run))
		opt_usage("--open and -o - cannot be combined");
	if (run.compare && in_time_order)
		opt_usage("--compare and --flamechart cannot be combined");
	check_command(command);
	if (!run_is_stdout(&run) && !is_writable(run.output))
		msg_die("%s: cannot write there; choose another file with -o",
			run.output);
	for (p = 0; p < RUN_PROGRAMS; p++)
		if (run.programs[p].n && !strchr(run.programs[p].items[0], '/') &&
			(p != RUN_EXPORT || run.exports.n))
			msg_die("cannot find %s; install it beside fg-run, or add its folder to "
				"PATH",
				programs[p].name);
	for (p = run.perfdata ? RUN_COLLAPSE : RUN_RECORD; p <= RUN_SVG; p++)
		if (run.programs[p].n > 1 &&
			job_run(&run.jobs,
				&(struct job){
					{ run.programs[p].items, JOB_WORDS("--help") },
					.out = job_file(NULL) }))
			exit(MSG_TROUBLE);
	if (run.exports.n)
		check_targets();
}

static void
clean(void)
{
	run_clean(&run);
}

/* Records and draws. Returns the exit status. */
static int
draw(const char *const *command)
{
	if (run.perfdata)
		run_fold(&run);
	else
		run_record(&run, command, &(struct job){ .kind = JOB_RECORDS });
	run_check(&run);
	run_post_process(&run);
	run_draw(&run);
	if (!run.quiet)
		run_close(&run);
	if (run.ignore_status)
		run.status = 0;
	/* fg-collapse fails with 1 if --strict was given and something was skipped. */
	return run.status ? run.status : run.fold_status;
}

/* Adds the options that all programs share to the words of each one that runs. fg-collapse's
 * messages about times of a recording are needed. */
static void
add_shared(void)
{
	size_t p;

	for (p = run.perfdata ? RUN_COLLAPSE : RUN_RECORD; p < RUN_PROGRAMS; p++) {
		if (run.quiet && p <= RUN_DIFF && !(run.perfdata && p == RUN_COLLAPSE))
			opt_list_add(&run.programs[p], "-q");
		if (run.verbose && p <= RUN_DIFF)
			opt_list_add(&run.programs[p], "-v");
		if (limit && p != RUN_RECORD && run.programs[p].n)
			opt_list_add(
				&run.programs[p], run_text(&run, "--limit=%s", limit));
	}
}

/* Parses the options. Returns the words behind them. */
static const char *const *
read_options(int argc, char **argv)
{
	int first;

	run.words = run_text(&run, "fg-run%s%s", argc > 1 ? " " : "",
		run_join(&run, (const char *const *)argv + 1));
	run.output = getenv("FG_OUTPUT");
	if (!run.output)
		run.output = "flamegraph.svg";
	join_programs();
	first = opt_parse(&program, argc, argv);
	msg_quiet(run.quiet);
	if (list_targets)
		become(RUN_EXPORT, "list-targets");
	if (strict)
		add(run.compare ? RUN_DIFF : RUN_COLLAPSE, strict, 0, NULL);
	add_shared();
	choose_stacks();
	choose_runs();
	if (ignored)
		msg_warn(
			"--compression-level has no effect: recordings are folded at once, "
			"not stored");
	return (const char *const *)argv + first;
}

/* Whether this is cargo-fg or cargo-flamegraph. Removes the first word, "fg" or
 * "flamegraph", which cargo passes. */
static bool
is_cargo(int *argc, char ***argv)
{
	struct str name = str_base(str_of(*argc ? (*argv)[0] : ""));
	static char called[64];
	struct opt *o = options;

	if (!str_starts(name, STR("cargo-")))
		return false;
	if (*argc > 1 && strcmp((*argv)[1], name.s + strlen("cargo-")) == 0) {
		(*argv)++;
		(*argc)--;
		snprintf(called, sizeof called, "cargo %s", (*argv)[0]);
		(*argv)[0] = called;
	}
	/* Inlined functions and lines come from debug information. */
	(void)setenv("CARGO_PROFILE_RELEASE_DEBUG", "true", false);
	(void)setenv("CARGO_PROFILE_RELEASE_STRIP", "none", false);
	program.synopsis = "[options] [--] [ARG...]";
	program.about =
		"Builds with cargo and runs the program by fg-run, whose options are:";
	while (o->kind != OPT_COMMAND)
		o++;
	o->arg = "FILE";
	return true;
}

int
main(int argc, char **argv)
{
	const char *const *words;
	const char *heading;
	int status;

	cargo.wanted = is_cargo(&argc, &argv);
	start_program(argv[0]);
	job_begin(&run.jobs);
	words = read_options(argc, argv);
	atexit(clean);
	run_begin(&run);
	if (cargo.wanted && run.compare)
		opt_usage("--compare takes commands: build with cargo first");
	if (cargo.wanted)
		run_cargo(&run, &cargo, words);
	heading = run_join(&run, words);
	if (run.compare) {
		run_compare_take(&run, sides, words);
		heading = run_text(&run, "%s \xe2\x86\x92 %s",
			run_join(&run, sides[0].command.items),
			run_join(&run, sides[1].command.items));
	}
	/* The command is the heading unless another was given. */
	if (*words && !is_given(RUN_SVG, "--title="))
		opt_list_add(
			&run.programs[RUN_SVG], run_text(&run, "--title=%s", heading));
	run.output =
		expand(run.output, run.compare ? str_of(sides[1].name) : name_of(*words));
	check(words);
	if (run.compare) {
		run_compare_check(&run);
		status = run_compare(&run, sides);
	} else {
		status = draw(words);
	}
	if (run.open)
		run_open_picture(&run);
	return status;
}
