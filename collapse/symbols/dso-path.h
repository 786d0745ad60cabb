/* SPDX-License-Identifier: ISC */
/*
 * What stands behind a path of a recording, as perf has it (tools/perf/util/map.c
 * and dso.c):
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
	DSO_KERNEL, /* "[kernel.kallsyms]": addresses as they are */
	DSO_MODULE, /* "[ext4]" or a .ko file: addresses as they are, too */
	DSO_VDSO,
	DSO_JIT, /* code without a file: perf map; addresses as they are */
	DSO_NONE /* "[vsyscall]", "[anon]", a device: nothing to be known */
};

/* What a recording says of a file. Memory that no file stands behind ("//anon",
 * "[heap]", "[stack]", "/SYSV...") is taken for code, as perf does when it can be
 * executed; who knows that it cannot calls it "[anon]". */
struct dso_key {
	struct str path;     /* "/usr/bin/x", "[vdso]", "[kernel.kallsyms]", "//anon" */
	struct str build_id; /* bytes, or empty */
	uint32_t pid;	     /* whose: for /proc/PID/root and perf maps; 0: nobody's */
};

/* What a path of a recording says. */
struct dso_path {
	enum dso_kind kind;
	struct str name; /* borrowed from the path or from the buffer */
	bool is_jitdump;
};

/* Sets *TO to what stands behind KEY; B has room for its name. */
void dso_path_read(struct dso_path *to, const struct dso_key *key, struct buf *b);

/* ID without the zeroes that perf fills shorter ones up with, to 20 bytes. */
struct str dso_path_build_id(struct str id);

#endif
