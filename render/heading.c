/* SPDX-License-Identifier: ISC */
/* The recorded command within a recorder's command line, whose words have lost their quotes;
 * see heading.h. */
#include "heading.h"
#include "options.h"

/* Common options; see opt.h. */
static const struct opt general[] = {
	{ .letter = 'o', .name = "output", .arg = "FILE" },
	{ .letter = 'v', .name = "verbose" },
	{ .letter = 'q', .name = "quiet" },
	{ .kind = OPT_END },
};

/* The options of each recorder; the first match counts. */
static const struct recorder {
	struct str name;
	const struct opt *tables[7];
} recorders[] = {
	{ { "fg-record", 9 }, { options_record, general } },
	{ { "fg-run", 6 },
		{ options_run, options_record, options_collapse, options_svg,
			options_diff, general } },
};

/* The row of NAME, or of LETTER when NAME is empty. NULL if there is none. */
static const struct opt *
find(const struct recorder *r, struct str name, char letter)
{
	const struct opt *const *table, *o;

	for (table = r->tables; *table; table++)
		for (o = *table; o->kind != OPT_END; o++)
			if (name.n ? str_eq(str_of(o->name), name)
				   : o->letter && o->letter == letter)
				return o;
	return NULL;
}

/* The row of NAME, which may have a program's prefix, as in svg-title. */
static const struct opt *
find_long(const struct recorder *r, struct str name)
{
	const struct opt *o = find(r, name, 0);
	size_t dash = str_find(name, '-');

	return o || dash == name.n ? o : find(r, str_from(name, dash + 1), 0);
}

/* Cuts O's argument off *REST if it is the next word. */
static void
skip_argument(const struct opt *o, struct str *rest)
{
	struct str next = *rest, word = str_word(&next);

	if (!o->arg || (o->arg[0] == '[' && !opt_offers(o, word)))
		return;
	*rest = next;
	while (o->kind == OPT_MANY && (word = str_word(&next)).n && word.s[0] != '-')
		*rest = next;
}

/* Cuts the arguments of the letters in WORD off *REST. Returns false for an unknown letter. */
static bool
skip_letters(const struct recorder *r, struct str word, struct str *rest)
{
	const struct opt *o;
	size_t i;

	for (i = 1; i < word.n; i++) {
		o = find(r, STR(""), word.s[i]);
		if (!o)
			return false;
		if (o->arg && i + 1 < word.n)
			return true;
		skip_argument(o, rest);
	}
	return true;
}

/* The part of LINE after the options; empty when they cannot be parsed. */
static struct str
skip_options(const struct recorder *r, struct str line)
{
	struct str rest = line, word, name;
	const struct opt *o;

	while ((word = str_word(&rest)).n && word.s[0] == '-' && word.n > 1) {
		if (str_eq(word, STR("--")))
			return str_trim(rest);
		if (word.s[1] != '-') {
			if (!skip_letters(r, word, &rest))
				return STR("");
			continue;
		}
		name = str_from(word, 2);
		name = str_cut(&name, '=');
		o = find_long(r, name);
		if (!o)
			return STR("");
		if (name.n + 2 == word.n)
			skip_argument(o, &rest);
	}
	return word.n ? (struct str){ word.s, (size_t)(str_end(line) - word.s) }
		      : STR("");
}

/* The command that LINE recorded; empty if unknown. */
static struct str
find_command(struct str line)
{
	static const struct str dashes = { " -- ", 4 };
	struct str rest = line, name = str_base(str_word(&rest));
	size_t i;

	for (i = 0; i < sizeof recorders / sizeof *recorders; i++)
		if (str_eq(name, recorders[i].name))
			return skip_options(&recorders[i], rest);
	if (str_eq(name, STR("perf")) && str_eq(str_word(&rest), STR("record")))
		return str_from(line, str_search(line, dashes) + dashes.n);
	return STR("");
}

struct str
heading_field(const struct folded_info *info, const char *key)
{
	struct str value = folded_info_get(info, key), command;

	if (strcmp(key, "command") != 0)
		return value;
	command = find_command(value);
	return command.n ? command : value;
}
