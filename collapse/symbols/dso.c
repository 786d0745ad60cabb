/* SPDX-License-Identifier: ISC */
/* The set of files with code, and what is said of each; see dso.h. */
#include "cfi.h"
#include "debugfile.h"
#include "dso-parts.h"
#include "mem.h"
#include "msg.h"
#include "regular.h"

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
number_of(struct dso_set *set, const struct dso_key *key, const struct dso_naming *n)
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
add_dso(struct dso_set *set, const struct dso_key *key, const struct dso_naming *n)
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
	struct dso_naming naming;
	struct buf path = { 0 }, name = { 0 };
	uint32_t number;
	struct dso *d;

	k.build_id = cut_build_id(k.build_id);
	if (str_starts(k.path, STR("/")) && !str_eq(k.path, STR("//anon")))
		k.path = regular_path(k.path, &path);
	dso_classify(&k, &name, &naming);
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
		d->code = dso_find_code(d);
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
