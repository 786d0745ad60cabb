/* SPDX-License-Identifier: ISC */
/* Records of traced threads as the kernel would write them. */
#ifndef PTRACE_WRITE_H
#define PTRACE_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "ptrace-stack.h"
#include "ptrace-task.h"
#include "synth.h"

#include <linux/perf_event.h>

/* Where and as what records are written. All are of the time synth.time. */
struct ptrace_writer {
	struct buf out;
	struct synth synth;
	struct buildids buildids;
	struct perf_event_attr attr;
	uint64_t period;
	uint64_t copies, full; /* of stacks, as in snapshot.h */
	struct buf scratch;
};

/* W is zero before; it must not be moved afterwards. */
void ptrace_write_init(
	struct ptrace_writer *w, const struct perf_event_attr *attr, uint64_t id);

void ptrace_write_release(struct ptrace_writer *w);

/* A clock that is sampled by stopping threads: with a snapshot of STACK bytes, with the
 * chain of frame pointers, with both, or with neither. */
struct ptrace_kind {
	uint64_t hz;
	bool chain;
	uint32_t stack;
};

/* Its attributes, as a recording by perf events would have them. */
struct perf_event_attr ptrace_write_attr(const struct ptrace_kind *kind);

/* A sample of thread T, which is stopped. False when it cannot be read. */
bool ptrace_write_sample(struct ptrace_writer *w, const struct ptrace_task *t);

/* The executable maps of T's process, if they have changed. */
void ptrace_write_maps(struct ptrace_writer *w, struct ptrace_task *t);

/* The name of T, if it has changed; EXEC says that it is that of a new program, which
 * has it whatever it was before. */
void ptrace_write_comm(struct ptrace_writer *w, struct ptrace_task *t, bool exec);

/* T begins, made by thread PARENT; T ends. */
void ptrace_write_fork(
	struct ptrace_writer *w, const struct ptrace_task *t, pid_t parent);
void ptrace_write_exit(struct ptrace_writer *w, const struct ptrace_task *t);

/* All that was written until now may be put in order of time. */
void ptrace_write_round(struct ptrace_writer *w);

#endif
