/* SPDX-License-Identifier: ISC */
/*
 * A perf.data recording as a run of records in the order of their times:
 * file or pipe mode, plain or compressed, either byte order. (Linux:
 * tools/perf/Documentation/perf.data-file-format.txt, tools/lib/perf/include/
 * perf/event.h, include/uapi/linux/perf_event.h.)
 *
 * Records are put in order within finished rounds, as perf does: what a round
 * has is given out when the round after it is finished. So no more than two
 * rounds are ever held, of a file as of a pipe.
 *
 * Numbers reach the handler in this machine's byte order; slices are borrowed
 * for the time of the call.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input.h"
#include "str.h"

/* One event of the recording: a struct perf_event_attr, and its name. */
struct reader_event {
	struct str name; /* as perf script prints it, "cpu-clock:u"; never empty */
	uint32_t index;	 /* from 0, in the order of the recording */
	uint32_t type;
	uint64_t config;
	uint64_t sample_type, read_format, branch_type;
	uint64_t user_regs;    /* mask of the registers of a snapshot */
	uint32_t stack_bytes;  /* asked of a snapshot */
	uint64_t fixed_period; /* 0: by frequency */
	bool tracepoint;
};

/* Bits of sample_type that a format may want to look at. */
enum {
	READER_HAS_TIME = 1 << 2,
	READER_HAS_CALLCHAIN = 1 << 5,
	READER_HAS_PERIOD = 1 << 8,
	READER_HAS_BRANCHES = 1 << 11,
	READER_HAS_REGS = 1 << 12,
	READER_HAS_STACK = 1 << 13
};
/* Of branch_type: the branches are a call stack. */
enum { READER_BRANCH_CALL_STACK = 1 << 11 };

/* Where a sample was taken: misc & 7. */
enum reader_mode {
	READER_UNKNOWN,
	READER_KERNEL,
	READER_USER,
	READER_HYPERVISOR,
	READER_GUEST_KERNEL,
	READER_GUEST_USER
};

struct reader_branch {
	uint64_t from, to;
};

struct reader_sample {
	const struct reader_event *event;
	enum reader_mode mode;
	bool has_ip, has_tid, has_time, has_cpu, has_period;
	uint64_t ip, time;
	uint64_t period; /* without has_period the event's fixed one, else 1 */
	uint32_t pid, tid, cpu;
	const uint64_t *chain; /* leaf first, with context markers */
	size_t callchain_n;
	const struct reader_branch *branches; /* newest first */
	size_t branch_n;
	uint64_t regs_abi;    /* 0: none, 1: 32 bits, 2: 64 bits */
	const uint64_t *regs; /* one for each bit of user_regs, in order */
	struct str stack;     /* what of it was filled (dyn_size) */
	bool stack_full;      /* all that the kernel was to copy: it may go on */
};

struct reader_mmap {
	uint32_t pid, tid;
	uint64_t start, length, offset;
	struct str path;
	struct str build_id; /* bytes, or empty */
	bool executable;     /* MMAP: not data; MMAP2: also by its protection */
	bool kernel;	     /* of the kernel, or of a guest's */
	uint64_t time;	     /* ns of the recording's clock; 0: not known */
};

struct reader_comm {
	uint32_t pid, tid;
	struct str name;
	bool exec;
};

struct reader_task { /* FORK and EXIT */
	uint32_t pid, tid, parent_pid, parent_tid;
	/* A FORK that the recorder made of a process it found: its maps follow,
	 * they are not its parent's. */
	bool found;
};

struct reader_switch { /* SWITCH and SWITCH_CPU_WIDE, of the task they name */
	uint32_t pid, tid;
	uint64_t time;
	bool out, preempted;
};

/* Kernel code that comes and goes at run time: BPF programs, ftrace. */
struct reader_ksymbol {
	uint64_t address;
	uint32_t length;
	bool gone;
	struct str name;
};

/* What the header says; a str that is not there is empty. */
struct reader_about {
	struct str command; /* arguments joined by blanks */
	struct str host, arch, release, version;
	uint64_t clock; /* clockid + 1, 0: the kernel's own */
	bool compressed, pipe;
	const struct reader_event *const *events; /* all that are known by now */
	size_t event_n;
};

/* Who takes the records. Any function may be NULL. */
struct reader_handler {
	void *context;
	void (*sample)(void *context, const struct reader_sample *s);
	void (*mmap)(void *context, const struct reader_mmap *m);
	void (*comm)(void *context, const struct reader_comm *c);
	void (*fork)(void *context, const struct reader_task *t);
	void (*exit)(void *context, const struct reader_task *t);
	void (*switched)(void *context, const struct reader_switch *s);
	void (*ksymbol)(void *context, const struct reader_ksymbol *k);
	/* Samples that the recorder lost, by LOST and LOST_SAMPLES records. */
	void (*lost)(void *context, uint64_t n);
	/* The build id of PATH, from the header: before any other record in file
	 * mode, where it stands in pipe mode. KERNEL: of the kernel or a module. */
	void (*build_id)(void *context, struct str path, struct str id, bool kernel);
	/* All events are known (file mode), or the first record that is not of a
	 * header came (pipe mode). */
	void (*begin)(void *context, const struct reader_about *about);
	/* A record that could not be used; WHY is a few words, OFFSET its place in
	 * the input. */
	void (*bad)(void *context, uint64_t offset, const char *why);
};

/* Whether HEAD begins a perf.data recording, be it one that reader_run refuses
 * with a hint. */
bool reader_knows(struct str head);

/* Gives the records of IN to H. False, after a message, when IN is not perf.data
 * as a whole, or of a kind that cannot be read (a message says what to do). A
 * cut or damaged recording gives what it has, and bad is called. */
bool reader_run(struct input *in, const struct reader_handler *h);

#endif
