/* SPDX-License-Identifier: ISC */
/*
 * Options as data: one row an option gives its names, argument, range, help
 * text and where the value goes. From the rows come parsing, --help and the
 * usage errors.
 *
 * Accepted: -x, -xARG, -x ARG, --name, --name=ARG, --name ARG, -name (as scripts for
 * FlameGraph have it), any unambiguous beginning of a long name (as Perl's Getopt does; with
 * one dash only where its first letter is no option),
 * options after operands, "--" to end them, and "-" as an operand.
 *
 * Every program has -o, -v, -q, -h and -V, from rows of opt.c; one that runs no command reads
 * input, and has --limit and a budget (budget.h).
 */
#ifndef OPT_H
#define OPT_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "msg.h"

enum opt_kind {
	OPT_END,   /* ends the table: { 0 } */
	OPT_GROUP, /* no option: .help is a heading in --help */
	OPT_FLAG,  /* bool *: set to true */
	OPT_STR,   /* const char **: the argument, borrowed from argv */
	OPT_INT,   /* long *: a whole number from min to max */
	OPT_NUM,   /* double *: a decimal from min to max; both 0: any */
	OPT_LIST,  /* struct opt_list *: every argument given, in order */
	OPT_MANY,  /* the same, and the operands up to the next option are more of them */
	OPT_CHOICE, /* int *: which of .words the argument is, from 0 */
	OPT_CALL,   /* a function that takes the argument: .call, or .read */
	/* The same, where the argument may be missing: the next word is one only if it is,
	 * up to a comma, among .words. */
	OPT_WORD,
	/* Another tool's option, which scripts may pass: accepted, with a warning that it has no
	 * effect, and why, which .help says. Not shown in --help. */
	OPT_IGNORED,
	OPT_HELP, /* for opt_parse alone, as the next */
	OPT_VERSION,
	/* For opt_parse alone: prints completions for the shell that its argument names. Not shown
	 * in --help, and no beginning of a name means it. */
	OPT_COMPLETIONS,
	/* No option: the first operand ends the options. It is a command, or with .arg a file. */
	OPT_COMMAND,
};

/* The row of --limit but for what becomes of the argument. */
#define OPT_LIMIT                       \
	.name = "limit", .arg = "SIZE", \
	.help = "memory a small input may take (400M), or none"

struct opt_list {
	const char **items; /* borrowed from argv; the array is owned */
	size_t n, cap;
};

struct opt;

/* Takes ARG (NULL when the row has no argument, or it is missing). Returns NULL, or
 * a text that says what is wrong with it ("is not a colour: use #rgb or #rrggbb"). */
typedef const char *opt_call(const char *arg);
/* The same for a function that serves several rows: .value and .which of O say what ARG is for. */
typedef const char *opt_read(const struct opt *o, const char *arg);

/* Where an option is described besides the manual. */
enum opt_place {
	OPT_EVERYWHERE, /* in --help and completions */
	OPT_RARE,	/* in completions */
	OPT_COMPAT,	/* nowhere: it exists for scripts of other tools */
};

/* For .words of a row at file scope. */
#define OPT_WORDS(...)            \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

struct opt {
	char letter;	  /* 0: no short form */
	const char *name; /* long name without "--" */
	/* The argument's name in --help; NULL: takes none. "[=FILE]": may be missing,
	 * and is given as --name=FILE only. "[HOW]" for OPT_WORD. */
	const char *arg;
	enum opt_kind kind;
	enum opt_place place;
	void *value;
	/* NULL: another name of an option, not shown. "{}" stands for the list of .words. */
	const char *help;
	double min, max;
	opt_call *call; /* for OPT_CALL and OPT_WORD, if .read is NULL */
	opt_read *read; /* for the same */
	int which;	/* for .read */
	/* What the argument may be, up to a NULL: for completions, --help and errors. OPT_CHOICE
	 * takes nothing else. */
	const char *const *words;
	const char
		*also; /* the same in prose, "#rgb or #rrggbb", behind .words; or NULL */
	unsigned uses; /* bits of the program's own, which struct opt_shared gathers */
	const char *program; /* that the option is passed on to, by opt_program.pass */
};

/* Takes an option O of another program, and ARG as an opt_call does. BY_LETTER: given as -x. */
typedef void opt_pass(const struct opt *o, const char *arg, bool by_letter);

/* What the options say that every program has; see opt_parse. */
struct opt_shared {
	const char *output; /* -o: NULL or "-" for stdout, as output_open takes it */
	bool verbose, quiet;
	unsigned uses; /* the bits of all options that were given */
};

/* What a program says of itself. */
struct opt_program {
	const char *synopsis; /* "[-q] [FILE...]" */
	const char *about;    /* one sentence: what it does */
	const struct opt *options;
	struct opt_shared
		*shared; /* NULL: only --help and --version are understood too */
	/* For a program that passes options on to others, all NULL for the rest. Rows with
	 * .program, which come behind its own and are not in --help; their names are given
	 * whole. */
	const struct opt *passed;
	/* The same, whose names begin with that of a program, as in --svg-title. */
	const struct opt *further;
	opt_pass *pass;
	/* Called behind each option with the N words that it was. */
	void (*taken)(char *const *words, int n);
};

/* Parses ARGV, moving the operands to its end, and returns the index of the
 * first operand (ARGC when there are none). What -q says is passed to
 * msg_quiet. --help prints to stdout and ends the program with MSG_DONE,
 * --version too; a usage error is printed with a hint at --help and ends it
 * with MSG_TROUBLE. */
int opt_parse(const struct opt_program *program, int argc, char **argv);

/* Ends the program as opt_parse does for a usage error that no row can
 * describe, such as two options that exclude each other. */
_Noreturn void opt_usage(const char *fmt, ...) MSG_PRINTF(1, 2);

/* What is completed. */
struct opt_completed {
	const char *program;
	const struct opt *rows;
	/* NULL, or rows whose names begin with that of a program, as in --svg-title: offered once a
	 * word on the line begins so. */
	const struct opt *further;
	bool command; /* operands are a command, not files */
};

/* Adds a script that completes WHAT in SHELL: bash, zsh or fish. False for another shell. */
bool opt_complete(struct buf *b, const char *shell, const struct opt_completed *what);

/* Adds the words that O accepts: "a, b or c". */
void opt_put_words(struct buf *b, const struct opt *o);

/* Adds .help of O as it is shown. */
void opt_put_help(struct buf *b, const struct opt *o);

/* Ends the program as a usage error does, for an opt_read: ARG of O "is WRONG; use a, b or c", with
 * .words and .also. */
_Noreturn void opt_refuse(const struct opt *o, const char *arg, const char *wrong);

/* Whether WORD, up to a comma, is among .words of O. */
bool opt_offers(const struct opt *o, struct str word);

/* Adds WORD, which is borrowed, behind the last; a NULL follows it, which does not count. */
void opt_list_add(struct opt_list *list, const char *word);
void opt_list_release(struct opt_list *list);

#endif
