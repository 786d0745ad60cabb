/* SPDX-License-Identifier: ISC */
/*
 * What fg-run joins: recorder, collapse and renderer, by a folder of temporary files
 *
 *	stream		a pipe from fg-record to fg-collapse
 *	folded		the stacks
 *	said		what fg-collapse says, which is printed when the command has ended
 *	runtime-files	what runtimes leave for fg-collapse, a name on each line
 *
 * What is returned as a text lives as long as R.
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
	/* as options have it */
	const char *output, *perfdata, *post_process, *keep;
	struct opt_list exports;
	bool quiet, verbose, open, ignore_status, compare, show_output;
	long runs, warmup;
	struct opt_list sudo; /* what runs a program as root; empty: it is not wanted */
	struct opt_list programs[RUN_PROGRAMS]; /* path and options; empty: not here */
	struct opt_list
		reading;   /* of RUN_DIFF, the options that say how files are read */
	const char *words; /* our command line */

	struct jobs jobs;
	struct arena arena;
	const char *folder; /* of temporary files; NULL: there is none */
	const char *kept;   /* the file or folder of these that stays, or NULL */
	int status;	    /* of the command, or of fg-record */
	int fold_status;    /* of fg-collapse */
	double seconds;	    /* of the recording; below 0: none was made */
	bool made;	    /* KEEP was not there before */
};

/* A text as printf has it. */
const char *run_text(struct run *r, const char *fmt, ...) MSG_PRINTF(2, 3);

/* What B holds, which is released. */
const char *run_keep(struct run *r, struct buf *b);

/* WORDS with blanks between. */
const char *run_join(struct run *r, const char *const *words);

/* The path of the program NAME in PATH; NULL where it is not. */
const char *run_which(struct run *r, const char *name);

/* The same beside ourselves, or beside what we are a link to, or in PATH. */
const char *run_find(struct run *r, const char *name);

/* The path of the temporary file NAME. */
const char *run_file(struct run *r, const char *name);

/* Makes the folder of temporary files; removes it and all but R->kept. */
void run_begin(struct run *r);
void run_clean(struct run *r);

/* Removes what runtimes left for fg-collapse. */
void run_remove_runtime_files(struct run *r);

/* Whether the stacks have a line that is no comment. */
bool run_has_stacks(struct run *r);

/* Reads the header of the stacks, if they have one. */
struct folded_info;
void run_read_header(struct run *r, struct folded_info *info);

/* Ends the program with the status of the command, or with 2 when that was 0. */
_Noreturn void run_fail(const struct run *r);

/* Records COMMAND, whose descriptors are those of STREAMS, and folds its stacks. Sets R->status,
 * R->fold_status and R->seconds. */
void run_record(struct run *r, const char *const *command, const struct job *streams);

/* How stacks are folded for a timeline, as the first word of fg-collapse. */
#define RUN_TIMELINE "--by=comm,tid,time:auto"

/* Folds the recording R->perfdata; by comm alone instead of RUN_TIMELINE when samples have no
 * times. */
void run_fold(struct run *r);

/* Prints what fg-collapse said, and ends the program if there are no stacks. */
void run_check(struct run *r);

/* Passes the stacks through the command of --post-process, if there is one. */
void run_post_process(struct run *r);

/* Draws the stacks to R->output, and writes those of --export. */
void run_draw(struct run *r);

/* Prints what was recorded, unless the picture went to stdout. */
void run_close(struct run *r);

void run_open_picture(struct run *r);

bool run_is_stdout(const struct run *r);

/* What the options of cargo-flamegraph say; run-cargo.c. */
struct run_cargo {
	bool wanted;		/* one was given */
	bool taken;		/* the last option was one */
	struct opt_list args;	/* for cargo */
	struct opt_list passed; /* other options as they were given, for fg-run */
	const char *verb, *release, *triple;
	bool unit; /* tests or benchmarks of a library or of a program */
	const char *unit_name, *unit_kind;
};

/* Takes the option NAME with ARG, or NULL. */
void run_cargo_take(
	struct run *r, struct run_cargo *c, const char *name, const char *arg);

/* Becomes cargo, which builds and runs the program with OPERANDS by fg-run. Ends the program after
 * a message where that cannot be. */
_Noreturn void run_cargo(struct run *r, struct run_cargo *c, const char *const *operands);

/* Two commands, recorded several times each in turn, and what changed; run-compare.c. */
struct run_side {
	struct opt_list command;
	const char *program; /* the first word of the command, without folder */
	const char *name;    /* of the side, for people and files */
	struct opt_list files;
};

/* Takes the commands of WORDS to SIDES, before and after: "BEFORE... --- AFTER...", or "BEFORE
 * AFTER", or "BEFORE AFTER -- ARG...". Ends the program after a message where there are not two. */
void run_compare_take(struct run *r, struct run_side sides[2], const char *const *words);

/* Holds options against each other, has fg-diff read its own, and makes the folder of --keep. */
void run_compare_check(struct run *r);

/* Records, prints the report, draws the difference. Returns the status of fg-diff. Ends the
 * program after a message where a run fails or is interrupted. */
int run_compare(struct run *r, struct run_side sides[2]);

#endif
