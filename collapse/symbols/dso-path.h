/* SPDX-License-Identifier: ISC */
/*
 * The kind and name of a path in a recording, as in perf (tools/perf/util/map.c and
 * dso.c):
 *
 *	/usr/lib/libc.so.6		a file
 *	[kernel.kallsyms]_text		the kernel
 *	/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz	a module, "[ext4]"
 *	[vdso]
 *	//anon				code made at run time, "/tmp/perf-123.map"
 *	/memfd:doublemapper (deleted)	the same, under its own name
 *	/tmp/.debug/jit/x/jit-123.dump	a runtime's own record of such code
 */
#ifndef DSO_PATH_H
#define DSO_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

enum dso_kind {
	DSO_FILE,
	DSO_KERNEL, /* "[kernel.kallsyms]": absolute addresses */
	DSO_MODULE, /* "[ext4]" or a .ko file: absolute addresses, too */
	DSO_VDSO,
	DSO_JIT, /* code without a file: perf map; absolute addresses */
	DSO_NONE /* "[vsyscall]", "[anon]", a device: nothing is known */
};

/* A file as recorded. Memory without a file ("//anon", "[heap]", "[stack]", "/SYSV...")
 * counts as code, as in perf if it is executable; callers that know better call it
 * "[anon]". */
struct dso_key {
	struct str path;     /* "/usr/bin/x", "[vdso]", "[kernel.kallsyms]", "//anon" */
	struct str build_id; /* bytes, or empty */
	uint32_t pid;	     /* for /proc/PID/root and perf maps; 0: none */
};

/* The kind and name of a path. */
struct dso_path {
	enum dso_kind kind;
	struct str name; /* borrowed from the path or from the buffer */
	bool is_jitdump;
};

/* Sets *TO to the kind and name of KEY; B provides memory for the name. */
void dso_path_read(struct dso_path *to, const struct dso_key *key, struct buf *b);

/* ID without the zeroes with which perf pads shorter ones to 20 bytes. */
struct str dso_path_build_id(struct str id);

#endif
