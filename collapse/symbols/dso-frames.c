/* SPDX-License-Identifier: ISC */
/*
 * Names of the frames at an address, and the parts of a file that they come from;
 * see dso.h. What was found is kept by address, names by what the file calls them,
 * so that each is demangled once.
 */
#include "cfi.h"
#include "debugfile.h"
#include "demangle.h"
#include "dso-set.h"
#include "mem.h"
#include "msg.h"
#include "perfmap.h"
#include "regular.h"

#include <errno.h>
#include <unistd.h>

/*
 * Names of code made at run time. Runtimes write them to
 * /tmp/perf-PID.map, by the number that they have in their own container, or to
 * a jitdump, which they map so that the recording knows its path. While they run
 * more may come, so an address without a name makes us look again, ever more
 * seldom.
 */

const char dso_no_map[] =
	"the runtime wrote no perf map (/tmp/perf-PID.map) or it is gone";

static const char ALIEN[] =
	"a file of another user, or a link, has its names: check it and "
	"say --perf-maps";

/* Whether the owner of ST may name the code of process PID: root, whoever runs us, or
 * whoever runs the process. In /tmp anybody may write the map of any process. */
static bool
is_trusted(const struct stat *st, uint32_t pid)
{
	struct stat process;
	char path[64];

	if (!st->st_uid || st->st_uid == geteuid())
		return true;
	snprintf(path, sizeof path, "/proc/%lu", (unsigned long)pid);
	return stat(path, &process) == 0 && process.st_uid == st->st_uid;
}

static uint64_t
time_of_writing(const struct stat *st)
{
	return st->st_mtime > 0 ? (uint64_t)st->st_mtime : 0;
}

/* Why the file of ST is not to name the code of D; NULL when it may. */
static const char *
find_doubt(const struct dso *d, const struct stat *st)
{
	uint64_t start = dso_process_start(d->pid);
	bool another = dso_is_another(d->set, start);

	if (another && time_of_writing(st) >= start)
		return "a later process with its number wrote the file that is here";
	return is_trusted(st, another ? 0 : d->pid) ? NULL : ALIEN;
}

/* Opens PATH, which is to name the code of D; -1 when there is none to be believed. */
static int
open_map(struct dso *d, const char *path)
{
	bool any = d->set->options.any_maps;
	const char *doubt = NULL;
	struct stat st;
	int fd = any ? regular_open(path, &st) : regular_open_itself(path, &st);

	if (fd < 0) {
		if (errno == EPERM || errno == ELOOP)
			d->why = ALIEN;
		return -1;
	}
	doubt = any ? NULL : find_doubt(d, &st);
	d->changed = any ? 0 : time_of_writing(&st);
	if (!doubt)
		return fd;
	d->why = doubt;
	close(fd);
	return -1;
}

/* Puts the content of PATH into D; false when there is none. */
static bool
read_map(struct dso *d, const char *path)
{
	if (!dso_read_open(open_map(d, path), &d->map.bytes) || !d->map.bytes.n)
		return false;
	buf_clear(&d->map.path);
	buf_str(&d->map.path, str_of(path));
	return true;
}

/* Finds and reads the perf map of process D->pid. */
static bool
find_map(struct dso *d)
{
	char own[64], theirs[96];
	unsigned long pid = d->pid, inner = dso_inner_pid(d->set, d->pid);
	bool gone = dso_is_another(d->set, dso_process_start(d->pid)), foreign;

	snprintf(own, sizeof own, "/tmp/perf-%lu.map", pid);
	snprintf(theirs, sizeof theirs, "/proc/%lu/root/tmp/perf-%lu.map", pid, inner);
	foreign = inner != pid || dso_is_foreign(d->set, d->pid);
	if (foreign && read_map(d, theirs))
		return true;
	return read_map(d, own) || (!foreign && !gone && read_map(d, theirs));
}

/* Reads the jitdump of D, maybe below the root of its process. */
static bool
find_jitdump(struct dso *d)
{
	struct buf path = { 0 };
	bool found;

	buf_fmt(&path, "/proc/%lu/root", (unsigned long)d->pid);
	buf_str(&path, d->path);
	found = str_find(d->path, '\0') == d->path.n &&
		((dso_is_foreign(d->set, d->pid) && read_map(d, buf_cstr(&path))) ||
			read_map(d, buf_cstr(&path) + path.n - d->path.n));
	buf_release(&path);
	return found;
}

/* The number in "/tmp/perf-123.map". */
static bool
path_pid(struct str path, uint64_t *pid)
{
	struct str base = str_base(path), head = STR("perf-"), tail = STR(".map");

	return str_starts(base, head) && str_ends(base, tail) &&
		str_to_u64(
			str_head(str_from(base, head.n), base.n - head.n - tail.n), pid);
}

/* Reads what D has now, in place of what it had. */
static void
load(struct dso *d)
{
	uint64_t pid;
	size_t bad = 0;
	bool found;

	symtab_free(d->symbols);
	jitdump_free(d->jitdump);
	d->symbols = NULL;
	d->jitdump = NULL;
	if (!d->pid && path_pid(d->path, &pid) && pid <= UINT32_MAX)
		d->pid = (uint32_t)pid;
	d->why = d->is_jitdump ? "its jitdump is not here" : dso_no_map;
	if (d->set->remote && !d->set->options.any_maps) {
		d->why = "recorded on another machine: copy its perf maps and jitdumps "
			 "here and say --perf-maps";
		return;
	}
	found = d->is_jitdump ? find_jitdump(d) : find_map(d);
	d->why = found ? NULL : d->why;
	if (found && d->is_jitdump)
		d->jitdump = jitdump_parse(buf_view(&d->map.bytes), &bad);
	else if (found)
		d->symbols = perfmap_parse(buf_view(&d->map.bytes), &bad);
}

/* Whether the file of D has another size than when it was read. */
static bool
has_changed(struct dso *d)
{
	struct stat st;

	return !d->map.path.n || stat(buf_cstr(&d->map.path), &st) < 0 ||
		(uint64_t)st.st_size != d->map.bytes.n;
}

/* The code at ADDRESS in what was read of D. */
static bool
look(struct dso *d, uint64_t address, uint64_t time, struct dso_made *m)
{
	const struct symtab_symbol *s;
	struct jitdump_code code;

	if (d->jitdump && jitdump_find(d->jitdump, address, time, &code)) {
		*m = (struct dso_made){ code.name, code.start, code.end, code.frames,
			code.swap, false };
		return true;
	}
	s = d->symbols ? symtab_find(d->symbols, address) : NULL;
	if (s)
		*m = (struct dso_made){ .name = s->name,
			.start = s->start,
			.end = s->start + s->size,
			.lasts = true };
	return s != NULL;
}

void
dso_refresh(struct dso *d)
{
	if (!d->refreshed && d->symbols_done && has_changed(d))
		load(d);
	d->refreshed = true;
}

static bool
find_made(struct dso *d, uint64_t address, uint64_t time, struct dso_made *m)
{
	if (!d->symbols_done)
		load(d);
	d->symbols_done = true;
	if (look(d, address, time, m))
		return true;
	d->missed++;
	/* At each power of two. */
	if (d->missed & (d->missed - 1) || !has_changed(d))
		return false;
	load(d);
	return look(d, address, time, m);
}

/* The jitdump of the process of D, NULL when it mapped none. */
static struct dso *
find_sister(const struct dso *d)
{
	size_t i;

	for (i = d->set->jitdump_n; i > 0; i--)
		if (d->set->jitdumps[i - 1]->pid == d->pid)
			return d->set->jitdumps[i - 1];
	return NULL;
}

bool
dso_find_made(struct dso *d, uint64_t address, uint64_t time, struct dso_made *m)
{
	struct dso *sister = d->is_jitdump ? d : find_sister(d);

	return (sister && find_made(sister, address, time, m)) ||
		(sister != d && find_made(d, address, time, m));
}

enum { FRAMES_MOST = 64 };

struct elf *
dso_debug(struct dso *d)
{
	struct elf *code = dso_code(d);

	if (!d->debug_done) {
		d->debug_done = true;
		if (code && debugfile_has_dwarf(code)) {
			d->debug = code;
			buf_str(&d->debug_path, buf_view(&d->code_path));
		} else if (d->kind == DSO_FILE || d->kind == DSO_VDSO) {
			d->debug = debugfile_find(code,
				d->code_path.n ? buf_cstr(&d->code_path) : NULL,
				d->build_id, &d->debug_path);
		}
	}
	return d->debug && debugfile_has_dwarf(d->debug) ? d->debug : NULL;
}

struct cfi *
dso_cfi(struct dso *d)
{
	struct elf *code = dso_code(d);

	if (!d->cfi_done && code)
		d->cfi = cfi_new(code, dso_debug(d));
	d->cfi_done = true;
	return d->cfi;
}

/* Says what of the debug information of D cannot be read. */
static void
tell_inlines(const struct dso *d)
{
	size_t split = d->inlines ? inlines_split(d->inlines) : 0;
	size_t bad = d->inlines ? inlines_bad(d->inlines) : 0;

	if (split)
		msg_warn("%.*s: %zu unit%s with debug information in split files "
			 "(.dwo), which are not read: no inlined functions there",
			(int)d->path.n, d->path.s, split, msg_s(split));
	if (bad)
		msg_warn("%.*s: %zu unit%s of debug information cannot be read",
			(int)d->path.n, d->path.s, bad, msg_s(bad));
}

static struct inlines *
file_inlines(struct dso *d)
{
	struct elf *debug;

	if (!d->inlines_done) {
		d->inlines_done = true;
		debug = dso_debug(d);
		if (debug) {
			d->alt = debugfile_alt(
				debug, d->debug_path.n ? buf_cstr(&d->debug_path) : NULL);
			d->inlines = inlines_new(debug, d->alt);
			tell_inlines(d);
		} else if (dso_code(d)) {
			d->go = gopclntab_new(dso_code(d));
		}
	}
	return d->inlines;
}

/* The symbols of D: those of the file, else of the one with its debug
 * information, else the dynamic ones, those that are packed into it, and those of
 * Go's own table. */
static struct symtab *
file_symbols(struct dso *d)
{
	struct elf *code = dso_code(d);
	bool whole;

	if (d->symbols_done)
		return d->symbols;
	d->symbols_done = true;
	whole = code && debugfile_has_symbols(code);
	d->symbols = symtab_new();
	if (!whole)
		(void)dso_debug(d);
	if (!whole && d->debug && debugfile_has_symbols(d->debug))
		symtab_add_elf(d->symbols, d->debug);
	else if (code)
		symtab_add_elf(d->symbols, code);
	if (code && !whole && !d->debug)
		d->mini = debugfile_mini(code);
	if (d->mini)
		symtab_add_elf(d->symbols, d->mini);
	if (!whole && !d->debug)
		(void)file_inlines(d);
	if (!whole && d->go)
		gopclntab_add(d->go, d->symbols);
	if (code)
		symtab_add_plt(d->symbols, code);
	symtab_seal(d->symbols, SYMTAB_BEST, true);
	return d->symbols;
}

/* NAME for people. */
static struct str
show(struct dso_set *set, struct str name)
{
	uint32_t was = set->raw.n, id = intern_id(&set->raw, name);
	struct buf b = { 0 };

	if (id < was)
		return set->shown[id];
	set->shown =
		mem_grow(set->shown, &set->shown_cap, (size_t)id + 1, sizeof *set->shown);
	if (!demangle_works() && !set->told_mangled &&
		(str_starts(name, STR("_Z")) || str_starts(name, STR("_R")))) {
		set->told_mangled = true;
		msg_warn("this build cannot demangle (it had no libiberty): names of "
			 "C++ and Rust stay as they are");
	}
	if (demangle(&b, name, set->options.full_names))
		set->shown[id] = arena_str(&set->arena, buf_view(&b));
	else
		set->shown[id] = intern_str(&set->raw, id);
	buf_release(&b);
	return set->shown[id];
}

static void
push(struct dso_set *set, struct str name, bool inlined)
{
	set->frames = mem_grow(
		set->frames, &set->frame_cap, set->frame_n + 1, sizeof *set->frames);
	set->frames[set->frame_n++] = (struct dso_frame){ name, inlined };
}

static bool
has_inlines(struct dso *d)
{
	return file_inlines(d) || d->go;
}

/* Adds the frames at ADDRESS of a file. The function itself is called as in the
 * symbol table, as perf does, which knows suffixes that DWARF does not. */
static void
push_file(struct dso *d, uint64_t address, bool inlines)
{
	struct inlines_frame found[FRAMES_MOST];
	const struct symtab_symbol *s = symtab_find(file_symbols(d), address);
	struct inlines *x = inlines ? file_inlines(d) : NULL;
	size_t n = 0, i;

	if (x)
		n = inlines_find(x, address, found, FRAMES_MOST);
	else if (inlines && d->go)
		n = gopclntab_find(d->go, address, found, FRAMES_MOST);

	for (i = 0; i < n && found[i].inlined; i++)
		push(d->set, show(d->set, found[i].name), true);
	if (s)
		push(d->set, show(d->set, s->name), false);
	else if (i < n && found[i].name.n)
		push(d->set, show(d->set, found[i].name), false);
}

/* Adds the frame of JIT code; true when it is so at all times. perf demangles what
 * a jitdump has, which it makes files of, but no perf map. */
static bool
push_jit(struct dso *d, uint64_t address, uint64_t time)
{
	struct intern *plain = &d->set->plain;
	struct dso_made made;

	if (!dso_find_made(d, address, time, &made))
		return false;
	if (made.lasts)
		push(d->set, intern_str(plain, intern_id(plain, made.name)), false);
	else
		push(d->set, show(d->set, made.name), false);
	return made.lasts;
}

/* Adds the frames at ADDRESS; false when they may be others another time. */
static bool
push_frames(struct dso *d, uint64_t address, uint64_t time, bool inlines)
{
	struct str name;

	switch (d->kind) {
	case DSO_FILE:
	case DSO_VDSO: push_file(d, address, inlines); return true;
	case DSO_KERNEL:
	case DSO_MODULE:
		if (dso_kernel_name(d, address, &name))
			push(d->set, show(d->set, name), false);
		return true;
	case DSO_JIT: return push_jit(d, address, time);
	case DSO_NONE: return true;
	}
	return true;
}

/* The frame of the function at ADDRESS of a file, NULL when it has no name. A
 * symbol is noted the first time, so that it is shown once. */
static const struct dso_frame *
find_function(struct dso *d, uint64_t address)
{
	struct dso_set *set = d->set;
	struct symtab_symbol *s = symtab_find(file_symbols(d), address);

	if (!s)
		return NULL;
	if (!s->note) {
		push(set, show(set, s->name), false);
		s->note = (uint32_t)set->frame_n;
	}
	return &set->frames[s->note - 1];
}

/* The slot of ADDRESS in a table that has room. */
static struct dso_slot *
find_slot(const struct dso *d, uint64_t address, bool inlines)
{
	uint64_t hash = (address * 2 + inlines) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(hash >> 32) & (d->slot_cap - 1);

	while (d->slots[i].used &&
		(d->slots[i].address != address || d->slots[i].inlines != inlines))
		i = (i + 1) & (d->slot_cap - 1);
	return &d->slots[i];
}

/* Makes room for one more slot. */
static void
make_room(struct dso *d)
{
	enum { LEAST = 64 };
	struct dso_slot *was = d->slots;
	size_t n = d->slot_cap, i;

	if (d->slot_n < n / 2)
		return;
	d->slot_cap = n ? n * 2 : LEAST;
	d->slots = mem_zero(d->slot_cap, sizeof *d->slots);
	for (i = 0; i < n; i++)
		if (was[i].used)
			*find_slot(d, was[i].address, was[i].inlines) = was[i];
	free(was);
}

size_t
dso_frames(struct dso *d, uint64_t address, uint64_t time, bool inlines,
	const struct dso_frame **frames)
{
	struct dso_set *set = d->set;
	struct dso_slot *slot;
	bool file = d->kind == DSO_FILE || d->kind == DSO_VDSO;
	size_t first = set->frame_n, n;

	inlines = inlines && set->options.inlines && file && has_inlines(d);
	d->asked++;
	if (!inlines && file && first < UINT32_MAX) {
		*frames = find_function(d, address);
		d->answered |= *frames != NULL;
		return *frames != NULL;
	}
	make_room(d);
	slot = find_slot(d, address, inlines);
	if (slot->used) {
		*frames = slot->n ? set->frames + slot->first : NULL;
		return slot->n;
	}
	if (push_frames(d, address, time, inlines) && first <= UINT32_MAX) {
		*slot = (struct dso_slot){ address, (uint32_t)first,
			(uint16_t)(set->frame_n - first), true, inlines };
		d->slot_n++;
	}
	n = set->frame_n - first;
	d->answered |= n > 0;
	*frames = n ? set->frames + first : NULL;
	if (!slot->used)
		set->frame_n = first;
	return n;
}
