/* SPDX-License-Identifier: ISC */
/*
 * Files with code, and the set of them; see dso.h: the kind of a file, the parts that
 * supply names, the frames at an address, and reports on files without names.
 *
 * Results are cached by address, and names by their mangled form, so that each is
 * demangled once.
 */
#include "dso.h"
#include "arena.h"
#include "cfi.h"
#include "debugfile.h"
#include "frame-texts.h"
#include "frame.h"
#include "given-elfs.h"
#include "gopclntab.h"
#include "inlines.h"
#include "intern.h"
#include "kernel.h"
#include "mem.h"
#include "msg.h"
#include "procfs.h"
#include "regular.h"
#include "relocate.h"
#include "idmap.h"
#include "symtab.h"

struct dso {
	struct dso_set *set;
	enum dso_kind kind;
	struct str path, name, build_id;
	uint32_t pid;
	uint64_t start;	 /* of a module; 0: unknown */
	const char *why; /* reason why there is no name, or NULL */
	uint64_t mapped; /* first, ns of the recording's clock; 0: unknown, earlier */
	/* When its file was last written, seconds since 1970; 0: unknown, or the right
	 * file. */
	uint64_t changed;
	uint64_t asked;
	bool answered;

	/* Each part is searched for once. */
	bool code_done, debug_done, fetch_done, inlines_done, symbols_done, cfi_done;
	struct elf *code, *debug; /* debug may be code */
	struct elf *sparse;	  /* debug, before one with DWARF was fetched */
	struct elf *mini, *alt;
	struct elf *module; /* the file of a module, which may be debug */
	struct buf code_path, debug_path;
	struct symtab *symbols;
	struct inlines *inlines;
	struct gopclntab *go; /* NULL: missing, or not needed */
	struct cfi *cfi;

	struct str program; /* its name in codes; empty: not used yet */
	bool shown;	    /* its frames have places or code */

	struct jit jit; /* of generated code */

	struct idmap known; /* address and requested parts to FIRST << 16 | N: the
	                     * results are set->frames[FIRST, FIRST + N) */
};

struct dso_set {
	struct dso_options options;
	struct arena arena;
	struct intern keys; /* one per dso */
	struct buf key;	    /* the current one */
	struct dso **dsos;
	size_t n, cap;
	struct dso **jitdumps; /* the jitdumps among them */
	size_t jitdump_n, jitdump_cap;
	struct procfs processes;
	struct frame_texts texts;
	struct dso_frame *frames;
	size_t frame_n, frame_cap;
	struct kernel kernel;
	struct given_elfs given; /* options.elfs */
	bool unplaced, placed;	 /* lines were requested, and found */
};

/* Finds the file of code of D: the one that the user gives, otherwise the recorded one.
 * Sets d->why if it is missing. */
static struct elf *
find_code(struct dso *d)
{
	struct elf *e = given_elfs_find(&d->set->given, d->path, d->build_id, &d->why);
	bool foreign = d->pid && procfs_is_foreign(&d->set->processes, d->pid);
	struct debugfile_code w = { .path = d->path,
		.build_id = d->build_id,
		.root = foreign ? d->pid : 0,
		.local = d->set->kernel.local,
		.found = &d->code_path,
		.servers = d->set->options.servers,
		.why = d->why };

	if (e) {
		d->why = NULL;
		return e;
	}
	e = d->kind == DSO_VDSO ? debugfile_find_vdso(&w) : debugfile_find_code(&w);
	d->why = w.why;
	d->changed = w.changed;
	return e;
}

enum { SECOND = 1000000000 };

/* Seconds by which the end of writing may follow the last record. */
enum { SLACK = 2 };

struct dso_set *
dso_set_new(const struct dso_options *options)
{
	struct dso_set *set = mem_zero(1, sizeof *set);

	set->options = *options;
	set->texts.full = options->full_names;
	given_elfs_init(&set->given, options->elfs);
	set->kernel = (struct kernel){ .given_list = options->kallsyms,
		.given_elf = options->vmlinux,
		.given = &set->given,
		.servers = options->servers,
		.places = options->lines || options->codes };
	return set;
}

static void
free_dso(struct dso *d)
{
	cfi_free(d->cfi);
	inlines_free(d->inlines);
	gopclntab_free(d->go);
	symtab_free(d->symbols);
	jit_release(&d->jit);
	elf_close(d->alt);
	elf_close(d->mini);
	elf_close(d->sparse);
	if (d->module != d->debug)
		elf_close(d->module);
	if (d->debug != d->code && d->kind != DSO_KERNEL)
		elf_close(d->debug);
	if (!given_elfs_has(&d->set->given, d->code))
		elf_close(d->code);
	buf_release(&d->code_path);
	buf_release(&d->debug_path);
	idmap_release(&d->known);
}

void
dso_set_free(struct dso_set *set)
{
	size_t i;

	if (!set)
		return;
	for (i = 0; i < set->n; i++)
		free_dso(set->dsos[i]);
	kernel_release(&set->kernel);
	given_elfs_release(&set->given);
	procfs_release(&set->processes);
	intern_release(&set->keys);
	frame_texts_release(&set->texts);
	buf_release(&set->key);
	arena_release(&set->arena);
	free(set->frames);
	free(set->dsos);
	free(set->jitdumps);
	free(set);
}

/* Whether KEY belongs to one process. */
static bool
is_own(struct dso_set *set, const struct dso_key *key, enum dso_kind kind)
{
	if (kind == DSO_FILE)
		return !key->build_id.n &&
			procfs_is_file_foreign(&set->processes, key->pid, key->path);
	return kind == DSO_JIT;
}

/* The number of the dso of KEY. The set keeps a copy of its name. */
static uint32_t
number_of(struct dso_set *set, const struct dso_key *key, const struct dso_path *n)
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

/* Adds the dso of KEY and N, whose key is the last one added to the set. */
static struct dso *
add_dso(struct dso_set *set, const struct dso_key *key, const struct dso_path *n)
{
	struct dso *d = arena_alloc(&set->arena, sizeof *d);
	struct str kept = intern_str(&set->keys, set->keys.n - 1);
	bool same = str_eq(key->path, n->name);

	*d = (struct dso){ .set = set, .kind = n->kind };
	d->pid = key->pid;
	d->mapped = UINT64_MAX;
	d->name = str_from(kept, kept.n - n->name.n);
	d->build_id = str_from(
		str_head(kept, kept.n - n->name.n), kept.n - n->name.n - key->build_id.n);
	d->path = same ? d->name : arena_str(&set->arena, key->path);
	set->dsos =
		mem_grow(set->dsos, &set->cap, (size_t)set->n + 1, sizeof(struct dso *));
	set->dsos[set->n++] = d;
	d->jit = (struct jit){ .processes = &set->processes,
		.pid = d->pid,
		.path = d->path,
		.is_jitdump = n->is_jitdump,
		.any = set->options.any_maps };
	if (n->is_jitdump) {
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
	struct dso_path naming;
	struct buf path = { 0 }, name = { 0 };
	uint32_t number;
	struct dso *d;

	k.build_id = dso_path_build_id(k.build_id);
	if (str_starts(k.path, STR("/")) && !str_eq(k.path, STR("//anon")))
		k.path = regular_path(k.path, &path);
	dso_path_read(&naming, &k, &name);
	number = number_of(set, &k, &naming);
	d = number < set->n ? set->dsos[number] : add_dso(set, &k, &naming);
	/* A file is shared by processes: one that came late may still run. */
	if (!d->code_done && k.pid && procfs_is_foreign(&set->processes, k.pid))
		d->pid = k.pid;
	buf_release(&path);
	buf_release(&name);
	return d;
}

void
dso_set_remote(struct dso_set *set)
{
	set->processes.remote = true;
}

void
dso_set_ended(struct dso_set *set, uint64_t end)
{
	set->processes.ended = end;
}

void
dso_set_kernel(struct dso_set *set, struct str build_id, bool local)
{
	set->kernel.build_id = arena_str(&set->arena, dso_path_build_id(build_id));
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
	if (d->code_done)
		return d->code;
	if (d->kind == DSO_FILE || d->kind == DSO_VDSO)
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

/* Opens the file of D, a module: only if it is certainly the recorded one. */
static struct elf *
open_module(struct dso *d)
{
	const struct kernel_module m = { d->name, d->path, d->build_id };
	struct kernel *k = &d->set->kernel;
	const char *why;

	if (!d->start || (!d->build_id.n && !k->local))
		return NULL;
	(void)kernel_find_in_module(k, d->start);
	return kernel_open_module(k, &m, &d->code_path, &why);
}

/* Finds the debug information of D. */
static void
find_debug(struct dso *d)
{
	struct elf *code;

	if (d->kind == DSO_KERNEL) {
		d->debug = kernel_vmlinux(&d->set->kernel);
		buf_str(&d->debug_path, buf_view(&d->set->kernel.elf_path));
		return;
	}
	if (d->kind == DSO_MODULE)
		d->module = open_module(d);
	code = d->kind == DSO_MODULE ? d->module : dso_code(d);
	if (code && debugfile_has_dwarf(code)) {
		d->debug = code;
		buf_str(&d->debug_path, buf_view(&d->code_path));
	} else if (code || d->kind != DSO_MODULE || (d->start && d->build_id.n)) {
		d->debug = debugfile_find(code,
			d->code_path.n ? buf_cstr(&d->code_path) : NULL, d->build_id,
			&d->debug_path);
	}
}

struct elf *
dso_debug(struct dso *d)
{
	if (!d->debug_done && d->kind != DSO_JIT && d->kind != DSO_NONE)
		find_debug(d);
	d->debug_done = true;
	return d->debug && debugfile_has_dwarf(d->debug) ? d->debug : NULL;
}

/* Asks servers, once, for the debug information of D, whose file is here: if names or
 * lines are missing without it. */
static void
fetch_debug(struct dso *d)
{
	struct buf path = { 0 };
	struct elf *e;

	if (d->fetch_done || d->kind != DSO_FILE || !dso_code(d) || dso_debug(d))
		return;
	d->fetch_done = true;
	e = debugfile_fetch(d->set->options.servers, d->code, d->build_id, &path);
	if (e && (!d->debug || debugfile_has_dwarf(e))) {
		d->sparse = d->debug;
		d->debug = e;
		buf_clear(&d->debug_path);
		buf_str(&d->debug_path, buf_view(&path));
	} else {
		elf_close(e);
	}
	buf_release(&path);
}

struct cfi *
dso_cfi(struct dso *d)
{
	struct elf *code = dso_code(d);

	/* Such as musl's libc. */
	if (!d->cfi_done && code && !elf_section(code, ".eh_frame"))
		fetch_debug(d);
	if (!d->cfi_done && code)
		d->cfi = cfi_new(code, dso_debug(d));
	d->cfi_done = true;
	return d->cfi;
}

/* Warns about unreadable debug information of D. */
static void
warn_inlines(const struct dso *d)
{
	struct str first = { 0 };
	size_t split = d->inlines ? inlines_missing(d->inlines, &first) : 0;
	size_t bad = d->inlines ? inlines_bad(d->inlines) : 0;

	if (split)
		msg_warn("%.*s: split debug information not found for %zu unit%s "
			 "(%.*s): inlined functions are missing",
			STR_ARG(d->path), split, msg_s(split), STR_ARG(first));
	if (bad)
		msg_warn("%.*s: %zu unit%s of debug information cannot be read",
			(int)d->path.n, d->path.s, bad, msg_s(bad));
}

/* Adds the places of D's split debug information: beside its files, and among the
 * user's. */
static void
look_beside(struct dso *d)
{
	const struct dso_set *set = d->set;
	struct elf *e;
	size_t i;

	if (d->debug_path.n)
		inlines_beside(d->inlines, buf_cstr(&d->debug_path));
	if (d->debug != d->code && d->code_path.n)
		inlines_beside(d->inlines, buf_cstr(&d->code_path));
	for (i = 0; (e = given_elfs_split(&set->given, &i));)
		inlines_add_split(d->inlines, e);
}

/* Finds Go's table of functions. */
static void
find_go(struct dso *d)
{
	if (!d->go && d->kind != DSO_MODULE && dso_code(d))
		d->go = gopclntab_new(dso_code(d));
}

static struct inlines *
file_inlines(struct dso *d)
{
	struct elf *debug;

	if (!d->inlines_done) {
		d->inlines_done = true;
		fetch_debug(d);
		debug = dso_debug(d);
		if (debug) {
			d->alt = debugfile_alt(debug,
				d->debug_path.n ? buf_cstr(&d->debug_path) : NULL,
				d->set->options.servers);
			d->inlines = inlines_new(debug, d->alt);
			if (d->inlines)
				look_beside(d);
		} else {
			find_go(d);
		}
	}
	return d->inlines;
}

/* The symbols of D: from the file, otherwise from its debug information, otherwise its
 * dynamic ones, its compressed ones, and Go's own table. */
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
	if (code && !whole && !d->debug)
		d->mini = debugfile_mini(code);
	if (!whole && !d->mini && !(d->debug && debugfile_has_symbols(d->debug)))
		fetch_debug(d);
	if (!whole && d->debug && debugfile_has_symbols(d->debug))
		symtab_add_elf(d->symbols, d->debug);
	else if (code)
		symtab_add_elf(d->symbols, code);
	if (d->mini)
		symtab_add_elf(d->symbols, d->mini);
	if (!whole && !d->debug)
		find_go(d);
	if (!whole && d->go)
		gopclntab_add(d->go, d->symbols);
	if (code)
		symtab_add_plt(d->symbols, code);
	symtab_seal(d->symbols, SYMTAB_BEST, true);
	return d->symbols;
}

bool
dso_function(struct dso *d, uint64_t address, struct dso_function *f)
{
	const struct symtab_symbol *s;

	if (d->kind != DSO_FILE)
		return false;
	s = symtab_find(file_symbols(d), address);
	if (s)
		*f = (struct dso_function){ s->start, s->name };
	return s != NULL;
}

void
dso_refresh(struct dso *d)
{
	jit_refresh(&d->jit);
}

/* The jitdump of D's process, or NULL. */
static struct dso *
find_jitdump(const struct dso *d)
{
	size_t i;

	for (i = d->set->jitdump_n; i > 0; i--)
		if (d->set->jitdumps[i - 1]->jit.pid == d->jit.pid)
			return d->set->jitdumps[i - 1];
	return NULL;
}

bool
dso_find_made(struct dso *d, uint64_t address, uint64_t time, struct jit_code *c)
{
	struct dso *dump = d->jit.is_jitdump ? d : find_jitdump(d);

	return (dump && jit_find(&dump->jit, address, time, c)) ||
		(dump != d && jit_find(&d->jit, address, time, c));
}

enum { FRAMES_MOST = 64 };

static void
push(struct dso_set *set, struct str name, bool inlined)
{
	*MEM_ADD(set->frames, set->frame_n, set->frame_cap) =
		(struct dso_frame){ .name = name, .inlined = inlined };
}

static bool
has_inlines(struct dso *d)
{
	return file_inlines(d) || d->go;
}

/* Debug information, or Go's table, at an address. */
struct chain {
	struct inlines_frame frames[FRAMES_MOST];
	struct inlines_place places[FRAMES_MOST];
	size_t n, place_n;
	struct str code; /* of all of them, or empty */
};

/* The file with the instructions of D, NULL if it cannot be read later. */
static struct elf *
program_file(struct dso *d)
{
	if (d->kind == DSO_KERNEL) {
		(void)dso_debug(d);
		return d->debug;
	}
	return d->kind == DSO_FILE ? dso_code(d) : NULL;
}

static struct str
program_path(const struct dso *d)
{
	return d->kind == DSO_KERNEL ? buf_view(&d->debug_path) : d->path;
}

/* The name of D in codes. */
static struct str
name_program(struct dso *d)
{
	struct elf *e = program_file(d);
	struct buf b = { 0 };

	if (!d->program.n) {
		frame_put_program(&b, frame_module_base(program_path(d)),
			e && e->build_id.n ? e->build_id : d->build_id);
		d->program = arena_str(&d->set->arena, buf_view(&b));
		buf_release(&b);
	}
	return d->program;
}

/* ADDRESS of D as the file with its debug information counts. */
static uint64_t
address_in_file(const struct dso *d, uint64_t address)
{
	if (d->kind == DSO_MODULE)
		return address - d->start + RELOCATE_BASE;
	return d->kind == DSO_KERNEL ? address - d->set->kernel.elf_slide : address;
}

static void
find_chain(struct chain *c, struct dso *d, uint64_t address, unsigned want)
{
	struct inlines *x;

	address = address_in_file(d, address);
	c->code = want & DSO_CODE
		? frame_texts_code(&d->set->texts, name_program(d), address)
		: (struct str){ 0 };
	want &= ~(unsigned)DSO_CODE;
	x = want ? file_inlines(d) : NULL;
	c->n = c->place_n = 0;
	if (x)
		c->n = inlines_find(x, address, c->frames, FRAMES_MOST);
	else if (want && d->go)
		c->n = gopclntab_find(d->go, address, c->frames, c->places, FRAMES_MOST);
	if (x && want & DSO_LINES)
		c->place_n = inlines_places(x, address, c->places, FRAMES_MOST);
	else if (want & DSO_LINES)
		c->place_n = c->n;
}

/* Adds the frame NAME of D, number I of C. */
static void
push_placed(struct dso *d, const struct chain *c, size_t i, struct str name)
{
	struct dso_set *set = d->set;
	struct frame_texts *t = &set->texts;
	struct dso_frame *f;

	push(set, frame_texts_name(t, name), i < c->n && c->frames[i].inlined);
	f = &set->frames[set->frame_n - 1];
	if (i < c->place_n)
		f->place = frame_texts_place(t, c->places[i].file, c->places[i].line);
	set->unplaced |= i < c->place_n;
	set->placed |= f->place.n > 0;
	f->code = c->code;
	d->shown |= f->place.n || f->code.n;
}

/* Whether C, at a place of a module, is in the function S: the kernel may have laid out
 * the module differently. */
static bool
is_in(const struct chain *c, const struct symtab_symbol *s)
{
	struct str name = c->n ? c->frames[c->n - 1].name : (struct str){ 0 };

	return name.n && str_starts(s->name, name) &&
		(s->name.n == name.n || s->name.s[name.n] == '.');
}

/* Adds the frames at ADDRESS of a file, in the symbol S or NULL. The function itself
 * has its name in the symbol table, as in perf: DWARF lacks some suffixes. */
static void
push_file(struct dso *d, uint64_t address, const struct symtab_symbol *s, unsigned want)
{
	struct chain c;
	size_t i;

	find_chain(&c, d, address, want);
	if (d->kind == DSO_MODULE && !is_in(&c, s))
		c.n = c.place_n = 0;
	for (i = 0; i < c.n && c.frames[i].inlined; i++)
		if (want & DSO_INLINES)
			push_placed(d, &c, i, c.frames[i].name);
	if (s)
		push_placed(d, &c, i, s->name);
	else if (i < c.n && c.frames[i].name.n)
		push_placed(d, &c, i, c.frames[i].name);
}

/* Adds the frame of JIT code. Returns true if it is the same at all times. perf
 * demangles names in a jitdump, which it turns into files, but not in a perf map. */
static bool
push_jit(struct dso *d, uint64_t address, uint64_t time)
{
	struct frame_texts *t = &d->set->texts;
	struct jit_code made;

	if (!dso_find_made(d, address, time, &made))
		return false;
	if (made.lasts)
		push(d->set, frame_texts_plain(t, made.name), false);
	else
		push(d->set, frame_texts_name(t, made.name), false);
	return made.lasts;
}

/* The symbol at ADDRESS of the kernel, or of a module; or NULL. */
static const struct symtab_symbol *
kernel_symbol(struct dso *d, uint64_t address)
{
	struct kernel *k = &d->set->kernel;
	const struct kernel_module m = { d->name, d->path, d->build_id };
	const struct symtab_symbol *s;

	if (str_starts(d->name, STR("[guest."))) {
		d->why = "guest kernels are not supported";
		return NULL;
	}
	s = d->kind == DSO_KERNEL ? kernel_find(k, address)
				  : kernel_find_in_module(k, address);
	d->why = k->why;
	if (s || d->kind == DSO_KERNEL)
		return s;
	if (!d->symbols_done && d->start)
		d->symbols = kernel_read_module(k, &m, &d->why);
	d->symbols_done = true;
	return d->symbols && address >= d->start
		? symtab_find(d->symbols, address - d->start)
		: NULL;
}

/* Adds the frames at ADDRESS. Returns false if they may differ at another time. */
static bool
push_frames(struct dso *d, uint64_t address, uint64_t time, unsigned want)
{
	const struct symtab_symbol *s;

	switch (d->kind) {
	case DSO_FILE:
	case DSO_VDSO:
		push_file(d, address, symtab_find(file_symbols(d), address), want);
		return true;
	case DSO_KERNEL:
	case DSO_MODULE:
		s = kernel_symbol(d, address);
		/* An address without a symbol is not in the module. */
		if (s)
			push_file(d, address, s, want);
		return true;
	case DSO_JIT: return push_jit(d, address, time);
	case DSO_NONE: return true;
	}
	return true;
}

/* The frame of the function at ADDRESS of a file, NULL without a name. A symbol notes
 * it the first time, so that its text is made once. */
static const struct dso_frame *
find_function(struct dso *d, uint64_t address)
{
	struct dso_set *set = d->set;
	struct symtab_symbol *s = symtab_find(file_symbols(d), address);

	if (!s)
		return NULL;
	if (!s->note) {
		push(set, frame_texts_name(&set->texts, s->name), false);
		s->note = (uint32_t)set->frame_n;
	}
	return &set->frames[s->note - 1];
}

size_t
dso_frames(struct dso *d, uint64_t address, uint64_t time, unsigned want,
	const struct dso_frame **frames)
{
	struct dso_set *set = d->set;
	uint64_t *known;
	bool file = d->kind == DSO_FILE || d->kind == DSO_VDSO;
	bool kept, debugged = file || d->kind == DSO_MODULE || d->kind == DSO_KERNEL;
	size_t first = set->frame_n, n;

	want &= (set->options.inlines ? DSO_INLINES : 0u) |
		(set->options.lines ? DSO_LINES : 0u) |
		(set->options.codes && program_file(d) ? DSO_CODE : 0u);
	/* Modules have no start until one of their addresses is requested. */
	if (want & ~(unsigned)DSO_CODE && !(debugged && has_inlines(d))) {
		set->unplaced |= (want & DSO_LINES) != 0;
		want &= DSO_CODE;
	}
	d->asked++;
	if (!want && file && first < UINT32_MAX) {
		*frames = find_function(d, address);
		d->answered |= *frames != NULL;
		return *frames != NULL;
	}
	known = idmap_find(&d->known, address, want);
	if (known) {
		*frames = *known & UINT16_MAX ? set->frames + (*known >> 16) : NULL;
		return *known & UINT16_MAX;
	}
	kept = push_frames(d, address, time, want) && first <= UINT32_MAX;
	n = set->frame_n - first;
	if (kept)
		*idmap_put(&d->known, address, want) =
			(uint64_t)first << 16 | (uint16_t)n;
	else
		set->frame_n = first;
	d->answered |= n > 0;
	*frames = n ? set->frames + first : NULL;
	return n;
}

bool
dso_next_program(const struct dso_set *set, size_t *at, struct dso_program *p)
{
	struct dso *d;
	struct elf *e;

	while (*at < set->n) {
		d = set->dsos[(*at)++];
		/* A program that has not been needed so far is not searched for now. */
		e = d->shown ? program_file(d) : NULL;
		if (!e)
			continue;
		*p = (struct dso_program){ name_program(d),
			e->build_id.n ? e->build_id : d->build_id, program_path(d) };
		return true;
	}
	return false;
}

void
dso_tell_lines(const struct dso_set *set, const char *name)
{
	if (set->unplaced && !set->placed)
		msg_warn("%s: --srcline found no lines: no program in it has debug "
			 "information here; build with -g, or install it",
			name);
}

/* By number of requests, then by name. */
static int
compare_asked(const void *a, const void *b)
{
	const struct dso *x = *(struct dso *const *)a, *y = *(struct dso *const *)b;

	if (x->asked != y->asked)
		return x->asked < y->asked ? 1 : -1;
	return str_cmp(x->name, y->name);
}

/* Whether D was asked for a name, or one of its files opened. */
static bool
was_used(const struct dso *d)
{
	return d->asked || d->code || d->debug;
}

/* The used ones of SET, *N, by number of requests; the caller frees the result. */
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

/* When D was mapped, or when the recording began if that was later, in seconds since
 * 1970. */
static uint64_t
time_of_mapping(const struct dso *d, const struct dso_clock *c)
{
	uint64_t since = d->mapped > c->first ? d->mapped : c->first, ago;

	ago = c->last > since ? (c->last - since) / SECOND : 0;
	return c->end > ago ? c->end - ago : 0;
}

/* Whether the file of D changed after it was mapped. */
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

/* When D was mapped, by the time since boot if the machine has not restarted: a copied
 * recording ended earlier than its file suggests. 0 if the recording's clock does not
 * allow it. */
static uint64_t
time_since_start(const struct dso *d, const struct dso_clock *c)
{
	uint64_t start = c->since_start ? procfs_machine_start() : 0;

	return start ? start + d->mapped / SECOND : 0;
}

/* Why the names of D may belong to another process, or NULL. */
static const char *
find_doubt(const struct dso *d, const struct dso_clock *c)
{
	const uint64_t start = procfs_start(d->jit.pid), changed = d->jit.changed;
	bool known = d->mapped && d->mapped != UINT64_MAX;

	if (d->kind != DSO_JIT || !d->answered || !changed)
		return NULL;
	if (changed > c->end + SLACK &&
		(!start || procfs_is_another(&d->set->processes, start)))
		return "was written after the recording";
	if (known && changed + SLACK < time_of_mapping(d, c) &&
		changed + SLACK < time_since_start(d, c))
		return "was written before its process generated code";
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
			say(context, buf_view(&sorted[i]->jit.file), sorted[i]->asked,
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
	const char *why;

	for (i = 0; i < n; i++) {
		d = sorted[i];
		why = d->kind == DSO_JIT ? d->jit.why : d->why;
		warn_inlines(d);
		if (d->asked && !d->answered && d->kind != DSO_NONE)
			say(context, d->name, d->asked,
				why ? why : "no symbols at those addresses");
	}
	free(sorted);
}
