/* SPDX-License-Identifier: ISC */
/*
 * The debugger's side of gdb's remote serial protocol, as much of it as halting a
 * core and looking at it takes: the appendix "Remote Serial Protocol" of gdb's
 * manual. The other side is an emulator that talks on its standard input and
 * output. Trouble ends the program.
 */
#ifndef REMOTE_H
#define REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { REMOTE_PACKET = 8192 };

struct remote {
	pid_t pid;
	int fd;
	char input[REMOTE_PACKET]; /* bytes that came and are not used yet */
	size_t begin, end;
	char reply[REMOTE_PACKET]; /* the last packet, a string */
};

/* Starts the emulator ARGV, whose cores stand still. */
void remote_start(struct remote *r, char **argv);
void remote_end(struct remote *r);

/* Lets the cores run; halts them. */
void remote_go(struct remote *r);
void remote_halt(struct remote *r);

/* Chooses the CORE, counted from 0, that is asked from now on. */
void remote_core(struct remote *r, unsigned core);

/* The bytes of all registers, in the machine's order; returns how many. */
size_t remote_registers(struct remote *r, unsigned char *bytes, size_t cap);

/* The little-endian value of SIZE bytes at ADDRESS; false when there is none. */
bool remote_memory(struct remote *r, uint64_t address, size_t size, uint64_t *value);

#endif
