/* SPDX-License-Identifier: ISC */
/* Processes of a recording; see process.h. perf handles the same records in
 * tools/perf/util/machine.c, thread.c and map.c. */
#include "process.h"
#include "mem.h"

#include <stdio.h>

void
process_init(struct process_set *set, struct dso_set *dsos)
{
	*set = (struct process_set){ .dsos = dsos };
}

/* Releases one use of IMAGE. */
static void
drop_image(struct process_image *image)
{
	if (!image || --image->users)
		return;
	address_space_release(&image->space);
	free(image);
}

/* Frees the things in T, which is empty then. */
static void
release_things(struct idmap *t)
{
	size_t at = 0;
	void *thing;

	while ((thing = idmap_next(t, &at)))
		free(thing);
	idmap_release(t);
}

void
process_release(struct process_set *set)
{
	struct process *p;
	size_t at = 0;

	while ((p = idmap_next(&set->processes, &at)))
		drop_image(p->image);
	release_things(&set->processes);
	release_things(&set->threads);
	address_space_release(&set->kernel.space);
	address_space_release(&set->pieces);
	free(set->build_ids);
	intern_release(&set->comms);
	intern_release(&set->paths);
	intern_release(&set->piece_names);
	arena_release(&set->arena);
	*set = (struct process_set){ 0 };
}

/* The thing with NUMBER, which is its first member; a new one has SIZE bytes, zeroes
 * except for the number. */
static void *
find_or_add(struct idmap *t, uint32_t number, size_t size)
{
	uint64_t *at = idmap_put(t, number, 0);
	void *thing = (void *)(uintptr_t)*at;

	if (!thing) {
		thing = mem_zero(1, size);
		memcpy(thing, &number, sizeof number);
		*at = (uintptr_t)thing;
	}
	return thing;
}

static struct process *
find_process(struct process_set *set, uint32_t pid)
{
	struct process *p = find_or_add(&set->processes, pid, sizeof *p);

	if (!p->image) {
		p->image = mem_zero(1, sizeof *p->image);
		p->image->users = 1;
		p->image->space.version = ++set->version;
	}
	return p;
}

struct process_thread *
process_find(struct process_set *set, uint32_t pid, uint32_t tid)
{
	struct process_thread *t = find_or_add(&set->threads, tid, sizeof *t);

	if (t->process && t->process->pid == pid && t->process->image)
		return t;
	if (t->process && t->process->pid != pid && t->process->live && !t->ended)
		t->process->live--;
	if (!t->process || t->process->pid != pid)
		t->ended = false;
	t->process = find_process(set, pid);
	t->process->live += !t->ended;
	return t;
}

struct str
process_comm(const struct process_set *set, const struct process_thread *t,
	char text[PROCESS_COMM])
{
	if (t->comm)
		return intern_str(&set->comms, t->comm - 1);
	if (!t->tid)
		return STR("swapper");
	snprintf(text, PROCESS_COMM, ":%d", (int)t->tid);
	return str_of(text);
}

void
process_take_comm(struct process_set *set, const struct recording_comm *c)
{
	process_find(set, c->pid, c->tid)->comm = intern_id(&set->comms, c->name) + 1;
}

void
process_take_fork(struct process_set *set, const struct recording_task *t)
{
	struct process_thread *parent, *child;
	struct process_image *image;
	struct process *p;
	uint32_t comm;

	if (t->tid == t->parent_tid)
		return;
	parent = process_find(set, t->parent_pid, t->parent_tid);
	image = parent->process->image;
	comm = parent->comm;
	child = process_find(set, t->pid, t->tid);
	p = child->process;
	/* The number may have belonged to another thread. */
	p->live += child->ended;
	child->ended = false;
	child->comm = comm;
	if (t->pid == t->parent_pid || t->found || p->image == image)
		return;
	drop_image(p->image);
	p->image = image;
	image->users++;
}

void
process_take_exit(struct process_set *set, const struct recording_task *t)
{
	struct process_thread *thread = process_find(set, t->pid, t->tid);
	struct process *p = thread->process, **oldest;

	if (thread->ended)
		return;
	thread->ended = true;
	if (p->live && --p->live)
		return;
	oldest = &set->ended[set->ended_n++ % PROCESS_ENDED];
	if (*oldest && *oldest != p && !(*oldest)->live) {
		drop_image((*oldest)->image);
		(*oldest)->image = NULL;
	}
	*oldest = p;
}

/* The image of P, unshared so that it can be changed. */
static struct process_image *
own_image(struct process_set *set, struct process *p)
{
	struct process_image *shared = p->image, *own;

	if (shared->users > 1) {
		own = mem_zero(1, sizeof *own);
		address_space_copy(&own->space, &shared->space);
		own->users = 1;
		own->jitdump = shared->jitdump;
		drop_image(shared);
		p->image = own;
	}
	p->image->space.version = ++set->version;
	return p->image;
}

void
process_take_build_id(
	struct process_set *set, struct str path, struct str id, bool kernel)
{
	uint32_t at = intern_id(&set->paths, path);

	id = arena_str(&set->arena, id);
	*MEM_AT(set->build_ids, set->build_id_cap, at) = id;
	if (kernel &&
		(str_starts(path, STR("[kernel.")) ||
			str_starts(str_base(path), STR("vmlinux"))))
		set->kernel_id = id;
}

/* The build id of PATH from an earlier record, or nothing. */
static struct str
find_build_id(const struct process_set *set, struct str path)
{
	struct str none = { 0 };
	uint32_t id;

	return intern_find(&set->paths, path, &id) ? set->build_ids[id] : none;
}

static bool
is_one_of(struct str path, const char *const *names)
{
	for (; *names; names++)
		if (str_starts(path, str_of(*names)))
			return true;
	return false;
}

/* The dso key of M. Memory without a file may contain code generated at run time. */
static struct dso_key
key_of(const struct process_set *set, const struct recording_mmap *m)
{
	static const char *const anonymous[] = { "//anon", "/dev/zero", "/anon_hugepage",
		"[heap]", "[stack", "/SYSV", NULL };
	struct dso_key key = { m->path, m->build_id, m->pid };

	if (is_one_of(m->path, anonymous)) {
		key.path = m->executable ? STR("//anon") : STR("[anon]");
		return key;
	}
	if (!key.build_id.n)
		key.build_id = find_build_id(set, m->path);
	return key;
}

/* Whether PATH is a jitdump, in which a runtime describes generated code. */
static bool
is_jitdump(struct str path)
{
	struct str base = str_base(path);

	return str_starts(base, STR("jit-")) && str_ends(base, STR(".dump"));
}

/* Adds a map of the kernel or of a module. */
static void
map_kernel(struct process_set *set, const struct recording_mmap *m, uint64_t end)
{
	/* "[kernel.kallsyms]_text": the symbol at the start. */
	struct str kernel = STR("[kernel.kallsyms]"), path = m->path;
	struct address_space_map map = { .start = m->start, .end = end };
	struct str anchor = { 0 };
	struct dso_key key;

	if (str_starts(path, STR("[guest.")))
		return;
	if (str_starts(path, kernel)) {
		path = kernel;
		anchor = str_from(m->path, kernel.n);
	}
	key = (struct dso_key){ path, m->build_id, 0 };
	if (!key.build_id.n)
		key.build_id = find_build_id(set, path);
	if (str_eq(path, kernel) && key.build_id.n)
		set->kernel_id = arena_str(&set->arena, key.build_id);
	map.dso = dso_get(set->dsos, &key);
	if (dso_kind(map.dso) == DSO_MODULE)
		dso_set_start(map.dso, m->start);
	else if (anchor.n && m->offset)
		dso_set_anchor(set->dsos, anchor, m->offset);
	if (anchor.n)
		set->kernel_tail = (struct address_space_map){
			.start = end, .end = end, .dso = map.dso
		};
	address_space_add(&set->kernel.space, &map);
	set->kernel.space.version = ++set->version;
}

void
process_take_mmap(struct process_set *set, const struct recording_mmap *m)
{
	uint64_t end =
		m->length > UINT64_MAX - m->start ? UINT64_MAX : m->start + m->length;
	struct process_image *image;
	struct address_space_map map;
	struct dso_key key;

	if (m->kernel) {
		map_kernel(set, m, end);
		return;
	}
	key = key_of(set, m);
	map = (struct address_space_map){
		.start = m->start, .end = end, .offset = m->offset
	};
	map.dso = dso_get(set->dsos, &key);
	if (dso_kind(map.dso) == DSO_VDSO)
		map.offset = 0;
	dso_set_mapped(map.dso, m->time);
	image = own_image(set, process_find(set, m->pid, m->tid)->process);
	if (is_jitdump(m->path))
		image->jitdump = map.dso;
	address_space_add(&image->space, &map);
}

void
process_take_ksymbol(struct process_set *set, const struct recording_ksymbol *k)
{
	struct address_space_map piece = { .start = k->address,
		.end = k->address + k->length };

	if (piece.end <= piece.start)
		return;
	address_space_remove(&set->pieces, piece.start, piece.end);
	if (!k->gone) {
		piece.offset = intern_id(&set->piece_names, k->name);
		address_space_add(&set->pieces, &piece);
	}
	set->kernel.space.version = ++set->version;
}

struct str
process_kernel_piece(struct process_set *set, uint64_t address)
{
	const struct address_space_map *m = address_space_find(&set->pieces, address);
	struct str none = { 0 };

	return m ? intern_str(&set->piece_names, (uint32_t)m->offset) : none;
}

const struct address_space_map *
process_kernel_map(struct process_set *set, uint64_t address)
{
	/* The kernel's map ends with its text. Its startup code lies behind, and stays
	 * on the stacks of idle tasks; 64 MiB are enough for it. */
	enum { TAIL = 64 << 20 };
	struct address_space_map *tail = &set->kernel_tail, all = { .end = UINT64_MAX };
	struct dso_key key = { .path = STR("[kernel.kallsyms]") };
	const struct address_space_map *m;

	/* Users who may not see the kernel's addresses record no maps of it. */
	if (!set->kernel.space.root) {
		all.dso = dso_get(set->dsos, &key);
		address_space_add(&set->kernel.space, &all);
	}
	m = address_space_find(&set->kernel.space, address);
	if (m || !tail->dso || address < tail->start || address - tail->start >= TAIL)
		return m;
	tail->end = address + 1;
	return tail;
}
