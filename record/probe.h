/* SPDX-License-Identifier: ISC */
/*
 * Probes: an event each time that a function of a program, a library or the kernel
 * is entered or left, by the PMUs `uprobe` and `kprobe` (since Linux 4.17; tracefs is
 * not needed).
 *
 *	uprobe:/usr/bin/x:main		uprobe:x:main+0x1c	x is searched in PATH
 *	uretprobe:./x:Tree::insert	uprobe:./x:0x1139	an address as nm prints it
 *	kprobe:do_sys_openat2		kretprobe:vfs_read
 *
 * A C++ or Rust function is taken by its mangled name, or by a name without arguments.
 */
#ifndef PROBE_H
#define PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "arena.h"
#include "buf.h"
#include "str.h"

/* Whether SPEC is that of a probe, by its first word. */
bool probe_knows(struct str spec);

/* What follows the path in SPEC, which is that of a probe: FUNCTION and modifiers. */
struct str probe_function(struct str spec);

/* Sets ATTR to the probe SPEC, which has no modifiers; paths and names that it points
 * to are in TEXT. False when it cannot be: WHY says what is wrong. */
bool probe_parse(const char *root, struct str spec, struct arena *text,
	struct perf_event_attr *attr, struct buf *why);

/* The place in the file PATH of the function NAME, or of an address "0x1139". False
 * with WHY. */
bool probe_offset(const char *path, struct str name, uint64_t *offset, struct buf *why);

#endif
