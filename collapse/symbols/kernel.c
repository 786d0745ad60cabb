/* SPDX-License-Identifier: ISC */
/* Finds the symbols of a kernel and of its modules; see kernel.h. */
#include "kernel.h"
#include "debugfile.h"
#include "inflate.h"
#include "mem.h"
#include "msg.h"
#include "regular.h"
#include "relocate.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Symbols of a kernel module from its file, if kallsyms lack them. Modules are objects
 * that the kernel lays out when it loads them (relocate.h): the sections with code come
 * first, in their order and alignment, except for sections that are freed after
 * start-up (kernel/module/main.c, layout_sections). Machines that put more before that
 * (tables of far jumps) are not supported.
 */

/* Opens the file of a module at PATH; NULL if it is missing. The caller closes it. */
static struct elf *
open_module(const char *path, const char **why)
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
		if (!inflate_knows(packed[i].kind) || !regular_read_named(path, &file) ||
			!inflate_all(packed[i].kind, buf_view(&file), &plain, most)) {
			*why = "its file cannot be decompressed";
			buf_clear(&plain);
		}
		buf_release(&file);
		return elf_of_block(plain.s, plain.n, why);
	}
	return elf_open(path, why);
}

/* Whether BASE is the file of module NAME: the kernel has '_' for '-'. */
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

/* Puts the path of the file of M into B: as recorded, otherwise from the list of the
 * running kernel's modules ("kernel/fs/ext4/ext4.ko.xz: kernel/lib/crc16.ko.xz"). */
static bool
put_path(const struct kernel *k, const struct kernel_module *m, struct buf *b)
{
	const char *release = k->release;
	struct str rest, line, name = str_head(str_from(m->name, 1), m->name.n - 2);
	struct buf list = { 0 };

	if (m->path.s[0] == '/') {
		buf_str(b, m->path);
		return str_find(m->path, '\0') == m->path.n;
	}
	buf_fmt(b, "/lib/modules/%s/modules.dep", release);
	regular_read_named(buf_cstr(b), &list);
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

/* Adds the functions of E, an object, at the kernel's layout. */
static void
add_functions(struct symtab *t, struct elf *e)
{
	uint64_t *at = mem_zero(e->section_n, sizeof *at);
	struct symtab_symbol s;
	struct elf_symbol sym;
	size_t i, j;

	relocate_lay_out(e, at);
	for (i = 0; i < e->section_n; i++)
		for (j = 0; j < elf_symbol_count(e, &e->sections[i]); j++) {
			if (!elf_symbol(e, &e->sections[i], j, &sym) ||
				sym.type != ELF_FUNC || sym.section >= e->section_n ||
				at[sym.section] == UINT64_MAX)
				continue;
			s = (struct symtab_symbol){ .start = at[sym.section] + sym.value,
				.size = sym.size,
				.binding = sym.binding };
			/* Copy the name, as the file is closed before it is used. */
			symtab_add_copy(t, &s, sym.name, STR(""));
		}
	free(at);
}

struct elf *
kernel_open_module(const struct kernel *k, const struct kernel_module *m,
	struct buf *path, const char **why)
{
	struct elf *e = NULL;

	*why = "not found";
	if (put_path(k, m, path))
		e = open_module(buf_cstr(path), why);
	if (!e)
		return NULL;
	if (m->build_id.n && !str_eq(e->build_id, m->build_id))
		*why = "is not the recorded file (its build id differs)";
	else if (e->type == ELF_REL)
		*why = NULL;
	if (!*why)
		return e;
	elf_close(e);
	return NULL;
}

struct symtab *
kernel_read_module(
	const struct kernel *k, const struct kernel_module *m, const char **why)
{
	struct buf path = { 0 };
	struct symtab *t = NULL;
	struct elf *e = kernel_open_module(k, m, &path, why);

	if (e) {
		t = symtab_new();
		add_functions(t, e);
		symtab_seal(t, SYMTAB_BEST, true);
	}
	elf_close(e);
	buf_release(&path);
	return t;
}

void
kernel_release(struct kernel *k)
{
	symtab_free(k->symbols);
	kallsyms_free(k->list);
	if (!k->given || !given_elfs_has(k->given, k->elf))
		elf_close(k->elf);
	buf_release(&k->elf_path);
	buf_release(&k->text);
}

/* Finds the address of symbol NAME in TEXT like /proc/kallsyms. Returns false without
 * one. */
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

/* Reads the symbols of FILE, which is like /proc/kallsyms. */
static bool
read_text(struct kernel *k, const char *file)
{
	uint64_t address;

	if (!regular_read_named(file, &k->text))
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

static bool
read_cached(struct kernel *k)
{
	struct buf path = { 0 };
	bool taken = k->build_id.n &&
		debugfile_perf_cache(
			&path, STR("[kernel.kallsyms]"), k->build_id, "kallsyms") &&
		read_text(k, buf_cstr(&path));

	buf_release(&path);
	return taken;
}

static bool
read_running(struct kernel *k)
{
	char id[KALLSYMS_ID];
	struct str running = { id, kallsyms_running_id(id) };

	if (k->build_id.n ? !str_eq(running, k->build_id) : !k->local) {
		k->why = k->build_id.n
			? "is not the running kernel"
			: "the recording does not say which kernel that was";
		return false;
	}
	return read_text(k, "/proc/kallsyms");
}

/* Reads the release of the running kernel, which is in the names of its files. */
static void
read_release(struct kernel *k)
{
	struct buf b = { 0 };
	struct str release = { 0 };

	if (regular_read("/proc/sys/kernel/osrelease", &b))
		release = str_trim(buf_view(&b));
	if (release.n < sizeof k->release && str_find(release, '/') == release.n)
		snprintf(k->release, sizeof k->release, "%.*s", (int)release.n,
			release.n ? release.s : "");
	buf_release(&b);
}

/* Opens the user's vmlinux: by name, or of --elf by its build id. Sets the path. */
static struct elf *
open_given(struct kernel *k)
{
	const char *why = NULL;
	struct elf *e = k->given_elf ? elf_open(k->given_elf, &why) : NULL;

	if (k->given_elf)
		buf_str(&k->elf_path, str_of(k->given_elf));
	if (e && !debugfile_fits(e, k->build_id)) {
		why = "is not the recorded kernel (its build id differs)";
		elf_close(e);
		e = NULL;
	}
	if (k->given_elf && !e)
		msg_warn("--vmlinux %s: %s", k->given_elf, why);
	if (k->given_elf || !k->given || !k->build_id.n)
		return e;
	e = given_elfs_with_id(k->given, k->build_id);
	if (e)
		buf_str(&k->elf_path, str_of(given_elfs_path(k->given, e)));
	return e;
}

/* Opens a vmlinux with the recorded build id, from distributions' folders or servers.
 * Sets the path. */
static struct elf *
open_vmlinux(struct kernel *k)
{
	static const char *const places[][2] = { { "/usr/lib/debug/boot/vmlinux-", "" },
		{ "/usr/lib/debug/lib/modules/", "/vmlinux" }, { "/boot/vmlinux-", "" },
		{ "/lib/modules/", "/vmlinux" }, { "/lib/modules/", "/build/vmlinux" } };
	struct buf *path = &k->elf_path;
	const char *why;
	struct elf *e;
	size_t i;

	if (!k->build_id.n)
		return NULL;
	for (i = 0; i < sizeof places / sizeof *places && k->release[0]; i++) {
		buf_clear(path);
		buf_fmt(path, "%s%s%s", places[i][0], k->release, places[i][1]);
		e = elf_open(buf_cstr(path), &why);
		if (e && str_eq(e->build_id, k->build_id))
			return e;
		elf_close(e);
	}
	buf_clear(path);
	e = debugfile_find(NULL, NULL, k->build_id, path);
	/* It has hundreds of MB, too many just for inlined functions. */
	if (!e && (!k->list || k->places))
		e = debugfile_fetch(k->servers, NULL, k->build_id, path);
	return e;
}

/* Sets the slide of the vmlinux: by the anchor of the recording, otherwise by the
 * list's. */
static void
place_vmlinux(struct kernel *k)
{
	const struct str text = STR("_text");
	uint64_t address, listed;

	if (k->anchor.n && find_in_elf(k->elf, k->anchor, &address))
		k->elf_slide = k->anchor_address - address;
	else if (k->list && find_in_text(buf_view(&k->text), text, &listed) &&
		find_in_elf(k->elf, text, &address))
		k->elf_slide = k->slide + listed - address;
}

static void find_symbols(struct kernel *k);

struct elf *
kernel_vmlinux(struct kernel *k)
{
	find_symbols(k);
	if (k->elf_done)
		return k->elf;
	k->elf_done = true;
	k->elf = open_given(k);
	if (!k->elf && !k->given_elf)
		k->elf = open_vmlinux(k);
	if (k->elf)
		place_vmlinux(k);
	return k->elf;
}

static bool
read_vmlinux(struct kernel *k)
{
	struct elf *e = kernel_vmlinux(k);

	if (!e)
		return false;
	k->symbols = symtab_new();
	symtab_add_elf(k->symbols, e);
	symtab_seal(k->symbols, SYMTAB_BEST, true);
	return true;
}

/* Finds the symbols of the recorded kernel, once. */
static void
find_symbols(struct kernel *k)
{
	if (k->done)
		return;
	k->done = true;
	read_release(k);
	if ((k->given_list ? read_text(k, k->given_list)
			   : read_cached(k) || read_running(k)) ||
		read_vmlinux(k))
		k->why = NULL;
}

const struct symtab_symbol *
kernel_find(struct kernel *k, uint64_t address)
{
	find_symbols(k);
	if (k->list)
		return kallsyms_find(k->list, address - k->slide);
	return k->symbols ? symtab_find(k->symbols, address - k->elf_slide) : NULL;
}

const struct symtab_symbol *
kernel_find_in_module(struct kernel *k, uint64_t address)
{
	const struct symtab_symbol *s;

	find_symbols(k);
	s = k->all ? kernel_find(k, address) : NULL;
	/* Another module's symbol may follow a module's last one. */
	return s && s->module.n ? s : NULL;
}
