/* SPDX-License-Identifier: ISC */
/*
 * Names of the kernel and of its modules; see dso.h. They come from
 *
 *	~/.debug/[kernel.kallsyms]/ID/kallsyms	perf's cache
 *	/proc/kallsyms		when the running kernel is the recorded one
 *	a vmlinux		with the recorded build id
 *
 * Kernels are loaded at another address at each boot, so symbols from another one
 * are moved by what an anchor says.
 */
#include "debugfile.h"
#include "dso-set.h"
#include "mem.h"
#include "inflate.h"

#include <stdlib.h>

/*
 * Symbols of a kernel module from its file, for when kallsyms do not have them. Modules are
 * objects that the kernel lays out when it loads them: the sections with code come first, in
 * their order and alignment, but for those that go after start-up (kernel/module/main.c,
 * layout_sections). Machines that put more before that (tables of far jumps) are not known
 * here.
 */

/* The file of D, to be closed by the caller; NULL when it is not there. */
static struct elf *
open_module(struct dso *d, const char *path)
{
	static const struct {
		const char *end;
		enum inflate_kind kind;
	} packed[] = { { ".gz", INFLATE_GZIP }, { ".xz", INFLATE_XZ },
		{ ".zst", INFLATE_ZSTD } };
	const size_t most = (size_t)1 << 28;
	struct buf file = { 0 }, plain = { 0 };
	size_t i;

	for (i = 0; i < sizeof packed / sizeof *packed; i++) {
		if (!str_ends(str_of(path), str_of(packed[i].end)))
			continue;
		if (!inflate_knows(packed[i].kind) || !dso_read_file(path, &file) ||
			!inflate_all(packed[i].kind, buf_view(&file), &plain, most)) {
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

/* The symbols of module D, by address from its start; NULL when its file cannot
 * be used (dso-module.c). */
static struct symtab *
read_module(struct dso *d)
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

void
dso_kernel_release(struct dso_kernel *k)
{
	symtab_free(k->symbols);
	kallsyms_free(k->list);
	elf_close(k->elf);
	buf_release(&k->text);
}

/* The address of symbol NAME in TEXT like /proc/kallsyms; false without one. */
static bool
find_in_text(struct str text, struct str name, uint64_t *address)
{
	struct str line, word;

	while (text.n) {
		line = str_cut(&text, '\n');
		word = str_word(&line);
		(void)str_word(&line);
		if (str_eq(str_word(&line), name))
			return str_hex_to_u64(word, address);
	}
	return false;
}

static bool
find_in_elf(struct elf *e, struct str name, uint64_t *address)
{
	struct elf_symbol sym;
	size_t i, j;

	for (i = 0; i < e->section_n; i++)
		for (j = elf_symbol_count(e, &e->sections[i]); j-- > 0;)
			if (elf_symbol(e, &e->sections[i], j, &sym) &&
				str_eq(sym.name, name)) {
				*address = sym.value;
				return true;
			}
	return false;
}

/* Takes the symbols of FILE, which is like /proc/kallsyms. */
static bool
take_text(struct dso_kernel *k, const char *file)
{
	uint64_t address;

	if (!dso_read_file(file, &k->text))
		return false;
	k->list = kallsyms_parse(buf_view(&k->text));
	if (!k->list) {
		k->why = "the kernel hides its addresses from this user: fold as root";
		return false;
	}
	if (k->anchor.n && find_in_text(buf_view(&k->text), k->anchor, &address))
		k->slide = k->anchor_address - address;
	k->all = k->slide == 0;
	return true;
}

/* Takes the symbols of E, which it then owns. */
static void
take_elf(struct dso_kernel *k, struct elf *e)
{
	uint64_t address;

	k->elf = e;
	k->symbols = symtab_new();
	symtab_add_elf(k->symbols, e);
	symtab_seal(k->symbols, SYMTAB_BEST, true);
	if (k->anchor.n && find_in_elf(e, k->anchor, &address))
		k->slide = k->anchor_address - address;
}

static bool
take_cached(struct dso_kernel *k)
{
	struct buf path = { 0 };
	bool taken = k->build_id.n &&
		debugfile_perf_cache(
			&path, STR("[kernel.kallsyms]"), k->build_id, "kallsyms") &&
		take_text(k, buf_cstr(&path));

	buf_release(&path);
	return taken;
}

static bool
take_running(struct dso_kernel *k)
{
	char id[KALLSYMS_ID];
	struct str running = { id, kallsyms_running_id(id) };

	if (k->build_id.n ? !str_eq(running, k->build_id) : !k->local) {
		k->why = k->build_id.n
			? "is not the kernel that runs here"
			: "the recording does not say which kernel that was";
		return false;
	}
	return take_text(k, "/proc/kallsyms");
}

/* Reads the release of the running kernel, whose files have it in their names. */
static void
read_release(struct dso_kernel *k)
{
	struct buf b = { 0 };
	struct str release = { 0 };

	if (dso_read_file("/proc/sys/kernel/osrelease", &b))
		release = str_trim(buf_view(&b));
	if (release.n < sizeof k->release && str_find(release, '/') == release.n)
		snprintf(k->release, sizeof k->release, "%.*s", (int)release.n,
			release.n ? release.s : "");
	buf_release(&b);
}

/* Looks for a vmlinux with the recorded build id. */
static bool
take_vmlinux(struct dso_kernel *k)
{
	static const char *const places[][2] = { { "/usr/lib/debug/boot/vmlinux-", "" },
		{ "/usr/lib/debug/lib/modules/", "/vmlinux" }, { "/boot/vmlinux-", "" },
		{ "/lib/modules/", "/vmlinux" }, { "/lib/modules/", "/build/vmlinux" } };
	struct buf path = { 0 };
	struct elf *e = NULL;
	const char *why;
	size_t i;

	if (!k->build_id.n)
		return false;
	for (i = 0; i < sizeof places / sizeof *places && !e && k->release[0]; i++) {
		buf_clear(&path);
		buf_fmt(&path, "%s%s%s", places[i][0], k->release, places[i][1]);
		e = elf_open(buf_cstr(&path), &why);
		if (e && str_eq(e->build_id, k->build_id))
			break;
		elf_close(e);
		e = NULL;
	}
	if (!e)
		e = debugfile_find(NULL, NULL, k->build_id, &path);
	if (e)
		take_elf(k, e);
	buf_release(&path);
	return e != NULL;
}

/* Looks for the symbols of the recorded kernel, once. */
static void
find_symbols(struct dso_kernel *k)
{
	if (k->done)
		return;
	k->done = true;
	read_release(k);
	if (take_cached(k) || take_running(k) || take_vmlinux(k))
		k->why = NULL;
}

/* The symbol at ADDRESS of the running kernel. */
static const struct symtab_symbol *
find_symbol(struct dso_kernel *k, uint64_t address)
{
	if (k->list)
		return kallsyms_find(k->list, address);
	return k->symbols ? symtab_find(k->symbols, address) : NULL;
}

/* The symbol of module D at ADDRESS from its own file. */
static bool
module_name(struct dso *d, uint64_t address, struct str *name)
{
	const struct symtab_symbol *s;

	if (!d->symbols_done && d->start)
		d->symbols = read_module(d);
	d->symbols_done = true;
	s = d->symbols && address >= d->start
		? symtab_find(d->symbols, address - d->start)
		: NULL;
	if (s)
		*name = s->name;
	return s != NULL;
}

bool
dso_kernel_name(struct dso *d, uint64_t address, struct str *name)
{
	struct dso_kernel *k = &d->set->kernel;
	const struct symtab_symbol *s = NULL;

	if (str_starts(d->name, STR("[guest."))) {
		d->why = "kernels of guests are not known";
		return false;
	}
	find_symbols(k);
	d->why = k->why;
	if (d->kind == DSO_KERNEL)
		s = find_symbol(k, address - k->slide);
	else if (k->all)
		s = find_symbol(k, address);
	/* Beyond a module's last symbol another one's may follow. */
	if (s && (d->kind == DSO_KERNEL || s->module.n)) {
		*name = s->name;
		return true;
	}
	return d->kind == DSO_MODULE && module_name(d, address, name);
}
