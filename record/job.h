/* SPDX-License-Identifier: ISC */
/*
 * Starts programs, waits for them, and handles signals meanwhile. INT, TERM, HUP and
 * QUIT are blocked and read one by one, so that none is lost: even where a shell makes
 * background jobs ignore INT and QUIT, and as process 1, for which signals without a
 * handler have no effect. An ignored HUP, as by nohup, stays ignored.
 */
#ifndef JOB_H
#define JOB_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The effect of signals while waiting for a program. */
enum job_kind {
	JOB_ENDS,     /* they end the program and its task */
	JOB_FINISHES, /* the same, but it ignores signals of the terminal */
	JOB_RECORDS,  /* the recorder passes them on to the command */
};

enum { JOB_LISTS = 4, JOBS_MOST = 2 };

/* A list of words, for struct job. */
#define JOB_WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

struct job {
	/* Lists that end with NULL, or NULL. The first word is a path, or a name in
	 * PATH. */
	const char *const *words[JOB_LISTS];
	enum job_kind kind;
	int in, out, err; /* become 0 to 2; 0: inherited */
};

struct jobs {
	sigset_t taken, before; /* signals blocked here, and before */
	struct job_child {
		pid_t pid; /* 0: a free place */
		enum job_kind kind;
		bool ended;
		int status;
	} children[JOBS_MOST];
	int signal;	/* the last that came, or 0 */
	uint64_t since; /* its time, in ns */
	int count;	/* of all */
	bool cut;	/* one came for a JOB_ENDS or JOB_FINISHES */
};

/* Blocks SIGCHLD and the signals that end a program: INT, TERM and QUIT even if they are
 * ignored, as in a shell's background jobs, but not an ignored HUP, as by nohup. A blocked
 * signal is not lost even if it is ignored. Sets *TAKEN to the blocked signals, *IGNORED to
 * those of the latter that were ignored, and *BEFORE to the mask before. */
void job_block(sigset_t *taken, sigset_t *ignored, sigset_t *before);

/* Blocks the signals. */
void job_begin(struct jobs *jobs);

/* Becomes JOB, with signals as they were before job_begin. On failure, prints a message
 * and exits with 126 or 127. */
_Noreturn void job_become(const struct jobs *jobs, const struct job *job);

/* Starts JOB; at most JOBS_MOST may run. Exits after a message if no process can be
 * created. */
pid_t job_start(struct jobs *jobs, const struct job *job);

/* Waits for PID, and returns its status as shells do: 128 plus the signal if one ended
 * it. */
int job_wait(struct jobs *jobs, pid_t pid);

/* Closes the descriptors of JOB above 2, which JOB owns. */
void job_close(const struct job *job);

/* Starts JOB, closes its descriptors and waits for it. */
int job_run(struct jobs *jobs, const struct job *job);

/* Opens PATH for a job to write to, or /dev/null for reading and writing if PATH is
 * NULL. Exits after a message on failure. */
int job_file(const char *path);

#endif
