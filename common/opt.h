/* SPDX-License-Identifier: ISC */
/*
 * Options as tables: one row per option gives its names, argument, range, help text and target.
 * Parsing, --help and usage errors are derived from the rows.
 *
 * Accepted: -x, -xARG, -x ARG, --name, --name=ARG, --name ARG, -name (as in scripts for
 * FlameGraph), any unambiguous abbreviation of a long name (as in Perl's Getopt; with one dash only
 * if its first letter is not an option), options after operands, "--" to end them, and "-" as an
 * operand.
 *
 * Every program has -o, -v, -q, -h and -V, from rows of opt.c; a program that does not run a
 * command reads input, and has --limit and a budget (budget.h).
 */
#ifndef OPT_H
#define OPT_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "msg.h"

enum opt_kind {
	OPT_END,   /* ends the table: { 0 } */
	OPT_GROUP, /* not an option: .help is a heading in --help */
	OPT_FLAG,  /* bool *: set to true */
	OPT_STR,   /* const char **: the argument, borrowed from argv */
	OPT_INT,   /* long *: a whole number from min to max */
	OPT_NUM,   /* double *: a decimal from min to max; both 0: any */
	OPT_LIST,  /* struct opt_list *: every argument given, in order */
	OPT_MANY, /* the same, and the operands up to the next option are arguments too */
	OPT_CHOICE, /* int *: the index of the argument in .words */
	OPT_CALL,   /* calls .call or .read with the argument */
	/* The same with an optional argument: the next word counts only if its part before a comma
	 * is in .words. */
	OPT_WORD,
	/* An option of another tool, accepted with a warning that it has no effect; .help gives the
	 * reason. Not shown in --help. */
	OPT_IGNORED,
	OPT_HELP, /* for opt_parse only, as is the next */
	OPT_VERSION,
	/* For opt_parse only: prints completions for the shell that its argument names. Not shown
	 * in --help, and not abbreviated. */
	OPT_COMPLETIONS,
	/* Not an option: the first operand, a command or with .arg a file, ends the options. */
	OPT_COMMAND,
};

/* The row of --limit, except its target. */
#define OPT_LIMIT                       \
	.name = "limit", .arg = "SIZE", \
	.help = "memory a small input may take (400M), or none"

struct opt_list {
	const char **items; /* borrowed from argv; the array is owned */
	size_t n, cap;
};

struct opt;

/* Handles ARG (NULL if the option has no argument, or it is missing). Returns NULL, or an error
 * text ("is not a colour: use #rgb or #rrggbb"). */
typedef const char *opt_call(const char *arg);
/* The same for a function that serves several rows: .value and .which of O distinguish them. */
typedef const char *opt_read(const struct opt *o, const char *arg);

/* Where an option is documented besides the manual. */
enum opt_place {
	OPT_EVERYWHERE, /* in --help and completions */
	OPT_RARE,	/* in completions only */
	OPT_COMPAT,	/* not at all: it exists for scripts of other tools */
};

/* For .words of a row at file scope. */
#define OPT_WORDS(...)            \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

struct opt {
	char letter;	  /* 0: none */
	const char *name; /* long name without "--" */
	/* The argument's name in --help; NULL: none. "[=FILE]": optional, and given only as
	 * --name=FILE. "[HOW]" for OPT_WORD. */
	const char *arg;
	enum opt_kind kind;
	enum opt_place place;
	void *value;
	/* NULL: an alias of another option, not shown. "{}" stands for the list of .words. */
	const char *help;
	double min, max;
	opt_call *call; /* for OPT_CALL and OPT_WORD, if .read is NULL */
	opt_read *read; /* for OPT_CALL and OPT_WORD */
	int which;	/* for .read */
	/* The values of the argument, up to a NULL: for completions, --help and errors. OPT_CHOICE
	 * accepts no others. */
	const char *const *words;
	const char *
		also; /* further values as prose, "#rgb or #rrggbb", listed after .words; or NULL */
	unsigned uses; /* bits defined by the program; struct opt_shared collects them */
	const char
		*program; /* the program to pass the option on to, by opt_program.pass */
};

/* Handles an option O of another program; ARG as for opt_call. BY_LETTER: given as -x. */
typedef void opt_pass(const struct opt *o, const char *arg, bool by_letter);

/* The values of the options that every program has; see opt_parse. */
struct opt_shared {
	const char *output; /* -o: NULL or "-" for stdout, as output_open takes it */
	bool verbose, quiet;
	unsigned uses; /* the bits of all options given */
};

/* The description of a program. */
struct opt_program {
	const char *synopsis; /* "[-q] [FILE...]" */
	const char *about;    /* one sentence: what it does */
	const struct opt *options;
	struct opt_shared *shared; /* NULL: accept only --help and --version besides */
	/* For a program that passes options on to others; otherwise NULL. Rows with .program, after
	 * its own, not in --help; their names cannot be abbreviated. */
	const struct opt *passed;
	/* The same for names with a program's prefix, as in --svg-title. */
	const struct opt *further;
	opt_pass *pass;
	/* Called after each option with its N words. */
	void (*taken)(char *const *words, int n);
};

/* Parses ARGV, moves the operands to its end, and returns the index of the first operand (ARGC if
 * there are none). Passes -q to msg_quiet. --help and --version print to stdout and end the program
 * with MSG_DONE; a usage error is printed with a hint at --help and ends it with MSG_TROUBLE. */
int opt_parse(const struct opt_program *program, int argc, char **argv);

/* Ends the program as opt_parse does for a usage error that no row can
 * describe, such as two options that exclude each other. */
_Noreturn void opt_usage(const char *fmt, ...) MSG_PRINTF(1, 2);

/* The input of opt_complete. */
struct opt_completed {
	const char *program;
	const struct opt *rows;
	/* NULL, or rows whose names have a program's prefix, as in --svg-title: offered once a word
	 * on the line has that prefix. */
	const struct opt *further;
	bool command; /* operands are a command, not files */
};

/* Adds the completion script of SHELL (bash, zsh or fish) for WHAT. False for another shell. */
bool opt_complete(struct buf *b, const char *shell, const struct opt_completed *what);

/* Adds the words that O accepts: "a, b or c". */
void opt_put_words(struct buf *b, const struct opt *o);

/* Adds .help of O with "{}" replaced. */
void opt_put_help(struct buf *b, const struct opt *o);

/* Ends the program with a usage error, for an opt_read: ARG of O "is WRONG; use a, b or c", with
 * .words and .also. */
_Noreturn void opt_refuse(const struct opt *o, const char *arg, const char *wrong);

/* Whether the part of WORD before a comma is in .words of O. */
bool opt_offers(const struct opt *o, struct str word);

/* Appends WORD, borrowed; a NULL that does not count follows the last. */
void opt_list_add(struct opt_list *list, const char *word);
void opt_list_release(struct opt_list *list);

#endif
