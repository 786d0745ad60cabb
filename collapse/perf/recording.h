/* SPDX-License-Identifier: ISC */
/*
 * The contents of a perf recording: a reader (reader.h) passes these to a handler.
 * Numbers are in this machine's byte order; slices are borrowed for the duration of the
 * call. (include/uapi/linux/perf_event.h.)
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "str.h"

/* One event of the recording: a struct perf_event_attr, and its name. */
struct recording_event {
	struct str name; /* as perf script prints it, "cpu-clock:u"; never empty */
	uint32_t index;	 /* from 0, in the order of the recording */
	uint32_t type;
	uint64_t config;
	uint64_t sample_type, read_format, branch_type;
	uint64_t user_regs;    /* mask of the registers of a snapshot */
	uint32_t stack_bytes;  /* requested for a snapshot */
	uint64_t fixed_period; /* 0: by frequency */
	bool tracepoint;
};

/* The most frames that the kernel walks (sysctl kernel.perf_event_max_stack) and perf
 * script prints. */
enum { RECORDING_DEEPEST = 127 };

/* Bits of sample_type: the fields of samples. */
enum {
	RECORDING_HAS_IP = 1 << 0,
	RECORDING_HAS_TID = 1 << 1,
	RECORDING_HAS_TIME = 1 << 2,
	RECORDING_HAS_ADDR = 1 << 3,
	RECORDING_HAS_READ = 1 << 4,
	RECORDING_HAS_CALLCHAIN = 1 << 5,
	RECORDING_HAS_ID = 1 << 6,
	RECORDING_HAS_CPU = 1 << 7,
	RECORDING_HAS_PERIOD = 1 << 8,
	RECORDING_HAS_STREAM_ID = 1 << 9,
	RECORDING_HAS_RAW = 1 << 10,
	RECORDING_HAS_BRANCHES = 1 << 11,
	RECORDING_HAS_REGS = 1 << 12,
	RECORDING_HAS_STACK = 1 << 13,
	RECORDING_HAS_IDENTIFIER = 1 << 16
};
/* Of branch_type: the branches are a call stack. */
enum { RECORDING_BRANCH_CALL_STACK = 1 << 11 };

/* Where a sample was taken: misc & 7. */
enum recording_mode {
	RECORDING_UNKNOWN,
	RECORDING_KERNEL,
	RECORDING_USER,
	RECORDING_HYPERVISOR,
	RECORDING_GUEST_KERNEL,
	RECORDING_GUEST_USER
};

struct recording_branch {
	uint64_t from, to;
};

/* Two marks in a chain. Behind the first is a cookie, for a part of the chain that
 * comes later; behind the second, addresses of the user space. */
#define RECORDING_MARK_LATER ((uint64_t)-640)
#define RECORDING_MARK_USER  ((uint64_t)-512)

struct recording_sample {
	const struct recording_event *event;
	enum recording_mode mode;
	bool has_ip, has_tid, has_time, has_cpu, has_period;
	uint64_t ip, time;
	uint64_t period; /* without has_period the event's fixed one, else 1 */
	uint32_t pid, tid, cpu;
	const uint64_t *chain; /* leaf first, with context markers */
	size_t callchain_n;
	const struct recording_branch *branches; /* newest first */
	size_t branch_n;
	uint64_t regs_abi;    /* 0: none, 1: 32 bits, 2: 64 bits */
	const uint64_t *regs; /* one for each bit of user_regs, in order */
	struct str stack;     /* the filled part (dyn_size) */
	bool stack_full;      /* filled as requested: the stack may be larger */
};

struct recording_mmap {
	uint32_t pid, tid;
	uint64_t start, length, offset;
	struct str path;
	struct str build_id; /* bytes, or empty */
	bool executable;     /* MMAP: not data; MMAP2: also by its protection */
	bool kernel;	     /* of the kernel, or of a guest's */
	uint64_t time;	     /* ns of the recording's clock; 0: unknown */
};

struct recording_comm {
	uint32_t pid, tid;
	struct str name;
	bool exec;
};

struct recording_task { /* FORK and EXIT */
	uint32_t pid, tid, parent_pid, parent_tid;
	/* A FORK that the recorder made for a running process: its maps follow, instead
	 * of its parent's. */
	bool found;
};

struct recording_switch { /* SWITCH and SWITCH_CPU_WIDE, of the task they name */
	uint32_t pid, tid;
	uint64_t time;
	bool out, preempted;
};

/* Kernel code that comes and goes at run time: BPF programs, ftrace. */
struct recording_ksymbol {
	uint64_t address;
	uint32_t length;
	bool gone;
	struct str name;
};

/* Fields of the header; a missing str is empty. */
struct recording_about {
	struct str command; /* arguments joined by blanks */
	struct str host, arch, release, version;
	uint64_t clock; /* clockid + 1, 0: the kernel's own */
	uint64_t start; /* ns since 1970; 0: unknown */
	bool compressed, pipe;
	const struct recording_event *const *events; /* all that are known so far */
	size_t event_n;
};

/* Functions for the records; any may be NULL. */
struct recording_handler {
	void *context;
	void (*sample)(void *context, const struct recording_sample *s);
	void (*mmap)(void *context, const struct recording_mmap *m);
	void (*comm)(void *context, const struct recording_comm *c);
	void (*fork)(void *context, const struct recording_task *t);
	void (*exit)(void *context, const struct recording_task *t);
	void (*switched)(void *context, const struct recording_switch *s);
	void (*ksymbol)(void *context, const struct recording_ksymbol *k);
	/* Samples that the recorder lost, by LOST and LOST_SAMPLES records. */
	void (*lost)(void *context, uint64_t n);
	/* The build id of PATH, from the header: in file mode before any other record,
	 * in pipe mode at its position. KERNEL: of the kernel or a module. */
	void (*build_id)(void *context, struct str path, struct str id, bool kernel);
	/* All events are known (file mode), or the first record outside the header came
	 * (pipe mode). */
	void (*begin)(void *context, const struct recording_about *about);
	/* A record that could not be used. WHY is a few words, OFFSET its place in the
	 * input. */
	void (*bad)(void *context, uint64_t offset, const char *why);
};

#endif
