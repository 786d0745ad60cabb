/* SPDX-License-Identifier: ISC */
/*
 * What was chosen for a recording, in words, for -v:
 *
 *	sampling cpu-clock 997 times a second
 *	stacks by copies of up to 65,528 bytes, and by frame pointers
 *	a ring buffer of 8 MiB for each of 2 processors
 */
#ifndef CHOSEN_H
#define CHOSEN_H

#include "perf-events.h"

/* Prints it for a session that is open. */
void chosen_print(const struct session *s);

/* Prints the line about the stacks of SET. */
void chosen_print_stacks(const struct record_options *set);

#endif
