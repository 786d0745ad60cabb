/* SPDX-License-Identifier: ISC */
/*
 * The options of fg-record, set by fg-record.c alone.
 */
#ifndef RECORD_OPTIONS_H
#define RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "events.h"

/* RECORD_AUTO: copies of stacks and frame pointers. */
enum record_stacks { RECORD_AUTO, RECORD_FP, RECORD_DWARF, RECORD_LBR, RECORD_NONE };
enum record_method { RECORD_PERF, RECORD_PTRACE };

struct record_ids {
	pid_t *items;
	size_t n, cap;
};

struct record_options {
	struct events events; /* empty: cycles, or cpu-clock where there is no PMU */
	uint64_t frequency;   /* Hz; 0: by period */
	bool frequency_given; /* rather than the default */
	uint64_t period;      /* 0: by frequency */
	enum record_stacks stacks;
	uint32_t stack_bytes; /* of a snapshot, a multiple of 8 up to 65,528; 0: none */
	bool stack_given;     /* rather than chosen */
	struct record_ids pids, tids;
	bool no_children; /* leave out child processes of PIDS */
	bool all;	  /* the whole machine */
	const char *cpus; /* "0-3,8", or NULL for all */
	bool user_only, kernel_only;
	bool off_cpu; /* also where threads wait */
	enum record_method method;
	bool method_given;   /* else ptrace is tried where perf events are refused */
	uint64_t limit_ns;   /* 0: until the command ends or a signal comes */
	uint64_t delay_ns;   /* before the first sample */
	uint64_t ring_bytes; /* of a CPU, a power of two of pages; 0: as mlock allows */
	const char *output;  /* a path, or NULL for stdout */
	bool verbose;	     /* print the choices */
	bool copy_files;     /* copy binaries that may be gone later */
	struct runtimes *runtimes; /* notes the processes of the command; or NULL */
	char **command;		   /* NULL-terminated, or NULL */
	int argc; /* the command line of fg-record itself, for the header */
	const char **argv;
};

#endif
