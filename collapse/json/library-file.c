/* SPDX-License-Identifier: ISC */
/*
 * The file of a library of a profile; see library-file.h. A profile has up to two
 * ids of it:
 *
 *	codeId		the build id
 *	breakpadId	the first 16 bytes of the build id as the fields of a
 *			GUID in little endian, and an age, 0; without a build id
 *			16 bytes that are the first 4096 of .text, by exclusive or
 */
#include "library-file.h"
#include "elf.h"
#include "msg.h"
#include "symbols/dso.h"

enum { GUID = 16, PAGE = 4096 };

/* N bytes from twice as many hexadecimal digits at the start of TEXT. */
static bool
take_bytes(struct str text, char *to, size_t n)
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

/* The GUID that stands for E. False when nothing does. */
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

/* Turns the N bytes at B around. */
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

/* Whether E has the breakpadId of L, as far as one can tell. */
static bool
has_debug_id(const struct library *l, struct elf *e)
{
	enum { DATA = 5, LITTLE = 1 };
	static const char zeroes[GUID];
	char given[GUID], own[GUID];

	if (!take_bytes(l->debug_id, given, GUID) || !memcmp(given, zeroes, GUID) ||
		!make_guid(e, own))
		return true;
	if (e->bytes.n > DATA && e->bytes.s[DATA] == LITTLE) {
		swap(own, 4);
		swap(own + 4, 2);
		swap(own + 6, 2);
	}
	return memcmp(own, given, GUID) == 0;
}

/* The path of the file of --elf that is called like L, or is the only one for
 * the only library; NULL when there is none. */
static const char *
find_users(const struct libraries *n, const struct library *l)
{
	const struct opt_list *elfs = &n->c->options->elfs;
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
ask(struct library_file *f, struct libraries *n, const struct library *l, struct str path)
{
	char id[64];
	struct dso_key key = { .path = path };
	struct elf *e;

	if (l->code_id.n && l->code_id.n / 2 <= sizeof id && l->code_id.n % 2 == 0 &&
		take_bytes(l->code_id, id, l->code_id.n / 2))
		key.build_id = (struct str){ id, l->code_id.n / 2 };
	f->dso = dso_get(n->dsos, &key);
	/* Kernels and generated code are elsewhere each time. */
	if (dso_kind(f->dso) != DSO_FILE && dso_kind(f->dso) != DSO_VDSO) {
		f->dso = NULL;
		f->why = "no file, and the profile has no names of it";
		return NULL;
	}
	e = dso_code(f->dso);
	if (!e)
		f->why = "not found";
	return e;
}

/* Whether a return address of E is as it was: probe-rs goes back into the call
 * for RISC-V with 32 bits, Xtensa and Thumb. Of a program for ARM the entry says
 * which of its two instruction sets it begins with. */
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
describe(struct library_file *f, const struct elf *e)
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

/* Says why the file PATH of --elf is not taken. */
static void
refuse(const char *path)
{
	const char *why;
	struct elf *e = elf_open(path, &why);

	msg_warn("%s: %s", path,
		e ? "is not the file that was recorded: its build id differs" : why);
	elf_close(e);
}

void
library_file_find(struct library_file *f, struct libraries *n, const struct library *l)
{
	const char *users = find_users(n, l);
	struct elf *e = NULL;

	*f = (struct library_file){ .wide = true };
	if (users) {
		e = ask(f, n, l, str_of(users));
		if (!e)
			refuse(users);
		else if (!has_debug_id(l, e))
			msg_warn(
				"%s: is not the file that was recorded, by what its code "
				"is: names may be wrong",
				users);
	}
	if (!e && (l->path.n || l->name.n)) {
		e = ask(f, n, l, l->path.n ? l->path : l->name);
		if (e && !has_debug_id(l, e)) {
			f->dso = NULL;
			f->why = "is not the file that was recorded";
			e = NULL;
		}
	}
	if (e)
		describe(f, e);
}
