/* SPDX-License-Identifier: ISC */
/* Options as table rows: opt.h. */
#include "opt.h"
#include "input.h"
#include "msg.h"
#include "unit.h"

#include <stdarg.h>

static struct {
	bool quiet, verbose;
	const char *format, *title;
	long width;
	double min, any;
	struct opt_list skip, many;
	const char *called;
} set;

static const char *
call(const char *arg)
{
	set.called = arg;
	return strcmp(arg, "bad") == 0 ? "is bad: use good" : NULL;
}

static const char *
maybe(const char *arg)
{
	set.called = arg ? arg : "nothing";
	return NULL;
}

static const struct opt options[] = {
	{ .kind = OPT_GROUP, .help = "A heading" },
	{ .letter = 'q',
		.name = "quiet",
		.kind = OPT_FLAG,
		.value = &set.quiet,
		.help = "say less" },
	{ .letter = 'v', .kind = OPT_FLAG, .value = &set.verbose, .help = "say more" },
	{ .letter = 'f',
		.name = "format",
		.arg = "NAME",
		.kind = OPT_STR,
		.value = &set.format,
		.help = "read NAME" },
	{ .name = "title",
		.arg = "TEXT",
		.kind = OPT_STR,
		.value = &set.title,
		.help = "heading" },
	{ .name = "width",
		.arg = "N",
		.kind = OPT_INT,
		.value = &set.width,
		.help = "wide",
		.min = 10,
		.max = 2000 },
	{ .name = "min",
		.arg = "X",
		.kind = OPT_NUM,
		.value = &set.min,
		.help = "least",
		.max = 100 },
	{ .name = "min-width",
		.arg = "X",
		.kind = OPT_NUM,
		.value = &set.any,
		.help = "any number" },
	{ .name = "skip",
		.arg = "FRAME",
		.kind = OPT_LIST,
		.value = &set.skip,
		.help = "skip FRAME" },
	{ .letter = 'a',
		.name = "all",
		.arg = "FILE...",
		.kind = OPT_MANY,
		.value = &set.many,
		.help = "some" },
	{ .letter = 'c',
		.name = "call",
		.arg = "X",
		.kind = OPT_CALL,
		.help = "call with X",
		.call = call },
	{ .name = "maybe",
		.arg = "[=X]",
		.kind = OPT_CALL,
		.help = "call, with X or without",
		.call = maybe },
	{ .name = "perhaps", .arg = "[=X]", .kind = OPT_CALL, .call = maybe },
	{ .name = "flip", .kind = OPT_IGNORED, .help = "nothing flips" },
	{ .letter = 's',
		.name = "flop",
		.arg = "X",
		.kind = OPT_IGNORED,
		.help = "nothing flops" },
	{ .letter = 'z', .kind = OPT_IGNORED, .help = "nothing zips" },
	{ .letter = 'g',
		.name = "graph",
		.arg = "[HOW]",
		.kind = OPT_WORD,
		.words = OPT_WORDS("fp", "dwarf"),
		.help = "call, with fp or dwarf or without",
		.call = maybe },
	{ .kind = OPT_END },
};

static const struct opt_program program = {
	.synopsis = "[-q] [FILE...]", .about = "Tries options.", .options = options
};

static struct opt_shared shared;
static const struct opt_program sharing = { .synopsis = "[FILE...]",
	.about = "Shares options.",
	.options = options + 3,
	.shared = &shared };

static const struct opt with_command[] = {
	{ .letter = 'q',
		.name = "quiet",
		.kind = OPT_FLAG,
		.value = &set.quiet,
		.help = "say less" },
	{ .letter = 'v', .kind = OPT_FLAG, .value = &set.verbose, .help = "say more" },
	{ .kind = OPT_COMMAND },
	{ .kind = OPT_END },
};

static const struct opt_program runner = {
	.synopsis = "[-q] COMMAND", .about = "Runs.", .options = with_command
};

static char *words[16];

/* Parses the words up to the NULL; they stay in words[1..]. */
static int
parse(const char *first, ...)
{
	static char store[16][64];
	va_list ap;
	int n = 1;

	words[0] = store[0];
	snprintf(store[0], sizeof store[0], "prog");
	va_start(ap, first);
	for (const char *w = first; w; w = va_arg(ap, const char *), n++) {
		snprintf(store[n], sizeof store[n], "%s", w);
		words[n] = store[n];
	}
	va_end(ap);
	words[n] = NULL;
	return n - opt_parse(&program, n, words);
}

/* The status with which parsing WORD and NEXT (or NULL) ends the program; -1 if it
 * does not. */
static int
ends(const char *word, const char *next)
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		parse(word, next, NULL);
		_exit(77);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) != 77 ? WEXITSTATUS(status) : -1;
}

UNIT(no_words_no_change)
{
	CHECK_U64((unsigned)parse(NULL), 0);
	CHECK(!set.quiet && !set.format);
}

UNIT(short_options)
{
	CHECK(parse("-qv", "-fname", "a", "-f", "other", NULL) == 1);
	CHECK(set.quiet && set.verbose);
	CHECK(strcmp(set.format, "other") == 0);
	CHECK(strcmp(words[5], "a") == 0);
	CHECK(parse("-qfx", NULL) == 0);
	CHECK(strcmp(set.format, "x") == 0);
}

UNIT(long_options)
{
	CHECK(parse("--title=a=b", "--width", "20", "--format=", NULL) == 0);
	CHECK(strcmp(set.title, "a=b") == 0);
	CHECK(set.width == 20);
	CHECK(strcmp(set.format, "") == 0);
	CHECK(parse("--title", "--quiet", NULL) == 0);
	CHECK(strcmp(set.title, "--quiet") == 0 && !set.quiet);
}

UNIT(one_dash_before_a_name_does)
{
	CHECK(parse("-title", "x", "-width=30", "-quiet", "a", NULL) == 1);
	CHECK(strcmp(set.title, "x") == 0 && set.width == 30 && set.quiet);
	/* An unambiguous prefix is accepted, unless it is a group of letters. */
	CHECK(parse("-titl", "x", "-wid=40", NULL) == 0 && set.width == 40);
	CHECK(parse("-form", NULL) == 0 && strcmp(set.format, "orm") == 0);
	CHECK(ends("-mi", "3") == 2);
}

UNIT(options_without_effect_are_accepted)
{
	CHECK(parse("--flip", "--flop", "x", "--flop=y", "-flip", "-zsx", "a", NULL) ==
		1);
	CHECK(parse("--fli", NULL) == 0);
	/* A prefix of our own option wins, and one of two foreign options is
	 * ambiguous. */
	CHECK(parse("--f", "json", NULL) == 0 && strcmp(set.format, "json") == 0);
	CHECK(ends("--fl", NULL) == 2);
	CHECK(ends("--flop", NULL) == 2);
}

UNIT(all_programs_have_these)
{
	char *argv[] = { (char[]){ "prog" }, (char[]){ "-o" }, (char[]){ "file" },
		(char[]){ "-vq" }, (char[]){ "operand" }, NULL };

	CHECK(opt_parse(&sharing, 5, argv) == 4);
	CHECK(strcmp(shared.output, "file") == 0 && shared.verbose && shared.quiet);
}

/* The last line but one of the message for WORD. */
static struct str
said_of(const char *word)
{
	static char text[1000];
	FILE *f = tmpfile();
	int old = dup(STDERR_FILENO);
	struct str rest;

	dup2(fileno(f), STDERR_FILENO);
	CHECK(ends(word, NULL) == 2);
	dup2(old, STDERR_FILENO);
	rest = (struct str){ text, (size_t)pread(fileno(f), text, sizeof text, 0) };
	fclose(f);
	return str_cut(&rest, '\n');
}

UNIT(near_names_are_suggested)
{
	CHECK_STR(said_of("--titel"),
		STR("fg: unknown option --titel; did you mean --title?"));
	CHECK_STR(said_of("-titel"),
		STR("fg: unknown option -titel; did you mean --title?"));
	CHECK_STR(said_of("-x"), STR("fg: unknown option -x"));
	CHECK_STR(said_of("--flopp"), STR("fg: unknown option --flopp"));
}

UNIT(beginnings_of_names)
{
	CHECK(parse("--ti", "x", "--qui", NULL) == 0);
	CHECK(set.quiet && strcmp(set.title, "x") == 0);
	CHECK(parse("--min", "3", "--min-w", "-4.5", NULL) == 0);
	CHECK(set.min > 2.9 && set.min < 3.1 && set.any < -4.4);
	CHECK(ends("--mi", "3") == MSG_TROUBLE);
}

UNIT(operands_go_to_the_end_in_order)
{
	CHECK(parse("a", "-q", "-", "--", "-v", "--x", NULL) == 4);
	CHECK(strcmp(words[3], "a") == 0 && strcmp(words[4], "-") == 0);
	CHECK(strcmp(words[5], "-v") == 0 && strcmp(words[6], "--x") == 0);
	CHECK(set.quiet && !set.verbose);
}

UNIT(lists_keep_all)
{
	CHECK(parse("--skip", "a", "--skip=b", NULL) == 0);
	CHECK_U64(set.skip.n, 2);
	CHECK(strcmp(set.skip.items[0], "a") == 0 && strcmp(set.skip.items[1], "b") == 0);
	opt_list_release(&set.skip);
	CHECK(set.skip.n == 0 && !set.skip.items);
}

UNIT(calls_judge_their_argument)
{
	CHECK(parse("-c", "good", NULL) == 0);
	CHECK(strcmp(set.called, "good") == 0);
	CHECK(ends("--call", "bad") == MSG_TROUBLE);
}

UNIT(an_argument_that_may_be_missing_is_in_the_same_word)
{
	CHECK(parse("--maybe", "file", NULL) == 1);
	CHECK(strcmp(set.called, "nothing") == 0);
	CHECK(parse("--maybe=here", "file", NULL) == 1);
	CHECK(strcmp(set.called, "here") == 0);
	CHECK(parse("--perhaps=", NULL) == 0);
	CHECK(strcmp(set.called, "") == 0);
}

UNIT(only_a_known_word_is_an_argument_that_may_be_missing)
{
	parse("-g", "./prog", NULL);
	CHECK_STR(str_of(set.called), STR("nothing"));
	parse("-g", "fp", "./prog", NULL);
	CHECK_STR(str_of(set.called), STR("fp"));
	parse("-g", "dwarf,8192", NULL);
	CHECK_STR(str_of(set.called), STR("dwarf,8192"));
	parse("--graph", "fps", NULL);
	CHECK_STR(str_of(set.called), STR("nothing"));
	parse("-g", NULL);
	CHECK_STR(str_of(set.called), STR("nothing"));
	/* More letters may follow in the same word. */
	parse("-gfp", NULL);
	CHECK_STR(str_of(set.called), STR("fp"));
	parse("-gq", NULL);
	CHECK(set.quiet);
	CHECK_STR(str_of(set.called), STR("nothing"));
	parse("--graph=odd", NULL);
	CHECK_STR(str_of(set.called), STR("odd"));
}

UNIT(numbers_have_ranges)
{
	CHECK(parse("--width", "10", "--width=2000", NULL) == 0);
	CHECK(ends("--width", "9") == MSG_TROUBLE);
	CHECK(ends("--width", "2001") == MSG_TROUBLE);
	CHECK(ends("--width", "20.5") == MSG_TROUBLE);
	CHECK(ends("--width", "20x") == MSG_TROUBLE);
	CHECK(ends("--width", "") == MSG_TROUBLE);
	CHECK(ends("--min", "nan") == MSG_TROUBLE);
	CHECK(ends("--min-width", "inf") == MSG_TROUBLE);
	CHECK(ends("--min-width", "1e999") == MSG_TROUBLE);
}

UNIT(usage_errors_are_trouble)
{
	CHECK(ends("--nonsense", NULL) == MSG_TROUBLE);
	CHECK(ends("-x", NULL) == MSG_TROUBLE);
	CHECK(ends("-qx", NULL) == MSG_TROUBLE);
	CHECK(ends("--title", NULL) == MSG_TROUBLE);
	CHECK(ends("-f", NULL) == MSG_TROUBLE);
	CHECK(ends("--quiet=yes", NULL) == MSG_TROUBLE);
	CHECK(ends("--=x", NULL) == MSG_TROUBLE);
}

UNIT(help_and_version_are_not_errors)
{
	CHECK(ends("--help", NULL) == MSG_DONE);
	CHECK(ends("-h", NULL) == MSG_DONE);
	CHECK(ends("--version", NULL) == MSG_DONE);
}

UNIT(operands_behind_one_that_takes_many_are_its_own)
{
	CHECK_U64(parse("x", "-a", "1", "2", "-", "-q", "y", "--all=3", "4", "--", "z",
			  NULL),
		3);
	CHECK_U64(set.many.n, 5);
	CHECK(set.quiet && strcmp(set.many.items[2], "-") == 0 &&
		strcmp(set.many.items[4], "4") == 0);
}

UNIT(the_words_of_a_command_are_not_options)
{
	char prog[] = "prog", q[] = "-q", name[] = "ls", v[] = "-v", end[] = "--";
	char *argv[] = { prog, q, name, v, end, q, NULL };

	memset(&set, 0, sizeof set);
	CHECK(opt_parse(&runner, 6, argv) == 2);
	CHECK(set.quiet && !set.verbose);
	CHECK(strcmp(argv[2], "ls") == 0 && strcmp(argv[3], "-v") == 0);
	CHECK(strcmp(argv[4], "--") == 0 && strcmp(argv[5], "-q") == 0);
}

/* The completions of SHELL; the caller releases them. */
static struct buf
complete(const char *shell)
{
	struct buf b = { 0 };

	CHECK(opt_complete(
		&b, shell, &(struct opt_completed){ "prog", options, NULL, false }));
	return b;
}

static bool
has(const struct buf *b, const char *text)
{
	return str_search(buf_view(b), str_of(text)) < b->n;
}

UNIT(completions_have_names_and_values)
{
	struct buf b = complete("bash");

	CHECK(has(&b, "--format) "));
	CHECK(has(&b, "--title --width"));
	CHECK(!has(&b, "--flip"));
	CHECK(!has(&b, "--perhaps"));
	buf_release(&b);
	b = complete("fish");
	CHECK(has(&b, "-s g -l graph -a 'fp dwarf'"));
	CHECK(has(&b, "-s q -l quiet -d 'say less'\n"));
	CHECK(has(&b, "-l title -x -d"));
	buf_release(&b);
	b = complete("zsh");
	CHECK(has(&b, "'(-f --format)--format=[read NAME]:NAME: '"));
	CHECK(has(&b, "'*--skip=[skip FRAME]"));
	CHECK(has(&b, "'--maybe=-[call, with X or without]::"));
	buf_release(&b);
	CHECK(!opt_complete(
		&b, "csh", &(struct opt_completed){ "prog", options, NULL, false }));
	CHECK_U64(b.n, 0);
}

UNIT(words_lists_and_files_are_offered)
{
	static const char *const ways[] = { "slow", "2-fold", NULL };
	static const struct opt rows[] = {
		{ .name = "way",
			.arg = "WAY",
			.kind = OPT_STR,
			.help = "go",
			.words = ways },
		{ .name = "size", .arg = "SIZE", .kind = OPT_STR, .help = "large" },
		{ .name = "file", .arg = "FILE", .kind = OPT_STR, .help = "read it" },
		{ .name = "list-kinds", .kind = OPT_FLAG, .help = "list" },
		{ .name = "of", .arg = "KIND", .kind = OPT_STR, .help = "a kind" },
		{ .kind = OPT_END },
	};
	struct buf b = { 0 };

	CHECK(opt_complete(
		&b, "fish", &(struct opt_completed){ "prog", rows, NULL, true }));
	CHECK(has(&b, "-l way -x -a 'slow 2-fold'"));
	CHECK(has(&b, "-l size -x -d"));
	CHECK(has(&b, "-l file -r -F"));
	CHECK(has(&b, "--list-kinds </dev/null"));
	buf_release(&b);
}

static int way;
static struct opt_shared chosen;
static const struct opt choices[] = { { .name = "way",
					      .arg = "WAY",
					      .kind = OPT_CHOICE,
					      .value = &way,
					      .uses = 4,
					      .words = OPT_WORDS("slow", "fast"),
					      .help = "go {} (default: slow)" },
	{ .name = "pace",
		.arg = "WAY",
		.kind = OPT_FLAG,
		.place = OPT_RARE,
		.value = &way,
		.uses = 8,
		.also = "N km/h",
		.words = OPT_WORDS("slow", "fast"),
		.help = "{}" },
	{ .name = "gait", .kind = OPT_FLAG, .place = OPT_COMPAT, .help = "old" },
	{ .kind = OPT_END } };

UNIT(words_are_chosen_and_shown)
{
	static const struct opt_program chooser = {
		.synopsis = "", .about = "", .options = choices, .shared = &chosen
	};
	char text[] = "prog\0--way=fast", *argv[] = { text, text + 5, NULL };
	struct buf b = { 0 };

	CHECK_U64((unsigned)opt_parse(&chooser, 2, argv), 2);
	CHECK_U64((unsigned)way, 1);
	CHECK_U64(chosen.uses, 4);
	opt_put_help(&b, &choices[0]);
	opt_put_help(&b, &choices[1]);
	CHECK_STR(buf_view(&b), STR("go slow or fast (default: slow)slow, fast, N km/h"));
	buf_release(&b);
	CHECK(opt_complete(
		&b, "fish", &(struct opt_completed){ "prog", choices, NULL, false }));
	CHECK(has(&b, "-l way -x -a 'slow fast' -d 'go slow or fast (default: slow)'"));
	CHECK(has(&b, "-l pace "));
	CHECK(!has(&b, "gait"));
	buf_release(&b);
}

/* What was passed on last, and the words of all options. */
static struct buf passed_on, taken;

static void
pass(const struct opt *o, const char *arg, bool by_letter)
{
	buf_fmt(&passed_on, "%s:%s=%s;", o->program, by_letter ? "letter" : o->name,
		arg ? arg : "");
}

static void
note(char *const *given, int n)
{
	while (n--)
		buf_fmt(&taken, "%s ", *given++);
	buf_char(&taken, '|');
}

static const struct opt passed_rows[] = {
	{ .letter = 't',
		.name = "title",
		.arg = "TEXT",
		.kind = OPT_STR,
		.help = "heading",
		.program = "svg" },
	{ .letter = 'q',
		.name = "several",
		.arg = "FILE...",
		.kind = OPT_MANY,
		.help = "files",
		.program = "diff" },
	{ .kind = OPT_END },
};
static const struct opt further_rows[] = {
	{ .name = "svg-title",
		.arg = "TEXT",
		.kind = OPT_STR,
		.help = "heading",
		.program = "svg" },
	{ .name = "svg-way",
		.arg = "WAY",
		.kind = OPT_STR,
		.help = "go",
		.words = OPT_WORDS("a", "b"),
		.program = "svg" },
	{ .name = "diff-top",
		.arg = "N",
		.kind = OPT_STR,
		.help = "best",
		.program = "diff" },
	{ .kind = OPT_END },
};
static const struct opt_program joined = { .synopsis = "COMMAND",
	.about = "Joins.",
	.options = with_command,
	.passed = passed_rows,
	.further = further_rows,
	.pass = pass,
	.taken = note };

UNIT(options_of_other_programs_are_passed_on)
{
	char text[] = "prog\0-qtx\0--several\0a\0b\0--svg-way=c\0command\0--title",
	     *argv[9], *at = text;
	int argc;

	set.quiet = false;
	for (argc = 0; argc < 8; argc++, at += strlen(at) + 1)
		argv[argc] = at;
	argv[argc] = NULL;
	/* Its own option comes first; the command ends all options. */
	CHECK_U64((unsigned)opt_parse(&joined, argc, argv), 6);
	CHECK(set.quiet);
	CHECK_STR(buf_view(&passed_on),
		STR("svg:letter=x;diff:several=a;diff:several=b;svg:svg-way=c;"));
	CHECK_STR(buf_view(&taken), STR("-qtx |--several a b |--svg-way=c |"));
	buf_release(&passed_on);
	buf_release(&taken);
}

UNIT(further_rows_are_offered_behind_the_name_of_a_program)
{
	struct buf b = { 0 };

	CHECK(opt_complete(&b, "bash",
		&(struct opt_completed){ "run", with_command, further_rows, true }));
	CHECK(has(&b, "words='--quiet '\n"));
	CHECK(has(&b, "[[ $cur != --@(svg|diff)-* ]] || words='--svg-title --svg-way "));
	CHECK(has(&b, "--svg-way) words='a b' ;;"));
	CHECK(has(&b, "--svg-title | --svg-way | --diff-top | =)"));
	buf_release(&b);
}

UNIT_MAIN
