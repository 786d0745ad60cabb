/* SPDX-License-Identifier: ISC */
/*
 * Programs that are started and waited for, and the signals that come meanwhile. INT, TERM, HUP
 * and QUIT are blocked and read one by one, so that none is lost: also where a shell had INT and
 * QUIT ignored for a job in the background, and as process 1, for which a signal without a
 * handler does not exist. An ignored HUP, as by nohup, stays ignored.
 */
#ifndef JOB_H
#define JOB_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What becomes of signals while a program is waited for. */
enum job_kind {
	JOB_ENDS,     /* they end it, and what it was for */
	JOB_FINISHES, /* the same; but it does not see what a terminal sends to all */
	JOB_RECORDS,  /* they are for the recorder, which passes them on to the command */
};

enum { JOB_LISTS = 4, JOBS_MOST = 2 };

struct job {
	/* Lists that end with NULL, or NULL. The first word is a path, or looked for in PATH. */
	const char *const *words[JOB_LISTS];
	enum job_kind kind;
	int in, out, err; /* descriptors that become 0 to 2; 0: those of this program */
};

struct jobs {
	sigset_t taken, before; /* signals that are blocked here, and before */
	struct job_child {
		pid_t pid; /* 0: a free place */
		enum job_kind kind;
		bool ended;
		int status;
	} children[JOBS_MOST];
	int signal;	/* the last that came, or 0 */
	uint64_t since; /* when it did, in ns */
	int count;	/* of all */
	bool cut;	/* one came for a JOB_ENDS or JOB_FINISHES */
};

/* Blocks the signals. */
void job_begin(struct jobs *jobs);

/* Becomes JOB, with signals as they were before job_begin. What cannot be executed says so and
 * ends with 126 or 127. */
_Noreturn void job_become(const struct jobs *jobs, const struct job *job);

/* Starts JOB; at most JOBS_MOST may run. Ends the program after a message where no process can
 * be made. */
pid_t job_start(struct jobs *jobs, const struct job *job);

/* Waits for PID, and returns its status as shells have it: 128 and the signal when one ended it. */
int job_wait(struct jobs *jobs, pid_t pid);

/* Closes the descriptors of JOB but 0 to 2, each of which is its own. */
void job_close(const struct job *job);

/* Starts JOB, closes its descriptors and waits for it. */
int job_run(struct jobs *jobs, const struct job *job);

/* Opens PATH for a job to write to, or /dev/null to read from and write to when it is NULL; ends
 * the program after a message where that cannot be. */
int job_file(const char *path);

#endif
