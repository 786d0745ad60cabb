/* SPDX-License-Identifier: ISC */
/* Child programs: job.h. */
#include "job.h"
#include "unit.h"

#include <sys/wait.h>
#include <unistd.h>

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static struct jobs jobs;

/* Runs the script TEXT as a job of KIND. */
static int
run(const char *text, enum job_kind kind)
{
	return job_run(&jobs,
		&(struct job){ { WORDS("sh"), NULL, WORDS("-c", text) }, .kind = kind });
}

UNIT(a_status_is_that_of_a_shell)
{
	job_begin(&jobs);
	CHECK(run("exit 7", JOB_ENDS) == 7);
	CHECK(run("kill -KILL $$", JOB_ENDS) == 128 + SIGKILL);
	CHECK(job_run(&jobs,
		      &(struct job){ { WORDS("/nowhere/at/all") },
			      .err = job_file(NULL) }) == 127);
	CHECK(job_run(&jobs, &(struct job){ { WORDS("/") }, .err = job_file(NULL) }) ==
		126);
}

UNIT(two_run_at_a_time)
{
	pid_t first, second;

	job_begin(&jobs);
	first = job_start(&jobs,
		&(struct job){ { WORDS("sh", "-c", "exit 3") }, .kind = JOB_ENDS });
	second = job_start(&jobs,
		&(struct job){ { WORDS("sh", "-c", "exit 4") }, .kind = JOB_ENDS });
	CHECK(job_wait(&jobs, second) == 4);
	CHECK(job_wait(&jobs, first) == 3);
}

UNIT(jobs_get_the_given_descriptors)
{
	int ends[2];
	char byte = 0;

	job_begin(&jobs);
	CHECK(pipe(ends) == 0);
	CHECK(job_run(&jobs,
		      &(struct job){ { WORDS("sh", "-c", "echo x") }, .out = ends[1] }) ==
		0);
	CHECK(read(ends[0], &byte, 1) == 1 && byte == 'x');
	close(ends[0]);
}

/* A signal to this program while it waits. */
UNIT(a_signal_is_passed_on)
{
	/* Shells ignore the first for background jobs, nohup(1) the second. */
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	job_begin(&jobs);
	kill(getpid(), SIGTERM);
	CHECK(run("sleep 60", JOB_RECORDS) == 128 + SIGTERM);
	CHECK(jobs.signal == SIGTERM && jobs.count == 1 && !jobs.cut);
	kill(getpid(), SIGINT);
	CHECK(run("sleep 60", JOB_ENDS) == 128 + SIGINT);
	CHECK(jobs.cut);
	/* This one ignores signals from the terminal, and from us. */
	jobs = (struct jobs){ .taken = jobs.taken, .before = jobs.before };
	kill(getpid(), SIGHUP);
	CHECK(run("sleep 60", JOB_FINISHES) == 128 + SIGKILL);
	CHECK(jobs.cut);
}

UNIT(the_same_signal_at_once_counts_once)
{
	job_begin(&jobs);
	kill(getpid(), SIGTERM);
	(void)run("trap '' TERM; kill -TERM $PPID; sleep 0.3", JOB_RECORDS);
	CHECK(jobs.count == 1);
}

UNIT(a_signal_that_came_before_the_end_is_not_for_the_next)
{
	siginfo_t info;
	pid_t first;

	job_begin(&jobs);
	/* The child has ended, and the signal is pending, before the wait. */
	first = job_start(&jobs, &(struct job){ { WORDS("true") }, .kind = JOB_RECORDS });
	CHECK(waitid(P_PID, (id_t)first, &info, WEXITED | WNOWAIT) == 0);
	kill(getpid(), SIGTERM);
	CHECK(job_wait(&jobs, first) == 0);
	CHECK(jobs.signal == SIGTERM && !jobs.cut);
	CHECK(run("exit 4", JOB_FINISHES) == 4);
	CHECK(!jobs.cut);
}

/* Like those of process 1, which inherits orphans. */
UNIT(children_of_others_are_not_jobs)
{
	pid_t other;

	job_begin(&jobs);
	other = fork();
	if (!other)
		_exit(9);
	CHECK(run("sleep 0.1; exit 2", JOB_ENDS) == 2);
	CHECK(waitpid(other, NULL, WNOHANG) < 0);
}

UNIT_MAIN
