/* SPDX-License-Identifier: ISC */
/*
 * Joins recorder, collapse and renderer through a folder of temporary files
 *
 *	stream		a pipe from fg-record to fg-collapse
 *	folded		the stacks
 *	said		messages of fg-collapse, printed after the command has ended
 *	runtime-files	files of runtimes for fg-collapse, a name on each line
 *
 * Returned strings live as long as R.
 */
#ifndef RUN_H
#define RUN_H

#include "arena.h"
#include "buf.h"
#include "job.h"
#include "opt.h"

enum run_program {
	RUN_RECORD,
	RUN_COLLAPSE,
	RUN_SVG,
	RUN_DIFF,
	RUN_EXPORT,
	RUN_REPORT,
	RUN_PROGRAMS
};

struct run {
	/* from the options */
	const char *output, *perfdata, *post_process, *keep;
	struct opt_list exports;
	bool quiet, verbose, open, ignore_status, compare, show_output;
	long runs, warmup;
	struct opt_list sudo; /* command to run a program as root; empty: not requested */
	struct opt_list programs[RUN_PROGRAMS]; /* path and options; empty: not found */
	struct opt_list
		reading;   /* of RUN_DIFF, the options that say how files are read */
	const char *words; /* our command line */

	struct jobs jobs;
	struct arena arena;
	const char *folder; /* of temporary files, or NULL */
	const char *kept;   /* a temporary file or folder to keep, or NULL */
	int status;	    /* of the command, or of fg-record */
	int fold_status;    /* of fg-collapse */
	double seconds;	    /* of the recording; below 0: none */
	bool made;	    /* this process created KEEP */
};

/* Formats a string as printf does. */
const char *run_text(struct run *r, const char *fmt, ...) MSG_PRINTF(2, 3);

/* Returns the text of B, and releases B. */
const char *run_keep(struct run *r, struct buf *b);

/* WORDS, separated by blanks. */
const char *run_join(struct run *r, const char *const *words);

/* The path of the program NAME in $PATH, or NULL. */
const char *run_which(struct run *r, const char *name);

/* The same, but first beside ourselves, or beside the target if we are a link. */
const char *run_find(struct run *r, const char *name);

/* The path of the temporary file NAME. */
const char *run_file(struct run *r, const char *name);

/* Creates the folder of temporary files; run_clean removes all of it except R->kept. */
void run_begin(struct run *r);
void run_clean(struct run *r);

/* Removes the files that runtimes left for fg-collapse. */
void run_remove_runtime_files(struct run *r);

/* Whether the stacks have a line that is not a comment. */
bool run_has_stacks(struct run *r);

/* Reads the header of the stacks, if they have one. */
struct folded_info;
void run_read_header(struct run *r, struct folded_info *info);

/* Exits with the status of the command, or with 2 if that was 0. */
_Noreturn void run_fail(const struct run *r);

/* Records COMMAND with the descriptors of STREAMS, and folds its stacks. Sets
 * R->status, R->fold_status and R->seconds. */
void run_record(struct run *r, const char *const *command, const struct job *streams);

/* How stacks are folded for a timeline, as the first word of fg-collapse. */
#define RUN_TIMELINE "--by=comm,tid,time:auto"

/* Folds the recording R->perfdata; by comm alone instead of RUN_TIMELINE when samples have no
 * times. */
void run_fold(struct run *r);

/* Prints the messages of fg-collapse, and exits if there are no stacks. */
void run_check(struct run *r);

/* Passes the stacks through the command of --post-process, if given. */
void run_post_process(struct run *r);

/* Draws the stacks to R->output, and writes the files of --export. */
void run_draw(struct run *r);

/* Prints a summary of the recording, unless the picture went to stdout. */
void run_close(struct run *r);

void run_open_picture(struct run *r);

bool run_is_stdout(const struct run *r);

/* The options of cargo-flamegraph; run-cargo.c. */
struct run_cargo {
	bool wanted;		/* at least one was given */
	bool taken;		/* the last option was one */
	struct opt_list args;	/* for cargo */
	struct opt_list passed; /* other options as given, for fg-run */
	const char *verb, *release, *triple;
	bool unit; /* tests or benchmarks of a library or of a program */
	const char *unit_name, *unit_kind;
};

/* Stores the option NAME with ARG, or NULL. */
void run_cargo_take(
	struct run *r, struct run_cargo *c, const char *name, const char *arg);

/* Becomes cargo, which builds the program and runs it with OPERANDS by fg-run. Exits
 * after a message if that fails. */
_Noreturn void run_cargo(struct run *r, struct run_cargo *c, const char *const *operands);

/* A side of a comparison: a command that is recorded several times; run-compare.c. */
struct run_side {
	struct opt_list command;
	const char *program; /* the first word of the command, without folder */
	const char *name;    /* of the side, for people and files */
	struct opt_list files;
};

/* Splits WORDS into the commands before and after: "BEFORE... --- AFTER...", or "BEFORE
 * AFTER", or "BEFORE AFTER -- ARG...". Exits after a message unless there are two. */
void run_compare_take(struct run *r, struct run_side sides[2], const char *const *words);

/* Checks which options are combined, lets fg-diff check its own, and creates the folder
 * of --keep. */
void run_compare_check(struct run *r);

/* Records, prints the report, draws the difference. Returns the status of fg-diff.
 * Exits after a message if a run fails or is interrupted. */
int run_compare(struct run *r, struct run_side sides[2]);

#endif
