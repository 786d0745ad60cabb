/* SPDX-License-Identifier: ISC */
/* Turns addresses in a profile's libraries into frames; see libraries.h. */
#include "libraries.h"
#include "elf.h"
#include "mem.h"
#include "msg.h"
#include "search.h"
#include "symbols/dso.h"

#include <unistd.h>

/*
 * Symbols that samply writes next to a profile (--unstable-presymbolicate), in
 * profile.json.syms.json for profile.json.gz:
 *
 *	{"string_table":["main","fw.cpp"],"data":[{"debug_name":"fw",
 *	 "debug_id":"f1cfb066-614f-a5aa-63de-6659bc2fe57c","code_id":"66b0cff1...",
 *	 "symbol_table":[{"rva":1024,"size":32,"symbol":0,"frames":[...]}],
 *	 "known_addresses":[[1032,0]]}]}
 *
 * All addresses of a function share an entry, whose inlined frames are those of the first
 * address: only the function's own name can be trusted.
 */

/* A GUID has 32 digits; an age follows, which ELF files lack. */
enum { GUID_DIGITS = 32 };

struct function {
	uint64_t start, size; /* size 0: only this address */
	int32_t name;	      /* an index in texts */
};

/* The names of a library. KNOWN are single addresses with the indices of their
 * functions. */
struct library_names {
	char guid[GUID_DIGITS]; /* lower-case digits; all '0': unknown */
	struct buf code_id;
	struct function *functions;
	size_t function_n, function_cap;
	struct function *known; /* name is an index in functions until resolve_names */
	size_t known_n, known_cap;
};

struct library_syms {
	struct json_texts texts;
	struct library_names *libraries;
	size_t n, cap;
};

/* Writes ID in lower case without hyphens; missing digits become '0'. */
static void
put_guid(char *guid, struct str id)
{
	size_t n = 0, i;

	memset(guid, '0', GUID_DIGITS);
	for (i = 0; i < id.n && n < GUID_DIGITS; i++)
		if (id.s[i] != '-')
			guid[n++] = id.s[i] >= 'A' && id.s[i] <= 'F'
				? (char)(id.s[i] - 'A' + 'a')
				: id.s[i];
}

static void
add_function(struct function **list, size_t *n, size_t *cap, struct function f)
{
	*list = mem_grow(*list, cap, *n + 1, sizeof f);
	(*list)[(*n)++] = f;
}

static int
by_start(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Reads an index of a name; -1 if invalid. */
static int32_t
read_place(struct json_reader *p)
{
	uint64_t place;

	return json_read_u64(p, &place) && place <= INT32_MAX ? (int32_t)place : -1;
}

static void
read_symbols(struct library_names *l, struct json_reader *p)
{
	struct function f;
	struct str key;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		f = (struct function){ .name = -1 };
		if (!json_read_object(p))
			continue;
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("rva")))
				(void)json_read_u64(p, &f.start);
			else if (str_eq(key, STR("size")) && !json_read_null(p))
				(void)json_read_u64(p, &f.size);
			else if (str_eq(key, STR("symbol")))
				f.name = read_place(p);
		}
		add_function(&l->functions, &l->function_n, &l->function_cap, f);
	}
}

static void
read_known(struct library_names *l, struct json_reader *p)
{
	struct function f;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		f = (struct function){ .name = -1 };
		if (!json_read_array(p))
			continue;
		if (json_next_element(p))
			(void)json_read_u64(p, &f.start);
		if (json_next_element(p))
			f.name = read_place(p);
		while (json_next_element(p))
			json_skip(p);
		add_function(&l->known, &l->known_n, &l->known_cap, f);
	}
}

/* Sorts both lists of L; replaces indices in known by names. */
static void
resolve_names(struct library_names *l)
{
	struct function *f;

	for (f = l->known; f && f < l->known + l->known_n; f++)
		f->name = f->name >= 0 && (size_t)f->name < l->function_n
			? l->functions[f->name].name
			: -1;
	if (l->known_n)
		qsort(l->known, l->known_n, sizeof *l->known, by_start);
	if (l->function_n)
		qsort(l->functions, l->function_n, sizeof *l->functions, by_start);
}

static void
read_library(struct library_syms *s, struct json_reader *p)
{
	struct library_names *l;
	struct str key, text;

	if (!json_read_object(p))
		return;
	l = MEM_ADD(s->libraries, s->n, s->cap);
	memset(l, 0, sizeof *l);
	put_guid(l->guid, (struct str){ 0 });
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("debug_id"))) {
			(void)json_read_string(p, &text);
			put_guid(l->guid, text);
		} else if (str_eq(key, STR("code_id")) && !json_read_null(p)) {
			(void)json_read_string(p, &text);
			buf_clear(&l->code_id);
			buf_str(&l->code_id, text);
		} else if (str_eq(key, STR("symbol_table"))) {
			read_symbols(l, p);
		} else if (str_eq(key, STR("known_addresses"))) {
			read_known(l, p);
		}
	}
	resolve_names(l);
}

static void
read_all(struct library_syms *s, struct json_reader *p)
{
	struct str key;

	if (!json_read_object(p))
		return;
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("string_table")))
			(void)json_read_texts(p, &s->texts);
		else if (str_eq(key, STR("data")) && json_read_array(p))
			while (json_next_element(p))
				read_library(s, p);
	}
}

static void
free_syms(struct library_syms *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++) {
		buf_release(&s->libraries[i].code_id);
		free(s->libraries[i].functions);
		free(s->libraries[i].known);
	}
	free(s->libraries);
	json_texts_release(&s->texts);
	free(s);
}

/* Reads the file at PATH. Returns NULL, after a message, if it has no names. */
static struct library_syms *
read_syms(const char *path)
{
	struct input *in = input_open(path);
	struct library_syms *s;
	struct json_reader p;

	if (!in)
		return NULL;
	s = mem_zero(1, sizeof *s);
	json_reader_init(&p, in);
	read_all(s, &p);
	if (p.cut)
		msg_error("%s: is truncated", path);
	else if (!json_failed(&p) && !s->n)
		msg_error(
			"%s: has no names; give the .syms.json that samply writes beside "
			"a profile",
			path);
	if (input_failed(in))
		msg_lost("%s: some of its names may be missing", path);
	json_reader_release(&p);
	input_close(in);
	if (s->n)
		return s;
	free_syms(s);
	return NULL;
}

/* Reads the file next to the profile NAME; NULL, without a message, if there is none. */
static struct library_syms *
find_syms_beside(const char *name)
{
	struct str whole = str_of(name), base = str_base(whole);
	size_t dot = str_rfind(base, '.');
	struct library_syms *s = NULL;
	struct buf path = { 0 };

	if (dot < base.n) {
		buf_str(&path, str_head(whole, whole.n - base.n + dot));
		buf_str(&path, STR(".syms.json"));
		if (access(buf_cstr(&path), F_OK) == 0)
			s = read_syms(buf_cstr(&path));
	}
	buf_release(&path);
	return s;
}

/* The library with DEBUG_ID (a breakpadId) or CODE_ID; NULL if S does not contain it. */
static const struct library_names *
find_listed(const struct library_syms *s, struct str debug_id, struct str code_id)
{
	const struct library_names *l, *end = s->libraries + s->n;
	char guid[GUID_DIGITS], none[GUID_DIGITS];

	put_guid(guid, debug_id);
	put_guid(none, (struct str){ 0 });
	for (l = s->libraries; l < end; l++) {
		if (code_id.n && str_eq(buf_view(&l->code_id), code_id))
			return l;
		if (!memcmp(l->guid, guid, GUID_DIGITS) &&
			memcmp(guid, none, GUID_DIGITS) != 0)
			return l;
	}
	return NULL;
}

/* The last of the N functions in LIST that begins at or before ADDRESS. */
static const struct function *
find_function(const struct function *list, size_t n, uint64_t address)
{
	n = search_upto(list, n, sizeof *list, address);
	return n ? &list[n - 1] : NULL;
}

/* Sets *NAME to the function at ADDRESS of L, valid as long as S. Returns false if there
 * is none. */
static bool
find_listed_name(const struct library_syms *s, const struct library_names *l,
	uint64_t address, struct str *name)
{
	const struct function *f = find_function(l->known, l->known_n, address);

	if (!f || f->start != address)
		f = find_function(l->functions, l->function_n, address);
	return f && (f->start == address || address - f->start < f->size) &&
		json_texts_get(&s->texts, f->name, name) && name->n > 0;
}

void
libraries_init(struct libraries *n, struct collapse *c, struct input *in)
{
	const struct collapse_options *o = collapse_options(c);
	struct dso_options options = { .full_names = o->full_names,
		.inlines = !o->no_inlines,
		.lines = o->srcline,
		.codes = o->code,
		.elfs = &o->elfs,
		.servers = o->servers };

	*n = (struct libraries){ .c = c, .input = input_name(in) };
	n->dsos = dso_set_new(&options);
	n->stack.c = c;
}

void
libraries_release(struct libraries *n)
{
	frame_names_release(&n->stack);
	dso_set_free(n->dsos);
	free_syms(n->syms);
	intern_release(&n->keys);
	arena_release(&n->arena);
	free(n->libs);
}

int32_t
libraries_add(struct libraries *n, const struct library *about)
{
	const struct str parts[] = { about->name, about->path, about->debug_id,
		about->code_id, { (const char *)&about->start, sizeof about->start },
		{ (const char *)&about->end, sizeof about->end },
		{ (const char *)&about->base, sizeof about->base } };
	struct buf key = { 0 };
	struct library *l;
	uint32_t id;
	size_t i;

	for (i = 0; i < sizeof parts / sizeof *parts; i++) {
		buf_str(&key, (struct str){ (const char *)&parts[i].n, sizeof(size_t) });
		buf_str(&key, parts[i]);
	}
	id = intern_id(&n->keys, buf_view(&key));
	buf_release(&key);
	if (id < n->lib_n)
		return (int32_t)id;
	l = MEM_ADD(n->libs, n->lib_n, n->lib_cap);
	*l = *about;
	l->name = arena_str(&n->arena, about->name);
	l->path = arena_str(&n->arena, about->path);
	l->debug_id = arena_str(&n->arena, about->debug_id);
	l->code_id = arena_str(&n->arena, about->code_id);
	return (int32_t)id;
}

/* Reads a string or null, copied to A. */
static struct str
read_text(struct json_reader *p, struct arena *a)
{
	struct str s = { 0 };

	if (!json_read_null(p))
		(void)json_read_string(p, &s);
	return arena_str(a, s);
}

int32_t
libraries_read(struct libraries *n, struct json_reader *p)
{
	struct library about = { .end = 0 };
	struct arena texts = { 0 };
	uint64_t offset = 0;
	struct str key;
	int32_t id;

	if (json_read_object(p))
		while (json_next_key(p, &key)) {
			if (str_eq(key, STR("name")))
				about.name = read_text(p, &texts);
			else if (str_eq(key, STR("path")))
				about.path = read_text(p, &texts);
			else if (str_eq(key, STR("breakpadId")))
				about.debug_id = read_text(p, &texts);
			else if (str_eq(key, STR("codeId")))
				about.code_id = read_text(p, &texts);
			else if (str_eq(key, STR("start")))
				(void)json_read_u64(p, &about.start);
			else if (str_eq(key, STR("end")))
				(void)json_read_u64(p, &about.end);
			else if (str_eq(key, STR("offset")))
				(void)json_read_u64(p, &offset);
		}
	about.base = about.start - offset;
	/* Before version 7 the name was the path. */
	if (!about.path.n)
		about.path = about.name;
	id = libraries_add(n, &about);
	arena_release(&texts);
	return id;
}

/* The names next to the profile, or NULL. */
static const struct library_syms *
find_syms(struct libraries *n)
{
	const char *path = collapse_options(n->c)->syms;

	if (!n->syms_done)
		n->syms = path ? read_syms(path) : find_syms_beside(n->input);
	n->syms_done = true;
	return n->syms;
}

/*
 * The file of a library. A profile contains up to two ids of it:
 *
 *	codeId		the build id
 *	breakpadId	the first 16 bytes of the build id as the fields of a
 *			GUID in little endian, and an age, 0; without a build id
 *			the first 4096 bytes of .text, folded to 16 by XOR
 */
struct file {
	struct dso *dso;  /* NULL: not found */
	const char *why;  /* why not */
	uint64_t first;	  /* address of the first segment */
	bool wide;	  /* addresses have 64 bits */
	bool raw_returns; /* probe-rs does not adjust its return addresses */
};

enum { GUID = 16, PAGE = 4096 };

/* Parses N bytes, twice as many hexadecimal digits, at the start of TEXT. */
static bool
parse_bytes(struct str text, char *to, size_t n)
{
	uint64_t byte;
	size_t i;

	for (i = 0; i < n; i++) {
		if (text.n < 2 * i + 2 ||
			!str_hex_to_u64(str_head(str_from(text, 2 * i), 2), &byte))
			return false;
		to[i] = (char)byte;
	}
	return true;
}

/* Computes the GUID of E. Returns false if E has nothing to compute it from. */
static bool
make_guid(struct elf *e, char *guid)
{
	const struct elf_section *s = elf_section(e, ".text");
	struct str text = elf_data(e, s ? s : elf_section(e, "text"));
	size_t i;

	memset(guid, 0, GUID);
	if (e->build_id.n)
		memcpy(guid, e->build_id.s, e->build_id.n < GUID ? e->build_id.n : GUID);
	else
		for (i = 0; i < text.n && i < PAGE; i++)
			guid[i % GUID] ^= text.s[i];
	return e->build_id.n || text.n;
}

static void
swap(char *b, size_t n)
{
	size_t i;
	char c;

	for (i = 0; i < n / 2; i++) {
		c = b[i];
		b[i] = b[n - 1 - i];
		b[n - 1 - i] = c;
	}
}

/* Whether E matches the breakpadId of L, or cannot be checked. */
static bool
has_debug_id(const struct library *l, struct elf *e)
{
	enum { DATA = 5, LITTLE = 1 };
	static const char zeroes[GUID];
	char given[GUID], own[GUID];

	if (!parse_bytes(l->debug_id, given, GUID) || !memcmp(given, zeroes, GUID) ||
		!make_guid(e, own))
		return true;
	if (e->bytes.n > DATA && e->bytes.s[DATA] == LITTLE) {
		swap(own, 4);
		swap(own + 4, 2);
		swap(own + 6, 2);
	}
	return memcmp(own, given, GUID) == 0;
}

/* The path of the --elf file whose name matches L, or of the only one for an only
 * library; NULL without. */
static const char *
find_users(const struct libraries *n, const struct library *l)
{
	const struct opt_list *elfs = &collapse_options(n->c)->elfs;
	struct str base;
	size_t i;

	if (elfs->n == 1 && n->lib_n == 1)
		return elfs->items[0];
	for (i = 0; i < elfs->n; i++) {
		base = str_base(str_of(elfs->items[i]));
		if (l->name.n &&
			(str_eq(base, l->name) ||
				str_eq(str_head(base, str_rfind(base, '.')), l->name)))
			return elfs->items[i];
	}
	return NULL;
}

/* Asks the set for the file of L at PATH. */
static struct elf *
ask(struct file *f, struct libraries *n, const struct library *l, struct str path)
{
	char id[64];
	struct dso_key key = { .path = path };
	struct elf *e;

	if (l->code_id.n && l->code_id.n / 2 <= sizeof id && l->code_id.n % 2 == 0 &&
		parse_bytes(l->code_id, id, l->code_id.n / 2))
		key.build_id = (struct str){ id, l->code_id.n / 2 };
	f->dso = dso_get(n->dsos, &key);
	/* Kernels and generated code have other addresses each time. */
	if (dso_kind(f->dso) != DSO_FILE && dso_kind(f->dso) != DSO_VDSO) {
		f->dso = NULL;
		f->why = "no file, and no names in the profile";
		return NULL;
	}
	e = dso_code(f->dso);
	if (!e)
		f->why = "not found";
	return e;
}

/* Whether return addresses in E are unchanged: probe-rs moves them back into the call for
 * 32-bit RISC-V, Xtensa and Thumb. The entry point of an ARM program shows in which
 * instruction set it begins. */
static bool
has_raw_returns(const struct elf *e)
{
	switch (e->machine) {
	case ELF_ARM: return !(e->entry & 1);
	case ELF_RISCV: return e->wide;
	case ELF_XTENSA: return false;
	default: return true;
	}
}

static void
describe(struct file *f, const struct elf *e)
{
	size_t i;

	f->wide = e->wide;
	f->raw_returns = has_raw_returns(e);
	for (i = 0; i < e->segment_n; i++)
		if (e->segments[i].type == ELF_LOAD) {
			f->first = e->segments[i].address;
			return;
		}
}

/* Reports why the --elf file PATH is not used. */
static void
refuse(const char *path)
{
	const char *why;
	struct elf *e = elf_open(path, &why);

	msg_warn("%s: %s", path,
		e ? "is not the recorded file: its build id differs" : why);
	elf_close(e);
}

/* Finds the file of L: one of --elf, else the one at the recorded path if it is the
 * recorded file. */
static void
find_file(struct file *f, struct libraries *n, const struct library *l)
{
	const char *users = find_users(n, l);
	struct elf *e = NULL;

	*f = (struct file){ .wide = true };
	if (users) {
		e = ask(f, n, l, str_of(users));
		if (!e)
			refuse(users);
		else if (!has_debug_id(l, e))
			msg_warn("%s: is not the recorded file, judging by "
				 "its code: names may be wrong",
				users);
	}
	if (!e && (l->path.n || l->name.n)) {
		e = ask(f, n, l, l->path.n ? l->path : l->name);
		if (e && !has_debug_id(l, e)) {
			f->dso = NULL;
			f->why = "is not the recorded file";
			e = NULL;
		}
	}
	if (e)
		describe(f, e);
}

/* Finds, once, the names for the code of L. */
static void
look(struct libraries *n, struct library *l)
{
	const struct library_syms *s;
	struct file file;

	if (l->looked)
		return;
	l->looked = true;
	s = find_syms(n);
	if (s)
		l->listed = find_listed(s, l->debug_id, l->code_id);
	find_file(&file, n, l);
	l->dso = file.dso;
	l->why = file.why;
	l->first = file.first;
	l->wide = file.wide;
	l->after_call = n->callers == LIBRARIES_AFTER ||
		(n->callers == LIBRARIES_PROBE_RS && file.raw_returns);
}

/* The address of P in the file of L. */
static uint64_t
file_address(const struct library *l, const struct library_place *p)
{
	uint64_t address = p->absolute ? p->address : p->address + l->first;

	if (p->in_file && l->dso)
		(void)dso_address(l->dso, p->address, &address);
	return l->wide ? address : (uint32_t)address;
}

/* The module of L for frames: its path, or else its name. */
static struct str
module_of(const struct library *l)
{
	return l->path.n ? l->path : l->name;
}

struct str
libraries_module(const struct libraries *n, int32_t id)
{
	return module_of(&n->libs[id]);
}

/* Adds the frames found in the file of L. */
static bool
add_from_file(struct libraries *n, struct library *l, const struct library_place *p)
{
	uint64_t address = file_address(l, p);
	const struct dso_frame *frames;
	struct frame_names_symbol s = { .module = module_of(l), .address = p->shown };
	size_t count, i;

	if (!l->dso)
		return false;
	/* A return address is after its call, which may end the function. For Thumb code,
	 * bit 0 is set. */
	if (l->after_call && !p->is_leaf && address)
		address = (n->callers == LIBRARIES_PROBE_RS ? address & ~(uint64_t)1
							    : address) -
			1;
	count = dso_frames(
		l->dso, address, 0, DSO_INLINES | DSO_LINES | DSO_CODE, &frames);
	for (i = 0; i < count; i++) {
		s.name = frames[i].name;
		s.inlined = frames[i].inlined;
		s.srcline = frames[i].place;
		s.code = frames[i].code;
		frame_names_add(&n->stack, &s);
	}
	return count > 0;
}

/* Adds the frame found in the list next to the profile. */
static bool
add_from_list(struct libraries *n, struct library *l, const struct library_place *p)
{
	struct frame_names_symbol s = { .module = module_of(l), .address = p->shown };
	uint64_t address = p->absolute ? p->address - l->first : p->address;

	if (!l->listed || !find_listed_name(n->syms, l->listed, address, &s.name))
		return false;
	frame_names_add(&n->stack, &s);
	return true;
}

/* Whether P is the address 0 at which unwinding ends beyond the outermost function of a
 * Cortex-M. */
static bool
is_behind_all(
	const struct libraries *n, const struct library *l, const struct library_place *p)
{
	if (n->callers != LIBRARIES_PROBE_RS || !p->is_root || p->is_leaf)
		return false;
	return p->absolute ? !p->address : l && l->dso && !file_address(l, p);
}

void
libraries_name(struct libraries *n, const struct library_place *p)
{
	bool known = p->lib >= 0 && (size_t)p->lib < n->lib_n;
	struct library *l = known ? &n->libs[p->lib] : NULL;
	struct frame_names_symbol s = { .address = p->shown };

	if (l) {
		look(n, l);
		/* Prefer the list, unless the file has debug information, which contains
		 * more. */
		if (l->listed && !(l->dso && dso_debug(l->dso))
				? add_from_list(n, l, p) || add_from_file(n, l, p)
				: add_from_file(n, l, p) || add_from_list(n, l, p))
			return;
		s.module = module_of(l);
	}
	if (is_behind_all(n, l, p))
		return;
	if (l)
		l->unnamed = true;
	frame_names_add(&n->stack, &s);
}

/* Why files have no names, by id. */
struct reasons {
	struct intern names;
	const char **why;
	size_t cap;
};

static void
add_reason(void *context, struct str name, uint64_t asked, const char *why)
{
	struct reasons *r = context;
	uint32_t id = intern_id(&r->names, name);

	(void)asked;
	*MEM_AT(r->why, r->cap, id) = why;
}

/* Why L has no names; the first WITH_REASON names have one in R. */
static const char *
find_reason(struct reasons *r, uint32_t with_reason, const struct library *l)
{
	uint32_t id;

	if (!l->dso)
		return l->why ? l->why : "not found";
	id = intern_id(&r->names, dso_name(l->dso));
	return id < with_reason ? r->why[id] : "no symbol at that address";
}

void
libraries_explain(struct libraries *n)
{
	struct reasons reasons = { .cap = 0 };
	struct dso_program program;
	size_t at = 0;
	struct buf b = { 0 };
	struct library *l;
	uint32_t with_reason;

	dso_trouble(n->dsos, add_reason, &reasons);
	dso_tell_lines(n->dsos, n->input);
	while (dso_next_program(n->dsos, &at, &program))
		collapse_program(n->c, program.name, program.build_id, program.path);
	with_reason = reasons.names.n;
	for (l = n->libs; l && l < n->libs + n->lib_n; l++) {
		if (!l->unnamed)
			continue;
		buf_clear(&b);
		buf_str(&b, str_of(find_reason(&reasons, with_reason, l)));
		buf_str(&b, STR("; give its file with --elf FILE"));
		collapse_explain(n->c, module_of(l), buf_view(&b));
	}
	intern_release(&reasons.names);
	free(reasons.why);
	buf_release(&b);
}
