/* SPDX-License-Identifier: ISC */
/*
 * A profile as `probe-rs profile callstack` writes it, a Firefox processed profile
 * of version 55: probe-rs/probe-rs, cmd/profile/callstack/fxprof.rs, and the crate
 * fxprof-processed-profile 0.8.1, which it writes with.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A table of what has been seen, each thing once. */
struct profile_table {
	uint64_t *keys;
	size_t n, cap;
};

/* The samples of one core. */
struct profile_thread {
	struct profile_table frames; /* addresses */
	struct profile_table stacks; /* the prefix + 1 << 32 | the frame */
	long *samples;		     /* a stack, or -1 */
	size_t sample_n, sample_cap;
};

struct profile_program {
	const char *path; /* absolute */
	uint64_t base;	  /* the address of the first segment that is loaded */
	const char *code_id, *breakpad_id; /* CODE_ID is empty without a build id */
};

/* Adds a sample of the N ADDRESSES, outermost first. */
void profile_add(struct profile_thread *t, const uint64_t *addresses, size_t n);
void profile_release(struct profile_thread *t);

/* Writes the N THREADS of PROGRAM. */
void profile_write(FILE *f, const struct profile_program *program,
	const struct profile_thread *threads, size_t n);

#endif
