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
 * Every program has -o, -v, -q, -h and -V, from rows of opt.c.
 */
#ifndef OPT_H
#define OPT_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "buf.h"
#include "msg.h"

struct input;

enum opt_kind {
	OPT_END,   /* ends the table: { 0 } */
	OPT_GROUP, /* no option: .help is a heading in --help */
	OPT_FLAG,  /* bool *: set to true */
	OPT_STR,   /* const char **: the argument, borrowed from argv */
	OPT_INT,   /* long *: a whole number from min to max */
	OPT_NUM,   /* double *: a decimal from min to max; both 0: any */
	OPT_LIST,  /* struct opt_list *: every argument given, in order */
	OPT_MANY,  /* the same, and the operands up to the next option are more of them */
	OPT_CALL,  /* opt_call *: a function that takes the argument */
	/* The same, where the argument may be missing: the next word is one only if it is,
	 * up to a comma, among the words of .value (const char **, the last is NULL). */
	OPT_WORD,
	/* Another tool's option, which scripts may pass: accepted, with a warning that it has no
	 * effect, and why, which .help says. Not shown in --help. */
	OPT_IGNORED,
	OPT_HELP, /* for opt_parse alone, as the next */
	OPT_VERSION,
	/* For fg-run, which joins the options of programs: prints which of the words behind it are
	 * near to its argument, and ends the program. Not shown in --help. */
	OPT_NEAREST,
	/* For opt_parse alone: prints completions for the shell that its argument names. Not shown
	 * in --help, and no beginning of a name means it. */
	OPT_COMPLETIONS,
	/* For fg-run, too: prints completions for the shell that its argument names, of the
	 * rows on stdin (opt_rows_read). The next words are the name of the program and, if its
	 * operands are a command, "command". Not shown in --help either. */
	OPT_JOINED,
	OPT_COMMAND, /* no option: the first operand is a command, and ends the options */
};

struct opt_list {
	const char **items; /* borrowed from argv; the array is owned */
	size_t n, cap;
};

/* Takes ARG (NULL when the row has no argument, or it is missing). Returns NULL, or
 * a text that says what is wrong with it ("is not a colour: use #rgb or #rrggbb"). */
typedef const char *opt_call(const char *arg);

struct opt {
	char letter;	  /* 0: no short form */
	const char *name; /* long name without "--" */
	/* The argument's name in --help; NULL: takes none. "[=FILE]": may be missing,
	 * and is given as --name=FILE only. "[HOW]" for OPT_WORD. */
	const char *arg;
	enum opt_kind kind;
	void *value;
	const char *help; /* NULL: another name of an option, not shown */
	double min, max;
	opt_call *call; /* for OPT_CALL and OPT_WORD */
};

/* What the options say that every program has; see opt_parse. */
struct opt_shared {
	const char *output; /* -o: NULL or "-" for stdout, as output_open takes it */
	bool verbose, quiet;
};

/* What a program says of itself. */
struct opt_program {
	const char *synopsis; /* "[-q] [FILE...]" */
	const char *about;    /* one sentence: what it does */
	const struct opt *options;
	struct opt_shared
		*shared; /* NULL: only --help and --version are understood too */
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

/* Adds a script that completes WHAT in SHELL, bash, zsh or fish; or "rows", the lines for
 * opt_rows_read. False for another shell. Calls the functions of rows with "?". */
bool opt_complete(struct buf *b, const char *shell, const struct opt_completed *what);

struct opt_row_list {
	struct opt *items; /* OPT_END is the last; owned */
	size_t n, cap;
};

/* Rows that are read, for completions only. */
struct opt_rows {
	struct opt_row_list rows, further;
	struct arena arena; /* texts */
};

/* Reads the lines that opt_complete writes as "rows": letter, name, argument, "many", words and
 * help, with tabs between. Those behind an empty line are the further ones. */
void opt_rows_read(struct opt_rows *to, struct input *in);
void opt_rows_release(struct opt_rows *rows);

void opt_list_release(struct opt_list *list);

#endif
