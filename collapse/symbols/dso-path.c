/* SPDX-License-Identifier: ISC */
/* Kinds and names of paths in recordings; see dso-path.h. */
#include "dso-path.h"

enum match { WHOLE, BEGIN };

/* Paths that are not files; the first match counts. */
static const struct {
	const char *text;
	enum match match;
	enum dso_kind kind;
	bool anonymous; /* named after the perf map */
} paths[] = {
	{ "[kernel", BEGIN, DSO_KERNEL, false },
	{ "[guest.kernel", BEGIN, DSO_KERNEL, false },
	{ "/proc/kcore", WHOLE, DSO_KERNEL, false },
	{ "/proc/", BEGIN, DSO_NONE, false },
	{ "/sys/", BEGIN, DSO_NONE, false },
	{ "[vdso", BEGIN, DSO_VDSO, false },
	{ "[anon]", WHOLE, DSO_NONE, false },
	{ "//anon", WHOLE, DSO_JIT, true },
	{ "/dev/zero", BEGIN, DSO_JIT, true },
	{ "/anon_hugepage", BEGIN, DSO_JIT, true },
	{ "/SYSV", BEGIN, DSO_JIT, true },
	{ "[heap]", WHOLE, DSO_JIT, true },
	{ "[stack", BEGIN, DSO_JIT, true },
	{ "[anon:", BEGIN, DSO_JIT, true },
	{ "/memfd:", BEGIN, DSO_JIT, false },
	{ "/tmp/perf-", BEGIN, DSO_JIT, false },
	{ "[vsyscall]", WHOLE, DSO_NONE, false },
	{ "[uprobes]", WHOLE, DSO_NONE, false },
	{ "[unknown]", WHOLE, DSO_NONE, false },
	{ "/dev/shm/", BEGIN, DSO_FILE, false },
	{ "/dev/", BEGIN, DSO_NONE, false },
	{ "anon_inode:", BEGIN, DSO_NONE, false },
	{ "socket:", BEGIN, DSO_NONE, false },
};

/* Sets *NAME to "ext4" for ".../ext4.ko.xz". Returns false for other paths. */
static bool
cut_module(struct str path, struct str *name)
{
	static const char *const packed[] = { "", ".gz", ".xz", ".zst", ".bz2" };
	struct str base = str_base(path), end = STR(".ko");
	size_t i;

	for (i = 0; i < sizeof packed / sizeof *packed; i++) {
		struct str tail = str_of(packed[i]);

		if (!str_ends(base, tail))
			continue;
		*name = str_head(base, base.n - tail.n);
		if (str_ends(*name, end)) {
			*name = str_head(*name, name->n - end.n);
			return name->n > 0;
		}
	}
	return false;
}

/* Names the module NAME as kallsyms do, without '-'. */
static struct str
put_module_name(struct buf *b, struct str name)
{
	size_t i;

	buf_char(b, '[');
	for (i = 0; i < name.n; i++)
		buf_char(b, name.s[i] == '-' ? '_' : name.s[i]);
	buf_char(b, ']');
	return buf_view(b);
}

/* "[kernel.kallsyms]" for "[kernel.kallsyms]_text" and "/proc/kcore". */
static struct str
kernel_name(struct str path)
{
	return path.s[0] == '[' ? str_head(path, str_find(path, ']') + 1)
				: STR("[kernel.kallsyms]");
}

void
dso_path_read(struct dso_path *to, const struct dso_key *key, struct buf *b)
{
	const struct str path = key->path, base = str_base(path);
	const bool of_kernel = key->pid == 0 || key->pid == UINT32_MAX;
	struct str name;
	size_t i;

	*to = (struct dso_path){ DSO_FILE, path, false };
	for (i = 0; i < sizeof paths / sizeof *paths; i++) {
		/* Most differ here already. */
		if (!path.n || path.s[0] != paths[i].text[0])
			continue;
		name = str_of(paths[i].text);
		if (paths[i].match == WHOLE ? !str_eq(path, name)
					    : !str_starts(path, name))
			continue;
		/* A program run from memory, of which there may be a copy. */
		if (str_starts(path, STR("/memfd:")) && key->build_id.n)
			return;
		to->kind = paths[i].kind;
		if (to->kind == DSO_KERNEL)
			to->name = kernel_name(path);
		if (paths[i].anonymous) {
			buf_fmt(b, "/tmp/perf-%lu.map", (unsigned long)key->pid);
			to->name = buf_view(b);
		}
		return;
	}
	if (str_starts(base, STR("jit-")) && str_ends(base, STR(".dump"))) {
		to->kind = DSO_JIT;
		to->is_jitdump = true;
	} else if (cut_module(path, &name)) {
		to->kind = DSO_MODULE;
		to->name = put_module_name(b, name);
	} else if (path.n > 2 && path.s[0] == '[' && str_ends(path, STR("]"))) {
		to->kind = of_kernel ? DSO_MODULE : DSO_NONE;
	}
}

struct str
dso_path_build_id(struct str id)
{
	static const char zeroes[12];
	enum { FULL = 20, HASH_8 = 8, HASH_16 = 16 };

	if (id.n == FULL && !memcmp(id.s + HASH_8, zeroes, FULL - HASH_8))
		id.n = HASH_8;
	else if (id.n == FULL && !memcmp(id.s + HASH_16, zeroes, FULL - HASH_16))
		id.n = HASH_16;
	return id;
}
