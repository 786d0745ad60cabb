/* SPDX-License-Identifier: ISC */
/* Addresses of a profile's libraries to frames; see libraries.h. */
#include "libraries.h"
#include "mem.h"
#include "library-file.h"
#include "samply-syms.h"
#include "symbols/dso.h"

void
libraries_init(struct libraries *n, struct collapse *c, struct input *in)
{
	const struct collapse_options *o = c->options;
	struct dso_options options = {
		.full_names = o->full_names, .inlines = !o->no_inlines, .elfs = &o->elfs
	};

	*n = (struct libraries){ .c = c, .input = input_name(in) };
	n->dsos = dso_set_new(&options);
	n->stack.c = c;
}

void
libraries_release(struct libraries *n)
{
	naming_release(&n->stack);
	dso_set_free(n->dsos);
	samply_syms_free(n->syms);
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
	n->libs = mem_grow(n->libs, &n->lib_cap, n->lib_n + 1, sizeof *n->libs);
	l = &n->libs[n->lib_n++];
	*l = *about;
	l->name = arena_str(&n->arena, about->name);
	l->path = arena_str(&n->arena, about->path);
	l->debug_id = arena_str(&n->arena, about->debug_id);
	l->code_id = arena_str(&n->arena, about->code_id);
	return (int32_t)id;
}

/* A text that may be null; copied to A. */
static struct str
take_text(struct json_reader *p, struct arena *a)
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
				about.name = take_text(p, &texts);
			else if (str_eq(key, STR("path")))
				about.path = take_text(p, &texts);
			else if (str_eq(key, STR("breakpadId")))
				about.debug_id = take_text(p, &texts);
			else if (str_eq(key, STR("codeId")))
				about.code_id = take_text(p, &texts);
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

/* The names beside the profile, or NULL. */
static const struct samply_syms *
find_syms(struct libraries *n)
{
	const char *path = n->c->options->syms;

	if (!n->syms_done)
		n->syms = path ? samply_syms_open(path) : samply_syms_find(n->input);
	n->syms_done = true;
	return n->syms;
}

/* Looks once for what can name the code of L. */
static void
look(struct libraries *n, struct library *l)
{
	const struct samply_syms *s;
	struct library_file file;

	if (l->looked)
		return;
	l->looked = true;
	s = find_syms(n);
	if (s)
		l->listed = samply_syms_library(s, l->debug_id, l->code_id);
	library_file_find(&file, n, l);
	l->dso = file.dso;
	l->why = file.why;
	l->first = file.first;
	l->wide = file.wide;
	l->after_call = n->callers == LIBRARIES_AFTER ||
		(n->callers == LIBRARIES_PROBE_RS && file.raw_returns);
}

/* The address of P as the file of L counts. */
static uint64_t
file_address(const struct library *l, const struct library_place *p)
{
	uint64_t address = p->absolute ? p->address : p->address + l->first;

	return l->wide ? address : (uint32_t)address;
}

/* The module of L for frames: its path, and never nothing. */
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

/* Adds the frames that the file of L has. */
static bool
add_from_file(struct libraries *n, struct library *l, const struct library_place *p)
{
	uint64_t address = file_address(l, p);
	const struct dso_frame *frames;
	struct naming_symbol s = { .module = module_of(l), .address = p->shown };
	size_t count, i;

	if (!l->dso)
		return false;
	/* A return address is behind its call, which may end the function. Into Thumb
	 * code it has bit 0 set. */
	if (l->after_call && !p->is_leaf && address)
		address = (n->callers == LIBRARIES_PROBE_RS ? address & ~(uint64_t)1
							    : address) -
			1;
	count = dso_frames(l->dso, address, 0, !n->c->options->no_inlines, &frames);
	for (i = 0; i < count; i++) {
		s.name = frames[i].name;
		s.inlined = frames[i].inlined;
		naming_add(&n->stack, &s);
	}
	return count > 0;
}

/* Adds the frame that the list beside the profile has. */
static bool
add_from_list(struct libraries *n, struct library *l, const struct library_place *p)
{
	struct naming_symbol s = { .module = module_of(l), .address = p->shown };
	uint64_t address = p->absolute ? p->address - l->first : p->address;

	if (!l->listed || !samply_syms_name(n->syms, l->listed, address, &s.name))
		return false;
	naming_add(&n->stack, &s);
	return true;
}

/* Whether P is what unwinding gives behind the outermost function of a Cortex-M:
 * there is no code at 0. */
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
	struct naming_symbol s = { .address = p->shown };

	if (l) {
		look(n, l);
		/* Only a file with debug information has what the list has, and more. */
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
	naming_add(&n->stack, &s);
}

/* Why files have no names, by the id of theirs. */
struct reasons {
	struct intern names;
	const char **why;
	size_t cap;
};

static void
take_reason(void *context, struct str name, uint64_t asked, const char *why)
{
	struct reasons *r = context;
	uint32_t id = intern_id(&r->names, name);

	(void)asked;
	r->why = mem_grow(r->why, &r->cap, (size_t)id + 1, sizeof *r->why);
	r->why[id] = why;
}

/* Why L has no names, of which TOLD have been told. */
static const char *
find_reason(struct reasons *r, uint32_t told, const struct library *l)
{
	uint32_t id;

	if (!l->dso)
		return l->why ? l->why : "not found";
	id = intern_id(&r->names, dso_name(l->dso));
	return id < told ? r->why[id] : "no symbol there";
}

void
libraries_explain(struct libraries *n)
{
	struct reasons reasons = { .cap = 0 };
	struct buf b = { 0 };
	struct library *l;
	uint32_t told;

	dso_trouble(n->dsos, take_reason, &reasons);
	told = reasons.names.n;
	for (l = n->libs; l && l < n->libs + n->lib_n; l++) {
		if (!l->unnamed)
			continue;
		buf_clear(&b);
		buf_str(&b, str_of(find_reason(&reasons, told, l)));
		buf_str(&b, STR("; give its file with --elf FILE"));
		collapse_explain(n->c, module_of(l), buf_view(&b));
	}
	intern_release(&reasons.names);
	free(reasons.why);
	buf_release(&b);
}
