/* SPDX-License-Identifier: ISC */
/* Options by rows; see opt.h. */
#include "opt.h"
#include "mem.h"
#include "msg.h"
#include "output.h"

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

/* How a row is called in messages: its long name, else its letter. */
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

static void
add(struct opt_list *list, const char *arg)
{
	list->items = mem_grow(list->items, &list->cap, list->n + 1, sizeof *list->items);
	list->items[list->n++] = arg;
}

static void
apply(const struct opt *o, const char *arg)
{
	char letter[3];
	const char *wrong;

	switch (o->kind) {
	case OPT_END:
	case OPT_GROUP:
	case OPT_COMMAND: break;
	case OPT_FLAG: *(bool *)o->value = true; break;
	case OPT_STR: *(const char **)o->value = arg; break;
	case OPT_INT: *(long *)o->value = (long)number(o, arg); break;
	case OPT_NUM: *(double *)o->value = number(o, arg); break;
	case OPT_LIST:
	case OPT_MANY: add(o->value, arg); break;
	case OPT_CALL:
	case OPT_WORD:
		wrong = o->call(arg);
		if (wrong)
			opt_usage("%s%s: '%s' %s", o->name ? "--" : "",
				spelled(o, letter), arg ? arg : "", wrong);
		break;
	}
}

static bool
is_optional(const struct opt *o)
{
	return o->arg && o->arg[0] == '[' && o->kind != OPT_WORD;
}

static void
put_row(struct output *out, const struct opt *o)
{
	char head[64];
	int n;

	if (o->kind == OPT_COMMAND || !o->help)
		return;
	if (o->kind == OPT_GROUP) {
		output_fmt(out, "\n%s:\n", o->help);
		return;
	}
	n = snprintf(head, sizeof head, "  %c%c%s%s%s%s%s", o->letter ? '-' : ' ',
		o->letter ? o->letter : ' ', o->letter && o->name ? ", " : "  ",
		o->name ? "--" : "", o->name ? o->name : "",
		o->arg && !is_optional(o) ? " " : "", o->arg ? o->arg : "");
	if (n > 30)
		output_fmt(out, "%s\n%-32s%s\n", head, "", o->help);
	else
		output_fmt(out, "%-32s%s\n", head, o->help);
}

static _Noreturn void
help(const struct opt_program *p)
{
	static const struct opt own[] = {
		{ 'h', "help", NULL, OPT_END, NULL, "show this", 0, 0, NULL },
		{ 0, "version", NULL, OPT_END, NULL, "show the version", 0, 0, NULL },
	};
	const struct opt *o;
	struct output out;

	output_init(&out, STDOUT_FILENO, "stdout");
	output_fmt(&out, "usage: %s %s\n%s\n", msg_prog(), p->synopsis, p->about);
	if (p->options[0].kind != OPT_GROUP)
		output_char(&out, '\n');
	for (o = p->options; o->kind != OPT_END; o++)
		put_row(&out, o);
	put_row(&out, &own[0]);
	put_row(&out, &own[1]);
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

/* Whether A and B are two names of one option. */
static bool
is_same(const struct opt *a, const struct opt *b)
{
	return a->kind == b->kind && a->value == b->value && a->call == b->call;
}

/* The row whose long name is NAME or, alone among them, begins with it. */
static const struct opt *
find_long(const struct opt_program *p, struct str name)
{
	const struct opt *o, *found = NULL;
	bool ambiguous = false;

	for (o = p->options; o->kind != OPT_END; o++) {
		if (!o->name || !str_starts(str_of(o->name), name))
			continue;
		if (strlen(o->name) == name.n)
			return o;
		ambiguous |= found && !is_same(found, o);
		found = o;
	}
	if (ambiguous)
		opt_usage("--%.*s could be several options", (int)name.n, name.s);
	return found;
}

static const struct opt *
find_letter(const struct opt_program *p, char letter)
{
	const struct opt *o;

	for (o = p->options; o->kind != OPT_END; o++)
		if (o->letter == letter && o->kind != OPT_GROUP)
			return o;
	return NULL;
}

/* Whether WORD can be the argument of O, which is of OPT_WORD. */
static bool
is_known(const struct opt *o, const char *word)
{
	const char *const *known = o->value;
	struct str rest = str_of(word ? word : ""), first = str_cut(&rest, ',');

	while (*known && !str_eq(first, str_of(*known)))
		known++;
	return *known;
}

/* Takes the argument of O: the TAIL in the same word, else the next word. */
static const char *
argument(const struct opt *o, const char *tail, char **argv, int argc, int *i)
{
	char letter[3];

	if (tail || is_optional(o))
		return tail;
	if (o->kind == OPT_WORD && (*i + 1 >= argc || !is_known(o, argv[*i + 1])))
		return NULL;
	if (*i + 1 >= argc)
		opt_usage("%s%s needs an argument (%s)", o->name ? "--" : "",
			spelled(o, letter), o->arg);
	return argv[++*i];
}

/* Takes the operands behind an OPT_MANY for more of its arguments. */
static void
take_more(const struct opt *o, char **argv, int argc, int *i)
{
	if (o->kind != OPT_MANY)
		return;
	while (*i + 1 < argc && (argv[*i + 1][0] != '-' || !argv[*i + 1][1]))
		add(o->value, argv[++*i]);
}

static void
take_long(const struct opt_program *p, char **argv, int argc, int *i)
{
	struct str rest = str_of(argv[*i] + 2), name = str_cut(&rest, '=');
	const char *tail = name.s[name.n] == '=' ? rest.s : NULL;
	const struct opt *o = name.n ? find_long(p, name) : NULL;

	if (!o && name.n && str_starts(STR("help"), name))
		help(p);
	if (!o && name.n && str_starts(STR("version"), name))
		version();
	if (!o)
		opt_usage("unknown option --%.*s", (int)name.n, name.s);
	if (!o->arg && tail)
		opt_usage("--%s takes no argument", o->name);
	apply(o, o->arg ? argument(o, tail, argv, argc, i) : NULL);
	take_more(o, argv, argc, i);
}

static void
take_letters(const struct opt_program *p, char **argv, int argc, int *i)
{
	const char *word = argv[*i], *c;
	const struct opt *o;

	for (c = word + 1; *c; c++) {
		o = find_letter(p, *c);
		if (!o && *c == 'h')
			help(p);
		if (!o)
			opt_usage("unknown option -%c in %s", *c, word);
		/* What follows a letter may then be more letters, as in -ga. */
		if (o->arg && !(o->kind == OPT_WORD && c[1] && !is_known(o, c + 1))) {
			apply(o, argument(o, c[1] ? c + 1 : NULL, argv, argc, i));
			take_more(o, argv, argc, i);
			return;
		}
		apply(o, NULL);
	}
}

static bool
has_command(const struct opt_program *p)
{
	const struct opt *o;

	for (o = p->options; o->kind != OPT_END; o++)
		if (o->kind == OPT_COMMAND)
			return true;
	return false;
}

/* Moves the option words from FROM to TO before the operands, which begin at FIRST
 * and end at FROM. Returns where they begin then. */
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

int
opt_parse(const struct opt_program *program, int argc, char **argv)
{
	bool command = has_command(program);
	int i, from, first = 1;

	for (i = 1; i < argc && !(command && first < i); i++) {
		from = i;
		if (strcmp(argv[i], "--") == 0)
			return move_before(argv, first, i, i + 1);
		if (argv[i][0] == '-' && argv[i][1] == '-')
			take_long(program, argv, argc, &i);
		else if (argv[i][0] == '-' && argv[i][1])
			take_letters(program, argv, argc, &i);
		else
			continue;
		first = move_before(argv, first, from, i + 1);
	}
	return first;
}
