/* SPDX-License-Identifier: ISC */
/*
 * Completions of bash, zsh and fish, made of the rows of options; see opt_complete. What an
 * argument may be is in the rows, too: the words of an OPT_WORD; what the message about a wrong one
 * offers ("use self, total or name"); a list that the program prints (--list-formats for --format,
 * or for an argument FORMAT); files for FILE.
 */
#include "opt.h"
#include "mem.h"
#include "str.h"

#include <ctype.h>

/* The first word of the lines of a list, but of headings. */
#define FIRST "grep -o \"^ *[a-z][^ ]*\""

enum what { NOTHING, WORDS, LISTED, FILES };

/* The values of an argument. */
struct values {
	enum what what;
	struct buf text; /* words with blanks between, or the option that lists them */
};

struct script {
	struct buf *b;
	const struct opt *rows;
	const char *program;
	bool command;
};

static bool
is_offered(const struct opt *o)
{
	return o->help && o->kind != OPT_GROUP && o->kind != OPT_IGNORED &&
		o->kind != OPT_COMMAND && o->kind != OPT_NEAREST &&
		o->kind != OPT_COMPLETIONS;
}

/* Whether WORD can stand in all shells as it is. */
static bool
is_plain(struct str word)
{
	size_t i;

	for (i = 0; i < word.n; i++)
		if (!str_is_word(word.s[i]) && !strchr("-+.:/", word.s[i]))
			return false;
	return word.n > 0;
}

/* Adds the words of LIST, "a, b or c", that are plain and not in capitals. None when it is a
 * sentence. */
static void
add_words(struct buf *b, struct str list)
{
	struct str word, rest = list;
	bool joined = true, joins;
	size_t had = b->n;

	while ((word = str_word(&rest)).n) {
		joins = str_ends(word, STR(",")) || str_eq(word, STR("or")) ||
			str_eq(word, STR("and"));
		if (!joined && !str_eq(word, STR("or")) && !str_eq(word, STR("and"))) {
			b->n = had;
			return;
		}
		joined = joins;
		if (joins && !str_ends(word, STR(",")))
			continue;
		word.n -= joins;
		if (!is_plain(word) || (word.s[0] >= 'A' && word.s[0] <= 'Z'))
			continue;
		if (b->n)
			buf_char(b, ' ');
		buf_str(b, word);
	}
}

/* Adds the words that O offers for a wrong argument. */
static void
add_offered(struct buf *b, const struct opt *o)
{
	const char *text =
		o->kind == OPT_CALL && o->arg && o->arg[0] != '[' ? o->call("?") : NULL;
	struct str said = str_of(text ? text : "");
	size_t one = str_search(said, STR("use one of ")),
	       at = str_search(said, STR("use "));

	if (one < said.n)
		add_words(b, str_from(said, one + sizeof "use one of " - 1));
	else if (at < said.n)
		add_words(b, str_from(said, at + sizeof "use " - 1));
}

/* Whether the option LIST prints values of O: --list-formats those of --format, or of FORMAT. */
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
	const char *const *word = o->kind == OPT_WORD ? o->value : NULL;
	const struct opt *list;

	*v = (struct values){ .what = NOTHING };
	if (!o->arg)
		return;
	for (; word && *word; word++)
		buf_fmt(&v->text, "%s%s", v->text.n ? " " : "", *word);
	for (list = s->rows; !word && list->kind != OPT_END; list++)
		if (list->kind == OPT_FLAG && list->name && lists(list->name, o)) {
			buf_fmt(&v->text, "%s --%s", s->program, list->name);
			v->what = LISTED;
			return;
		}
	if (!word)
		add_offered(&v->text, o);
	if (v->text.n) {
		v->what = WORDS;
		return;
	}
	if (str_search(str_of(o->arg), STR("FILE")) < strlen(o->arg) ||
		str_search(str_of(o->arg), STR("DIR")) < strlen(o->arg))
		v->what = FILES;
}

/* The program as part of a name in shells. */
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

	if (!o->arg || o->arg[0] == '[')
		return;
	find_values(s, o, &v);
	buf_str(s->b, STR("\t"));
	if (o->letter)
		buf_fmt(s->b, "-%c%s", o->letter, o->name ? " | " : "");
	if (o->name)
		buf_fmt(s->b, "--%s", o->name);
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
put_bash(const struct script *s)
{
	const struct opt *o;

	put_function(s);
	buf_str(s->b,
		STR("()\n{\n"
		    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} words=\n"
		    "\tlocal prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		    "\tif [[ $cur == = ]]; then\n\t\tcur=\n"
		    "\telif [[ $prev == = ]]; then\n"
		    "\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
		    "\tCOMPREPLY=()\n\tcase $prev in\n"));
	for (o = s->rows; o->kind != OPT_END; o++)
		if (is_offered(o))
			put_bash_row(s, o);
	buf_str(s->b,
		STR("\tesac\n\tif [[ -z $words && $cur == -* ]]; then\n\t\twords='"));
	for (o = s->rows; o->kind != OPT_END; o++)
		if (is_offered(o) && o->name)
			buf_fmt(s->b, "--%s ", o->name);
	buf_str(s->b,
		STR("'\n\tfi\n\tif [[ $words ]]; then\n"
		    "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\t\treturn\n\tfi\n"
		    "\tcompopt -o filenames\n\tCOMPREPLY=($("));
	buf_str(s->b, s->command ? STR("compgen -c -- \"$cur\"; ") : STR(""));
	buf_str(s->b, STR("compgen -f -- \"$cur\"))\n}\ncomplete -F "));
	put_function(s);
	buf_fmt(s->b, " %s\n", s->program);
}

/* zsh */

/* Adds TEXT inside '...' and what _arguments reads, in which each of SPECIAL needs a backslash. */
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

/* One name of O: SHORT, its letter. */
static void
put_zsh_row(const struct script *s, const struct opt *o, bool is_short)
{
	bool maybe = o->arg && o->arg[0] == '[';

	buf_str(s->b, STR(" \\\n\t'"));
	if (o->kind == OPT_LIST || o->kind == OPT_MANY)
		buf_char(s->b, '*');
	else if (o->letter && o->name)
		buf_fmt(s->b, "(-%c --%s)", o->letter, o->name);
	if (is_short)
		buf_fmt(s->b, "-%c%s", o->letter, !o->arg ? "" : maybe ? "-" : "+");
	else
		buf_fmt(s->b, "--%s%s", o->name, !o->arg ? "" : maybe ? "=-" : "=");
	buf_char(s->b, '[');
	put_quoted(s->b, str_of(o->help), ":[]\\");
	buf_char(s->b, ']');
	if (o->arg)
		put_zsh_argument(s, o);
	buf_char(s->b, '\'');
}

static void
put_zsh(const struct script *s)
{
	const struct opt *o;

	buf_fmt(s->b, "#compdef %s\n_arguments -s -S", s->program);
	for (o = s->rows; o->kind != OPT_END; o++) {
		if (is_offered(o) && o->letter)
			put_zsh_row(s, o, true);
		if (is_offered(o) && o->name)
			put_zsh_row(s, o, false);
	}
	buf_str(s->b,
		s->command ? STR(" \\\n\t'(-)1:command:_command_names -e'"
				 " \\\n\t'*::argument:_normal'\n")
			   : STR(" \\\n\t'*:file:_files'\n"));
}

/* fish */

static void
put_fish_row(const struct script *s, const struct opt *o)
{
	bool maybe = o->arg && o->arg[0] == '[';
	struct values v;

	find_values(s, o, &v);
	buf_fmt(s->b, "complete -c %s", s->program);
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
	put_quoted(s->b, str_of(o->help), "\\");
	buf_str(s->b, STR("'\n"));
	buf_release(&v.text);
}

static void
put_fish(const struct script *s)
{
	const struct opt *o;

	for (o = s->rows; o->kind != OPT_END; o++)
		if (is_offered(o))
			put_fish_row(s, o);
	if (s->command)
		buf_fmt(s->b,
			"complete -c %s -n __fish_is_first_token -a "
			"'(__fish_complete_command)'\n",
			s->program);
}

bool
opt_complete(struct buf *b, const char *shell, const struct opt *rows, bool command)
{
	static const struct {
		const char *shell;
		void (*put)(const struct script *s);
	} shells[] = { { "bash", put_bash }, { "zsh", put_zsh }, { "fish", put_fish } };
	struct script s = { b, rows, msg_prog(), command };
	size_t i;

	for (i = 0; i < sizeof shells / sizeof *shells; i++)
		if (strcmp(shell, shells[i].shell) == 0) {
			shells[i].put(&s);
			return true;
		}
	return false;
}
