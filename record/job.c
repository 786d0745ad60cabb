/* SPDX-License-Identifier: ISC */
/* Starts programs and handles signals meanwhile; see job.h. */
#define _GNU_SOURCE
#include "job.h"
#include "mem.h"
#include "msg.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

static const int ends[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP };

void
job_block(sigset_t *taken, sigset_t *ignored, sigset_t *before)
{
	struct sigaction was;
	size_t i;

	sigemptyset(taken);
	sigaddset(taken, SIGCHLD);
	sigemptyset(ignored);
	for (i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (sigaction(ends[i], NULL, &was) == 0 && was.sa_handler == SIG_IGN)
			sigaddset(ignored, ends[i]);
		if (ends[i] != SIGHUP || !sigismember(ignored, SIGHUP))
			sigaddset(taken, ends[i]);
	}
	/* While SIGCHLD is ignored, nothing can be waited for. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, taken, before);
}

void
job_begin(struct jobs *jobs)
{
	sigset_t ignored;

	job_block(&jobs->taken, &ignored, &jobs->before);
}

/* Copies all words, as execvp may change them. */
static char **
join_words(const struct job *job)
{
	char **words = NULL;
	size_t n = 0, cap = 0, i, size;
	const char *const *from;

	for (i = 0; i < JOB_LISTS; i++)
		for (from = job->words[i]; from && *from; from++) {
			size = strlen(*from) + 1;
			words = mem_grow(words, &cap, n + 2, sizeof *words);
			words[n++] = memcpy(mem_alloc(size), *from, size);
			words[n] = NULL;
		}
	return words;
}

static bool
direct(int from, int to)
{
	return !from || dup2(from, to) >= 0;
}

_Noreturn void
job_become(const struct jobs *jobs, const struct job *job)
{
	char **words = join_words(job);
	size_t i;

	for (i = 0; job->kind == JOB_FINISHES && i < sizeof ends / sizeof *ends; i++)
		signal(ends[i], SIG_IGN);
	sigprocmask(SIG_SETMASK, &jobs->before, NULL);
	if (direct(job->in, STDIN_FILENO) && direct(job->out, STDOUT_FILENO) &&
		direct(job->err, STDERR_FILENO))
		execvp(words[0], words);
	i = errno == ENOENT ? 127 : 126;
	msg_error("cannot run %s:", words[0]);
	_exit((int)i);
}

pid_t
job_start(struct jobs *jobs, const struct job *job)
{
	struct job_child *c = jobs->children;

	while (c->pid)
		c++;
	*c = (struct job_child){ .pid = fork(), .kind = job->kind };
	if (c->pid == 0)
		job_become(jobs, job);
	if (c->pid < 0) {
		c->pid = 0;
		msg_die("cannot start another process:");
	}
	return c->pid;
}

/* Marks the children that have ended. Process 1 also reaps orphans. */
static void
reap(struct jobs *jobs)
{
	int status, i;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (i = 0; i < JOBS_MOST; i++)
			if (jobs->children[i].pid == pid) {
				jobs->children[i].ended = true;
				jobs->children[i].status = WIFSIGNALED(status)
					? 128 + WTERMSIG(status)
					: WEXITSTATUS(status);
			}
}

/* Passes a signal on, unless the terminal sent it: that has reached the whole group. A
 * recorder also gets the number of signals so far, as one sent to its group has reached
 * it before. timeout(1) sends each signal twice, to the process and to its group: that
 * counts once. */
static void
pass_on(struct jobs *jobs, const struct job_child *c, const siginfo_t *info)
{
	uint64_t at = stream_now();

	if (info->si_signo == jobs->signal && at - jobs->since < SECOND)
		return;
	jobs->signal = info->si_signo;
	jobs->since = at;
	jobs->count++;
	if (c->kind != JOB_RECORDS)
		jobs->cut = true;
	if (c->ended)
		return;
	if (c->kind == JOB_FINISHES)
		kill(c->pid, SIGKILL);
	else if (info->si_code != SI_KERNEL)
		sigqueue(c->pid, info->si_signo,
			(union sigval){ .sival_int = jobs->count });
}

int
job_wait(struct jobs *jobs, pid_t pid)
{
	static const struct timespec none;
	struct job_child *c = jobs->children;
	siginfo_t info;
	int got;

	while (c->pid != pid)
		c++;
	/* Also read the signals that arrived before its end: they were meant for it. */
	for (reap(jobs);; reap(jobs)) {
		got = c->ended ? sigtimedwait(&jobs->taken, &info, &none)
			       : sigwaitinfo(&jobs->taken, &info);
		if (got < 0 && c->ended)
			break;
		if (got > 0 && got != SIGCHLD)
			pass_on(jobs, c, &info);
	}
	c->pid = 0;
	return c->status;
}

void
job_close(const struct job *job)
{
	const int fds[] = { job->in, job->out, job->err };
	size_t i;

	for (i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] > STDERR_FILENO)
			close(fds[i]);
}

int
job_run(struct jobs *jobs, const struct job *job)
{
	pid_t pid = job_start(jobs, job);

	job_close(job);
	return job_wait(jobs, pid);
}

int
job_file(const char *path)
{
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
		      : open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		msg_die("%s: cannot open:", path ? path : "/dev/null");
	return fd;
}
