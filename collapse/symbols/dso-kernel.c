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
#include "dso-parts.h"
#include "mem.h"

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
		d->symbols = dso_module_symbols(d);
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
