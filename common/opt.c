/* SPDX-License-Identifier: ISC */
/* Parses options by table; see opt.h. */
#include "opt.h"
#include "budget.h"
#include "mem.h"
#include "msg.h"
#include "output.h"
#include "suggest.h"

#include <math.h>
#include <stdarg.h>
#include <unistd.h>

#ifndef FG_VERSION
#define FG_VERSION "unknown"
#endif

void
opt_usage(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	msg_error("%s", text);
	msg_die("see %s --help", msg_prog());
}

void
opt_list_release(struct opt_list *list)
{
	free(list->items);
	*list = (struct opt_list){ 0 };
}

enum { HELP_COLUMN = 28 }; /* the column of help texts */

/* The state of opt_parse. */
struct parse {
	const struct opt_program *program;
	struct opt *rows; /* the program's rows and the common ones; owned */
	int argc, i;
	char **argv;
	bool by_letter; /* the current option was given by its letter */
	const struct opt **
		ignored; /* rows of OPT_IGNORED that were given, without duplicates; owned */
	size_t n_ignored, cap_ignored;
};

/* The row's name in messages: its long name, else its letter. */
static const char *
spelled(const struct opt *o, char letter[3])
{
	letter[0] = '-';
	letter[1] = o->letter;
	letter[2] = 0;
	return o->name ? o->name : letter;
}

static double
number(const struct opt *o, const char *arg)
{
	char letter[3], *end;
	double v = strtod(arg, &end);
	const char *name = spelled(o, letter), *dashes = o->name ? "--" : "";

	if (end == arg || *end || !isfinite(v) || (o->kind == OPT_INT && v != floor(v)))
		opt_usage("%s%s takes a %snumber, not '%s'", dashes, name,
			o->kind == OPT_INT ? "whole " : "", arg);
	if (o->min < o->max && (v < o->min || v > o->max))
		opt_usage("%s%s takes %g to %g, not '%s'", dashes, name, o->min, o->max,
			arg);
	return v;
}

void
opt_list_add(struct opt_list *list, const char *word)
{
	list->items = mem_grow(list->items, &list->cap, list->n + 2, sizeof *list->items);
	list->items[list->n++] = word;
	list->items[list->n] = NULL;
}

void
opt_refuse(const struct opt *o, const char *arg, const char *wrong)
{
	struct buf words = { 0 };

	opt_put_words(&words, o);
	opt_usage("--%s: '%s' %s; use %s", o->name, arg, wrong, buf_cstr(&words));
}

static int
choose(const struct opt *o, const char *arg)
{
	char letter[3];
	struct buf words = { 0 };
	int i = 0;

	while (o->words[i] && strcmp(o->words[i], arg) != 0)
		i++;
	if (o->words[i])
		return i;
	opt_put_words(&words, o);
	opt_usage("%s%s takes %s, not '%s'", o->name ? "--" : "", spelled(o, letter),
		buf_cstr(&words), arg);
}

static bool
is_optional(const struct opt *o)
{
	return o->arg && o->arg[0] == '[' && o->kind != OPT_WORD;
}

static void
put_row(struct output *out, const struct opt *o)
{
	struct buf text = { 0 };
	char head[64];
	int n;

	if (o->kind == OPT_COMMAND || o->kind == OPT_IGNORED || !o->help || o->place)
		return;
	if (o->kind == OPT_GROUP) {
		output_fmt(out, "%s:\n", o->help);
		return;
	}
	n = snprintf(head, sizeof head, "  %c%c%s%s%s%s%s", o->letter ? '-' : ' ',
		o->letter ? o->letter : ' ', o->letter && o->name ? ", " : "  ",
		o->name ? "--" : "", o->name ? o->name : "",
		o->arg && !is_optional(o) ? " " : "", o->arg ? o->arg : "");
	opt_put_help(&text, o);
	if (n > HELP_COLUMN - 2)
		output_fmt(out, "%s\n%-*s%s\n", head, HELP_COLUMN, "", buf_cstr(&text));
	else
		output_fmt(out, "%-*s%s\n", HELP_COLUMN, head, buf_cstr(&text));
	buf_release(&text);
}

static size_t
count_rows(const struct opt *rows)
{
	size_t n = 0;

	while (rows && rows[n].kind != OPT_END)
		n++;
	return n;
}

static _Noreturn void
help(const struct parse *p)
{
	size_t passed = count_rows(p->program->passed) + count_rows(p->program->further);
	const struct opt *o, *own_end = p->rows + count_rows(p->rows) - passed;
	struct output out;
	bool more = false;

	output_init(&out, STDOUT_FILENO, "stdout");
	output_fmt(&out, "usage: %s %s\n%s\n\n", msg_prog(), p->program->synopsis,
		p->program->about);
	for (o = p->rows; o < own_end; o++) {
		put_row(&out, o);
		more |= o->kind == OPT_IGNORED || o->place;
	}
	if (more)
		output_fmt(&out, "%s(1) describes more options.\n", msg_prog());
	exit(output_close(&out) ? MSG_DONE : MSG_TROUBLE);
}

static _Noreturn void
version(void)
{
	struct output out;

	output_init(&out, STDOUT_FILENO, "stdout");
	output_fmt(&out, "%s %s\n", msg_prog(), FG_VERSION);
	exit(output_close(&out) ? MSG_DONE : MSG_TROUBLE);
}

/* The row that describes the first operand, or NULL. */
static const struct opt *
find_command(const struct opt_program *p)
{
	const struct opt *o = p->options;

	while (o->kind != OPT_END && o->kind != OPT_COMMAND)
		o++;
	return o->kind == OPT_COMMAND ? o : NULL;
}

/* Prints the completion script for SHELL and ends the program. */
static _Noreturn void
print_completions(const struct parse *p, const char *shell)
{
	const struct opt_program *program = p->program;
	const struct opt *command = find_command(program);
	struct opt_completed what = { msg_prog(), p->rows, program->further,
		command && !command->arg };
	struct buf text = { 0 };
	struct output out;

	p->rows[count_rows(p->rows) - count_rows(program->further)].kind = OPT_END;
	if (!opt_complete(&text, shell, &what))
		opt_usage("--completions takes bash, zsh or fish, not '%s'", shell);
	output_init(&out, STDOUT_FILENO, "stdout");
	output_str(&out, buf_view(&text));
	exit(output_close(&out) ? MSG_DONE : MSG_TROUBLE);
}

/* Remembers O for the warning after all options are parsed. */
static void
ignore(struct parse *p, const struct opt *o)
{
	size_t i;

	for (i = 0; i < p->n_ignored; i++)
		if (p->ignored[i] == o)
			return;
	p->ignored = mem_grow(
		p->ignored, &p->cap_ignored, p->n_ignored + 1, sizeof *p->ignored);
	p->ignored[p->n_ignored++] = o;
}

static void
apply(struct parse *p, const struct opt *o, const char *arg)
{
	char letter[3];
	const char *wrong = NULL;

	if (o->program) {
		p->program->pass(o, arg, p->by_letter);
		return;
	}
	if (p->program->shared)
		p->program->shared->uses |= o->uses;
	switch (o->kind) {
	case OPT_END:
	case OPT_GROUP:
	case OPT_COMMAND: break;
	case OPT_HELP: help(p);
	case OPT_VERSION: version();
	case OPT_IGNORED: ignore(p, o); break;
	case OPT_COMPLETIONS: print_completions(p, arg);
	case OPT_FLAG: *(bool *)o->value = true; break;
	case OPT_STR: *(const char **)o->value = arg; break;
	case OPT_INT: *(long *)o->value = (long)number(o, arg); break;
	case OPT_NUM: *(double *)o->value = number(o, arg); break;
	case OPT_LIST:
	case OPT_MANY: opt_list_add(o->value, arg); break;
	case OPT_CHOICE: *(int *)o->value = choose(o, arg); break;
	case OPT_CALL:
	case OPT_WORD: wrong = o->read ? o->read(o, arg) : o->call(arg); break;
	}
	if (wrong)
		opt_usage("%s%s: '%s' %s", o->name ? "--" : "", spelled(o, letter),
			arg ? arg : "", wrong);
}

/* Whether A and B are names of the same option. */
static bool
is_same(const struct opt *a, const struct opt *b)
{
	return a->kind == b->kind && a->value == b->value && a->call == b->call &&
		a->read == b->read && a->which == b->which && !a->arg == !b->arg;
}

/* The row whose long name is exactly NAME. */
static const struct opt *
find_exact(const struct parse *p, struct str name)
{
	const struct opt *o;

	for (o = p->rows; o->kind != OPT_END; o++)
		if (o->name && str_eq(str_of(o->name), name))
			return o;
	return NULL;
}

/* The row whose name begins with NAME, if it is the only such row among other tools' options or
 * among ours. */
static const struct opt *
find_beginning(const struct parse *p, struct str name, bool others)
{
	const struct opt *o, *found = NULL;
	bool ambiguous = false;

	for (o = p->rows; o->kind != OPT_END; o++) {
		if (!o->name || !str_starts(str_of(o->name), name) ||
			o->kind == OPT_COMPLETIONS || p->program->pass ||
			(o->kind == OPT_IGNORED) != others)
			continue;
		ambiguous |= found && !is_same(found, o);
		found = o;
	}
	if (ambiguous)
		opt_usage("--%.*s is ambiguous", (int)name.n, name.s);
	return found;
}

/* The row of NAME, which may be an abbreviation. */
static const struct opt *
find_long(const struct parse *p, struct str name)
{
	const struct opt *found = find_exact(p, name);

	found = found ? found : find_beginning(p, name, false);
	return found ? found : find_beginning(p, name, true);
}

static const struct opt *
find_letter(const struct parse *p, char letter)
{
	const struct opt *o;

	for (o = p->rows; o->kind != OPT_END; o++)
		if (o->letter == letter && o->kind != OPT_GROUP)
			return o;
	return NULL;
}

/* Whether --help lists O, or the option that it is an alias of. */
static bool
is_offered(const struct parse *p, const struct opt *o)
{
	const struct opt *shown = p->rows;

	while (shown->kind != OPT_END && !(shown->help && is_same(shown, o)))
		shown++;
	return o->kind != OPT_IGNORED && shown->kind != OPT_END;
}

/* Reports unknown option WORD, suggests names similar to NAME, and ends the program. */
static _Noreturn void
refuse(const struct parse *p, const char *word, struct str name)
{
	struct suggest near = { .want = name, .prefix = STR("--") };
	struct buf text = { 0 };
	const struct opt *o;

	for (o = p->rows; o->kind != OPT_END && name.n > 1; o++)
		if (o->name && is_offered(p, o))
			suggest_offer(&near, str_of(o->name));
	buf_fmt(&text, "unknown option %s", word);
	suggest_put(&near, &text);
	opt_usage("%s", buf_cstr(&text));
}

bool
opt_offers(const struct opt *o, struct str word)
{
	struct str first = str_cut(&word, ',');
	size_t i = 0;

	while (o->words && o->words[i] && !str_eq(first, str_of(o->words[i])))
		i++;
	return o->words && o->words[i];
}

/* The argument of O: TAIL, from the same word, else the next word. */
static const char *
argument(struct parse *p, const struct opt *o, const char *tail)
{
	char letter[3];
	bool is_last = p->i + 1 >= p->argc;

	if (tail || is_optional(o))
		return tail;
	if (o->kind == OPT_WORD && (is_last || !opt_offers(o, str_of(p->argv[p->i + 1]))))
		return NULL;
	if (is_last)
		opt_usage("%s%s needs an argument (%s)", o->name ? "--" : "",
			spelled(o, letter), o->arg);
	return p->argv[++p->i];
}

/* Adds the operands after an OPT_MANY to its arguments. */
static void
add_more(struct parse *p, const struct opt *o)
{
	if (o->kind != OPT_MANY)
		return;
	while (p->i + 1 < p->argc &&
		(p->argv[p->i + 1][0] != '-' || !p->argv[p->i + 1][1]))
		apply(p, o, p->argv[++p->i]);
}

/* Handles O; TAIL is the text after its name and '=', or NULL. */
static void
handle_option(struct parse *p, const struct opt *o, const char *tail)
{
	if (!o->arg && tail)
		opt_usage("--%s takes no argument", o->name);
	apply(p, o, o->arg ? argument(p, o, tail) : NULL);
	add_more(p, o);
}

/* Handles the word at p->i as a long option: "--name", "--name=ARG", or the same with one dash,
 * which may be abbreviated only if its first letter is not an option. False for any other word. */
static bool
handle_long(struct parse *p)
{
	const char *word = p->argv[p->i], *text = word + 1 + (word[1] == '-');
	struct str rest = str_of(text), name = str_cut(&rest, '=');
	const char *tail = name.s[name.n] == '=' ? rest.s : NULL;
	const struct opt *o = NULL;

	p->by_letter = false;
	if (word[1] == '-')
		o = name.n ? find_long(p, name) : NULL;
	else if (name.n > 1)
		o = find_letter(p, word[1]) ? find_exact(p, name) : find_long(p, name);
	if (o)
		handle_option(p, o, tail);
	else if (word[1] == '-')
		refuse(p, word, name);
	return o != NULL;
}

static void
handle_letters(struct parse *p)
{
	const char *word = p->argv[p->i], *c;
	const struct opt *o;

	p->by_letter = true;
	for (c = word + 1; *c; c++) {
		o = find_letter(p, *c);
		if (!o)
			refuse(p, word, str_of(word + 1));
		/* The text after a letter may also be more letters, as in -ga. */
		if (o->arg &&
			!(o->kind == OPT_WORD && c[1] && !opt_offers(o, str_of(c + 1)))) {
			handle_option(p, o, c[1] ? c + 1 : NULL);
			return;
		}
		apply(p, o, NULL);
	}
}

/* Moves the option words from FROM to TO before the operands, which begin at FIRST and end at FROM.
 * Returns the new start of the operands. */
static int
move_before(char **argv, int first, int from, int to)
{
	char *word;

	for (; from < to; from++) {
		word = argv[from];
		memmove(argv + first + 1, argv + first,
			(size_t)(from - first) * sizeof *argv);
		argv[first++] = word;
	}
	return first;
}

/* Whether PROGRAM reads untrusted input, and so has a budget. */
static bool
reads_input(const struct opt_program *program)
{
	return program->shared && !find_command(program);
}

/* Copies N rows to TO. Returns the place for the next ones. */
static struct opt *
put_rows(struct opt *to, const struct opt *rows, size_t n)
{
	if (n)
		memcpy(to, rows, n * sizeof *to);
	return to + n;
}

/* The program's rows, the common rows, and the passed-on rows. */
static struct opt *
join_rows(const struct opt_program *program)
{
	struct opt_shared none, *shared = program->shared ? program->shared : &none;
	const struct opt all[] = {
		{ .kind = OPT_GROUP, .help = "General" },
		{ OPT_LIMIT, .kind = OPT_CALL, .call = budget_limit },
		{ .letter = 'o',
			.name = "output",
			.arg = "FILE",
			.kind = OPT_STR,
			.value = &shared->output,
			.help = "write to FILE instead of stdout" },
		{ .letter = 'v',
			.name = "verbose",
			.kind = OPT_FLAG,
			.value = &shared->verbose,
			.help = "print what was read and done" },
		{ .letter = 'q',
			.name = "quiet",
			.kind = OPT_FLAG,
			.value = &shared->quiet,
			.help = "print no warnings and no progress" },
		{ .name = "completions", .arg = "SHELL", .kind = OPT_COMPLETIONS },
		{ .letter = 'h',
			.name = "help",
			.kind = OPT_HELP,
			.help = "print this help" },
		{ .letter = 'V',
			.name = "version",
			.kind = OPT_VERSION,
			.help = "print the version" },
		{ .kind = OPT_END },
	};
	/* Without shared options only the last three apply; without headings none is added. */
	const struct opt *row = all + (program->shared ? 0 : 5);
	bool headed = program->options[0].kind == OPT_GROUP;
	size_t own = count_rows(program->options), passed = count_rows(program->passed),
	       further = count_rows(program->further);
	struct opt *rows = mem_alloc(
		(own + sizeof all / sizeof *all + passed + further) * sizeof *rows);
	struct opt *next = put_rows(rows, program->options, own);

	for (; row->kind != OPT_END; row++)
		if ((headed || row->kind != OPT_GROUP) &&
			(row->call != budget_limit || reads_input(program)))
			*next++ = *row;
	next = put_rows(next, program->passed, passed);
	next = put_rows(next, program->further, further);
	*next = (struct opt){ .kind = OPT_END };
	return rows;
}

static void
end(struct parse *p)
{
	const struct opt *o;
	char letter[3];
	size_t i;

	if (p->program->shared)
		msg_quiet(p->program->shared->quiet);
	if (reads_input(p->program))
		budget_start();
	for (i = 0; i < p->n_ignored; i++) {
		o = p->ignored[i];
		msg_warn("%s%s has no effect: %s", o->name ? "--" : "",
			spelled(o, letter), o->help);
	}
	free(p->ignored);
	free(p->rows);
}

int
opt_parse(const struct opt_program *program, int argc, char **argv)
{
	struct parse p = { .program = program,
		.rows = join_rows(program),
		.argc = argc,
		.i = 1,
		.argv = argv };
	bool command = find_command(program);
	int from, first = 1;

	for (; p.i < argc && !(command && first < p.i); p.i++) {
		from = p.i;
		if (strcmp(argv[p.i], "--") == 0) {
			first = move_before(argv, first, p.i, p.i + 1);
			break;
		}
		if (argv[p.i][0] != '-' || !argv[p.i][1])
			continue;
		if (!handle_long(&p))
			handle_letters(&p);
		if (program->taken)
			program->taken(argv + from, p.i + 1 - from);
		first = move_before(argv, first, from, p.i + 1);
	}
	end(&p);
	return first;
}
