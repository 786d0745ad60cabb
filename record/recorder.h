/* SPDX-License-Identifier: ISC */
/*
 * A recording from beginning to end, whatever takes the samples: the command and the
 * signals, the stream and its clock, messages, the exit status. A method takes the
 * samples: perf events (perf-events.c), or ptrace (ptrace.c) where these are refused.
 *
 * With -v, the choices are printed first,
 *
 *	sampling cpu-clock 997 times a second
 *	stacks by copies of up to 65,528 bytes, and by frame pointers
 *	a ring buffer of 8 MiB for each of 2 processors
 *
 * then the progress, and at the end
 *
 *	4.07 s, 4,274 samples, 0 lost; cycles 12,034,551,090, instructions 9,626,881,002, IPC 0.80
 */
#ifndef RECORDER_H
#define RECORDER_H

#include <poll.h>
#include <signal.h>

#include "record-options.h"
#include "stream.h"
#include "synth.h"

/* Output is written once there is this much. */
enum { RECORDER_CHUNK = 256 * 1024 };

/* The command to record. */
struct recorder_child {
	pid_t pid; /* 0: none */
	int line;  /* a byte here lets it begin; an errno comes back if it cannot */
	bool ended;
	int wait_status;
};

/* The total of an event. */
struct recorder_total {
	struct str name;
	uint64_t total;
	bool is_time; /* in nanoseconds */
};

struct recorder_summary {
	uint64_t ns, samples, lost;
	uint64_t copies, full; /* of stacks, and truncated ones */
	struct recorder_total *events;
	size_t n;
};

struct recorder {
	const struct record_options *set;
	const struct recorder_method *const *methods; /* by set->method */
	const struct recorder_method *method;
	void *own; /* the method's */
	struct recorder_child child;
	struct stream stream;
	struct buf out; /* the next output */
	struct synth_files files;
	struct copies *copies; /* or NULL */
	struct pollfd *polls;  /* signals, then those of the method */
	size_t poll_n;
	uint64_t due;	       /* when the method's next pass is, if it cannot wait */
	uint64_t began, ended; /* ended: 0 during sampling */
	bool sampling;	       /* --delay is over */
	struct recorder_summary sum;
	struct buf refusal; /* why the kernel refuses to record, lines */
	sigset_t signals_before;
	sigset_t ignored;    /* signals that end a recording, ignored at the start */
	int last_signal;     /* the last one that arrived */
	int sent, passed_on; /* signals to this program, and to fg-run above it */
	bool signalled;	     /* the command has had a signal */
	bool is_silent;	     /* no progress: the command has the terminal */
	bool stop;	     /* wait no longer */
	bool cut;	     /* --duration was over before the command */
};

struct recorder_method {
	/* Whether it can record as SET requests; NULL: always. */
	bool (*can)(const struct record_options *set);
	/* Prepares sampling, before the child becomes the command. Returns false after
	 * a message, or with r->refusal to be printed. */
	bool (*open)(struct recorder *r);
	/* Appends the head of the stream, which precedes all passes, to r->out. */
	void (*head)(struct recorder *r);
	/* Begins sampling after a delay. */
	void (*sample)(struct recorder *r);
	/* Writes the records since the last pass. */
	void (*pass)(struct recorder *r);
	/* Whether the command or, without one, any recorded thread lives. Also called
	 * when nothing is recorded. Sets r->child.ended. */
	bool (*lives)(struct recorder *r);
	/* Ends sampling. */
	void (*stop)(struct recorder *r);
	/* Appends the end of the stream to r->out, and completes r->sum. */
	void (*tail)(struct recorder *r);
	/* Releases r->own. */
	void (*close)(struct recorder *r);
};

extern const struct recorder_method perf_method, ptrace_method;

/* Records as SET requests, by one of METHODS, in the order of enum record_method.
 * Returns the exit status, the command's or its own. SIGPIPE must be ignored; ON_PIPE
 * is its disposition in the command. */
int recorder_run(const struct record_options *set,
	const struct recorder_method *const *methods, void (*on_pipe)(int));

/* Waits for an event, until the time DUE at the latest. */
void recorder_wait(struct recorder *r, uint64_t due);

/* Writes r->out, and empties it. */
void recorder_flush(struct recorder *r);

/* Checks whether the command has ended. */
bool recorder_child_ended(struct recorder *r);

/* Prints where the stacks of SET come from. */
void recorder_print_stacks(const struct record_options *set);

/* Appends the summary to B, without a newline. */
void recorder_put_summary(struct buf *b, const struct recorder_summary *s);

#endif
