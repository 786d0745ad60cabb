/* SPDX-License-Identifier: ISC */
/*
 * Completions for bash, zsh and fish, generated from the rows of options; see opt_complete. The
 * rows also say what an argument may be: words; a list that the program prints (--list-formats for
 * --format, or for an argument FORMAT); files for FILE.
 *
 * A command operand begins at the first word that is neither an option nor an option's argument,
 * and gets its own completions.
 */
#include "opt.h"
#include "mem.h"
#include "str.h"

#include <ctype.h>

/* The first word of each line of a list, except headings. */
#define FIRST "grep -o \"^ *[a-z][^ ]*\""

enum what { NOTHING, WORDS, LISTED, FILES };

/* The possible values of an argument. */
struct values {
	enum what what;
	struct buf text; /* words separated by blanks, or the option that lists them */
};

struct script {
	struct buf *b;
	const char *program;
	const struct opt *rows, *further;
	bool command;
};

/* Writes the code of a shell for a row. */
typedef void put_row(const struct script *s, const struct opt *o);

static bool
is_offered(const struct opt *o)
{
	return o->help && o->place != OPT_COMPAT && o->kind != OPT_GROUP &&
		o->kind != OPT_IGNORED && o->kind != OPT_COMMAND &&
		o->kind != OPT_COMPLETIONS;
}

/* Whether the option LIST prints the values of O: --list-formats those for --format, or for
 * FORMAT. */
static bool
lists(const char *list, const struct opt *o)
{
	struct str of = str_of(list), name = str_of(o->name ? o->name : ""),
		   arg = str_of(o->arg);
	size_t i = 0;

	if (!str_starts(of, STR("list-")) || !str_ends(of, STR("s")))
		return false;
	of = str_from(str_head(of, of.n - 1), sizeof "list-" - 1);
	while (i < arg.n && i < of.n && tolower((unsigned char)arg.s[i]) == of.s[i])
		i++;
	return str_eq(of, name) || (i == arg.n && i == of.n);
}

static void
find_values(const struct script *s, const struct opt *o, struct values *v)
{
	const struct opt *list;
	size_t i;

	*v = (struct values){ .what = NOTHING };
	if (!o->arg)
		return;
	for (i = 0; o->words && o->words[i]; i++)
		buf_fmt(&v->text, "%s%s", i ? " " : "", o->words[i]);
	if (i) {
		v->what = WORDS;
		return;
	}
	for (list = s->rows; list->kind != OPT_END; list++)
		if (list->kind == OPT_FLAG && list->name && lists(list->name, o)) {
			buf_fmt(&v->text, "%s --%s", s->program, list->name);
			v->what = LISTED;
			return;
		}
	if (str_search(str_of(o->arg), STR("FILE")) < strlen(o->arg) ||
		str_search(str_of(o->arg), STR("DIR")) < strlen(o->arg))
		v->what = FILES;
}

static void
put_each(const struct script *s, const struct opt *rows, put_row *put)
{
	const struct opt *o;

	for (o = rows; o->kind != OPT_END; o++)
		if (is_offered(o))
			put(s, o);
}

/* Calls PUT for each row. */
static void
put_rows(const struct script *s, put_row *put)
{
	put_each(s, s->rows, put);
	put_each(s, s->further, put);
}

/* The prefixes of the further rows, up to the first dash: "svg|diff". */
static void
put_prefixes(const struct script *s)
{
	struct str rest, prefix, last = { NULL, 0 };
	const struct opt *o;

	for (o = s->further; o->kind != OPT_END; o++) {
		rest = str_of(o->name ? o->name : "");
		prefix = str_cut(&rest, '-');
		if (last.n && !str_eq(prefix, last))
			buf_char(s->b, '|');
		if (!str_eq(prefix, last))
			buf_str(s->b, prefix);
		last = prefix;
	}
}

static bool
has_further(const struct script *s)
{
	return s->further->kind != OPT_END;
}

/* Whether the next word is always the argument of O. */
static bool
takes_next(const struct opt *o)
{
	return o->arg && o->arg[0] != '[';
}

/* Adds both names of O, with SEPARATOR between. */
static void
put_names(const struct script *s, const struct opt *o, const char *separator)
{
	if (o->letter)
		buf_fmt(s->b, "-%c%s", o->letter, o->name ? separator : "");
	if (o->name)
		buf_fmt(s->b, "--%s", o->name);
}

/* Adds the program's name as part of a shell function's name. */
static void
put_function(const struct script *s)
{
	struct str name = str_of(s->program);
	size_t i;

	buf_char(s->b, '_');
	for (i = 0; i < name.n; i++)
		buf_char(s->b, str_is_word(name.s[i]) ? name.s[i] : '_');
}

/* bash */

static void
put_bash_row(const struct script *s, const struct opt *o)
{
	struct values v;

	if (!takes_next(o))
		return;
	find_values(s, o, &v);
	buf_char(s->b, '\t');
	put_names(s, o, " | ");
	buf_str(s->b, STR(") "));
	if (v.what == WORDS)
		buf_fmt(s->b, "words='%s' ;;\n", buf_cstr(&v.text));
	else if (v.what == LISTED)
		buf_fmt(s->b, "words=$(%s </dev/null 2>/dev/null | " FIRST ") ;;\n",
			buf_cstr(&v.text));
	else
		buf_fmt(s->b, "%s return ;;\n",
			v.what == FILES
				? "compopt -o filenames; COMPREPLY=($(compgen -f -- "
				  "\"$cur\"));"
				: "");
	buf_release(&v.text);
}

static void
put_bash_pattern(const struct script *s, const struct opt *o)
{
	if (!takes_next(o))
		return;
	put_names(s, o, " | ");
	buf_str(s->b, STR(" | "));
}

/* Completes the command itself by _command_offset of bash-completion. */
static void
put_bash_command(const struct script *s)
{
	buf_str(s->b,
		STR("\tlocal at=1\n\twhile ((at < COMP_CWORD)); do\n"
		    "\t\tcase ${COMP_WORDS[at]} in\n\t\t--) break ;;\n\t\t"));
	put_rows(s, put_bash_pattern);
	buf_str(s->b,
		STR("=)\n\t\t\t[[ ${COMP_WORDS[at+1]} != = ]] || ((at++))\n"
		    "\t\t\t((at++)) ;;\n\t\t-*) ;;\n\t\t*) break ;;\n"
		    "\t\tesac\n\t\t((at++))\n\tdone\n"
		    "\tif ((at < COMP_CWORD)); then\n"
		    "\t\t[[ ${COMP_WORDS[at]} != -- ]] || ((at++))\n"
		    "\t\tif declare -F _command_offset >/dev/null; then\n"
		    "\t\t\t_command_offset $at\n\t\t\treturn\n\t\tfi\n"
		    "\t\tcompopt -o filenames\n\t\tCOMPREPLY=($(\n"
		    "\t\t\t((at < COMP_CWORD)) || compgen -c -- \"$cur\"\n"
		    "\t\t\tcompgen -f -- \"$cur\"))\n\t\treturn\n\tfi\n"));
}

static void
put_bash_name(const struct script *s, const struct opt *o)
{
	if (o->name)
		buf_fmt(s->b, "--%s ", o->name);
}

/* Completes option names for a word that begins with a dash. */
static void
put_bash_names(const struct script *s)
{
	buf_str(s->b, STR("\tif [[ -z $words && $cur == -* ]]; then\n\t\twords='"));
	put_each(s, s->rows, put_bash_name);
	buf_str(s->b, STR("'\n"));
	if (has_further(s)) {
		buf_str(s->b, STR("\t\t[[ $cur != --@("));
		put_prefixes(s);
		buf_str(s->b, STR(")-* ]] || words='"));
		put_each(s, s->further, put_bash_name);
		buf_str(s->b, STR("'\n"));
	}
	buf_str(s->b, STR("\tfi\n"));
}

static void
put_bash(const struct script *s)
{
	put_function(s);
	buf_str(s->b,
		STR("()\n{\n"
		    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} words=\n"
		    "\tlocal prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		    "\tif [[ $cur == = ]]; then\n\t\tcur=\n"
		    "\telif [[ $prev == = ]]; then\n"
		    "\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
		    "\tCOMPREPLY=()\n"));
	if (s->command)
		put_bash_command(s);
	buf_str(s->b, STR("\tcase $prev in\n"));
	put_rows(s, put_bash_row);
	buf_str(s->b, STR("\tesac\n"));
	put_bash_names(s);
	buf_str(s->b,
		STR("\tif [[ $words ]]; then\n"
		    "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\t\treturn\n\tfi\n"
		    "\tcompopt -o filenames\n\tCOMPREPLY=($("));
	buf_str(s->b, s->command ? STR("compgen -c -- \"$cur\"; ") : STR(""));
	buf_str(s->b, STR("compgen -f -- \"$cur\"))\n}\ncomplete -F "));
	put_function(s);
	buf_fmt(s->b, " %s\n", s->program);
}

/* zsh */

/* Adds TEXT inside '...' as _arguments reads it: each of SPECIAL needs a backslash. */
static void
put_quoted(struct buf *b, struct str text, const char *special)
{
	size_t i;

	for (i = 0; i < text.n; i++) {
		if (text.s[i] == '\'')
			buf_str(b, STR("'\\''"));
		else if (strchr(special, text.s[i]))
			buf_fmt(b, "\\%c", text.s[i]);
		else
			buf_char(b, text.s[i]);
	}
}

/* The same for the help of O. */
static void
put_quoted_help(struct buf *b, const struct opt *o, const char *special)
{
	struct buf help = { 0 };

	opt_put_help(&help, o);
	put_quoted(b, buf_view(&help), special);
	buf_release(&help);
}

static void
put_zsh_argument(const struct script *s, const struct opt *o)
{
	struct values v;

	find_values(s, o, &v);
	buf_str(s->b, o->arg[0] == '[' ? STR("::") : STR(":"));
	put_quoted(s->b, str_of(o->arg), ":[]\\");
	buf_char(s->b, ':');
	if (v.what == WORDS)
		buf_fmt(s->b, "(%s)", buf_cstr(&v.text));
	else if (v.what == LISTED)
		buf_fmt(s->b, "($(%s </dev/null 2>/dev/null | " FIRST "))",
			buf_cstr(&v.text));
	else
		buf_str(s->b, v.what == FILES ? STR("_files") : STR(" "));
	buf_release(&v.text);
}

/* Adds one name of O: its letter if SHORT. */
static void
put_zsh_name(const struct script *s, const struct opt *o, bool is_short)
{
	bool maybe = o->arg && o->arg[0] == '[';

	buf_str(s->b, STR("\t'"));
	if (o->kind == OPT_LIST || o->kind == OPT_MANY)
		buf_char(s->b, '*');
	else if (o->letter && o->name)
		buf_fmt(s->b, "(-%c --%s)", o->letter, o->name);
	if (is_short)
		buf_fmt(s->b, "-%c%s", o->letter, !o->arg ? "" : maybe ? "-" : "+");
	else
		buf_fmt(s->b, "--%s%s", o->name, !o->arg ? "" : maybe ? "=-" : "=");
	buf_char(s->b, '[');
	put_quoted_help(s->b, o, ":[]\\");
	buf_char(s->b, ']');
	if (o->arg)
		put_zsh_argument(s, o);
	buf_str(s->b, STR("'\n"));
}

static void
put_zsh_row(const struct script *s, const struct opt *o)
{
	if (o->letter)
		put_zsh_name(s, o, true);
	if (o->name)
		put_zsh_name(s, o, false);
}

static void
put_zsh(const struct script *s)
{
	buf_fmt(s->b, "#compdef %s\nlocal -a options=(\n", s->program);
	put_each(s, s->rows, put_zsh_row);
	buf_str(s->b, STR(")\n"));
	if (has_further(s)) {
		buf_str(s->b, STR("[[ \"$words\" != *' --'("));
		put_prefixes(s);
		buf_str(s->b, STR(")-* ]] || options+=(\n"));
		put_each(s, s->further, put_zsh_row);
		buf_str(s->b, STR(")\n"));
	}
	buf_str(s->b,
		s->command
			? STR("_arguments -s -S -A '-*' $options '(-)1:command:_command_names -e'"
			      " '*::argument:_normal'\n")
			: STR("_arguments -s -S $options '*:file:_files'\n"));
}

/* fish */

/* The condition for offering options: before the command, and FURTHER ones once their prefix is
 * typed. */
static void
put_fish_condition(const struct script *s, bool further)
{
	if (!s->command && !further)
		return;
	buf_str(s->b, STR(" -n '"));
	if (s->command) {
		buf_str(s->b, STR("not _"));
		put_function(s);
		buf_str(s->b, STR("_words >/dev/null"));
	}
	if (further) {
		buf_fmt(s->b, "%sstring match -q -r -- \" --(",
			s->command ? "; and " : "");
		put_prefixes(s);
		buf_str(s->b, STR(")-\" (commandline -c)"));
	}
	buf_char(s->b, '\'');
}

static void
put_fish_option(const struct script *s, const struct opt *o, bool further)
{
	bool maybe = o->arg && o->arg[0] == '[';
	struct values v;

	find_values(s, o, &v);
	buf_fmt(s->b, "complete -c %s", s->program);
	put_fish_condition(s, further);
	if (o->letter)
		buf_fmt(s->b, " -s %c", o->letter);
	if (o->name)
		buf_fmt(s->b, " -l %s", o->name);
	if (o->arg && !maybe)
		buf_str(s->b, v.what == FILES ? STR(" -r -F") : STR(" -x"));
	if (v.what == WORDS)
		buf_fmt(s->b, " -a '%s'", buf_cstr(&v.text));
	else if (v.what == LISTED)
		buf_fmt(s->b,
			" -a '(%s </dev/null 2>/dev/null | " FIRST " | string trim)'",
			buf_cstr(&v.text));
	buf_str(s->b, STR(" -d '"));
	put_quoted_help(s->b, o, "\\");
	buf_str(s->b, STR("'\n"));
	buf_release(&v.text);
}

static void
put_fish_row(const struct script *s, const struct opt *o)
{
	put_fish_option(s, o, false);
}

static void
put_fish_further(const struct script *s, const struct opt *o)
{
	put_fish_option(s, o, true);
}

static void
put_fish_pattern(const struct script *s, const struct opt *o)
{
	if (!takes_next(o))
		return;
	buf_char(s->b, ' ');
	put_names(s, o, " ");
}

/* Two functions: one prints the words of the command, and fails before it; the other completes
 * it. */
static void
put_fish_command(const struct script *s)
{
	buf_str(s->b, STR("function _"));
	put_function(s);
	buf_str(s->b,
		STR("_words\n\tset -l words (commandline -opc)\n"
		    "\twhile test (count $words) -gt 1\n\t\tset -e words[1]\n"
		    "\t\tif contains -- $words[1]"));
	put_rows(s, put_fish_pattern);
	buf_str(s->b,
		STR("\n\t\t\tset -e words[1]\n"
		    "\t\telse if test \"$words[1]\" = --\n\t\t\tset -e words[1]\n"
		    "\t\t\tstring escape -- $words\n\t\t\treturn 0\n"
		    "\t\telse if not string match -q -- \"-*\" $words[1]\n"
		    "\t\t\tstring escape -- $words\n\t\t\treturn 0\n"
		    "\t\tend\n\tend\n\treturn 1\nend\nfunction _"));
	put_function(s);
	buf_str(s->b, STR("_command\n\tset -l words (_"));
	put_function(s);
	buf_str(s->b,
		STR("_words) \"\"\n\tset -l token (commandline -ct)\n"
		    "\tcomplete -C \"$words$token\"\nend\n"));
	buf_fmt(s->b, "complete -c %s -x -a '(_", s->program);
	put_function(s);
	buf_str(s->b, STR("_command)'\n"));
}

static void
put_fish(const struct script *s)
{
	if (s->command)
		put_fish_command(s);
	put_each(s, s->rows, put_fish_row);
	put_each(s, s->further, put_fish_further);
}

bool
opt_complete(struct buf *b, const char *shell, const struct opt_completed *what)
{
	static const struct opt none[] = { { .kind = OPT_END } };
	static const struct {
		const char *shell;
		void (*put)(const struct script *s);
	} shells[] = { { "bash", put_bash }, { "zsh", put_zsh }, { "fish", put_fish } };
	struct script s = { b, what->program, what->rows,
		what->further ? what->further : none, what->command };
	size_t i;

	for (i = 0; i < sizeof shells / sizeof *shells; i++)
		if (strcmp(shell, shells[i].shell) == 0) {
			shells[i].put(&s);
			return true;
		}
	return false;
}
