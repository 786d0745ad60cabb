/* SPDX-License-Identifier: ISC */
/* The meaning of paths in recordings: dso-path.h. */
#include "symbols/dso-path.h"
#include "unit.h"

static enum dso_kind
kind_of(const char *path, uint32_t pid)
{
	struct dso_key key = { str_of(path), { 0 }, pid };
	struct dso_path to;
	struct buf b = { 0 };

	dso_path_read(&to, &key, &b);
	buf_release(&b);
	return to.kind;
}

static struct str
name_of(const char *path, uint32_t pid, struct buf *b)
{
	struct dso_key key = { str_of(path), { 0 }, pid };
	struct dso_path to;

	buf_clear(b);
	dso_path_read(&to, &key, b);
	return to.name;
}

UNIT(paths_have_kinds)
{
	CHECK_U64(kind_of("/usr/bin/x", 1), DSO_FILE);
	CHECK_U64(kind_of("/dev/shm/x", 1), DSO_FILE);
	CHECK_U64(kind_of("/dev/dri/card0", 1), DSO_NONE);
	CHECK_U64(kind_of("[kernel.kallsyms]_text", 0), DSO_KERNEL);
	CHECK_U64(kind_of("/lib/modules/6.1/ext4.ko.xz", 0), DSO_MODULE);
	CHECK_U64(kind_of("[ext4]", 0), DSO_MODULE);
	CHECK_U64(kind_of("[ext4]", 7), DSO_NONE);
	CHECK_U64(kind_of("[vdso]", 7), DSO_VDSO);
	CHECK_U64(kind_of("//anon", 7), DSO_JIT);
	CHECK_U64(kind_of("/tmp/jit-7.dump", 7), DSO_JIT);
}

UNIT(names_are_those_of_perf)
{
	struct buf b = { 0 };

	CHECK_STR(name_of("//anon", 7, &b), STR("/tmp/perf-7.map"));
	CHECK_STR(name_of("[kernel.kallsyms]_text", 0, &b), STR("[kernel.kallsyms]"));
	CHECK_STR(name_of("/lib/a-b.ko.zst", 0, &b), STR("[a_b]"));
	CHECK_STR(name_of("/memfd:jit (deleted)", 7, &b), STR("/memfd:jit (deleted)"));
	buf_release(&b);
}

UNIT_MAIN
