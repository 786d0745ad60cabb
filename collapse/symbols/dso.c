/* SPDX-License-Identifier: ISC */
/*
 * The set of files with code: what kind each is, where its file is, and what is said of it;
 * see dso.h.
 */
#include "cfi.h"
#include "debugfile.h"
#include "dso-set.h"
#include "mem.h"
#include "msg.h"
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a path of a recording says. */
struct naming {
	enum dso_kind kind;
	struct str name; /* borrowed from the path or from B */
	bool is_jitdump;
};
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

enum match { WHOLE, BEGIN };

/* Paths that are no files, the first that fits. */
static const struct {
	const char *text;
	enum match match;
	enum dso_kind kind;
	bool anonymous; /* is called after the perf map */
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

/* "ext4" of ".../ext4.ko.xz", false for other paths. */
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

/* Names the module NAME as kallsyms do, which know no '-'. */
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

/* "[kernel.kallsyms]" of "[kernel.kallsyms]_text" and of "/proc/kcore". */
static struct str
kernel_name(struct str path)
{
	return path.s[0] == '[' ? str_head(path, str_find(path, ']') + 1)
				: STR("[kernel.kallsyms]");
}

/* Sets *TO to what stands behind KEY; B has room for its name. */
static void
classify(const struct dso_key *key, struct buf *b, struct naming *to)
{
	const struct str path = key->path, base = str_base(path);
	const bool of_kernel = key->pid == 0 || key->pid == UINT32_MAX;
	struct str name;
	size_t i;

	*to = (struct naming){ DSO_FILE, path, false };
	for (i = 0; i < sizeof paths / sizeof *paths; i++) {
		/* Most differ here. */
		if (!path.n || path.s[0] != paths[i].text[0])
			continue;
		name = str_of(paths[i].text);
		if (paths[i].match == WHOLE ? !str_eq(path, name)
					    : !str_starts(path, name))
			continue;
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

/*
 * The file of code of a dso is looked for
 *
 *	among the files that the user names (--elf), by build id, else by name
 *	at its path
 *	in the caches of perf and debuginfod, by build id
 *	below /proc/PID/root, while a process with another root still runs
 *
 * and counts only when it has the recorded build id. A recording without build
 * ids is believed to be of the files that are here now.
 */

#define DELETED STR(" (deleted)")

bool
dso_read_open(int fd, struct buf *b)
{
	enum { STEP = 1 << 16 };
	const size_t most = (size_t)1 << 30;
	ssize_t got;

	buf_clear(b);
	if (fd < 0)
		return false;
	do {
		got = read(fd, buf_room(b, STEP), STEP);
		if (got > 0)
			b->n += (size_t)got;
	} while ((got > 0 && b->n < most) || (got < 0 && errno == EINTR));
	close(fd);
	return got >= 0;
}

bool
dso_read_file(const char *path, struct buf *b)
{
	struct stat st;
	int fd = regular_open(path, &st);

	return dso_read_open(fd, b);
}

/* Whether E is the file that was recorded as D. */
static bool
is_recorded(const struct dso *d, const struct elf *e)
{
	return !d->build_id.n || str_eq(e->build_id, d->build_id);
}

/* The file that the user gives for D. */
static struct elf *
find_users(struct dso *d)
{
	const struct dso_set *set = d->set;
	struct str base = str_base(d->path), name;
	bool only = set->elf_n == 1 && !d->path.n;
	struct elf *e;
	size_t i;

	for (i = 0; i < set->elf_n; i++) {
		e = set->elfs[i];
		if (e && d->build_id.n && str_eq(e->build_id, d->build_id))
			return e;
	}
	for (i = 0; i < set->elf_n; i++) {
		e = set->elfs[i];
		name = str_base(str_of(set->options.elfs->items[i]));
		if (!e || !(only || (base.n && str_eq(name, base))))
			continue;
		if (debugfile_fits(e, d->build_id))
			return e;
		d->why = "is not the file that --elf names (its build id differs)";
	}
	return NULL;
}

/* When the file at PATH was written, or put there with its old time of writing, as
 * packages do; a new hard link to it, as perf's cache makes them, is no change. */
static uint64_t
time_of_change(const char *path)
{
	struct stat st;
	time_t t;

	if (stat(path, &st) < 0)
		return 0;
	t = st.st_nlink == 1 && st.st_ctime > st.st_mtime ? st.st_ctime : st.st_mtime;
	return t > 0 ? (uint64_t)t : 0;
}

/* The file at PATH, when it is the one that was recorded. */
static struct elf *
open_recorded(struct dso *d, struct buf *path)
{
	const char *why = NULL;
	struct elf *e = elf_open(buf_cstr(path), &why);

	if (e && is_recorded(d, e)) {
		d->changed = d->build_id.n ? 0 : time_of_change(buf_cstr(path));
		buf_clear(&d->code_path);
		buf_str(&d->code_path, buf_view(path));
		return e;
	}
	if (e)
		d->why = "is not the file that was recorded (its build id differs)";
	else if (!d->why)
		d->why = why;
	elf_close(e);
	return NULL;
}

/* The file at the path of D, below the root of its process when BELOW. */
static struct elf *
open_path(struct dso *d, bool below)
{
	struct str path = d->path;
	struct buf b = { 0 };
	struct elf *e = NULL;

	if (!path.n || path.s[0] != '/')
		return NULL;
	if (str_ends(path, DELETED)) {
		path = str_head(path, path.n - DELETED.n);
		/* What has its name now is another. */
		if (!d->build_id.n) {
			d->why = "was deleted";
			return NULL;
		}
	}
	if (below)
		buf_fmt(&b, "/proc/%lu/root", (unsigned long)d->pid);
	buf_str(&b, path);
	/* A path cannot have a NUL in it. */
	if (str_find(buf_view(&b), '\0') == b.n)
		e = open_recorded(d, &b);
	buf_release(&b);
	return e;
}

/* The range of our own vdso, from a line of /proc/self/maps. */
static bool
read_vdso_line(struct str line, uint64_t *start, uint64_t *end)
{
	struct str range = str_word(&line), first = str_cut(&range, '-');

	return str_ends(str_trim(line), STR("[vdso]")) && str_hex_to_u64(first, start) &&
		str_hex_to_u64(range, end) && *start < *end;
}

/* The vdso of this process, which all processes of a kernel share; NULL when it
 * cannot be had. */
static struct elf *
copy_own_vdso(void)
{
	enum { SIZE_MOST = 1 << 20 };
	uint64_t start = 0, end = 0;
	struct buf maps = { 0 };
	struct str rest, line;
	const char *why;
	char *block;
	ssize_t got;
	int fd;

	dso_read_file("/proc/self/maps", &maps);
	for (rest = buf_view(&maps); rest.n;) {
		line = str_cut(&rest, '\n');
		if (read_vdso_line(line, &start, &end))
			break;
		start = end = 0;
	}
	buf_release(&maps);
	fd = end - start - 1 < SIZE_MOST ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
					 : -1;
	if (fd < 0)
		return NULL;
	block = mem_alloc((size_t)(end - start));
	got = pread(fd, block, (size_t)(end - start), (off_t)start);
	close(fd);
	if (got > 0)
		return elf_of_block(block, (size_t)got, &why);
	free(block);
	return NULL;
}

/* The image of the vdso: perf's cache has those of other kernels. */
static struct elf *
find_vdso(struct dso *d)
{
	struct buf path = { 0 };
	struct elf *e = NULL;

	if (d->build_id.n &&
		debugfile_perf_cache(&path, STR("[vdso]"), d->build_id, "vdso"))
		e = open_recorded(d, &path);
	buf_release(&path);
	if (e)
		return e;
	e = d->build_id.n || d->set->kernel.local ? copy_own_vdso() : NULL;
	if (e && is_recorded(d, e))
		return e;
	elf_close(e);
	d->why = "is of another kernel";
	return NULL;
}

/* The file of code of D, with d->why when it is not there (dso-file.c). */
static struct elf *
find_code(struct dso *d)
{
	struct elf *e = find_users(d);
	bool foreign = d->pid && dso_is_foreign(d->set, d->pid);

	if (!e && d->kind == DSO_VDSO)
		return find_vdso(d);
	/* Without a build id the path alone says which file it was; on another
	 * machine the process is another too. */
	if (!e && foreign && !d->build_id.n && d->set->kernel.local)
		e = open_path(d, true);
	if (!e)
		e = open_path(d, false);
	if (!e && d->build_id.n)
		e = debugfile_code(d->build_id, &d->code_path);
	if (!e && foreign && d->build_id.n)
		e = open_path(d, true);
	if (e)
		d->why = NULL;
	else if (!d->why)
		d->why = "not found";
	return e;
}

enum { SECOND = 1000000000 };

/* The end of a recording is that of writing, which may be a little after the last record. */
enum { SLACK = 2 };

struct dso_set *
dso_set_new(const struct dso_options *options)
{
	struct dso_set *set = mem_zero(1, sizeof *set);
	const char *why;
	size_t i;

	set->options = *options;
	if (!options->elfs)
		return set;
	set->elf_n = options->elfs->n;
	set->elfs = mem_zero(set->elf_n, sizeof(struct elf *));
	for (i = 0; i < set->elf_n; i++)
		set->elfs[i] = elf_open(options->elfs->items[i], &why);
	return set;
}

static bool
is_users(const struct dso_set *set, const struct elf *e)
{
	size_t i;

	for (i = 0; i < set->elf_n; i++)
		if (e && set->elfs[i] == e)
			return true;
	return false;
}

static void
free_dso(struct dso *d)
{
	cfi_free(d->cfi);
	inlines_free(d->inlines);
	gopclntab_free(d->go);
	symtab_free(d->symbols);
	jitdump_free(d->jitdump);
	elf_close(d->alt);
	elf_close(d->mini);
	if (d->debug != d->code)
		elf_close(d->debug);
	if (!is_users(d->set, d->code))
		elf_close(d->code);
	buf_release(&d->code_path);
	buf_release(&d->debug_path);
	buf_release(&d->map.path);
	buf_release(&d->map.bytes);
	free(d->slots);
}

void
dso_set_free(struct dso_set *set)
{
	size_t i;

	if (!set)
		return;
	for (i = 0; i < set->n; i++)
		free_dso(set->dsos[i]);
	for (i = 0; i < set->elf_n; i++)
		elf_close(set->elfs[i]);
	dso_kernel_release(&set->kernel);
	intern_release(&set->keys);
	intern_release(&set->roots);
	intern_release(&set->plain);
	intern_release(&set->raw);
	buf_release(&set->key);
	arena_release(&set->arena);
	free(set->foreign);
	free(set->shown);
	free(set->frames);
	free(set->elfs);
	free(set->dsos);
	free(set->jitdumps);
	free(set);
}

/* ID without the zeroes that perf fills shorter ones up with, to 20 bytes. */
static struct str
cut_build_id(struct str id)
{
	static const char zeroes[12];
	enum { FULL = 20, HASH_8 = 8, HASH_16 = 16 };

	if (id.n == FULL && !memcmp(id.s + HASH_8, zeroes, FULL - HASH_8))
		id.n = HASH_8;
	else if (id.n == FULL && !memcmp(id.s + HASH_16, zeroes, FULL - HASH_16))
		id.n = HASH_16;
	return id;
}

/* Whether what KEY names is a process's own. */
static bool
is_own(struct dso_set *set, const struct dso_key *key, enum dso_kind kind)
{
	if (kind == DSO_FILE)
		return !key->build_id.n && dso_is_file_foreign(set, key->pid, key->path);
	return kind == DSO_JIT;
}

/* The number of the dso of KEY; what it is said to be is kept as the set's. */
static uint32_t
number_of(struct dso_set *set, const struct dso_key *key, const struct naming *n)
{
	uint32_t about[] = { (uint32_t)n->kind, is_own(set, key, n->kind) ? key->pid : 0,
		(uint32_t)key->build_id.n };
	struct buf *b = &set->key;

	buf_clear(b);
	buf_str(b, (struct str){ (const char *)about, sizeof about });
	buf_str(b, key->build_id);
	buf_str(b, n->name);
	return intern_id(&set->keys, buf_view(b));
}

/* The dso of KEY and N, which has the number of what was added last to the set's keys. */
static struct dso *
add_dso(struct dso_set *set, const struct dso_key *key, const struct naming *n)
{
	struct dso *d = arena_alloc(&set->arena, sizeof *d);
	struct str kept = intern_str(&set->keys, set->keys.n - 1);
	bool same = str_eq(key->path, n->name);

	*d = (struct dso){ .set = set, .kind = n->kind, .is_jitdump = n->is_jitdump };
	d->pid = key->pid;
	d->mapped = UINT64_MAX;
	d->name = str_from(kept, kept.n - n->name.n);
	d->build_id = str_from(
		str_head(kept, kept.n - n->name.n), kept.n - n->name.n - key->build_id.n);
	d->path = same ? d->name : arena_str(&set->arena, key->path);
	set->dsos =
		mem_grow(set->dsos, &set->cap, (size_t)set->n + 1, sizeof(struct dso *));
	set->dsos[set->n++] = d;
	if (d->is_jitdump) {
		set->jitdumps = mem_grow(set->jitdumps, &set->jitdump_cap,
			set->jitdump_n + 1, sizeof(struct dso *));
		set->jitdumps[set->jitdump_n++] = d;
	}
	return d;
}

struct dso *
dso_get(struct dso_set *set, const struct dso_key *key)
{
	struct dso_key k = *key;
	struct naming naming;
	struct buf path = { 0 }, name = { 0 };
	uint32_t number;
	struct dso *d;

	k.build_id = cut_build_id(k.build_id);
	if (str_starts(k.path, STR("/")) && !str_eq(k.path, STR("//anon")))
		k.path = regular_path(k.path, &path);
	classify(&k, &name, &naming);
	number = number_of(set, &k, &naming);
	d = number < set->n ? set->dsos[number] : add_dso(set, &k, &naming);
	/* Of the processes that share a file, one that came late may yet run. */
	if (!d->code_done && k.pid && dso_is_foreign(set, k.pid))
		d->pid = k.pid;
	buf_release(&path);
	buf_release(&name);
	return d;
}

void
dso_set_remote(struct dso_set *set)
{
	set->remote = true;
}

void
dso_set_ended(struct dso_set *set, uint64_t end)
{
	set->ended = end;
}

void
dso_set_kernel(struct dso_set *set, struct str build_id, bool local)
{
	set->kernel.build_id = arena_str(&set->arena, cut_build_id(build_id));
	set->kernel.local = local;
}

void
dso_set_anchor(struct dso_set *set, struct str symbol, uint64_t address)
{
	set->kernel.anchor = arena_str(&set->arena, symbol);
	set->kernel.anchor_address = address;
}

void
dso_set_start(struct dso *d, uint64_t start)
{
	d->start = start;
}

enum dso_kind
dso_kind(const struct dso *d)
{
	return d->kind;
}

struct str
dso_name(const struct dso *d)
{
	return d->name;
}

struct elf *
dso_code(struct dso *d)
{
	if (!d->code_done && (d->kind == DSO_FILE || d->kind == DSO_VDSO))
		d->code = find_code(d);
	d->code_done = true;
	return d->code;
}

bool
dso_address(struct dso *d, uint64_t offset, uint64_t *address)
{
	struct elf *e;

	if (d->kind == DSO_FILE || d->kind == DSO_VDSO) {
		e = dso_code(d);
		return e && elf_address(e, offset, address);
	}
	*address = offset + d->start;
	return true;
}

/* By how often they were asked, then by name. */
static int
compare_asked(const void *a, const void *b)
{
	const struct dso *x = *(struct dso *const *)a, *y = *(struct dso *const *)b;

	if (x->asked != y->asked)
		return x->asked < y->asked ? 1 : -1;
	return str_cmp(x->name, y->name);
}

/* Warns when a file of D was truncated while it was read. */
static void
tell_cut(const struct dso *d)
{
	if ((d->code && elf_was_cut(d->code)) || (d->debug && elf_was_cut(d->debug)))
		msg_warn("%.*s: was truncated while it was read: names in it may be "
			 "missing or wrong",
			(int)d->path.n, d->path.s);
}

/* Whether a name in D was asked for, or a file of it opened. */
static bool
was_used(const struct dso *d)
{
	return d->asked || d->code || d->debug;
}

/* Those of SET that were used, *N, the ones asked most often first; the caller frees the
 * result. */
static struct dso **
sort_asked(const struct dso_set *set, size_t *n)
{
	struct dso **sorted = mem_resize(NULL, set->n, sizeof(struct dso *));
	size_t i;

	for (i = *n = 0; i < set->n; i++)
		if (was_used(set->dsos[i]))
			sorted[(*n)++] = set->dsos[i];
	qsort(sorted, *n, sizeof(struct dso *), compare_asked);
	return sorted;
}

void
dso_set_mapped(struct dso *d, uint64_t time)
{
	if (time < d->mapped)
		d->mapped = time;
}

/* When D was mapped, or when the recording began if it was there before, in seconds since 1970. */
static uint64_t
time_of_mapping(const struct dso *d, const struct dso_clock *c)
{
	uint64_t since = d->mapped > c->first ? d->mapped : c->first, ago;

	ago = c->last > since ? (c->last - since) / SECOND : 0;
	return c->end > ago ? c->end - ago : 0;
}

/* Whether D was changed after it was mapped. */
static bool
has_changed(const struct dso *d, const struct dso_clock *c)
{
	uint64_t mapped = time_of_mapping(d, c);

	return d->kind != DSO_JIT && d->asked && d->changed && mapped &&
		d->changed > mapped + SLACK;
}

void
dso_changes(
	struct dso_set *set, const struct dso_clock *clock, dso_say *say, void *context)
{
	size_t n, i;
	struct dso **sorted = sort_asked(set, &n);

	for (i = 0; i < n; i++)
		if (has_changed(sorted[i], clock))
			say(context, sorted[i]->name, sorted[i]->asked, "was changed");
	free(sorted);
}

/* When D was mapped if this machine was not started again since: a copy of a recording ended
 * earlier than its file says. 0 when the clock of the recording does not say it. */
static uint64_t
time_since_start(const struct dso *d, const struct dso_clock *c)
{
	uint64_t start = c->since_start ? dso_machine_start() : 0;

	return start ? start + d->mapped / SECOND : 0;
}

/* Why the names of D may be those of another process, NULL when they are not. */
static const char *
find_doubt(const struct dso *d, const struct dso_clock *c)
{
	uint64_t start = dso_process_start(d->pid);
	bool known = d->mapped && d->mapped != UINT64_MAX;

	if (d->kind != DSO_JIT || !d->answered || !d->changed)
		return NULL;
	if (d->changed > c->end + SLACK && (!start || dso_is_another(d->set, start)))
		return "was written after the recording";
	if (known && d->changed + SLACK < time_of_mapping(d, c) &&
		d->changed + SLACK < time_since_start(d, c))
		return "was written before its process made code";
	return NULL;
}

void
dso_doubts(
	struct dso_set *set, const struct dso_clock *clock, dso_say *say, void *context)
{
	size_t n, i;
	struct dso **sorted = sort_asked(set, &n);
	const char *why;

	for (i = 0; i < n; i++) {
		why = find_doubt(sorted[i], clock);
		if (why)
			say(context, buf_view(&sorted[i]->map.path), sorted[i]->asked,
				why);
	}
	free(sorted);
}

void
dso_trouble(struct dso_set *set, dso_say *say, void *context)
{
	size_t n, i;
	struct dso **sorted = sort_asked(set, &n);
	const struct dso *d;

	for (i = 0; i < n; i++) {
		d = sorted[i];
		tell_cut(d);
		if (d->asked && !d->answered && d->kind != DSO_NONE)
			say(context, d->name, d->asked,
				d->why ? d->why : "no symbols there");
	}
	free(sorted);
}
