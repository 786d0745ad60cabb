/* SPDX-License-Identifier: ISC */
/*
 * Symbols of a kernel module from its file, for when kallsyms do not have them;
 * see dso.h. Modules are objects that the kernel lays out when it loads them: the
 * sections with code come first, in their order and alignment, but for those
 * that go after start-up (kernel/module/main.c, layout_sections). Machines
 * that put more before that (tables of far jumps) are not known here.
 */
#include "debugfile.h"
#include "dso-parts.h"
#include "mem.h"
#include "unpack.h"

#include <stdlib.h>

/* The file of D, to be closed by the caller; NULL when it is not there. */
static struct elf *
open_module(struct dso *d, const char *path)
{
	static const struct {
		const char *end;
		enum unpack_kind kind;
	} packed[] = { { ".gz", UNPACK_GZIP }, { ".xz", UNPACK_XZ },
		{ ".zst", UNPACK_ZSTD } };
	const size_t most = (size_t)1 << 28;
	struct buf file = { 0 }, plain = { 0 };
	size_t i;

	for (i = 0; i < sizeof packed / sizeof *packed; i++) {
		if (!str_ends(str_of(path), str_of(packed[i].end)))
			continue;
		if (!unpack_knows(packed[i].kind) || !dso_read_file(path, &file) ||
			!unpack_all(packed[i].kind, buf_view(&file), &plain, most)) {
			d->why = "its file cannot be decompressed";
			buf_clear(&plain);
		}
		buf_release(&file);
		return elf_of_block(plain.s, plain.n, &d->why);
	}
	return elf_open(path, &d->why);
}

/* Whether the names of a file and of a module are the same one: the kernel has
 * '_' for '-'. */
static bool
is_named(struct str base, struct str name)
{
	size_t i;

	if (base.n <= name.n || !str_starts(str_from(base, name.n), STR(".ko")))
		return false;
	for (i = 0; i < name.n; i++)
		if (base.s[i] != name.s[i] && !(base.s[i] == '-' && name.s[i] == '_'))
			return false;
	return true;
}

/* The path of the file of D to B: as recorded, else from the list of modules of
 * the running kernel ("kernel/fs/ext4/ext4.ko.xz: kernel/lib/crc16.ko.xz"). */
static bool
put_path(struct dso *d, struct buf *b)
{
	const char *release = d->set->kernel.release;
	struct str rest, line, name = str_head(str_from(d->name, 1), d->name.n - 2);
	struct buf list = { 0 };

	if (d->path.s[0] == '/') {
		buf_str(b, d->path);
		return str_find(d->path, '\0') == d->path.n;
	}
	buf_fmt(b, "/lib/modules/%s/modules.dep", release);
	dso_read_file(buf_cstr(b), &list);
	buf_clear(b);
	for (rest = buf_view(&list); rest.n && !b->n;) {
		line = str_cut(&rest, '\n');
		line = str_cut(&line, ':');
		if (!is_named(str_base(line), name))
			continue;
		if (line.s[0] != '/')
			buf_fmt(b, "/lib/modules/%s/", release);
		buf_str(b, line);
	}
	buf_release(&list);
	return b->n > 0;
}

/* Sets AT[i] to where section I of E is put, UINT64_MAX: not with the code. */
static void
lay_out(const struct elf *e, uint64_t *at)
{
	const struct elf_section *s;
	uint64_t end = 0, align;
	size_t i;

	for (i = 0; i < e->section_n; i++) {
		s = &e->sections[i];
		at[i] = UINT64_MAX;
		if (!(s->flags & ELF_FLAG_ALLOC) || !(s->flags & ELF_FLAG_EXEC) ||
			str_starts(s->name, STR(".init")))
			continue;
		align = s->align ? s->align : 1;
		if (align > 1 << 16 || s->size > UINT32_MAX)
			continue;
		end = (end + align - 1) / align * align;
		at[i] = end;
		end += s->size;
	}
}

/* Adds the functions of E, an object, where the kernel puts them. */
static void
add_functions(struct symtab *t, struct elf *e)
{
	uint64_t *at = mem_zero(e->section_n, sizeof *at);
	struct symtab_symbol s;
	struct elf_symbol sym;
	size_t i, j;

	lay_out(e, at);
	for (i = 0; i < e->section_n; i++)
		for (j = 0; j < elf_symbol_count(e, &e->sections[i]); j++) {
			if (!elf_symbol(e, &e->sections[i], j, &sym) ||
				sym.type != ELF_FUNC || sym.section >= e->section_n ||
				at[sym.section] == UINT64_MAX)
				continue;
			s = (struct symtab_symbol){ .start = at[sym.section] + sym.value,
				.size = sym.size,
				.binding = sym.binding };
			/* The file is closed before its names are asked for. */
			symtab_add_copy(t, &s, sym.name, STR(""));
		}
	free(at);
}

struct symtab *
dso_module_symbols(struct dso *d)
{
	struct buf path = { 0 };
	struct symtab *t = NULL;
	struct elf *e = NULL;

	d->why = "not found";
	if (put_path(d, &path))
		e = open_module(d, buf_cstr(&path));
	if (e && d->build_id.n && !str_eq(e->build_id, d->build_id)) {
		d->why = "is not the file that was recorded (its build id differs)";
	} else if (e && e->type == ELF_REL) {
		d->why = NULL;
		t = symtab_new();
		add_functions(t, e);
		symtab_seal(t, SYMTAB_BEST, true);
	}
	elf_close(e);
	buf_release(&path);
	return t;
}
