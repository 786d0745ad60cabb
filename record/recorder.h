/* SPDX-License-Identifier: ISC */
/*
 * A recording from beginning to end, whatever takes the samples: the command and what ends
 * it, the stream and its clock, what is said of it, the exit status. A method takes the
 * samples: perf events (perf-events.c), or ptrace (ptrace.c) where these are refused.
 *
 * With -v what was chosen is said first,
 *
 *	sampling cpu-clock 997 times a second
 *	stacks by copies of up to 65,528 bytes, and by frame pointers
 *	a ring buffer of 8 MiB for each of 2 processors
 *
 * while it lasts how far it is, and at its end
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

/* Written at once, when there is so much. */
enum { RECORDER_CHUNK = 256 * 1024 };

/* The command to record. */
struct recorder_child {
	pid_t pid; /* 0: there is none */
	int line;  /* a byte here lets it begin; errno comes back when it cannot */
	bool ended;
	int wait_status;
};

/* What an event came to. */
struct recorder_total {
	struct str name;
	uint64_t total;
	bool is_time; /* in nanoseconds */
};

struct recorder_summary {
	uint64_t ns, samples, lost;
	uint64_t copies, full; /* of stacks, and those that are truncated */
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
	struct buf out; /* what is written next */
	struct synth_files files;
	struct copies *copies; /* or NULL */
	struct pollfd *polls;  /* the signals, and what the method waits for */
	size_t poll_n;
	uint64_t due;	       /* when the method's next pass is, if it cannot wait */
	uint64_t began, ended; /* ended: 0 as long as samples are taken */
	bool sampling;	       /* --delay is over */
	struct recorder_summary sum;
	struct buf refusal; /* why the kernel lets nobody like us record, lines */
	sigset_t signals_before;
	sigset_t ignored;    /* of those that end a recording, before */
	int last_signal;     /* of those that end a recording */
	int sent, passed_on; /* how many came to this program, and to fg-run above it */
	bool told;	     /* the command has had one */
	bool is_silent;	     /* no progress: the command has the terminal */
	bool stop;	     /* nothing is waited for any more */
	bool cut;	     /* --duration was over before the command */
};

struct recorder_method {
	/* Whether it can record what SET asks for; NULL: it can. */
	bool (*can)(const struct record_options *set);
	/* Makes ready to sample, before the command becomes what it is. False after a
	 * message, or with r->refusal to be printed. */
	bool (*open)(struct recorder *r);
	/* Adds to r->out what comes before all that pass adds. */
	void (*head)(struct recorder *r);
	/* Begins sampling after a delay. */
	void (*sample)(struct recorder *r);
	/* Writes what there is to write. */
	void (*pass)(struct recorder *r);
	/* Whether the command, or without one any that is recorded, has not ended; also
	 * when nothing is recorded. Sets r->child.ended. */
	bool (*lives)(struct recorder *r);
	/* Ends sampling. */
	void (*stop)(struct recorder *r);
	/* Adds to r->out what comes last, and completes r->sum. */
	void (*tail)(struct recorder *r);
	/* Releases r->own. */
	void (*close)(struct recorder *r);
};

extern const struct recorder_method perf_method, ptrace_method;

/* Records what SET asks for by one of METHODS, in the order of enum record_method. Returns the
 * exit status, that of the command or an own one. SIGPIPE must be ignored; ON_PIPE is its
 * disposition in the command. */
int recorder_run(const struct record_options *set,
	const struct recorder_method *const *methods, void (*on_pipe)(int));

/* Waits for something to happen, until the time DUE at the latest. */
void recorder_wait(struct recorder *r, uint64_t due);

/* Writes r->out, and empties it. */
void recorder_flush(struct recorder *r);

/* Looks whether the command has ended. */
bool recorder_child_ended(struct recorder *r);

/* Prints where the stacks of SET come from. */
void recorder_print_stacks(const struct record_options *set);

/* Adds the closing line to B, without a newline. */
void recorder_put_summary(struct buf *b, const struct recorder_summary *s);

#endif
